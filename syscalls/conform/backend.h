// The performers of cases. Each backend is another way to run a kernel's profiling, and all of them
// must produce what the case expects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/conform/case.h"

namespace hardclock::conform {

// The page size, in bytes, for what can be seen of an object: memory comes and goes in pages.
inline constexpr std::uint64_t observed_page = 4096;

// The result of one call.
struct CallResult {
  bool returns = true;  // false: the process ended in it
  std::int64_t ret = 0;
  std::string errno_name = {};       // "EINVAL"; empty: none
  std::optional<TimeValue> tv = {};  // the value stored in *tvp; nullopt: none
};

// One process after the last event.
struct ProcessObservation {
  std::optional<bool> profiling = {};  // in at least one thread; nullopt: could not be seen
  // For each memory object of the case that has a mapped page, whatever its protection: the
  // elements that are not 0 and lie in mapped pages. An object without mapped pages is left out.
  Buffers counters = {};
  // The signal that ended the process, "SIGSEGV"; empty: none. Nothing else is read from it then.
  std::string ended = {};
  // Known to the model alone: the fast clock samples it, and this many of its fast ticks wait,
  // which the counters have already; a fault has switched off some of its regions, but not all.
  bool is_fast = false;
  std::size_t waiting = 0;
  bool is_partly_off = false;
};

struct Observation {
  // Why the backend could not perform the case, in one line: then the case fails. Empty: it did.
  std::string error = {};
  // Why the backend performs no case of this system, in one line; empty: it does.
  std::string skipped = {};
  std::vector<CallResult> calls = {};  // the first call, then those of the events, in order
  std::map<int, ProcessObservation> processes = {};  // by pid, all that existed
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  // one word for reports: "model", "guest"
  // Performs the whole case from a fresh start, without traces of an earlier one. The case has no
  // defect.
  virtual Observation run(const Case& of) = 0;
};

}  // namespace hardclock::conform
