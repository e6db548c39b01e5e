// Debug information for small ELF files, right or wrong, by the formats' definitions: DWARF 4,
// sections 6.2.4 and 7.5, and the tables of .mdebug in binutils include/coff/sym.h and mips.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/load/elf_builder.h"

namespace hardclock::testing {

struct NamedSection {
  std::string name;
  std::string content;
  std::uint64_t flags = 0;
};

// tiny_program() with these sections and a table of names.
FileBytes program_with(const std::vector<NamedSection>& sections, Endian order = Endian::big);

// Abbreviation 1: a unit with DW_AT_stmt_list and, inline, DW_AT_comp_dir.
std::string unit_abbreviations();
// A unit of .debug_info with these two; big-endian.
std::string unit_of(std::uint32_t line_offset, const std::string& directory);

// A unit of .debug_line, big-endian: opcodes from 10 on are special, with lines from -3
// on, 12 of them, and instructions of 4 bytes.
struct LineUnitSpec {
  std::uint16_t version = 4;  // 2 to 4
  std::vector<std::string> directories = {};
  std::vector<std::string> files = {"a.c"};  // in the folder of the compilation
  std::string program = {};
};
std::string line_unit(const LineUnitSpec& spec);

// Opcodes of a line program.
std::string set_address(std::uint32_t address);
std::string advance_and_copy(unsigned instructions, int lines);  // 0 to 19 and -3 to 8
std::string end_sequence();

// The whole of a program with a line for every 2 instructions of tiny_program()'s text: lines 1 to
// 32 of /build/a.c.
FileBytes lined_program(std::uint16_t version = 4);

// tiny_program() with .mdebug: of a.c, start() at 0x400100 with the lines 10 (4 instructions), 11
// (2) and 267 (2), and work() at 0x400120 with the lines 300 (8) and 299 (8).
FileBytes program_with_mdebug();

}  // namespace hardclock::testing
