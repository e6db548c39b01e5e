// Calls that wait for the host, and the signal that ends the run.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "syscalls/host/host_file.h"

namespace hardclock::host {
namespace {

constexpr int pipe_size = 1 << 16;  // pipe(7)
constexpr auto patience = std::chrono::seconds(60);

// A child process that waits for one end of a pipe whose other end stays as it is.
class Waiting {
 public:
  enum class End : bool { empty_for_reader, full_for_writer };
  // `unnoticed` is one that does not interrupt the wait: it comes a moment before.
  enum class Signal : std::uint8_t { earlier, unnoticed, during_the_wait };

  Waiting(End end, int pipe_flags, Signal signal) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, pipe_flags), 0);
    child_ = ::fork();
    if (child_ != 0) {
      ::close(ends[0]);
      ::close(ends[1]);
      return;
    }
    struct ::sigaction action = {};
    action.sa_handler = [](int) { stop_waiting(); };
    ::sigaction(SIGTERM, &action, nullptr);
    if (signal == Signal::earlier) stop_waiting();
    if (signal == Signal::unnoticed) std::thread(stop_in_other_thread).detach();
    ::_exit(wait_at(end, ends));
  }
  ~Waiting() {
    if (child_ > 0) ::kill(child_, SIGKILL), ::waitpid(child_, nullptr, 0);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  // Sends the signal once the child sleeps in the host's kernel.
  void interrupt() const {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!is_asleep() && std::chrono::steady_clock::now() < end) ::usleep(1000);
    ::kill(child_, SIGTERM);
  }
  // The exit status; -1: it still waits.
  int status() {
    int status = 0;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) return -1;
      ::usleep(1000);
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static void stop_in_other_thread() {
    ::sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    ::usleep(100'000);
    stop_waiting();
  }
  static int wait_at(End end, const int (&ends)[2]) {
    const auto records = std::make_shared<FileRecords>();
    std::vector<std::uint8_t> bytes(2 * pipe_size, 'x');
    const auto moved =
        end == End::empty_for_reader
            ? HostFile::of_host(Descriptor(ends[0]), {.read = true}, records).read(bytes)
            : HostFile::of_host(Descriptor(ends[1]), {.write = true}, records).write(bytes);
    return !moved && moved.error() == Error::again ? 0 : 1;
  }
  // proc(5), /proc/PID/stat: the state follows the name in parentheses.
  bool is_asleep() const {
    std::ifstream file("/proc/" + std::to_string(child_) + "/stat");
    std::string text;
    std::getline(file, text);
    return text.find(") S ") != text.npos;
  }

  ::pid_t child_ = -1;
};

class WaitingForTheHost : public ::testing::TestWithParam<std::tuple<Waiting::End, int>> {
 protected:
  Waiting waiting(Waiting::Signal signal) const {
    return Waiting(std::get<0>(GetParam()), std::get<1>(GetParam()), signal);
  }
};

TEST_P(WaitingForTheHost, EndsAtASignal) {
  Waiting child = waiting(Waiting::Signal::during_the_wait);
  child.interrupt();
  EXPECT_EQ(child.status(), 0);
}

TEST_P(WaitingForTheHost, DoesNotBeginAfterASignal) {
  EXPECT_EQ(waiting(Waiting::Signal::earlier).status(), 0);
}

TEST_P(WaitingForTheHost, EndsThoughTheSignalCameBetweenLookingAndWaiting) {
  EXPECT_EQ(waiting(Waiting::Signal::unnoticed).status(), 0);
}

INSTANTIATE_TEST_SUITE_P(Pipes, WaitingForTheHost,
                         ::testing::Combine(::testing::Values(Waiting::End::empty_for_reader,
                                                              Waiting::End::full_for_writer),
                                            ::testing::Values(0, O_NONBLOCK)));

}  // namespace
}  // namespace hardclock::host
