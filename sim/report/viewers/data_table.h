// Tables as data, for programs: CSV and JSON with the same names of columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hardclock::report {

// Nothing: not known, or without meaning in this row.
using DataCell = std::variant<std::monostate, std::string, std::uint64_t, std::int64_t, double>;

struct DataTable {
  std::string_view name;                    // "functions"
  std::vector<std::string_view> columns;    // lower_case
  std::vector<std::vector<DataCell>> rows;  // a cell for each column
};

// Writes a table that is too long to be had at once: begin(), rows() of any number of parts, which
// have the same name and columns, and end().
class DataWriter {
 public:
  explicit DataWriter(std::string_view format);  // "csv" or "json"

  std::string begin(const DataTable& table) const;  // without its rows
  std::string rows(const DataTable& table);
  std::string end() const;

 private:
  bool is_csv_;
  bool has_rows_ = false;
};

// RFC 4180 with '\n' as the line's end: a line of the columns' names, one for each row; nothing is
// an empty field.
std::string to_csv(const DataTable& table);

// {"format": "hardclock-table", "version": 1, "table": NAME, "rows": [{COLUMN: value}]}; nothing is
// null. Numbers have as many digits as tell them apart.
std::string to_json(const DataTable& table);

// In the format "csv" or "json".
std::string data_text(const DataTable& table, std::string_view format);

}  // namespace hardclock::report
