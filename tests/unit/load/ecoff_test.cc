// ECOFF programs as load_image() sees them. What is expected follows from the format's description
// (MIPS's <filehdr.h>, <aouthdr.h>, <a.out.h>; binutils include/coff/mips.h, ecoff.h and sym.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "sim/load/load.h"
#include "tests/unit/load/ecoff_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

class EcoffImage : public ::testing::TestWithParam<Endian> {
 protected:
  static Image image_of(const EcoffBytes& file) {
    const auto image = load_image(file.bytes);
    EXPECT_TRUE(image.ok()) << image.error().message;
    if (!image) return {};
    EXPECT_EQ(broken_promise(image, file.bytes.size()), "");
    return *image;
  }
};

TEST_P(EcoffImage, HasWhatTheHeadersSay) {
  const EcoffBytes file = tiny_ecoff(GetParam());
  const Image image = image_of(file);
  EXPECT_EQ(image.format, FileFormat::ecoff);
  EXPECT_EQ(image.architecture, Architecture::mips);
  EXPECT_EQ(image.endian, GetParam());
  EXPECT_EQ(image.address_bits, 32u);
  EXPECT_EQ(image.flags, 0u);
  EXPECT_FALSE(image.is_linux);
  EXPECT_FALSE(image.is_of_gnu_tools);
  EXPECT_FALSE(image.relocatable);
  EXPECT_EQ(image.interpreter, std::nullopt);
  EXPECT_EQ(image.entry, GuestAddr(0x400200));
  ASSERT_EQ(image.segments.size(), 3u);
  const auto& [text, data, bss] = std::tie(image.segments[0], image.segments[1], image.segments[2]);
  EXPECT_EQ(text.address, GuestAddr(0x400000));
  EXPECT_EQ(text.memory_size, 0x1000u);
  EXPECT_EQ(text.permissions, (Permissions{true, false, true}));
  EXPECT_THAT(text.bytes, ::testing::ElementsAreArray(file.bytes.data(), 0x1000));
  EXPECT_EQ(data.address, GuestAddr(0x10000000));
  EXPECT_EQ(data.memory_size, 0x100u);
  EXPECT_EQ(data.permissions, (Permissions{true, true, true}));
  EXPECT_THAT(data.bytes, ::testing::ElementsAreArray(file.bytes.data() + 0x1000, 0x100));
  EXPECT_EQ(bss.address, GuestAddr(0x10000100));
  EXPECT_EQ(bss.memory_size, 0x1000u);
  EXPECT_TRUE(bss.bytes.empty());
  ASSERT_EQ(image.code.size(), 2u);
  EXPECT_EQ(image.code[0].start, GuestAddr(0x400200));
  EXPECT_EQ(image.code[0].size, 0x100u);
  EXPECT_EQ(image.code[1].start, GuestAddr(0x400300));
}

// The level is where e_flags of ELF has it (EF_MIPS_ARCH).
TEST_P(EcoffImage, TheMagicNumberTellsTheInstructionSet) {
  const bool is_big = GetParam() == Endian::big;
  EcoffBytes file = tiny_ecoff(GetParam());
  EXPECT_EQ(image_of(file.put_half(ecoff::magic, is_big ? 0x163 : 0x166)).flags, 0x10000000u);
  EXPECT_EQ(image_of(file.put_half(ecoff::magic, is_big ? 0x140 : 0x142)).flags, 0x20000000u);
}

// N_TXTOFF and N_DATOFF: behind the headers, which end at a multiple of 8 bytes or, from version
// 2.3 of the compilers on (0x17), of 16.
TEST_P(EcoffImage, TextAndDataFollowTheHeadersUnlessThePagesOfTheFileAreMapped) {
  struct Place {
    std::uint16_t magic, version;
    std::size_t text;
  };
  // 20 + 56 + 4 * 40 bytes of headers are 0xec.
  for (const auto& [magic, version, text] :
       {Place{0407, 0x30c, 0xf0}, {0407, 22, 0xf0}, {0410, 23, 0xf0}}) {
    EcoffBytes file = tiny_ecoff(GetParam());
    file.put_half(ecoff::program_magic, magic).put_half(ecoff::version, version);
    const Image image = image_of(file);
    ASSERT_EQ(image.segments.size(), 3u);
    EXPECT_EQ(image.segments[0].file_offset, text);
    EXPECT_EQ(image.segments[1].file_offset, text + 0x1000);
    EXPECT_EQ(image.segments[0].permissions.write, magic == 0407);
  }
  EcoffBytes odd = tiny_ecoff(GetParam());
  odd.put_half(ecoff::program_magic, 0407).put_half(ecoff::section_count, 3);
  EXPECT_EQ(image_of(odd.put_half(ecoff::version, 22)).segments[0].file_offset, 0xc8u);
  EXPECT_EQ(image_of(odd.put_half(ecoff::version, 23)).segments[0].file_offset, 0xd0u);
}

TEST_P(EcoffImage, HasProceduresOfItsOwnSymbolTable) {
  const SymbolTable symbols = image_of(tiny_ecoff(GetParam())).symbols;
  std::vector<std::string> all;
  for (const Symbol& symbol : symbols.all()) {
    std::ostringstream line;
    line << std::hex << symbol.address.value() << ' ' << symbol.size << ' ' << symbol.name;
    all.push_back(line.str());
  }
  EXPECT_THAT(all, ::testing::ElementsAre("400200 0 __start", "400240 20 work"));
}

TEST_P(EcoffImage, AStrippedProgramRuns) {
  const Image image = image_of(tiny_ecoff(GetParam()).put_word(ecoff::symbols_at, 0));
  EXPECT_TRUE(image.symbols.all().empty());
  EXPECT_EQ(image.code.size(), 2u);
}

TEST_P(EcoffImage, SharedLibrariesWithoutLinkingAreNamed) {
  EcoffBytes one = tiny_ecoff(GetParam());
  const auto image = load_image(one.add_libraries({"/lib/libc_s"}).bytes);
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().kind, LoadError::Kind::unsupported);
  EXPECT_THAT(image.error().message,
              ::testing::HasSubstr("needs the static shared library /lib/libc_s, which"));
  EcoffBytes two = tiny_ecoff(GetParam());
  const auto other = load_image(two.add_libraries({"/usr/lib/libX11_s", "/lib/libc_s"}).bytes);
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(
      other.error().message,
      ::testing::HasSubstr("static shared libraries /usr/lib/libX11_s, /lib/libc_s, which"));
}

INSTANTIATE_TEST_SUITE_P(Orders, EcoffImage, ::testing::Values(Endian::big, Endian::little),
                         [](const auto& order) {
                           return order.param == Endian::big ? "Big" : "Little";
                         });

}  // namespace
}  // namespace hardclock::testing
