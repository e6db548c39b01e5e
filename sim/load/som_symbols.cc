#include "sim/load/som_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "sim/load/function_candidates.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Symbol dictionary.
constexpr std::uint64_t symbol_size = 20;
constexpr std::uint32_t secondary_definition = 0x40000000;  // of word 0
constexpr std::uint32_t privilege_level = 3;                // the low bits of a code address
enum SymbolType : unsigned {
  type_code = 3,
  type_primary_program = 4,
  type_secondary_program = 5,
  type_entry = 6,
  type_millicode = 12,
};
enum SymbolScope : unsigned { scope_local = 2, scope_universal = 3 };

constexpr std::uint64_t unwind_size = 16;
constexpr std::uint64_t instruction_size = 4;

// Dynamic loader header.
constexpr std::uint64_t loader_header_size = 112;
constexpr std::uint32_t loader_versions[] = {93092112, 89060912};
constexpr std::uint64_t library_size = 8;

// The bytes of the text at [address, address + size), or nullopt if they are not all there.
std::optional<Bytes> text_bytes(const Segment& text, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t start = text.address.value();
  if (address < start || address - start > text.bytes.size()) return std::nullopt;
  const std::uint64_t at = address - start;
  if (size > text.bytes.size() - at) return std::nullopt;
  return Bytes(text.bytes).subspan(at, size);
}

struct Region {
  std::uint64_t start;
  std::uint64_t end;  // behind the last instruction
};

// The functions that the unwind table describes, ascending and free of overlap.
std::vector<Region> read_unwind(const SomFile& file, const Segment& text) {
  const auto subspace = file.subspace("$UNWIND_START$");
  if (!subspace) return {};
  const auto table = text_bytes(text, subspace->address, subspace->size);
  if (!table) return {};
  std::vector<Region> regions;
  for (std::uint64_t at = 0; at + unwind_size <= table->size(); at += unwind_size) {
    const std::uint64_t start = som_word(*table, at);
    const std::uint64_t last = som_word(*table, at + 4);
    const std::uint64_t free_from = regions.empty() ? 0 : regions.back().end;
    if (start % instruction_size != 0 || last % instruction_size != 0) continue;
    if (start > last || start < free_from) continue;
    if (!text_bytes(text, start, last - start + instruction_size)) continue;
    regions.push_back({start, last + instruction_size});
  }
  return regions;
}

std::optional<Rank> rank_of(std::uint32_t word) {
  const unsigned type = word >> 24 & 0x3f;
  const unsigned scope = word >> 20 & 0xf;
  if (scope != scope_local && scope != scope_universal) return std::nullopt;
  switch (type) {
    case type_primary_program:
    case type_secondary_program:
    case type_entry:
    case type_millicode:
      if (scope == scope_local) return Rank::local_function;
      return (word & secondary_definition) != 0 ? Rank::weak_function : Rank::global_function;
    case type_code:
      return Rank::label;
    default:
      return std::nullopt;
  }
}

// L$0012 is a compiler's label.
bool is_local_label(std::string_view name) {
  return name.starts_with("L$");
}

// The region that contains `address`, or regions.end().
auto region_of(const std::vector<Region>& regions, std::uint64_t address) {
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](std::uint64_t a, const Region& r) { return a < r.start; });
  if (after == regions.begin() || std::prev(after)->end <= address) return regions.end();
  return std::prev(after);
}

CandidateList read_dictionary(const SomFile& file, const Segment& text,
                              const std::vector<Region>& regions) {
  CandidateList candidates;
  const auto records = file.content(file.header().symbols, symbol_size);
  if (!records) return candidates;
  const std::string_view strings = file.text(file.header().symbol_strings);
  for (std::uint64_t at = 0; at < records->size(); at += symbol_size) {
    auto rank = rank_of(som_word(*records, at));
    const std::uint32_t address = som_word(*records, at + 16) & ~privilege_level;
    if (!rank || !text_bytes(text, address, 1)) continue;
    const std::string_view name = string_at(strings, som_word(*records, at + 4));
    if (name.empty() || is_local_label(name)) continue;
    const auto region = region_of(regions, address);
    const bool known = region != regions.end();
    if (known && region->start == address && *rank == Rank::label) rank = Rank::local_function;
    const std::uint64_t size = known ? region->end - address : 0;
    if (!candidates.add(GuestAddr(address), size, name, *rank)) break;
  }
  return candidates;
}

std::optional<std::uint64_t> loader_header_at(const SomFile& file, const Segment& text) {
  const auto subspace = file.subspace("$SHLIB_INFO$");
  const std::uint64_t places[] = {subspace ? subspace->address : text.address.value(),
                                  text.address.value()};
  for (const std::uint64_t place : places) {
    const auto header = text_bytes(text, place, loader_header_size);
    if (header && std::ranges::find(loader_versions, som_word(*header, 0)) !=
                      std::ranges::end(loader_versions)) {
      return place;
    }
  }
  return std::nullopt;
}

}  // namespace

SymbolTable read_som_symbols(const SomFile& file, const Segment& text) {
  const std::vector<Region> regions = read_unwind(file, text);
  CandidateList candidates = read_dictionary(file, text, regions);
  candidates.drop_labels_named_as_functions();
  std::set<GuestAddr> named;
  for (const Candidate& candidate : candidates.all()) named.insert(candidate.symbol.address);
  for (const Region& region : regions) {
    if (named.contains(GuestAddr(region.start))) continue;
    const std::string name = fmt::format("f_{:08x}", region.start);
    const std::uint64_t size = region.end - region.start;
    if (!candidates.add(GuestAddr(region.start), size, name, Rank::local_function)) break;
  }
  return candidates.take_symbols(text.address + text.memory_size);
}

std::optional<SomLibraries> read_som_libraries(const SomFile& file, const Segment& text) {
  const auto place = loader_header_at(file, text);
  if (!place) return std::nullopt;
  const Bytes header = *text_bytes(text, *place, loader_header_size);
  const std::uint64_t list = *place + som_word(header, 8);
  const std::uint64_t count = som_word(header, 12);
  const auto names = text_bytes(text, *place + som_word(header, 40), som_word(header, 44));
  const auto entries = text_bytes(text, list, count * library_size);
  SomLibraries libraries;
  if (!names || !entries) return libraries;
  const std::string_view strings(reinterpret_cast<const char*>(names->data()), names->size());
  std::size_t room = strings.size();  // a name is in the list once
  for (std::uint64_t at = library_size; at < entries->size(); at += library_size) {
    const std::string_view name = string_at(strings, som_word(*entries, at));
    if (name.size() > room) break;
    room -= name.size();
    const bool printable = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
    if (name.empty() || !printable) continue;
    libraries.names.emplace_back(name);
  }
  const std::uint32_t path = som_word(header, 96);
  if (path != 0) libraries.path = string_at(strings, path);
  return libraries;
}

}  // namespace hardclock
