#include "tests/unit/load/debug_builder.h"

#include <utility>

namespace hardclock::testing {
namespace {

std::string text_of(const FileBytes& file) {
  return {file.bytes.begin(), file.bytes.end()};
}

std::string word(std::uint32_t value) {
  FileBytes bytes;
  bytes.put(0, value);
  return text_of(bytes);
}

std::string half(std::uint16_t value) {
  FileBytes bytes;
  bytes.put(0, value);
  return text_of(bytes);
}

template <std::size_t size>
std::string raw(const char (&text)[size]) {
  return {text, size - 1};
}

struct MdebugSymbol {
  std::uint32_t name, value;
  unsigned type, index;
};

std::string bytes_of(const MdebugSymbol& symbol) {
  constexpr unsigned text_class = 1;  // scText
  return word(symbol.name) + word(symbol.value) +
         word(symbol.type << 26 | text_class << 21 | symbol.index);
}

std::string procedure(std::uint32_t address, std::uint32_t symbol, std::uint32_t first,
                      std::uint32_t last, std::uint32_t lines_offset) {
  std::string bytes = word(address) + word(symbol) + word(0);
  for (int unused = 0; unused < 6; ++unused) bytes += word(0);
  return bytes + half(29) + half(31) + word(first) + word(last) + word(lines_offset);
}

}  // namespace

FileBytes program_with(const std::vector<NamedSection>& sections, Endian order) {
  ElfBuilder builder = tiny_program(order);
  std::string names = raw("\0.text\0.data\0.shstrtab\0");
  builder.sections[1].sh_name = 1;
  builder.sections[2].sh_name = 7;
  for (const NamedSection& each : sections) {
    const unsigned number = builder.add_section(SHT_PROGBITS, each.flags, each.content);
    builder.sections[number].sh_name = static_cast<GElf_Word>(names.size());
    names += each.name + '\0';
  }
  builder.header.e_shstrndx =
      static_cast<GElf_Half>(builder.add_section(SHT_STRTAB, 0, std::move(names)));
  builder.sections.back().sh_name = 13;
  return builder.build();
}

std::string unit_abbreviations() {
  return raw("\x01\x11\0\x10\x17\x1b\x08\0\0\0");  // compile_unit; sec_offset; string
}

std::string unit_of(std::uint32_t line_offset, const std::string& directory) {
  const std::string body =
      half(4) + word(0) + '\x04' + '\x01' + word(line_offset) + directory + '\0';
  return word(static_cast<std::uint32_t>(body.size())) + body;
}

std::string line_unit(const LineUnitSpec& spec) {
  std::string header = raw("\x04");               // minimum_instruction_length
  if (spec.version >= 4) header += raw("\x01");   // maximum_operations_per_instruction
  header += raw("\x01\xfd\x0c\x0a");              // default_is_stmt, line_base, _range, opcode_base
  header += raw("\0\x01\x01\x01\x01\0\0\0\x01");  // standard_opcode_lengths
  for (const std::string& directory : spec.directories) header += directory + '\0';
  header += '\0';
  for (const std::string& file : spec.files) header += file + raw("\0\0\0\0");
  header += '\0';
  const std::string body =
      half(spec.version) + word(static_cast<std::uint32_t>(header.size())) + header + spec.program;
  return word(static_cast<std::uint32_t>(body.size())) + body;
}

std::string set_address(std::uint32_t address) {
  return raw("\0\x05\x02") + word(address);
}

std::string advance_and_copy(unsigned instructions, int lines) {
  return std::string(1, static_cast<char>(10 + 12 * instructions + (lines + 3)));
}

std::string end_sequence() {
  return raw("\0\x01\x01");
}

FileBytes lined_program(std::uint16_t version) {
  std::string program = set_address(0x400100) + advance_and_copy(0, 0);
  for (int line = 2; line <= 32; ++line) program += advance_and_copy(2, 1);
  program += raw("\x02\x02") + end_sequence();  // advance_pc 2
  return program_with({{".debug_abbrev", unit_abbreviations()},
                       {".debug_info", unit_of(0, "/build")},
                       {".debug_line", line_unit({.version = version, .program = program})}});
}

FileBytes program_with_mdebug() {
  constexpr std::uint32_t at = 0x300, header_bytes = 96;
  constexpr unsigned file = 11, function = 6, end = 8;  // stFile, stProc, stEnd
  const std::string lines = raw("\x03\x11\x81\x01\0\x07\xf7\0");
  const std::string procedures =
      procedure(0x400100, 1, 10, 267, 0) + procedure(0x400120, 3, 300, 299, 5);
  const std::string strings = raw("\0a.c\0start\0work\0\0");
  std::string symbols = bytes_of({1, 0, file, 5}) + bytes_of({5, 0x400100, function, 0}) +
                        bytes_of({5, 0x20, end, 1}) + bytes_of({11, 0x400120, function, 0}) +
                        bytes_of({11, 0x40, end, 3});
  const auto size = [](const std::string& text) { return static_cast<std::uint32_t>(text.size()); };
  const std::uint32_t lines_at = at + header_bytes, procedures_at = lines_at + size(lines);
  const std::uint32_t symbols_at = procedures_at + size(procedures);
  const std::uint32_t strings_at = symbols_at + size(symbols);
  const std::uint32_t files_at = strings_at + size(strings);
  std::string header = half(0x7009) + half(0x313) + word(24) + word(7) + word(lines_at);
  header += word(0) + word(0) + word(2) + word(procedures_at) + word(5) + word(symbols_at);
  header += word(0) + word(0) + word(0) + word(0) + word(size(strings)) + word(strings_at);
  header += word(0) + word(0) + word(1) + word(files_at);
  header.resize(header_bytes, '\0');
  std::string files = word(0x400100) + word(1) + word(0) + word(size(strings)) + word(0) + word(5);
  files += word(0) + word(24) + word(0) + word(0) + half(0) + half(2);
  files += word(0) + word(0) + word(0) + word(0) + word(0) + word(0) + word(7);

  ElfBuilder builder = tiny_program();
  const std::string all = header + lines + procedures + symbols + strings + files;
  builder.place(at, all);
  const unsigned mdebug = builder.add_section(SHT_MIPS_DEBUG, 0, "");
  builder.sections[mdebug].sh_name = 1;
  builder.sections[mdebug].sh_offset = at;
  builder.sections[mdebug].sh_size = all.size();
  builder.sections[1].sh_name = 9;
  builder.header.e_shstrndx =
      static_cast<GElf_Half>(builder.add_section(SHT_STRTAB, 0, raw("\0.mdebug\0.text\0")));
  return builder.build();
}

}  // namespace hardclock::testing
