// What a file's symbol tables offer as names of functions, and the choice among it. Internal to
// the loaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/image.h"

namespace hardclock {

// Of several names for an address the one with the lowest rank stays.
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

// The longest name that is read; the rest of a longer one is cut off.
inline constexpr std::size_t longest_symbol_name = 4096;

// The name at `offset` of a table of strings that end in zero bytes; empty when there is none.
std::string_view string_at(std::string_view strings, std::uint64_t offset);

// Candidates in a file's order, within bounds for hostile files, in which every symbol may name the
// same long string: 2^18 symbols and 16 MiB of names. Real programs of the supported systems stay
// an order of magnitude below.
class CandidateList {
 public:
  // Keeps printable ASCII of the name; every other byte becomes '?'. False when the list is full:
  // the candidate is left out.
  bool add(GuestAddr address, std::uint64_t size, std::string_view name, Rank rank);
  const std::vector<Candidate>& all() const { return candidates_; }
  bool empty() const { return candidates_.empty(); }

  // Leaves out the labels that have the name of a function: stubs that lead to it.
  void drop_labels_named_as_functions();

  // The functions by rank, and those labels that no function covers; afterwards the list is empty.
  // A function without a size covers its first address only: what follows may be its loop or an
  // assembly routine of its own, and the label is the better name.
  SymbolTable take_symbols(GuestAddr end_of_code);

 private:
  void drop_covered_labels();

  std::vector<Candidate> candidates_;
  std::size_t name_bytes_ = 0;
};

}  // namespace hardclock
