// The program that the guest backend runs: it makes system calls one after another, as its
// registers say, and waits in between.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"
#include "syscalls/conform/guest_code.h"

namespace hardclock::conform {

// Where the agent lies: a page of code, followed by pages of data.
struct AgentLayout {
  GuestAddr code;
  std::uint64_t call_bytes = 0;         // of the code that makes a call
  std::uint64_t data_size = page_size;  // bytes, whole pages

  std::uint64_t size() const { return page_size + data_size; }
  GuestAddr call() const { return code; }               // makes the call
  GuestAddr rest() const { return code + call_bytes; }  // a loop that waits for orders
  GuestAddr data() const { return code + page_size; }
};

// The agent as a static executable file, which starts at rest().
std::vector<std::uint8_t> agent_file(const AgentLayout& layout, const GuestCode& code);

}  // namespace hardclock::conform
