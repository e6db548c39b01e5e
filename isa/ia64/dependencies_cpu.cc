#include <cstddef>
#include <unordered_set>
#include <utility>

#include "isa/ia64/abi.h"
#include "isa/ia64/dependencies.h"

namespace hardclock::ia64 {
namespace {

using Report = std::function<void(const std::string&)>;

// What all processors of a program have reported.
struct Reports {
  static constexpr std::size_t most = 1000;

  bool are_full() const { return instructions.size() == most; }
  void add(const Dependency& found) {
    if (instructions.insert(found.second.value()).second) report(sentence(found));
  }

  Report report;
  std::unordered_set<std::uint64_t> instructions;
};

// Shows a processor's instructions to a checker, with the registers of that very processor: so a
// fork needs a checker of its own, which an observer, copied with the rest, would not be.
class CheckedCpu final : public CpuBase {
 public:
  CheckedCpu(std::unique_ptr<Cpu> cpu, DependencyChecker checker, std::shared_ptr<Reports> reports,
             InstructionObserver observer)
      : cpu_(std::move(cpu)),
        checker_(std::move(checker)),
        reports_(std::move(reports)),
        observer_(std::move(observer)) {
    cpu_->observe([this](const InstructionText& text, Cycles cycle) {
      check(text);
      if (observer_) observer_(text, cycle);
    });
  }

  Registers& registers() override { return registers_of(*cpu_); }
  std::unique_ptr<Cpu> fork(AddressSpace& memory) const override {
    return std::make_unique<CheckedCpu>(cpu_->fork(memory), checker_, reports_, observer_);
  }
  void observe(InstructionObserver observer) override { observer_ = std::move(observer); }

  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    return cpu_->run(now, deadline, limit);
  }
  void sample_pcs(PcSampler* sampler) override { cpu_->sample_pcs(sampler); }
  GuestAddr interrupted_pc() const override { return cpu_->interrupted_pc(); }
  void interrupted() override { cpu_->interrupted(); }
  void drain_pipeline() override { cpu_->drain_pipeline(); }
  void complete_system_call() override { cpu_->complete_system_call(); }
  std::optional<Fault> split_access(const Fault& refused) override {
    return cpu_->split_access(refused);
  }
  ExecutionCounts counts() const override { return cpu_->counts(); }
  void archive(Archive& to) override {
    to.refuse("a check of dependencies");
    cpu_->archive(to);
    to.wiring(checker_, reports_, observer_);
  }
  Maker maker() const override { return cpu_->maker(); }
  void collect_cycle_profile() override { cpu_->collect_cycle_profile(); }
  void collect_reasons() override { cpu_->collect_reasons(); }
  ReasonProfile reason_profile() const override { return cpu_->reason_profile(); }
  void count_kernel(Cycles cycles) override { cpu_->count_kernel(cycles); }
  void collect_calls(std::shared_ptr<FunctionFinder> functions) override {
    cpu_->collect_calls(std::move(functions));
  }
  CallRecord calls() const override { return cpu_->calls(); }
  void watch(const WatchedPlace& place, std::shared_ptr<Awaited> awaited) override {
    cpu_->watch(place, std::move(awaited));
  }
  void count_tick() override { cpu_->count_tick(); }
  void observe_timing(TimingObserver observer) override {
    cpu_->observe_timing(std::move(observer));
  }

 private:
  void check(const InstructionText& text) {
    if (reports_->are_full()) return;
    if (const auto found = checker_.next(text, registers())) reports_->add(*found);
  }

  std::unique_ptr<Cpu> cpu_;
  DependencyChecker checker_;
  std::shared_ptr<Reports> reports_;
  InstructionObserver observer_;  // the user's
};

}  // namespace

std::unique_ptr<Cpu> with_dependency_check(std::unique_ptr<Cpu> cpu, Report report) {
  auto reports = std::make_shared<Reports>(Reports{std::move(report), {}});
  return std::make_unique<CheckedCpu>(std::move(cpu), DependencyChecker(), std::move(reports),
                                      nullptr);
}

}  // namespace hardclock::ia64
