#include "sim/cli/run_setup.h"

#include <climits>
#include <cstdlib>
#include <vector>

#include "isa/mips/cpu.h"
#include "sim/cli/files.h"
#include "sim/load/load.h"
#include "syscalls/systems.h"

namespace hardclock {
namespace {

Failure<UsageError> usage(std::string message) {
  return Failure{UsageError{std::move(message)}};
}

Result<host::FileSpace, UsageError> file_space(const RunOptions& options) {
  host::FileSpace space;
  space.roots = options.roots;
  for (const Bind& bind : options.binds) {
    const auto guest = host::GuestPath::parse("/", bind.guest);
    if (!guest)
      return usage("--bind " + printable(bind.guest) + ": " + host::describe(guest.error()));
    space.binds.push_back(host::Bind{bind.host, guest->text(), !bind.read_only});
  }
  auto directory = host::current_working_directory();
  if (!directory) return usage(directory.error());
  space.working_directory = *std::move(directory);
  return space;
}

Result<std::shared_ptr<host::GuestFiles>, UsageError> open_files(const host::FileSpace& space) {
  auto files = host::GuestFiles::create(space);
  if (!files) return usage(files.error());
  return std::make_shared<host::GuestFiles>(*std::move(files));
}

// Where a program lies that is outside of what the guest sees. Naming it on the command line shows
// it to the guest under that name, read-only, so that the program can exec itself.
Result<std::string, UsageError> host_path_of(const std::string& program) {
  char* const resolved = ::realpath(program.c_str(), nullptr);
  if (resolved == nullptr) {
    return usage(printable(program) +
                 ": no such program, neither here nor below a guest root; check the name or pass "
                 "-L DIR");
  }
  std::string path = resolved;
  std::free(resolved);
  return path;
}

Result<std::vector<std::uint8_t>, UsageError> read_guest_file(host::HostFile& file,
                                                              const std::string& name) {
  const auto status = file.status();
  if (!status) return usage(printable(name) + ": " + host::describe(status.error()));
  if (status->type != host::FileType::regular) {
    return usage(printable(name) + ": not a regular file; name a program");
  }
  std::vector<std::uint8_t> bytes(status->size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto part = file.read(std::span(bytes).subspan(done));
    if (!part) return usage(printable(name) + ": " + host::describe(part.error()));
    if (*part == 0) break;
    done += *part;
  }
  bytes.resize(done);
  return bytes;
}

Result<std::shared_ptr<const Image>, UsageError> load_static(std::span<const std::uint8_t> bytes,
                                                             const std::string& name) {
  auto image = load_image(bytes);
  if (!image) return usage(printable(name) + ": " + image.error().message);
  if (image->interpreter) {
    return usage(printable(name) + ": a dynamic program (it needs " +
                 printable(*image->interpreter) +
                 "); only static programs run so far, link it with -non_shared");
  }
  return std::make_shared<const Image>(*std::move(image));
}

std::string known_cpus() {
  std::string names;
  for (const CpuDescription& cpu : mips::cpus()) names += (names.empty() ? "" : ", ") + cpu.name;
  return names;
}

const CpuDescription* find_cpu(std::string_view name) {
  for (const CpuDescription& cpu : mips::cpus()) {
    if (cpu.name == name) return &cpu;
  }
  return nullptr;
}

}  // namespace

Result<GuestProgram, UsageError> find_guest_program(const RunOptions& options) {
  auto space = file_space(options);
  if (!space) return Failure{space.error()};
  auto files = open_files(*space);
  if (!files) return Failure{files.error()};
  auto path = host::GuestPath::parse((*files)->initial_directory(), options.program);
  auto file = path ? (*files)->open(*path, host::OpenOptions{.read = true})
                   : host::HostResult<host::HostFile>(Failure{path.error()});
  if (path && !file && file.error() == host::Error::not_found) {
    auto host_path = host_path_of(options.program);
    if (!host_path) return Failure{host_path.error()};
    space->binds.push_back(host::Bind{*host_path, path->text(), false});
    files = open_files(*space);
    if (!files) return usage(printable(options.program) + ": not a regular file; name a program");
    file = (*files)->open(*path, host::OpenOptions{.read = true});
  }
  if (!file) {
    return usage(printable(options.program) + ": " + host::describe(file.error()) +
                 "; name a program that can be read");
  }
  const auto bytes = read_guest_file(*file, options.program);
  if (!bytes) return Failure{bytes.error()};
  auto image = load_static(*bytes, options.program);
  if (!image) return Failure{image.error()};
  GuestProgram found{*std::move(files), posix::Program{path->text(), *std::move(image), {}, {}}};
  found.program.arguments.push_back(options.program);
  for (const std::string& argument : options.arguments) found.program.arguments.push_back(argument);
  for (const EnvironmentVariable& variable : options.variables) {
    found.program.environment.push_back(variable.name + "=" + variable.value);
  }
  return found;
}

Result<CpuSetup, UsageError> choose_cpu(const RunOptions& options, const Image& image) {
  CpuSetup setup;
  if (options.cpu) {
    setup.description = find_cpu(options.cpu->name);
    if (setup.description == nullptr) {
      return usage("unknown cpu '" + printable(options.cpu->name) +
                   "'; there are: " + known_cpus());
    }
  } else {
    const unsigned level = mips::level_of_elf_flags(image.flags);
    if (level == 0) {
      return usage(
          "the program is compiled for MIPS III or above, which is not there yet; compile "
          "it with -mips1 or -mips2, or choose a --cpu to try");
    }
    setup.description = find_cpu(level == 1 ? "r3000" : "mips2");
  }
  setup.clock = setup.description->clock;
  if (options.cpu && options.cpu->clock) setup.clock = *options.cpu->clock;
  if (options.tick_rate && setup.clock < *options.tick_rate) {
    return usage("--hz is above the processor's clock; lower it or raise --cpu NAME@MHZ");
  }
  setup.functional = setup.description->functional || options.timing == TimingModel::functional;
  return setup;
}

Result<const posix::UnixSystem*, UsageError> choose_os(const RunOptions& options,
                                                       const Image& image) {
  if (image.machine != Machine::mips) return usage("no system for this processor yet");
  const std::string name = options.os.value_or("irix");
  const posix::UnixSystem* const system = find_unix_system(name);
  if (system == nullptr) {
    return usage("unknown os '" + printable(name) + "'; there are: " + unix_system_names());
  }
  return system;
}

}  // namespace hardclock
