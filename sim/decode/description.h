// A .decode file as written: what the parser returns and the checker reads. Names are not yet
// resolved. The format is defined in README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/codegen/diagnostics.h"

namespace hardclock::decodegen {

using codegen::Diagnostic;
using codegen::Diagnostics;

// `length` bits of the instruction word from bit `low` up; bit 0 is the least significant.
struct Segment {
  unsigned low = 0;
  unsigned length = 0;
};

// %name low:length[,low:length...] [signed] [<<shift] kind
struct Field {
  std::string name;
  std::vector<Segment> segments;  // concatenated, most significant first
  bool is_signed = false;
  unsigned shift = 0;  // the operand is the bits, shifted left by this
  std::string kind;    // chooses the ISA's printer
  int line = 0;

  unsigned length() const {
    unsigned sum = 0;
    for (const Segment& segment : segments) sum += segment.length;
    return sum;
  }
  // Bits of the operand's value.
  unsigned value_bits() const { return length() + shift; }
};

// &Name field...
struct OperandSet {
  std::string name;
  std::vector<std::string> fields;
  int line = 0;
};

// level NAME[: PARENT...]
struct LevelLine {
  std::string name;
  std::vector<std::string> parents;
  int line = 0;
};

// feature NAME
struct FeatureLine {
  std::string name;
  int line = 0;
};

// timing NAME
struct TimingLine {
  std::string name;
  int line = 0;
};

// name bits... &Set timing level[,level...] [feature...] "syntax" [=body]
struct Pattern {
  std::string name;
  std::vector<std::string> bits;  // tokens, most significant first: [01.-]+ or a field's name
  std::string operand_set;
  std::string timing;
  std::vector<std::string> levels;
  std::vector<std::string> features;
  std::string syntax;
  std::string body;  // the name, unless it does the same as others
  int line = 0;
};

// field=value, or without a value field=other, field=~other
struct Constraint {
  std::string field;
  std::optional<std::int64_t> value;
  std::string other;
  bool inverted = false;  // the other field's bits
};

// alias name pattern condition... "syntax"
struct Alias {
  std::string name;
  std::string pattern;
  std::vector<Constraint> constraints;
  std::string syntax;
  int line = 0;
};

// overlap first... second: one Overlap for each first
struct Overlap {
  std::string first;
  std::string second;
  int line = 0;
};

struct Description {
  std::string isa;
  unsigned bits = 0;  // of an instruction word: 1..64
  int isa_line = 0;
  std::vector<Field> fields;
  std::vector<OperandSet> operand_sets;
  std::vector<LevelLine> levels;
  std::vector<FeatureLine> features;
  std::vector<TimingLine> timing_classes;
  std::vector<Pattern> patterns;
  std::vector<Alias> aliases;
  std::vector<Overlap> overlaps;
};

// The description, or everything that breaks the grammar (README.md, "Grammar"), by line. Any
// bytes are accepted as input.
Result<Description, Diagnostics> parse(std::string_view text);

}  // namespace hardclock::decodegen
