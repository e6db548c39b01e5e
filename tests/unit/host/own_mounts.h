// A part of a test in a mount name space of its own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

namespace hardclock::host {

// True when what follows may mount; the host sees nothing of it.
inline bool enter_own_mounts() {
  const std::string map = "0 " + std::to_string(::getuid()) + " 1";
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) != 0) return false;
  const int file = ::open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
  const bool mapped = file >= 0 && ::write(file, map.data(), map.size()) > 0;
  ::close(file);
  return mapped && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// Runs `part` in a child process with mounts of its own; its failed expectations are this test's,
// and what it prints says which. False: the host does not allow such mounts, skip the test.
inline bool with_own_mounts(const std::function<void()>& part) {
  constexpr int unavailable = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    if (!enter_own_mounts()) std::_Exit(unavailable);
    part();
    std::fflush(stdout);
    std::_Exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == unavailable) return false;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "see above; status " << status;
  return true;
}

}  // namespace hardclock::host
