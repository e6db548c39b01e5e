// Register rotation and the branches of counted and software-pipelined loops, as pure functions.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (here: SDM):
// volume 1, chapter 3 and section 4.5.1; volume 3, chapter 2, br, and chapter 3, rotate_regs.
#pragma once

#include <cstdint>

namespace hardclock::ia64 {

// The rotating registers are f32 to f127 and p16 to p63, always, and the first CFM.sor of the
// stacked general registers.
inline constexpr unsigned first_rotating_gr = 32;
inline constexpr unsigned first_rotating_fr = 32, rotating_frs = 96;
inline constexpr unsigned first_rotating_pr = 16, rotating_prs = 48;

// Renames number `n` of a file whose `count` registers from `first` on rotate. The rename base is
// below `count`, or 0 if nothing rotates. A rotation decrements it: what was in r32 is in r33.
constexpr unsigned renamed(unsigned n, unsigned first, unsigned count, unsigned rename_base) {
  if (n < first || n - first >= count) return n;
  const unsigned place = n - first + rename_base;
  return first + (place < count ? place : place - count);
}
constexpr unsigned physical_fr(unsigned f, unsigned rrb_fr) {
  return renamed(f, first_rotating_fr, rotating_frs, rrb_fr);
}
constexpr unsigned physical_pr(unsigned p, unsigned rrb_pr) {
  return renamed(p, first_rotating_pr, rotating_prs, rrb_pr);
}
// The rename base after one rotation of `count` registers.
constexpr unsigned rotated_base(unsigned rename_base, unsigned count) {
  if (count == 0) return rename_base;
  return (rename_base == 0 ? count : rename_base) - 1;
}

// All predicates in 64 bits, p0 in bit 0: either by physical number, as `mov r1 = pr`,
// `mov pr = r2, mask` and `mov pr.rot` have them, which take rrb.pr as 0, or by the number that an
// instruction uses. A machine that keeps them by the latter reads a predicate without renaming, and
// converts when rrb.pr changes: from physical numbers under the new base of what it had under the
// old one. One rotation is predicates_by_name() with the base 47.
constexpr std::uint64_t rotating_predicates = ~std::uint64_t{0} << first_rotating_pr;
constexpr std::uint64_t predicates_by_name(std::uint64_t by_number, unsigned rrb_pr) {
  const std::uint64_t rotating = by_number >> first_rotating_pr;
  const std::uint64_t turned = rotating >> rrb_pr | rotating << (rotating_prs - rrb_pr);
  return (by_number & ~rotating_predicates) | turned << first_rotating_pr;
}
constexpr std::uint64_t predicates_by_number(std::uint64_t by_name, unsigned rrb_pr) {
  return predicates_by_name(by_name, rrb_pr == 0 ? 0 : rotating_prs - rrb_pr);
}
// The same with the frame marker, as pack() has it (register_stack.h), for the base.
constexpr unsigned rrb_pr_of(std::uint64_t marker) {
  return static_cast<unsigned>(marker >> 32 & 63);
}
constexpr std::uint64_t predicates_by_name_of(std::uint64_t by_number, std::uint64_t marker) {
  return predicates_by_name(by_number, rrb_pr_of(marker));
}
constexpr std::uint64_t predicates_by_number_of(std::uint64_t by_name, std::uint64_t marker) {
  return predicates_by_number(by_name, rrb_pr_of(marker));
}

// br.cloop, br.ctop, br.cexit, br.wtop, br.wexit.
enum class LoopBranch : std::uint8_t { cloop, ctop, cexit, wtop, wexit };
struct LoopCounters {
  std::uint64_t lc = 0;
  std::uint8_t ec = 0;  // 0..63

  bool operator==(const LoopCounters&) const = default;
};
struct LoopStep {
  bool taken = false;
  LoopCounters counters;
  // All but cloop write p63, before they rotate: the value is in p16 afterwards if they do.
  bool writes_p63 = false;
  bool p63 = false;
  bool rotates = false;

  bool operator==(const LoopStep&) const = default;
};

// What the branch does. `qp` is the value of the qualifying predicate, which matters to wtop and
// wexit only: the others have none. In any slot but the last all five are Illegal Operation faults,
// which is the caller's.
constexpr LoopStep loop_step(LoopBranch branch, LoopCounters before, bool qp) {
  LoopStep step{.counters = before};
  if (branch == LoopBranch::cloop) {
    step.taken = before.lc != 0;
    step.counters.lc -= step.taken ? 1 : 0;
    return step;
  }
  const bool is_counted = branch == LoopBranch::ctop || branch == LoopBranch::cexit;
  // Another iteration begins: prolog or kernel. Without, EC counts the stages that are left.
  const bool begins = is_counted ? before.lc != 0 : qp;
  const bool goes_on = begins || before.ec > 1;
  step.taken = goes_on == (branch == LoopBranch::ctop || branch == LoopBranch::wtop);
  step.rotates = begins || before.ec != 0;
  step.writes_p63 = true;
  step.p63 = is_counted && begins;
  if (begins)
    step.counters.lc -= is_counted ? 1 : 0;
  else if (before.ec != 0)
    --step.counters.ec;
  return step;
}

}  // namespace hardclock::ia64
