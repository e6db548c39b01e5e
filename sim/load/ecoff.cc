#include "sim/load/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/load/function_candidates.h"
#include "sim/load/mdebug_tables.h"

namespace hardclock {
namespace {

using Kind = LoadError::Kind;

constexpr std::uint16_t omagic = 0407, nmagic = 0410, zmagic = 0413, libmagic = 0443;
constexpr std::uint64_t last_address = 0xffffffff;
constexpr std::uint64_t file_page = 4096;  // to which data of ZMAGIC is aligned in the file
constexpr std::uint32_t arch_shift = 28;   // EF_MIPS_ARCH of ELF
constexpr std::uint64_t instruction_bytes = 4;

template <class... Args>
LoadError error(Kind kind, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...)};
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

struct Part {
  std::string_view name;  // "text"
  std::uint64_t address;
  std::uint64_t memory_size;
  std::uint64_t file_offset;
  std::uint64_t file_size;
  Permissions permissions;
};

// Where the text's bytes are: ZMAGIC's text begins with the headers.
std::uint64_t text_offset(const EcoffHeader& header, const EcoffProgram& program) {
  if (program.magic == zmagic) return 0;
  constexpr std::uint64_t header_bytes = 20, section_bytes = 40;
  constexpr std::uint16_t first_version_with_16 = 23;  // of the compilers
  const std::uint64_t headers =
      header_bytes + header.optional_bytes + header.sections * section_bytes;
  return round_up(headers, program.version < first_version_with_16 ? 8 : 16);
}

std::uint64_t data_offset(const EcoffProgram& program, std::uint64_t text) {
  const std::uint64_t end = text + program.text_size;
  return program.magic == zmagic ? round_up(end, file_page) : end;
}

std::optional<LoadError> check_kind(const EcoffProgram& program) {
  switch (program.magic) {
    case omagic:
    case nmagic:
    case zmagic:
      return std::nullopt;
    case libmagic:
      return error(Kind::not_executable,
                   "optional header: a static shared library (LIBMAGIC), not a program; name the "
                   "program that uses it");
    default:
      return error(Kind::not_executable,
                   "optional header: magic {:#o} is no program's (0407, 0410 or 0413)",
                   program.magic);
  }
}

std::optional<LoadError> check_libraries(const std::vector<std::string>& libraries) {
  if (libraries.empty()) return std::nullopt;
  std::string names;
  for (const std::string& library : libraries) {
    std::string name = library;
    std::ranges::replace_if(
        name, [](char c) { return c < ' ' || c > '~'; }, '?');
    names += (names.empty() ? "" : ", ") + name;
  }
  return error(Kind::unsupported,
               "section .lib: needs the static shared {} {}, which hardclock does not load; link "
               "the program without",
               libraries.size() == 1 ? "library" : "libraries", names);
}

std::optional<LoadError> check_part(const Part& part, std::uint64_t file_size) {
  const std::uint64_t end = part.file_offset + part.file_size;
  if (part.file_size != 0 && end > file_size) {
    return truncated_file(file_size, fmt::format("{} ends", part.name), end);
  }
  if (part.memory_size > last_address - part.address) {
    return error(Kind::malformed,
                 "optional header: address {:#x} + size {:#x} of the {} wraps around", part.address,
                 part.memory_size, part.name);
  }
  return std::nullopt;
}

std::optional<LoadError> check_overlap(const std::vector<Part>& ascending) {
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    const Part &lower = ascending[i - 1], &upper = ascending[i];
    if (upper.address - lower.address >= lower.memory_size) continue;
    return error(Kind::malformed, "optional header: {} {:#x}..{:#x} overlaps {} {:#x}..{:#x}",
                 upper.name, upper.address, upper.address + upper.memory_size, lower.name,
                 lower.address, lower.address + lower.memory_size);
  }
  return std::nullopt;
}

// Text, data and bss, ascending. What can be read can run on these processors.
Result<std::vector<Part>, LoadError> read_parts(const EcoffHeader& header,
                                                const EcoffProgram& program,
                                                std::uint64_t file_size) {
  const bool writable_text = program.magic == omagic;
  const std::uint64_t text = text_offset(header, program);
  const Part all[] = {{"text",
                       program.text_address,
                       program.text_size,
                       text,
                       program.text_size,
                       {true, writable_text, true}},
                      {"data",
                       program.data_address,
                       program.data_size,
                       data_offset(program, text),
                       program.data_size,
                       {true, true, true}},
                      {"bss", program.bss_address, program.bss_size, 0, 0, {true, true, true}}};
  std::vector<Part> parts;
  for (const Part& part : all) {
    if (part.memory_size == 0) continue;
    if (auto bad = check_part(part, file_size)) return Failure{*bad};
    parts.push_back(part);
  }
  std::ranges::sort(parts, {}, &Part::address);
  if (auto bad = check_overlap(parts)) return Failure{*bad};
  return parts;
}

std::optional<LoadError> check_memory(const std::vector<Part>& parts, std::uint64_t most) {
  std::uint64_t total = 0;
  for (const Part& part : parts) total += part.memory_size;
  return total > most ? std::optional(too_much_memory(most)) : std::nullopt;
}

Result<std::vector<Segment>, LoadError> read_segments(const std::vector<Part>& parts,
                                                      const FileWindow& file) {
  std::vector<Segment> segments;
  for (const Part& part : parts) {
    Segment segment{GuestAddr(part.address), part.memory_size, part.permissions,
                    std::vector<std::uint8_t>(part.file_size), part.file_offset};
    if (!file.copy(part.file_offset, segment.bytes)) {
      return Failure{error(Kind::truncated, "{}: its bytes cannot be read", part.name)};
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

std::optional<LoadError> check_entry(const EcoffProgram& program) {
  const std::uint64_t at = std::uint64_t{program.entry} - program.text_address;
  if (program.entry >= program.text_address && at < program.text_size &&
      program.entry % instruction_bytes == 0) {
    return std::nullopt;
  }
  return error(Kind::malformed,
               "optional header: entry address {:#x} lies at no instruction of the text "
               "{:#x}..{:#x}",
               program.entry, program.text_address,
               std::uint64_t{program.text_address} + program.text_size);
}

// The sections of the text that hold instructions, all inside of it; none if the table lies.
std::vector<CodeRange> read_code_ranges(FileWindow& file, const EcoffHeader& header,
                                        const EcoffProgram& program) {
  constexpr std::string_view code_sections[] = {".text", ".init", ".fini"};
  std::uint64_t room = program.text_size;
  std::vector<CodeRange> code;
  for (const EcoffSection& section : read_ecoff_sections(file, header)) {
    if (std::ranges::find(code_sections, section.name) == std::end(code_sections)) continue;
    const std::uint64_t at = std::uint64_t{section.address} - program.text_address;
    if (section.address < program.text_address || at > program.text_size ||
        section.size > program.text_size - at || section.size > room) {
      return {};
    }
    room -= section.size;
    if (section.size != 0) code.push_back({GuestAddr(section.address), section.size});
  }
  return code;
}

// What can be read can run, so that the last segment ends the code.
SymbolTable read_symbols(FileWindow& file, const EcoffHeader& header,
                         const std::vector<Segment>& segments) {
  const auto tables = header.symbols_offset == 0
                          ? std::nullopt
                          : read_mdebug_tables(file, header.symbols_offset, header.order);
  if (!tables) return {};
  CandidateList candidates;
  add_mdebug_externals(*tables, segments, candidates);
  add_mdebug_procedures(*tables, segments, candidates);
  return candidates.take_symbols(segments.back().address + segments.back().memory_size);
}

}  // namespace

Result<Image, LoadError> load_ecoff(FileWindow& file, const LoadOptions& options) {
  const auto header = read_ecoff_header(file);
  if (!header) return Failure{header.error()};
  const auto program = read_ecoff_program(file, *header);
  if (!program) return Failure{program.error()};
  if (auto bad = check_kind(*program)) return Failure{*bad};
  if (auto bad = check_libraries(read_ecoff_libraries(file, *header))) return Failure{*bad};
  const auto parts = read_parts(*header, *program, file.size());
  if (!parts) return Failure{parts.error()};
  if (auto bad = check_entry(*program)) return Failure{*bad};
  if (auto bad = check_memory(*parts, options.memory)) return Failure{*bad};

  Image image;
  image.format = FileFormat::ecoff;
  image.architecture = Architecture::mips;
  image.endian = header->order;
  image.flags = (header->level - 1) << arch_shift;
  image.entry = GuestAddr(program->entry);
  auto segments = read_segments(*parts, file);
  if (!segments) return Failure{segments.error()};
  image.segments = *std::move(segments);
  image.code = read_code_ranges(file, *header, *program);
  if (options.symbols) image.symbols = read_symbols(file, *header, image.segments);
  return image;
}

}  // namespace hardclock
