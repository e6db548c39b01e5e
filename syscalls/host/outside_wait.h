// Waiting for what happens outside the simulation.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <optional>
#include <span>

namespace hardclock::host {

// Waits until one of the files is ready, a signal's handler has run, or `most` is over (nullopt:
// never); returns how long that took. `is_over` is asked when no signal can come between the answer
// and the waiting.
std::chrono::microseconds wait_for_files(std::span<::pollfd> files,
                                         std::optional<std::chrono::microseconds> most,
                                         const std::function<bool()>& is_over);

}  // namespace hardclock::host
