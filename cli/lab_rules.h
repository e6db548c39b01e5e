// Kernels with one broken rule of profil(2), for the lab: each is a pure variant of a system of
// syscalls/profil, which itself stays as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock {

// The system whose rule is broken, and how far apart its processor's instructions are.
struct RuleContext {
  const profil::SystemRules& system;
  std::uint64_t instruction_bytes = 4;
};

// A lookup, and what it looked at: a broken kernel may see another state or another pc.
struct Looked {
  profil::State state;
  GuestAddr pc;
  profil::Lookup lookup;
};

// The formula's numbers; nullptr: the lookup has not used it.
const profil::Steps* scaled_steps(const profil::Lookup& lookup);

// What is null is as in the system.
struct BrokenRule {
  std::string_view name;      // one word
  std::string_view sentence;  // what the broken kernel does
  Looked (*look)(const RuleContext& context, const profil::State& state, GuestAddr pc) = nullptr;
  profil::Increment (*increment)(const RuleContext& context, std::uint64_t before, unsigned width,
                                 Ticks ticks) = nullptr;
  profil::State (*after_fault)(const profil::State& state) = nullptr;
};

std::span<const BrokenRule> broken_rules();

// The lookup of the system itself.
Looked look(const RuleContext& context, const profil::State& state, GuestAddr pc);
// That of its variant.
Looked look(const BrokenRule& rule, const RuleContext& context, const profil::State& state,
            GuestAddr pc);

// A kernel with a broken rule that counts on its own, beside the true one: its counters begin at 0.
class BrokenKernel {
 public:
  BrokenKernel(const BrokenRule& rule, const RuleContext& context)
      : rule_(rule), context_(context) {}

  // The program has begun another profile.
  void begin(const profil::State& state);
  // It has ended it: what was counted stays.
  void end(const profil::State& state) { state_ = state; }

  struct Result {
    Looked looked;
    std::optional<profil::Increment> increment;  // nullopt: nothing was counted
    bool faulted = false;
  };
  // One charge. `can_update` says whether the program could read and write the bytes.
  using CanUpdate = std::function<bool(GuestAddr address, unsigned bytes)>;
  Result charge(GuestAddr pc, Ticks ticks, const CanUpdate& can_update);

  // By address.
  const std::map<GuestAddr, std::uint64_t>& counters() const { return counters_; }

 private:
  const BrokenRule& rule_;
  RuleContext context_;
  profil::State state_;
  std::map<GuestAddr, std::uint64_t> counters_;
};

}  // namespace hardclock
