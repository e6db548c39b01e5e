// The fixture of the end-to-end tests: runs the real hardclock, as a user's shell would, in a fresh
// folder. No run may crash, whatever it is given.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/mips_tools.h"

namespace hardclock::cli_test {

// hardclock's own failures (docs/manual.md, "Exit status"); env(1) and docker(1) use the same
// number.
inline constexpr int own_failure = 125;

// Absolute paths of what the build made.
std::string hardclock_path();
std::string guest(std::string_view name);      // //tests/guests:NAME
std::string cli_guest(std::string_view name);  // //tests/cli/guests:NAME
std::string expected_output(std::string_view name);

inline constexpr std::string_view both_byte_orders[] = {"", "_little"};

// What a program finds around it.
struct Surroundings {
  std::string directory;                                          // working directory
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin"};  // exactly these
  std::string input = "/dev/null";                                // the file that standard input is
  bool random_addresses = true;                                   // of the host's memory layout
};

struct Finished {
  int status = 0;        // as a shell shows it: 128+N for a program ended by signal N
  bool crashed = false;  // it was ended by a signal of the host
  std::string out;
  std::string err;
  std::uint64_t peak_bytes = 0;  // the most host memory that it had at a time
};

// A program of the host while it runs. It is killed after two minutes.
class Child {
 public:
  // The first word is an absolute path or a name in PATH.
  Child(const std::vector<std::string>& command, const Surroundings& surroundings);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  pid_t process() const { return pid_; }
  // What it has written so far.
  std::string out() const;
  std::string err() const;
  // Waits for its end. To be called once.
  Finished wait();

 private:
  support::TemporaryFolder outputs_;
  pid_t pid_ = -1;
};

class CommandTest : public ::testing::Test {
 protected:
  // Runs hardclock in folder() with an empty standard input, and checks that it is sound.
  Finished hardclock(const std::vector<std::string>& arguments) const;
  Finished hardclock(const std::vector<std::string>& arguments,
                     const Surroundings& surroundings) const;
  // The same for any other program; its own soundness is its author's business.
  Finished other_program(const std::vector<std::string>& command) const;

  // What a headless browser makes of a page with one more script at its end, which pushes texts to
  // `seen`: these. Empty without a browser: see has_browser().
  std::vector<std::string> seen_in_browser(const std::string& page,
                                           const std::string& script) const;
  bool has_browser() const { return other_program({"chromium", "--version"}).status == 0; }

  Surroundings here() const { return {.directory = folder()}; }
  const std::string& folder() const { return folder_.path(); }
  std::string path(std::string_view name) const { return folder() + "/" + std::string(name); }
  void write(std::string_view name, std::string_view bytes) const;
  std::string read(std::string_view name) const;

 private:
  support::TemporaryFolder folder_;
};

// Neither a crash nor a sanitizer's report nor a failed CHECK.
void expect_sound(const Finished& run);
// hardclock's own failure said in one line that contains every one of `words`; nothing on standard
// output.
void expect_complaint(const Finished& run, const std::vector<std::string>& words);

std::string read_file(const std::string& path);
std::vector<std::string> lines_of(std::string_view text);
bool contains(std::string_view text, std::string_view part);
// Every occurrence.
std::string replace(std::string text, std::string_view from, std::string_view to);

}  // namespace hardclock::cli_test
