// The layout is that of `mips-linux-gnu-objdump -d` (GNU binutils 2.40): the golden lines below are
// its output for a program with these bytes, with the instructions' texts left to a stand-in.
#include "cli/code_listing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/word_disassembler.h"

namespace hardclock {
namespace {

std::string name_of(InstructionWord word, GuestAddr) {
  switch (word) {
    case 0x00041040:
      return "sll\tv0,a0,0x1";
    case 0x03e00008:
      return "jr\tra";
    case 0x00441021:
      return "addu\tv0,v0,a0";
    case 0x27bdffe8:
      return "addiu\tsp,sp,-24";
    case 0xafbf0014:
      return "sw\tra,20(sp)";
    case 0:
      return "nop";
    default:
      return fmt::format("?{:08x}", word);
  }
}

const auto stand_in = make_word_disassembler(Endian::big, name_of);

// helper: three words at 0x400130; start: three words at 0x40013c.
Image small_image(std::vector<Symbol> symbols) {
  Segment code;
  code.address = GuestAddr(0x400130);
  code.bytes = {0x00, 0x04, 0x10, 0x40, 0x03, 0xe0, 0x00, 0x08, 0x00, 0x44, 0x10, 0x21,
                0x27, 0xbd, 0xff, 0xe8, 0xaf, 0xbf, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00};
  code.memory_size = 0x1000;
  code.permissions = {.read = true, .write = false, .execute = true};
  Segment data = code;
  data.address = GuestAddr(0x10000000);
  data.permissions = {.read = true, .write = true, .execute = false};
  Image image;
  image.segments = {code, data};
  image.symbols = SymbolTable(std::move(symbols), GuestAddr(0x400148));
  return image;
}

std::vector<Symbol> both_symbols() {
  return {{GuestAddr(0x400130), 12, "helper"}, {GuestAddr(0x40013c), 12, "start"}};
}

constexpr AddressRange whole_space = {GuestAddr(0), GuestAddr(~std::uint64_t{0})};

std::string listing(const Image& image, const AddressRange& range) {
  const auto disassembler = make_word_disassembler(image.endian, name_of);
  std::string text;
  list_code(image, range, *disassembler, [&](std::string_view part) {
    text += part;
    return true;
  });
  return text;
}

TEST(Listing, LooksLikeObjdump) {
  const Image image = small_image(both_symbols());
  EXPECT_EQ(listing(image, whole_space),
            "\n00400130 <helper>:\n"
            "  400130:\t00041040 \tsll\tv0,a0,0x1\n"
            "  400134:\t03e00008 \tjr\tra\n"
            "  400138:\t00441021 \taddu\tv0,v0,a0\n"
            "\n0040013c <start>:\n"
            "  40013c:\t27bdffe8 \taddiu\tsp,sp,-24\n"
            "  400140:\tafbf0014 \tsw\tra,20(sp)\n"
            "  400144:\t00000000 \tnop\n");
}

// As `objdump -d --start-address=0x400134 --stop-address=0x400138`.
TEST(Listing, RangeInsideAFunctionHasItsOffset) {
  EXPECT_EQ(listing(small_image(both_symbols()), {GuestAddr(0x400134), GuestAddr(0x400138)}),
            "\n00400134 <helper+0x4>:\n"
            "  400134:\t03e00008 \tjr\tra\n");
}

TEST(Listing, WithoutSymbolsHasNoHeadings) {
  EXPECT_EQ(listing(small_image({}), {GuestAddr(0x400134), GuestAddr(0x400138)}),
            "  400134:\t03e00008 \tjr\tra\n");
}

TEST(Listing, FollowsTheByteOrder) {
  Image image = small_image({});
  image.endian = Endian::little;
  EXPECT_EQ(listing(image, {GuestAddr(0x400130), GuestAddr(0x400134)}),
            "  400130:\t40100400 \t?40100400\n");
}

TEST(Listing, BytesThatAreNoWord) {
  EXPECT_EQ(listing(small_image({}), {GuestAddr(0x400133), GuestAddr(0x40013a)}),
            "  400133:\t40 \t.byte\t0x40\n"
            "  400134:\t03e00008 \tjr\tra\n"
            "  400138:\t00 \t.byte\t0x00\n"
            "  400139:\t44 \t.byte\t0x44\n");
}

// Texts as IA-64 has them: 16 bytes, three instructions each.
class Bundles final : public Disassembler {
 public:
  std::size_t text_bytes() const override { return 16; }
  unsigned slots(const InstructionText&) const override { return 3; }
  std::string digits(const InstructionText& text) const override {
    return fmt::format("{:02x}..{:02x}", text.bytes.front(), text.content().back());
  }
  std::string disassemble(const InstructionText& text) const override {
    return fmt::format("slot {}", text.slot);
  }
};

TEST(Listing, TextsOfSeveralInstructions) {
  std::string text;
  list_code(small_image({}), {GuestAddr(0x40012e), GuestAddr(0x400142)}, Bundles(),
            [&](std::string_view part) {
              text += part;
              return true;
            });
  EXPECT_EQ(text,
            "  400130:\t00..e8 \tslot 0\n"
            "  400131:\t00..e8 \tslot 1\n"
            "  400132:\t00..e8 \tslot 2\n"
            "  400140:\taf \t.byte\t0xaf\n"
            "  400141:\tbf \t.byte\t0xbf\n");
}

TEST(Listing, OddRanges) {
  const Image image = small_image(both_symbols());
  EXPECT_EQ(listing(image, {GuestAddr(0x10000000), GuestAddr(0x10000010)}), "");
  EXPECT_EQ(listing(image, {GuestAddr(0x400148), GuestAddr(0x400150)}), "");  // not in the file
  EXPECT_EQ(listing(image, {GuestAddr(0x400138), GuestAddr(0x400134)}), "");
  EXPECT_EQ(listing(image, {GuestAddr(0), GuestAddr(0x400130)}), "");
  EXPECT_EQ(listing(Image(), whole_space), "");
}

TEST(Listing, SegmentAtTheEndOfTheAddressSpace) {
  Image image = small_image({});
  image.address_bits = 64;
  image.segments[0].address = GuestAddr(0xfffffffffffffff8);
  image.segments[0].bytes.resize(8);
  image.segments[0].memory_size = 8;
  // A word, then three bytes: the last byte of a 64-bit address space is in no half-open range.
  EXPECT_EQ(list_code(image, whole_space, *stand_in, [](std::string_view) { return true; }), 4U);
}

TEST(Listing, StopsWhenTheSinkIsFull) {
  unsigned parts = 0;
  const Image image = small_image(both_symbols());
  list_code(image, whole_space, *stand_in, [&](std::string_view) { return ++parts < 3; });
  EXPECT_EQ(parts, 3U);
}

TEST(Listing, NamesCannotDriveTheTerminal) {
  const Image image = small_image({{GuestAddr(0x400130), 4, "a\x1b[2J\nb"}});
  EXPECT_EQ(listing(image, {GuestAddr(0x400130), GuestAddr(0x400134)}),
            "\n00400130 <a\\x1b[2J\\x0ab>:\n"
            "  400130:\t00041040 \tsll\tv0,a0,0x1\n");
}

TEST(Ranges, FollowTheSymbols) {
  Image image =
      small_image({{GuestAddr(0x400130), 0, "helper"}, {GuestAddr(0x40013c), 0, "start"}});
  const AddressRange helper = range_of(image, image.symbols.all()[0]);
  EXPECT_EQ(helper.start, GuestAddr(0x400130));
  EXPECT_EQ(helper.stop, GuestAddr(0x40013c));
  const AddressRange start = range_of(image, image.symbols.all()[1]);
  EXPECT_EQ(start.start, GuestAddr(0x40013c));
  EXPECT_EQ(start.stop, GuestAddr(0x401130));  // the segment's end
  const auto both = functions_range(image);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->start, GuestAddr(0x400130));
  EXPECT_EQ(both->stop, GuestAddr(0x401130));
  EXPECT_FALSE(functions_range(small_image({})).has_value());
}

TEST(Ranges, HostileSizes) {
  const Image image = small_image({{GuestAddr(0x400130), ~std::uint64_t{0}, "vast"}});
  const auto range = functions_range(image);
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->stop, GuestAddr(~std::uint64_t{0}));
}

}  // namespace
}  // namespace hardclock
