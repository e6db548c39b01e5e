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

// A stretch of a process's addresses [start, end) that one file's functions name.
struct Place {
  GuestAddr start;
  GuestAddr end;
  const SymbolTable* symbols = nullptr;  // null: none are known
  std::uint64_t moved_by = 0;            // above the addresses of the symbols, modulo 2^64
  std::string file;                      // empty: the program itself
};

// The stretch of `mapping` that shows this segment; empty where none does.
Place place_of(const Mapping& mapping, const Segment& segment, const Image& image) {
  const std::uint64_t segment_end = segment.file_offset + segment.bytes.size();
  const std::uint64_t first = std::max(mapping.offset, segment.file_offset);
  const std::uint64_t last = std::max(first, std::min(mapping.offset + mapping.size, segment_end));
  const GuestAddr start = mapping.start + (first - mapping.offset);
  return {.start = start,
          .end = start + (last - first),
          .symbols = &image.symbols,
          .moved_by = start - (segment.address + (first - segment.file_offset)),
          .file = std::string(base_name(mapping.file))};
}

// Where the files of a process lie.
class Places {
 public:
  Places(const ProcessProfile& process, const SymbolTable& program, const Objects& objects) {
    const Place all{.start = GuestAddr(0),
                    .end = GuestAddr(~std::uint64_t{0}),
                    .symbols = &program,
                    .moved_by = process.moved_by,
                    .file = {}};
    if (process.mappings.empty()) places_.push_back(all);
    for (const Mapping& mapping : process.mappings) {
      if (mapping.file == process.program) {
        Place own = all;
        own.start = mapping.start;
        own.end = mapping.start + mapping.size;
        places_.push_back(own);
      } else {
        add_object(mapping, objects);
      }
    }
    std::ranges::sort(places_, {}, &Place::start);
  }

  const Place* find(GuestAddr pc) const {
    const auto above = std::ranges::upper_bound(places_, pc, {}, &Place::start);
    if (above == places_.begin()) return nullptr;
    const Place& place = *std::prev(above);
    return pc < place.end ? &place : nullptr;
  }
  // Where the stretch ends that `pc` is in, be it one of nothing; at most `limit`.
  GuestAddr end_of(GuestAddr pc, GuestAddr limit) const {
    if (const Place* const place = find(pc)) return std::min(limit, place->end);
    const auto above = std::ranges::upper_bound(places_, pc, {}, &Place::start);
    return above == places_.end() ? limit : std::min(limit, above->start);
  }

 private:
  void add_object(const Mapping& mapping, const Objects& objects) {
    const auto object = objects.find(mapping.file);
    if (object == objects.end()) {
      places_.push_back({.start = mapping.start,
                         .end = mapping.start + mapping.size,
                         .symbols = nullptr,
                         .moved_by = 0,
                         .file = std::string(base_name(mapping.file))});
      return;
    }
    for (const Segment& segment : object->second.segments) {
      const Place place = place_of(mapping, segment, object->second);
      if (place.start < place.end) places_.push_back(place);
    }
  }

  std::vector<Place> places_;  // by start
};

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
    FlatRow& row = functions_[{place->file, function->address}];
    row.function = function->name;
    if (!place->file.empty()) row.function += " (" + place->file + ")";
    row.address = function->address;
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
  std::map<std::pair<std::string, GuestAddr>, FlatRow> functions_;
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
