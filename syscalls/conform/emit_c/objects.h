// The memory objects of a case as counters: a case file looks at memory as big-endian elements, a C
// program at the counters that the kernel has in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// How the calls of a case see one of its objects.
struct CounterView {
  unsigned width = 2;     // bytes of a counter: 2, 4 or 8
  unsigned skew = 0;      // bytes in front of the first counter; below width
  bool is_paged = false;  // it is unmapped or protected at some time
  bool is_far = false;    // some call has counters in front of it or behind it, too
};

using Counters = std::map<std::uint64_t, std::uint64_t>;  // index -> value

// Of each object of the case, in its order; the error is why a program cannot have such memory.
Result<std::vector<CounterView>, std::string> counter_views(const Case& of);

// What the counters hold when the object's elements, of `element_width` bytes, are these. The error
// is a reason as above: bytes that belong to no counter.
Result<Counters, std::string> counters_of(const MemoryObject& object, const CounterView& view,
                                          const Elements& elements, unsigned element_width);

// The bytes of a counter that the call makes, if it succeeds; else 0.
unsigned counter_width(const Case& of, const Call& call);

// The object that counters at `base` lie in, or that some of the `size` bytes from there reach.
const MemoryObject* object_reached(const Case& of, GuestAddr base, std::uint64_t size);

}  // namespace hardclock::conform
