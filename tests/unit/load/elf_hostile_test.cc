// Files that must be refused: each kind of corruption, the kind of error and what it says. The
// numbers in the messages are those that the test wrote into the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sim/load/formats.h"
#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

using Kind = LoadError::Kind;

struct HostileFile {
  const char* name;
  Kind kind;
  const char* message;  // a part of it
  std::function<void(ElfBuilder&)> corrupt_headers;
  std::function<void(FileBytes&)> corrupt_bytes = [](FileBytes&) {};
};

void keep(ElfBuilder&) {}

std::function<void(FileBytes&)> cut_to(std::size_t size) {
  return [size](FileBytes& file) { file.bytes.resize(size); };
}

std::function<void(FileBytes&)> with_byte(std::size_t offset, std::uint8_t value) {
  return [offset, value](FileBytes& file) { file.put(offset, value); };
}

void add_interpreter(ElfBuilder& b, const std::string& path) {
  b.place(0x180, path);
  b.add_program_header(PT_INTERP, PF_R, 0x180, 0x400180, path.size(), path.size());
}

const HostileFile identification[] = {
    {"Empty", Kind::not_executable, "0 bytes are too few", keep, cut_to(0)},
    {"ThreeBytes", Kind::not_executable, "3 bytes are too few", keep, cut_to(3)},
    {"OtherMagic", Kind::not_executable, "unknown magic 23 45 4c 46", keep, with_byte(0, '#')},
    {"CutInIdentification", Kind::truncated, "ends after 10 bytes", keep, cut_to(10)},
    {"CutInHeader", Kind::truncated, "52 bytes, but the file ends after 51", keep, cut_to(51)},
    {"Class0", Kind::malformed, "class 0", keep, with_byte(EI_CLASS, 0)},
    {"Class3", Kind::malformed, "class 3", keep, with_byte(EI_CLASS, 3)},
    {"ByteOrder0", Kind::malformed, "byte order 0", keep, with_byte(EI_DATA, 0)},
    {"ByteOrder3", Kind::malformed, "byte order 3", keep, with_byte(EI_DATA, 3)},
    {"OtherByteOrder", Kind::unsupported, "machine 2048", keep, with_byte(EI_DATA, ELFDATA2LSB)},
    {"Version0", Kind::malformed, "version 0", keep, with_byte(EI_VERSION, 0)},
    {"X86", Kind::unsupported, "machine 62", [](auto& b) { b.header.e_machine = EM_X86_64; }},
    {"O64", Kind::unsupported, "e_flags 0x2000", [](auto& b) { b.header.e_flags = 0x2000; }},
    {"LittlePaRisc", Kind::unsupported, "little-endian PA-RISC 32-bit programs",
     [](auto& b) { b.header.e_machine = EM_PARISC << 8; }, with_byte(EI_DATA, ELFDATA2LSB)},
    {"ObjectFile", Kind::not_executable, "ET_REL", [](auto& b) { b.header.e_type = ET_REL; }},
    {"CoreDump", Kind::not_executable, "ET_CORE", [](auto& b) { b.header.e_type = ET_CORE; }},
    {"Type0", Kind::not_executable, "type 0x0", [](auto& b) { b.header.e_type = ET_NONE; }},
};

const HostileFile program_header_table[] = {
    {"NoProgramHeaders", Kind::malformed, "no program headers",
     [](auto& b) { b.program_headers.clear(); }},
    {"EntrySize", Kind::malformed, "56 bytes (e_phentsize) instead of 32", keep,
     [](auto& f) { f.put(EHDR_FIELD(e_phentsize), std::uint16_t{56}); }},
    {"EntrySize0", Kind::malformed, "0 bytes (e_phentsize)", keep,
     [](auto& f) { f.put(EHDR_FIELD(e_phentsize), std::uint16_t{0}); }},
    {"PnXnum", Kind::unsupported, "PN_XNUM", [](auto& b) { b.header.e_phnum = PN_XNUM; }},
    {"PnXnumWithCount", Kind::unsupported, "PN_XNUM",
     [](auto& b) {
       b.header.e_phnum = PN_XNUM;
       b.sections[0].sh_info = 2;
     }},
    {"TooMany", Kind::unsupported, "1001 program headers",
     [](auto& b) { b.header.e_phnum = 1001; }},
    {"MoreThanTheFile", Kind::truncated,
     "1000 program headers at file offset 0x34 lie beyond the end",
     [](auto& b) { b.header.e_phnum = 1000; }},
    {"Offset", Kind::truncated, "at file offset 0xffffffe0 lie beyond the end", keep,
     [](auto& f) { f.put(EHDR_FIELD(e_phoff), std::uint32_t{0xffffffe0}); }},
    {"CutInTable", Kind::truncated, "2 program headers at file offset 0x34 lie beyond the end",
     keep, cut_to(52 + 63)},
};

const HostileFile segments[] = {
    {"FileBiggerThanMemory", Kind::malformed, "program header 1: 0x100 bytes in the file",
     [](auto& b) { b.program_headers[1].p_memsz = 0xff; }},
    {"BeyondEndOfFile", Kind::truncated, "should have at least 4352, where its segments end",
     [](auto& b) { b.program_headers[1].p_offset = 0x1000; }},
    {"OneByteBeyondEndOfFile", Kind::truncated,
     "the file is truncated: it has 767 bytes and should have at least 768", keep, cut_to(0x2ff)},
    {"OffsetWraps", Kind::malformed, "program header 1: file offset 0xfffffff0 + size 0x100",
     [](auto& b) { b.program_headers[1].p_offset = 0xfffffff0; }},
    {"FileSizeWraps", Kind::malformed, "program header 1: file offset 0x200 + size 0xffffff00",
     [](auto& b) {
       b.program_headers[1].p_vaddr = 0;
       b.program_headers[1].p_filesz = 0xffffff00;
       b.program_headers[1].p_memsz = 0xffffff00;
     }},
    {"AddressWraps", Kind::malformed, "program header 1: address 0xfffff000 + size 0x1000",
     [](auto& b) { b.program_headers[1].p_vaddr = 0xfffff000; }},
    {"MemorySizeWraps", Kind::malformed, "program header 1: address 0x10000000 + size 0xffffffff",
     [](auto& b) { b.program_headers[1].p_memsz = 0xffffffff; }},
    {"Overlap", Kind::malformed,
     "program header 1: addresses 0x4001ff..0x4011ff overlap 0x400000..0x400200 of program "
     "header 0",
     [](auto& b) { b.program_headers[1].p_vaddr = 0x4001ff; }},
    {"OverlapFromBelow", Kind::malformed,
     "program header 0: addresses 0x400000..0x400200 overlap 0x3ff001..0x400001 of program "
     "header 1",
     [](auto& b) { b.program_headers[1].p_vaddr = 0x3ff001; }},
    {"SameTwice", Kind::malformed, "overlap",
     [](auto& b) { b.program_headers[1] = b.program_headers[0]; }},
    {"NothingToLoad", Kind::malformed, "no segment to load",
     [](auto& b) {
       for (auto& p : b.program_headers) p.p_type = PT_NOTE;
     }},
    {"OnlyEmptySegments", Kind::malformed, "no segment to load",
     [](auto& b) {
       for (auto& p : b.program_headers) p.p_filesz = p.p_memsz = 0;
     }},
    {"FileLoadedOverAndOver", Kind::malformed, "segments up to here load",
     [](auto& b) {
       for (unsigned i = 2; i < 20; ++i) {
         b.add_program_header(PT_LOAD, PF_R, 0, 0x20000000 + i * 0x1000, 0x300, 0x300);
       }
     }},
    {"EntryNowhere", Kind::malformed, "entry address 0x0 lies in no executable",
     [](auto& b) { b.header.e_entry = 0; }},
    {"EntryInData", Kind::malformed, "entry address 0x10000000 lies in no executable",
     [](auto& b) { b.header.e_entry = 0x10000000; }},
    {"EntryPastText", Kind::malformed, "entry address 0x400200 lies in no executable",
     [](auto& b) { b.header.e_entry = 0x400200; }},
};

const HostileFile interpreters[] = {
    {"BeyondEndOfFile", Kind::truncated, "should have at least 20496",
     [](auto& b) { b.add_program_header(PT_INTERP, PF_R, 0x5000, 0, 16, 16); }},
    {"Empty", Kind::malformed, "path of 1 bytes",
     [](auto& b) {
       add_interpreter(b, {"\0", 1});
     }},
    {"OnlyZeros", Kind::malformed, "not a path",
     [](auto& b) {
       add_interpreter(b, {"\0\0", 2});
     }},
    {"Unterminated", Kind::malformed, "not a path",
     [](auto& b) { add_interpreter(b, "/lib/rld"); }},
    {"ControlCharacter", Kind::malformed, "not a path",
     [](auto& b) {
       add_interpreter(b, {"/lib\n\0", 6});
     }},
    {"TooLong", Kind::malformed, "path of 4097 bytes",
     [](auto& b) {
       b.place(0x1000, std::string(5000, 'x'));
       b.add_program_header(PT_INTERP, PF_R, 0x1000, 0, 4097, 4097);
     }},
    {"Second", Kind::malformed, "program header 3: a second interpreter",
     [](auto& b) {
       add_interpreter(b, {"/rld\0", 5});
       add_interpreter(b, {"/rld\0", 5});
     }},
};

class ElfHostile : public ::testing::TestWithParam<HostileFile> {};
std::string name_of(const ::testing::TestParamInfo<HostileFile>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Identification, ElfHostile, ::testing::ValuesIn(identification), name_of);
INSTANTIATE_TEST_SUITE_P(ProgramHeaderTable, ElfHostile, ::testing::ValuesIn(program_header_table),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Segments, ElfHostile, ::testing::ValuesIn(segments), name_of);
INSTANTIATE_TEST_SUITE_P(Interpreters, ElfHostile, ::testing::ValuesIn(interpreters), name_of);

TEST_P(ElfHostile, IsRefusedWithAReason) {
  ElfBuilder builder = tiny_program();
  GetParam().corrupt_headers(builder);
  FileBytes file = builder.build();
  GetParam().corrupt_bytes(file);
  const auto outcome = load_image(file.bytes);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, GetParam().kind);
  EXPECT_THAT(outcome.error().message, ::testing::HasSubstr(GetParam().message));
  EXPECT_EQ(broken_promise(outcome, file.bytes.size()), "");
}

TEST(LoadElf, RefusesOtherFormatsByItself) {
  const std::uint8_t script[] = {'#', '!', '/', 'b'};
  FileWindow file(script);
  const auto outcome = load_elf(file);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, Kind::not_executable);
  EXPECT_THAT(outcome.error().message, ::testing::HasSubstr("no ELF magic"));
}

}  // namespace
}  // namespace hardclock::testing
