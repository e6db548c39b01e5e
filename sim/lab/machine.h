// A simulated machine as the lab drives it. Its runs are deterministic: each machine of a program
// does the same as the others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/lab/frame.h"
#include "sim/state/digest.h"
#include "sim/state/snapshot.h"

namespace hardclock::lab {

struct Register {
  std::string name;
  unsigned digits = 8;  // hexadecimal ones
};

// A rule of the kernel's that the lab can break.
struct Rule {
  std::string_view name;      // one word: "rounding"
  std::string_view sentence;  // what the broken kernel does
};

struct MachineFacts {
  std::string program;  // its name without folders
  std::string processor;
  std::string system;
  Hertz clock;
  Hertz tick_rate;
  unsigned address_digits = 8;
  // Hardly one takes longer, with what the kernel does for it: calls of some systems may.
  Cycles longest_instruction;
  std::vector<Register> registers;  // empty: this instruction set's are not shown
  std::vector<std::string> caches;  // empty: every access hits
};

// A place in a program that somebody wants to come to.
struct Place {
  GuestAddr pc;
  // Reached when a call enters the function that begins there; else when the instruction there
  // runs.
  bool is_function = false;
  std::string program;  // the path of the program whose function it is
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual const MachineFacts& facts() const = 0;
  virtual const std::vector<Rule>& rules() const = 0;

  // Runs the next instruction. nullopt: the program has ended, or somebody wants the lab to end.
  virtual std::optional<Frame> step() = 0;
  // Run without looking, up to an instruction boundary at or after a time, or until so many
  // instructions have run. False: the program ended before, or somebody wants the lab, or the run,
  // to end.
  virtual bool run_to_cycle(Cycles time) = 0;
  virtual bool run_to_instruction(std::uint64_t number) = 0;
  // The same, until the place of waiting_for() has been reached so often from here on. The last
  // instruction that has run is the one there.
  virtual bool run_to_place(std::uint64_t times) = 0;
  // The same, until behind so many instructions more that step() would show with a clock event that
  // is not owed.
  virtual bool run_past_events(std::uint64_t events) = 0;
  // While it runs, `wanted` is asked now and then whether it is to stop. Such a run ends as if
  // somebody wanted the lab to end.
  virtual void stop_if(std::function<bool()> wanted) = 0;

  virtual std::uint64_t instructions() const = 0;
  virtual Cycles now() const = 0;
  virtual Cycles next_tick() const = 0;
  // Of the whole simulation: what comes next follows from it.
  virtual StateDigest state() const = 0;
  // That state, and back to it: see Simulation::save(). Counters of what has been seen stay.
  virtual Result<Snapshot, std::string> save() = 0;
  virtual void load(const Snapshot& snapshot) = 0;
  // How the program ended, in a few words; empty: it has not.
  virtual std::string ending() const = 0;

  // "hot", "hot+0x10" or "0x400120". nullopt: there is no such function.
  virtual std::optional<Place> place_of(std::string_view where) const = 0;
  // Another one, at the program's start. The error is one line for the user.
  virtual Result<std::unique_ptr<Machine>, std::string> anew() const = 0;
  // The same, for run_to_place().
  virtual Result<std::unique_ptr<Machine>, std::string> waiting_for(const Place& place) const = 0;
};

}  // namespace hardclock::lab
