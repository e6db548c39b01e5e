// The dynamic section of an ELF file, the sections that hold code, and the marks of GNU's tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock {
namespace {

using ::testing::ElementsAre;
using testing::ElfBuilder;
using ::testing::IsEmpty;

constexpr std::size_t section = 0x220, strings = 0x280;
constexpr std::uint32_t strings_address = 0x10000080;

// tiny_program() with a dynamic section in its data segment.
ElfBuilder dynamic_program(Endian order,
                           const std::vector<std::pair<int, std::uint32_t>>& entries) {
  ElfBuilder builder = testing::tiny_program(order);
  testing::FileBytes table{order, {}};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    table.put(8 * i, static_cast<std::uint32_t>(entries[i].first));
    table.put(8 * i + 4, entries[i].second);
  }
  builder.place(section, {reinterpret_cast<const char*>(table.bytes.data()), table.bytes.size()});
  builder.place(strings, std::string_view("\0liba.so\0libb.so\0/opt/lib\0", 26));
  builder.add_program_header(PT_DYNAMIC, PF_R, section, 0x10000020, 8 * entries.size(),
                             8 * entries.size());
  return builder;
}

Image load(const ElfBuilder& builder) {
  auto image = load_image(builder.build().bytes);
  EXPECT_TRUE(image.ok()) << image.error().message;
  return image ? *std::move(image) : Image{};
}

// gABI, chapter 5, "Dynamic Section".
TEST(ElfDynamic, NamesLibrariesAndTheirFolders) {
  for (const Endian order : {Endian::big, Endian::little}) {
    const Image image = load(dynamic_program(order, {{DT_NEEDED, 1},
                                                     {DT_STRTAB, strings_address},
                                                     {DT_NEEDED, 9},
                                                     {DT_RPATH, 17},
                                                     {DT_NULL, 0},
                                                     {DT_NEEDED, 1}}));
    EXPECT_THAT(image.libraries, ElementsAre("liba.so", "libb.so"));
    EXPECT_EQ(image.library_path, "/opt/lib");
  }
  // "If both DT_RPATH and DT_RUNPATH entries appear, the dynamic linker processes only the
  // DT_RUNPATH entry."
  const Image both = load(dynamic_program(
      Endian::big, {{DT_RPATH, 1}, {DT_STRTAB, strings_address}, {DT_RUNPATH, 17}}));
  EXPECT_EQ(both.library_path, "/opt/lib");
}

TEST(ElfDynamic, CorruptSectionsCostTheNamesAlone) {
  const std::vector<std::vector<std::pair<int, std::uint32_t>>> corrupt = {
      {{DT_NEEDED, 1}},                                        // no strings
      {{DT_NEEDED, 1}, {DT_STRTAB, 0x5000}},                   // nowhere
      {{DT_NEEDED, 0xffffffff}, {DT_STRTAB, strings_address}}  // beyond them
  };
  for (const auto& entries : corrupt) {
    EXPECT_THAT(load(dynamic_program(Endian::big, entries)).libraries, IsEmpty());
  }
  ElfBuilder beyond = testing::tiny_program();
  beyond.add_program_header(PT_DYNAMIC, PF_R, 0xffff0000, 0, 0x1000, 0x1000);
  EXPECT_THAT(load(beyond).libraries, IsEmpty());
}

// gABI, chapter 4: SHF_EXECINSTR.
TEST(ElfCode, IsWhereExecutableSectionsAre) {
  const Image image = load(testing::tiny_program());
  ASSERT_EQ(image.code.size(), 1U);
  EXPECT_EQ(image.code[0].start, GuestAddr(0x400100));
  EXPECT_EQ(image.code[0].size, 0x100U);
  EXPECT_EQ(moved(image, 0x10000).code[0].start, GuestAddr(0x410100));
}

TEST(ElfLibrary, NeedsNoEntry) {
  ElfBuilder builder = testing::tiny_program();
  builder.header.e_entry = 0;
  const auto bytes = builder.build().bytes;
  EXPECT_FALSE(load_image(bytes).ok());
  EXPECT_TRUE(load_library(bytes).ok());
}

// binutils: include/elf/mips.h (E_MIPS_ABI_O32), gas/config/tc-mips.c (USE_E_MIPS_ABI_O32: not for
// IRIX), elf.h (PT_GNU_STACK, PT_MIPS_ABIFLAGS).
TEST(ElfMarks, TellWhatGnuToolsMade) {
  for (const GElf_Word segment : {GElf_Word{PT_GNU_STACK}, GElf_Word{PT_MIPS_ABIFLAGS}}) {
    ElfBuilder builder = testing::tiny_program();
    builder.header.e_flags = EF_MIPS_ARCH_2;
    builder.add_program_header(segment, PF_R, 0, 0, 0, 0);
    EXPECT_TRUE(load(builder).is_of_gnu_tools);
  }
  ElfBuilder marked = testing::tiny_program();
  marked.header.e_flags = EF_MIPS_ARCH_2 | 0x1000;
  EXPECT_FALSE(load(marked).is_of_gnu_tools) << "its data is where IRIX's link editor puts it";
  marked.program_headers[1].p_vaddr = 0x410000;
  EXPECT_TRUE(load(marked).is_of_gnu_tools);
  ElfBuilder unmarked = testing::tiny_program();
  unmarked.header.e_flags = EF_MIPS_ARCH_2;
  unmarked.program_headers[1].p_vaddr = 0x410000;
  EXPECT_FALSE(load(unmarked).is_of_gnu_tools);
}

}  // namespace
}  // namespace hardclock
