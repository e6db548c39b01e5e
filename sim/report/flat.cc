#include "sim/report/flat.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/report/histogram.h"
#include "sim/report/places.h"

namespace hardclock::report {
namespace {

std::string_view first_program(const Profile& profile) {
  return profile.processes.empty() ? std::string_view() : profile.processes.front().program;
}

// Addresses [pc, end) with one owner; no owner: outside of all functions.
struct Piece {
  const Symbol* owner = nullptr;
  GuestAddr end;
};

// The piece that begins at `pc`; `limit`, above pc, bounds it. Alignment padding behind a function
// counts as the function's, as in gprof, where each function reaches to the next one: nothing runs
// there, so a share of ticks for it would be wrong. A longer gap may be code without a symbol.
Piece piece_at(const SymbolTable& symbols, GuestAddr pc, GuestAddr limit) {
  constexpr std::uint64_t most_padding = 31;  // IA-64 compilers align functions to 32 bytes
  const auto& all = symbols.all();
  const auto next =
      std::upper_bound(all.begin(), all.end(), pc,
                       [](GuestAddr at, const Symbol& symbol) { return at < symbol.address; });
  Piece piece{.owner = symbols.find(pc), .end = limit};
  if (next != all.end()) piece.end = std::min(limit, next->address);
  if (piece.owner != nullptr) {
    const GuestAddr end = piece.owner->address + piece.owner->size;
    if (pc < end) piece.end = std::min(piece.end, end);
  } else if (next != all.begin()) {
    const Symbol& before = *std::prev(next);
    const GuestAddr gap_begin = before.address + before.size;
    const GuestAddr gap_end = next != all.end() ? next->address : limit;
    if (before.size != 0 && gap_end - gap_begin <= most_padding) piece.owner = &before;
  }
  return piece;
}

// Collects rows: functions by file and address, then the rest by name. Neither depends on the order
// in which ticks and cycles arrive.
class Ledger {
 public:
  Ledger(const SymbolTable& symbols, const Identity& program, const Objects& objects)
      : symbols_(symbols), program_(program), objects_(objects) {}

  void charge_ticks(const ProcessProfile& process) {
    const Places places(process, symbols_, objects_);
    if (!is_of(process, program_)) {
      other(process).ticks += static_cast<double>(ticks_of(process));
    } else if (!process.samples.empty()) {
      for (const auto& [pc, ticks] : process.samples) {
        row(places, pc).ticks += static_cast<double>(ticks);
      }
    } else {
      for (const Histogram& histogram : process.histograms) charge(places, histogram);
    }
  }

  void charge_cycles(const ProcessProfile& process) {
    const Places places(process, symbols_, objects_);
    const bool is_other = !is_of(process, program_);
    for (const auto& [pc, cycles] : process.cycles) {
      FlatRow& charged = is_other ? other(process) : row(places, pc);
      charged.cycles += Cycles(cycles);
    }
  }

  std::vector<FlatRow> rows_of(const ProcessProfile& process, std::span<const GuestAddr> pcs) {
    const Places places(process, symbols_, objects_);
    const bool is_other = !is_of(process, program_);
    std::vector<FlatRow> rows;
    for (const GuestAddr pc : pcs) rows.push_back(is_other ? other(process) : row(places, pc));
    return rows;
  }

  std::vector<FlatRow> rows() const {
    std::vector<FlatRow> all;
    for (const auto& [place, row] : functions_) all.push_back(row);
    for (const auto& [name, row] : outside_) all.push_back(row);
    std::erase_if(all, [](const FlatRow& row) { return row.ticks == 0 && row.cycles == Cycles(); });
    std::stable_sort(all.begin(), all.end(), [](const FlatRow& a, const FlatRow& b) {
      return std::pair(a.ticks, a.cycles) > std::pair(b.ticks, b.cycles);
    });
    return all;
  }

 private:
  FlatRow& row(const Places& places, GuestAddr pc) {
    const Place* const place = places.find(pc);
    const bool is_known = place != nullptr && place->symbols != nullptr;
    return row(place, is_known ? place->symbols->find(pc - place->moved_by) : nullptr);
  }

  FlatRow& row(const Place* place, const Symbol* function) {
    if (function == nullptr) return outside_row(outside_name(place));
    FlatRow& row = functions_[{place->file, place->path, function->address}];
    row.function = row.name = function->name;
    if (!place->file.empty()) row.function += " (" + place->file + ")";
    row.address = function->address;
    row.object = place->path;
    return row;
  }

  FlatRow& other(const ProcessProfile& process) {
    return outside_row(fmt::format("(other program {})", base_name(process.program)));
  }

  std::string outside_name(const Place* place) const {
    if (place != nullptr && !place->file.empty()) {
      return place->symbols == nullptr ? fmt::format("({}: pass -L DIR)", place->file)
                                       : fmt::format("({}, no function)", place->file);
    }
    const std::string_view name = base_name(program_.name);
    return fmt::format("(outside {})", name.empty() ? "the program" : name);
  }

  FlatRow& outside_row(const std::string& name) {
    FlatRow& row = outside_[name];
    row.function = name;
    return row;
  }

  void charge(const Places& places, const Histogram& histogram) {
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
      if (histogram.counts[i] != 0) charge_counter(places, histogram, i);
    }
  }

  // Counted in n-th parts of a byte above histogram.low, a counter's boundaries are whole numbers.
  void charge_counter(const Places& places, const Histogram& histogram, std::size_t index) {
    const std::uint64_t parts = histogram.counts.size();
    const std::uint64_t width = histogram.high - histogram.low;
    const double count = static_cast<double>(histogram.counts[index]);
    Wide at = Wide{width} * index;
    const Wide end = at + width;
    while (at < end) {
      const GuestAddr pc = histogram.low + static_cast<std::uint64_t>(at / parts);
      const Place* const place = places.find(pc);
      const GuestAddr limit = places.end_of(pc, histogram.high);
      const Piece piece = piece_in(place, pc, limit);
      const Wide next = std::min(end, Wide{piece.end - histogram.low} * parts);
      CHECK(next > at);
      const auto overlap = static_cast<double>(static_cast<std::uint64_t>(next - at));
      row(place, piece.owner).ticks += count * (overlap / static_cast<double>(width));
      at = next;
    }
  }

  static Piece piece_in(const Place* place, GuestAddr pc, GuestAddr limit) {
    const Piece nobodys{.owner = nullptr, .end = limit};
    if (place == nullptr || place->symbols == nullptr) return nobodys;
    const GuestAddr own_limit = limit - place->moved_by;
    // A damaged file may move the stretch over the end of the addresses, where no function is.
    if (own_limit <= pc - place->moved_by) return nobodys;
    Piece piece = piece_at(*place->symbols, pc - place->moved_by, own_limit);
    piece.end = piece.end + place->moved_by;
    return piece;
  }

  const SymbolTable& symbols_;
  const Identity& program_;
  const Objects& objects_;
  std::map<std::tuple<std::string, std::string, GuestAddr>, FlatRow> functions_;
  std::map<std::string, FlatRow> outside_;
};

double percent(double part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * part / static_cast<double>(whole);
}

}  // namespace

double FlatReport::sampled_percent(const FlatRow& row) const {
  return percent(row.ticks, ticks.value());
}

double FlatReport::exact_percent(const FlatRow& row) const {
  return percent(static_cast<double>(row.cycles.value()), cycles.value());
}

double FlatReport::difference(const FlatRow& row) const {
  if (cycles == Cycles()) return 0;
  const double share =
      static_cast<double>(row.cycles.value()) / static_cast<double>(cycles.value());
  return row.ticks - share * static_cast<double>(ticks.value());
}

std::vector<FlatRow> functions_of(const ProcessProfile& process, const SymbolTable& symbols,
                                  std::span<const GuestAddr> pcs, const Identity& program,
                                  const Objects& objects) {
  return Ledger(symbols, program, objects).rows_of(process, pcs);
}

FlatReport flat(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                Identity program, const Objects& objects) {
  if (program.name.empty()) program.name = first_program(sampled);
  if (program.name.empty() && exact != nullptr) program.name = first_program(*exact);
  Ledger ledger(symbols, program, objects);
  FlatReport report;
  report.tick_rate = sampled.tick_rate;
  for (const ProcessProfile& process : sampled.processes) {
    ledger.charge_ticks(process);
    report.ticks += Ticks(ticks_of(process));
  }
  if (exact != nullptr) {
    for (const ProcessProfile& process : exact->processes) {
      ledger.charge_cycles(process);
      for (const auto& [pc, cycles] : process.cycles) report.cycles += Cycles(cycles);
    }
    report.has_cycles = report.cycles != Cycles();
  }
  report.rows = ledger.rows();
  return report;
}

}  // namespace hardclock::report
