// A part of a test that ruins its process: descriptors, limits, signals.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace hardclock::host {

// Runs `body` in a child process that ends without destructors; its exit status, or 128 and the
// signal that ended it.
template <class Body>
int in_child(const Body& body) {
  const ::pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace hardclock::host
