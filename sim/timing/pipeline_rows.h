// What the readers of all pipelines' descriptions share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// A Builder that is derived from this reads a description's rows, those of one keyword after those
// of another, and says what every timing class is.
class PipelineRows {
 protected:
  // `class_names` are the ISA's timing classes in order, and `absent` those that need no row.
  PipelineRows(const CpuDescription& description, std::span<const char* const> class_names,
               std::span<const char* const> absent)
      : names_(class_names.begin(), class_names.end()),
        description_(description),
        absent_(absent.begin(), absent.end()) {}

  // What rows refer to is read before them. The first mistake; empty: none.
  template <class Builder>
  std::string read_rows(
      Builder& builder,
      std::initializer_list<std::pair<std::string_view, void (Builder::*)(RowReader&)>> readers) {
    for (const auto& [keyword, read] : readers) {
      for (const TimingRow& row : description_.rows) {
        if (row.keyword != keyword) continue;
        RowReader reader(row);
        (builder.*read)(reader);
        if (std::string error = reader.error(); !error.empty()) return error;
      }
    }
    return "";
  }

  std::vector<std::uint8_t> classes_of(RowReader& row, const std::string& list) const {
    std::vector<std::uint8_t> indices;
    for (const std::size_t position : positions_in(row, list, names_)) {
      indices.push_back(static_cast<std::uint8_t>(position));
    }
    return indices;
  }
  // Those of a class row, of which a class has one.
  std::vector<std::uint8_t> described_by(RowReader& row) {
    std::vector<std::uint8_t> indices = classes_of(row, row.name());
    for (const std::uint8_t index : indices) {
      if (!described_.insert(index).second) row.fail("a second row for class " + names_[index]);
    }
    return indices;
  }
  bool is_described(std::uint8_t index) const { return described_.contains(index); }
  // Empty: no class lacks its row.
  std::string class_without_row() const {
    for (std::size_t index = 0; index < names_.size(); ++index) {
      if (is_described(static_cast<std::uint8_t>(index))) continue;
      if (!absent_.contains(names_[index])) return "no row for timing class " + names_[index];
    }
    return "";
  }

  bool has_row_for_all(std::string_view keyword) const {
    for (const TimingRow& row : description_.rows) {
      if (row.keyword == keyword && row.name == "all") return true;
    }
    return false;
  }
  Failure<std::string> failure(const std::string& what) const {
    return Failure{description_.name + ": " + what};
  }

  static constexpr std::uint64_t longest = 1000;  // cycles; far above any operation's latency
  const std::vector<std::string> names_;

 private:
  const CpuDescription& description_;
  std::set<std::string> absent_;
  std::set<std::uint8_t> described_;
};

}  // namespace hardclock
