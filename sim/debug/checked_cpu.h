// A processor that runs each stretch of a program twice, with two engines, and compares them: the
// registers, the memory, the cycles and what is in the caches must be the same after it. The first
// run is undone before the second; so both see one world, the kernel's work is done once, and
// nothing of it is simulated. The second engine is the reference,
// the interpreter, one instruction at a time.
//
// At a difference the stretch is run again, in parts, to find the instruction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/debug/engine_check.h"
#include "sim/debug/engine_difference.h"
#include "sim/debug/register_set.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/memory/address_space.h"
#include "sim/memory/write_log.h"

namespace hardclock::debug {

template <class CpuBase>
std::unique_ptr<Cpu> make_checked_cpu(std::unique_ptr<Cpu> cpu, std::unique_ptr<Cpu> reference,
                                      AddressSpace& memory, EngineCheck check);

// CpuBase is the instruction set's.
template <class CpuBase>
class CheckedCpu final : public CpuBase {
  using Registers = std::remove_reference_t<decltype(std::declval<CpuBase&>().registers())>;
  using Kind = EngineDifference::Kind;

 public:
  // Two processors that nothing has run on, with this memory.
  CheckedCpu(std::unique_ptr<CpuBase> checked, std::unique_ptr<CpuBase> reference,
             AddressSpace& memory, EngineCheck check)
      : checked_(std::move(checked)),
        reference_(std::move(reference)),
        memory_(memory),
        log_(WriteLog::of(memory)),
        check_(std::move(check)) {
    step_reference();
  }

  std::unique_ptr<Cpu> fork(AddressSpace& memory) const override {
    reference_->registers() = checked_->registers();
    return make_checked_cpu<CpuBase>(checked_->fork(memory), reference_->fork(memory), memory,
                                     check_);
  }

  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    for (Instructions left = limit;;) {
      const Start start{checked_->registers(), now, deadline, caches()};
      const Instructions asked = std::min(left, check_.longest_stretch);
      const Instructions before = checked_->counts().instructions;
      Passed passed;
      if (const auto found = run_both(start, asked, passed)) {
        tell_of(*found, start, asked, before);
        return Stop{};
      }
      log_->end();
      now = passed.now;
      left -= passed.counts.instructions;
      const bool is_over = passed.stop.reason != StopReason::limit;
      if (is_over || left.value() == 0 || passed.counts.instructions < asked) return passed.stop;
    }
  }

  Registers& registers() override { return checked_->registers(); }
  GuestAddr interrupted_pc() const override { return checked_->interrupted_pc(); }
  void interrupted() override {
    checked_->interrupted();
    reference_->interrupted();
  }
  void drain_pipeline() override {
    checked_->drain_pipeline();
    reference_->drain_pipeline();
  }
  void complete_system_call() override {
    checked_->complete_system_call();
    reference_->complete_system_call();
  }
  std::optional<Fault> split_access(const Fault& refused) override {
    reference_->registers() = checked_->registers();
    reference_->split_access(refused);
    return checked_->split_access(refused);
  }
  NextInstruction next_instruction() const override { return checked_->next_instruction(); }
  bool translates() const override { return checked_->translates(); }
  ExecutionCounts counts() const override { return checked_->counts(); }
  void archive(Archive& to) override {
    to.refuse("a comparison of engines");
    checked_->archive(to);
    to.wiring(reference_, memory_, log_, check_);
  }
  Cpu::Maker maker() const override { return checked_->maker(); }

  // Not compared.
  void sample_pcs(PcSampler* sampler) override { checked_->sample_pcs(sampler); }
  void collect_cycle_profile() override { checked_->collect_cycle_profile(); }
  void collect_reasons() override { checked_->collect_reasons(); }
  ReasonProfile reason_profile() const override { return checked_->reason_profile(); }
  void count_kernel(Cycles cycles) override { checked_->count_kernel(cycles); }
  void collect_calls(std::shared_ptr<FunctionFinder> functions) override {
    checked_->collect_calls(std::move(functions));
  }
  CallRecord calls() const override { return checked_->calls(); }
  void count_tick() override { checked_->count_tick(); }
  void observe_timing(TimingObserver observer) override {
    checked_->observe_timing(std::move(observer));
  }
  void observe(Cpu::InstructionObserver observer) override {
    checked_->observe(std::move(observer));
  }
  void watch(const WatchedPlace& place, std::shared_ptr<Awaited> awaited) override {
    checked_->watch(place, std::move(awaited));
  }

 private:
  struct Caches {
    MemorySystem::State state;
    MemorySystem::Statistics statistics;
    friend bool operator==(const Caches&, const Caches&) = default;
  };
  // Of a stretch.
  struct Start {
    Registers registers;
    Cycles now, deadline;
    std::optional<Caches> caches;
  };
  struct Passed {
    Stop stop;
    Cycles now;
    ExecutionCounts counts;
  };
  using Difference = EngineDifference::What;

  static std::optional<Caches> caches_of(const std::shared_ptr<MachineMemory>& memory) {
    if (memory == nullptr) return std::nullopt;
    return Caches{memory->system.state(), memory->system.statistics()};
  }
  std::optional<Caches> caches() const { return caches_of(check_.caches); }

  // A processor that somebody observes runs no blocks.
  void step_reference() {
    reference_->observe([](const InstructionText&, Cycles) {});
  }

  static bool same(const Stop& a, const Stop& b) {
    const auto parts = [](const Stop& stop) {
      const Fault& fault = stop.trap.fault;
      return std::tuple(stop.reason, stop.trap.kind, stop.trap.code, fault.kind, fault.access,
                        fault.address);
    };
    return parts(a) == parts(b);
  }

  static Passed run_one(CpuBase& cpu, const Start& start, Instructions limit) {
    const ExecutionCounts before = cpu.counts();
    Passed passed{.stop = {}, .now = start.now, .counts = {}};
    passed.stop = cpu.run(passed.now, start.deadline, limit);
    passed.counts = cpu.counts();
    passed.counts.instructions -= before.instructions;
    passed.counts.cycles -= before.cycles;
    return passed;
  }

  // The log of what the second one wrote goes on.
  std::optional<Difference> run_both(const Start& start, Instructions limit, Passed& passed) {
    reference_->registers() = start.registers;
    log_->begin();
    passed = run_one(*checked_, start, limit);
    const PageContents written = log_->written();
    log_->undo();
    const bool is_limited = passed.stop.reason == StopReason::limit;
    const Passed expected =
        run_one(*reference_, start, is_limited ? passed.counts.instructions : limit);
    return difference(passed, expected, written);
  }

  std::optional<Difference> difference(const Passed& passed, const Passed& expected,
                                       const PageContents& written) const {
    if (!(checked_->registers() == reference_->registers())) {
      for (const unsigned number : different_registers()) {
        if (number != check_.registers->pc) return difference_in_register(number);
      }
    }
    if (const auto found = log_->difference_from(written)) {
      return Difference{Kind::memory, 0, found->address, found->there, found->here};
    }
    const auto in_counts = [](Kind kind, std::uint64_t checked, std::uint64_t reference) {
      return Difference{kind, 0, {}, checked, reference};
    };
    if (passed.counts.instructions != expected.counts.instructions) {
      return in_counts(Kind::instructions, passed.counts.instructions.value(),
                       expected.counts.instructions.value());
    }
    if (!(checked_->registers() == reference_->registers())) {
      const std::vector<unsigned> numbers = different_registers();
      return numbers.empty() ? Difference{} : difference_in_register(numbers.front());
    }
    if (!same(passed.stop, expected.stop)) return Difference{.kind = Kind::stop};
    if (passed.now != expected.now || passed.counts.cycles != expected.counts.cycles) {
      return in_counts(Kind::cycles, passed.counts.cycles.value(), expected.counts.cycles.value());
    }
    if (caches() != caches_of(check_.reference_caches)) return Difference{.kind = Kind::caches};
    return std::nullopt;
  }

  std::vector<unsigned> different_registers() const {
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < check_.registers->count(); ++i) {
      if (check_.registers->read(*checked_, i) != check_.registers->read(*reference_, i)) {
        numbers.push_back(i);
      }
    }
    return numbers;
  }
  Difference difference_in_register(unsigned number) const {
    return {Kind::registers,
            number,
            {},
            check_.registers->read(*checked_, number).value_or(0),
            check_.registers->read(*reference_, number).value_or(0)};
  }

  // ---- Where a difference comes from.
  void tell_of(const Difference& found, const Start& start, Instructions asked,
               Instructions before) {
    log_->undo();
    EngineDifference told{.what = found, .start = pc_of(start), .length = asked, .before = before};
    if (const auto shortest = shortest_difference(start, asked)) {
      told.length = *shortest;
      told.what = *again(start, *shortest);
      told.at = instruction(start, writer_of(start, *shortest, told.what));
    }
    check_.tell(told);
  }

  GuestAddr pc_of(const Start& start) {
    reference_->registers() = start.registers;
    return reference_->interrupted_pc();
  }

  // Once more from the start, but that nothing is in flight.
  void go_back(const Start& start) {
    for (CpuBase* const cpu : {checked_.get(), reference_.get()}) {
      cpu->registers() = start.registers;
      cpu->drain_pipeline();
    }
    for (const auto& memory : {check_.caches, check_.reference_caches}) {
      if (memory == nullptr) continue;
      memory->system.restore(start.caches->state, start.caches->statistics);
      memory->change_user({});  // whoever comes next forgets what hits
    }
  }
  std::optional<Difference> again(const Start& start, Instructions limit) {
    go_back(start);
    Passed passed;
    const auto found = run_both(start, limit, passed);
    log_->undo();
    return found;
  }

  // The number of instructions with which there is a difference, and with one less there is none.
  // nullopt: there is none any more.
  std::optional<Instructions> shortest_difference(const Start& start, Instructions asked) {
    if (!again(start, asked)) return std::nullopt;
    std::uint64_t same = 0, different = asked.value();
    while (different - same > 1) {
      const std::uint64_t middle = same + (different - same) / 2;
      (again(start, Instructions(middle)) ? different : same) = middle;
    }
    return Instructions(different);
  }

  // The reference alone.
  void go_to(const Start& start, Instructions count) {
    go_back(start);
    log_->begin();
    run_one(*reference_, start, count);
  }

  // Which of the stretch's instructions was the last to write what is different behind `count` of
  // them, or if several registers are, wrote the first of these. It makes that the difference.
  std::uint64_t writer_of(const Start& start, Instructions count, Difference& difference) {
    const std::uint64_t last = count.value() - 1;
    std::vector<Difference> different{difference};
    if (difference.kind == Kind::registers) {
      different.clear();
      for (const unsigned number : different_registers()) {
        different.push_back(difference_in_register(number));
      }
      if (different.size() > 1) {
        std::erase_if(different, [this](const Difference& each) {
          return each.register_number == check_.registers->pc;
        });
      }
    } else if (difference.kind != Kind::memory) {
      return last;
    }
    std::uint64_t writer = last;
    constexpr std::uint64_t farthest = 256;
    for (std::uint64_t n = last; n + farthest > last && !different.empty(); --n) {
      go_to(start, Instructions(n));
      std::erase_if(different, [&](const Difference& each) {
        if (value_of(each) == each.reference) return false;
        writer = n;
        difference = each;
        return true;
      });
      log_->undo();
      if (n == 0) break;
    }
    return writer;
  }
  RegisterValue value_of(const Difference& difference) {
    if (difference.kind == Kind::registers) {
      return check_.registers->read(*reference_, difference.register_number).value_or(0);
    }
    std::uint8_t byte = 0;
    (void)memory_.examine(difference.address, std::span(&byte, 1));
    return byte;
  }

  // The stretch's instruction with this number, from 0 on. nullopt: it cannot be read.
  std::optional<InstructionText> instruction(const Start& start, std::uint64_t number) {
    std::optional<InstructionText> text;
    go_to(start, Instructions(number));
    reference_->observe([&text](const InstructionText& seen, Cycles) { text = seen; });
    Cycles now = start.now;
    (void)reference_->run(now, now + Cycles(farthest_wait), Instructions(1));
    step_reference();
    log_->undo();
    return text;
  }
  static constexpr std::uint64_t farthest_wait = 1 << 20;  // cycles, of one instruction

  std::unique_ptr<CpuBase> checked_;
  std::unique_ptr<CpuBase> reference_;
  AddressSpace& memory_;
  std::shared_ptr<WriteLog> log_;
  EngineCheck check_;
};

// Both are of the instruction set.
template <class CpuBase>
std::unique_ptr<Cpu> make_checked_cpu(std::unique_ptr<Cpu> cpu, std::unique_ptr<Cpu> reference,
                                      AddressSpace& memory, EngineCheck check) {
  const auto own = [](std::unique_ptr<Cpu> one) {
    return std::unique_ptr<CpuBase>(static_cast<CpuBase*>(one.release()));
  };
  return std::make_unique<CheckedCpu<CpuBase>>(own(std::move(cpu)), own(std::move(reference)),
                                               memory, std::move(check));
}

}  // namespace hardclock::debug
