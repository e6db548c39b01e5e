// The note by which a program says that it is for Linux: Linux Standard Base Core Specification
// 5.0, section 11.8, ".note.ABI-tag"; what readelf -n shows as "NT_GNU_ABI_TAG ... OS: Linux".
#include <gtest/gtest.h>

#include <string>

#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock {
namespace {

using testing::ElfBuilder;
using testing::tiny_program;

constexpr std::size_t place = 0x280;  // in the second segment's bytes
constexpr std::size_t place_bytes = 0x80;

std::string word(std::uint32_t value, Endian order) {
  std::string bytes(4, 0);
  store_bytes(bytes.data(), value, order);
  return bytes;
}

std::string note(Endian order, std::uint32_t type, std::string name, std::uint32_t first_word) {
  std::string bytes = word(static_cast<std::uint32_t>(name.size()), order) + word(16, order) +
                      word(type, order) + name;
  bytes.resize((bytes.size() + 3) & ~std::size_t{3});
  for (const std::uint32_t value : {first_word, 3U, 2U, 0U}) bytes += word(value, order);
  return bytes;
}

// Whether the tiny program with these notes is one for Linux.
bool is_linux(Endian order, const std::string& notes) {
  ElfBuilder builder = tiny_program(order);
  builder.add_program_header(PT_NOTE, PF_R, place, 0x10000080, notes.size(), notes.size());
  builder.place(place, notes);
  EXPECT_LE(notes.size(), place_bytes);
  const auto image = load_image(builder.build().bytes);
  EXPECT_TRUE(image.ok());
  return image.ok() && image->is_linux;
}

const std::string gnu("GNU\0", 4);

TEST(LinuxAbiTag, IsFound) {
  for (const Endian order : {Endian::big, Endian::little}) {
    EXPECT_TRUE(is_linux(order, note(order, NT_GNU_ABI_TAG, gnu, ELF_NOTE_OS_LINUX)));
    EXPECT_TRUE(is_linux(order, note(order, NT_GNU_BUILD_ID, gnu, 0x12345678) +
                                    note(order, NT_GNU_ABI_TAG, gnu, ELF_NOTE_OS_LINUX)));
  }
}

TEST(LinuxAbiTag, IsNotAnotherNote) {
  constexpr Endian order = Endian::big;
  EXPECT_FALSE(is_linux(order, ""));
  EXPECT_FALSE(is_linux(order, note(order, NT_GNU_ABI_TAG, gnu, ELF_NOTE_OS_GNU)));
  EXPECT_FALSE(is_linux(order, note(order, NT_GNU_ABI_TAG, gnu, ELF_NOTE_OS_SOLARIS2)));
  EXPECT_FALSE(is_linux(order, note(order, NT_GNU_BUILD_ID, gnu, ELF_NOTE_OS_LINUX)));
  EXPECT_FALSE(is_linux(order, note(order, NT_GNU_ABI_TAG, "NetBSD", ELF_NOTE_OS_LINUX)));
  EXPECT_FALSE(is_linux(order, note(Endian::little, NT_GNU_ABI_TAG, gnu, ELF_NOTE_OS_LINUX)));
}

// A corrupt note hides those behind it, and nothing worse happens.
TEST(LinuxAbiTag, CorruptNotes) {
  constexpr Endian order = Endian::big;
  const std::string tag = note(order, NT_GNU_ABI_TAG, gnu, ELF_NOTE_OS_LINUX);
  for (std::size_t size = 0; size < tag.size() - 12; ++size) {
    EXPECT_FALSE(is_linux(order, tag.substr(0, size))) << size;
  }
  for (const std::uint32_t size : {0x7fffffffU, 0xfffffffdU, 0xffffffffU}) {
    EXPECT_FALSE(is_linux(order, word(size, order) + tag.substr(4)));
    EXPECT_FALSE(is_linux(order, tag.substr(0, 4) + word(size, order) + tag.substr(8)));
  }
  ElfBuilder builder = tiny_program(order);
  builder.add_program_header(PT_NOTE, PF_R, 0xfffffff0, 0, 0x100, 0x100);
  const auto image = load_image(builder.build().bytes);
  EXPECT_TRUE(!image.ok() || !image->is_linux);
}

// EI_OSABI says it too: programs that use GNU extensions have it.
TEST(LinuxAbiTag, OsAbi) {
  ElfBuilder builder = tiny_program();
  builder.header.e_ident[EI_OSABI] = ELFOSABI_LINUX;
  const auto image = load_image(builder.build().bytes);
  ASSERT_TRUE(image.ok());
  EXPECT_TRUE(image->is_linux);
}

}  // namespace
}  // namespace hardclock
