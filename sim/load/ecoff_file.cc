#include "sim/load/ecoff_file.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "sim/load/function_candidates.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Kind = LoadError::Kind;

constexpr std::size_t header_bytes = 20, section_bytes = 40, section_name_bytes = 8;
// The fields of the optional header that are read; MIPS's has masks of registers behind them.
constexpr std::size_t program_bytes = 40;

struct Magic {
  std::uint16_t value;
  Endian order;
  unsigned level;
};
// MIPSEBMAGIC, MIPSELMAGIC and those of MIPS II and III.
constexpr Magic magics[] = {
    {0x160, Endian::big, 1},    {0x163, Endian::big, 2},    {0x140, Endian::big, 3},
    {0x162, Endian::little, 1}, {0x166, Endian::little, 2}, {0x142, Endian::little, 3},
};

const Magic* find_magic(Bytes bytes) {
  const auto* const found = std::ranges::find_if(magics, [&](const Magic& magic) {
    return load_bytes<std::uint16_t>(bytes.data(), magic.order) == magic.value;
  });
  return found == std::end(magics) ? nullptr : found;
}

std::uint16_t half(Bytes bytes, std::size_t at, Endian order) {
  return load_bytes<std::uint16_t>(bytes.data() + at, order);
}

std::uint32_t word(Bytes bytes, std::size_t at, Endian order) {
  return load_bytes<std::uint32_t>(bytes.data() + at, order);
}

EcoffSection section_of(Bytes bytes, Endian order) {
  const std::string_view name(reinterpret_cast<const char*>(bytes.data()), section_name_bytes);
  return {std::string(name.substr(0, name.find('\0'))), word(bytes, 12, order),
          word(bytes, 16, order), word(bytes, 20, order)};
}

}  // namespace

bool is_ecoff(Bytes bytes) {
  return bytes.size() >= 4 && find_magic(bytes) != nullptr;
}

Result<EcoffHeader, LoadError> read_ecoff_header(FileWindow& file) {
  const auto bytes = file.part(0, header_bytes);
  if (!bytes) return Failure{truncated_file(file.size(), "ECOFF header ends", header_bytes)};
  const Magic& magic = *find_magic(*bytes);
  return EcoffHeader{.order = magic.order,
                     .level = magic.level,
                     .sections = half(*bytes, 2, magic.order),
                     .symbols_offset = word(*bytes, 8, magic.order),
                     .optional_bytes = half(*bytes, 16, magic.order),
                     .flags = half(*bytes, 18, magic.order)};
}

Result<EcoffProgram, LoadError> read_ecoff_program(FileWindow& file, const EcoffHeader& header) {
  if (!header.is_executable() || header.optional_bytes < program_bytes) {
    return Failure{LoadError{Kind::not_executable,
                             "ECOFF header: an object file, not a program; link it first"}};
  }
  const auto bytes = file.part(header_bytes, program_bytes);
  if (!bytes) {
    return Failure{
        truncated_file(file.size(), "optional header ends", header_bytes + program_bytes)};
  }
  const auto number = [&](std::size_t at) { return word(*bytes, at, header.order); };
  return EcoffProgram{half(*bytes, 0, header.order),
                      half(*bytes, 2, header.order),
                      number(4),
                      number(8),
                      number(12),
                      number(16),
                      number(20),
                      number(24),
                      number(28)};
}

std::vector<EcoffSection> read_ecoff_sections(FileWindow& file, const EcoffHeader& header) {
  const auto bytes = file.part(header_bytes + header.optional_bytes,
                               std::uint64_t{header.sections} * section_bytes);
  std::vector<EcoffSection> sections;
  for (std::size_t at = 0; bytes && at < bytes->size(); at += section_bytes) {
    sections.push_back(section_of(bytes->subspan(at, section_bytes), header.order));
  }
  return sections;
}

// An entry has its size in words, then the place of the path in it, in words too (System V.3,
// "Shared Libraries").
std::vector<std::string> read_ecoff_libraries(FileWindow& file, const EcoffHeader& header) {
  std::vector<std::string> libraries;
  for (const EcoffSection& section : read_ecoff_sections(file, header)) {
    if (section.name != ".lib") continue;
    Bytes rest = file.part(section.file_offset, section.size).value_or(Bytes());
    while (rest.size() >= 8) {
      const std::uint64_t size = std::uint64_t{word(rest, 0, header.order)} * 4;
      const std::uint64_t path = std::uint64_t{word(rest, 4, header.order)} * 4;
      if (size < 8 || size > rest.size() || path > size) break;
      const std::string_view entry(reinterpret_cast<const char*>(rest.data()), size);
      libraries.emplace_back(string_at(entry, path));
      rest = rest.subspan(size);
    }
    if (libraries.empty()) libraries.emplace_back();
    break;
  }
  return libraries;
}

}  // namespace hardclock
