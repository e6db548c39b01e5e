#include "cli/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/answer.h"
#include "cli/files.h"
#include "cli/guest_file.h"
#include "cli/processor_choice.h"
#include "cli/run_setup.h"
#include "cli/usage_error.h"
#include "isa/foreign_instruction.h"
#include "isa/instruction_sets.h"
#include "sim/base/endian.h"
#include "sim/load/elf_float_abi.h"
#include "sim/load/format_name.h"
#include "sim/load/load.h"
#include "syscalls/hpux/runtime/functions.h"
#include "syscalls/hpux/runtime/runtime_files.h"
#include "syscalls/posix/library_search.h"
#include "syscalls/posix/unix_system.h"
#include "syscalls/shell/shell_files.h"

namespace hardclock {
namespace {

using Verdict = Diagnosis::Verdict;

std::string_view linking_of(const Image& image) {
  return image.interpreter || image.maps_own_linker ? "dynamic" : "static";
}

std::string format_of(const Image& image, std::string_view linking) {
  const std::string_view abi = abi_name(image);
  return fmt::format("{}{}{}, {} bits, {}-endian, {}", format_name(image.format),
                     abi.empty() ? "" : " ", abi, image.address_bits,
                     image.endian == Endian::big ? "big" : "little", linking);
}

std::string built_for(const Image& image) {
  const InstructionSet* const set = find_instruction_set(image.architecture);
  if (set == nullptr) return {};
  return set->built_for == nullptr ? std::string(set->name) : set->built_for(image);
}

bool is_at(const std::string& path, const std::string& name) {
  return path == name || path.ends_with("/" + name);
}

// A file that is in the guest, whether or not hardclock can read it as a library.
bool is_there(host::GuestFiles& files, const std::string& name) {
  return name.starts_with('/') && read_guest_file(files, name, largest_program_file).has_value();
}

// Where the program's libraries or its dynamic linker have this name; empty: nowhere.
std::string place_of(GuestProgram& guest, const std::string& name) {
  const posix::Program& program = guest.program;
  if (program.image->interpreter && is_at(*program.image->interpreter, name)) {
    return *program.image->interpreter;
  }
  for (const posix::LibraryFile& library : program.libraries) {
    if (is_at(library.path, name)) return library.path;
  }
  return is_there(*guest.files, name) ? name : "";
}

void add_libraries_of(const Image& image, const std::string& file, GuestProgram& guest,
                      std::vector<Diagnosis::Need>& needs) {
  for (const std::string& name : image.libraries) {
    const bool is_known =
        std::ranges::any_of(needs, [&](const Diagnosis::Need& need) { return need.name == name; });
    if (!is_known) needs.push_back({"library", name, place_of(guest, name), file});
  }
}

std::vector<Diagnosis::Need> needs_of(GuestProgram& guest) {
  const posix::Program& program = guest.program;
  std::vector<Diagnosis::Need> needs;
  if (program.image->interpreter) {
    needs.push_back({"dynamic linker", *program.image->interpreter,
                     program.linker == nullptr ? "" : *program.image->interpreter, program.path});
  }
  add_libraries_of(*program.image, program.path, guest, needs);
  for (const posix::LibraryFile& library : program.libraries) {
    add_libraries_of(*library.image, library.path, guest, needs);
  }
  return needs;
}

// ---- Calls.

// False: its code does not show its calls.
bool add_missing_calls(const Image& image, const std::string& file, bool in_program,
                       const posix::UnixSystem& system, Diagnosis& diagnosis) {
  const InstructionSet& set = *find_instruction_set(image.architecture);
  const auto numbers = set.call_numbers(image);
  if (!numbers) return false;
  for (const std::uint32_t number : *numbers) {
    const auto info = std::ranges::find_if(
        system.calls, [&](const CallInfo& call) { return call.number == number && !call.subcode; });
    const bool is_known = info != system.calls.end();
    if (is_known && info->state != CallState::missing) continue;
    diagnosis.missing_calls.push_back(
        {number, is_known ? std::string(info->name) : "", file, in_program});
  }
  return true;
}

void look_for_calls(const posix::Program& program, const posix::UnixSystem& system,
                    Diagnosis& diagnosis) {
  const InstructionSet* const set = find_instruction_set(program.image->architecture);
  diagnosis.scanned_calls =
      set != nullptr && set->call_numbers != nullptr &&
      add_missing_calls(*program.image, program.path, true, system, diagnosis);
  if (!diagnosis.scanned_calls) return;
  for (const posix::LibraryFile& library : program.libraries) {
    add_missing_calls(*library.image, library.path, false, system, diagnosis);
  }
  std::ranges::stable_sort(diagnosis.missing_calls, {}, &Diagnosis::Call::number);
}

// ---- Instructions.

void add_foreign(const CpuDescription& cpu, const CpuRequest& request, const Image& image,
                 const std::string& file, Diagnosis& diagnosis) {
  const InstructionSet& set = *find_instruction_set(image.architecture);
  if (set.foreign_code == nullptr) return;
  const ForeignCode found = set.foreign_code(cpu, image, request);
  if (found.count == 0) return;
  diagnosis.foreign.push_back({file, found.count, describe(image.symbols, found.first),
                               who_has_instruction(cpu, image, found.word, found.first)});
}

void look_for_foreign(const CpuDescription& cpu, const posix::Program& program,
                      const posix::Port& port, Diagnosis& diagnosis) {
  const CpuRequest request{.emulates_instructions = port.emulates_instructions};
  add_foreign(cpu, request, *program.image, program.path, diagnosis);
  for (const posix::LibraryFile& library : program.libraries) {
    add_foreign(cpu, request, *library.image, library.path, diagnosis);
  }
}

// ---- Floats.

std::optional<FloatAbi> float_abi_of(GuestProgram& guest, const std::string& file) {
  const auto bytes = read_guest_file(*guest.files, file, largest_program_file);
  if (!bytes) return std::nullopt;
  FileWindow window(*bytes);
  return read_float_abi(window);
}

// The result is a file that Linux or its dynamic linker refuse beside the program; empty: none.
// They look at the segments alone.
std::string look_for_floats(GuestProgram& guest, Diagnosis& diagnosis) {
  const posix::Program& program = guest.program;
  if (program.image->architecture != Architecture::mips) return {};
  const auto own = float_abi_of(guest, program.path);
  if (!own) return {};
  diagnosis.float_abi = own->name();
  std::vector<std::string> others;
  if (program.linker != nullptr) others.push_back(*program.image->interpreter);
  for (const posix::LibraryFile& library : program.libraries) others.push_back(library.path);
  std::string refused;
  for (const std::string& other : others) {
    const auto abi = float_abi_of(guest, other);
    if (!abi || can_mix(own, abi)) continue;
    diagnosis.other_floats.push_back({other, abi->name()});
    if (refused.empty() && own->is_in_segment && abi->is_in_segment) refused = other;
  }
  return refused;
}

// ---- Functions of the C library that stands in for HP's.

// Whether the guest has hardclock's own file there: no root of the user's has one.
bool is_ours(host::GuestFiles& files, std::string_view path) {
  const auto ours = std::ranges::find(hpux::runtime_files(), path, &host::BuiltInFile::path);
  const auto found = read_guest_file(files, "/" + std::string(path), ours->program.size());
  return found && std::ranges::equal(*found, ours->program);
}

void look_for_imports(GuestProgram& guest, Diagnosis& diagnosis) {
  const auto paths = hpux::runtime_paths(*guest.program.image);
  if (!paths || !is_ours(*guest.files, paths->library)) return;
  const auto bytes = read_guest_file(*guest.files, guest.program.path, largest_program_file);
  if (!bytes) return;
  FileWindow window(*bytes);
  for (const hpux::ProgramImport& each : hpux::imports_of(window)) {
    diagnosis.imports.push_back(
        {each.name, std::string(hpux::name_of(each.state)), std::string(each.note)});
  }
}

// ---- The shell.

bool names_shell(const Image& image) {
  constexpr std::string_view names[] = {"/bin/sh", "/sbin/sh"};
  return std::ranges::any_of(image.segments, [&](const Segment& segment) {
    return std::ranges::any_of(names, [&](std::string_view name) {
      const auto& bytes = segment.bytes;
      return std::search(bytes.begin(), bytes.end(), name.begin(), name.end()) != bytes.end();
    });
  });
}

// system(3) and popen(3) have its name; a script's image is the shell itself, which has it, too.
void look_for_shell(GuestProgram& guest, Diagnosis& diagnosis) {
  const posix::Program& program = guest.program;
  const bool may_start_one =
      names_shell(*program.image) ||
      std::ranges::any_of(program.libraries, [](const posix::LibraryFile& library) {
        return names_shell(*library.image);
      });
  if (!may_start_one) return;
  const auto shell = read_guest_file(*guest.files, "/bin/sh", largest_program_file);
  diagnosis.uses_own_shell = shell && shell::is_shell(*shell);
}

void stop(Diagnosis& diagnosis, Verdict verdict, std::string trouble) {
  diagnosis.verdict = verdict;
  diagnosis.trouble = std::move(trouble);
}

bool is_no_program(LoadError::Kind kind) {
  return kind != LoadError::Kind::unsupported && kind != LoadError::Kind::memory;
}

// What `hardclock run` says of a program that it does not find or start. The host's file, if there
// is one, tells whether it is a program at all.
void explain_refusal(Diagnosis& diagnosis, const std::string& message) {
  stop(diagnosis, Verdict::lacks, message);
  const auto bytes = read_file(diagnosis.program, largest_program_file);
  if (!bytes) return;
  const auto image = load_image(*bytes);
  if (image) {
    diagnosis.format = format_of(*image, linking_of(*image));
    diagnosis.built_for = built_for(*image);
    if (image->interpreter) {
      diagnosis.needs.push_back({"dynamic linker", *image->interpreter, "", diagnosis.program});
    }
  } else if (is_no_program(image.error().kind)) {
    diagnosis.verdict = Verdict::no_program;
  }
}

std::string all_missing(const std::vector<Diagnosis::Need>& needs) {
  std::string names;
  for (const Diagnosis::Need& need : needs) {
    if (need.found.empty()) names += (names.empty() ? "" : ", ") + need.name;
  }
  return names;
}

// The file, its libraries, and what would run it.
void look_at(GuestProgram& guest, const RunOptions& options, Diagnosis& diagnosis) {
  for (const std::string& notice : guest.lacking) complain(notice);
  posix::Program& program = guest.program;
  diagnosis.format = format_of(
      *program.image, diagnosis.is_library ? "shared library" : linking_of(*program.image));
  diagnosis.built_for = built_for(*program.image);
  const auto os = choose_os(options, *program.image);
  if (!os) {
    stop(diagnosis, Verdict::lacks, os.error().message);
    return;
  }
  diagnosis.system = os->system->title;
  posix::find_libraries(*guest.files, *os->port, program);
  diagnosis.needs = needs_of(guest);
  const std::string refused = look_for_floats(guest, diagnosis);
  const bool is_refused = !refused.empty() && os->system->name == "linux";
  look_for_calls(program, *os->system, diagnosis);
  look_for_imports(guest, diagnosis);
  look_for_shell(guest, diagnosis);
  const auto cpu = choose_cpu(options, program, *os->port);
  if (!cpu) {
    stop(diagnosis, Verdict::lacks, cpu.error().message);
    return;
  }
  diagnosis.cpu = name_of(*cpu);
  diagnosis.about_cpu = cpu->description->about;
  diagnosis.cpu_asked_by = cpu->asked_by;
  look_for_foreign(*cpu->description, program, *os->port, diagnosis);
  // hardclock's own loader goes on without a library until something of it is used.
  const auto paths = hpux::runtime_paths(*program.image);
  const bool may_lack_libraries = paths && is_ours(*guest.files, paths->loader);
  const std::string missing = all_missing(diagnosis.needs);
  if (!missing.empty() && !may_lack_libraries) {
    stop(diagnosis, Verdict::lacks,
         "not found: " + missing +
             "; copy what is missing below the guest root, or pass another -L DIR");
  } else if (is_refused) {
    stop(diagnosis, Verdict::lacks,
         refused +
             " passes floats in another way and is refused; pass -L DIR with libraries of \"" +
             diagnosis.float_abi + "\"");
  }
}

}  // namespace

Diagnosis diagnose(const RunOptions& options) {
  Diagnosis diagnosis;
  diagnosis.program = options.program;
  if (auto library = find_guest_library(options)) {
    diagnosis.is_library = true;
    look_at(*library, options, diagnosis);
    return diagnosis;
  }
  auto guest = find_guest_program(options);
  if (guest) {
    look_at(*guest, options, diagnosis);
  } else {
    explain_refusal(diagnosis, guest.error().message);
  }
  return diagnosis;
}

}  // namespace hardclock
