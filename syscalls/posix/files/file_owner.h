// Whom the signals go to that tell of a file's news (SIGIO) and of urgent bytes (SIGURG): F_SETOWN.
#pragma once

#include <cstdint>

#include "syscalls/posix/credentials.h"

namespace hardclock::posix {

struct FileOwner {
  enum class Kind : std::uint8_t { nobody, thread, process, group };
  Kind kind = Kind::nobody;
  int id = 0;          // of the process, the thread's too, or of the group
  int thread = 0;      // Thread::id
  Credentials setter;  // who made it the owner: the signal comes with these rights
  static constexpr std::size_t state_members = 4;

  // As F_GETOWN has it: a group's is negative, and nobody's 0.
  int number() const { return kind == Kind::group ? -id : id; }
};

}  // namespace hardclock::posix
