#include "sim/report/viewers/report_tables.h"

#include <fmt/format.h>

namespace hardclock::report {
namespace {

const DataCell nothing;

DataCell text_or_nothing(const std::string& text) {
  return text.empty() ? nothing : DataCell(text);
}

}  // namespace

DataTable table_of(const FlatReport& report) {
  DataTable table{.name = "functions",
                  .columns = {"function", "object", "address", "ticks", "ticks_percent", "seconds",
                              "cycles", "cycles_percent", "difference", "standard_error"},
                  .rows = {}};
  const bool has_rate = report.tick_rate != Hertz();
  for (const FlatRow& row : report.rows) {
    const bool exact = report.has_cycles;
    table.rows.push_back(
        {row.function, text_or_nothing(row.object),
         row.address ? DataCell(fmt::format("0x{:08x}", row.address->value())) : nothing, row.ticks,
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
