#include "sim/base/terminal_text.h"

#include <gtest/gtest.h>

namespace hardclock {
namespace {

constexpr Terminal narrow = {.columns = 20, .has_colour = false};
constexpr Terminal coloured = {.columns = 20, .has_colour = true};

TEST(TerminalText, CountsWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("a\tb"), 9u);
  EXPECT_EQ(columns_of("gr\xc3\xbc\xc3\x9f"), 4u);
  EXPECT_EQ(columns_of("\x1b[31mhot\x1b[0m"), 3u);
  EXPECT_EQ(columns_of("\x1b[31"), 0u);
}

TEST(TerminalText, LeavesLinesThatFit) {
  const std::string text = "12345678901234567890\n\n  x\n";
  EXPECT_EQ(fitted(text, narrow), text);
  EXPECT_EQ(fitted(text + "no newline", narrow), text + "no newline");
}

TEST(TerminalText, ChangesNothingWhereThereIsNoTerminal) {
  const std::string line(1'000, 'x');
  EXPECT_EQ(fitted(line + " y", {}), line + " y");
}

TEST(TerminalText, BreaksBetweenWords) {
  EXPECT_EQ(fitted("one two three four five six\n", narrow), "one two three four\n  five six\n");
  EXPECT_EQ(fitted("  12345678901234567 x", narrow), "  12345678901234567\n    x");
}

TEST(TerminalText, TheRestStandsUnderTheLastColumn) {
  EXPECT_EQ(fitted("r3000   a processor of 1988", narrow), "r3000   a processor\n        of 1988");
}

TEST(TerminalText, ALastColumnInTheRightHalfIsNone) {
  EXPECT_EQ(fitted("a long label    and then some", narrow), "a long label    and\n  then some");
}

TEST(TerminalText, ALongWordStandsAlone) {
  EXPECT_EQ(fitted("a 1234567890123456789012345 b", narrow), "a\n  1234567890123456789012345\n  b");
  EXPECT_EQ(fitted("1234567890123456789012345", narrow), "1234567890123456789012345");
  EXPECT_EQ(fitted("                              ", narrow), "");
}

TEST(TerminalText, ColoursTakeNoRoom) {
  EXPECT_EQ(fitted("\x1b[31mone two three four\x1b[0m five", narrow),
            "\x1b[31mone two three four\x1b[0m\n  five");
}

TEST(TerminalText, TonesAreForTerminalsWithColours) {
  EXPECT_EQ(toned("x", Tone::bad, narrow), "x");
  EXPECT_EQ(toned("x", Tone::bad, coloured), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(toned("x", Tone::plain, coloured), "x");
  EXPECT_EQ(toned("", Tone::hot, coloured), "");
}

TEST(TerminalText, SharesHaveTones) {
  EXPECT_EQ(tone_of_share(10), Tone::hot);
  EXPECT_EQ(tone_of_share(9.99), Tone::warm);
  EXPECT_EQ(tone_of_share(1.99), Tone::plain);
}

TEST(TerminalText, CutsNames) {
  EXPECT_EQ(cut_to("function", 8), "function");
  EXPECT_EQ(cut_to("functions", 8), "functi..");
  EXPECT_EQ(cut_to("gr\xc3\xbc\xc3\x9f"
                   "e",
                   4),
            "gr..");
  EXPECT_EQ(cut_to("xyz", 2), "..");
}

}  // namespace
}  // namespace hardclock
