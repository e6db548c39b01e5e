// The help and the manual page are made from the option table: they miss nothing, and they fit.
#include "cli/help_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "cli/version.h"

namespace hardclock {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::size_t columns = 80;
constexpr std::size_t rows = 40;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_one_screen(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  EXPECT_LE(lines.size(), rows) << text;
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), columns) << line;
    EXPECT_THAT(line, Not(EndsWith(" ")));
  }
  EXPECT_THAT(text, EndsWith("\n"));
}

std::string in_roff(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

TEST(OptionTable, IsComplete) {
  std::set<std::string_view> commands;
  for (const CommandSpec& command : command_table()) {
    EXPECT_TRUE(commands.insert(command.name).second) << command.name;
    EXPECT_EQ(find_command(command.name), &command);
    EXPECT_FALSE(command.help.empty()) << command.name;
    EXPECT_FALSE(command.manual.empty()) << command.name;
    EXPECT_NE(command.find("help"), nullptr) << command.name;
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const OptionSpec& option : command.options) {
      EXPECT_TRUE(names.insert(option.name).second) << option.name;
      EXPECT_TRUE(option.letter == 0 || letters.insert(option.letter).second) << option.name;
      EXPECT_EQ(option.argument.empty(), option.value == ValueOf::none) << option.name;
      EXPECT_FALSE(option.help.empty()) << option.name;
      EXPECT_THAT(option.manual, EndsWith(".")) << option.name;
      EXPECT_EQ(command.find(option.name), &option);
    }
  }
  EXPECT_EQ(find_command("conquer"), nullptr);
}

TEST(Overview, FitsAndNamesEveryCommand) {
  const std::string text = overview_text();
  expect_one_screen(text);
  const std::vector<std::string> lines = lines_of(text);
  for (const CommandSpec& command : command_table()) {
    EXPECT_THAT(lines, Contains(StartsWith("  " + std::string(command.name) + " ")));
  }
  EXPECT_THAT(text, HasSubstr("--version"));
}

TEST(CommandHelp, FitsAndNamesEveryOptionAndDefault) {
  for (const CommandSpec& command : command_table()) {
    const std::string text = command_help(command);
    expect_one_screen(text);
    const std::vector<std::string> lines = lines_of(text);
    EXPECT_THAT(lines[0], StartsWith("usage: hardclock " + std::string(command.name)));
    EXPECT_THAT(lines[0], EndsWith(std::string(command.operands)));
    for (const OptionSpec& option : command.options) {
      const std::string name = "--" + std::string(option.name);
      EXPECT_THAT(lines, Contains(AnyOf(HasSubstr(name + " "), HasSubstr(name + "="),
                                        HasSubstr(name + "[="))));
      EXPECT_THAT(text, HasSubstr(std::string(option.help)));
      if (option.default_value.empty()) continue;
      EXPECT_THAT(text, HasSubstr("(default " + std::string(option.default_value) + ")"));
    }
  }
}

// A line of the expected form in full: the notation of getopt_long's own help, GNU Coding
// Standards 4.8.2 ("--help").
TEST(CommandHelp, LooksLikeGnuHelp) {
  const std::vector<std::string> lines = lines_of(command_help(*find_command("run")));
  EXPECT_THAT(lines, Contains(StartsWith("  -L, --root=DIR[:DIR]  ")));
  EXPECT_THAT(lines, Contains(StartsWith("      --stats[=FILE.json]  ")));
  EXPECT_THAT(lines, Contains(StartsWith("  -h, --help  ")));
}

TEST(ManPage, NamesEveryCommandAndOption) {
  const std::string page = man_page();
  const std::vector<std::string> lines = lines_of(page);
  EXPECT_THAT(lines[0], StartsWith(".TH HARDCLOCK 1 "));
  EXPECT_THAT(lines[0], HasSubstr(std::string(hardclock_version)));
  for (const CommandSpec& command : command_table()) {
    const std::string heading = ".SS hardclock " + std::string(command.name) + " ";
    const std::size_t start = page.find(heading);
    ASSERT_NE(start, std::string::npos) << heading;
    const std::string section = page.substr(start, page.find("\n.S", start + 1) - start);
    for (const OptionSpec& option : command.options) {
      const std::string name = in_roff("--" + std::string(option.name));
      EXPECT_THAT(lines_of(section),
                  Contains(AnyOf(EndsWith(name), HasSubstr(name + "="), HasSubstr(name + "[="))))
          << name;
      if (option.default_value.empty()) continue;
      EXPECT_THAT(section,
                  HasSubstr("The default is " + in_roff(std::string(option.default_value)) + "."));
    }
  }
}

// groff's man-pages conventions: a line starts with '.' only as a request; '-' is escaped where it
// is typed, so that it can be copied from the page.
TEST(ManPage, HoldsNoAccidentalRequests) {
  const std::set<std::string> requests = {".TH", ".SH", ".SS", ".TP", ".B",  ".BR",
                                          ".BI", ".PP", ".br", ".I",  ".IR", ".RB"};
  for (const std::string& line : lines_of(man_page())) {
    EXPECT_THAT(line, Not(StartsWith("'")));
    if (line.starts_with('.')) {
      EXPECT_TRUE(requests.contains(line.substr(0, line.find(' ')))) << line;
    }
    if (line.starts_with(".TH")) continue;  // a date
    for (std::size_t at = line.find('-'); at != std::string::npos; at = line.find('-', at + 1)) {
      EXPECT_TRUE(at > 0 && line[at - 1] == '\\') << line;
    }
  }
}

TEST(Texts, AreAscii) {
  std::string all = overview_text() + man_page();
  for (const CommandSpec& command : command_table()) all += command_help(command);
  for (const char c : all) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(byte == '\n' || (byte >= 0x20 && byte < 0x7f)) << static_cast<int>(byte);
  }
}

}  // namespace
}  // namespace hardclock
