#include "sim/report/by_line.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/report/ledger.h"

namespace hardclock::report {
namespace {

class LineLedger : public Ledger {
 public:
  LineLedger(const SymbolTable& symbols, const Identity& program, const Objects& objects,
             const Lines& lines)
      : Ledger(symbols, program, objects), lines_(lines) {}

 protected:
  FlatRow& row_at(const Place* place, GuestAddr pc) override {
    const LineTable* const table = table_of(place);
    const LineRange* const range = table == nullptr ? nullptr : table->find(pc - place->moved_by);
    return range == nullptr ? Ledger::row_at(place, pc) : row_of(*place, *table, *range);
  }

  Piece piece_at(const Place* place, GuestAddr pc, GuestAddr limit) override {
    Piece piece = Ledger::piece_at(place, pc, limit);
    const LineTable* const table = table_of(place);
    if (table == nullptr) return piece;
    const GuestAddr own = pc - place->moved_by;
    const GuestAddr own_end = piece.end - place->moved_by;
    if (own_end <= own) return piece;  // moved over the end of the addresses
    const LineRange* const range = table->find(own);
    // A line also has what is behind its function's end.
    if (range != nullptr) {
      const GuestAddr own_limit = limit - place->moved_by;
      return {.row = &row_of(*place, *table, *range),
              .end = std::min(own_limit, range->end) + place->moved_by};
    }
    const auto next = table->next_start(own);
    if (next) piece.end = std::min(own_end, *next) + place->moved_by;
    return piece;
  }

  std::string text_of(const Place& place, const Symbol& function) const override {
    return Ledger::text_of(place, function) + ", no line";
  }

  std::vector<FlatRow> first_rows() const override {
    std::vector<FlatRow> all;
    for (const auto& [line, row] : rows_) all.push_back(row);
    return all;
  }

 private:
  const LineTable* table_of(const Place* place) const {
    return place == nullptr ? nullptr : find_lines(lines_, place->is_program ? "" : place->path);
  }

  FlatRow& row_of(const Place& place, const LineTable& table, const LineRange& range) {
    const std::string& name = table.file_of(range).name;
    FlatRow& row = rows_[{place.file, place.path, name, range.line}];
    if (!row.function.empty()) return row;
    row.function = name + ":" + std::to_string(range.line);
    if (!place.file.empty()) row.function += " (" + place.file + ")";
    row.object = place.path;
    return row;
  }

  const Lines& lines_;
  // By the file of the code, its path, the source file and the line.
  std::map<std::tuple<std::string, std::string, std::string, std::uint32_t>, FlatRow> rows_;
};

}  // namespace

const LineTable* find_lines(const Lines& lines, std::string_view object) {
  const auto found = lines.find(object);
  return found == lines.end() ? nullptr : &found->second;
}

FlatReport by_line(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                   Identity program, const Objects& objects, const Lines& lines) {
  program = named(std::move(program), sampled, exact);
  LineLedger ledger(symbols, program, objects, lines);
  return report_of(ledger, sampled, exact);
}

}  // namespace hardclock::report
