#include "sim/cli/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "isa/instruction_sets.h"
#include "sim/base/endian.h"
#include "sim/cli/files.h"
#include "sim/cli/processor_choice.h"
#include "sim/cli/run_setup.h"
#include "sim/cli/usage_error.h"
#include "sim/load/load.h"
#include "syscalls/posix/library_search.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock {
namespace {

using Verdict = Diagnosis::Verdict;

std::string_view format_name(FileFormat format) {
  switch (format) {
    case FileFormat::elf:
      return "ELF";
    case FileFormat::ecoff:
      return "ECOFF";
    case FileFormat::som:
      return "SOM";
  }
  return "?";
}

std::string format_of(const Image& image) {
  return fmt::format("{}, {} bits, {}-endian, {}", format_name(image.format), image.address_bits,
                     image.endian == Endian::big ? "big" : "little",
                     image.interpreter || image.maps_own_linker ? "dynamic" : "static");
}

std::string built_for(const Image& image) {
  const InstructionSet* const set = find_instruction_set(image.architecture);
  if (set == nullptr) return {};
  return set->built_for == nullptr ? std::string(set->name) : set->built_for(image);
}

bool is_at(const std::string& path, const std::string& name) {
  return path == name || path.ends_with("/" + name);
}

// Where the program's libraries or its dynamic linker have this name; empty: nowhere.
std::string place_of(const posix::Program& program, const std::string& name) {
  if (program.image->interpreter && is_at(*program.image->interpreter, name)) {
    return *program.image->interpreter;
  }
  for (const posix::LibraryFile& library : program.libraries) {
    if (is_at(library.path, name)) return library.path;
  }
  return {};
}

void add_libraries_of(const Image& image, const std::string& file, const posix::Program& program,
                      std::vector<Diagnosis::Need>& needs) {
  for (const std::string& name : image.libraries) {
    const bool is_known =
        std::ranges::any_of(needs, [&](const Diagnosis::Need& need) { return need.name == name; });
    if (!is_known) needs.push_back({"library", name, place_of(program, name), file});
  }
}

std::vector<Diagnosis::Need> needs_of(const posix::Program& program) {
  std::vector<Diagnosis::Need> needs;
  if (program.image->interpreter) {
    needs.push_back({"dynamic linker", *program.image->interpreter,
                     program.linker == nullptr ? "" : *program.image->interpreter, program.path});
  }
  add_libraries_of(*program.image, program.path, program, needs);
  for (const posix::LibraryFile& library : program.libraries) {
    add_libraries_of(*library.image, library.path, program, needs);
  }
  return needs;
}

// ---- Calls, on MIPS: the number is in v0, set near the SYSCALL by an instruction that makes a
// constant of 16 bits.
constexpr std::uint32_t syscall_word = 0x0000000c, addiu_v0_zero = 0x2402, ori_v0_zero = 0x3402;

std::optional<std::uint32_t> constant_in_v0(std::uint32_t word) {
  const std::uint32_t high = word >> 16;
  if (high != addiu_v0_zero && high != ori_v0_zero) return std::nullopt;
  return word & 0xffff;
}

class CodeWords {
 public:
  CodeWords(const Image& image, const CodeRange& range) : endian_(image.endian) {
    const Segment* const segment = find_segment(image.segments, range.start);
    const std::uint64_t offset = range.start - segment->address;
    bytes_ = {segment->bytes.data() + offset, range.size};
  }
  std::size_t count() const { return bytes_.size() / 4; }
  std::uint32_t at(std::size_t i) const {
    return load_bytes<std::uint32_t>(&bytes_[4 * i], endian_);
  }

 private:
  Endian endian_;
  std::span<const std::uint8_t> bytes_;
};

// The number of the call at word `i`; nullopt: it comes from elsewhere.
std::optional<std::uint32_t> number_of_call(const CodeWords& words, std::size_t i) {
  constexpr std::size_t most_before = 6;
  if (i + 1 < words.count()) {
    // The older library of Linux: in the word behind, where the kernel looks for it.
    if (const auto number = constant_in_v0(words.at(i + 1)); number && *number >= 1000) {
      return number;
    }
  }
  for (std::size_t back = 1; back <= std::min(i, most_before); ++back) {
    if (const auto number = constant_in_v0(words.at(i - back))) return number;
  }
  return std::nullopt;
}

void add_missing_calls(const Image& image, const std::string& file, bool in_program,
                       const posix::UnixSystem& system, std::vector<Diagnosis::Call>& missing) {
  for (const CodeRange& range : image.code) {
    const CodeWords words(image, range);
    for (std::size_t i = 0; i < words.count(); ++i) {
      if (words.at(i) != syscall_word) continue;
      const auto number = number_of_call(words, i);
      if (!number) continue;
      const auto info = std::ranges::find_if(system.calls, [&](const CallInfo& call) {
        return call.number == *number && !call.subcode;
      });
      const bool is_known = info != system.calls.end();
      if (is_known && info->state != CallState::missing) continue;
      const Diagnosis::Call call{*number, is_known ? std::string(info->name) : "", file,
                                 in_program};
      if (std::ranges::find(missing, call) == missing.end()) missing.push_back(call);
    }
  }
}

std::vector<Diagnosis::Call> missing_calls_of(const posix::Program& program,
                                              const posix::UnixSystem& system) {
  std::vector<Diagnosis::Call> missing;
  add_missing_calls(*program.image, program.path, true, system, missing);
  for (const posix::LibraryFile& library : program.libraries) {
    add_missing_calls(*library.image, library.path, false, system, missing);
  }
  std::ranges::stable_sort(missing, {}, &Diagnosis::Call::number);
  return missing;
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
    diagnosis.format = format_of(*image);
    diagnosis.built_for = built_for(*image);
    if (image->interpreter) {
      diagnosis.needs.push_back({"dynamic linker", *image->interpreter, "", diagnosis.program});
    }
  } else if (is_no_program(image.error().kind)) {
    diagnosis.verdict = Verdict::no_program;
  }
}

std::string first_missing(const std::vector<Diagnosis::Need>& needs) {
  const auto found =
      std::ranges::find_if(needs, [](const Diagnosis::Need& need) { return need.found.empty(); });
  return found == needs.end() ? "" : found->name;
}

}  // namespace

Diagnosis diagnose(const RunOptions& options) {
  Diagnosis diagnosis;
  diagnosis.program = options.program;
  auto guest = find_guest_program(options);
  if (!guest) {
    explain_refusal(diagnosis, guest.error().message);
    return diagnosis;
  }
  posix::Program& program = guest->program;
  diagnosis.format = format_of(*program.image);
  diagnosis.built_for = built_for(*program.image);
  const auto os = choose_os(options, *program.image);
  if (!os) {
    stop(diagnosis, Verdict::lacks, os.error().message);
    return diagnosis;
  }
  diagnosis.system = os->system->title;
  posix::find_libraries(*guest->files, *os->port, program);
  diagnosis.needs = needs_of(program);
  diagnosis.scanned_calls = program.image->architecture == Architecture::mips;
  if (diagnosis.scanned_calls) diagnosis.missing_calls = missing_calls_of(program, *os->system);
  const auto cpu = choose_cpu(options, program, *os->port);
  if (!cpu) {
    stop(diagnosis, Verdict::lacks, cpu.error().message);
    return diagnosis;
  }
  diagnosis.cpu = name_of(*cpu);
  diagnosis.about_cpu = cpu->description->about;
  if (const std::string missing = first_missing(diagnosis.needs); !missing.empty()) {
    stop(diagnosis, Verdict::lacks,
         "not found: " + missing + "; copy it below the guest root, or pass another -L DIR");
  }
  return diagnosis;
}

}  // namespace hardclock
