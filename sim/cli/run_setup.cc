#include "sim/cli/run_setup.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "sim/cli/files.h"
#include "sim/cli/instruction_sets.h"
#include "sim/cli/values.h"
#include "sim/timing/tick_source.h"
#include "syscalls/host/descriptor_limit.h"
#include "syscalls/posix/library_search.h"
#include "syscalls/systems.h"

namespace hardclock {
namespace {

// Of a script that the user names; exec by a guest has its system's limit.
constexpr std::size_t longest_script_line = 256;

Failure<UsageError> usage(std::string message) {
  return Failure{UsageError{std::move(message)}};
}

Result<host::FileSpace, UsageError> file_space(const RunOptions& options) {
  host::FileSpace space;
  space.limits.disk = options.max_disk;
  space.limits.open_files = host::make_room_for_files(space.limits.open_files);
  space.roots = options.roots;
  for (const Bind& bind : options.binds) {
    const auto guest = host::GuestPath::parse("/", bind.guest);
    if (!guest)
      return usage("--bind " + printable(bind.guest) + ": " + host::describe(guest.error()));
    space.binds.push_back(host::Bind{bind.host, guest->text(), !bind.read_only});
  }
  if (options.working_directory == DirectoryAccess::none) return space;
  auto directory = host::current_working_directory();
  if (!directory) return usage(directory.error());
  space.working_directory = *std::move(directory);
  space.working_directory_writable = options.working_directory != DirectoryAccess::read_only;
  return space;
}

bool is_same_directory(const char* path, const struct ::stat& other) {
  struct ::stat status;
  return ::stat(path, &status) == 0 && status.st_dev == other.st_dev &&
         status.st_ino == other.st_ino;
}

// Who starts a guest in one of these directories has hardly thought of all that lies in it.
std::optional<std::string> working_directory_warning(const RunOptions& options) {
  struct ::stat here;
  if (options.working_directory || ::stat(".", &here) != 0) return std::nullopt;
  std::vector<const char*> precious = {"/tmp"};
  if (const char* const home = std::getenv("HOME")) precious.push_back(home);
  if (::geteuid() == 0) {
    for (const char* const system : {"/etc", "/usr", "/var"}) precious.push_back(system);
  }
  for (const char* const directory : precious) {
    if (!is_same_directory(directory, here)) continue;
    return "the guest can write to all of " + printable(directory) +
           ", the working directory; start elsewhere, or pass --cwd=ro or --cwd=rw";
  }
  return std::nullopt;
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

// With guest roots, an absolute path is the guest's where a root has the folder: /usr/bin/nm then
// never means the host's file.
Result<Ok, UsageError> check_outside_of_roots(const host::GuestFiles& files,
                                              const host::GuestPath& path,
                                              const std::string& program) {
  if (!program.starts_with('/') || !files.belongs_to_roots(path)) return Ok{};
  return usage(printable(program) +
               ": no such program below the guest root, which has its folder; the host's file of "
               "that name is not taken; check the name, or give the path of a program elsewhere");
}

// The names of what each instruction set has of this kind.
template <class Description>
std::string known(const std::vector<Description>& (*InstructionSet::*of)()) {
  std::string names;
  for (const InstructionSet& set : instruction_sets()) {
    for (const Description& each : (set.*of)()) names += (names.empty() ? "" : ", ") + each.name;
  }
  return names;
}

// What to try in place of a name that there is not: those that begin with it, or the closest one,
// or all of them.
template <class Description>
std::string names_like(const std::string& wrong,
                       const std::vector<Description>& (*InstructionSet::*of)()) {
  std::vector<std::string_view> names;
  std::string longer;
  for (const InstructionSet& set : instruction_sets()) {
    for (const Description& each : (set.*of)()) {
      names.push_back(each.name);
      if (!each.name.starts_with(wrong)) continue;
      longer += (longer.empty() ? "" : ", ") + each.name;
    }
  }
  if (!wrong.empty() && !longer.empty()) return "did you mean " + longer + "?";
  const std::string_view meant = closest_name(wrong, names);
  if (!meant.empty()) return "did you mean " + std::string(meant) + "?";
  return "there are: " + known(of);
}

Result<Ok, UsageError> choose_named_cpu(const CpuChoice& choice, CpuSetup& setup) {
  setup.chosen = find_cpu(choice.name);
  if (setup.chosen != nullptr) return Ok{};
  return usage("unknown cpu '" + printable(choice.name) + "'; " +
               names_like(lower_case(choice.name), &InstructionSet::cpus));
}

Result<Ok, UsageError> choose_machine(const std::string& name, bool functional, CpuSetup& setup) {
  setup.machine = find_machine(name);
  if (setup.machine == nullptr) {
    return usage("unknown machine '" + printable(name) + "'; " +
                 names_like(lower_case(name), &InstructionSet::machines));
  }
  setup.chosen = find_cpu(setup.machine->processor);
  CHECK(setup.chosen != nullptr);
  const auto costs = kernel_costs(setup.machine->rows, setup.machine->clock);
  CHECK(costs.ok());  // a test reads every machine
  setup.kernel_costs = *costs;
  const auto counter = tick_counter(*setup.chosen, setup.machine->rows, setup.machine->clock);
  CHECK(counter.ok());
  setup.tick_counter = *counter;
  if (functional) return Ok{};
  const auto memory = describe_memory(*setup.chosen, setup.machine->rows, setup.machine->clock);
  CHECK(memory.ok());
  setup.memory = std::make_shared<MachineMemory>(*memory);
  return Ok{};
}

struct NamedFile {
  std::string name;
  const Image* image;
};

// The program itself under its own name, all others by their paths.
std::vector<NamedFile> files_of(const posix::Program& program) {
  std::vector<NamedFile> files = {
      {program.path.substr(program.path.rfind('/') + 1), program.image.get()}};
  if (program.linker != nullptr) {
    files.push_back({*program.image->interpreter, program.linker.get()});
  }
  for (const posix::LibraryFile& library : program.libraries) {
    files.push_back({library.path, library.image.get()});
  }
  return files;
}

std::vector<const Image*> images_of(const std::vector<NamedFile>& files) {
  std::vector<const Image*> images;
  for (const NamedFile& file : files) images.push_back(file.image);
  return images;
}

std::string option_of(const CpuSetup& setup) {
  return setup.machine != nullptr ? "--machine" : "--cpu";
}

// What to do when the chosen processor cannot run a file of a program.
std::string way_out(const CpuSetup& setup, const InstructionSet& set,
                    const std::vector<const Image*>& files) {
  const auto suitable = set.default_cpu(files);
  const std::string compile = "compile it " + set.how_to_compile(*setup.chosen);
  if (!suitable) return compile;
  const std::string in_place = setup.machine != nullptr ? " in place of --machine" : "";
  return "choose --cpu=" + (*suitable)->name + in_place + ", or " + compile;
}

std::string default_os(const Image& image) {
  if (image.is_linux || (image.is_of_gnu_tools && !image.interpreter)) return "linux";
  return image.machine == Machine::pa_risc ? "hpux" : "irix";
}

Result<GuestProgram, UsageError> find_program(const RunOptions& options) {
  auto space = file_space(options);
  if (!space) return Failure{space.error()};
  auto scratch = host::ScratchDirectory::create();
  if (scratch != nullptr) space->scratch = scratch->path();
  space->start.seconds = options.start_time.time_since_epoch().count();
  auto files = open_files(*space);
  if (!files) return Failure{files.error()};
  auto path = host::GuestPath::parse((*files)->initial_directory(), options.program);
  auto file = path ? (*files)->open(*path, host::OpenOptions{.read = true})
                   : host::HostResult<host::HostFile>(Failure{path.error()});
  if (path && !file && file.error() == host::Error::not_found) {
    const auto outside = check_outside_of_roots(**files, *path, options.program);
    if (!outside) return Failure{outside.error()};
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
  auto program = posix::load_program(**files, {*path, (*files)->initial_directory(),
                                               longest_script_line, false, options.max_memory});
  if (!program) {
    const std::string& message = program.error().message;
    const auto hidden = (*files)->what_hides(*path);
    return usage(printable(options.program) + ": " + printable(message, message.size()) +
                 (hidden ? "; " + printable(*hidden, hidden->size()) : ""));
  }
  std::vector<std::string> arguments = {options.program};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  posix::add_arguments(*program, std::move(arguments));
  for (const EnvironmentVariable& variable : options.variables) {
    program->environment.push_back(variable.name + "=" + variable.value);
  }
  posix::find_libraries(**files, *program);
  std::vector<std::string> notices = (*files)->notices();
  if (const auto warning = working_directory_warning(options)) notices.push_back(*warning);
  return GuestProgram{std::move(scratch), *std::move(space), *std::move(files), *std::move(program),
                      std::move(notices)};
}

}  // namespace

Result<GuestProgram, UsageError> find_guest_program(const RunOptions& options) {
  auto program = find_program(options);
  if (program || options.option_before_program.empty()) return program;
  const std::string& option = options.option_before_program;
  return usage(program.error().message + "; if it is the file for " + option + ", write " + option +
               "=" + printable(options.program));
}

std::vector<std::string> output_directories(const RunOptions& options) {
  std::vector<std::string> directories;
  const auto add = [&](const std::string& file) {
    // Devices and open descriptors are written to and never replaced.
    if (file.empty() || file.starts_with("/dev/") || file.starts_with("/proc/")) return;
    const std::string directory = std::filesystem::path(file).parent_path().string();
    directories.push_back(directory.empty() ? "." : directory);
  };
  for (const auto* log : {&options.stats, &options.explain, &options.strace, &options.trace}) {
    if (*log) add((*log)->file);
  }
  if (options.profile) add(*options.profile);
  if (options.pipeline) add(options.pipeline->target.file);
  return directories;
}

Result<const CpuDescription*, std::string> suitable_cpu(const CpuSetup& setup,
                                                        const posix::Program& program) {
  const InstructionSet* const set = find_instruction_set(program.image->machine);
  if (set == nullptr) return Failure{"not a program for " + instruction_set_names()};
  const std::vector<NamedFile> files = files_of(program);
  if (setup.chosen == nullptr) return set->default_cpu(images_of(files));
  const CpuDescription& cpu = *setup.chosen;
  if (&instruction_set_of(cpu) != set) {
    return Failure{"the program is for " + std::string(set->name) + ", which " + cpu.name +
                   " is not; choose another " + option_of(setup) + ", see 'hardclock cpus'"};
  }
  for (const NamedFile& file : files) {
    if (const auto objection = set->objection(cpu, *file.image)) {
      return Failure{printable(file.name) + " " + *objection + "; " +
                     way_out(setup, *set, images_of(files))};
    }
  }
  return &cpu;
}

Result<CpuSetup, UsageError> choose_cpu(const RunOptions& options, const posix::Program& program) {
  CpuSetup setup;
  setup.functional = options.timing == TimingModel::functional;
  if (options.cpu) {
    if (auto chosen = choose_named_cpu(*options.cpu, setup); !chosen)
      return Failure{chosen.error()};
  }
  if (options.machine) {
    auto chosen = choose_machine(*options.machine, setup.functional, setup);
    if (!chosen) return Failure{chosen.error()};
  }
  const auto description = suitable_cpu(setup, program);
  if (!description) return usage(description.error());
  setup.description = *description;
  setup.clock = setup.description->clock;
  if (setup.machine != nullptr) setup.clock = setup.machine->clock;
  if (options.cpu && options.cpu->clock) setup.clock = *options.cpu->clock;
  if (options.syscall_cycles) setup.kernel_costs.system_call = *options.syscall_cycles;
  if (options.tick_rate && setup.clock < *options.tick_rate) {
    return usage("--hz is above the processor's clock; lower it or raise --cpu NAME@MHZ");
  }
  return setup;
}

Result<const posix::UnixSystem*, UsageError> choose_os(const RunOptions& options,
                                                       const Image& image) {
  const std::string name = lower_case(options.os.value_or(default_os(image)));
  const posix::UnixSystem* const system = find_unix_system(name, image.machine);
  if (system == nullptr) {
    return usage("no os '" + printable(name) +
                 "' for this program; there are: " + unix_system_names(image.machine));
  }
  if (image.is_linux && name != "linux") {
    return usage(
        "--os=" + name + ": " + printable(options.program) +
        " says that it is for Linux, whose system calls have other numbers; leave --os out");
  }
  if (image.format == FileFormat::som && name == "linux") {
    return usage("--os=linux: " + printable(options.program) +
                 " is a SOM file, which is HP-UX's; leave --os out");
  }
  return system;
}

}  // namespace hardclock
