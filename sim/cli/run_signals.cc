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

::timer_t wake_up_timer;
bool has_timer = false;
// A run that is to end may be about to wait for the host: it is woken again and again.
constexpr std::chrono::milliseconds wake_up_interval{100};

::timespec timespec_of(std::chrono::microseconds time) {
  constexpr long nanoseconds = 1000;
  return {.tv_sec = static_cast<std::time_t>(time.count() / 1'000'000),
          .tv_nsec = static_cast<long>(time.count() % 1'000'000) * nanoseconds};
}

void wake_up_in(std::chrono::microseconds time) {
  if (!has_timer) return;
  const ::itimerspec when = {.it_interval = timespec_of(wake_up_interval),
                             .it_value = timespec_of(time)};
  ::timer_settime(wake_up_timer, 0, &when, nullptr);
}

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
  wake_up_in(wake_up_interval);
  errno = error;
}

extern "C" void wake_up(int) {
  if (end_signal != 0) return;
  time_up = 1;
  host::stop_waiting();
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
  handle(SIGRTMIN, wake_up, 0);
  ::sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  has_timer = ::timer_create(CLOCK_MONOTONIC, &event, &wake_up_timer) == 0;
  // Calls of the host that wait are interrupted, so that Ctrl-C works while the guest reads.
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) handle(signal, want_end, SA_NODEFER);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, want_end, SA_NODEFER);
}

bool limit_host_time(std::chrono::microseconds most) {
  if (!is_to_end()) wake_up_in(most);
  return has_timer;
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
