#include "sim/report/viewers/data_table.h"

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/report/viewers/text.h"

namespace hardclock::report {
namespace {

std::string csv_text(const std::string& bytes) {
  const std::string text = plain_text(bytes);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

// `text_of` writes text, `none` stands for nothing.
std::string cell_text(const DataCell& cell, std::string (*text_of)(const std::string&),
                      const char* none) {
  if (const auto* const text = std::get_if<std::string>(&cell)) return text_of(*text);
  if (const auto* const count = std::get_if<std::uint64_t>(&cell)) return std::to_string(*count);
  if (const auto* const change = std::get_if<std::int64_t>(&cell)) return std::to_string(*change);
  if (const auto* const number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return none;
}

}  // namespace

std::string to_csv(const DataTable& table) {
  std::string text = fmt::format("{}\n", fmt::join(table.columns, ","));
  for (const auto& row : table.rows) {
    CHECK(row.size() == table.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : ",") + cell_text(row[i], csv_text, "");
    }
    text += '\n';
  }
  return text;
}

std::string to_json(const DataTable& table) {
  const auto quoted = [](const std::string& bytes) { return json_text(bytes); };
  std::string rows;
  for (const auto& row : table.rows) {
    CHECK(row.size() == table.columns.size());
    rows += rows.empty() ? "\n {" : ",\n {";
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", table.columns[i],
                          cell_text(row[i], quoted, "null"));
    }
    rows += '}';
  }
  return fmt::format(
      "{{\"format\": \"hardclock-table\", \"version\": 1, \"table\": \"{}\", \"rows\": [{}\n]}}\n",
      table.name, rows);
}

std::string data_text(const DataTable& table, std::string_view format) {
  CHECK(format == "csv" || format == "json");
  return format == "csv" ? to_csv(table) : to_json(table);
}

}  // namespace hardclock::report
