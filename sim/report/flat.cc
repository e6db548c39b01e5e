#include "sim/report/flat.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "sim/base/check.h"

namespace hardclock::report {
namespace {

__extension__ typedef unsigned __int128 Wide;

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

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
  constexpr std::uint64_t kMostPadding = 31;  // IA-64 compilers align functions to 32 bytes
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
    if (before.size != 0 && gap_end - gap_begin <= kMostPadding) piece.owner = &before;
  }
  return piece;
}

// Collects rows: functions by address, then the rest by name. Neither depends on the order in
// which ticks and cycles arrive.
class Ledger {
 public:
  Ledger(const SymbolTable& symbols, std::string_view program)
      : symbols_(symbols), program_(base_name(program)) {}

  void charge_ticks(const ProcessProfile& process) {
    if (is_other(process)) {
      other(process).ticks += static_cast<double>(ticks_of(process));
    } else if (!process.samples.empty()) {
      for (const auto& [pc, ticks] : process.samples) {
        row(symbols_.find(pc)).ticks += static_cast<double>(ticks);
      }
    } else {
      for (const Histogram& histogram : process.histograms) charge(histogram);
    }
  }

  void charge_cycles(const ProcessProfile& process) {
    for (const auto& [pc, cycles] : process.cycles) {
      FlatRow& charged = is_other(process) ? other(process) : row(symbols_.find(pc));
      charged.cycles += Cycles(cycles);
    }
  }

  std::vector<FlatRow> rows() const {
    std::vector<FlatRow> all;
    for (const auto& [address, row] : functions_) all.push_back(row);
    for (const auto& [name, row] : outside_) all.push_back(row);
    std::erase_if(all, [](const FlatRow& row) { return row.ticks == 0 && row.cycles == Cycles(); });
    std::stable_sort(all.begin(), all.end(),
                     [](const FlatRow& a, const FlatRow& b) { return a.ticks > b.ticks; });
    return all;
  }

 private:
  bool is_other(const ProcessProfile& process) const {
    return !program_.empty() && !process.program.empty() && base_name(process.program) != program_;
  }

  FlatRow& row(const Symbol* function) {
    if (function == nullptr) return outside_row(outside_name());
    FlatRow& row = functions_[function->address];
    row.function = function->name;
    row.address = function->address;
    return row;
  }

  FlatRow& other(const ProcessProfile& process) {
    return outside_row(fmt::format("(other program {})", base_name(process.program)));
  }

  std::string outside_name() const {
    return fmt::format("(outside {})", program_.empty() ? "the program" : program_);
  }

  FlatRow& outside_row(const std::string& name) {
    FlatRow& row = outside_[name];
    row.function = name;
    return row;
  }

  void charge(const Histogram& histogram) {
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
      if (histogram.counts[i] != 0) charge_counter(histogram, i);
    }
  }

  // Counted in n-th parts of a byte above histogram.low, a counter's boundaries are whole numbers.
  void charge_counter(const Histogram& histogram, std::size_t index) {
    const std::uint64_t parts = histogram.counts.size();
    const std::uint64_t width = histogram.high - histogram.low;
    const double count = static_cast<double>(histogram.counts[index]);
    Wide at = Wide{width} * index;
    const Wide end = at + width;
    while (at < end) {
      const GuestAddr pc = histogram.low + static_cast<std::uint64_t>(at / parts);
      const Piece piece = piece_at(symbols_, pc, histogram.high);
      const Wide next = std::min(end, Wide{piece.end - histogram.low} * parts);
      CHECK(next > at);
      const auto overlap = static_cast<double>(static_cast<std::uint64_t>(next - at));
      row(piece.owner).ticks += count * (overlap / static_cast<double>(width));
      at = next;
    }
  }

  const SymbolTable& symbols_;
  std::string_view program_;
  std::map<GuestAddr, FlatRow> functions_;
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

FlatReport flat(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                std::string_view program) {
  if (program.empty()) program = first_program(sampled);
  if (program.empty() && exact != nullptr) program = first_program(*exact);
  Ledger ledger(symbols, program);
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
