// The memory of translated code.
#include "sim/translator/code_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

namespace hardclock {
namespace {

CodeMemory& memory() {
  static CacheBudget caches(0);
  static const std::shared_ptr<CodeMemory> memory = CodeMemory::of(caches);
  return *memory;
}

// mov eax, 42; ret (Intel's manual, volume 2: B8+rd id, C3).
constexpr std::uint8_t answer[] = {0xb8, 42, 0, 0, 0, 0xc3};

TEST(CodeMemory, RunsWhatIsWritten) {
  const auto place = memory().allocate(sizeof answer);
  ASSERT_EQ(place.size(), sizeof answer);
  std::memcpy(place.data(), answer, sizeof answer);
  const std::uint8_t* const code = memory().executable(place.data());
  EXPECT_EQ(reinterpret_cast<int (*)()>(reinterpret_cast<std::uintptr_t>(code))(), 42);
  EXPECT_EQ(memory().writable(code), place.data());
  // Patched in place, while others may jump there.
  place[1] = 7;
  EXPECT_EQ(reinterpret_cast<int (*)()>(reinterpret_cast<std::uintptr_t>(code))(), 7);
}

// By what the kernel says of this process: permissions are the second word of a line.
TEST(CodeMemory, NoPageIsWritableAndExecutable) {
  ASSERT_FALSE(memory().allocate(1).empty());
  std::ifstream maps("/proc/self/maps");
  unsigned executable = 0;
  for (std::string line; std::getline(maps, line);) {
    const std::string permissions = line.substr(line.find(' ') + 1, 4);
    EXPECT_FALSE(permissions[1] == 'w' && permissions[2] == 'x') << line;
    executable += permissions[2] == 'x' ? 1 : 0;
  }
  EXPECT_GT(executable, 0u);
}

TEST(CodeMemory, SaysThatItIsFullAndStartsAgain) {
  const std::uint64_t epoch = memory().epoch();
  EXPECT_TRUE(memory().allocate(CodeMemory::size + 1).empty());
  while (!memory().allocate(CodeMemory::size / 7).empty()) {
  }
  EXPECT_TRUE(memory().allocate(CodeMemory::size / 7).empty());
  EXPECT_EQ(memory().epoch(), epoch);
  memory().clear();
  EXPECT_NE(memory().epoch(), epoch);
  EXPECT_FALSE(memory().allocate(CodeMemory::size / 7).empty());
}

// Code reaches them by displacements of 32 bits (Intel's manual, volume 1: RIP-relative
// addressing).
TEST(CodeMemory, CountersLieNearAllCode) {
  memory().clear();
  const std::uint8_t* const start = memory().executable(memory().at(0));
  const std::uint64_t& first = memory().add_counter();
  for (const std::uint8_t* const code : {start, start + CodeMemory::size}) {
    for (const std::uint64_t* const counter : {&first, &first + CodeMemory::counters}) {
      const std::int64_t apart =
          reinterpret_cast<std::intptr_t>(counter) - reinterpret_cast<std::intptr_t>(code);
      EXPECT_EQ(apart, static_cast<std::int32_t>(apart));
    }
  }
}

TEST(CodeMemory, CountersBeginAtZero) {
  memory().clear();
  const std::size_t all = memory().counters_left();
  memory().add_counter() = 7;
  EXPECT_EQ(memory().add_counter(), 0u);
  EXPECT_EQ(memory().counters_left(), all - 2);
  memory().clear();
  EXPECT_EQ(memory().counters_left(), all);
  EXPECT_EQ(memory().add_counter(), 0u);
}

// What often runs lies close together, whatever rare code is placed meanwhile.
TEST(CodeMemory, RareCodeLiesApart) {
  memory().clear();
  const auto first = memory().allocate(64);
  const auto rare = memory().allocate_rare(1000);
  const auto second = memory().allocate(64);
  ASSERT_EQ(rare.size(), 1000u);
  EXPECT_EQ(second.data() - first.data(), 64);
  EXPECT_GE(rare.data(), second.data() + 64);
  EXPECT_LE(memory().allocate_rare(1000).data(), rare.data() - 1000);
}

TEST(CodeMemory, BothKindsShareTheRoom) {
  memory().clear();
  EXPECT_TRUE(memory().allocate_rare(CodeMemory::size + 1).empty());
  const auto rare = memory().allocate_rare(CodeMemory::size / 2);
  ASSERT_FALSE(rare.empty());
  EXPECT_TRUE(memory().allocate(CodeMemory::size / 2 + 1).empty());
  const auto often = memory().allocate(CodeMemory::size / 2);
  ASSERT_FALSE(often.empty());
  EXPECT_EQ(often.data() + often.size(), rare.data());
  EXPECT_TRUE(memory().allocate_rare(1).empty());
  memory().clear();
  EXPECT_FALSE(memory().allocate_rare(1).empty());
}

TEST(CodeMemory, FindsPlacesByTheirOffsets) {
  memory().clear();
  memory().allocate(100);
  const auto place = memory().allocate(8);
  EXPECT_EQ(memory().offset_of(place.data()), 112u);  // a multiple of 16
  EXPECT_EQ(memory().at(112), place.data());
}

}  // namespace
}  // namespace hardclock
