#include "sim/report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/report/chance.h"

namespace hardclock::report {
namespace {

void add_each(const ClockTicks& from, ClockTicks& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// Rows by what names them.
class Collector {
 public:
  explicit Collector(std::size_t clocks) : clocks_(clocks) {}

  SweepRow& row(const FlatRow& place) {
    const auto [at, is_new] = rows_.try_emplace({place.function, place.object, place.address});
    if (is_new) at->second = SweepRow{.place = place, .ticks = ClockTicks(clocks_)};
    return at->second;
  }

  std::vector<SweepRow> sorted() const {
    std::vector<SweepRow> all;
    for (const auto& [name, row] : rows_) all.push_back(row);
    std::ranges::stable_sort(all, std::greater(), [](const auto& row) { return row.place.cycles; });
    return all;
  }

 private:
  std::size_t clocks_;
  std::map<std::tuple<std::string, std::string, std::optional<GuestAddr>>, SweepRow> rows_;
};

// The pcs with cycles or ticks, sorted.
std::vector<GuestAddr> pcs_of(const SweepProgram& program) {
  std::vector<GuestAddr> pcs;
  pcs.reserve(program.cycles.size());
  for (const auto& [pc, cycles] : program.cycles) pcs.push_back(pc);
  const auto ticks_begin = static_cast<std::ptrdiff_t>(pcs.size());
  for (const TicksAtPc& at : program.ticks) pcs.push_back(at.pc);
  std::inplace_merge(pcs.begin(), pcs.begin() + ticks_begin, pcs.end());
  pcs.erase(std::unique(pcs.begin(), pcs.end()), pcs.end());
  return pcs;
}

}  // namespace

double SweepTable::exact_share(const SweepRow& row) const {
  if (cycles == Cycles()) return 0;
  return static_cast<double>(row.place.cycles.value()) / static_cast<double>(cycles.value());
}

SweepTable tabulate(const Sweep& sweep, const SymbolTable& symbols, const Identity& program,
                    const Objects& objects) {
  const std::size_t clocks = sweep.clocks();
  SweepTable table;
  table.sweep = &sweep;
  table.user.resize(clocks);
  table.kernel.resize(clocks);
  table.idle = sweep.idle;
  Collector collector(clocks);
  for (const SweepProgram& part : sweep.programs) {
    const std::vector<GuestAddr> pcs = pcs_of(part);
    const FunctionsOfPcs functions = functions_of(part.process, symbols, pcs, program, objects);
    std::vector<SweepRow*> rows;
    for (const FlatRow& place : functions.rows) rows.push_back(&collector.row(place));
    // The pcs are told in their order.
    std::size_t at = 0;
    const auto row_at = [&](GuestAddr pc) -> SweepRow& {
      while (pcs[at] < pc) ++at;
      return *rows[functions.row_of[at]];
    };
    for (const auto& [pc, cycles] : part.cycles) {
      row_at(pc).place.cycles += Cycles(cycles);
      table.cycles += Cycles(cycles);
    }
    at = 0;
    for (const auto& [pc, clock, ticks] : part.ticks) {
      row_at(pc).ticks[clock] += ticks;
      table.user[clock] += ticks;
    }
    add_each(part.elsewhere, table.user);
    add_each(part.kernel, table.kernel);
  }
  table.rows = collector.sorted();
  return table;
}

double standard_error_of_share(double p, double n) {
  return n <= 0 ? 0 : std::sqrt(p * (1 - p) / n);
}

bool is_beyond_chance(const SweepTable& table, const SweepRow& row, std::size_t clock) {
  const auto is_main = [&](const SweepRow& each) {
    return table.exact_share(each) >= main_row_share;
  };
  const auto rows = static_cast<std::size_t>(std::ranges::count_if(table.rows, is_main));
  return is_beyond_chance(static_cast<double>(row.ticks[clock]),
                          static_cast<double>(table.user[clock]), table.exact_share(row),
                          table.sweep->clocks() * (rows + 1));
}

SeenShare seen_share(const SweepTable& table, const SweepRow& row, std::size_t rate) {
  const double exact = table.exact_share(row);
  SeenShare seen;
  for (std::uint32_t phase = 0; phase < table.sweep->phases; ++phase) {
    const std::size_t clock = table.sweep->clock(rate, phase);
    if (table.user[clock] == 0) continue;
    const auto user = static_cast<double>(table.user[clock]);
    const double share = static_cast<double>(row.ticks[clock]) / user;
    seen.lowest = seen.clocks == 0 ? share : std::min(seen.lowest, share);
    seen.highest = std::max(seen.highest, share);
    seen.mean += share;
    seen.ticks += table.user[clock];
    seen.clocks += 1;
    const double error = standard_error_of_share(exact, user);
    if (error > 0) seen.worst = std::max(seen.worst, std::abs(share - exact) / error);
    seen.is_beyond_chance |= is_beyond_chance(table, row, clock);
  }
  if (seen.clocks == 0) return seen;
  const auto clocks = static_cast<double>(seen.clocks);
  seen.mean /= clocks;
  seen.standard_error = standard_error_of_share(exact, static_cast<double>(seen.ticks) / clocks);
  return seen;
}

std::vector<SweepRow> main_rows(const SweepTable& table) {
  std::vector<SweepRow> rows;
  SweepRow others{.place = {}, .ticks = ClockTicks(table.sweep->clocks()), .functions = 0};
  for (const SweepRow& row : table.rows) {
    if (table.exact_share(row) >= main_row_share) {
      rows.push_back(row);
      continue;
    }
    others.functions += 1;
    others.place.cycles += row.place.cycles;
    add_each(row.ticks, others.ticks);
  }
  if (others.functions == 0) return rows;
  others.place.function =
      fmt::format("others, {} function{}", others.functions, others.functions == 1 ? "" : "s");
  rows.push_back(std::move(others));
  return rows;
}

}  // namespace hardclock::report
