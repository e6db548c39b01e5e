// What the lab shows of a run: one frame an instruction, as it was when the instruction had run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/debug/register_value.h"
#include "sim/trace/pipeline_record.h"

namespace hardclock::lab {

// What a kernel does with a tick at a pc.
struct Verdict {
  std::string kernel;              // "irix", or the name of a broken rule
  std::string line;                // all of it in one line, as --explain has it
  std::vector<std::string> steps;  // the arithmetic, a step a line
  // The element of the buffer that is counted up; nullopt: none is.
  std::optional<std::uint64_t> counter;
  // The counter before and after; only where ticks were charged, not where they would be.
  std::optional<std::uint64_t> before, after;
  std::string outcome;  // "7 -> 8", "not counted", "a fault: profiling is off"
};

// Counters that have counted something, with what kernels with a broken rule would have there.
struct CounterRow {
  GuestAddr address;
  std::uint64_t element = 0;
  std::string place;                  // of the pc that it was last counted for: "hot+0x1c"
  std::uint64_t count = 0;            // the kernel's
  std::vector<std::uint64_t> broken;  // by Machine::rules(); all of them begin at 0
};

// A program's profile as its kernel has it at a time: a state of profil(2).
class Profile {
 public:
  virtual ~Profile() = default;
  virtual bool is_on() const = 0;
  // "buffer 0x10010090, 512 bytes; text from 0x00400000; scale 0x8000", or why there is none.
  virtual std::string summary() const = 0;
  // What a tick at `pc` would do by the rules of the program's own kernel, of all systems for the
  // same arguments, and of its own kernel with each rule broken (Machine::rules()).
  virtual Verdict verdict(GuestAddr pc) const = 0;
  virtual std::vector<Verdict> systems(GuestAddr pc) const = 0;
  virtual std::vector<Verdict> broken(GuestAddr pc) const = 0;
};

// Ticks that the kernel charged in one step.
struct Charge {
  GuestAddr pc;
  std::string place;
  Ticks ticks;
  std::shared_ptr<const Profile> before;
  Verdict verdict;
  std::vector<Verdict> broken;  // by Machine::rules(); their counters count on their own
};

// What the clock did while an instruction ran, or behind it.
struct ClockEvent {
  Ticks ticks;                   // that came; 0: one that had come was charged
  std::vector<std::string> log;  // what --explain says, a line each
  std::vector<Charge> charges;
  bool is_owed = false;  // the kernel will charge before the program's next instruction
};

// Of a cache or the TLB.
struct CacheUse {
  std::uint64_t accesses = 0, misses = 0;          // since the start
  std::uint64_t new_accesses = 0, new_misses = 0;  // of this instruction
};

struct Frame {
  std::uint64_t number = 0;  // instructions since the start, this one included
  int process = 0;           // pid
  GuestAddr pc;
  std::string place;      // of the pc: "hot+0x1c"
  std::string text;       // disassembly
  PipelineRecord record;  // without stages on a processor without a pipeline
  Cycles now;             // when it was through
  Cycles next_tick;       // when the clock's next interrupt is due
  Ticks ticks;            // so far
  GuestAddr next_pc;      // where a tick now would find the program
  std::string next_place;
  std::vector<debug::RegisterValue> registers;  // by MachineFacts::registers
  std::vector<CacheUse> caches;                 // by Machine::caches()
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<const std::vector<CounterRow>> counters;  // by address
  std::optional<ClockEvent> clock;
  std::string output;  // what the program wrote with this instruction

  // The charge of a tick, the last one if there are several; nullptr: the kernel did nothing, or
  // has still to do it.
  const Charge* charge() const {
    return clock && !clock->charges.empty() ? &clock->charges.back() : nullptr;
  }
};

}  // namespace hardclock::lab
