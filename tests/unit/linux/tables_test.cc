// The call tables against the headers of Debian's linux-libc-dev for MIPS, which the kernel's own
// tables (arch/mips/kernel/syscalls/syscall_*.tbl) generate.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "syscalls/linux/linux.h"

namespace hardclock {
namespace {

struct Table {
  const char* header;
  unsigned first;
  unsigned end;
};
constexpr Table tables[] = {{"/usr/mips64-linux-gnuabi64/include/asm/unistd_o32.h", 4000, 5000},
                            {"/usr/mips64-linux-gnuabi64/include/asm/unistd_n64.h", 5000, 6000},
                            {"/usr/mips64-linux-gnuabi64/include/asm/unistd_n32.h", 6000, 7000}};

// "#define __NR_read (__NR_Linux + 3)": 3 is "read".
std::map<unsigned, std::string> numbers_in(const Table& table) {
  std::map<unsigned, std::string> names;
  std::ifstream file(table.header);
  for (std::string line; std::getline(file, line);) {
    char name[128];
    unsigned number = 0;
    if (std::sscanf(line.c_str(), "#define __NR_%127s (__NR_Linux + %u)", name, &number) == 2) {
      names[table.first + number] = name;
    }
  }
  return names;
}

class Tables : public ::testing::TestWithParam<Table> {};

TEST_P(Tables, HaveTheNumbersOfTheHeaders) {
  const auto expected = numbers_in(GetParam());
  if (expected.empty()) GTEST_SKIP() << GetParam().header << ": linux-libc-dev-mips64-cross";
  std::map<unsigned, std::string> found;
  for (const CallInfo& call : gnu_linux::linux_system().calls) {
    if (call.number < GetParam().first || call.number >= GetParam().end) continue;
    // "break" cannot be a function's name.
    found[call.number] = call.name == "break_" ? "break" : call.name;
  }
  EXPECT_EQ(found, expected);
}

// 64-bit numbers and longs follow the table's own width.
TEST_P(Tables, HaveTheWidthOfTheirPrograms) {
  for (const CallInfo& call : gnu_linux::linux_system().calls) {
    if (call.number < GetParam().first || call.number >= GetParam().end) continue;
    EXPECT_EQ(call.word_bits, GetParam().first == 5000 ? 64U : 32U) << call.prototype;
  }
}

INSTANTIATE_TEST_SUITE_P(Linux, Tables, ::testing::ValuesIn(tables));

// The kernel's search of a table needs that.
TEST(LinuxCalls, Ascend) {
  const auto calls = gnu_linux::linux_system().calls;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    EXPECT_LT(calls[i - 1].number, calls[i].number) << calls[i].prototype;
  }
}

}  // namespace
}  // namespace hardclock
