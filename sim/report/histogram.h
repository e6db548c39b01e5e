// Where the counters of a histogram begin. A part of reports.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/base/units.h"
#include "sim/report/profile.h"

namespace hardclock::report {

__extension__ typedef unsigned __int128 Wide;

// The width of a counter: `text` bytes have `counters`.
struct Spacing {
  std::uint64_t text = 0;
  std::uint64_t counters = 0;
};

inline Spacing spacing_of(const Histogram& histogram) {
  if (histogram.density != 0) return {Histogram::most_density, histogram.density};
  return {histogram.high - histogram.low, histogram.counts.size()};
}

// Bytes above `low`, in parts of which spacing.counters are a byte: [begin, end).
struct CounterRange {
  Wide begin = 0;
  Wide end = 0;
};

// An instruction counts as a whole, at its first byte. So where a scale puts a boundary into one,
// it belongs to the counter before: the boundary is moved to the next instruction of 4 bytes, as
// long as that leaves the counter one, else of 2. The text ends at `high`, whatever the last
// counter could have counted.
inline CounterRange range_of(const Histogram& histogram, std::size_t counter) {
  const Spacing spacing = spacing_of(histogram);
  const CounterRange exact{Wide{spacing.text} * counter, Wide{spacing.text} * (Wide{counter} + 1)};
  if (histogram.density == 0) return exact;
  const auto next = [&](Wide at, std::uint64_t instruction) {
    const Wide address = histogram.low.value() + (at + spacing.counters - 1) / spacing.counters;
    const Wide rounded = (address + instruction - 1) / instruction * instruction;
    return (rounded - histogram.low.value()) * spacing.counters;
  };
  const Wide text = Wide{histogram.high - histogram.low} * spacing.counters;
  for (const std::uint64_t instruction : {4, 2}) {
    const Wide begin = next(exact.begin, instruction);
    const Wide end = next(begin < text ? std::min(exact.end, text) : exact.end, instruction);
    if (begin < end) return {begin, end};
  }
  return exact;
}

// The first whole address that the counter covers; of a counter without one, the next.
inline GuestAddr first_address(const Histogram& histogram, std::size_t counter) {
  const Wide counters = spacing_of(histogram).counters;
  const Wide begin = range_of(histogram, counter).begin;
  return histogram.low + static_cast<std::uint64_t>((begin + counters - 1) / counters);
}

// The counter that covers `pc`; nothing: none does.
inline std::optional<std::size_t> counter_at(const Histogram& histogram, GuestAddr pc) {
  if (pc < histogram.low) return std::nullopt;
  const Spacing spacing = spacing_of(histogram);
  const Wide counter = Wide{pc - histogram.low} * spacing.counters / spacing.text;
  if (counter >= histogram.counts.size()) return std::nullopt;
  return static_cast<std::size_t>(counter);
}

// Whether all counters have addresses when they are as wide as `density`, from 1 to most_density,
// makes them.
inline bool can_have(const Histogram& histogram, std::uint64_t density) {
  constexpr std::uint64_t last_address = ~std::uint64_t{0};
  constexpr std::uint64_t moved_by = 4;  // a boundary, at most
  const Wide text = Wide{histogram.counts.size()} * Histogram::most_density / density;
  return text + moved_by <= last_address - histogram.low.value();
}

// `histogram` with counters as wide as an integer scale makes them. Without a change where its
// range says the same, in whole bytes, and where no kernel was given such a scale: 0, above 2^18,
// beyond the last address.
inline Histogram with_density(Histogram histogram, std::uint64_t density) {
  if (density == 0 || density > Histogram::most_density) return histogram;
  if (!can_have(histogram, density)) return histogram;
  const Wide text = histogram.high - histogram.low;
  const bool is_said = Histogram::most_density % density == 0 &&
                       text * density == Wide{histogram.counts.size()} * Histogram::most_density;
  histogram.density = is_said ? 0 : density;
  return histogram;
}

}  // namespace hardclock::report
