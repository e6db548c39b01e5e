// docs/profil.md tells the truth: every command in its code blocks is run, and prints what stands
// there.
//
// In a block a line "$ COMMAND" is for the shell; up to the next command or the block's end follow
// its standard output and error. A line "..." stands for any lines.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view prompt = "$ ";
constexpr std::string_view elision = "...";

struct Example {
  std::string command;
  std::vector<std::string> output;
  std::size_t line = 0;
};

std::vector<std::string> lines_without_ends(std::string_view text) {
  std::vector<std::string> lines = lines_of(text);
  for (std::string& line : lines) {
    if (line.ends_with('\n')) line.pop_back();
  }
  return lines;
}

std::vector<Example> examples_of(std::string_view document) {
  std::vector<Example> examples;
  bool is_code = false;
  bool has_command = false;
  std::size_t number = 0;
  for (const std::string& line : lines_without_ends(document)) {
    ++number;
    if (line.starts_with(fence)) {
      is_code = !is_code;
      has_command = false;
    } else if (is_code && line.starts_with(prompt)) {
      examples.push_back({line.substr(prompt.size()), {}, number});
      has_command = true;
    } else if (is_code) {
      EXPECT_TRUE(has_command) << "line " << number
                               << ": a block that does not begin with a command";
      if (has_command) examples.back().output.push_back(line);
    }
  }
  EXPECT_FALSE(is_code) << "a block without an end";
  return examples;
}

bool matches(std::span<const std::string> expected, std::span<const std::string> seen) {
  if (expected.empty()) return seen.empty();
  if (expected.front() == elision) {
    for (std::size_t skipped = 0; skipped <= seen.size(); ++skipped) {
      if (matches(expected.subspan(1), seen.subspan(skipped))) return true;
    }
    return false;
  }
  return !seen.empty() && expected.front() == seen.front() &&
         matches(expected.subspan(1), seen.subspan(1));
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

class ProfilDocument : public CommandTest {
 protected:
  void SetUp() override {
    const std::string root = folder_of(hardclock_path());
    document_ = read_file(root + "/docs/profil.md");
    write("profil.json", read_file(root + "/docs/examples/profil.json"));
    for (const std::string_view program : {"forkprof", "split75", "sprofil", "unmap"}) {
      const Finished copied = other_program({"cp", guest(program), path(program)});
      ASSERT_EQ(copied.status, 0) << copied.err;
    }
  }

  // In a shell that finds hardclock.
  Finished shell(const std::string& command) const {
    Surroundings surroundings = here();
    surroundings.environment = {"PATH=" + folder_of(hardclock_path()) + ":/usr/bin:/bin"};
    return Child({"/bin/sh", "-c", "{ " + command + "; } 2>&1"}, surroundings).wait();
  }

  std::string document_;
};

TEST_F(ProfilDocument, EveryCommandPrintsWhatItSays) {
  const std::vector<Example> examples = examples_of(document_);
  ASSERT_GE(examples.size(), 20U);
  for (const Example& example : examples) {
    SCOPED_TRACE("docs/profil.md:" + std::to_string(example.line) + ": " + example.command);
    const Finished run = shell(example.command);
    EXPECT_EQ(run.status, 0);
    expect_sound(run);
    EXPECT_FALSE(run.out.empty());
    EXPECT_TRUE(matches(example.output, lines_without_ends(run.out))) << run.out;
  }
}

// Every system has its worked line and its case.
TEST_F(ProfilDocument, ShowsEverySystem) {
  for (const std::string_view system : {"v7", "4.1bsd", "4.2bsd", "4.3bsd", "2.11bsd", "4.4bsd",
                                        "irix", "solaris2.5", "solaris", "aix", "hpux"}) {
    EXPECT_TRUE(contains(document_, "\n" + std::string(system) + ": region 0 base ")) << system;
    EXPECT_TRUE(contains(document_, "\npass  model  " + std::string(system) + " ")) << system;
  }
}

// The comparison itself can fail.
TEST(DocumentExamples, Match) {
  const std::vector<std::string> seen = {"a", "b", "c"};
  const auto fits = [&](const std::vector<std::string>& expected) {
    return matches(expected, seen);
  };
  EXPECT_TRUE(fits({"a", "b", "c"}));
  EXPECT_TRUE(fits({"..."}));
  EXPECT_TRUE(fits({"a", "...", "c"}));
  EXPECT_TRUE(fits({"a", "b", "...", "c"}));
  EXPECT_FALSE(fits({"a", "b"}));
  EXPECT_FALSE(fits({"a", "b", "c", "d"}));
  EXPECT_FALSE(fits({"a", "...", "d"}));
  EXPECT_FALSE(fits({}));
  const auto examples = examples_of("text\n```\n$ one\nx\n\n$ two\n```\n$ no\n");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].command, "one");
  EXPECT_EQ(examples[0].output, (std::vector<std::string>{"x", ""}));
  EXPECT_EQ(examples[1].command, "two");
  EXPECT_EQ(examples[1].line, 6U);
}

}  // namespace
}  // namespace hardclock::cli_test
