#include "sim/report/nameless.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hardclock::report {
namespace {

// Whether a symbol begins in (`begin`, `pc`].
bool has_symbol_between(const SymbolTable& symbols, GuestAddr begin, GuestAddr pc) {
  const auto above = std::ranges::upper_bound(symbols.all(), pc, {}, &Symbol::address);
  return above != symbols.all().begin() && std::prev(above)->address > begin;
}

}  // namespace

void NamelessFunctions::add(const ProcessProfile& process, const Places& places) {
  for (const CallNode& node : process.call_tree) {
    const Place* const place = places.find(node.function);
    if (place == nullptr || place->symbols == nullptr) continue;
    const GuestAddr begin = node.function - place->moved_by;
    if (place->symbols->find(begin) == nullptr) by_path_[place->path].insert(begin);
  }
}

std::optional<GuestAddr> NamelessFunctions::find(const Place& place, GuestAddr pc) const {
  const std::set<GuestAddr>* const begins = of(place);
  if (begins == nullptr) return std::nullopt;
  const auto above = begins->upper_bound(pc);
  if (above == begins->begin()) return std::nullopt;
  const GuestAddr begin = *std::prev(above);
  if (begin < place.start - place.moved_by) return std::nullopt;
  if (has_symbol_between(*place.symbols, begin, pc)) return std::nullopt;
  return begin;
}

GuestAddr NamelessFunctions::next(const Place& place, GuestAddr pc, GuestAddr limit) const {
  const std::set<GuestAddr>* const begins = of(place);
  if (begins == nullptr) return limit;
  const auto above = begins->upper_bound(pc);
  return above == begins->end() ? limit : std::min(limit, *above);
}

std::string NamelessFunctions::label(const Place& place, GuestAddr begin) {
  std::string text = fmt::format("0x{:08x}", begin.value());
  if (!place.file.empty()) text += " (" + place.file + ")";
  return text;
}

const std::set<GuestAddr>* NamelessFunctions::of(const Place& place) const {
  if (by_path_.empty() || place.symbols == nullptr) return nullptr;
  const auto found = by_path_.find(place.path);
  return found == by_path_.end() ? nullptr : &found->second;
}

}  // namespace hardclock::report
