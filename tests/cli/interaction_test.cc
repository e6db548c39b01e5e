// What a user sees while a program runs, and the signals a user sends. A program that never ends
// stands for one that takes long.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/cli/happens.h"
#include "tests/cli/on_terminal.h"

namespace hardclock::cli_test {
namespace {

class Interaction : public CommandTest {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {hardclock_path(), "run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
  // Until hardclock runs the guest, its signals have their defaults. The trace shows that it does.
  static bool has_started(const std::string& trace) { return gets_bytes(trace); }
};

TEST_F(Interaction, Usr1ShowsTheStatus) {
  Child child(command({"--trace=t", guest("spin")}), here());
  ASSERT_TRUE(has_started(path("t")));
  child.send(SIGUSR1);
  EXPECT_TRUE(happens([&] { return contains(child.err(), "\n"); }));
  child.send(SIGTERM);
  const Finished run = child.wait();
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.starts_with("hardclock: ")) << run.err;
  EXPECT_TRUE(contains(run.err, "s simulated")) << run.err;
  EXPECT_TRUE(contains(run.err, "instructions")) << run.err;
  EXPECT_EQ(run.out, "");
}

// The statuses of shells: SIGHUP is 1, SIGINT 2, SIGQUIT 3, SIGTERM 15.
TEST_F(Interaction, SignalsEndTheRunInGoodOrder) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    Child child(
        command({"--trace=t", "--stats=s.json", "--profile=p.json", "--explain=e", guest("spin")}),
        here());
    ASSERT_TRUE(has_started(path("t")));
    child.send(signal);
    const Finished run = child.wait();
    expect_sound(run);
    EXPECT_EQ(run.status, 128 + signal);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(nlohmann::json::parse(read("s.json")).at("outcome"), "interrupted");
    EXPECT_FALSE(nlohmann::json::parse(read("p.json")).at("processes").empty());
    ::unlink(path("t").c_str());
  }
}

// The guest waits for input that does not come.
TEST_F(Interaction, InterruptWhileTheGuestReads) {
  ASSERT_EQ(::mkfifo(path("input").c_str(), 0666), 0);
  const int writer = ::open(path("input").c_str(), O_RDWR);
  Surroundings with_input = here();
  with_input.input = path("input");
  Child child(command({"--trace=t", "--stats=s.json", cli_guest("copy")}), with_input);
  ASSERT_TRUE(::write(writer, "x\n", 2) == 2);
  ASSERT_TRUE(happens([&] { return child.out() == "x\n"; }));
  ::usleep(100'000);
  child.send(SIGINT);
  bool ended = false;
  // One Ctrl-C must do; the second, which ends hardclock at once, is only so that the test ends.
  ended = gets_bytes(path("s.json"));
  child.send(SIGINT);
  const Finished run = child.wait();
  EXPECT_TRUE(ended);
  EXPECT_EQ(run.status, 128 + SIGINT);
  ::close(writer);
}

TEST_F(Interaction, NothingButTheGuestWithoutATerminal) {
  Child child(command({guest("spin")}), here());
  ::usleep(3'000'000);
  EXPECT_EQ(child.err(), "");
  EXPECT_EQ(child.out(), "");
  child.send(SIGTERM);
  child.wait();
}

// What a terminal shows in the end of text with carriage returns and "erase to end of line"
// (ECMA-48 EL, ESC [ K).
std::string shown(const std::string& text) {
  std::string lines, line;
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      lines += line + "\n";
      line.clear();
      column = 0;
    } else if (text[i] == '\r') {
      column = 0;
    } else if (text.compare(i, 3, "\033[K") == 0) {
      line.resize(column);
      i += 2;
    } else {
      line.resize(std::max(line.size(), column + 1), ' ');
      line[column++] = text[i];
    }
  }
  return lines + line;
}

TEST_F(Interaction, TerminalShowsProgressAndTakesItAway) {
  const auto start = std::chrono::steady_clock::now();
  OnTerminal terminal(command({guest("spin")}), folder());
  ASSERT_TRUE(happens([&] { return contains(terminal.text(), "simulated"); })) << terminal.text();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1500));
  EXPECT_FALSE(contains(terminal.text(), "\n")) << "the status is one line that is written over";
  terminal.type("\003");
  EXPECT_EQ(terminal.wait(), 128 + SIGINT);
  EXPECT_FALSE(contains(shown(terminal.text()), "simulated"));
}

// The guest's own lines stay whole: progress.c writes a dot every 20 million instructions or so,
// and a new line after ten.
TEST_F(Interaction, GuestsLinesStayWhole) {
  OnTerminal terminal(command({cli_guest("progress")}), folder());
  ASSERT_TRUE(happens([&] { return contains(terminal.text(), "simulated"); })) << terminal.text();
  const std::size_t seen = terminal.text().rfind("simulated");
  ASSERT_TRUE(happens([&] { return contains(terminal.text().substr(seen), "..........\r\n"); }));
  terminal.type("\003");
  EXPECT_EQ(terminal.wait(), 128 + SIGINT);
  auto lines = lines_of(shown(terminal.text()));
  ASSERT_GT(lines.size(), 1U);
  lines.pop_back();
  for (const std::string& line : lines) EXPECT_EQ(line, "..........");
}

TEST_F(Interaction, MessagesStandAloneOnATerminal) {
  OnTerminal terminal(command({"--stats", guest("spin")}), folder());
  ASSERT_TRUE(happens([&] { return contains(terminal.text(), "simulated"); })) << terminal.text();
  terminal.type("\003");
  EXPECT_EQ(terminal.wait(), 128 + SIGINT);
  const auto lines = lines_of(shown(terminal.text()));
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines[0].starts_with("cpu ") || lines[0].starts_with("^Ccpu ")) << lines[0];
}

}  // namespace
}  // namespace hardclock::cli_test
