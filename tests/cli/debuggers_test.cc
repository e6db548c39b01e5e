// Debuggers in a guest, as docs/manual.md shows them ("A debugger in the guest"): its commands and
// what they print. They are others' programs and no part of the project: SGI's compiler is in
// ../shared/irix, its odbx beside the compiler or where HARDCLOCK_ODBX says, and
// HARDCLOCK_GDB_ROOT is a guest root with Debian's gdb for mipsel (--test_env).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// The lines of the manual's section that are set off.
std::vector<std::string> shown_lines() {
  const std::string manual = read_file("docs/manual.md");
  const auto begin = manual.find("## A debugger in the guest");
  std::vector<std::string> shown;
  for (const std::string& line :
       lines_of(manual.substr(begin, manual.find("\n## ", begin) - begin))) {
    if (line.starts_with("    ")) shown.push_back(line.substr(4));
  }
  return shown;
}

// The first command shown that contains this: its words behind "hardclock", with ROOT replaced.
std::vector<std::string> shown_command(std::string_view part, const std::string& root) {
  for (const std::string& line : shown_lines()) {
    if (!line.starts_with("hardclock ") || !contains(line, part)) continue;
    std::istringstream text(replace(line, "ROOT", root));
    std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    words.erase(words.begin());
    return words;
  }
  return {};
}

// What the manual says that odbx prints.
std::vector<std::string> shown_session() {
  std::vector<std::string> session;
  for (const std::string& line : shown_lines()) {
    if (line.starts_with("Process ") || !session.empty()) session.push_back(line);
    if (line.ends_with("finished")) return session;
  }
  return {};
}

std::string without_trailing_blanks(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

constexpr std::string_view factorial =
    "extern int printf(const char *, ...);\n"
    "int fact(int n)\n"
    "{\n"
    "    int r;\n"
    "\n"
    "    if (n <= 1)\n"
    "        return 1;\n"
    "    r = n * fact(n - 1);\n"
    "    return r;\n"
    "}\n"
    "\n"
    "int main(void)\n"
    "{\n"
    "    printf(\"fact %d\\n\", fact(4));\n"
    "    return 7;\n"
    "}\n";

class Debuggers : public CommandTest {
 protected:
  // Reads the commands from a file.
  Finished run_with(const std::vector<std::string>& command, std::string_view commands) const {
    write("commands", commands);
    Surroundings surroundings = here();
    surroundings.input = path("commands");
    return hardclock(command, surroundings);
  }
};

TEST_F(Debuggers, OdbxPrintsWhatTheManualSays) {
  // Bazel's runfiles are links to the files of the source tree.
  const auto table = fs::canonical("syscalls/irix/syscalls.master");
  const auto root = (table.parent_path() / "../../../shared/irix/ido5.3").lexically_normal();
  if (!fs::exists(root)) GTEST_SKIP() << "no ../shared/irix beside the source tree";
  const std::string odbx = environment("HARDCLOCK_ODBX").value_or(root / "usr/bin/odbx");
  if (!fs::exists(odbx)) GTEST_SKIP() << "no odbx: HARDCLOCK_ODBX does not name it";
  write("prog.c", factorial);
  const Finished compiled =
      hardclock({"run", "-L", root, "/usr/bin/cc", "-g", "-o", "prog", "prog.c"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;

  std::vector<std::string> command = shown_command("odbx", root);
  ASSERT_EQ(command.size(), 8U);
  ASSERT_EQ(command[6], root.string() + "/usr/bin/odbx");
  command[6] = odbx;
  const Finished debugged =
      run_with(command, "stop in fact\nrun\nwhere\nprint n\nstep\ndelete all\ncont\nquit\n");
  EXPECT_EQ(debugged.status, 0);
  std::vector<std::string> printed = lines_of(replace(debugged.out, folder() + "/", ""));
  ASSERT_GT(printed.size(), 2U) << debugged.err;
  EXPECT_TRUE(contains(printed[0], "dbx version"));
  printed.erase(printed.begin(), printed.begin() + 2);
  for (std::string& line : printed) line = without_trailing_blanks(line);
  EXPECT_EQ(printed, shown_session());
}

TEST_F(Debuggers, GdbRunsAsTheManualSays) {
  const auto root = environment("HARDCLOCK_GDB_ROOT");
  if (!root) GTEST_SKIP() << "HARDCLOCK_GDB_ROOT names no guest root with Debian's gdb for mipsel";
  write("prog.c", factorial);
  const Finished compiled =
      other_program({"mipsel-linux-gnu-gcc", "-g", "-static", "-o", path("prog"), path("prog.c")});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  std::vector<std::string> command = shown_command("/usr/bin/gdb ", *root);
  ASSERT_EQ(command.size(), 6U);
  command.insert(command.end() - 1, "-batch");
  for (const char* order : {"break fact", "run", "backtrace", "print n", "delete", "continue"}) {
    command.insert(command.end() - 1, {"-ex", order});
  }
  const Finished debugged = hardclock(command);
  EXPECT_EQ(debugged.status, 0) << debugged.err;
  for (const char* seen : {"Breakpoint 1, fact (n=4) at ", "#0  fact (n=4)", "in main ()",
                           "$1 = 4\n", "fact 24\n", "exited with code 07"}) {
    EXPECT_TRUE(contains(debugged.out, seen)) << seen << " is not in " << debugged.out;
  }
}

// The session in the manual is whole even where no debugger is.
TEST_F(Debuggers, TheManualShowsThem) {
  EXPECT_EQ(shown_session().size(), 13U);
  EXPECT_EQ(shown_command("odbx", "/r").size(), 8U);
  EXPECT_EQ(shown_command("/usr/bin/gdb ", "/r").size(), 6U);
}

}  // namespace
}  // namespace hardclock::cli_test
