// hardclock completion: what a real bash offers when it reads the script, and zsh, if there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Words = std::vector<std::string>;

std::string quoted(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += " '" + word + "'";
  return text;
}

class Completion : public CommandTest {
 protected:
  std::string script(const std::string& shell) const {
    const Finished run = hardclock({"completion", shell});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }

  // Commands of a shell that has read the script in this folder, and can call no program.
  Words lines_by(const std::string& shell, const std::string& commands) const {
    write("completion", script(shell));
    const Finished run = other_program(
        {shell, "-c", "cd '" + folder() + "'; . ./completion; PATH=/nowhere; " + commands});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return lines_of(run.out);
  }

  // What bash offers for the last word. It splits words at '=', ':' and '@' (bash(1),
  // COMP_WORDBREAKS), and replaces the last piece.
  Words offered(Words words) const {
    words.insert(words.begin(), "hardclock");
    return lines_by("bash", "COMP_WORDS=(" + quoted(words) +
                                "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                                "; _hardclock; ((${#COMPREPLY[@]} == 0)) || "
                                "printf '%s\\n' \"${COMPREPLY[@]}\"");
  }

  // The second column of a list of hardclock's, of the rows that begin with `kind`.
  Words listed(const std::string& kind) const {
    Words names;
    for (const std::string& line : lines_of(hardclock({"cpus", "--format=csv"}).out)) {
      if (!line.starts_with(kind + ",")) continue;
      const std::string rest = line.substr(kind.size() + 1);
      names.push_back(rest.substr(0, rest.find(',')));
    }
    EXPECT_FALSE(names.empty());
    return names;
  }
};

TEST_F(Completion, IsSoundBash) {
  write("completion", script("bash"));
  const Finished check = other_program({"bash", "-n", path("completion")});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_EQ(check.err, "");
  EXPECT_THAT(lines_by("bash", "complete -p hardclock"),
              ElementsAre("complete -F _hardclock hardclock"));
}

TEST_F(Completion, OffersCommands) {
  EXPECT_THAT(offered({""}), IsSupersetOf({"run", "sweep", "report", "completion", "help"}));
  EXPECT_THAT(offered({"sy"}), UnorderedElementsAre("syscalls", "systems"));
  EXPECT_THAT(offered({"help", "sw"}), ElementsAre("sweep"));
  EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(offered({"conquer", ""}), IsEmpty());
  EXPECT_THAT(offered({"completion", ""}), UnorderedElementsAre("bash", "zsh"));
}

TEST_F(Completion, OffersOptions) {
  EXPECT_THAT(offered({"run", "--"}), IsSupersetOf({"--cwd=", "--net", "--stats", "--stats="}));
  EXPECT_THAT(offered({"run", "-"}), IsSupersetOf({"-L", "-h", "--help"}));
  EXPECT_THAT(offered({"run", "--cw"}), ElementsAre("--cwd="));
  EXPECT_THAT(offered({"run", "--conquer"}), IsEmpty());
  // Those of run, but for what lab does not have.
  EXPECT_THAT(offered({"lab", "--"}), IsSupersetOf({"--keys=", "--cwd=", "--machine="}));
  EXPECT_THAT(offered({"lab", "--st"}), IsEmpty());
  // A value is no operand, with = and without.
  EXPECT_THAT(offered({"run", "--hz", "100", "-L", "x", "--no-t"}), ElementsAre("--no-terminal"));
  EXPECT_THAT(offered({"run", "--cpu", "=", "r3000", "@", "33", "--no-t"}),
              ElementsAre("--no-terminal"));
}

TEST_F(Completion, OffersValuesOfClosedLists) {
  EXPECT_THAT(offered({"run", "--cwd", "="}), UnorderedElementsAre("rw", "ro", "none"));
  EXPECT_THAT(offered({"run", "--cwd", "=", "r"}), UnorderedElementsAre("rw", "ro"));
  EXPECT_THAT(offered({"run", "--cwd", "n"}), ElementsAre("none"));
  // sweep has its own --cwd.
  EXPECT_THAT(offered({"sweep", "--cwd", "=", "o"}), ElementsAre("own"));
  EXPECT_THAT(offered({"conform", "--format", "=", "j"}), UnorderedElementsAre("junit", "json"));
  EXPECT_THAT(offered({"run", "--hz", "="}), IsEmpty());
  // Where the user's COMP_WORDBREAKS has no =, the word is whole.
  EXPECT_THAT(offered({"run", "--cwd=n"}), ElementsAre("--cwd=none"));
}

TEST_F(Completion, OffersNames) {
  EXPECT_EQ(offered({"run", "--machine", "="}), listed("machine"));
  EXPECT_EQ(offered({"run", "--cpu", "="}), listed("processor"));
  EXPECT_THAT(offered({"run", "--machine", "indigo2-r44"}), ElementsAre("indigo2-r4400"));
  EXPECT_THAT(offered({"sweep", "--cpu", "=", "r3000,r2"}), ElementsAre("r3000,r2000"));
  EXPECT_THAT(offered({"cpus", ""}), IsSupersetOf({"r3000", "indigo2-r4400"}));
  const Words systems = offered({"run", "--os", "="});
  EXPECT_THAT(systems, IsSupersetOf({"v7", "irix", "hpux", "linux"}));
  for (const std::string& name : systems) {
    EXPECT_EQ(hardclock({"syscalls", "--os=" + name}).status, 0) << name;
  }
  EXPECT_THAT(systems, Not(Contains("glibc")));
  EXPECT_THAT(offered({"systems", "v7", "gl"}), ElementsAre("glibc"));
}

TEST_F(Completion, OffersFiles) {
  write("prog", "");
  write("pro file", "");
  other_program({"mkdir", path("profiles")});
  EXPECT_THAT(offered({"run", "pro"}), UnorderedElementsAre("prog", "pro file", "profiles"));
  EXPECT_THAT(offered({"run", "--stats", "=", "prog"}), ElementsAre("prog"));
  EXPECT_THAT(offered({"report", "x", "prog"}), ElementsAre("prog"));
  EXPECT_THAT(offered({"run", "--cpu", "=", "./prog"}), ElementsAre("./prog"));
  EXPECT_THAT(offered({"cpus", ">", "prog"}), ElementsAre("prog"));
  // Folders only, each of a list.
  EXPECT_THAT(offered({"run", "-L", "pro"}), ElementsAre("profiles"));
  EXPECT_THAT(offered({"run", "--root", "=", "/x", ":", "pro"}), ElementsAre("profiles"));
  EXPECT_THAT(offered({"syscalls", "pro"}), IsEmpty());
}

TEST_F(Completion, LeavesToTheGuestWhatFollowsProgram) {
  write("prog", "");
  write("--nice", "");
  EXPECT_THAT(offered({"run", "prog", "--n"}), ElementsAre("--nice"));
  EXPECT_THAT(offered({"run", "prog", "--cwd", "pro"}), ElementsAre("prog"));
  EXPECT_THAT(offered({"run", "prog", "--cwd", "=", "pro"}), ElementsAre("prog"));
  EXPECT_THAT(offered({"run", "--net", "--", "--n"}), ElementsAre("--nice"));
  // What may have a value takes none from the next word.
  EXPECT_THAT(offered({"run", "--stats", "prog", "--n"}), ElementsAre("--nice"));
  // Elsewhere options may follow operands.
  EXPECT_THAT(offered({"report", "prog", "--lin"}), ElementsAre("--lines"));
}

TEST_F(Completion, IsSoundZsh) {
  if (other_program({"zsh", "-c", ":"}).status != 0)
    GTEST_SKIP() << "there is no zsh; tools/install-deps test brings it";
  write("completion", script("zsh"));
  const Finished check = other_program({"zsh", "-n", path("completion")});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_EQ(check.err, "");
}

// Without its line editor: what the words before the cursor are found to ask for.
TEST_F(Completion, FindsThePlaceInZsh) {
  if (other_program({"zsh", "-c", ":"}).status != 0)
    GTEST_SKIP() << "there is no zsh; tools/install-deps test brings it";
  write("completion", script("zsh"));
  const auto found = [&](const Words& words) {
    const Finished run = other_program(
        {"zsh", "-f", "-c",
         "compdef() { :; }; . " + path("completion") + "; _hardclock_place" + quoted(words) +
             "; print -rl -- \"$hc_kind $hc_prefix $hc_rest\" $hc_words"});
    EXPECT_EQ(run.err, "");
    return lines_of(run.out);
  };
  EXPECT_THAT(found({"run", "--cwd=r"}), ElementsAre("words --cwd= r", "rw", "ro", "none"));
  EXPECT_THAT(found({"run", "-L", "/x:/y"}), ElementsAre("folders /x: /y"));
  EXPECT_THAT(found({"run", "prog", "--n"}), ElementsAre("files  --n"));
  EXPECT_THAT(found({"sweep", "--n"}), Contains("--net"));
  EXPECT_THAT(found({""}), Contains("completion"));
  EXPECT_THAT(found({"run", "--machine", "in"}), Contains("indigo2-r4400"));
}

TEST_F(Completion, Mistakes) {
  expect_complaint(hardclock({"completion", "fish"}), {"'fish'", "there are: bash, zsh"});
  expect_complaint(hardclock({"completion"}), {"bash|zsh", "hardclock completion --help"});
  expect_complaint(hardclock({"completion", "bash", "zsh"}), {"no use for 'zsh'"});
}

}  // namespace
}  // namespace hardclock::cli_test
