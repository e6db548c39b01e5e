// Where a system puts things in the memory of its programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/units.h"
#include "sim/memory/page.h"

namespace hardclock::posix {

// Addresses and sizes in bytes.
struct Layout {
  GuestAddr user_end;   // the highest user address plus one
  GuestAddr stack_top;  // the stack ends here, or where it grows up, may not grow further
  std::uint64_t initial_stack = 0;
  std::uint64_t stack_limit = 0;  // it may grow to this size
  // Where mappings without an address go, in this order.
  struct Range {
    GuestAddr low, high;
  };
  std::span<const Range> mappings;
  std::size_t argument_bytes = 0;  // of argument and environment strings that exec accepts
  GuestAddr shared_program = {};   // a program without an address of its own goes here
  // The page as programs know it, a power of two and a multiple of hardclock's own: images and
  // mappings begin at one, and end at one.
  std::uint64_t page_bytes = page_size;

  bool is_page(GuestAddr address) const { return (address.value() & (page_bytes - 1)) == 0; }
  std::uint64_t page_of(std::uint64_t address) const { return address & ~(page_bytes - 1); }
  // To whole pages, at most 2^64 bytes less one page.
  std::uint64_t round_up(std::uint64_t bytes) const {
    const std::uint64_t last = page_bytes - 1;
    return page_of(bytes > ~last ? bytes : bytes + last);
  }
};

}  // namespace hardclock::posix
