// The profile model: where a program's clock ticks fell, as hardclock, a guest program or another
// tool recorded it. Formats (format.h) turn files into a Profile and a Profile into files; reports
// (flat.h) turn it into tables. Neither knows the other.
#pragma once

#include <array>
#include <boost/container/flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/cycle_reason.h"
#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/report/reason_names.h"

namespace hardclock::report {

// Counters over the addresses [low, high), low < high. Counter i of n covers
// [low + i*(high-low)/n, low + (i+1)*(high-low)/n): the boundaries need not be whole bytes. Where
// the kernel was given a scale that says something else, `density` has it: counter i covers
// [low + i*2^18/density, low + (i+1)*2^18/density), and the last may lie beyond `high`.
struct Histogram {
  GuestAddr low;
  GuestAddr high;
  std::vector<std::uint64_t> counts;  // ticks; never empty
  // Counters in 256 KiB of text: twice profil(2)'s scale, which is for counters of 2 bytes. At most
  // most_density; 0: the counters divide [low, high).
  std::uint64_t density = 0;

  static constexpr std::uint64_t most_density = std::uint64_t{1} << 18;

  friend bool operator==(const Histogram&, const Histogram&) = default;
};

// How often a function was entered, as its compiled-in mcount() counted.
struct CallCount {
  GuestAddr function;  // an address in the function, near its start
  std::uint64_t calls = 0;

  friend bool operator==(const CallCount&, const CallCount&) = default;
};

// How often one place called one function, as mcount() of gmon.out's libraries counted.
struct Arc {
  GuestAddr from;  // the call's return address or one near it; 0: the file does not say
  GuestAddr self;  // an address in the called function, near its start
  std::uint64_t count = 0;

  friend bool operator==(const Arc&, const Arc&) = default;
};

// A function as it was reached on one path of calls. Exact: every call and return is seen. A
// function that calls itself, directly or through others, is twice on a path at most; what deeper
// calls of it take belongs to its second place.
struct CallNode {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t parent = none;  // index of the caller's node, which comes earlier; none: a root
  GuestAddr function;        // its first address or, where no symbol says that, where it is entered
  std::uint64_t calls = 0;   // of a root: threads that began there
  std::uint64_t cycles = 0;  // in user mode, without those of functions that it called
  std::uint64_t ticks = 0;   // in user mode, likewise

  friend bool operator==(const CallNode&, const CallNode&) = default;
};

// What one place called. Exact.
struct CallArc {
  GuestAddr site;      // of the instruction that called or jumped
  GuestAddr function;  // as in CallNode
  std::uint64_t calls = 0;
  // From the call to the return, with all that was called; of calls within calls by the same arc,
  // those of the outermost.
  std::uint64_t cycles = 0;

  friend bool operator==(const CallArc&, const CallArc&) = default;
};

// Which bytes of which file lay in a process's memory: [start, start + size), which does not wrap.
struct Mapping {
  GuestAddr start;
  std::uint64_t size = 0;    // bytes; not 0
  std::string file;          // the guest's path
  std::uint64_t offset = 0;  // of `start` in the file

  friend bool operator==(const Mapping&, const Mapping&) = default;
};

// Ascending. 16 bytes each: a profile may have millions.
using CyclesByPc = boost::container::flat_map<GuestAddr, std::uint64_t, std::less<GuestAddr>,
                                              std::vector<std::pair<GuestAddr, std::uint64_t>>>;
// Of items by ascending pc, none twice.
CyclesByPc to_cycles_by_pc(std::vector<std::pair<GuestAddr, std::uint64_t>> ascending);

// The same for each reason. Only pcs that have cycles of it.
class ReasonsByPc {
 public:
  CyclesByPc& operator[](CycleReason reason) {
    return by_reason_[static_cast<std::size_t>(reason)];
  }
  const CyclesByPc& operator[](CycleReason reason) const {
    return by_reason_[static_cast<std::size_t>(reason)];
  }
  bool empty() const;
  CyclesByReason at(GuestAddr pc) const;
  CyclesByReason total() const;
  // Calls visit(pc, reason, cycles), by reason, then by pc.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const CycleReason reason : all_cycle_reasons) {
      for (const auto& [pc, cycles] : (*this)[reason]) visit(pc, reason, cycles);
    }
  }

  friend bool operator==(const ReasonsByPc&, const ReasonsByPc&) = default;

 private:
  std::array<CyclesByPc, cycle_reasons> by_reason_;
};

// One program in one process. A process that calls exec has one for each program, with the same
// pid.
struct ProcessProfile {
  std::uint32_t pid = 0;  // 0: the file does not say
  std::string program;    // guest path; empty: the file does not say
  std::string text_hash;  // of the program (identity.h); empty: the file does not say
  // For a position-independent program: its distance above its own addresses, modulo 2^64.
  std::uint64_t moved_by = 0;
  // Where the code of the program and its shared objects lay; by address, none overlapping. If
  // empty, the file does not say, and everything is taken to be the program's.
  std::vector<Mapping> mappings;

  // Ticks by charged pc, and the same ticks by counter for sources that keep only counters. If both
  // are there, reports use the finer one, the samples.
  std::map<GuestAddr, std::uint64_t> samples;
  std::vector<Histogram> histograms;

  CyclesByPc cycles;  // exact cycles by the pc that a tick would charge
  // Why they passed; empty: nobody asked. Each pc's own() is its `cycles`. A pc at which only the
  // kernel worked is in `reasons` alone.
  ReasonsByPc reasons;
  std::vector<CallCount> calls;  // in the file's order
  std::vector<Arc> arcs;         // in the file's order

  // Empty: nobody asked. The cycles of all nodes are those of `cycles`, function by function.
  std::vector<CallNode> call_tree;
  std::vector<CallArc> call_arcs;    // ascending site, then function; none twice
  std::uint64_t calls_not_kept = 0;  // for which no memory was left: they count as the caller's own

  friend bool operator==(const ProcessProfile&, const ProcessProfile&) = default;
};

// Only what the simulation determines: no dates, host names or host paths, so the same run gives
// the same bytes. The ticks of a whole profile, and its cycles, each sum to less than 2^64.
struct Profile {
  std::string command;  // the guest's command line; empty: the file does not say
  Endian byte_order = Endian::big;
  unsigned address_bits = 32;  // 32 or 64; every address fits
  Hertz cpu;                   // 0: the file does not say
  Hertz tick_rate;             // 0: the file does not say
  // What decided the cycles: "r4400", "r4400 of indigo2-r4400", "r3000, --timing=functional";
  // empty: the file does not say.
  std::string processor;
  std::vector<ProcessProfile> processes;

  friend bool operator==(const Profile&, const Profile&) = default;
};

// The mapping that contains `pc`, or nullptr.
const Mapping* find_mapping(const ProcessProfile& process, GuestAddr pc);

// The ticks of the process, from samples or else from histograms.
std::uint64_t ticks_of(const ProcessProfile& process);

// The calls by function: `calls` or, if there are none, the sums of the arcs to each function, in
// order of address.
std::vector<CallCount> calls_of(const ProcessProfile& process);
// The arcs or, if there are none, the exact ones or else the calls, each from an unknown place, pc
// 0. gprof skips such arcs (binutils gprof/call_graph.c, cg_tally()).
std::vector<Arc> arcs_of(const ProcessProfile& process);

// What is known of a profile's program, for formats that do not record it.
struct Target {
  std::optional<Endian> byte_order;
  std::optional<unsigned> address_bits;  // 32 or 64
};

// Reads a profile in the format `format` ("gnu"; format_names() lists all); if that is empty, the
// bytes tell. Refuses bytes that fit no format or several, and a file that a program other than
// `target` must have written. The error is one line without the file's name.
Result<Profile, std::string> read_profile(std::span<const std::uint8_t> bytes,
                                          const Target& target = {}, std::string_view format = {});

// The bytes of `profile` in the format called `format`. Formats that hold one program (all but
// hardclock's own) get the sum of the processes that ran it, as from `gprof -s`. Formats that name
// no files (gmon.out, mon.out except IRIX 5.3's) get only the program's own ticks, at the program's
// own addresses, without those in other files' mappings or in none. Equal profiles give equal
// bytes. The error is one line: an unknown format, or what the format cannot hold.
Result<std::string, std::string> write_profile_as(const Profile& profile, std::string_view format);
// The same to a stream; after an error nothing is written.
Result<Ok, std::string> write_profile_as(const Profile& profile, std::string_view format,
                                         std::ostream& out);

// The formats that read_profile() and write_profile_as() know.
struct FormatName {
  std::string_view name;                   // for the user to type: "sysv"
  std::vector<std::string_view> suffixes;  // ".irix53", or a conventional file name, "mon.out"
};
std::vector<FormatName> profile_formats();

// Whether a file of this name is meant to be in the format of `suffix`: the name ends so. A
// conventional file name may also stand behind a punctuation mark ("17.mon.out").
bool asks_for(std::string_view file_name, std::string_view suffix);

// Whether tools compute seconds from a tick rate in files of this format: with the rate 0, unknown,
// they print infinities.
bool needs_tick_rate(std::string_view format);

// The names of all formats for read_profile() and write_profile_as(): "hardclock, gnu, ...".
std::string format_names();

}  // namespace hardclock::report
