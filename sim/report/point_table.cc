#include "sim/report/point_table.h"

#include <algorithm>
#include <tuple>

#include "sim/report/call_graph_sums.h"

namespace hardclock::report {
namespace {

constexpr std::uint8_t of_cycles = 0;
constexpr std::uint8_t of_ticks = 1;
constexpr std::uint8_t of_first_reason = 2;

// More entries than that are summed up before they double.
constexpr std::size_t few = std::size_t{1} << 18;

}  // namespace

void PointTable::add(std::uint32_t function, GuestAddr address, const Cost& cost) {
  if (cost.ticks != 0) append(function, address, of_ticks, cost.ticks);
  if (cost.cycles != 0 || cost.ticks == 0) append(function, address, of_cycles, cost.cycles);
}

void PointTable::add(std::uint32_t function, GuestAddr address, CycleReason reason,
                     std::uint64_t cycles) {
  append(function, address, static_cast<Kind>(of_first_reason + static_cast<std::uint8_t>(reason)),
         cycles);
}

void PointTable::append(std::uint32_t function, GuestAddr address, Kind kind,
                        std::uint64_t amount) {
  if (entries_.size() >= std::max(few, 2 * summed_)) sum_up();
  entries_.push_back({address, amount, function, kind});
}

// Sorts them, and leaves one of each function, address and kind.
void PointTable::sum_up() {
  const auto key = [](const Entry& entry) {
    return std::tuple(entry.function, entry.address, entry.kind);
  };
  if (!std::ranges::is_sorted(entries_, {}, key)) std::ranges::sort(entries_, {}, key);
  std::size_t kept = 0;
  for (const Entry& entry : entries_) {
    if (kept != 0 && key(entries_[kept - 1]) == key(entry)) {
      add_count(entries_[kept - 1].amount, entry.amount);
    } else {
      entries_[kept++] = entry;
    }
  }
  entries_.resize(kept);
  summed_ = kept;
}

void PointTable::renumber(std::span<const std::uint32_t> places) {
  for (Entry& entry : entries_) entry.function = places[entry.function];
}

void PointTable::move_to(CallGraph& graph) {
  sum_up();
  const auto is_at_other_point = [](const Entry& a, const Entry& b) {
    return std::tuple(a.function, a.address) != std::tuple(b.function, b.address);
  };
  std::size_t points = 0, reasons = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i == 0 || is_at_other_point(entries_[i - 1], entries_[i])) ++points;
    if (entries_[i].kind >= of_first_reason) ++reasons;
  }
  graph.points.reserve(points);
  graph.point_reasons.reserve(reasons);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (i == 0 || is_at_other_point(entries_[i - 1], entry)) {
      graph.points.push_back({entry.function,
                              static_cast<std::uint32_t>(graph.point_reasons.size()),
                              entry.address,
                              {}});
    }
    if (entry.kind >= of_first_reason) {
      const auto reason = static_cast<CycleReason>(entry.kind - of_first_reason);
      graph.point_reasons.push_back({reason, entry.amount});
    } else {
      Cost& own = graph.points.back().own;
      add_count(entry.kind == of_cycles ? own.cycles : own.ticks, entry.amount);
    }
  }
  entries_ = {};
}

}  // namespace hardclock::report
