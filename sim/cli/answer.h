// How a command speaks: its answer on standard output, its complaint on standard error.
#pragma once

#include <string>
#include <string_view>

namespace hardclock {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 125;  // hardclock's own errors; see the manual page

// Prints "hardclock: MESSAGE" and returns kExitFailure, for `return complain(...)`.
int complain(std::string_view message);

// The answer of a command, buffered. Writing to a closed or full standard output is an error like
// any other: after the first one nothing more is written. Needs SIGPIPE ignored.
class Answer {
 public:
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // False when an earlier write failed: the caller may stop producing.
  bool write(std::string_view text);
  // Writes what is left. The command's exit status: kExitOk, or kExitFailure after one complaint.
  int finish();

 private:
  void flush();

  std::string waiting_;
  int error_ = 0;  // errno of the first write that failed
};

// All of a short answer.
int answer(std::string_view text);

}  // namespace hardclock
