// Who performs a case: each backend is another way to a kernel's profiling, and all of them must
// come to what the case expects.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/conform/case.h"

namespace hardclock::conform {

// Memory comes and goes in pages of as many bytes: what of an object is to be seen.
inline constexpr std::uint64_t kObservedPage = 4096;

// What one call answered.
struct CallResult {
  bool returns = true;  // else the process ended in it
  std::int64_t ret = 0;
  std::string errno_name = {};       // "EINVAL"; empty: none
  std::optional<TimeValue> tv = {};  // what *tvp was set to; nullopt: it was not
};

// One process after the last event.
struct ProcessObservation {
  std::optional<bool> profiling = {};  // in at least one thread; nullopt: could not be seen
  // Of each memory object of the case that has a mapped page, whatever its protection: the elements
  // that are not 0 and lie in mapped pages. An object of which no page is mapped is left out.
  Buffers counters = {};
  // The signal that ended it, "SIGSEGV"; empty: none. Nothing else of such a process is seen.
  std::string ended = {};
};

struct Observation {
  // Why the backend could not perform the case, in one line; empty: it did. Then the case fails.
  std::string error = {};
  // Why the backend performs no case of this system, in one line; empty: it does.
  std::string skipped = {};
  std::vector<CallResult> calls = {};  // the first call, then those of the events, in order
  std::map<int, ProcessObservation> processes = {};  // by pid, of all that there were
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  // one word for reports: "model", "guest"
  // Performs the whole case from a fresh start; nothing is left of an earlier one. Is never asked
  // for a case with a defect.
  virtual Observation run(const Case& of) = 0;
};

}  // namespace hardclock::conform
