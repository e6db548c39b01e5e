// hardclock run --check=dependencies: whether a program keeps to what an instruction group may
// have. The instructions of a group behave as if all of them read their registers before one
// writes: a group must not write a register and then read it, or write it twice. What it computes
// otherwise is undefined (SDM 1, section 3.4), though here it has a result: instructions run one
// after another.
//
// The rules are those of dependencies_accesses.h, for instructions as they are executed: one whose
// predicate is 0 reads that and writes nothing. A group ends at a stop, a taken branch and a break.
// (A br.cloop, or a check, whose target is the bundle behind it counts as not taken.) Clock
// interrupts end none: another run has them elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "isa/ia64/dependencies_accesses.h"
#include "isa/ia64/registers.h"
#include "sim/base/instruction_text.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"

namespace hardclock::ia64 {

// One that is not allowed.
struct Dependency {
  enum class Kind : std::uint8_t { read_after_write, write_after_write, write_after_read };
  Kind kind = Kind::read_after_write;
  dependencies::Item item = 0;
  GuestAddr first, second;  // the instructions: bundle plus slot
};

// "0x4000000000000a10 (slot 1): reads r14, which 0x4000000000000a00 (slot 0) wrote in the same
// instruction group"
std::string sentence(const Dependency& dependency);

// Follows one processor. Copies share what they know of instructions, and nothing else.
class DependencyChecker {
 public:
  DependencyChecker();
  // Takes the instruction that runs next, and the registers as they are before. The first of what
  // it must not have, if there is any.
  std::optional<Dependency> next(const InstructionText& text, const Registers& registers);

 private:
  // What the group has done with a resource; outdated unless `group` is the group's number.
  struct Use {
    std::uint64_t group = 0;
    GuestAddr at;
    dependencies::Write how;
  };
  struct Instructions;  // what is known of them
  class Visit;

  bool goes_on_with(const InstructionText& text) const;

  std::shared_ptr<Instructions> instructions_;
  std::array<Use, dependencies::item_count> writes_{};
  Use branch_read_of_p63_;
  std::uint64_t group_ = 1;
  std::optional<InstructionText> last_;
  bool group_is_over_ = false;  // behind `last_`
};

// The processor, with a check of what it runs: it and its forks give `report` a sentence about each
// instruction that has such a dependency, when it first occurs. After the thousandth there are no
// more.
std::unique_ptr<Cpu> with_dependency_check(std::unique_ptr<Cpu> cpu,
                                           std::function<void(const std::string&)> report);

}  // namespace hardclock::ia64
