#include "syscalls/profil/irix.h"

#include <optional>

#include "sim/base/check.h"

namespace hardclock::profil {
namespace {

// "the value of offset is subtracted from the current value of the program counter (pc), and the
// remainder is multiplied by scale": profil(2). The product has up to 96 bits (A-I11).
Steps steps_to(const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = pc - region.offset;
  steps.product_shift = kIrixFractionBits;
  if (region.scale == kIrixFirstCounterScale) {
    steps.rule = Steps::Rule::first_counter;
    return steps;
  }
  steps.product = Wide{steps.delta} * region.scale;
  steps.quotient = steps.product >> kIrixFractionBits;
  return steps;
}

// What one region makes of a pc. profil(2): "turned off by giving a scale of 0 or 1", "rendered
// ineffective by giving a bufsiz of 0" (A-I4), "offset is effectively the start address of the
// region to be profiled". A-I6 compares the byte offset before it is rounded to a counter.
Lookup find_counter(const Region& region, std::size_t index, unsigned width, GuestAddr pc) {
  if (region.scale <= kIrixHighestOffScale) return Miss{Miss::Reason::scale_off, index, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, index, {}};
  if (pc < region.offset) return Miss{Miss::Reason::below_offset, index, {}};
  const Steps steps = steps_to(region, pc);
  if (steps.quotient >= region.size) return Miss{Miss::Reason::beyond_buffer, index, steps};
  const auto quotient = static_cast<std::uint64_t>(steps.quotient);
  const std::uint64_t byte_offset = quotient - quotient % width;
  return Access{index, region.base + byte_offset, width, byte_offset, steps};
}

}  // namespace

State irix_profil(GuestAddr buff, std::uint32_t bufsiz, std::uint32_t offset, std::uint32_t scale) {
  if (scale <= kIrixHighestOffScale) return stopped(State::Stop::by_call);
  State state;
  state.kind = State::Kind::profil;
  state.counter_bytes = 2;  // "an array of unsigned short int"
  state.regions = {Region{buff, bufsiz, GuestAddr(offset), scale}};
  return state;
}

// A negative profcnt is E2BIG on HP-UX; 0 is not, although its ERRORS say so: the same page has "If
// profcnt is 0, profiling is disabled", and glibc's own test stops with sprofil(NULL, 0, NULL, 0).
Result<std::size_t, SprofilError> irix_region_count(std::int32_t profcnt) {
  if (profcnt < 0 || static_cast<std::size_t>(profcnt) > kIrixMaxRegions) {
    return Failure{SprofilError::too_many_regions};
  }
  return static_cast<std::size_t>(profcnt);
}

// The fields of struct prof "take on the same meaning as the arguments of the profil(2) system
// call" (IRIX sprofil(2)), so an entry has profil's rules, scale 2 included. glibc's tst-sprofil.c
// passes overlapping, unsorted regions.
Result<State, SprofilError> irix_sprofil(std::span<const Region> regions, std::uint32_t flags) {
  if (regions.size() > kIrixMaxRegions) return Failure{SprofilError::too_many_regions};
  if (regions.empty()) return stopped(State::Stop::by_call);
  if ((flags & ~(kIrixProfUint | kIrixProfFast)) != 0) return Failure{SprofilError::invalid_flags};
  State state;
  state.kind = State::Kind::sprofil;
  state.counter_bytes = (flags & kIrixProfUint) != 0 ? 4 : 2;
  state.regions.assign(regions.begin(), regions.end());
  state.fast = (flags & kIrixProfFast) != 0;
  return state;
}

// Of overlapping regions the one with the largest offset not above pc counts, of equal offsets the
// first; a region whose buffer ends before this pc leaves it to the others (HP-UX sprofil(2); glibc
// fills the gaps between regions in the same way). The overflow bin, "pr_offset of 0 and pr_scale
// of 0x0002", needs no rule of its own: it takes every pc, and no other offset is smaller.
Lookup irix_lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  std::optional<Access> best;
  Miss miss{Miss::Reason::no_region, 0, {}};
  for (std::size_t i = 0; i < state.regions.size(); ++i) {
    const Lookup found = find_counter(state.regions[i], i, state.counter_bytes, pc);
    const Access* access = std::get_if<Access>(&found);
    if (access == nullptr) {
      if (state.regions.size() == 1) miss = std::get<Miss>(found);
    } else if (!best || state.regions[i].offset > state.regions[best->region].offset) {
      best = *access;
    }
  }
  if (best) return *best;
  return miss;
}

// "it is conceivable for it to overflow. No indication that this has occurred is given": profil(2).
Increment irix_increment(std::uint64_t before, unsigned width, Ticks ticks) {
  CHECK(width == 2 || width == 4);
  const std::uint64_t limit = (std::uint64_t{1} << (8 * width)) - 1;
  CHECK(before <= limit);
  const bool wraps = ticks.value() > limit - before;
  return {before, (before + ticks.value()) & limit,
          wraps ? Increment::Effect::wrapped : Increment::Effect::counted};
}

State irix_after_fault(const State& state) {
  return state.on() ? stopped(State::Stop::by_fault) : state;
}

State irix_after_exec(const State& state) {
  return state.on() ? stopped(State::Stop::by_exec) : state;
}

State irix_after_fork(const State& parent) {
  return parent;
}

std::chrono::microseconds irix_tick_period(const State& state, std::chrono::microseconds tick,
                                           std::chrono::microseconds fast_tick) {
  return state.on() && state.fast ? fast_tick : tick;
}

}  // namespace hardclock::profil
