// SymbolTable and describe(): the rules are those that image.h states.
#include <gtest/gtest.h>

#include "sim/load/image.h"

namespace hardclock {
namespace {

std::string at(const SymbolTable& table, std::uint64_t address) {
  const Symbol* symbol = table.find(GuestAddr(address));
  return symbol == nullptr ? "-" : symbol->name;
}

TEST(SymbolTable, EmptyTableContainsNothing) {
  const SymbolTable table;
  EXPECT_EQ(table.find(GuestAddr(0)), nullptr);
  EXPECT_EQ(table.find("main"), nullptr);
  EXPECT_EQ(describe(table, GuestAddr(0x400120)), "0x00400120");
}

TEST(SymbolTable, SizedFunctionsEndAtTheirSize) {
  const SymbolTable table({{GuestAddr(0x200), 0x10, "b"}, {GuestAddr(0x100), 0x20, "a"}},
                          GuestAddr(0x1000));
  EXPECT_EQ(at(table, 0xff), "-");
  EXPECT_EQ(at(table, 0x100), "a");
  EXPECT_EQ(at(table, 0x11f), "a");
  EXPECT_EQ(at(table, 0x120), "-");
  EXPECT_EQ(at(table, 0x200), "b");
  EXPECT_EQ(at(table, 0x210), "-");
  ASSERT_EQ(table.all().size(), 2u);
  EXPECT_EQ(table.all()[0].name, "a");
}

TEST(SymbolTable, UnsizedFunctionsReachToTheNextOneAndTheLastToTheEndOfCode) {
  const SymbolTable table({{GuestAddr(0x100), 0, "a"}, {GuestAddr(0x200), 0, "b"}},
                          GuestAddr(0x300));
  EXPECT_EQ(at(table, 0x1ff), "a");
  EXPECT_EQ(at(table, 0x200), "b");
  EXPECT_EQ(at(table, 0x2ff), "b");
  EXPECT_EQ(at(table, 0x300), "-");
}

TEST(SymbolTable, UnsizedFunctionBeyondTheEndOfCodeIsEmpty) {
  const SymbolTable table({{GuestAddr(0x400), 0, "a"}}, GuestAddr(0x300));
  EXPECT_EQ(at(table, 0x400), "-");
  EXPECT_NE(table.find("a"), nullptr);
}

TEST(SymbolTable, TheFunctionThatStartsLastContainsTheAddress) {
  const SymbolTable table({{GuestAddr(0x100), 0x100, "outer"},
                           {GuestAddr(0x120), 0x10, "inner"},
                           {GuestAddr(0x1f0), 0x20, "late"}},
                          GuestAddr(0x1000));
  EXPECT_EQ(at(table, 0x110), "outer");
  EXPECT_EQ(at(table, 0x12f), "inner");
  EXPECT_EQ(at(table, 0x130), "outer");
  EXPECT_EQ(at(table, 0x1f0), "late");
  EXPECT_EQ(at(table, 0x20f), "late");
  EXPECT_EQ(at(table, 0x210), "-");
}

TEST(SymbolTable, FirstNameOfAnAddressStays) {
  const SymbolTable table({{GuestAddr(0x100), 4, "first"}, {GuestAddr(0x100), 8, "second"}},
                          GuestAddr(0x1000));
  EXPECT_EQ(at(table, 0x100), "first");
  EXPECT_EQ(at(table, 0x104), "-");
  EXPECT_EQ(table.find("second"), nullptr);
}

TEST(SymbolTable, OfFunctionsWithOneNameTheLowestIsFound) {
  const SymbolTable table({{GuestAddr(0x200), 4, "init"}, {GuestAddr(0x100), 4, "init"}},
                          GuestAddr(0x1000));
  ASSERT_NE(table.find("init"), nullptr);
  EXPECT_EQ(table.find("init")->address, GuestAddr(0x100));
}

TEST(SymbolTable, SizesThatWrapReachTheLastAddress) {
  const SymbolTable table({{GuestAddr(0x100), ~std::uint64_t{0}, "all"}}, GuestAddr(0x1000));
  EXPECT_EQ(at(table, 0xffffffff), "all");
  EXPECT_EQ(at(table, 0xff), "-");
}

// The same question answered by looking at every symbol.
TEST(SymbolTable, AgreesWithASearchOfAllSymbols) {
  std::uint32_t seed = 1;
  const auto random = [&seed] { return seed = seed * 1664525 + 1013904223, seed >> 16; };
  for (int round = 0; round < 200; ++round) {
    std::vector<Symbol> symbols;
    for (unsigned i = 0; i < 20; ++i) {
      symbols.push_back({GuestAddr(random() % 100), 1 + random() % 40, std::to_string(i)});
    }
    const SymbolTable table(symbols, GuestAddr(200));
    for (std::uint64_t address = 0; address < 150; ++address) {
      const Symbol* expected = nullptr;
      for (const Symbol& s : table.all()) {
        if (s.address.value() <= address && address < s.address.value() + s.size) expected = &s;
      }
      ASSERT_EQ(table.find(GuestAddr(address)), expected) << "round " << round << ' ' << address;
    }
  }
}

TEST(Describe, NameNameWithOffsetOrAddress) {
  const SymbolTable table({{GuestAddr(0x400100), 0x40, "main"}}, GuestAddr(0x401000));
  EXPECT_EQ(describe(table, GuestAddr(0x400100)), "main");
  EXPECT_EQ(describe(table, GuestAddr(0x40011c)), "main+0x1c");
  EXPECT_EQ(describe(table, GuestAddr(0x400140)), "0x00400140");
  EXPECT_EQ(describe(table, GuestAddr(0x4000000000000000)), "0x4000000000000000");
}

TEST(FindSegment, ContainsItsWholeMemoryAndNoMore) {
  std::vector<Segment> segments(2);
  segments[0].address = GuestAddr(0x1000);
  segments[0].memory_size = 0x10;
  segments[1].address = GuestAddr(0x1010);
  segments[1].memory_size = 0x20;
  EXPECT_EQ(find_segment(segments, GuestAddr(0xfff)), nullptr);
  EXPECT_EQ(find_segment(segments, GuestAddr(0x100f)), &segments[0]);
  EXPECT_EQ(find_segment(segments, GuestAddr(0x1010)), &segments[1]);
  EXPECT_EQ(find_segment(segments, GuestAddr(0x1030)), nullptr);
}

}  // namespace
}  // namespace hardclock
