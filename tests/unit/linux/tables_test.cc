// The call tables against the headers of Debian's linux-libc-dev for MIPS, PA-RISC and IA-64, which
// the kernel's own tables (arch/mips/kernel/syscalls/syscall_*.tbl, arch/parisc/kernel/syscalls/
// syscall.tbl, arch/ia64/kernel/syscalls/syscall.tbl) generate.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "syscalls/linux/linux.h"
#include "syscalls/posix/syscall_abi.h"

namespace hardclock {
namespace {

struct Table {
  const char* package;
  const char* header;
  Architecture architecture;
  unsigned first;
  unsigned end;
};
constexpr const char* mips = "linux-libc-dev-mips64-cross";
constexpr Table tables[] = {
    {mips, "/usr/mips64-linux-gnuabi64/include/asm/unistd_o32.h", Architecture::mips, 4000, 5000},
    {mips, "/usr/mips64-linux-gnuabi64/include/asm/unistd_n64.h", Architecture::mips, 5000, 6000},
    {mips, "/usr/mips64-linux-gnuabi64/include/asm/unistd_n32.h", Architecture::mips, 6000, 7000},
    {"linux-libc-dev of Debian's port to ia64", "/usr/ia64-linux-gnu/include/asm/unistd_64.h",
     Architecture::ia64, 1024, 2048},
    {"linux-libc-dev-hppa-cross", "/usr/hppa-linux-gnu/include/asm/unistd_32.h",
     Architecture::pa_risc, 0, posix::lightweight_call},
};

std::span<const CallInfo> calls_of(Architecture architecture) {
  if (architecture == Architecture::mips) return gnu_linux::mips_system().calls;
  const bool is_ia64 = architecture == Architecture::ia64;
  return (is_ia64 ? gnu_linux::ia64_system() : gnu_linux::pa_risc_system()).calls;
}

// "#define __NR_read (__NR_Linux + 3)" or, on PA-RISC, "#define __NR_read 3": 3 is "read".
std::map<unsigned, std::string> numbers_in(const Table& table) {
  std::map<unsigned, std::string> names;
  std::ifstream file(table.header);
  for (std::string line; std::getline(file, line);) {
    char name[128];
    unsigned number = 0;
    if (std::sscanf(line.c_str(), "#define __NR_%127s (__NR_Linux + %u)", name, &number) == 2 ||
        std::sscanf(line.c_str(), "#define __NR_%127s %u", name, &number) == 2) {
      names[table.first + number] = name;
    }
  }
  return names;
}

class Tables : public ::testing::TestWithParam<Table> {};

TEST_P(Tables, HaveTheNumbersOfTheHeaders) {
  const auto expected = numbers_in(GetParam());
  if (expected.empty()) GTEST_SKIP() << GetParam().header << ": " << GetParam().package;
  std::map<unsigned, std::string> found;
  for (const CallInfo& call : calls_of(GetParam().architecture)) {
    if (call.number < GetParam().first || call.number >= GetParam().end) continue;
    if (call.subcode) continue;  // a request of the call before it
    // "break" cannot be a function's name.
    found[call.number] = call.name == "break_" ? "break" : call.name;
  }
  EXPECT_EQ(found, expected);
}

// 64-bit numbers and longs follow the table's own width.
TEST_P(Tables, HaveTheWidthOfTheirPrograms) {
  for (const CallInfo& call : calls_of(GetParam().architecture)) {
    if (call.number < GetParam().first || call.number >= GetParam().end) continue;
    const bool is_wide = GetParam().first == 5000 || GetParam().architecture == Architecture::ia64;
    EXPECT_EQ(call.word_bits, is_wide ? 64U : 32U) << call.prototype;
  }
}

INSTANTIATE_TEST_SUITE_P(Linux, Tables, ::testing::ValuesIn(tables));

// The kernel's search of a table needs that: a call, then its requests by their codes.
TEST(LinuxCalls, Ascend) {
  for (const Architecture architecture :
       {Architecture::mips, Architecture::pa_risc, Architecture::ia64}) {
    const auto calls = calls_of(architecture);
    for (std::size_t i = 1; i < calls.size(); ++i) {
      EXPECT_LT(std::pair(calls[i - 1].number, calls[i - 1].subcode),
                std::pair(calls[i].number, calls[i].subcode))
          << calls[i].prototype;
    }
  }
}

}  // namespace
}  // namespace hardclock
