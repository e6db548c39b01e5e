// The program that the guest backend runs: it makes one system call after the other, as it is told
// through its registers, and waits in between.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"
#include "syscalls/conform/guest_code.h"

namespace hardclock::conform {

// Where the agent lies: a page of code, pages of data behind it.
struct AgentLayout {
  GuestAddr code;
  std::uint64_t call_bytes = 0;         // of the code that makes a call
  std::uint64_t data_size = page_size;  // bytes, whole pages

  std::uint64_t size() const { return page_size + data_size; }
  GuestAddr call() const { return code; }               // makes the call
  GuestAddr rest() const { return code + call_bytes; }  // a loop: waits to be told
  GuestAddr data() const { return code + page_size; }
};

// The agent as a static executable file, which starts at rest().
std::vector<std::uint8_t> agent_file(const AgentLayout& layout, const GuestCode& code);

}  // namespace hardclock::conform
