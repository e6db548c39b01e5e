#include "syscalls/posix/program_file.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "sim/load/format_name.h"
#include "sim/load/load.h"
#include "sim/load/text_hash.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {
namespace {

using Bytes = std::span<const std::uint8_t>;

Failure<ExecFailure> failed(Errno error, std::string message) {
  return Failure{ExecFailure{error, std::move(message)}};
}

Failure<ExecFailure> failed(host::Error error) {
  return failed(to_errno(error), host::describe(error));
}

Failure<ExecFailure> not_a_file() {
  return failed(Errno::eacces, "not a regular file; name a program");
}

// A file that may be a program, while it is examined.
class ProgramFile {
 public:
  ProgramFile(std::shared_ptr<OpenFile> file, std::uint64_t size)
      : file_(std::move(file)),
        window_(size, [this](std::uint64_t offset, std::span<std::uint8_t> bytes) {
          const Transfer moved = file_->pread(bytes, offset);
          return moved && *moved == bytes.size();
        }) {}
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  FileWindow& window() { return window_; }
  // Of one that was open already; empty: it was not.
  const std::string& path() const { return file_->path; }

 private:
  std::shared_ptr<OpenFile> file_;
  FileWindow window_;
};

using ProgramFileResult = Result<std::unique_ptr<ProgramFile>, ExecFailure>;

// A file that the path opens, or that is open already and that the path is a link to (proc(5),
// /proc/PID/fd).
Result<std::shared_ptr<OpenFile>, ExecFailure> open_to_read(host::GuestFiles& files,
                                                            const host::GuestPath& path) {
  const auto node = files.find_node(path, host::Follow::yes);
  const auto linked = node ? std::dynamic_pointer_cast<OpenFile>(node->object) : nullptr;
  if (linked == nullptr) {
    auto file = files.open(path, {.read = true});
    if (!file) return failed(file.error());
    return to_open_file(*std::move(file));
  }
  const auto status = linked->status();
  if (status && status->type != host::FileType::regular) return not_a_file();
  const auto again = linked->open_again({.read = true});
  if (!again) return failed(again.error());
  const auto& file = *again == nullptr ? linked : *again;
  file->path = linked->path;
  return file;
}

ProgramFileResult open_program(host::GuestFiles& files, const host::GuestPath& path,
                               bool needs_permission,
                               std::uint64_t largest = largest_program_file) {
  if (needs_permission) {
    const auto allowed = files.access(path, host::AccessKinds{.execute = true});
    if (!allowed) return failed(allowed.error());
  }
  auto file = open_to_read(files, path);
  if (!file) return Failure{file.error()};
  const auto status = (*file)->status();
  if (!status) return failed(status.error());
  if (status->type != host::FileType::regular) {
    return not_a_file();
  }
  if (status->size > largest) {
    return failed(Errno::enomem, "larger than " + std::to_string(largest >> 20) + " MiB");
  }
  return std::make_unique<ProgramFile>(*std::move(file), status->size);
}

Result<std::shared_ptr<const Image>, ExecFailure> make_image(FileWindow& file,
                                                             const LoadOptions& options) {
  auto image = load_image(file, options);
  if (!image) {
    const bool is_large = image.error().kind == LoadError::Kind::memory;
    return failed(is_large ? Errno::enomem : Errno::enoexec, image.error().message);
  }
  return std::make_shared<const Image>(*std::move(image));
}

std::uint64_t memory_of(const Image& image) {
  std::uint64_t bytes = 0;
  for (const Segment& segment : image.segments) bytes += segment.memory_size;
  return bytes;
}

// "n32 " of "a dynamic n32 program"; each of IRIX's ABIs has libraries of its own.
std::string abi_word(const Image& program) {
  const std::string_view name = abi_name(program);
  return name.empty() ? "" : std::string(name) + " ";
}

// ": o32, not n32"; empty: the ABIs have no names, or the difference is another one.
std::string difference_of_abis(const Image& file, const Image& program) {
  const std::string_view own = abi_name(file), wanted = abi_name(program);
  if (own.empty() || wanted.empty() || own == wanted) return "";
  return ": " + std::string(own) + ", not " + std::string(wanted);
}

std::string linker_not_found(const host::GuestFiles& files, const Image& program,
                             const std::string& name) {
  const std::string what =
      "a dynamic " + abi_word(program) + "program; " + name + " not found below the guest root";
  const auto path = host::GuestPath::parse("/", name);
  const auto hidden = path ? files.what_hides(*path) : std::nullopt;
  if (!hidden) return what + "; pass -L DIR, see \"Guest roots\"";
  return what + ": " + *hidden + ", see \"Guest roots\"";
}

// The start code of a dynamic SOM program maps the linker itself (HP-UX, crt0.o), or ends the
// program if it is missing.
Result<std::shared_ptr<const Image>, ExecFailure> find_own_linker(host::GuestFiles& files,
                                                                  const Image& program) {
  const std::string name = "/usr/lib/dld.sl";
  const auto path = host::GuestPath::parse("/", name);
  if (!path || !files.access(*path, host::AccessKinds{.read = true})) {
    return failed(Errno::enoent, linker_not_found(files, program, name));
  }
  return std::shared_ptr<const Image>();
}

Result<std::shared_ptr<const Image>, ExecFailure> load_linker(host::GuestFiles& files,
                                                              const Image& program,
                                                              std::uint64_t memory) {
  if (program.maps_own_linker) return find_own_linker(files, program);
  if (!program.interpreter) return std::shared_ptr<const Image>();
  const std::string& name = *program.interpreter;
  const auto path = host::GuestPath::parse("/", name);
  const auto file =
      path ? open_program(files, *path, false) : ProgramFileResult(failed(path.error()));
  if (!file) {
    const bool absent = file.error().error == Errno::enoent;
    return failed(file.error().error,
                  absent ? linker_not_found(files, program, name)
                         : "its dynamic linker " + name + ": " + file.error().message);
  }
  // What runs in it is told by address: nobody asks for the names of its functions.
  auto image = make_image((*file)->window(), {.memory = memory, .symbols = false});
  if (!image) {
    return failed(image.error().error, "its dynamic linker " + name + ": " + image.error().message);
  }
  if ((*image)->interpreter) {
    return failed(Errno::enoexec, "its dynamic linker " + name + " needs one itself");
  }
  if (!can_share_process(**image, program)) {
    return failed(Errno::enoexec, "its dynamic linker " + name + " is for another ABI" +
                                      difference_of_abis(**image, program));
  }
  return image;
}

// The first line of a script: "#! INTERPRETER [ARGUMENT]", where the argument is all of the rest
// (4.3BSD kern_exec.c execve(); execve(2) of System V.4).
struct ScriptLine {
  std::string interpreter;
  std::string argument;  // empty: none
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<ScriptLine> read_script_line(FileWindow& file, std::uint64_t longest) {
  const Bytes front = file.part(0, std::min(file.size(), longest)).value_or(Bytes());
  std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  if (!text.starts_with("#!")) return std::nullopt;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos && file.size() > longest) return std::nullopt;
  text = without_blanks(text.substr(0, end).substr(2));
  const std::size_t blank = text.find_first_of(" \t");
  if (text.empty() || text.find('\0') != std::string_view::npos) return std::nullopt;
  if (blank == std::string_view::npos) return ScriptLine{std::string(text), {}};
  return ScriptLine{std::string(text.substr(0, blank)),
                    std::string(without_blanks(text.substr(blank)))};
}

// The arguments before a script's argv[1].
std::vector<std::string> script_arguments(const ScriptLine& line, const host::GuestPath& script) {
  std::vector<std::string> arguments = {line.interpreter};
  if (!line.argument.empty()) arguments.push_back(line.argument);
  arguments.push_back(script.text());
  return arguments;
}

Result<Program, ExecFailure> load_interpreter(host::GuestFiles& files, const ProgramRequest& script,
                                              const ScriptLine& line) {
  const auto path = host::GuestPath::parse(script.directory, line.interpreter);
  auto program = path ? load_program(files, {*path, script.directory, 0, true, script.memory,
                                             script.objection, script.symbols})
                      : Result<Program, ExecFailure>(failed(path.error()));
  if (!program) {
    return Failure{ExecFailure{program.error().error,
                               "a script whose interpreter " + line.interpreter +
                                   " cannot run: " + program.error().message,
                               line.interpreter}};
  }
  program->arguments = script_arguments(line, script.path);
  return program;
}

}  // namespace

Result<Program, ExecFailure> load_program(host::GuestFiles& files, const ProgramRequest& request) {
  const auto file = open_program(files, request.path, request.needs_permission);
  if (!file) return Failure{file.error()};
  FileWindow& window = (*file)->window();
  if (const auto line = read_script_line(window, request.script_line)) {
    return load_interpreter(files, request, *line);
  }
  auto image = make_image(window, {.memory = request.memory, .symbols = request.symbols});
  if (!image) return Failure{image.error()};
  const auto objection = request.objection ? request.objection(**image) : std::nullopt;
  if (objection) return failed(Errno::enoexec, *objection);
  auto linker = load_linker(files, **image, request.memory - memory_of(**image));
  if (!linker) return Failure{linker.error()};
  std::string path = (*file)->path();
  if (path.empty()) path = files.name_of(request.path);
  if (path.empty()) path = request.path.name();  // the whole one is too long for a name
  return Program{std::move(path), *std::move(image), {}, {}, *std::move(linker)};
}

SymbolTable read_symbols(host::GuestFiles& files, const std::string& path, const Image& program) {
  const auto parsed = host::GuestPath::parse("/", path);
  if (!parsed) return {};
  const auto file = open_program(files, *parsed, false);
  if (!file) return {};
  auto image = load_image((*file)->window());
  if (!image || text_hash(*image) != text_hash(program)) return {};
  return std::move(image->symbols).moved(program.moved_by - image->moved_by);
}

std::shared_ptr<const Image> load_library_file(host::GuestFiles& files, const host::GuestPath& path,
                                               std::uint64_t& room) {
  const auto file = open_program(files, path, false, room);
  if (!file) return nullptr;
  FileWindow& window = (*file)->window();
  auto image = load_library(window, {.memory = room, .symbols = false});
  room -= window.size();
  if (!image) return nullptr;
  return std::make_shared<const Image>(*std::move(image));
}

void add_arguments(Program& program, std::vector<std::string> arguments) {
  const bool is_script = !program.arguments.empty();
  const auto first = arguments.begin() + (is_script && !arguments.empty() ? 1 : 0);
  program.arguments.insert(program.arguments.end(), std::make_move_iterator(first),
                           std::make_move_iterator(arguments.end()));
}

}  // namespace hardclock::posix
