#include "cli/run_setup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/default_files.h"
#include "cli/guest_file.h"
#include "sim/base/lower_case.h"
#include "sim/load/load.h"
#include "syscalls/host/descriptor_limit.h"
#include "syscalls/host/own_directory.h"
#include "syscalls/hpux/runtime/runtime_files.h"
#include "syscalls/shell/shell_files.h"

namespace hardclock {
namespace {

// For a script that the user names; an exec by a guest has its system's limit.
constexpr std::size_t longest_script_line = 256;

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

// A user who starts a guest in one of these directories hardly means to expose everything in it.
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

// The place of a program outside what the guest sees. Naming it on the command line shows it to the
// guest under that name, read-only, so that the program can exec itself.
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

// Whether it lies in a folder that every Unix has: the host's program of that name is another one.
bool is_in_system_folder(const std::string& program) {
  constexpr std::string_view folders[] = {"/bin/", "/etc/", "/lib/", "/sbin/", "/usr/"};
  return std::ranges::any_of(folders,
                             [&](std::string_view folder) { return program.starts_with(folder); });
}

// With guest roots, an absolute path is the guest's if a root has its folder, or it is one of a
// system's: /usr/bin/nm then never means the host's file.
Result<Ok, UsageError> check_outside_of_roots(const host::GuestFiles& files,
                                              const host::GuestPath& path,
                                              const RunOptions& options) {
  if (!options.program.starts_with('/')) return Ok{};
  const bool has_folder = files.belongs_to_roots(path);
  const bool is_system = !options.roots.empty() && is_in_system_folder(options.program);
  if (!has_folder && !is_system) return Ok{};
  return usage(printable(options.program) + ": no such program below the guest root" +
               (has_folder ? ", which has its folder" : "") +
               "; the host's file of that name is not taken; check the name, or give the path of a "
               "program elsewhere");
}

// Arguments that are files of the host, and of which the guest sees nothing: it will say that there
// is no such file.
std::vector<std::string> notices_of_unseen_files(host::GuestFiles& files,
                                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> notices;
  for (const std::string& argument : arguments) {
    struct ::stat status;
    if (argument.starts_with('-') || ::stat(argument.c_str(), &status) != 0) continue;
    const auto path = host::GuestPath::parse(files.initial_directory(), argument);
    if (!path || files.status(*path, host::Follow::no)) continue;
    std::string notice = printable_path(argument) +
                         ": the host has it, but the guest does not see it; show it with --bind "
                         "HOST:GUEST";
    if (std::ranges::find(notices, notice) == notices.end()) notices.push_back(std::move(notice));
  }
  return notices;
}

// The guest runs without these files, and may do something else then.
constexpr const char* notice_of_lacking =
    "no room for the /tmp, the /etc and the /bin/sh of the guest in TMPDIR or /tmp; it runs "
    "without; make room there, or set TMPDIR";

// The first bytes of a file of the host; any other has none.
std::vector<std::uint8_t> front_of(host::OpenedFile& program, std::size_t size) {
  std::vector<std::uint8_t> front(size);
  auto* const file = std::get_if<host::HostFile>(&program);
  const auto read = file != nullptr ? file->pread(front, 0) : std::size_t{0};
  front.resize(read ? *read : 0);
  return front;
}

// HP's loader and library may not be had: what the user's roots have not of them, ours stands for.
bool needs_hpux_runtime(host::OpenedFile& program) {
  return hpux::may_need_runtime(front_of(program, hpux::bytes_to_know_program));
}

// The program itself is looked for before.
void add_defaults(const DefaultFiles& defaults, host::OpenedFile& program, host::FileSpace& space) {
  space.built_in->add(defaults.files());
  if (needs_hpux_runtime(program)) space.built_in->add(hpux::runtime_files());
}

// ---- What the system of the program has besides the files of all.

std::optional<std::string> os_name(const RunOptions& options) {
  if (!options.os) return std::nullopt;
  return printable(lower_case(*options.os));
}

void add_files_of_system(const RunOptions& options, const Image& image,
                         const host::ScratchDirectory* scratch, host::FileSpace& space) {
  const auto chosen = choose_system(image, os_name(options), printable_path(options.program));
  if (!chosen) return;  // choose_os() says why
  space.has_full_device = chosen->system->has_full_device;
  if (scratch != nullptr && chosen->system->has_shared_memory)
    space.shared_memory = scratch->own("shm", host::OwnDirectory::Kind::for_all);
}

// ---- The shell of a root that has none.

std::span<const host::BuiltInFile> shell_for(const RunOptions& options, const Image& image) {
  const auto chosen = choose_system(image, os_name(options), printable_path(options.program));
  if (!chosen) return {};
  return shell::shell_files(chosen->system->name, image);
}

constexpr std::string_view shell_name = "/bin/sh";

constexpr const char* says_no_system =
    "; hardclock's own shell runs it if --os NAME says for which system";

// A script does not say whose it is: the dynamic linker in the root does, or --os.
std::span<const host::BuiltInFile> shell_for_script(const RunOptions& options,
                                                    host::GuestFiles& files) {
  for (const std::string_view file : shell::files_that_tell_system()) {
    const auto bytes = read_guest_file(files, std::string(file), largest_program_file);
    const auto image = bytes ? load_image(*bytes) : Result<Image, LoadError>(Failure{LoadError{}});
    if (!image) continue;
    const auto shell = shell_for(options, *image);
    if (!shell.empty()) return shell;
  }
  for (const Architecture architecture : {Architecture::mips, Architecture::pa_risc}) {
    Image image;
    image.architecture = architecture;
    const auto shell = shell::shell_files(os_name(options).value_or(""), image);
    if (!shell.empty()) return shell;
  }
  return {};
}

bool is_script(host::OpenedFile& program) {
  return std::ranges::equal(front_of(program, 2), std::string_view("#!"));
}

Result<posix::Program, posix::ExecFailure> load(const RunOptions& options,
                                                const host::GuestPath& path,
                                                host::GuestFiles& files) {
  return posix::load_program(files, {path, files.initial_directory(), longest_script_line, false,
                                     options.max_memory, not_simulated});
}

// Loads the program, and adds the shell of its system. A script may itself need the shell.
Result<posix::Program, posix::ExecFailure> load_with_shell(const RunOptions& options,
                                                           const host::GuestPath& path,
                                                           host::OpenedFile& file,
                                                           host::OwnDirectory& built_in,
                                                           host::GuestFiles& files) {
  auto program = load(options, path, files);
  if (!program && !is_script(file)) return program;
  const auto shell =
      program ? shell_for(options, *program->image) : shell_for_script(options, files);
  built_in.add(shell);
  return program || shell.empty() ? std::move(program) : load(options, path, files);
}

// What a guest sees of files, and the file that the options name.
struct OpenGuest {
  std::unique_ptr<Leftover> leftover;
  std::unique_ptr<host::ScratchDirectory> scratch;
  std::unique_ptr<const DefaultFiles> defaults;
  host::FileSpace space;
  std::shared_ptr<host::GuestFiles> files;
  host::GuestPath path;
  host::OpenedFile file;
  std::vector<std::string> lacking;
};

bool is_regular(const std::string& path) {
  struct ::stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

Result<OpenGuest, UsageError> open_guest(const RunOptions& options) {
  auto space = file_space(options);
  if (!space) return Failure{space.error()};
  std::unique_ptr<Leftover> leftover;
  std::unique_ptr<host::ScratchDirectory> scratch;
  if (auto name = host::ScratchDirectory::name_to_make()) {
    leftover = std::make_unique<Leftover>(AT_FDCWD, *std::move(name), Leftover::Kind::tree);
    scratch = host::ScratchDirectory::create(leftover->name());
  }
  if (scratch != nullptr) {
    space->scratch = scratch->own("tmp", host::OwnDirectory::Kind::for_all);
    space->built_in = scratch->own("root", host::OwnDirectory::Kind::built_in);
  } else {
    leftover = nullptr;
  }
  space->start.seconds = options.start_time.time_since_epoch().count();
  auto files = open_files(*space);
  if (!files) return Failure{files.error()};
  auto path = host::GuestPath::parse((*files)->initial_directory(), options.program);
  auto file = path ? (*files)->open(*path, host::OpenOptions{.read = true})
                   : host::HostResult<host::OpenedFile>(Failure{path.error()});
  if (path && !file && file.error() == host::Error::not_found) {
    const auto outside = check_outside_of_roots(**files, *path, options);
    if (!outside) return Failure{outside.error()};
    auto host_path = host_path_of(options.program);
    if (!host_path) return Failure{host_path.error()};
    space->binds.push_back(host::Bind{*host_path, path->text(), false});
    files = open_files(*space);
    if (!files && is_regular(*host_path)) return Failure{files.error()};
    if (!files)
      return usage(printable_path(options.program) + ": not a regular file; name a program");
    file = (*files)->open(*path, host::OpenOptions{.read = true});
  }
  if (!file) {
    const char* const next = file.error() == host::Error::too_many_open
                                 ? "raise the limit of open files with 'ulimit -n'"
                                 : "name a program that can be read";
    return usage(printable_path(options.program) + ": " + host::describe(file.error()) + "; " +
                 next);
  }
  auto defaults = std::make_unique<const DefaultFiles>(options.host_name);
  std::vector<std::string> lacking;
  if (scratch != nullptr) {
    add_defaults(*defaults, *file, *space);
  } else {
    lacking.emplace_back(notice_of_lacking);
  }
  return OpenGuest{std::move(leftover), std::move(scratch), std::move(defaults),
                   *std::move(space),   *std::move(files),  *std::move(path),
                   *std::move(file),    std::move(lacking)};
}

// With its arguments and environment.
GuestProgram complete(OpenGuest guest, posix::Program program, const RunOptions& options) {
  std::vector<std::string> arguments = {options.program};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  posix::add_arguments(program, std::move(arguments));
  for (const EnvironmentVariable& variable : options.variables) {
    program.environment.push_back(variable.name + "=" + variable.value);
  }
  std::vector<std::string> notices = guest.files->notices();
  if (const auto warning = working_directory_warning(options)) notices.push_back(*warning);
  for (std::string& notice : notices_of_unseen_files(*guest.files, options.arguments)) {
    notices.push_back(std::move(notice));
  }
  return GuestProgram{std::move(guest.leftover), std::move(guest.scratch),
                      std::move(guest.defaults), std::move(guest.space),
                      std::move(guest.files),    std::move(program),
                      std::move(notices),        std::move(guest.lacking)};
}

Result<GuestProgram, UsageError> find_program(const RunOptions& options) {
  auto guest = open_guest(options);
  if (!guest) return Failure{guest.error()};
  auto program = guest->scratch == nullptr ? load(options, guest->path, *guest->files)
                                           : load_with_shell(options, guest->path, guest->file,
                                                             *guest->space.built_in, *guest->files);
  if (!program) {
    const std::string& message = program.error().message;
    const auto hidden = guest->files->what_hides(guest->path);
    const bool lacks_shell = program.error().interpreter == shell_name;
    return usage(printable_path(options.program) + ": " + printable(message, message.size()) +
                 (hidden ? "; " + printable(*hidden, hidden->size()) : "") +
                 (lacks_shell && !options.os ? says_no_system : ""));
  }
  add_files_of_system(options, *program->image, guest->scratch.get(), guest->space);
  // Anew, so that the guest does not see what has been read here.
  auto files = open_files(guest->space);
  if (!files) return Failure{files.error()};
  guest->files = *std::move(files);
  return complete(*std::move(guest), *std::move(program), options);
}

}  // namespace

Result<GuestProgram, UsageError> find_guest_program(const RunOptions& options) {
  auto program = find_program(options);
  if (program || options.option_before_program.empty()) return program;
  const std::string& option = options.option_before_program;
  return usage(program.error().message + "; if it is the file for " + option + ", write " + option +
               "=" + printable_path(options.program));
}

std::optional<GuestProgram> find_guest_library(const RunOptions& options) {
  auto guest = open_guest(options);
  if (!guest) return std::nullopt;
  const std::string path = guest->path.text();
  const auto bytes = read_guest_file(*guest->files, path, largest_program_file);
  if (!bytes) return std::nullopt;
  FileWindow window(*bytes);
  if (!is_library(window)) return std::nullopt;
  auto image = load_library(window, {.memory = options.max_memory});
  if (!image) return std::nullopt;
  auto shared = std::make_shared<const Image>(*std::move(image));
  return complete(*std::move(guest), posix::Program{path, std::move(shared), {}, {}}, options);
}

std::vector<std::string> output_directories(const RunOptions& options) {
  std::vector<std::string> directories;
  const auto add = [&](const std::string& file) {
    // Devices and open descriptors are written to and never replaced.
    if (file.empty() || file == "-" || file.starts_with("/dev/") || file.starts_with("/proc/"))
      return;
    const std::string directory = std::filesystem::path(file).parent_path().string();
    directories.push_back(directory.empty() ? "." : directory);
  };
  for (const auto* log : {&options.stats, &options.explain, &options.strace, &options.trace}) {
    if (*log) add((*log)->file);
  }
  if (options.profile) add(*options.profile);
  if (options.pipeline) add(options.pipeline->target.file);
  if (options.sweep) add(options.sweep->output.file);
  return directories;
}

Result<SystemChoice, UsageError> choose_os(const RunOptions& options, const Image& image) {
  const auto chosen = choose_system(image, os_name(options), printable_path(options.program));
  if (!chosen) return usage(chosen.error());
  return *chosen;
}

}  // namespace hardclock
