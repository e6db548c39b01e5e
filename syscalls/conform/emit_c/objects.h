// The memory objects of a case as counters: a case file reads memory as big-endian elements, a C
// program reads the counters that the kernel keeps in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// How the calls of a case use one of its objects.
struct CounterView {
  unsigned width = 2;     // bytes of a counter: 2, 4 or 8
  unsigned skew = 0;      // bytes before the first counter; below width
  bool is_paged = false;  // it is unmapped or protected at some time
  bool is_far = false;    // some call also has counters before or after it
};

using Counters = std::map<std::uint64_t, std::uint64_t>;  // index -> value

// One for each object of the case, in order; the error is why a program cannot have such memory.
Result<std::vector<CounterView>, std::string> counter_views(const Case& of);

// The values of the counters if these are the object's elements, of `element_width` bytes each. The
// error is a reason as above: bytes that belong to no counter.
Result<Counters, std::string> counters_of(const MemoryObject& object, const CounterView& view,
                                          const Elements& elements, unsigned element_width);

// The width, in bytes, of the counters that the call requests, if it succeeds; else 0.
unsigned counter_width(const Case& of, const Call& call);

// The object that contains `base`, or that some of the `size` bytes from there reach.
const MemoryObject* object_reached(const Case& of, GuestAddr base, std::uint64_t size);

}  // namespace hardclock::conform
