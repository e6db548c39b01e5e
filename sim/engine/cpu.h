// The processor context of one thread: registers, program counter, pipeline. The kernel side of the
// simulator (sim/process, syscalls/) drives it through this interface and never sees instructions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "sim/base/instruction_text.h"
#include "sim/base/units.h"
#include "sim/engine/call_record.h"
#include "sim/engine/function_finder.h"
#include "sim/engine/pc_sampler.h"
#include "sim/engine/reason_profile.h"
#include "sim/memory/address_space.h"
#include "sim/recording/memory_access.h"
#include "sim/recording/trap.h"
#include "sim/state/archive.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

enum class StopReason : std::uint8_t {
  deadline,  // at the first instruction boundary at or after the deadline
  trap,      // an instruction did not complete; the pc still points at it
  limit,     // the instruction limit is reached
};

struct Stop {
  StopReason reason = StopReason::limit;
  Trap trap{};
};

// What this thread has executed so far.
struct ExecutionCounts {
  Instructions instructions;
  Cycles cycles;
};

// When an instruction went through the pipeline, in the simulation's cycles.
struct InstructionTimes {
  InstructionText text;
  bool completed = true;              // false: interrupted or trapped
  std::uint64_t issue = 0;            // in order: its issue; out of order: its graduation
  std::uint32_t waited = 0;           // cycles for which the pipeline held its issue back
  std::uint32_t fetch_stall = 0;      // cycles for which its line came; before `issue`
  std::uint32_t execution_stall = 0;  // cycles that its operands cost; after `issue`
  std::uint32_t memory_stall = 0;     // cycles for which it waited for its data; after `issue`
  // Out of order: the cycles before `issue` in which it was fetched, decoded, issued, completed.
  struct Stages {
    std::uint64_t fetch = 0, decode = 0, issue = 0, complete = 0;
  };
  std::optional<Stages> out_of_order;
  // Of all cycles above and its issue; out of order, of those since the last graduation.
  CyclesByReason reasons;
  std::optional<Resource> awaited;  // the register that it waited for before its issue
};

// Somebody who looks at instructions on their way through the pipeline. As slow as tracing.
struct TimingObserver {
  // Called after each instruction, and after each time that one was interrupted while it waited.
  std::function<void(const InstructionTimes&)> see;  // empty: nobody looks
  // Whether it looks just now; empty: always. While it does not, not all instructions are seen, and
  // the processor is as fast as without it. That may change when control reaches a watched place,
  // whose instruction is seen then, and when an instruction is seen.
  std::function<bool()> looks = {};
};

// A place in a program that somebody waits for.
struct WatchedPlace {
  GuestAddr pc;
  // Whether it is where a function begins: control reaches it by a call, or when it comes to an
  // entry of the function (FunctionRange::is_entry()) from elsewhere, and not when the function
  // loops. Else control reaches it each time that the instruction at `pc` runs.
  bool is_function = false;
  std::optional<GuestAddr> inner_entry = {};  // FunctionRange::inner_entry
};

// Somebody who waits for a place, on several processors perhaps.
struct Awaited {
  std::uint64_t left = 0;  // so often control has still to reach it; 0: nobody waits any more
  bool stops = false;      // run() stops there then as at its limit
};

class Cpu {
 public:
  virtual ~Cpu() = default;

  // A copy of the registers and the observers for another thread, in this or another address space.
  // Counts and profile start empty; the copy has a profile, and follows calls, if this processor
  // does.
  virtual std::unique_ptr<Cpu> fork(AddressSpace& memory) const = 0;

  // Runs from cycle `now`, which it moves forward, until one of the reasons to stop. An instruction
  // begins only at a boundary before the deadline.
  virtual Stop run(Cycles& now, Cycles deadline, Instructions limit) = 0;

  // An instruction takes at most so many cycles, faults and the kernel's work aside. The slowest
  // divisions take a hundred or two, the slowest misses of all levels together several hundred.
  virtual Cycles longest_instruction() const { return Cycles(2'500); }

  // Tells `sampler`, which must outlive the runs, where the program is at the moments that it asks
  // for. The runs are the same without it. Null: nobody asks. A fork has none.
  virtual void sample_pcs(PcSampler* sampler) = 0;

  // The pc that an interrupt or a trap here reports: MIPS EPC (the branch, when a delay slot is
  // next), PA-RISC front of the queue with privilege bits masked, IA-64 bundle address.
  virtual GuestAddr interrupted_pc() const = 0;

  // The kernel took an interrupt here, or returns to the thread from a call or a trap. Breaks a
  // load-linked reservation.
  virtual void interrupted() = 0;

  // The kernel did something else in between: nothing is in flight in the pipeline any more.
  virtual void drain_pipeline() = 0;

  // Moves past the system call instruction that trapped (and was counted then).
  virtual void complete_system_call() = 0;

  // Carries out the instruction at the pc, whose access was refused for not being aligned, byte by
  // byte, as a kernel does for a program, and moves past it. It counts as executed; the caches do
  // not see its access. Fault: why not, `refused` itself if the access has to be made at once. Then
  // nothing has happened, but that a store into two pages may have stored a part.
  virtual std::optional<Fault> split_access(const Fault& refused) = 0;

  // What stands at the pc, delay slots included, and what it is about to do to memory. An access
  // to a part of an aligned unit (MIPS LWL, SWR and their like) counts for the unit, a conditional
  // store for a store. None: it makes none, cannot be read, or is IA-64's.
  virtual NextInstruction next_instruction() const { return {interrupted_pc(), std::nullopt}; }

  // Whether code that runs often runs as the host's.
  virtual bool translates() const { return false; }

  virtual ExecutionCounts counts() const = 0;
  // Not within run().
  virtual void archive(Archive& to) = 0;
  // Makes processors like this one, whose state is to be loaded. Nobody looks on yet.
  using Maker = std::function<std::unique_ptr<Cpu>(AddressSpace& memory)>;
  virtual Maker maker() const = 0;
  // Request it before the processor first runs; otherwise the profile stays empty.
  virtual void collect_cycle_profile() = 0;
  // And tells them apart by their reasons. Likewise, and after it.
  virtual void collect_reasons() = 0;
  // Unless they are told apart, all cycles have one reason.
  virtual ReasonProfile reason_profile() const = 0;
  CycleProfile cycle_profile() const { return reason_profile().own(); }
  // The kernel works for the thread, which stands where it is, for so long. For the profile, if it
  // tells reasons apart.
  virtual void count_kernel(Cycles cycles) = 0;

  // Follows calls from now on. Request it, with the cycle profile, before the processor first runs.
  virtual void collect_calls(std::shared_ptr<FunctionFinder> functions) = 0;
  // Those that have not returned included; empty: nobody asked.
  virtual CallRecord calls() const = 0;
  // A clock tick is charged to the interrupted pc, in user mode.
  virtual void count_tick() = 0;

  virtual void observe_timing(TimingObserver observer) = 0;

  // Called before each instruction with the cycle in which it issues; out of order, in which the
  // instruction before it had graduated. Empty: no tracing. Tracing is slow.
  using InstructionObserver = std::function<void(const InstructionText& text, Cycles cycle)>;
  virtual void observe(InstructionObserver observer) = 0;

  // Counts down how often control has still to reach the place; the last time, behind the
  // instruction there. The runs are the same without it, and about as fast. Request it before the
  // processor first runs; of a function, after collect_calls().
  virtual void watch(const WatchedPlace& place, std::shared_ptr<Awaited> awaited) = 0;
};

}  // namespace hardclock
