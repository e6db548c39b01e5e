#include "cli/usage_error.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace hardclock {
namespace {

constexpr std::array<std::string_view, 5> names = {"run", "report", "disasm", "cpus", "syscalls"};

TEST(Printable, KeepsOneLine) {
  EXPECT_EQ(printable("plain"), "plain");
  EXPECT_EQ(printable("a\nb\x1b[2J\x7f"), "a\\x0ab\\x1b[2J\\x7f");
  EXPECT_EQ(printable("z\xc3\xbcrich"), "z\xc3\xbcrich");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, IsBounded) {
  EXPECT_EQ(printable(std::string(200, 'x')), std::string(200, 'x'));
  EXPECT_EQ(printable(std::string(201, 'x')), std::string(200, 'x') + "...");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

TEST(Printable, APathKeepsItsEnd) {
  EXPECT_EQ(printable_path("/a/b"), "/a/b");
  EXPECT_EQ(printable_path("/a\n"), "/a\\x0a");
  EXPECT_EQ(printable_path("/home/program", 7), "...program");
}

TEST(ClosestName, FindsWhatWasMeant) {
  EXPECT_EQ(closest_name("rnu", names), "run");  // a swap
  EXPECT_EQ(closest_name("rn", names), "run");
  EXPECT_EQ(closest_name("rune", names), "run");
  EXPECT_EQ(closest_name("raport", names), "report");
  EXPECT_EQ(closest_name("disassem", names), "disasm");
  EXPECT_EQ(closest_name("syscals", names), "syscalls");
}

TEST(ClosestName, LeavesTheRestAlone) {
  EXPECT_EQ(closest_name("ls", names), "");
  EXPECT_EQ(closest_name("", names), "");
  EXPECT_EQ(closest_name("profile", names), "");
  EXPECT_EQ(closest_name(std::string(100000, 'r'), names), "");
  EXPECT_EQ(closest_name("run", {}), "");
}

}  // namespace
}  // namespace hardclock
