// What hardclock still does after it finds a bug in itself.
#pragma once

#include <functional>

namespace hardclock {

// After this call a failed CHECK ends hardclock with exit_failure instead of abort(), after its
// line and remove_leftovers().
void end_in_order_after_failed_checks();

// The same for a bug that a line has told of.
[[noreturn]] void end_after_bug();

// While it exists, a failed CHECK calls `words` before all that, so that results so far reach the
// user. Another CHECK that fails in it, or an exception, ends it.
class LastWords {
 public:
  explicit LastWords(std::function<void()> words);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
};

}  // namespace hardclock
