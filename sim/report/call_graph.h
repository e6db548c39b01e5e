// A profile's call trees with the names of functions: what viewers of profiles show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock::report {

struct Cost {
  std::uint64_t cycles = 0;  // 0 without exact cycles
  std::uint64_t ticks = 0;

  bool is_zero() const { return cycles == 0 && ticks == 0; }
  // Sums end at 2^64 - 1, which only damaged files reach.
  Cost& operator+=(const Cost& more);
  friend bool operator==(const Cost&, const Cost&) = default;
};

// A function, or code outside of functions, named as in the table by function.
struct ProfiledFunction {
  std::string label;                 // as FlatRow::function; names may have any bytes
  std::string name;                  // of the function alone; empty: there is none
  std::string object;                // the path of its file; empty: nobody's, or not known
  std::optional<GuestAddr> address;  // as its file has it
  bool is_of_program = false;        // `object` is the program's file
  Cost own;
  // With what it called; of calls within calls of the same function, the outermost.
  Cost inclusive;
  std::uint64_t calls = 0;  // of the call trees

  // Without the name of its file, where that is shown beside it.
  const std::string& title() const { return name.empty() ? label : name; }
};

// A function as it was reached on one path of calls.
struct CallPath {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t parent = none;  // an index, less than its own
  std::uint32_t function = 0;   // an index
  std::uint32_t depth = 0;      // number of callers
  std::uint64_t calls = 0;
  Cost own;
  Cost inclusive;
};

// What one place of a function called.
struct CallSite {
  std::uint32_t caller = 0;
  std::uint32_t callee = 0;
  GuestAddr site;  // as the caller's file has it
  std::uint64_t calls = 0;
  // With all that was called. Nobody counts ticks by site: those of a caller and a callee are
  // divided among their sites by cycles.
  Cost inclusive;
};

// What one instruction took.
struct CodePoint {
  std::uint32_t function = 0;
  std::uint32_t first_reason = 0;  // in CallGraph::point_reasons; up to the next point's
  GuestAddr address;               // as its file has it
  Cost own;
};

struct PointReason {
  CycleReason reason = CycleReason::issue;
  std::uint64_t cycles = 0;
};

// Where the code of a file lies, as the file has it: [low, high).
struct ObjectRange {
  std::string object;
  GuestAddr low;
  GuestAddr high;
  std::uint64_t offset = 0;  // of `low` in the file
};

struct CallGraph {
  std::string command;    // the guest's command line; empty: unknown
  std::string program;    // its path, or its name as the user wrote it
  std::string processor;  // its name; empty: unknown
  Hertz cpu;              // 0: unknown
  Hertz tick_rate;        // 0: unknown

  std::vector<ProfiledFunction> functions;  // by object, address and label
  // In preorder; the functions that one called by cycles, then ticks, most first.
  std::vector<CallPath> paths;
  std::vector<CallSite> sites;  // by caller, callee and site
  // By function and address; the sums are the functions' own. Empty: they were not asked for.
  // Reasons are known of these only, not of paths.
  std::vector<CodePoint> points;
  std::vector<ObjectRange> objects;  // by object, for functions of known files
  Cost total;
  CyclesByReason reasons;    // of all code
  bool has_cycles = false;   // exact cycles were given
  bool has_reasons = false;  // some process has reasons
  bool has_calls = false;    // some process has a call tree
  std::uint64_t calls_not_kept = 0;
  std::vector<PointReason> point_reasons;  // by point

  // 0: unknown.
  std::uint64_t cycles_per_tick() const;
  // Of points[i]; zeros without reasons.
  CyclesByReason reasons_of(std::size_t i) const;
};

// The arguments are flat()'s, and so are the sums. Cycles and calls are those of `exact`, ticks
// those of `sampled`. A process without a call tree has its functions as roots, and so have ticks
// of a profile without trees. Each other program that is not among the objects is one root. A
// counter's ticks stand at its first
// whole address. Without `has_points` it has none of CallGraph::points.
CallGraph call_graph(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                     Identity program = {}, const Objects& objects = {}, bool has_points = true);

}  // namespace hardclock::report
