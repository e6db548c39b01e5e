#include "syscalls/host/outside_wait.h"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace hardclock::host {
namespace {

std::chrono::microseconds now() {
  ::timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::microseconds(static_cast<std::int64_t>(time.tv_nsec) / 1000);
}

}  // namespace

std::chrono::microseconds wait_for_files(std::span<::pollfd> files,
                                         std::optional<std::chrono::microseconds> most,
                                         const std::function<bool()>& is_over) {
  ::sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const auto start = now();
  if (!is_over()) {
    ::timespec limit{};
    if (most) {
      const auto seconds = std::chrono::floor<std::chrono::seconds>(*most);
      limit.tv_sec = seconds.count();
      limit.tv_nsec = std::chrono::nanoseconds(*most - seconds).count();
    }
    ::ppoll(files.data(), files.size(), most ? &limit : nullptr, &before);
  }
  const auto passed = now() - start;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return passed;
}

}  // namespace hardclock::host
