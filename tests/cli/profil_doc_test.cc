// docs/profil.md, docs/sweeps.md and docs/lab.md tell the truth: every command in their code blocks
// is run, and prints what stands there.
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
#include <utility>
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
  static std::string root() { return folder_of(hardclock_path()); }

  void put_here(const std::string& program, std::string_view name) const {
    const Finished copied = other_program({"cp", program, path(name)});
    ASSERT_EQ(copied.status, 0) << copied.err;
  }

  // In a shell that finds hardclock.
  Finished shell(const std::string& command) const {
    Surroundings surroundings = here();
    surroundings.environment = {"PATH=" + root() + ":/usr/bin:/bin"};
    return Child({"/bin/sh", "-c", "{ " + command + "; } 2>&1"}, surroundings).wait();
  }

  // Every command of docs/NAME prints what it says.
  void expect_true(const std::string& name, std::size_t least_examples) {
    const std::string document = read_file(root() + "/docs/" + name);
    const std::vector<Example> examples = examples_of(document);
    ASSERT_GE(examples.size(), least_examples);
    std::vector<std::string> true_document = lines_without_ends(document);
    std::ptrdiff_t more = 0;  // lines in it than in the document
    for (const Example& example : examples) {
      SCOPED_TRACE("docs/" + name + ":" + std::to_string(example.line) + ": " + example.command);
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
    if (HasFailure()) write_output(name, true_document);
  }
};

class ProfilDocument : public Document {
 protected:
  void SetUp() override {
    document_ = read_file(root() + "/docs/profil.md");
    write("profil.json", read_file(root() + "/docs/examples/profil.json"));
    for (const std::string_view program :
         {"beat75", "forkprof", "pace75", "split75", "sprofil", "unmap"}) {
      put_here(guest(program), program);
    }
  }

  std::string document_;
};

TEST_F(ProfilDocument, EveryCommandPrintsWhatItSays) {
  expect_true("profil.md", 20);
}

class SweepsDocument : public Document {
 protected:
  void SetUp() override {
    for (const std::string_view program : {"beat75", "split75", "walk"})
      put_here(guest(program), program);
  }
};

TEST_F(SweepsDocument, EveryCommandPrintsWhatItSays) {
  expect_true("sweeps.md", 3);
}

class LabDocument : public Document {
 protected:
  static std::string prebuilt(const std::string& name) {
    return root() + "/docs/examples/lab/" + name;
  }
};

TEST_F(LabDocument, EveryCommandPrintsWhatItSays) {
  for (const std::string name : {"lesson", "lesson-hpux", "lesson-4.1bsd"})
    put_here(prebuilt(name), name);
  expect_true("lab.md", 15);
}

// The programs are what tools/guest-cc makes of the source. Another compiler makes other code.
TEST_F(LabDocument, ItsProgramsAreThoseOfTheSource) {
  if (!contains(other_program({"mips-linux-gnu-gcc", "-dumpfullversion"}).out, "12.2.0"))
    GTEST_SKIP() << "mips-linux-gnu-gcc is not 12.2.0";
  for (const auto& [os, name] : {std::pair<std::string, std::string>{"irix", "lesson"},
                                 {"hpux", "lesson-hpux"},
                                 {"4.1bsd", "lesson-4.1bsd"}}) {
    const Finished made = other_program(
        {root() + "/tools/guest-cc", "--os", os, prebuilt("lesson.c"), "-o", path(name)});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(read(name), read_file(prebuilt(name))) << name;
  }
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
