#include "cli/run_signals.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "cli/leftovers.h"
#include "syscalls/host/host_file.h"
#include "syscalls/host/terminal.h"

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
    host::restore_terminal();
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

// A signal that is the guest's, and whether it has come since the guest was told.
struct OfGuest {
  int signal;
  volatile std::sig_atomic_t has_come = 0;
  ::timespec last = {};  // when; zeros: never
};
OfGuest of_guest[] = {{SIGINT}, {SIGQUIT}, {SIGTSTP}, {SIGWINCH}, {SIGCONT}};
volatile std::sig_atomic_t stop_wanted = 0;

OfGuest& of_guest_by(int signal) {
  return *std::ranges::find(of_guest, signal, &OfGuest::signal);
}

// Pressed twice quickly, a key is meant for hardclock.
bool is_second(OfGuest& kept) {
  constexpr std::int64_t quickly = 500'000'000, second = 1'000'000'000;  // nanoseconds
  ::timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const ::timespec before = kept.last;
  kept.last = now;
  return before.tv_sec != 0 &&
         (now.tv_sec - before.tv_sec) * second + now.tv_nsec - before.tv_nsec < quickly;
}

extern "C" void keep_for_guest(int signal) {
  const int error = errno;
  OfGuest& kept = of_guest_by(signal);
  const bool ends = signal == SIGINT || signal == SIGQUIT;
  if (ends && end_signal != 0) end_at_once(signal);
  const bool again = (ends || signal == SIGTSTP) && is_second(kept);
  if (again && ends) {
    want_end(signal);
  } else if (again) {
    stop_wanted = 1;
  } else {
    kept.has_come = 1;
  }
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

void give_signals_to_guest() {
  for (const OfGuest& each : of_guest) handle(each.signal, keep_for_guest, SA_RESTART);
}

bool is_to_be_polled() {
  return status_wanted != 0 || stop_wanted != 0 ||
         std::ranges::any_of(of_guest, [](const OfGuest& each) { return each.has_come != 0; });
}

bool take_for_guest(int signal) {
  OfGuest& kept = of_guest_by(signal);
  const bool has_come = kept.has_come != 0;
  kept.has_come = 0;
  return has_come;
}

bool take_stop_request() {
  const bool wanted = stop_wanted != 0;
  stop_wanted = 0;
  return wanted;
}

void end_run(int signal) {
  want_end(signal);
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
