// Programs with a thread that waits, for each kind of wait at least one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {

// Its first process exits with 5 when the wait has ended as it should.
struct WaitingProgram {
  Program program;
  std::string description;  // describe()'s, of the wait
};
std::vector<WaitingProgram> waiting_programs();

// ---- For Linux.
inline constexpr std::uint32_t o_rdonly = 0, o_wronly = 1;
// The child begins at the label.
void fork_linux(Program& program, Label child);
// The FIFO "/tmp/f"; where its name is.
std::uint32_t make_fifo(Program& program);

}  // namespace hardclock::posix::testing
