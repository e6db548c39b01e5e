#include "cli/terminal.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace hardclock {
namespace {

class TerminalOf : public ::testing::Test {
 protected:
  Terminal with(std::optional<std::size_t> window) const {
    return terminal_of(window, [this](const char* name) -> const char* {
      const auto at = variables.find(name);
      return at == variables.end() ? nullptr : at->second.c_str();
    });
  }
  std::map<std::string, std::string> variables = {{"TERM", "xterm"}};
};

TEST_F(TerminalOf, AFileHasNoColumnsAndNoColour) {
  EXPECT_EQ(with(std::nullopt).columns, Terminal::no_limit);
  EXPECT_FALSE(with(std::nullopt).has_colour);
  EXPECT_TRUE(with(std::nullopt).fits(1'000));
}

TEST_F(TerminalOf, AWindowHasItsColumnsAndColour) {
  EXPECT_EQ(with(40).columns, 40u);
  EXPECT_TRUE(with(40).has_colour);
  EXPECT_TRUE(with(40).fits(40));
  EXPECT_FALSE(with(40).fits(41));
  EXPECT_EQ(with(0).columns, Terminal::no_limit);
}

TEST_F(TerminalOf, ColumnsCountsBeforeTheWindow) {
  variables["COLUMNS"] = "60";
  EXPECT_EQ(with(40).columns, 60u);
  EXPECT_EQ(with(std::nullopt).columns, 60u);
  for (const char* const nonsense : {"", "-5", "12x", "3", "99999999999999999999999"}) {
    variables["COLUMNS"] = nonsense;
    EXPECT_EQ(with(40).columns, 40u) << nonsense;
  }
}

// no-color.org: "when present and not an empty string (regardless of its value)".
TEST_F(TerminalOf, NoColorIsHeard) {
  variables["NO_COLOR"] = "";
  EXPECT_TRUE(with(80).has_colour);
  variables["NO_COLOR"] = "0";
  EXPECT_FALSE(with(80).has_colour);
}

TEST_F(TerminalOf, ADumbOrUnknownTerminalHasNoColour) {
  variables["TERM"] = "dumb";
  EXPECT_FALSE(with(80).has_colour);
  variables.erase("TERM");
  EXPECT_FALSE(with(80).has_colour);
}

}  // namespace
}  // namespace hardclock
