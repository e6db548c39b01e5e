#include "sim/report/viewers/data_table.h"

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/report/viewers/text.h"

namespace hardclock::report {
namespace {

// `text_of` writes text, `none` stands for nothing.
std::string cell_text(const DataCell& cell, std::string (*text_of)(const std::string&),
                      const char* none) {
  if (const auto* const text = std::get_if<std::string>(&cell)) return text_of(*text);
  if (const auto* const count = std::get_if<std::uint64_t>(&cell)) return std::to_string(*count);
  if (const auto* const change = std::get_if<std::int64_t>(&cell)) return std::to_string(*change);
  if (const auto* const number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return none;
}

std::string csv_row(const std::vector<DataCell>& row) {
  std::string text;
  const auto cell = [](const std::string& bytes) { return csv_cell(plain_text(bytes)); };
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += (i == 0 ? "" : ",") + cell_text(row[i], cell, "");
  }
  return text + '\n';
}

std::string json_row(const DataTable& table, const std::vector<DataCell>& row) {
  const auto quoted = [](const std::string& bytes) { return json_text(bytes); };
  std::string text = "{";
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", table.columns[i],
                        cell_text(row[i], quoted, "null"));
  }
  return text + '}';
}

}  // namespace

DataWriter::DataWriter(std::string_view format) : is_csv_(format == "csv") {
  CHECK(is_csv_ || format == "json");
}

std::string DataWriter::begin(const DataTable& table) const {
  if (is_csv_) return fmt::format("{}\n", fmt::join(table.columns, ","));
  return fmt::format(
      "{{\"format\": \"hardclock-table\", \"version\": 1, \"table\": \"{}\", \"rows\": [",
      table.name);
}

std::string DataWriter::rows(const DataTable& table) {
  std::string text;
  for (const auto& row : table.rows) {
    CHECK(row.size() == table.columns.size());
    if (!is_csv_) text += has_rows_ ? ",\n " : "\n ";
    has_rows_ = true;
    text += is_csv_ ? csv_row(row) : json_row(table, row);
  }
  return text;
}

std::string DataWriter::end() const {
  return is_csv_ ? "" : "\n]}\n";
}

std::string to_csv(const DataTable& table) {
  return data_text(table, "csv");
}

std::string to_json(const DataTable& table) {
  return data_text(table, "json");
}

std::string data_text(const DataTable& table, std::string_view format) {
  DataWriter writer(format);
  std::string text = writer.begin(table);
  text += writer.rows(table);
  return text + writer.end();
}

}  // namespace hardclock::report
