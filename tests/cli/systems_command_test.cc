// hardclock systems: the list, the rules, the table of differences, the worked arithmetic, and what
// it says to mistakes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class SystemsCommand : public CommandTest {
 protected:
  std::string answer(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "systems");
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }
  // Of the systems and libraries that are listed, each with its rate.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(answer({}))) {
      if (contains(line, " Hz  ")) found.push_back(line.substr(0, line.find(' ')));
    }
    return found;
  }
  void expect_refused(std::vector<std::string> arguments,
                      const std::vector<std::string>& words) const {
    arguments.insert(arguments.begin(), "systems");
    expect_complaint(hardclock(arguments), words);
  }
};

void expect_fits_the_projector(const std::string& text) {
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
}

// The names are those of --os: `hardclock syscalls --os` knows each, too, but for the library.
TEST_F(SystemsCommand, ListsThoseOfOs) {
  expect_fits_the_projector(answer({}));
  EXPECT_GE(names().size(), 12U);
  for (const std::string& name : names()) {
    const int expected = name == "glibc" ? own_failure : 0;
    EXPECT_EQ(hardclock({"syscalls", "--os=" + name}).status, expected) << name;
  }
}

// The manual names what --os takes: what a wrong name is told, and Linux's is the last.
TEST_F(SystemsCommand, AreInTheManual) {
  const std::string complaint = hardclock({"syscalls", "--os=multics"}).err;
  const std::size_t list = complaint.find("there are: ");
  ASSERT_NE(list, std::string::npos) << complaint;
  std::string names = complaint.substr(list + std::string_view("there are: ").size());
  while (names.ends_with('\n')) names.pop_back();
  const std::string text = read_file("docs/manual.md");
  EXPECT_TRUE(contains(replace(text, "\n", " "), "`--os` takes " + names + "."))
      << "docs/manual.md, section \"Other systems\", should say: `--os` takes " << names << ".";
}

// Solaris 11.4 profil(2): "Once one of the counts reaches 32767 (the size of a short int),
// profiling stops".
TEST_F(SystemsCommand, RulesOfOneAndOfTwo) {
  const std::string solaris = answer({"solaris"});
  expect_fits_the_projector(solaris);
  EXPECT_TRUE(contains(solaris, "\nRules in force\n"));
  EXPECT_TRUE(
      contains(solaris, "\n  overflow      profiling stops when a counter would pass 32767"));
  EXPECT_TRUE(contains(solaris, "\nContradictions\n  A-S1 "));
  EXPECT_EQ(answer({"v7", "solaris"}), answer({"v7"}) + "\n" + solaris);
}

// docs/observed.md, section 1: V7 wraps, Solaris stops at 32767, AIX and HP-UX saturate.
TEST_F(SystemsCommand, Compares) {
  const std::string all = answer({"--compare"});
  expect_fits_the_projector(all);
  EXPECT_TRUE(contains(all, "\n  stays at 65535: aix, hpux\n")) << all;
  EXPECT_TRUE(contains(all, "\n  keeps 32767, and profiling stops: solaris2.5*, solaris\n")) << all;
  const std::string two = answer({"v7", "4.3bsd", "--compare"});
  EXPECT_TRUE(contains(two, "\nTicks\n  60 a second: v7\n  100 a second: 4.3bsd\n")) << two;
  EXPECT_FALSE(contains(two, "irix"));
}

// Observed on the kernels (conformance/real-kernels.json, rows of V7 and 4.3BSD): with scale 0xffff
// the pc two bytes behind offset is in element 1 of V7 and in element 0 of 4.3BSD.
TEST_F(SystemsCommand, WorksArithmeticOut) {
  const std::string two =
      answer({"v7", "4.3bsd", "--profil=0x4000,64,02000,65535", "--pc=1026,0x400"});
  EXPECT_EQ(two,
            "v7: region 0 base 0x4000 size 64: ((0x0402-0x0400)>>1)*(0xffff>>1)>>14 = 0x1, up to "
            "0x2 -> counter at 0x4002, element 1\n"
            "v7: region 0 base 0x4000 size 64: ((0x0400-0x0400)>>1)*(0xffff>>1)>>14 = 0x0 -> "
            "counter at 0x4000, element 0\n"
            "4.3bsd: region 0 base 0x00004000 size 64: "
            "((0x00000402-0x00000400)>>1)*(0xffff>>1)>>14 = 0x1, down to 0x0 -> counter at "
            "0x00004000, element 0\n"
            "4.3bsd: region 0 base 0x00004000 size 64: "
            "((0x00000400-0x00000400)>>1)*(0xffff>>1)>>14 = 0x0 -> counter at 0x00004000, element "
            "0\n");
  const auto all = lines_of(answer({"--profil=0x4000,64,0,0xffff", "--pc=0"}));
  EXPECT_EQ(all.size(), names().size());
}

TEST_F(SystemsCommand, UnknownNames) {
  expect_refused({"iris"}, {"'iris'", "did you mean irix?"});
  expect_refused({"multics"}, {"'multics'", "v7, 4.1bsd", "hpux"});
  expect_refused({"v7", "v7"}, {"v7", "twice"});
  expect_refused({""}, {"''", "there are"});
  expect_refused({"--compare", "v7", "x\ny"}, {"x\\x0ay"});
  expect_refused({"--compar"}, {"--compar", "--compare"});
}

TEST_F(SystemsCommand, OptionsThatNeedOrExcludeOthers) {
  expect_refused({"--profil=1,2,3,4"}, {"--profil", "--pc"});
  expect_refused({"--pc=1"}, {"--pc", "--profil"});
  expect_refused({"--compare", "--profil=1,2,3,4", "--pc=0"}, {"--compare", "--profil"});
  expect_refused({"--profil", "--pc=0"}, {"--profil"});
  expect_refused({"--profil=1,2,3,4", "--pc="}, {"--pc", "PC[,PC...]"});
}

TEST_F(SystemsCommand, BadNumbers) {
  for (const std::string bad :
       {"x", "08", "0x", "-1", "1.5", "0x100000000", "4294967296", " 1", ""}) {
    expect_refused({"--profil=1,2,3," + bad, "--pc=0"},
                   {"--profil", "'" + bad + "'", "0xffffffff"});
    expect_refused({"--profil=1,2,3,4", "--pc=0," + bad}, {"--pc", "'" + bad + "'"});
  }
  expect_refused({"--profil=1,2,3", "--pc=0"}, {"--profil", "four numbers", "not 3"});
  expect_refused({"--profil=1,2,3,4,5", "--pc=0"}, {"--profil", "four numbers", "not 5"});
}

TEST_F(SystemsCommand, IsInTheManual) {
  EXPECT_TRUE(
      contains(hardclock({"help", "--man"}).out, ".SS hardclock systems [OPTION...] [NAME"));
  EXPECT_TRUE(contains(hardclock({"systems", "--help"}).out, "--profil=BUFF,BUFSIZ,OFFSET,SCALE"));
}

}  // namespace
}  // namespace hardclock::cli_test
