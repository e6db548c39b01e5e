// The scripts for shells miss nothing of the option table. What they do: tests/cli.
#include "cli/completion_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "cli/option_table.h"

namespace hardclock {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// What the script says of a command.
std::string section(const std::string& script, const CommandSpec& command) {
  const std::size_t start = script.find("\n    " + std::string(command.name) + ")\n");
  if (start == std::string::npos) return "";
  return script.substr(start, script.find("esac ;;", start) - start);
}

// The words between "hc_options=(" and ")".
std::vector<std::string> options_in(const std::string& section) {
  const std::string before = "hc_options=(";
  const std::size_t start = section.find(before) + before.size();
  return words_of(section.substr(start, section.find(')', start) - start));
}

std::vector<std::string> spellings(const OptionSpec& option) {
  const std::string name = "--" + std::string(option.name);
  std::vector<std::string> all;
  if (option.letter != 0) all.push_back(std::string("-") + option.letter);
  if (option.value != ValueOf::required) all.push_back(name);
  if (option.value != ValueOf::none) all.push_back(name + "=");
  return all;
}

void expect_all_options(const std::string& script) {
  for (const CommandSpec& command : command_table()) {
    const std::string text = section(script, command);
    const std::vector<std::string> options = options_in(text);
    std::size_t expected = 0;
    for (const OptionSpec* const option : command.all_options()) {
      for (const std::string& spelling : spellings(*option)) {
        EXPECT_THAT(options, Contains(spelling)) << command.name;
        ++expected;
      }
      if (option->value == ValueOf::none) continue;
      EXPECT_THAT(text, HasSubstr("--" + std::string(option->name) + ") hc_value="))
          << command.name;
    }
    EXPECT_EQ(options.size(), expected) << command.name;
  }
}

TEST(CompletionScript, HasEveryOptionOfEveryCommand) {
  expect_all_options(bash_completion({}));
  expect_all_options(zsh_completion({}));
}

TEST(CompletionScript, HasTheNames) {
  const CompletionNames names = {.processors = {"r3000", "r4000"},
                                 .machines = {"indy"},
                                 .systems = {"v7", "linux"},
                                 .rules = {"v7", "glibc"}};
  for (const std::string& script : {bash_completion(names), zsh_completion(names)}) {
    EXPECT_THAT(script, HasSubstr(" processors) hc_words=(r3000 r4000) ;;\n"));
    EXPECT_THAT(script, HasSubstr(" machines) hc_words=(indy) ;;\n"));
    EXPECT_THAT(script, HasSubstr(" models) hc_words=(r3000 r4000 indy) ;;\n"));
    EXPECT_THAT(script, HasSubstr(" systems) hc_words=(v7 linux) ;;\n"));
    EXPECT_THAT(script, HasSubstr(" rules) hc_words=(v7 glibc) ;;\n"));
  }
}

// zshcompsys(1), "Initialization": the first line of a file in $fpath.
TEST(CompletionScript, OfZshCanLieInFpath) {
  EXPECT_THAT(zsh_completion({}), StartsWith("#compdef hardclock\n"));
}

}  // namespace
}  // namespace hardclock
