// How words become options and operands. The rules are hardclock's own; their source is the manual
// page (hardclock.1): options are written whole, an optional value only follows '=', and what
// stands after PROGRAM is the guest's.
#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace hardclock {
namespace {

using Words = std::vector<std::string>;

constexpr std::array guest_options = {
    OptionSpec{.name = "root",
               .letter = 'L',
               .value = ValueOf::required,
               .argument = "DIR",
               .repeatable = true,
               .help = "",
               .manual = ""},
    OptionSpec{.name = "hz",
               .value = ValueOf::required,
               .argument = "N",
               .default_value = "100",
               .help = "",
               .manual = ""},
    OptionSpec{
        .name = "stats", .value = ValueOf::optional, .argument = "FILE", .help = "", .manual = ""},
    OptionSpec{.name = "quiet", .letter = 'q', .help = "", .manual = ""},
    OptionSpec{.name = "help", .letter = 'h', .help = "", .manual = ""},
};

constexpr CommandSpec guest_command = {
    .name = "go",
    .operands = "PROGRAM [ARG...]",
    .min_operands = 1,
    .max_operands = ~0U,
    .guest_arguments = true,
    .help = "",
    .manual = "",
    .options = guest_options,
};

constexpr CommandSpec plain_command = {
    .name = "show",
    .operands = "ONE [TWO]",
    .min_operands = 1,
    .max_operands = 2,
    .help = "",
    .manual = "",
    .options = guest_options,
};

Arguments parsed(const CommandSpec& command, const Words& words) {
  auto arguments = parse_arguments(command, words);
  EXPECT_TRUE(arguments.ok()) << arguments.error().message;
  return arguments.ok() ? *arguments : Arguments();
}

std::string error(const CommandSpec& command, const Words& words) {
  const auto arguments = parse_arguments(command, words);
  return arguments.ok() ? "(no error)" : arguments.error().message;
}

TEST(GuestCommand, OptionsEndAtTheProgram) {
  struct Case {
    Words words;
    Words operands;
  };
  const std::vector<Case> cases = {
      {{"ls", "-l"}, {"ls", "-l"}},
      {{"ls", "--help"}, {"ls", "--help"}},
      {{"ls", "--", "-l"}, {"ls", "--", "-l"}},
      {{"--", "-weird", "-l"}, {"-weird", "-l"}},
      {{"--", "--", "x"}, {"--", "x"}},
      {{"-L", "/x", "ls", "-L", "y"}, {"ls", "-L", "y"}},
      {{"-L/x", "ls", "-L", "y"}, {"ls", "-L", "y"}},
      {{"--root", "/x", "ls", "--root=y"}, {"ls", "--root=y"}},
      {{"--root=/x", "ls"}, {"ls"}},
      {{"--stats", "prog"}, {"prog"}},
      {{"--stats=f.json", "prog", "--stats"}, {"prog", "--stats"}},
      {{"-q", "prog", "-q"}, {"prog", "-q"}},
      {{"--hz", "5", "prog", "--hz", "6"}, {"prog", "--hz", "6"}},
      {{"-", "-l"}, {"-", "-l"}},
      {{"prog", "--nosuch", "-x"}, {"prog", "--nosuch", "-x"}},
      {{"prog", ""}, {"prog", ""}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(parsed(guest_command, c.words).operands(), c.operands)
        << ::testing::PrintToString(c.words);
  }
}

TEST(PlainCommand, OptionsStandAnywhere) {
  const Arguments arguments = parsed(plain_command, {"a", "--hz", "7", "b", "-q"});
  EXPECT_EQ(arguments.operands(), (Words{"a", "b"}));
  EXPECT_EQ(arguments.value("hz"), "7");
  EXPECT_TRUE(arguments.has("quiet"));
  EXPECT_EQ(parsed(plain_command, {"--", "-q", "--hz"}).operands(), (Words{"-q", "--hz"}));
}

TEST(Options, HaveValues) {
  const Arguments arguments =
      parsed(guest_command, {"-L", "/a", "--root=/b", "-L/c", "--hz=5", "--stats=x=y", "prog"});
  EXPECT_EQ(arguments.values("root"), (Words{"/a", "/b", "/c"}));
  EXPECT_EQ(arguments.value("hz"), "5");
  EXPECT_EQ(arguments.value("stats"), "x=y");
}

TEST(Options, HaveDefaults) {
  const Arguments arguments = parsed(guest_command, {"prog"});
  EXPECT_EQ(arguments.value("hz"), "100");
  EXPECT_FALSE(arguments.has("stats"));
  EXPECT_EQ(arguments.value("stats"), std::nullopt);
  EXPECT_FALSE(arguments.has("quiet"));
  EXPECT_EQ(arguments.values("root"), Words{});
}

TEST(Options, OptionalValueMayBeLeftOut) {
  const Arguments arguments = parsed(guest_command, {"--stats", "prog"});
  EXPECT_TRUE(arguments.has("stats"));
  EXPECT_EQ(arguments.value("stats"), "");
}

TEST(Options, TellWhichOneTheFirstOperandMayBelongTo) {
  const auto before = [](const Words& words) {
    return parsed(guest_command, words).option_before_operands();
  };
  EXPECT_EQ(before({"--stats", "out.json", "prog"}), "--stats");
  EXPECT_EQ(before({"--stats=out.json", "prog"}), "");
  EXPECT_EQ(before({"--stats", "--hz=1", "prog"}), "");
  EXPECT_EQ(before({"--hz", "1", "prog"}), "");
  EXPECT_EQ(before({"prog", "--stats"}), "");
}

TEST(Options, ValuesMayLookLikeOptions) {
  EXPECT_EQ(parsed(guest_command, {"-L", "-weird", "prog"}).values("root"), Words{"-weird"});
  EXPECT_EQ(parsed(guest_command, {"--hz", "-5", "prog"}).value("hz"), "-5");
}

TEST(Options, MistakesGetOneLine) {
  struct Case {
    Words words;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"--foo", "p"}, "unknown option --foo; see 'hardclock go --help'"},
      {{"--foo=1", "p"}, "unknown option --foo; see 'hardclock go --help'"},
      {{"--statz", "p"}, "unknown option --statz; did you mean --stats?"},
      {{"--sta", "p"}, "unknown option --sta; see 'hardclock go --help'"},
      {{"--stat", "p"}, "unknown option --stat; did you mean --stats?"},
      {{"--roto=/x", "p"}, "unknown option --roto; did you mean --root?"},
      {{"-x", "p"}, "unknown option -x; see 'hardclock go --help'"},
      {{"-xyz", "p"}, "unknown option -x; see 'hardclock go --help'"},
      {{"-stats", "p"}, "unknown option -s; see 'hardclock go --help'"},
      {{"--fo\no", "p"}, "unknown option --fo\\x0ao; see 'hardclock go --help'"},
      {{"--=x", "p"}, "unknown option --; see 'hardclock go --help'"},
      {{"--=", "p"}, "unknown option --; see 'hardclock go --help'"},
      {{"--hz"}, "--hz needs a value; use --hz=N"},
      {{"--hz", "--", "p"}, "--hz needs a value; use --hz=N"},
      {{"--hz=", "p"}, "--hz needs a value; use --hz=N"},
      {{"--hz", "", "p"}, "--hz needs a value; use --hz=N"},
      {{"-L"}, "--root needs a value; use --root=DIR"},
      {{"-L", "", "p"}, "--root needs a value; use --root=DIR"},
      {{"--stats=", "p"}, "nothing follows the = of --stats; use --stats or --stats=FILE"},
      {{"--quiet=1", "p"}, "--quiet takes no value; give it alone"},
      {{"-q1", "p"}, "--quiet takes no value; give it alone"},
      {{"--hz=1", "--hz=2", "p"}, "--hz is given twice; give it once"},
      {{"--stats", "--stats=f", "p"}, "--stats is given twice; give it once"},
      {{"--stats=f", "--stats", "p"}, "--stats is given twice; give it once"},
      {{"-q", "--quiet", "p"}, "--quiet is given twice; give it once"},
      {{}, "'hardclock go' needs PROGRAM [ARG...]; see 'hardclock go --help'"},
      {{"--"}, "'hardclock go' needs PROGRAM [ARG...]; see 'hardclock go --help'"},
      {{"--hz", "5"}, "'hardclock go' needs PROGRAM [ARG...]; see 'hardclock go --help'"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(error(guest_command, c.words), c.message) << ::testing::PrintToString(c.words);
  }
  EXPECT_EQ(error(plain_command, {"a", "b", "c"}),
            "'hardclock show' has no use for 'c'; see 'hardclock show --help'");
}

TEST(Help, IsAskedForAmongTheOptionsOnly) {
  EXPECT_TRUE(asks_for_help(guest_command, {"--help"}));
  EXPECT_TRUE(asks_for_help(guest_command, {"-h"}));
  EXPECT_TRUE(asks_for_help(guest_command, {"--hz", "abc", "--help", "prog"}));
  EXPECT_TRUE(asks_for_help(guest_command, {"--nosuch", "--help"}));
  EXPECT_TRUE(asks_for_help(plain_command, {"a", "b", "c", "--help"}));
  EXPECT_FALSE(asks_for_help(guest_command, {}));
  EXPECT_FALSE(asks_for_help(guest_command, {"prog", "--help"}));
  EXPECT_FALSE(asks_for_help(guest_command, {"--", "--help"}));
  EXPECT_FALSE(asks_for_help(guest_command, {"-L", "--help", "prog"}));
  EXPECT_FALSE(asks_for_help(plain_command, {"a", "--", "-h"}));
}

}  // namespace
}  // namespace hardclock
