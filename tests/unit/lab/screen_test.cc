// The screen has the size that it is asked for, and what it must show.
#include "sim/lab/screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/unit/lab/toy_machine.h"

namespace hardclock::lab {
namespace {

Ui ui_after(std::string_view script, std::string name = "loop") {
  Ui ui(Session(std::make_unique<ToyMachine>(nullptr, std::move(name))));
  const auto commands = parse_script(script);
  EXPECT_TRUE(commands.ok());
  for (const Command& command : *commands) EXPECT_TRUE(ui.perform(command).ok());
  return ui;
}

std::string screen_after(std::string_view script, ScreenSize size = {}) {
  return text_of(screen_of(ui_after(script), size));
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(LabScreen, FitsEverySize) {
  for (const std::string_view script : {"", "s9 3", "t", "t x late", "x late 2", "4", "x late 4",
                                        "5", "x late 6", "?", "t3 s5000", "g 99"}) {
    const Ui ui = ui_after(script, std::string(300, 'x') + "\x1b[2J\xff");
    for (std::size_t columns : {1U, 7U, 39U, 40U, 41U, 64U, 80U, 132U, 400U}) {
      for (std::size_t rows : {1U, 2U, 11U, 12U, 16U, 24U, 60U}) {
        SCOPED_TRACE(std::string(script) + " " + std::to_string(columns) + "x" +
                     std::to_string(rows));
        const Lines lines = screen_of(ui, {columns, rows});
        EXPECT_EQ(lines.size(), rows);
        for (const Line& line : lines) {
          std::string text;
          for (const Span& span : line) text += span.text;
          EXPECT_EQ(text.find_first_not_of(
                        " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                        "abcdefghijklmnopqrstuvwxyz{|}~"),
                    std::string::npos);
          EXPECT_LE(text.size(), std::max<std::size_t>(columns, 3)) << text;
        }
      }
    }
  }
}

TEST(LabScreen, ShowsTheInstructionAndItsPipeline) {
  const std::string screen = screen_after("s9");
  EXPECT_TRUE(has(screen, "instruction 10: add r1,r1,1   at 00001024 <loop+36>")) << screen;
  EXPECT_TRUE(has(screen, "waits 3; memory waits 5 (cycles)")) << screen;
  EXPECT_TRUE(has(screen, "00001024 add r1,r1,1")) << screen;
  EXPECT_TRUE(has(screen, "IF EX\n")) << screen;
  EXPECT_TRUE(has(screen, "  r1*0000000a")) << screen;
  EXPECT_TRUE(has(screen, "cycle 10, tick 1 in 2,990")) << screen;
  EXPECT_TRUE(has(screen, "a tick now would find loop+0")) << screen;
}

TEST(LabScreen, ShowsATickAndTheBrokenRule) {
  const std::string screen = screen_after("x late t");
  EXPECT_TRUE(has(screen, "A TICK came")) << screen;
  EXPECT_TRUE(has(screen, "a tick found loop+0")) << screen;
  EXPECT_TRUE(has(screen, "broken (late): counter 1")) << screen;
}

TEST(LabScreen, ShowsTheScore) {
  EXPECT_TRUE(has(screen_after("g 0"), "guesses: 1 of 1 right"));
  EXPECT_TRUE(has(screen_after("g 5"), "Wrong, you said counter 5"));
}

TEST(LabScreen, SaysWhenItIsTooSmall) {
  EXPECT_TRUE(has(screen_after("", {60, 5}), "The lab needs 40 columns and 12 rows."));
}

}  // namespace
}  // namespace hardclock::lab
