// A program on a terminal of its own.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock::cli_test {

class OnTerminal {
 public:
  // In `folder`, on 80 columns and 24 rows. It is killed after two minutes. `environment` is set
  // beside the test's own.
  OnTerminal(const std::vector<std::string>& command, const std::string& folder,
             const std::vector<std::string>& environment = {}) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    struct ::winsize size {};
    size.ws_col = 80;
    size.ws_row = 24;
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    for (const std::string& variable : environment) ::putenv(const_cast<char*>(variable.c_str()));
    ::alarm(120);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  ~OnTerminal() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), ::waitpid(pid_, nullptr, 0);
    ::close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  const std::string& text() {
    struct ::pollfd poll {
      terminal_, POLLIN, 0
    };
    char buffer[4096];
    while (::poll(&poll, 1, 0) > 0) {
      const ssize_t size = ::read(terminal_, buffer, sizeof buffer);
      if (size <= 0) break;
      text_.append(buffer, static_cast<std::size_t>(size));
    }
    return text_;
  }
  void type(std::string_view keys) {
    ASSERT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  void resize(unsigned short columns, unsigned short rows) {
    struct ::winsize size {};
    size.ws_col = columns;
    size.ws_row = rows;
    ASSERT_EQ(::ioctl(terminal_, TIOCSWINSZ, &size), 0);
  }
  // Whether what is typed shows by itself, as at a shell.
  bool echoes() const {
    ::termios mode{};
    return ::tcgetattr(terminal_, &mode) == 0 && (mode.c_lflag & ECHO) != 0;
  }
  ::termios mode() const {
    ::termios mode{};
    EXPECT_EQ(::tcgetattr(terminal_, &mode), 0);
    return mode;
  }
  void send(int signal) const { ::kill(pid_, signal); }
  // The exit status; -1 for a crash. Reads the rest of the text.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
      text();
      ::usleep(5'000);
    }
    pid_ = -1;
    text();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string text_;
};

}  // namespace hardclock::cli_test
