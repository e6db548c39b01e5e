#include "sim/report/reason_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

constexpr std::array<std::string_view, cycle_reasons> headings = {
    "issue", "opnd", "unit", "br", "imiss", "dmiss", "l2", "tlb", "wbuf", "kernel"};
constexpr std::string_view unknown_heading = "?";

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// Four characters: "0.0" is less than half of a tenth; nothing is nothing.
std::string short_percent(std::uint64_t part, std::uint64_t whole) {
  constexpr double rounds_to_hundred = 99.95;
  if (part == 0) return {};
  const double share = percent(part, whole);
  return share >= rounds_to_hundred ? fmt::format("{:.0f}", share) : fmt::format("{:.1f}", share);
}

// One cell for each row by `cell`, and one of the totals.
template <class Cell>
Column column(const std::vector<FlatRow>& rows, std::string_view title, Cell cell) {
  Column column{.title = std::string(title), .cells = {}};
  for (const FlatRow& row : rows) column.cells.push_back(cell(row));
  return column;
}

// Reasons and how many cycles have them, most first.
std::vector<std::pair<CycleReason, std::uint64_t>> by_cycles(const CyclesByReason& reasons) {
  std::vector<std::pair<CycleReason, std::uint64_t>> all;
  for (const CycleReason reason : reasons_in(reasons)) all.emplace_back(reason, reasons[reason]);
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const auto& each) { return each.second; });
  return all;
}

FlatRow total_of(const FlatReport& report) {
  FlatRow total;
  total.function = "total";
  total.cycles = report.cycles;
  total.reasons = report.reasons;
  return total;
}

std::string totals_text(const FlatRow& total, const Terminal& terminal) {
  const std::uint64_t cycles = total.cycles.value();
  Column names{.title = "reason", .align = Align::left, .cells = {}};
  Column counts{.title = "cycles", .cells = {}};
  Column shares{.title = "%", .cells = {}};
  Column titles{.title = "below", .align = Align::left, .cells = {}};
  const auto add = [&](std::string_view name, std::uint64_t count, std::string share,
                       std::string_view title) {
    names.cells.emplace_back(name);
    counts.cells.push_back(std::to_string(count));
    shares.cells.push_back(std::move(share));
    titles.cells.emplace_back(title);
  };
  for (const CycleReason reason : reasons_in(total.reasons)) {
    const std::uint64_t count = total.reasons[reason];
    add(name_of(reason), count, fmt::format("{:.1f}", percent(count, cycles)), heading_of(reason));
  }
  const std::uint64_t unknown = without_reason(total.cycles, total.reasons);
  if (unknown != 0) {
    add("not known", unknown, fmt::format("{:.1f}", percent(unknown, cycles)), unknown_heading);
  }
  add("all", cycles, cycles == 0 ? "" : "100.0", "");
  const std::uint64_t kernel = total.reasons[CycleReason::kernel];
  if (kernel != 0) add("kernel, on top", kernel, "", heading_of(CycleReason::kernel));
  return table_text({names, counts, shares, titles}, {.terminal = terminal});
}

// The smaller a reason's part of all cycles, the sooner a narrow terminal does without it.
void rank_by_cycles(std::vector<Column>& columns, std::size_t first,
                    const CyclesByReason& reasons) {
  unsigned rank = 0;
  for (const auto& [reason, cycles] : by_cycles(reasons)) {
    for (std::size_t i = first; i < columns.size(); ++i) {
      if (columns[i].title == heading_of(reason)) columns[i].rank = ++rank;
    }
  }
}

std::vector<Tone> tones_of(const std::vector<FlatRow>& rows, Cycles total) {
  std::vector<Tone> tones;
  for (const FlatRow& row : rows) {
    tones.push_back(tone_of_share(percent(row.cycles.value(), total.value())));
  }
  tones.back() = Tone::heading;
  return tones;
}

std::string rows_text(const FlatReport& report, const FlatRow& total, std::string_view title,
                      const Terminal& terminal) {
  std::vector<FlatRow> rows = rows_by_cycles(report);
  rows.push_back(total);
  const auto share_of = [](const FlatRow& row, std::uint64_t part) {
    return short_percent(part, row.cycles.value());
  };
  std::vector<Column> columns;
  columns.push_back(column(rows, "cycles",
                           [](const FlatRow& row) { return std::to_string(row.cycles.value()); }));
  columns.push_back(column(rows, "%", [&](const FlatRow& row) {
    return short_percent(row.cycles.value(), total.cycles.value());
  }));
  const std::size_t first_reason = columns.size();
  for (const CycleReason reason : reasons_in(total.reasons)) {
    columns.push_back(column(rows, heading_of(reason), [&](const FlatRow& row) {
      return share_of(row, row.reasons[reason]);
    }));
  }
  if (without_reason(total.cycles, total.reasons) != 0) {
    columns.push_back(column(rows, unknown_heading, [&](const FlatRow& row) {
      return share_of(row, without_reason(row.cycles, row.reasons));
    }));
  }
  if (total.reasons[CycleReason::kernel] != 0) {
    columns.push_back(column(rows, heading_of(CycleReason::kernel), [](const FlatRow& row) {
      const std::uint64_t kernel = row.reasons[CycleReason::kernel];
      return kernel == 0 ? std::string() : std::to_string(kernel);
    }));
  }
  columns.push_back(
      column(rows, title, [](const FlatRow& row) { return printable_name(row.function); }));
  columns.back().align = Align::left;
  rank_by_cycles(columns, first_reason, total.reasons);
  return table_text(std::move(columns),
                    {.between = " ", .terminal = terminal, .tones = tones_of(rows, total.cycles)});
}

}  // namespace

std::string_view heading_of(CycleReason reason) {
  return headings[static_cast<std::size_t>(reason)];
}

std::vector<CycleReason> reasons_in(const CyclesByReason& reasons) {
  std::vector<CycleReason> some;
  for (const CycleReason reason : all_cycle_reasons) {
    if (reason != CycleReason::kernel && reasons[reason] != 0) some.push_back(reason);
  }
  return some;
}

std::uint64_t without_reason(Cycles cycles, const CyclesByReason& reasons) {
  return cycles.value() - std::min(cycles.value(), reasons.own());
}

std::vector<FlatRow> rows_by_cycles(const FlatReport& report) {
  std::vector<FlatRow> rows = report.rows;
  std::ranges::stable_sort(rows, std::ranges::greater(), &FlatRow::cycles);
  return rows;
}

std::string reasons_text(const FlatReport& report, std::string_view rows,
                         const Terminal& terminal) {
  const FlatRow total = total_of(report);
  return totals_text(total, terminal) + '\n' + rows_text(report, total, rows, terminal);
}

std::string main_reasons(const CyclesByReason& reasons) {
  constexpr std::size_t most = 2;
  constexpr double least = 0.5;  // shown as 1
  const auto all = by_cycles(reasons);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    const auto [reason, cycles] = all[i];
    const double share = percent(cycles, reasons.own());
    if (share < least) break;
    text += fmt::format("{}{} {:.0f}", i == 0 ? "" : " ", heading_of(reason), share);
  }
  const std::uint64_t kernel = reasons[CycleReason::kernel];
  if (kernel != 0) text += fmt::format("{}kernel +{}", text.empty() ? "" : " ", kernel);
  return text;
}

std::string all_reasons(const FlatRow& row) {
  std::string text;
  for (const auto& [reason, cycles] : by_cycles(row.reasons)) {
    const std::string_view name = name_of(reason);
    const std::string_view heading = heading_of(reason);
    text += fmt::format("{}{}{} {:.1f}%", text.empty() ? "" : ", ", name,
                        name == heading ? "" : fmt::format(" ({})", heading),
                        percent(cycles, row.cycles.value()));
  }
  const std::uint64_t kernel = row.reasons[CycleReason::kernel];
  if (kernel != 0) {
    text += fmt::format("{}kernel +{} cycles", text.empty() ? "" : ", ", kernel);
  }
  return text;
}

}  // namespace hardclock::report
