// A program's profil(2) as the lab shows it: the arithmetic step by step, beside other systems' and
// beside that of kernels with a broken rule.
#pragma once

#include <string>
#include <vector>

#include "cli/lab_rules.h"
#include "sim/lab/frame.h"
#include "syscalls/profil/charge.h"
#include "syscalls/profil/profil.h"

namespace hardclock {

// `name` is the kernel's, or the broken rule's.
lab::Verdict verdict_of(std::string name, const Looked& looked, bool updates_unaligned);
// With what became of the counter.
lab::Verdict verdict_of(std::string name, const Looked& looked, const profil::Charge& charge,
                        Ticks ticks);
lab::Verdict verdict_of(const BrokenRule& rule, const BrokenKernel::Result& result, Ticks ticks);

class KernelProfile final : public lab::Profile {
 public:
  KernelProfile(profil::State state, const RuleContext& context)
      : state_(std::move(state)), context_(context) {}

  bool is_on() const override { return state_.on(); }
  std::string summary() const override;
  lab::Verdict verdict(GuestAddr pc) const override;
  std::vector<lab::Verdict> systems(GuestAddr pc) const override;
  std::vector<lab::Verdict> broken(GuestAddr pc) const override;

  const profil::State& state() const { return state_; }

 private:
  profil::State state_;
  RuleContext context_;
};

}  // namespace hardclock
