// What kernels count in the lab: the true one, and one for each rule that can be broken.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/lab_rules.h"
#include "sim/lab/frame.h"
#include "sim/lab/machine.h"
#include "syscalls/posix/kernel.h"

namespace hardclock {

class LabCounts {
 public:
  explicit LabCounts(const RuleContext& context);

  const std::vector<lab::Rule>& rules() const { return rules_; }
  // The kernel has made a charge; `place` is its pc's.
  void charge(const posix::ChargeSeen& seen, std::string place);
  // The charges since the last call, but those of no ticks.
  std::vector<lab::Charge> take_charges() { return std::exchange(charges_, {}); }
  // Of a process, by address.
  std::shared_ptr<const std::vector<lab::CounterRow>> rows_of(int process);

 private:
  struct Counter {
    std::uint64_t element = 0;
    std::string place;  // the kernel's, if it has counted here
    bool is_true = false;
    std::uint64_t count = 0;
  };
  struct OfProcess {
    profil::State state;  // the kernel's, after the last charge
    std::vector<BrokenKernel> broken;
    std::map<GuestAddr, Counter> counters;
    std::shared_ptr<const std::vector<lab::CounterRow>> rows;  // null: not made since the charge
  };

  OfProcess& of(int process);
  std::shared_ptr<const std::vector<lab::CounterRow>> make_rows(const OfProcess& process) const;
  // A kernel has counted: the true one or another.
  static Counter& note(OfProcess& process, const Looked& looked, const std::string& place,
                       bool is_true);

  RuleContext context_;
  std::vector<lab::Rule> rules_;
  std::map<int, OfProcess> processes_;  // by pid
  std::vector<lab::Charge> charges_;
};

}  // namespace hardclock
