// A simulated machine as the lab drives it. Its runs are deterministic: each machine of a program
// does the same as the others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/lab/frame.h"

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

class Machine {
 public:
  virtual ~Machine() = default;

  virtual const MachineFacts& facts() const = 0;
  virtual const std::vector<Rule>& rules() const = 0;

  // Runs the next instruction. nullopt: the program has ended, or somebody wants the lab to end.
  virtual std::optional<Frame> step() = 0;
  // Run without looking, up to an instruction boundary at or after a time, or until so many
  // instructions have run. False: the program ended before, or somebody wants the lab to end.
  virtual bool run_to_cycle(Cycles time) = 0;
  virtual bool run_to_instruction(std::uint64_t number) = 0;
  // The number of the instruction that is the `times`-th at `pc` from here on; the machine may have
  // run further. nullopt: there is none, or somebody wants the lab to end.
  virtual std::optional<std::uint64_t> run_past(GuestAddr pc, std::uint64_t times) = 0;

  virtual std::uint64_t instructions() const = 0;
  virtual Cycles now() const = 0;
  virtual Cycles next_tick() const = 0;
  // How the program ended, in a few words; empty: it has not.
  virtual std::string ending() const = 0;

  // "hot", "hot+0x10" or "0x400120". nullopt: there is no such function.
  virtual std::optional<GuestAddr> address_of(std::string_view where) const = 0;
  // Another one, at the program's start. The error is one line for the user.
  virtual Result<std::unique_ptr<Machine>, std::string> anew() const = 0;
};

}  // namespace hardclock::lab
