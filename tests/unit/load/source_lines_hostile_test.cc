// Debug information that lies: it costs lines and gets one line of explanation, nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/load/source_lines.h"
#include "tests/unit/load/debug_builder.h"

namespace hardclock::testing {
namespace {

using ::testing::HasSubstr;

SourceLines lines_of_bytes(const std::vector<std::uint8_t>& bytes) {
  FileWindow window(bytes);
  return read_source_lines(window);
}

FileBytes with_debug_sections(const std::string& info, const std::string& line,
                              const std::string& abbreviations = unit_abbreviations()) {
  return program_with(
      {{".debug_abbrev", abbreviations}, {".debug_info", info}, {".debug_line", line}});
}

// One line of a.c for all of the text.
std::string one_line() {
  return set_address(0x400100) + advance_and_copy(0, 0) + std::string("\x02\x40", 2) +
         end_sequence();
}

void expect_objection(const FileBytes& file, const char* words) {
  const SourceLines lines = lines_of_bytes(file.bytes);
  EXPECT_THAT(lines.objection, HasSubstr(words));
  EXPECT_EQ(lines.objection.find('\n'), std::string::npos);
}

TEST(SourceLinesHostile, TheSoundProgramHasItsLines) {
  for (const std::uint16_t version : {2, 3, 4}) {
    const SourceLines lines = lines_of_bytes(lined_program(version).bytes);
    EXPECT_EQ(lines.objection, "");
    ASSERT_EQ(lines.table.ranges().size(), 32U);
    EXPECT_EQ(lines.table.files(), (std::vector<SourceFile>{{"/build/a.c", "a.c"}}));
    for (std::uint32_t i = 0; i < 32; ++i) {
      EXPECT_EQ(lines.table.ranges()[i],
                (LineRange{GuestAddr(0x400100 + 8 * i), GuestAddr(0x400108 + 8 * i), 0, i + 1}));
    }
  }
}

TEST(SourceLinesHostile, NeitherDebugInformationNorElf) {
  const SourceLines none = lines_of_bytes(tiny_program().build().bytes);
  EXPECT_TRUE(none.table.empty() && none.objection.empty());
  const SourceLines text = lines_of_bytes({'t', 'e', 'x', 't'});
  EXPECT_TRUE(text.table.empty() && text.objection.empty());
  const SourceLines empty = lines_of_bytes({});
  EXPECT_TRUE(empty.table.empty() && empty.objection.empty());
}

// Lines that come out are those of the text or near it; the sanitizers see the rest.
TEST(SourceLinesHostile, EveryTruncationAndEveryByteSurvives) {
  for (const FileBytes& sound : {lined_program(), program_with_mdebug()}) {
    for (std::size_t size = 0; size < sound.bytes.size(); ++size) {
      std::vector<std::uint8_t> cut(sound.bytes.begin(),
                                    sound.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      (void)lines_of_bytes(cut);
    }
    for (std::size_t at = 0; at < sound.bytes.size(); ++at) {
      for (const std::uint8_t change : {0x01, 0x80, 0xff}) {
        std::vector<std::uint8_t> changed = sound.bytes;
        changed[at] ^= change;
        const SourceLines lines = lines_of_bytes(changed);
        EXPECT_LE(lines.table.ranges().size(), 200U) << at;
      }
    }
  }
}

TEST(SourceLinesHostile, SectionsThatPromiseTooMuch) {
  // Elf32_Chdr: ELFCOMPRESS_ZLIB, size, alignment.
  const std::string terabytes("\0\0\0\x01\xff\xff\xff\xff\0\0\0\x01", 12);
  for (const char* name : {".debug_line", ".debug_str", ".unknown"}) {
    expect_objection(program_with({{".debug_abbrev", unit_abbreviations()},
                                   {".debug_info", unit_of(0, "/build")},
                                   {name, terabytes + "packed", SHF_COMPRESSED},
                                   {".debug_line", line_unit({.program = one_line()})}}),
                     "more than 256 MiB");
  }
  expect_objection(program_with({{".debug_line", "cut", SHF_COMPRESSED}}), "objcopy");
  expect_objection(program_with({{".zdebug_line", terabytes}}), "objcopy");
  expect_objection(program_with({{".debug_line", line_unit({})}, {".gnu_debugaltlink", "/etc"}}),
                   "another file");
}

TEST(SourceLinesHostile, UnitsWithoutEnd) {
  std::string info;
  for (int i = 0; i < 70'000; ++i) info += unit_of(0, "");
  expect_objection(with_debug_sections(info, line_unit({.program = one_line()})),
                   "more than 65536 units");
}

// 60000 units, each of which would have all of the abbreviations searched.
TEST(SourceLinesHostile, AbbreviationsWithoutEnd) {
  std::string abbreviations;
  while (abbreviations.size() < 1'000'000) abbreviations += std::string("\x02\x11\0\0\0", 5);
  std::string info;
  for (int i = 0; i < 60'000; ++i) info += unit_of(0, "");
  expect_objection(with_debug_sections(info, line_unit({.program = one_line()}), abbreviations),
                   "first entry");
  std::string attributes("\x01\x11\0", 3);
  for (int i = 0; i < 300; ++i) attributes += "\x03\x08";
  expect_objection(
      with_debug_sections(unit_of(0, ""), line_unit({}), attributes + std::string("\0\0\0", 3)),
      "first entry");
}

// Lines are of one unit only: the second would count them again.
TEST(SourceLinesHostile, OverlappingLines) {
  const std::string line = line_unit({.program = one_line()});
  std::string inner = line_unit({.program = std::string(8, '\x01') + line});
  const std::size_t start_of_inner = inner.size() - line.size();
  const FileBytes file = with_debug_sections(
      unit_of(0, "") + unit_of(static_cast<std::uint32_t>(start_of_inner), ""), inner);
  expect_objection(file, "line table is corrupt");
}

TEST(SourceLinesHostile, SizesThatLie) {
  for (const std::size_t field : {std::size_t{0}, std::size_t{6}}) {  // unit_length, header_length
    std::string line = line_unit({.program = one_line()});
    line[field + 1] = '\x7f';
    expect_objection(with_debug_sections(unit_of(0, ""), line), "line table is corrupt");
  }
  expect_objection(with_debug_sections(unit_of(0x10000, ""), line_unit({})), "invalid offset");
  expect_objection(with_debug_sections(unit_of(0, "").substr(0, 9), line_unit({})),
                   "the unit is corrupt");
}

TEST(SourceLinesHostile, PathsWithoutEnd) {
  expect_objection(
      with_debug_sections(unit_of(0, ""), line_unit({.files = {std::string(2000, 'a')}})),
      "line table is corrupt");
  expect_objection(
      with_debug_sections(unit_of(0, std::string(2000, 'd')), line_unit({.program = one_line()})),
      "folder is too long");
  // Each file's path would have the folder in it: 300000 of 1 KiB.
  const LineUnitSpec many{.directories = {std::string(1000, 'd')},
                          .files = std::vector<std::string>(300'000, "a"),
                          .program = one_line()};
  expect_objection(with_debug_sections(unit_of(0, ""), line_unit(many)), "too large");
}

// A folder of 16 KiB in .debug_str is cut off.
TEST(SourceLinesHostile, LongStringsAreCut) {
  const std::string abbreviations("\x01\x11\0\x10\x17\x1b\x0e\0\0\0", 10);  // comp_dir: strp
  const std::string body = std::string("\0\x04\0\0\0\0\x04\x01\0\0\0\0\0\0\0\0", 16);
  const std::string info = std::string("\0\0\0\x10", 4) + body;
  const FileBytes file = program_with({{".debug_abbrev", abbreviations},
                                       {".debug_info", info},
                                       {".debug_str", std::string(16384, 'd') + '\0'},
                                       {".debug_line", line_unit({.program = one_line()})}});
  const SourceLines lines = lines_of_bytes(file.bytes);
  EXPECT_EQ(lines.objection, "");
  ASSERT_EQ(lines.table.files().size(), 1U);
  EXPECT_EQ(lines.table.files()[0].path, std::string(1024, 'd') + "/a.c");
}

}  // namespace
}  // namespace hardclock::testing
