// What hardclock still does after it finds a bug in itself, or no memory where nobody can be told:
// destructors of libraries allocate (nlohmann::json's fill a stack), and what they throw goes to
// std::terminate().
#pragma once

#include <functional>

namespace hardclock {

// After this call a failed CHECK, and std::bad_alloc that nobody may catch, end hardclock with
// exit_failure instead of abort(), after its line and remove_leftovers().
void end_in_order_after_failures();

// Ends hardclock in that order, for a bug that a line has told of.
[[noreturn]] void end_after_bug();

// While it exists, `words` are called before all that, so that results so far reach the user.
// Another such failure in them, or an exception, ends hardclock.
class LastWords {
 public:
  // Of the way in which the run ends: "internal error", "out of memory".
  using Words = std::function<void(const char* ending)>;

  explicit LastWords(Words words);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
};

}  // namespace hardclock
