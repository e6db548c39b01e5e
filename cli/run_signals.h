// The signals of a run: how its user ends it and asks for its status; and the limit on host time.
#pragma once

#include <chrono>

namespace hardclock {

// Takes over SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGUSR1. The first of the four terminating ones
// asks the run to end, and wakes it where it waits for the host; the second ends hardclock at once,
// after remove_leftovers(); the third does not wait for that. A SIGHUP that is ignored stays
// ignored, as nohup(1) wants it. Call it before anything that takes long.
void take_signals();

// From now on SIGINT, SIGQUIT, SIGTSTP, SIGWINCH and SIGCONT are kept for the guest; the first two
// and the third, a second time within half a second, ask the run to end and hardclock to stop.
void give_signals_to_guest();
// Whether one of them has come since it was last taken.
bool take_for_guest(int signal);
bool take_stop_request();
// Whether the function of Simulation::on_poll() has something to do.
bool is_to_be_polled();
// As if a terminating signal had come.
void end_run(int signal);

// Starts a limit of `most` host time, after which the run is asked to end as by a signal. Returns
// false if the host has no timer for that.
bool limit_host_time(std::chrono::microseconds most);

// The first of the four that came, or 0.
int ending_signal();
bool is_time_up();
// Whether the user or the time limit wants the run to end.
inline bool is_to_end() {
  return ending_signal() != 0 || is_time_up();
}

// As shells spell it: 128+N.
inline constexpr int status_of_signal(int signal) {
  return 128 + signal;
}

// Whether SIGUSR1 came since the last call.
bool take_status_request();

}  // namespace hardclock
