// Names of functions that a file's symbol tables offer, and the choice among them. Internal to the
// loaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/image.h"

namespace hardclock {

// If an address has several names, the one with the lowest rank stays.
enum class Rank : std::uint8_t {
  global_function,
  weak_function,
  local_function,
  label,
  linker_mark
};

struct Candidate {
  Symbol symbol;
  Rank rank = Rank::label;
};

// The longest name that is read, in bytes; a longer one is cut off.
inline constexpr std::size_t longest_symbol_name = 4096;

// The name at `offset` in a table of NUL-terminated strings; empty if there is none.
std::string_view string_at(std::string_view strings, std::uint64_t offset);

// Candidates in a file's order. Limits, 2^18 symbols and 16 MiB of names, guard against hostile
// files in which every symbol names the same long string. Real programs of the supported systems
// stay an order of magnitude below them.
class CandidateList {
 public:
  // Keeps printable ASCII of the name; every other byte becomes '?'. Returns false, and leaves the
  // candidate out, if the list is full.
  bool add(GuestAddr address, std::uint64_t size, std::string_view name, Rank rank);
  const std::vector<Candidate>& all() const { return candidates_; }
  bool empty() const { return candidates_.empty(); }

  // Drops labels that share the name of a function: they are stubs that lead to it.
  void drop_labels_named_as_functions();

  // Returns the functions by rank and the labels that no function covers, and empties the list. A
  // function without a size covers only its first address: what follows may be its loop or an
  // assembly routine of its own, and the label is the better name.
  SymbolTable take_symbols(GuestAddr end_of_code);

 private:
  void drop_covered_labels();

  std::vector<Candidate> candidates_;
  std::size_t name_bytes_ = 0;
};

}  // namespace hardclock
