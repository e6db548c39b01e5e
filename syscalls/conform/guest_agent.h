// The program that the guest backend runs: it makes one system call after the other, as it is told
// through its registers, and waits in between.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"

namespace hardclock::conform {

// Where the agent lies: a page of code, pages of data behind it.
struct AgentLayout {
  GuestAddr code;
  std::uint64_t data_size = page_size;  // bytes, whole pages

  std::uint64_t size() const { return page_size + data_size; }
  GuestAddr call() const { return code; }      // the system call instruction
  GuestAddr rest() const { return code + 4; }  // a branch to itself: waits to be told
  GuestAddr data() const { return code + page_size; }
};

// The instruction words of a branch to itself, with its delay slot, and of a system call.
inline constexpr std::uint32_t kBranchToSelf = 0x1000ffff;
inline constexpr std::uint32_t kNop = 0;
inline constexpr std::uint32_t kSystemCall = 0x0000000c;

// The agent as a static ELF file for a 32-bit big-endian MIPS that starts at rest().
std::vector<std::uint8_t> agent_file(const AgentLayout& layout);

}  // namespace hardclock::conform
