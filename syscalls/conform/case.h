// One conformance case: a program's memory, its profiling call, what happens to it, and what a
// kernel must have done at the end. docs/conformance.md describes the JSON form; here every name is
// resolved to its address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "syscalls/conform/variant.h"

namespace hardclock::conform {

// An address as an argument.
struct Address {
  enum class Kind : std::uint8_t {
    literal,  // a number
    object,   // NAME or NAME+n: `object` is the name
    bad,      // "BAD": nothing is ever mapped there
    null,     // null
  };

  Kind kind = Kind::literal;
  GuestAddr value = {};
  std::string object = {};

  friend bool operator==(const Address&, const Address&) = default;
};

struct Protection {
  bool read = true;
  bool write = true;
  bool execute = false;

  friend bool operator==(const Protection&, const Protection&) = default;
};

// Memory that the program has when it makes its call. Objects do not overlap and none reaches
// beyond the end of the address space.
struct MemoryObject {
  // Element `index` of the object, read as big-endian numbers of `width` bytes.
  struct Preset {
    unsigned width = 2;  // 1, 2, 4 or 8
    std::uint64_t index = 0;
    std::uint64_t value = 0;
  };

  std::string name = {};
  GuestAddr address = {};
  std::uint64_t size = 0;            // bytes, at least 1
  unsigned width = 2;                // of the elements that expectations name: 1, 2, 4 or 8
  std::vector<Preset> presets = {};  // everything else is zero
  Protection protection = {};
};

// The calls, as the program makes them.
struct ProfilCall {
  Address buff = {};
  std::uint64_t bufsiz = 0;
  Address offset = {};
  std::uint64_t scale = 0;
};

struct ProfEntry {
  Address base = {};
  std::uint64_t size = 0;
  Address offset = {};
  std::uint64_t scale = 0;
};

struct SprofilCall {
  // What profp and tvp point to.
  enum class Pointer : std::uint8_t { valid, bad, null };

  Pointer profp = Pointer::valid;
  std::vector<ProfEntry> entries = {};  // of a valid profp; memory after them cannot be read
  std::int32_t profcnt = 0;
  Pointer tvp = Pointer::null;
  std::uint32_t flags = 0;                   // with the system's values
  std::vector<std::string> flag_names = {};  // "PROF_UINT"; empty if the flags were a number
};

struct PcsampleCall {
  Address samples = {};
  std::int64_t nsamples = 0;
};

using Call = std::variant<ProfilCall, SprofilCall, PcsampleCall>;

struct TimeValue {
  std::int64_t seconds = 0;
  std::int64_t microseconds = 0;

  friend bool operator==(const TimeValue&, const TimeValue&) = default;
};

// The required result of a call.
struct CallExpectation {
  bool returns = true;  // false: the call ends the process, and `ret` is meaningless
  std::int64_t ret = 0;
  std::string errno_name = {};       // "EINVAL"; empty: none
  std::optional<TimeValue> tv = {};  // the required *tvp; nullopt: not specified
};

struct CallStep {
  Call call;
  CallExpectation expect;
};

// Clock ticks.
struct TickEvent {
  enum class Mode : std::uint8_t {
    user,    // n ticks that interrupt user code at pc, one after the other
    owed,    // the same ticks, but the kernel charges them in one step
    system,  // n ticks inside the kernel, which then returns to pc; 0: it only enters and leaves
  };

  GuestAddr pc = {};
  std::uint64_t n = 1;
  Mode mode = Mode::user;
};

// User time at one pc, starting right after a tick: as many ticks as the running clock has in it.
struct RunEvent {
  GuestAddr pc = {};
  std::uint64_t milliseconds = 0;
};

// A new process; `child` is its number.
struct ForkEvent {
  enum class Kind : std::uint8_t {
    fork,          // and sproc without PR_SADDR: a copy of the memory
    vfork,         // the parent's memory until the child's exec
    sproc_shared,  // sproc with PR_SADDR: one memory from then on
    sproc_copied,
  };

  Kind kind = Kind::fork;
  int child = 2;
};

struct ExecEvent {
  bool ok = true;  // false: exec fails and changes nothing
};

struct ThreadCreateEvent {
  int tid = 2;
};

// mmap: zeroed memory that replaces what was there; munmap; mprotect; evict: to disk or nowhere,
// but still valid and unchanged at the next touch.
struct MemoryEvent {
  enum class Kind : std::uint8_t { mmap, munmap, mprotect, evict };

  Kind kind = Kind::mmap;
  GuestAddr address = {};
  std::uint64_t size = 0;      // bytes, at least 1
  Protection protection = {};  // mmap and mprotect
};

// The thread catches a signal when it leaves the kernel at the end of its next event, if that is
// ticks, behind the last of them. User mode begins at `handler` then.
struct SignalEvent {
  GuestAddr handler = {};
};

// The program stores a number.
struct PokeEvent {
  GuestAddr address = {};
  unsigned width = 2;  // 1, 2, 4 or 8 bytes, big-endian
  std::uint64_t value = 0;
};

struct Event {
  std::variant<TickEvent, RunEvent, CallStep, ForkEvent, ExecEvent, ThreadCreateEvent, MemoryEvent,
               SignalEvent, PokeEvent>
      what;
  int pid = 1;  // the process that acts or is acted upon; it exists by then
  int tid = 1;  // 1 exists from the start, others from their first event on
};

using Elements = std::map<std::uint64_t, std::uint64_t>;  // index -> value, none of them 0
using Buffers = std::map<std::string, Elements>;          // by the memory object's name

// What must be true at the end. Anything not listed is not checked.
struct Expectation {
  std::map<int, Buffers> counters;   // by pid
  std::map<int, bool> profiling;     // by pid: on in at least one of its threads
  std::map<int, std::string> ended;  // by pid: the signal that ended it, "SIGSEGV"
};

enum class Certainty : std::uint8_t {
  documented,  // a sentence of a manual page
  source,      // of a kernel
  inferred,    // our resolution
  observed,    // seen on a real kernel
};

struct Case {
  std::string id;  // unique in its file
  std::string title;
  std::string system;                // as the file spells it
  const Variant* variant = nullptr;  // the meaning of that name; nullptr only with a defect
  std::vector<MemoryObject> memory;
  CallStep first;  // by process 1, thread 1, before all events
  std::vector<Event> events;
  Expectation expect;
  std::vector<std::string> source;
  Certainty certainty = Certainty::documented;
  std::string ambiguity = {};  // "A-I3"; empty: none
  std::string note = {};
  std::string file = {};
  std::size_t line = 0;  // of the case's first character
  // Why the case cannot be performed: it names a system, an event, a call or a flag that does not
  // exist. One line with file, line and key. Such a case fails; only id, title, system and the
  // fields from `source` on are valid.
  std::string defect = {};
};

// Where a process continues if it leaves the kernel before the event `next`: at the pc of a tick or
// a run that hits this same thread, else in code of its own, below all text that a case profiles.
GuestAddr resume_pc(const Case& of, std::size_t next, int pid, int tid);

// The object that contains the address, or nullptr.
const MemoryObject* find_object(const Case& of, GuestAddr address);
// The object of that name, or nullptr.
const MemoryObject* find_object(const Case& of, const std::string& name);

}  // namespace hardclock::conform
