#include "sim/report/viewers/report_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/report/reason_table.h"

namespace hardclock::report {
namespace {

const DataCell nothing;

DataCell text_or_nothing(const std::string& text) {
  return text.empty() ? nothing : DataCell(text);
}

// "instruction_miss", and with "_percent".
struct ReasonColumn {
  std::string cycles;
  std::string percent;
};

const std::array<ReasonColumn, cycle_reasons>& named_columns() {
  static const auto all = [] {
    std::array<ReasonColumn, cycle_reasons> columns;
    for (const CycleReason reason : all_cycle_reasons) {
      ReasonColumn& column = columns[static_cast<std::size_t>(reason)];
      column.cycles = name_of(reason);
      std::ranges::replace(column.cycles, ' ', '_');
      column.percent = column.cycles + "_percent";
    }
    return columns;
  }();
  return all;
}

DataCell address_cell(const std::optional<GuestAddr>& address) {
  return address ? DataCell(fmt::format("0x{:08x}", address->value())) : nothing;
}

}  // namespace

std::vector<std::string_view> reason_columns() {
  std::vector<std::string_view> columns;
  for (const ReasonColumn& column : named_columns()) columns.push_back(column.cycles);
  return columns;
}

std::vector<DataCell> reason_cells(const CyclesByReason& reasons) {
  std::vector<DataCell> cells;
  for (const CycleReason reason : all_cycle_reasons) cells.emplace_back(reasons[reason]);
  return cells;
}

DataTable reasons_table(const FlatReport& report, std::string_view row) {
  DataTable table{.name = "reasons",
                  .columns = {row, "object", "address", "cycles", "cycles_percent"},
                  .rows = {}};
  for (const CycleReason reason : all_cycle_reasons) {
    const ReasonColumn& column = named_columns()[static_cast<std::size_t>(reason)];
    table.columns.push_back(column.cycles);
    if (reason != CycleReason::kernel) table.columns.push_back(column.percent);
  }
  table.columns.push_back("not_known");
  for (const FlatRow& each : rows_by_cycles(report)) {
    const std::uint64_t cycles = each.cycles.value();
    std::vector<DataCell>& cells = table.rows.emplace_back();
    cells = {each.function, text_or_nothing(each.object), address_cell(each.address), cycles,
             report.exact_percent(each)};
    for (const CycleReason reason : all_cycle_reasons) {
      const std::uint64_t part = each.reasons[reason];
      cells.emplace_back(part);
      if (reason == CycleReason::kernel) continue;
      cells.push_back(
          cycles == 0 ? nothing
                      : DataCell(100 * static_cast<double>(part) / static_cast<double>(cycles)));
    }
    cells.emplace_back(without_reason(each.cycles, each.reasons));
  }
  return table;
}

DataTable table_of(const FlatReport& report) {
  DataTable table{.name = "functions",
                  .columns = {"function", "object", "address", "ticks", "ticks_percent", "seconds",
                              "cycles", "cycles_percent", "difference", "standard_error"},
                  .rows = {}};
  const bool has_rate = report.tick_rate != Hertz();
  for (const FlatRow& row : report.rows) {
    const bool exact = report.has_cycles;
    table.rows.push_back(
        {row.function, text_or_nothing(row.object), address_cell(row.address), row.ticks,
         report.sampled_percent(row),
         has_rate ? DataCell(row.ticks / static_cast<double>(report.tick_rate.value())) : nothing,
         exact ? DataCell(row.cycles.value()) : nothing,
         exact ? DataCell(report.exact_percent(row)) : nothing,
         exact ? DataCell(report.difference(row)) : nothing,
         exact ? DataCell(report.standard_error(row)) : nothing});
  }
  return table;
}

DataTable table_of(const Difference& difference) {
  DataTable table{.name = "difference",
                  .columns = {"function", "unit", "before", "after", "change", "standard_error"},
                  .rows = {}};
  for (const DifferenceRow& row : difference.rows) {
    table.rows.push_back(
        {row.function, std::string(difference.of_cycles ? "cycles" : "ticks"), row.before,
         row.after, row.change(),
         difference.of_cycles ? nothing : DataCell(Difference::standard_error(row))});
  }
  return table;
}

}  // namespace hardclock::report
