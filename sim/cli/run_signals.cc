#include "sim/cli/run_signals.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "sim/cli/leftovers.h"
#include "syscalls/host/host_file.h"

namespace hardclock {
namespace {

volatile std::sig_atomic_t status_wanted = 0;
volatile std::sig_atomic_t end_signal = 0;
volatile std::sig_atomic_t time_up = 0;
volatile std::sig_atomic_t ending_at_once = 0;

// SIGALRM may be the user's own time limit; host::stop_waiting() also uses it.
const int time_signal = SIGRTMIN;

extern "C" void want_status(int) {
  status_wanted = 1;
}

void end_at_once(int signal) {
  if (ending_at_once == 0) {
    ending_at_once = 1;
    remove_leftovers();
  }
  std::_Exit(status_of_signal(signal));
}

extern "C" void want_end(int signal) {
  const int error = errno;
  if (end_signal != 0) end_at_once(signal);
  end_signal = signal;
  host::stop_waiting();
  errno = error;
}

extern "C" void end_of_time(int) {
  const int error = errno;
  time_up = 1;
  host::stop_waiting();
  errno = error;
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void take_signals() {
  handle(SIGUSR1, want_status, SA_RESTART);
  // Calls of the host that wait are interrupted, so that Ctrl-C works while the guest reads.
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) handle(signal, want_end, SA_NODEFER);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, want_end, SA_NODEFER);
}

bool limit_host_time(std::chrono::microseconds most) {
  handle(time_signal, end_of_time, 0);
  ::sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = time_signal;
  ::timer_t timer;
  if (::timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return false;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(most);
  const std::chrono::nanoseconds rest = most - seconds;
  ::itimerspec once = {};
  once.it_value = {.tv_sec = seconds.count(), .tv_nsec = rest.count()};
  return ::timer_settime(timer, 0, &once, nullptr) == 0;
}

int ending_signal() {
  return end_signal;
}

bool is_time_up() {
  return time_up != 0;
}

bool take_status_request() {
  const bool wanted = status_wanted != 0;
  status_wanted = 0;
  return wanted;
}

}  // namespace hardclock
