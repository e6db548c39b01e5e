// What load_elf makes of sound files. Expectations come from the numbers that the test itself put
// into the headers, under the gABI's rules (chapter 5, Program Loading).
#include "sim/load/formats.h"

#include <gtest/gtest.h>
#include <libelf.h>

#include <memory>

#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

Image load_or_fail(const ElfBuilder& builder) {
  const FileBytes file = builder.build();
  auto outcome = load_image(file.bytes);
  EXPECT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(broken_promise(outcome, file.bytes.size()), "");
  return outcome.ok() ? *outcome : Image{};
}

class Elf : public ::testing::TestWithParam<Endian> {};
INSTANTIATE_TEST_SUITE_P(BothByteOrders, Elf, ::testing::Values(Endian::big, Endian::little),
                         [](const auto& info) {
                           return info.param == Endian::big ? "big" : "little";
                         });

// libelf is the peer that says whether the builder's files are what the tests take them for.
TEST_P(Elf, BuilderWritesWhatLibelfReads) {
  ElfBuilder builder = tiny_program(GetParam());
  builder.add_symbols(SHT_SYMTAB, tiny_symbols());
  FileBytes file = builder.build();
  elf_version(EV_CURRENT);
  const std::unique_ptr<::Elf, int (*)(::Elf*)> elf(
      elf_memory(reinterpret_cast<char*>(file.bytes.data()), file.bytes.size()), elf_end);
  ASSERT_NE(elf, nullptr);
  GElf_Ehdr header;
  ASSERT_NE(gelf_getehdr(elf.get(), &header), nullptr);
  EXPECT_EQ(header.e_entry, 0x400100u);
  EXPECT_EQ(header.e_machine, EM_MIPS);
  GElf_Phdr data;
  ASSERT_NE(gelf_getphdr(elf.get(), 1, &data), nullptr);
  EXPECT_EQ(data.p_vaddr, 0x10000000u);
  EXPECT_EQ(data.p_memsz, 0x1000u);
  EXPECT_EQ(data.p_flags, unsigned{PF_R | PF_W});
  Elf_Scn* section = elf_getscn(elf.get(), 4);
  GElf_Shdr symtab;
  ASSERT_NE(gelf_getshdr(section, &symtab), nullptr);
  GElf_Sym symbol;
  ASSERT_NE(gelf_getsym(elf_getdata(section, nullptr), 2, &symbol), nullptr);
  EXPECT_EQ(symbol.st_value, 0x400120u);
  EXPECT_STREQ(elf_strptr(elf.get(), symtab.sh_link, symbol.st_name), "work");
}

TEST_P(Elf, HeaderAndSegments) {
  ElfBuilder builder = tiny_program(GetParam());
  builder.header.e_ident[EI_OSABI] = ELFOSABI_IRIX;
  const Image image = load_or_fail(builder);
  EXPECT_EQ(image.architecture, Architecture::mips);
  EXPECT_EQ(image.endian, GetParam());
  EXPECT_EQ(image.address_bits, 32u);
  EXPECT_EQ(image.flags, 0x10001000u);
  EXPECT_EQ(image.os_abi, ELFOSABI_IRIX);
  EXPECT_EQ(image.entry, GuestAddr(0x400100));
  EXPECT_EQ(image.interpreter, std::nullopt);
  EXPECT_EQ(image.program_header_count, 2u);
  EXPECT_TRUE(image.symbols.all().empty());

  ASSERT_EQ(image.segments.size(), 2u);
  const Segment& text = image.segments[0];
  EXPECT_EQ(text.address, GuestAddr(0x400000));
  EXPECT_EQ(text.memory_size, 0x200u);
  EXPECT_EQ(text.permissions, (Permissions{true, false, true}));
  ASSERT_EQ(text.bytes.size(), 0x200u);
  EXPECT_EQ(text.bytes[0], 0x7f);
  EXPECT_EQ(text.bytes[0x1ff], 't');
  const Segment& data = image.segments[1];
  EXPECT_EQ(data.address, GuestAddr(0x10000000));
  EXPECT_EQ(data.memory_size, 0x1000u);
  EXPECT_EQ(data.permissions, (Permissions{true, true, false}));
  EXPECT_EQ(data.bytes, std::vector<std::uint8_t>(0x100, 'd'));
}

// IRIX leaves the ABI field of e_flags 0 (SGI's cc: 0x10000004), GNU writes 1 for o32.
TEST(ElfAbi, BothSpellingsOfO32) {
  for (std::uint32_t flags : {0x10000004u, 0x70001007u}) {
    ElfBuilder builder = tiny_program();
    builder.header.e_flags = flags;
    EXPECT_EQ(load_or_fail(builder).flags, flags);
  }
}

TEST(ElfSegments, AreSortedByAddress) {
  ElfBuilder builder = tiny_program();
  std::swap(builder.program_headers[0], builder.program_headers[1]);
  const Image image = load_or_fail(builder);
  ASSERT_EQ(image.segments.size(), 2u);
  EXPECT_EQ(image.segments[0].address, GuestAddr(0x400000));
}

TEST(ElfSegments, MayShareAPageButKeepTheirBytes) {
  ElfBuilder builder = tiny_program();
  builder.program_headers[1].p_vaddr = 0x400200;
  const Image image = load_or_fail(builder);
  ASSERT_EQ(image.segments.size(), 2u);
  EXPECT_EQ(image.segments[0].bytes.back(), 't');
  EXPECT_EQ(image.segments[1].address, GuestAddr(0x400200));
  EXPECT_EQ(image.segments[1].bytes.front(), 'd');
}

TEST(ElfSegments, HugeMemoryCostsOnlyTheBytesOfTheFile) {
  ElfBuilder builder = tiny_program();
  builder.program_headers[1].p_memsz = 0xefffffff;  // ends at the last address
  const Image image = load_or_fail(builder);
  EXPECT_EQ(image.segments[1].memory_size, 0xefffffffu);
  EXPECT_EQ(image.segments[1].bytes.size(), 0x100u);
}

TEST(ElfSegments, WithoutFileBytesMayNameAnyOffset) {
  ElfBuilder builder = tiny_program();
  builder.add_program_header(PT_LOAD, PF_R | PF_W, 0x99999999, 0x20000000, 0, 0x1000);
  const Image image = load_or_fail(builder);
  ASSERT_EQ(image.segments.size(), 3u);
  EXPECT_TRUE(image.segments[2].bytes.empty());
}

TEST(ElfSegments, WithoutMemoryAreLeftOut) {
  ElfBuilder builder = tiny_program();
  builder.add_program_header(PT_LOAD, PF_R, 0, 0x400010, 0, 0);
  EXPECT_EQ(load_or_fail(builder).segments.size(), 2u);
}

// PT_GNU_STACK's flags (elf(5) of Linux: "controls the state of the stack"); a program without the
// header gets what the system gives, as old ones expect.
TEST(ElfStack, IsExecutableUnlessTheProgramSaysNo) {
  EXPECT_TRUE(load_or_fail(tiny_program()).executable_stack);
  for (const bool execute : {false, true}) {
    ElfBuilder builder = tiny_program();
    builder.add_program_header(PT_GNU_STACK, PF_R | PF_W | (execute ? PF_X : 0), 0, 0, 0, 0);
    EXPECT_EQ(load_or_fail(builder).executable_stack, execute);
  }
}

TEST(ElfInterpreter, IsThePathUpToItsZeroByte) {
  ElfBuilder builder = tiny_program();
  builder.place(0x180, std::string("/usr/lib/libc.so.1\0", 19));
  builder.add_program_header(PT_INTERP, PF_R, 0x180, 0x400180, 19, 19);
  EXPECT_EQ(load_or_fail(builder).interpreter, "/usr/lib/libc.so.1");
}

TEST(ElfProgramHeaders, AreWhereTheSegmentMapsTheirFileOffset) {
  ElfBuilder builder = tiny_program();
  EXPECT_EQ(load_or_fail(builder).program_headers, GuestAddr(0x400034));
}

// IRIX programs: p_vaddr 0x400034, p_filesz 0xe0, p_memsz 0 (readelf of SGI cc's output).
TEST(ElfProgramHeaders, PtPhdrSaysWhereWhateverItsMemorySize) {
  ElfBuilder builder = tiny_program();
  builder.program_headers[1].p_offset = 0;  // the data segment maps the headers once more
  builder.add_program_header(PT_PHDR, PF_R, 0x34, 0x10000034, 0xe0, 0);
  EXPECT_EQ(load_or_fail(builder).program_headers, GuestAddr(0x10000034));
}

TEST(ElfProgramHeaders, PtPhdrOutsideAllSegmentsIsIgnored) {
  ElfBuilder builder = tiny_program();
  builder.add_program_header(PT_PHDR, PF_R, 0x34, 0xffffffff, 0xe0, 0xe0);
  EXPECT_EQ(load_or_fail(builder).program_headers, GuestAddr(0x400034));
}

TEST(ElfProgramHeaders, ZeroWhenNoSegmentMapsThem) {
  ElfBuilder builder = tiny_program();
  builder.program_headers[0].p_offset = 0x100;
  builder.program_headers[0].p_vaddr = 0x400100;
  builder.program_headers[0].p_filesz = 0x100;
  EXPECT_EQ(load_or_fail(builder).program_headers, GuestAddr(0));
}

// HP-UX's files of 32 bits for IA-64 hold pointers: bits 31 and 30 are those of the region, too
// (SDM 3, addp4: `reg{31:30}` becomes bits 62:61).
ElfBuilder ia64_program() {
  ElfBuilder builder = tiny_program(Endian::big);
  builder.header.e_machine = EM_IA_64;
  builder.header.e_flags = 0x8;  // EF_IA_64_BE
  builder.header.e_ident[EI_OSABI] = ELFOSABI_HPUX;
  builder.program_headers[1].p_vaddr = 0x40010000;
  builder.sections[2].sh_addr = 0x40010000;
  return builder;
}

TEST(Ia64Elf, PointersBecomeAddresses) {
  const Image image = load_or_fail(ia64_program());
  EXPECT_EQ(image.architecture, Architecture::ia64);
  EXPECT_EQ(image.address_bits, 32u);
  EXPECT_EQ(image.entry, GuestAddr(0x400100));
  ASSERT_EQ(image.segments.size(), 2u);
  EXPECT_EQ(image.segments[0].address, GuestAddr(0x400000));
  EXPECT_EQ(image.segments[1].address, GuestAddr(0x2000000040010000));
}

TEST(Ia64Elf, CodeOfEveryQuadrantIsNamed) {
  const std::pair<std::uint32_t, std::uint64_t> quadrants[] = {{0x00400000, 0x0000000000400000},
                                                               {0x50400000, 0x2000000050400000},
                                                               {0x90400000, 0x4000000090400000},
                                                               {0xd0400000, 0x60000000d0400000}};
  for (const auto& [pointer, address] : quadrants) {
    ElfBuilder builder = ia64_program();
    builder.header.e_entry = pointer + 0x100;
    builder.program_headers[0].p_vaddr = pointer;
    builder.sections[1].sh_addr = pointer + 0x100;
    builder.add_symbols(SHT_SYMTAB, {{"start", pointer + 0x100, 0x20}, {"work", pointer + 0x120}});
    const Image image = load_or_fail(builder);
    EXPECT_EQ(image.entry, GuestAddr(address + 0x100));
    EXPECT_EQ(describe(image.symbols, GuestAddr(address + 0x11f)), "start+0x1f");
    EXPECT_EQ(describe(image.symbols, GuestAddr(address + 0x130)), "work+0x10");
  }
}

// Linux has no such programs: only HP-UX's mark makes pointers of the addresses.
TEST(Ia64Elf, OnlyHpuxHasPointers) {
  ElfBuilder builder = ia64_program();
  builder.header.e_ident[EI_OSABI] = ELFOSABI_NONE;
  EXPECT_EQ(load_or_fail(builder).segments[1].address, GuestAddr(0x40010000));
}

// EF_IA_64_TRAPNIL is bit 0 (binutils, include/elf/ia64.h).
TEST(Ia64Elf, PageZeroReadsAsZerosUnlessNullPointersTrap) {
  ElfBuilder builder = ia64_program();
  EXPECT_TRUE(load_or_fail(builder).page_zero_reads_zero);
  builder.header.e_flags |= 1;
  EXPECT_FALSE(load_or_fail(builder).page_zero_reads_zero);
}

// The kernel loads the first of the two that HP's link editor names.
TEST(Ia64Elf, TheMicroLoaderIsTheInterpreter) {
  const std::string pair = std::string("/usr/lib/hpux32/uld.so:/usr/lib/hpux32/dld.so") + '\0';
  ElfBuilder builder = ia64_program();
  builder.add_program_header(PT_INTERP, PF_R, 0x180, 0x400180, pair.size(), pair.size());
  builder.place(0x180, pair);
  EXPECT_EQ(load_or_fail(builder).interpreter, "/usr/lib/hpux32/uld.so");
}

}  // namespace
}  // namespace hardclock::testing
