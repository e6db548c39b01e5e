// Checks a parsed .decode file and resolves its names: the emitter's input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/decode/description.h"

namespace hardclock::decodegen {

// A piece of assembly syntax: text, then an operand (an index into Isa::fields) and the kind that
// prints it. The last piece may have text only.
struct SyntaxPiece {
  std::string text;
  std::optional<std::size_t> field;
  std::string kind;
};
using Syntax = std::vector<SyntaxPiece>;

// A field has this value: that of another field, each bit exclusive-or that of `value`, if there is
// another one.
struct Condition {
  std::size_t field = 0;
  std::int64_t value = 0;
  std::optional<std::size_t> other;

  friend bool operator==(const Condition&, const Condition&) = default;
};

struct CheckedAlias {
  std::vector<Condition> conditions;
  Syntax syntax;
};

struct CheckedPattern {
  std::string name;
  std::string body;
  std::uint64_t match = 0;  // a word w is this instruction when (w & mask) == match
  std::uint64_t mask = 0;
  std::size_t operand_set = 0;  // index into Isa::operand_sets
  std::string timing;
  std::uint32_t levels = 0;    // bit i: an instruction of Isa::levels[i]
  std::uint32_t features = 0;  // bit i: only where Isa::features[i] is on
  Syntax syntax;
  std::vector<CheckedAlias> aliases;  // the first whose conditions hold is printed
  int line = 0;
};

struct CheckedOperandSet {
  std::string name;    // the struct
  std::string member;  // the member of the union
  std::vector<std::size_t> fields;
};

struct Isa {
  std::string name;
  unsigned bits = 0;
  std::vector<Field> fields;
  std::vector<CheckedOperandSet> operand_sets;
  std::vector<CheckedPattern> patterns;            // the first that matches a word wins
  std::vector<std::string> timing_classes, kinds;  // in order of first mention
  std::vector<std::string> levels, features;       // in the file's order
};

// The ISA, or everything that breaks a rule (README.md, "Rules"), by line.
Result<Isa, Diagnostics> check(const Description& description);

// An operand set's member of the union: FpMem -> fp_mem, BranchRR -> branch_rr, Break -> break_.
std::string member_name(std::string_view type_name);

// 8, 16, 32 or 64: the integer that holds an operand of this field.
unsigned storage_bits(const Field& field);

}  // namespace hardclock::decodegen
