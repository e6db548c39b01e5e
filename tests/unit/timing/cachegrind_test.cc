// The data cache against valgrind's cachegrind, which simulates an LRU cache with write-allocate,
// on a real program that makes 200,000 data accesses, all of them known.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/timing/memory_system.h"

namespace hardclock {
namespace {

// Accesses of one byte each: 100,000 loads and stores at addresses that a linear congruential
// generator gives (Knuth's constants for MMIX), then 100,000 loads with a stride. The rest is in
// registers.
constexpr const char* source = R"(
        .globl _start
        .text
_start: movabs $6364136223846793005, %r8
        movabs $1442695040888963407, %r9
        movabs $buffer, %r10
        mov $1, %r12
        mov $100000, %ecx
random: imul %r8, %r12
        add %r9, %r12
        mov %r12, %rax
        shr $40, %rax
        and $0x7fff, %eax
        test %r12, %r12
        js store
        movb (%r10,%rax), %dl
        jmp next
store:  movb %dl, (%r10,%rax)
next:   dec %ecx
        jnz random
        xor %eax, %eax
        mov $100000, %ecx
stride: movb (%r10,%rax), %dl
        add $136, %eax
        and $0x1ffff, %eax
        dec %ecx
        jnz stride
        mov $60, %eax
        xor %edi, %edi
        syscall
        .bss
        .balign 0x20000
buffer: .skip 0x20000
        .section .note.GNU-stack, "", @progbits
)";

constexpr const char* gcc = "/usr/bin/gcc";
constexpr const char* valgrind = "/usr/bin/valgrind";

struct Misses {
  std::uint64_t loads = 0, load_misses = 0, stores = 0, store_misses = 0;
  bool operator==(const Misses&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Misses& misses) {
  return out << misses.load_misses << " of " << misses.loads << " loads, " << misses.store_misses
             << " of " << misses.stores << " stores";
}

Misses ours(const CacheDescription& cache) {
  MemoryDescription description;
  description.l1d = cache;
  MemorySystem memory(description);
  Misses misses;
  const auto access = [&](std::uint64_t offset, bool stores) {
    const MemorySystem::Address address{0, offset, offset};
    const auto outcome = stores ? memory.store(address, {}) : memory.load(address, {});
    ++(stores ? misses.stores : misses.loads);
    const bool missed = outcome.level != MemorySystem::Level::l1;
    (stores ? misses.store_misses : misses.load_misses) += missed ? 1 : 0;
  };
  std::uint64_t x = 1;
  for (int i = 0; i < 100'000; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    access((x >> 40) & 0x7fff, (x >> 63) != 0);
  }
  for (std::uint64_t i = 0; i < 100'000; ++i) access(i * 136 & 0x1ffff, false);
  return misses;
}

class Cachegrind : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* tool : {gcc, valgrind}) {
      if (access(tool, X_OK) != 0) GTEST_SKIP() << tool << " is absent";
    }
    if (output_of(std::string(gcc) + " -dumpmachine").find("x86_64") != 0) {
      GTEST_SKIP() << gcc << " is not for x86_64";
    }
    folder_ = testing::TempDir() + "hardclock_cachegrind_test." + std::to_string(getpid());
    ASSERT_EQ(output_of("mkdir -p " + folder_ + " && echo made"), "made\n");
    std::ofstream(folder_ + "/program.s") << source;
    ASSERT_EQ(output_of(std::string(gcc) + " -nostdlib -static -o " + folder_ + "/program " +
                        folder_ + "/program.s 2>&1"),
              "");
  }
  void TearDown() override {
    if (!folder_.empty()) output_of("rm -r " + folder_);
  }

  static std::string output_of(const std::string& command) {
    std::string output;
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return output;
    std::array<char, 4096> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
      output.append(buffer.data(), n);
    }
    pclose(pipe);
    return output;
  }

  // From the lines "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw" and "summary: 1 2 3 ...".
  Misses theirs(const CacheDescription& cache) {
    const std::string result = folder_ + "/result";
    const std::string log =
        output_of(std::string(valgrind) +
                  " --tool=cachegrind --cache-sim=yes --D1=" + std::to_string(cache.size) + "," +
                  std::to_string(cache.ways) + "," + std::to_string(cache.line) +
                  " --cachegrind-out-file=" + result + " " + folder_ + "/program 2>&1");
    std::ifstream file(result);
    std::vector<std::string> events;
    Misses misses;
    bool has_summary = false;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string keyword, word;
      words >> keyword;
      while (keyword == "events:" && words >> word) events.push_back(word);
      has_summary = has_summary || keyword == "summary:";
      for (std::size_t i = 0; keyword == "summary:" && i < events.size(); ++i) {
        std::uint64_t count = 0;
        words >> count;
        if (events[i] == "Dr") misses.loads = count;
        if (events[i] == "D1mr") misses.load_misses = count;
        if (events[i] == "Dw") misses.stores = count;
        if (events[i] == "D1mw") misses.store_misses = count;
      }
    }
    EXPECT_TRUE(has_summary) << log;
    return misses;
  }

 private:
  std::string folder_;
};

TEST_F(Cachegrind, CountsTheSameMisses) {
  struct Geometry {
    std::uint64_t size;
    std::uint32_t ways, line;
  };
  for (const auto& [size, ways, line] :
       {Geometry{1024, 1, 32}, Geometry{2048, 64, 32}, Geometry{4096, 2, 32}, Geometry{8192, 1, 64},
        Geometry{16384, 1, 32}, Geometry{16384, 2, 32}, Geometry{32768, 4, 128},
        Geometry{65536, 8, 64}}) {
    const CacheDescription cache = {.size = size, .ways = ways, .line = line, .refill = line};
    EXPECT_EQ(ours(cache), theirs(cache)) << size << " bytes, " << ways << " ways, line " << line;
  }
}

}  // namespace
}  // namespace hardclock
