// The format is the one that cli/commands.table describes at its top: every expectation here is a
// sentence of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/commandgen/emitter.h"
#include "cli/commandgen/reader.h"

namespace hardclock::commandgen {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

// Its last line is the tenth.
const std::string good_table =
    "-h, --help\n"
    "    print this\n"
    "    Print a summary.\n"
    "command go [--] PROGRAM [ARG...]\n"
    "    go\n"
    "    Go there.\n"
    "--hz=N default 5\n"
    "    rate\n"
    "    The rate.\n"
    "shared --help\n";

Diagnostics errors_of(const std::string& text) {
  const auto commands = read(text);
  return commands ? Diagnostics() : commands.error();
}

auto error_at(int line, const std::string& text) {
  return AllOf(Field(&codegen::Diagnostic::line, line),
               Field(&codegen::Diagnostic::message, HasSubstr(text)));
}

TEST(Reader, ReadsCommandsAndOptions) {
  const auto commands = read(
      "# comment\n"
      "-h, --help\n"
      "    print this\n"
      "\n"
      "    Print a summary.\n"
      "\n"
      "command go [--] PROGRAM [ARG...]\n"
      "    go   there\n"
      "\n"
      "    Go there,\r\n"
      "\twith a \"#\"\n"
      "    # and --more.\n"
      "\n"
      "-L, --root=DIR[:DIR] repeatable\n"
      "    where\n"
      "    Where it is.\n"
      "--stats[=FILE]\n"
      "    figures\n"
      "    The figures.\n"
      "--max-memory=SIZE default 1G\n"
      "    most\n"
      "    The most.\n"
      "shared --help");
  ASSERT_TRUE(commands) << commands.error()[0].message;
  ASSERT_EQ(commands->size(), 1U);
  const Command& go = commands->front();
  EXPECT_EQ(go.name, "go");
  EXPECT_EQ(go.operands, "PROGRAM [ARG...]");
  EXPECT_TRUE(go.guest_arguments);
  EXPECT_EQ(go.help, "go there");
  EXPECT_EQ(go.manual, "Go there, with a \"#\" # and --more.");

  ASSERT_EQ(go.options.size(), 4U);
  const Option& root = go.options[0];
  EXPECT_EQ(root.name, "root");
  EXPECT_EQ(root.letter, 'L');
  EXPECT_EQ(root.value, "required");
  EXPECT_EQ(root.argument, "DIR[:DIR]");
  EXPECT_TRUE(root.repeatable);
  EXPECT_EQ(go.options[1].value, "optional");
  EXPECT_EQ(go.options[1].argument, "FILE");
  EXPECT_EQ(go.options[1].letter, 0);
  EXPECT_EQ(go.options[2].default_value, "1G");
  EXPECT_FALSE(go.options[2].repeatable);
  EXPECT_EQ(go.options[3].name, "help");
  EXPECT_EQ(go.options[3].value, "none");
  EXPECT_EQ(go.options[3].argument, "");
  EXPECT_EQ(go.options[3].manual, "Print a summary.");
}

TEST(Reader, CountsOperands) {
  constexpr unsigned any_number = ~0U;
  struct Case {
    std::string operands;
    unsigned least, most;
  };
  for (const Case& c : {Case{"", 0, 0}, Case{" [NAME]", 0, 1}, Case{" [NAME...]", 0, any_number},
                        Case{" FILE.json...", 1, any_number}, Case{" A P B [P]", 3, 4},
                        Case{" [--] P [ARG...]", 1, any_number}, Case{" P Q\nleast 1", 1, 2}}) {
    const auto commands =
        read("--help\n x\n Y.\ncommand go" + c.operands + "\n x\n Y.\nshared --help\n");
    ASSERT_TRUE(commands) << c.operands;
    EXPECT_EQ(commands->front().min_operands, c.least) << c.operands;
    EXPECT_EQ(commands->front().max_operands, c.most) << c.operands;
  }
}

TEST(Reader, ACommandHasTheOptionsOfItsBase) {
  const auto commands = read(good_table +
                             "command look X\n"
                             "base go\n"
                             "without --hz\n"
                             "    look\n"
                             "    Look at it.\n"
                             "shared --help\n");
  ASSERT_TRUE(commands) << commands.error()[0].message;
  EXPECT_EQ((*commands)[1].base, "go");
  EXPECT_THAT((*commands)[1].without, ElementsAre("hz"));
}

struct BadEnd {
  std::string lines;  // after those of good_table
  int line;
  std::string error;
};

TEST(Reader, SaysWhatIsWrongAndWhere) {
  const std::string look = "command look X\n x\n Y.\nshared --help\n";
  const std::vector<BadEnd> cases = {
      {"option --x\n", 11, "'option' begins no line"},
      {"    text\n", 11, "text of nothing; put a command or an option above it"},
      {"\xc3\xa4\n", 11, "printable ASCII"},
      {"-x\n x\n Y.\n", 11, "'-x' is no option; write -X, --NAME=VALUE"},
      {"--Big\n x\n Y.\n", 11, "'--Big' is no option"},
      {"--x=\n x\n Y.\n", 11, "'--x=' is no option"},
      {"--x[N]\n x\n Y.\n", 11, "'--x[N]' is no option"},
      {"-1, --x\n x\n Y.\n", 11, "'--x' is no option"},
      {"--x=N often\n x\n Y.\n", 11, "'often' after an option; write repeatable, default WORD"},
      {"--x=N default\n x\n Y.\n", 11, "'default' after an option"},
      {"--x default 1\n x\n Y.\n", 11, "--x is a switch"},
      {"--x\n", 11, "the text of x is a line for --help and then sentences; write both"},
      {"--x\n    help\n", 11, "the text of x"},
      {"--x\n    help\n    No full stop\n", 11, "the text of x"},
      {"--hz=M\n x\n Y.\n", 11, "--hz a second time in one command; keep one of them"},
      {"-h, --x\n x\n Y.\n", 11, "-h a second time in one command"},
      {"shared --hz\n", 11, "no option '--hz' above the first command; put it there"},
      {"shared --help\n", 11, "--help a second time in one command"},
      {"least many\n", 11, "write: least N"},
      {"base gone\n", 11, "'gone' is no base"},
      {"base go\n", 11, "'go' is no base"},
      {"without --hz\n", 11, "the base has no '--hz'"},
      {"command\n x\n Y.\nshared --help\n", 11, "write: command NAME"},
      {"command go\n x\n Y.\nshared --help\n", 11, "a second command go"},
      {"command look\n x\n Y.\n", 11, "look has no --help; add: shared --help"},
      {look + "base go\nwithout --hz\n--hz=N\n x\n Y.\n", 17, "--hz a second time"},
      {look + "base go\nwithout --hx\n", 16, "the base has no '--hx'"},
      {look + "base go\ncommand see X\nbase look\n x\n Y.\nshared --help\n", 17,
       "'look' is no base; name a command above that has none itself"},
  };
  for (const BadEnd& c : cases) {
    EXPECT_THAT(errors_of(good_table + c.lines), ElementsAre(error_at(c.line, c.error))) << c.lines;
  }
  EXPECT_THAT(errors_of("--spare\n x\n Y.\n" + good_table),
              ElementsAre(error_at(1, "no command shares --spare; take it out")));
  EXPECT_THAT(errors_of("base go\n" + good_table),
              ElementsAre(error_at(1, "'base' above the first command")));
}

TEST(Reader, SaysAllThatIsWrong) {
  EXPECT_THAT(
      errors_of(good_table + "least\n--x\n--y\n"),
      ElementsAre(error_at(11, "least"), error_at(12, "text of x"), error_at(13, "text of y")));
}

TEST(Emitter, EscapesText) {
  Command command;
  command.name = "go";
  command.manual = "A \" and a \\.";
  EXPECT_THAT(
      emit_source({command}, "some.table", "some.h"),
      AllOf(HasSubstr("from some.table: change that file."), HasSubstr("#include \"some.h\""),
            HasSubstr(".manual = \"A \\\" and a \\\\.\"")));
}

}  // namespace
}  // namespace hardclock::commandgen
