// What hardclock prints reads on terminals of 80 and of 40 columns, with colours where they are
// wanted.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "sim/base/terminal_text.h"
#include "tests/cli/command_test.h"
#include "tests/cli/on_terminal.h"

namespace hardclock::cli_test {
namespace {

using Words = std::vector<std::string>;

class Narrow : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    const Finished run = hardclock({"run", "--reasons", "--profile=exact.json", split75(), "200"});
    ASSERT_EQ(run.status, 0) << run.err;
  }
  std::string split75() const { return guest("split75"); }

  // What a terminal shows of the command, in lines.
  std::vector<std::string> shown(const Words& arguments, unsigned columns,
                                 bool has_colour = false) {
    Words command = {hardclock_path()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    OnTerminal terminal(command, folder(),
                        {"TERM=xterm", has_colour ? "NO_COLOR=" : "NO_COLOR=1",
                         "COLUMNS=" + std::to_string(columns)});
    EXPECT_EQ(terminal.wait(), 0);
    return lines_of(std::regex_replace(terminal.text(), std::regex("\r"), ""));
  }

  // Every command whose answer is for people.
  std::vector<Words> commands() const {
    return {{"--help"},
            {"run", "--help"},
            {"cpus"},
            {"cpus", "indigo"},
            {"systems"},
            {"systems", "irix"},
            {"systems", "--compare"},
            {"systems", "--profil=0x10010000,64,0x400000,0xffff", "--pc=0x400010"},
            {"syscalls", "--os=irix"},
            {"report", "exact.json", split75()},
            {"report", "exact.json", split75(), "--reasons"},
            {"report", "exact.json", split75(), "--annotate"},
            {"report", "mon.out", split75(), "--exact=exact.json", "--truth"},
            {"diff", "exact.json", split75(), "exact.json"},
            {"sweep", "--hz=60,100", "--phase=4", split75(), "200"},
            {"run", "--stats", "--machine=indigo", split75(), "200"},
            {"run", "--explain", split75(), "200"},
            {"run", "--pipeline=hot@2+4", split75(), "2"},
            {"conform", case_file()}};
  }
  static std::string case_file() {
    return std::filesystem::absolute("tests/conformance/cases.json").string();
  }
};

// The guest's own lines, and words that are longer than a line, are not ours to break.
bool may_be_long(const std::string& line) {
  const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return text.find(' ') == std::string::npos || text.starts_with("0x") ||
         text.starts_with("hot ") || text.starts_with("result ");
}

TEST_F(Narrow, EveryAnswerFits) {
  for (const unsigned columns : {80u, 40u}) {
    for (const Words& command : commands()) {
      const std::vector<std::string> lines = shown(command, columns);
      EXPECT_FALSE(lines.empty());
      for (const std::string& line : lines) {
        EXPECT_TRUE(columns_of(line) <= columns || may_be_long(line))
            << command[0] << " " << command[1] << ", " << columns << " columns: " << line;
      }
    }
  }
}

TEST_F(Narrow, AFileIsAsWideAsEver) {
  const Finished plain = hardclock({"report", "exact.json", split75(), "--output=table.txt"});
  EXPECT_EQ(plain.status, 0);
  shown({"report", "exact.json", split75(), "--output=narrow.txt"}, 40);
  EXPECT_EQ(read("narrow.txt"), read("table.txt"));
}

TEST_F(Narrow, ColoursAreThereUnlessNobodyWantsThem) {
  for (const Words& command :
       {Words{"report", "exact.json", split75()},
        Words{"report", "exact.json", split75(), "--annotate"}, Words{"conform", case_file()}}) {
    std::string with, without;
    for (const std::string& line : shown(command, 80, true)) with += line + "\n";
    for (const std::string& line : shown(command, 80, false)) without += line + "\n";
    EXPECT_TRUE(contains(with, "\x1b[3")) << with;
    EXPECT_FALSE(contains(without, "\x1b"));
    EXPECT_EQ(std::regex_replace(with, std::regex("\x1b\\[[0-9]*m"), ""), without);
  }
}

}  // namespace
}  // namespace hardclock::cli_test
