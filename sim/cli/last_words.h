// What hardclock still does when it finds a bug in itself.
#pragma once

#include <functional>

namespace hardclock {

// From now on a failed CHECK ends hardclock with kExitFailure instead of abort(), after its line
// and remove_leftovers().
void end_in_order_after_failed_checks();

// While it exists, a failed CHECK is followed by `words`, before all that: what is known goes to
// whoever asked for it. Another CHECK that fails in it, or an exception, ends it.
class LastWords {
 public:
  explicit LastWords(std::function<void()> words);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
};

}  // namespace hardclock
