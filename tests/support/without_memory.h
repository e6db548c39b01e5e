// What becomes of an act whose n-th allocation fails, for every n.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <new>

#include "tests/support/failing_new.h"

namespace hardclock::support {

// In a child process. True: `act` made fewer allocations. Destructors that find no memory end the
// process by std::terminate(), which hardclock does in order; any other end is a failure.
inline bool is_whole_without(unsigned long number, const std::function<void()>& act) {
  enum Ending { whole, out_of_memory };
  const ::pid_t child = ::fork();
  if (child == 0) {
    std::set_terminate([] { ::_exit(out_of_memory); });
    fail_new(number);
    try {
      act();
    } catch (const std::bad_alloc&) {
    }
    ::_exit(has_new_failed() ? out_of_memory : whole);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "allocation " << number << ", signal " << WTERMSIG(status);
  return !WIFEXITED(status) || WEXITSTATUS(status) == whole;
}

// `act` lets std::bad_alloc through, after it has destroyed what it made. Returns how many
// allocations it makes.
inline unsigned long allocations_that_may_fail(const std::function<void()>& act) {
  unsigned long number = 1;
  while (!is_whole_without(number, act)) ++number;
  return number - 1;
}

}  // namespace hardclock::support
