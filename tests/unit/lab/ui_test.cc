// Keys, and the words that stand for them.
#include "sim/lab/ui.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/unit/lab/toy_machine.h"

namespace hardclock::lab {
namespace {

Ui toy_ui() {
  return Ui(Session(std::make_unique<ToyMachine>()));
}

std::string read_back(std::string_view script) {
  const auto commands = parse_script(script);
  if (!commands) return commands.error();
  std::string text;
  for (const Command& command : *commands) text += text_of(command) + ";";
  return text;
}

TEST(LabScript, IsWordsAndComments) {
  EXPECT_EQ(read_back("s s10\n t2 # then\n#all of it\ng 17 x late r loop+0x4@3 ?"),
            "s;s10;t2;g 17;x late;r loop+0x4@3;?;");
  EXPECT_EQ(read_back(""), "");
  EXPECT_EQ(read_back(" \t\n# nothing"), "");
}

TEST(LabScript, SaysWhatIsWrong) {
  const std::string keys = " is no key of the lab; there are: s b t r g x 1 2 3 4 5 6 ? q";
  EXPECT_EQ(read_back("s z"), "'z'" + keys);
  EXPECT_EQ(read_back("s0"), "'s0'" + keys);
  EXPECT_EQ(read_back("s1000001"), "'s1000001'" + keys);
  EXPECT_EQ(read_back("s99999999999999999999"), "'s99999999999999999999'" + keys);
  EXPECT_EQ(read_back("q2"), "'q2'" + keys) << "it does not repeat";
  EXPECT_EQ(read_back("sx"), "'sx'" + keys);
  EXPECT_EQ(read_back("s\x1b[2J"), "'s?[2J'" + keys);
  EXPECT_EQ(read_back("t g"),
            "'g' at the end needs a word behind it; which counter will the next "
            "tick count (number, or none)?");
}

std::string error_of(std::string_view script) {
  Ui ui = toy_ui();
  const auto commands = parse_script(script);
  for (const Command& command : *commands) {
    if (const auto done = ui.perform(command); !done) return done.error();
  }
  return "(no error)";
}

TEST(LabUi, RefusesArguments) {
  EXPECT_EQ(error_of("r nowhere"),
            "the program has no function 'nowhere'; name one, or an address like 0x400100");
  EXPECT_EQ(error_of("r loop@0"), "'loop@0': behind @ stands a number from 1 on");
  EXPECT_EQ(error_of("r loop@x"), "'loop@x': behind @ stands a number from 1 on");
  EXPECT_EQ(error_of("g seven"), "'seven': a guess is a number, or none");
  EXPECT_EQ(error_of("x early"), "'early' is no rule that can be broken; there are: late, none");
  EXPECT_EQ(error_of("x late x none r loop@2 g 3 g none 4"), "(no error)");
}

void press_all(Ui& ui, std::string_view keys) {
  for (const char key : keys) ui.press(key);
}

TEST(LabUi, AsksForWhatAKeyNeeds) {
  Ui ui = toy_ui();
  press_all(ui, "r");
  EXPECT_NE(ui.prompt(), "");
  press_all(ui, "lasx");
  ui.press(Ui::backspace);
  press_all(ui, "t@2");
  EXPECT_TRUE(ui.prompt().ends_with("last@2")) << ui.prompt();
  ui.press(Ui::enter);
  EXPECT_EQ(ui.prompt(), "");
  EXPECT_EQ(ui.session().frame()->number, 20U);
  press_all(ui, "xearly\n");
  EXPECT_TRUE(ui.message().starts_with("'early' is no rule")) << ui.message();
  press_all(ui, "xlate\n");
  EXPECT_EQ(ui.broken_rule(), 0U);
  press_all(ui, "g12");
  ui.press(Ui::escape);
  EXPECT_EQ(ui.prompt(), "");
  EXPECT_EQ(ui.session().score().guesses, 0U);
}

TEST(LabUi, StepsWithBlanksAndEndsWithQ) {
  Ui ui = toy_ui();
  press_all(ui, "s \n");
  EXPECT_EQ(ui.session().frame()->number, 4U);
  press_all(ui, "b");
  EXPECT_EQ(ui.session().frame()->number, 3U);
  press_all(ui, "z");
  EXPECT_EQ(ui.message(), "no such key; ? lists them");
  for (int key = -1; key < 600; ++key) {
    if (key != 'q') ui.press(key);
    if (ui.prompt() != "") ui.press(Ui::escape);
  }
  EXPECT_FALSE(ui.is_over());
  press_all(ui, "q");
  EXPECT_TRUE(ui.is_over());
}

}  // namespace
}  // namespace hardclock::lab
