// docs/profil.md and docs/sweeps.md tell the truth: every command in their code blocks is run, and
// prints what stands there.
//
// In a block a line "$ COMMAND" is for the shell; up to the next command or the block's end follow
// its standard output and error. A line "..." stands for any lines.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
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

// Into a file that Bazel keeps: the test's outputs.zip below bazel-testlogs.
void write_output(const std::string& name, const std::vector<std::string>& lines) {
  const char* const folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder == nullptr) return;
  std::ofstream out(std::string(folder) + "/" + name);
  for (const std::string& line : lines) out << line << '\n';
  ADD_FAILURE() << "as it would be true: " << name << " in this test's outputs.zip";
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

class Document : public CommandTest {
 protected:
  // `name` is without its folder.
  explicit Document(const std::string& name) : name_(name) {}

  void SetUp() override {
    const std::string root = folder_of(hardclock_path());
    document_ = read_file(root + "/docs/" + name_);
    write("profil.json", read_file(root + "/docs/examples/profil.json"));
    for (const std::string_view program :
         {"beat75", "forkprof", "pace75", "split75", "sprofil", "unmap", "walk"}) {
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

  void expect_truth(std::size_t least_examples) const;

  std::string name_;
  std::string document_;
};

void Document::expect_truth(std::size_t least_examples) const {
  const std::vector<Example> examples = examples_of(document_);
  ASSERT_GE(examples.size(), least_examples);
  std::vector<std::string> true_document = lines_without_ends(document_);
  std::ptrdiff_t more = 0;  // lines in it than in the document
  for (const Example& example : examples) {
    SCOPED_TRACE("docs/" + name_ + ":" + std::to_string(example.line) + ": " + example.command);
    const Finished run = shell(example.command);
    EXPECT_EQ(run.status, 0);
    expect_sound(run);
    EXPECT_FALSE(run.out.empty());
    const std::vector<std::string> seen = lines_without_ends(run.out);
    if (matches(example.output, seen)) continue;
    ADD_FAILURE() << run.out;
    const auto output = true_document.begin() + static_cast<std::ptrdiff_t>(example.line) + more;
    const auto rest = true_document.erase(output, output + std::ssize(example.output));
    true_document.insert(rest, seen.begin(), seen.end());
    more += std::ssize(seen) - std::ssize(example.output);
  }
  if (HasFailure()) write_output(name_, true_document);
}

class ProfilDocument : public Document {
 protected:
  ProfilDocument() : Document("profil.md") {}
};

class SweepsDocument : public Document {
 protected:
  SweepsDocument() : Document("sweeps.md") {}
};

TEST_F(ProfilDocument, EveryCommandPrintsWhatItSays) {
  expect_truth(20);
}

TEST_F(SweepsDocument, EveryCommandPrintsWhatItSays) {
  expect_truth(3);
}

// Every kernel has its worked line and its case.
TEST_F(ProfilDocument, ShowsEverySystem) {
  for (const std::string& line : lines_of(hardclock({"systems"}).out)) {
    const std::string system = line.substr(0, line.find(' '));
    if (!contains(line, " Hz  ") || system == "glibc") continue;
    EXPECT_TRUE(contains(document_, "\n" + system + ": region 0 base "))
        << "docs/profil.md lacks the output of the command that works the arithmetic out by every "
           "system's rules for "
        << system;
    EXPECT_TRUE(contains(document_, "\npass  model  " + system + " "))
        << "docs/examples/profil.json needs a case of " << system
        << ", and docs/profil.md its line";
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
