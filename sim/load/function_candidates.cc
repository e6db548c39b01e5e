#include "sim/load/function_candidates.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

namespace hardclock {
namespace {

constexpr std::size_t max_symbols = std::size_t{1} << 18;
constexpr std::size_t max_name_bytes = std::size_t{16} << 20;

std::string printable(std::string_view name) {
  std::string result(name);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

}  // namespace

std::string_view string_at(std::string_view strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const char* start = strings.data() + offset;
  const std::size_t room = std::min<std::size_t>(strings.size() - offset, longest_symbol_name);
  return {start, strnlen(start, room)};
}

bool CandidateList::add(GuestAddr address, std::uint64_t size, std::string_view name, Rank rank) {
  name_bytes_ += name.size();
  if (name_bytes_ > max_name_bytes || candidates_.size() == max_symbols) return false;
  candidates_.push_back({{address, size, printable(name)}, rank});
  return true;
}

void CandidateList::drop_labels_named_as_functions() {
  std::set<std::string_view> functions;
  for (const Candidate& c : candidates_) {
    if (c.rank < Rank::label) functions.insert(c.symbol.name);
  }
  std::vector<Candidate> kept;
  for (const Candidate& c : candidates_) {
    if (c.rank < Rank::label || !functions.contains(c.symbol.name)) kept.push_back(c);
  }
  candidates_ = std::move(kept);
}

void CandidateList::drop_covered_labels() {
  struct Function {
    GuestAddr start;
    GuestAddr reach;  // the highest end of this function and all before it
  };
  std::vector<Function> functions;
  for (const Candidate& c : candidates_) {
    if (c.rank >= Rank::label) continue;
    functions.push_back(
        {c.symbol.address, c.symbol.address + std::max<std::uint64_t>(c.symbol.size, 1)});
  }
  std::sort(functions.begin(), functions.end(),
            [](const Function& a, const Function& b) { return a.start < b.start; });
  for (std::size_t i = 1; i < functions.size(); ++i) {
    functions[i].reach = std::max(functions[i].reach, functions[i - 1].reach);
  }
  std::erase_if(candidates_, [&](const Candidate& c) {
    if (c.rank < Rank::label) return false;
    auto after = std::upper_bound(functions.begin(), functions.end(), c.symbol.address,
                                  [](GuestAddr a, const Function& f) { return a < f.start; });
    return after != functions.begin() && std::prev(after)->reach > c.symbol.address;
  });
}

SymbolTable CandidateList::take_symbols(GuestAddr end_of_code) {
  drop_covered_labels();
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  std::vector<Symbol> symbols;
  symbols.reserve(candidates_.size());
  for (Candidate& c : candidates_) symbols.push_back(std::move(c.symbol));
  candidates_.clear();
  name_bytes_ = 0;
  return SymbolTable(std::move(symbols), end_of_code);
}

}  // namespace hardclock
