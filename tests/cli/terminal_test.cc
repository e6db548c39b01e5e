// A guest at a terminal: its settings, its window, the signals of its keys, its jobs; and the
// user's terminal, which looks as before when hardclock has ended.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <termios.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/cli/happens.h"
#include "tests/cli/on_terminal.h"

namespace hardclock::cli_test {
namespace {

class AtTerminal : public CommandTest {
 protected:
  static std::vector<std::string> command(const std::string& abi, const std::string& what,
                                          const std::vector<std::string>& options = {}) {
    std::vector<std::string> all = {hardclock_path(), "run", "--timing=functional"};
    all.insert(all.end(), options.begin(), options.end());
    all.push_back(cli_guest("terminal_" + abi));
    all.push_back(what);
    return all;
  }
  // Whether the text shows at the terminal within a minute.
  static bool shows(OnTerminal& terminal, const std::string& text) {
    return happens([&] { return contains(terminal.text(), text); });
  }
};

// With the numbers and layouts of each architecture's own headers.
class OfEachAbi : public AtTerminal, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Linux, OfEachAbi, testing::Values("o32", "o32el", "n64", "hppa"),
                         [](const auto& abi) { return abi.param; });

TEST_P(OfEachAbi, StandardFilesAreTheTerminal) {
  OnTerminal terminal(command(GetParam(), "ask"), folder());
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_EQ(terminal.text(),
            "terminals 1 1 1\r\nforeground 1 tty 1\r\nname /dev/tty\r\nwindow 80 x 24\r\n");
}

TEST_P(OfEachAbi, SettingsAreTheTerminals) {
  OnTerminal terminal(command(GetParam(), "settings"), folder());
  ASSERT_TRUE(shows(terminal, "tostop 1"));
  EXPECT_TRUE(contains(terminal.text(),
                       "icrnl 1 istrip 0 onlcr 1 cstopb 0 icanon 1 echo 1 tostop 0\r\n"
                       "intr 3 eof 4 susp 26 min 1 time 0 bits 8 speed 38400\r\n"))
      << terminal.text();
  ASSERT_TRUE(shows(terminal,
                    "icrnl 0 istrip 1 onlcr 0 cstopb 1 icanon 0 echo 0 tostop 1\n"
                    "intr 105 eof 101 susp 115 min 3 time 0 bits 8 speed 38400\n"))
      << terminal.text();
  const ::termios mode = terminal.mode();
  EXPECT_EQ(mode.c_iflag & (ICRNL | ISTRIP | IXANY), unsigned{ISTRIP | IXANY});
  EXPECT_EQ(mode.c_oflag & (OPOST | ONLCR), unsigned{OPOST});
  EXPECT_EQ(mode.c_cflag & CSTOPB, unsigned{CSTOPB});
  EXPECT_EQ(mode.c_lflag & (ICANON | ECHO | TOSTOP | ISIG), unsigned{TOSTOP | ISIG});
  EXPECT_EQ(mode.c_cc[VINTR], 'i');
  EXPECT_EQ(mode.c_cc[VEOF], 'e');
  EXPECT_EQ(mode.c_cc[VSUSP], 's');
  EXPECT_EQ(mode.c_cc[VMIN], 3);
  terminal.type("xyz");
  EXPECT_EQ(terminal.wait(), 5);
  EXPECT_TRUE(terminal.echoes());
  EXPECT_EQ(terminal.mode().c_cc[VINTR], 3);
  EXPECT_EQ(terminal.mode().c_iflag & ICRNL, unsigned{ICRNL});
}

TEST_P(OfEachAbi, KeysComeOneByOneInRawMode) {
  OnTerminal terminal(command(GetParam(), "raw"), folder());
  ASSERT_TRUE(shows(terminal, "raw\r\n"));
  EXPECT_FALSE(terminal.echoes());
  terminal.type("a");
  EXPECT_TRUE(shows(terminal, "<97>"));
  terminal.type("\003\032\r");
  EXPECT_TRUE(shows(terminal, "<3><26><13>"));
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(terminal.echoes());
}

TEST_P(OfEachAbi, ReadGivesUpAfterVtime) {
  OnTerminal terminal(command(GetParam(), "time"), folder());
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(contains(terminal.text(), "nothing came")) << terminal.text();
}

TEST_P(OfEachAbi, KeysSendSignals) {
  OnTerminal terminal(command(GetParam(), "signals"), folder());
  ASSERT_TRUE(shows(terminal, "ready"));
  terminal.type("\003");
  EXPECT_TRUE(shows(terminal, "got SIGINT"));
  terminal.type("\034");
  EXPECT_TRUE(shows(terminal, "got SIGQUIT"));
  ::usleep(700'000);
  terminal.type("\003");
  EXPECT_TRUE(happens([&] {
    const std::string& text = terminal.text();
    return text.find("got SIGINT", text.find("got SIGQUIT")) != std::string::npos;
  }));
  ::usleep(700'000);
  terminal.type("\003");
  ::usleep(50'000);
  terminal.type("\003");
  EXPECT_EQ(terminal.wait(), 128 + SIGINT);
}

// O_ASYNC
TEST_P(OfEachAbi, InputIsTold) {
  OnTerminal terminal(command(GetParam(), "news"), folder());
  ASSERT_TRUE(shows(terminal, "ready"));
  terminal.type("a line\r");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(contains(terminal.text(), "told of a line\r\n")) << terminal.text();
}

TEST_P(OfEachAbi, WindowChangesAreTold) {
  OnTerminal terminal(command(GetParam(), "window"), folder());
  ASSERT_TRUE(shows(terminal, "window 80 x 24\r\n"));
  terminal.resize(100, 30);
  EXPECT_TRUE(shows(terminal, "window 100 x 30 now\r\n"));
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_P(OfEachAbi, BackgroundJobsStopWhenTheyRead) {
  OnTerminal terminal(command(GetParam(), "read"), folder());
  ASSERT_TRUE(shows(terminal, "stopped by SIGTTIN 1 SIGTTOU 0\r\n"));
  terminal.type("ab\r");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(contains(terminal.text(), "status 5")) << terminal.text();
}

TEST_P(OfEachAbi, BackgroundJobsStopWhenTheyChangeTheTerminal) {
  OnTerminal terminal(command(GetParam(), "set"), folder());
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(contains(terminal.text(), "stopped by SIGTTIN 0 SIGTTOU 1\r\nstatus 5\r\n"))
      << terminal.text();
}

// By the requests and structures of its own.
class OfOlderSystem : public AtTerminal, public testing::WithParamInterface<std::string> {
 protected:
  static std::vector<std::string> raw_key(const std::vector<std::string>& options = {}) {
    std::vector<std::string> all = {hardclock_path(), "run", "--os=" + GetParam()};
    all.insert(all.end(), options.begin(), options.end());
    all.push_back(cli_guest("raw_key_" + GetParam()));
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Systems, OfOlderSystem,
                         testing::Values("v7", "4.3bsd", "4.4bsd", "irix", "solaris"),
                         [](const auto& system) { return replace(system.param, ".", "_"); });

TEST_P(OfOlderSystem, TakesAKeyAtOnce) {
  OnTerminal terminal(raw_key(), folder());
  ASSERT_TRUE(shows(terminal, "key?"));
  EXPECT_FALSE(terminal.echoes());
  EXPECT_EQ(terminal.mode().c_lflag & (ICANON | ISIG), unsigned{ISIG});
  terminal.type("k");
  EXPECT_EQ(terminal.wait(), 'k');
  EXPECT_EQ(terminal.text(), "key?");
  EXPECT_TRUE(terminal.echoes());
}

TEST_P(OfOlderSystem, HasNoTerminalIfTheUserSaysSo) {
  OnTerminal terminal(raw_key({"--no-terminal"}), folder());
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_EQ(terminal.text(), "no terminal\r\n");
}

TEST_F(AtTerminal, NoTerminalIfTheUserSaysSo) {
  OnTerminal terminal(command("o32", "lacks", {"--no-terminal"}), folder());
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_EQ(terminal.text(), "terminals 0 0 lacks 1 tty 0\r\n");
}

// Redirected output is not the user's screen: the run is as without a terminal.
TEST_F(AtTerminal, NoTerminalIfOutputIsAFile) {
  std::string line;
  for (const std::string& word : command("o32", "lacks")) line += word + " ";
  OnTerminal terminal({"/bin/sh", "-c", line + "> out"}, folder());
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_EQ(read("out"), "terminals 0 0 lacks 1 tty 0\n");
}

TEST_F(AtTerminal, IsRestoredWhenHardclockIsKilled) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    OnTerminal terminal(command("o32", "spin"), folder());
    ASSERT_TRUE(shows(terminal, "ready"));
    EXPECT_FALSE(terminal.echoes());
    terminal.send(signal);
    EXPECT_EQ(terminal.wait(), 128 + signal);
    EXPECT_TRUE(terminal.echoes());
  }
}

TEST_F(AtTerminal, IsRestoredAtALimit) {
  OnTerminal terminal(command("o32", "spin", {"--max-seconds=1"}), folder());
  ASSERT_TRUE(shows(terminal, "ready"));
  EXPECT_EQ(terminal.wait(), 125);
  EXPECT_TRUE(terminal.echoes());
}

// Two signals at once end hardclock where it is.
TEST_F(AtTerminal, IsRestoredWhenHardclockEndsAtOnce) {
  OnTerminal terminal(command("o32", "spin"), folder());
  ASSERT_TRUE(shows(terminal, "ready"));
  terminal.send(SIGTERM);
  terminal.send(SIGTERM);
  EXPECT_EQ(terminal.wait(), 128 + SIGTERM);
  EXPECT_TRUE(terminal.echoes());
}

// A lone program stops as any other of the user's shell does: hardclock stops with it, and the
// shell finds its terminal as it was.
TEST_F(AtTerminal, StopsWithTheGuest) {
  std::string line = "set -m; ";
  for (const std::string& word : command("o32", "stop")) line += word + " ";
  OnTerminal terminal({"/bin/sh", "-c", line + "; echo stopped $?; fg; echo ended $?"}, folder());
  ASSERT_TRUE(shows(terminal, "ready\r\n"));
  EXPECT_FALSE(terminal.echoes());
  terminal.type("\032");
  ASSERT_TRUE(shows(terminal, "stopped 148")) << terminal.text();
  ASSERT_TRUE(shows(terminal, "goes on")) << terminal.text();
  EXPECT_FALSE(terminal.echoes());
  terminal.type("x");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(contains(terminal.text(), "ended 3")) << terminal.text();
  EXPECT_TRUE(terminal.echoes());
}

}  // namespace
}  // namespace hardclock::cli_test
