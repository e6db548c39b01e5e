#include "sim/report/ledger.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "sim/base/check.h"

namespace hardclock::report {
namespace {

// Addresses [pc, end) with one owner; no owner: outside of all functions.
struct Owned {
  const Symbol* owner = nullptr;
  GuestAddr end;
};

// What begins at `pc`; `limit`, above pc, bounds it. Alignment padding behind a function counts as
// the function's, as in gprof, where each function reaches to the next one: nothing runs there, so
// a share of ticks for it would be wrong. A longer gap may be code without a symbol.
Owned owned_at(const SymbolTable& symbols, GuestAddr pc, GuestAddr limit) {
  constexpr std::uint64_t most_padding = 31;  // IA-64 compilers align functions to 32 bytes
  const auto& all = symbols.all();
  const auto next =
      std::upper_bound(all.begin(), all.end(), pc,
                       [](GuestAddr at, const Symbol& symbol) { return at < symbol.address; });
  Owned piece{.owner = symbols.find(pc), .end = limit};
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

}  // namespace

void Ledger::find_nameless(const ProcessProfile& process) {
  nameless_.add(process, Places(process, symbols_, program_, objects_));
}

void Ledger::charge_ticks(const ProcessProfile& process) {
  last_ = {};
  const Places places(process, symbols_, program_, objects_);
  if (!has_known_program(process, program_, objects_)) {
    other(process).ticks += static_cast<double>(ticks_of(process));
  } else if (!process.samples.empty()) {
    for (const auto& [pc, ticks] : process.samples) {
      row_at(places.find(pc), pc).ticks += static_cast<double>(ticks);
    }
  } else {
    for (const Histogram& histogram : process.histograms) charge(places, histogram);
  }
}

void Ledger::charge_cycles(const ProcessProfile& process) {
  last_ = {};
  const Places places(process, symbols_, program_, objects_);
  const bool is_other = !has_known_program(process, program_, objects_);
  for (const auto& [pc, cycles] : process.cycles) {
    FlatRow& charged = is_other ? other(process) : row_at(places.find(pc), pc);
    charged.cycles += Cycles(cycles);
  }
  process.reasons.for_each([&](GuestAddr pc, CycleReason reason, std::uint64_t cycles) {
    FlatRow& charged = is_other ? other(process) : row_at(places.find(pc), pc);
    charged.reasons[reason] += cycles;
  });
}

std::vector<FlatRow> Ledger::rows() const {
  std::vector<FlatRow> all = first_rows();
  for (const auto& [place, row] : functions_) all.push_back(row);
  for (const auto& [name, row] : outside_) all.push_back(row);
  std::erase_if(all, [](const FlatRow& row) {
    return row.ticks == 0 && row.cycles == Cycles() && row.reasons == CyclesByReason();
  });
  std::stable_sort(all.begin(), all.end(), [](const FlatRow& a, const FlatRow& b) {
    return std::pair(a.ticks, a.cycles) > std::pair(b.ticks, b.cycles);
  });
  return all;
}

FunctionsOfPcs Ledger::rows_of(const ProcessProfile& process, std::span<const GuestAddr> pcs) {
  last_ = {};
  const Places places(process, symbols_, program_, objects_);
  nameless_.add(process, places);
  const bool is_other = !has_known_program(process, program_, objects_);
  FunctionsOfPcs functions;
  std::unordered_map<const FlatRow*, std::size_t> numbers;
  for (const GuestAddr pc : pcs) {
    const FlatRow& row = is_other ? other(process) : row_at(places.find(pc), pc);
    const auto [number, is_new] = numbers.try_emplace(&row, functions.rows.size());
    if (is_new) functions.rows.push_back(row);
    functions.row_of.push_back(number->second);
  }
  return functions;
}

FlatRow& Ledger::row_at(const Place* place, GuestAddr pc) {
  const bool is_known = place != nullptr && place->symbols != nullptr;
  const Symbol* const function = is_known ? place->symbols->find(pc - place->moved_by) : nullptr;
  return function == nullptr ? row_without_symbol(place, pc) : row_of(*place, *function);
}

Ledger::Piece Ledger::piece_at(const Place* place, GuestAddr pc, GuestAddr limit) {
  const bool is_known = place != nullptr && place->symbols != nullptr;
  const GuestAddr own = is_known ? pc - place->moved_by : pc;
  const GuestAddr own_limit = is_known ? limit - place->moved_by : limit;
  // A damaged file may move the stretch over the end of the addresses, where no function is.
  if (!is_known || own_limit <= own)
    return {.row = &outside_row(outside_label(place, program_.name)), .end = limit};
  Owned piece = owned_at(*place->symbols, own, own_limit);
  const bool has_symbol = place->symbols->find(own) != nullptr;
  if (!has_symbol) {
    piece.end = nameless_.next(*place, own, piece.end);
    if (nameless_.find(*place, own)) piece.owner = nullptr;
  }
  return {.row = piece.owner == nullptr ? &row_without_symbol(place, pc)
                                        : &row_of(*place, *piece.owner),
          .end = piece.end + place->moved_by};
}

std::string Ledger::text_of(const Place& place, const Symbol& function) const {
  return place.file.empty() ? function.name : function.name + " (" + place.file + ")";
}

FlatRow& Ledger::row_of(const Place& place, const Symbol& function) {
  if (last_.row != nullptr && last_.place == &place && last_.function == &function)
    return *last_.row;
  FlatRow& row = functions_[{place.file, place.path, function.address}];
  row.function = text_of(place, function);
  row.name = function.name;
  row.address = function.address;
  row.object = place.path;
  last_ = {&place, &function, &row};
  return row;
}

FlatRow& Ledger::row_without_symbol(const Place* place, GuestAddr pc) {
  const auto begin = place == nullptr ? std::nullopt : nameless_.find(*place, pc - place->moved_by);
  if (!begin) return outside_row(outside_label(place, program_.name));
  FlatRow& row = functions_[{place->file, place->path, *begin}];
  row.function = NamelessFunctions::label(*place, *begin);
  row.address = *begin;
  row.object = place->path;
  return row;
}

FlatRow& Ledger::other(const ProcessProfile& process) {
  return outside_row(other_program_label(process));
}

FlatRow& Ledger::outside_row(const std::string& name) {
  FlatRow& row = outside_[name];
  row.function = name;
  return row;
}

void Ledger::charge(const Places& places, const Histogram& histogram) {
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    if (histogram.counts[i] != 0) charge_counter(places, histogram, i);
  }
}

// Counted in such parts of a byte above histogram.low, a counter's boundaries are whole numbers.
void Ledger::charge_counter(const Places& places, const Histogram& histogram, std::size_t index) {
  const Wide parts = spacing_of(histogram).counters;
  const double count = static_cast<double>(histogram.counts[index]);
  auto [at, end] = range_of(histogram, index);
  const auto width = static_cast<double>(static_cast<std::uint64_t>(end - at));
  const GuestAddr limit = histogram.low + static_cast<std::uint64_t>((end + parts - 1) / parts);
  while (at < end) {
    const GuestAddr pc = histogram.low + static_cast<std::uint64_t>(at / parts);
    const Piece piece = piece_at(places.find(pc), pc, places.end_of(pc, limit));
    const Wide next = std::min(end, Wide{piece.end - histogram.low} * parts);
    CHECK(next > at);
    const auto overlap = static_cast<double>(static_cast<std::uint64_t>(next - at));
    piece.row->ticks += count * (overlap / width);
    at = next;
  }
}

Identity named(Identity program, const Profile& sampled, const Profile* exact) {
  if (program.name.empty()) program.name = first_program(sampled);
  if (program.name.empty() && exact != nullptr) program.name = first_program(*exact);
  return program;
}

FlatReport report_of(Ledger& ledger, const Profile& sampled, const Profile* exact) {
  FlatReport report;
  report.tick_rate = sampled.tick_rate;
  for (const ProcessProfile& process : sampled.processes) ledger.find_nameless(process);
  if (exact != nullptr && exact != &sampled) {
    for (const ProcessProfile& process : exact->processes) ledger.find_nameless(process);
  }
  for (const ProcessProfile& process : sampled.processes) {
    ledger.charge_ticks(process);
    report.ticks += Ticks(ticks_of(process));
  }
  if (exact != nullptr) {
    for (const ProcessProfile& process : exact->processes) {
      ledger.charge_cycles(process);
      for (const auto& [pc, cycles] : process.cycles) report.cycles += Cycles(cycles);
      report.reasons += process.reasons.total();
      report.has_reasons = report.has_reasons || !process.reasons.empty();
    }
    report.has_cycles = report.cycles != Cycles();
  }
  report.rows = ledger.rows();
  return report;
}

}  // namespace hardclock::report
