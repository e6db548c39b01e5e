#include "sim/decode/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "sim/base/bits.h"
#include "sim/codegen/identifiers.h"
#include "sim/codegen/text.h"

namespace hardclock::decodegen {
namespace {

// Names that the generated header defines in addition to the operand sets.
constexpr std::array reserved_types = {"Word",        "Opcode",     "TimingClass",
                                       "Level",       "Feature",    "Operands",
                                       "Instruction", "OpcodeInfo", "OperandPrinter"};

// Levels and features are bits of a generated 32-bit mask.
constexpr std::size_t most_in_a_mask = 32;

// Bytes of a struct whose members have these sizes, each a power of two, in this order.
unsigned struct_size(std::span<const unsigned> sizes) {
  unsigned size = 0, alignment = 1;
  for (const unsigned bytes : sizes) {
    size = (size + bytes - 1) / bytes * bytes + bytes;
    alignment = std::max(alignment, bytes);
  }
  return (size + alignment - 1) / alignment * alignment;
}

bool overlap(const CheckedPattern& a, const CheckedPattern& b) {
  return ((a.match ^ b.match) & a.mask & b.mask) == 0;
}

// Whether a matches every word that b matches.
bool covers(const CheckedPattern& a, const CheckedPattern& b) {
  return overlap(a, b) && (a.mask & ~b.mask) == 0;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class Checker {
 public:
  explicit Checker(const Description& description) : in_(description) {}

  Result<Isa, Diagnostics> run() {
    out_.name = in_.isa;
    out_.bits = in_.bits;
    check_cpp_name(in_.isa_line, "ISA", in_.isa);
    for (const Field& field : in_.fields) check_field(field);
    for (const OperandSet& set : in_.operand_sets) check_operand_set(set);
    check_levels();
    for (const FeatureLine& feature : in_.features) check_feature(feature);
    for (const Pattern& pattern : in_.patterns) check_pattern(pattern);
    for (const TimingLine& timing : in_.timing_classes) check_timing(timing);
    for (const Alias& alias : in_.aliases) check_alias(alias);
    check_overlaps();
    if (in_.patterns.empty()) error(1, "no pattern; a file describes at least one instruction");
    if (errors_.empty()) return std::move(out_);
    codegen::sort_by_line(errors_);
    return Failure{std::move(errors_)};
  }

 private:
  template <class... Args>
  void error(int line, fmt::format_string<Args...> message, Args&&... args) {
    errors_.push_back({line, fmt::format(message, std::forward<Args>(args)...)});
  }

  void check_cpp_name(int line, std::string_view what, const std::string& name) {
    if (codegen::is_keyword(name))
      error(line, "{0} '{1}' is a C++ keyword; write {1}_", what, name);
  }

  // Whether `name` is new in `lines`; else says where it was.
  bool check_new(std::map<std::string, int>& lines, int line, std::string_view what,
                 const std::string& name) {
    const auto [at, is_new] = lines.emplace(name, line);
    if (!is_new) error(line, "duplicate {} '{}', first on line {}", what, name, at->second);
    return is_new;
  }

  std::optional<std::size_t> find_field(const std::string& name) const {
    const auto at = field_index_.find(name);
    return at == field_index_.end() ? std::nullopt : std::optional(at->second);
  }

  void check_field(const Field& field) {
    check_cpp_name(field.line, "field", field.name);
    if (!check_new(field_lines_, field.line, "field", field.name)) return;
    field_index_.emplace(field.name, out_.fields.size());
    out_.fields.push_back(field);
    add_once(out_.kinds, field.kind);
    std::uint64_t seen = 0;
    for (const auto& [low, length] : field.segments) {
      if (low + length > in_.bits) {
        error(field.line, "field '{}': segment {}:{} ends beyond bit {}", field.name, low, length,
              in_.bits - 1);
        return;
      }
      const std::uint64_t bits = bit_field(~std::uint64_t{0}, 0, length) << low;
      if ((seen & bits) != 0) {
        error(field.line, "field '{}': segment {}:{} repeats bits of an earlier one", field.name,
              low, length);
      }
      seen |= bits;
    }
    if (field.value_bits() > 64) {
      error(field.line, "field '{}' has {} bits after its shift; 64 is the most", field.name,
            field.value_bits());
    }
  }

  void check_operand_set(const OperandSet& set) {
    CheckedOperandSet checked{set.name, member_name(set.name), {}};
    if (std::find(reserved_types.begin(), reserved_types.end(), set.name) != reserved_types.end() ||
        checked.member == "bytes") {
      error(set.line, "operand set '&{}' has a name that the generated header uses; rename it",
            set.name);
    }
    if (!check_new(set_lines_, set.line, "operand set", checked.member)) return;
    std::vector<unsigned> sizes;
    for (const std::string& name : set.fields) {
      const std::optional<std::size_t> field = find_field(name);
      if (!field) {
        error(set.line, "operand set '&{}': unknown field '{}'; define %{}", set.name, name, name);
      } else if (std::find(checked.fields.begin(), checked.fields.end(), *field) !=
                 checked.fields.end()) {
        error(set.line, "operand set '&{}': duplicate field '{}'", set.name, name);
      } else {
        checked.fields.push_back(*field);
        sizes.push_back(storage_bits(out_.fields[*field]) / 8);
      }
    }
    if (struct_size(sizes) > 8) {
      error(set.line, "operand set '&{}' takes {} bytes, 8 are the most; put wide fields first",
            set.name, struct_size(sizes));
    }
    set_index_.emplace(set.name, out_.operand_sets.size());
    out_.operand_sets.push_back(std::move(checked));
  }

  void check_levels() {
    for (const LevelLine& level : in_.levels) {
      check_cpp_name(level.line, "level", level.name);
      if (!check_new(level_lines_, level.line, "level", level.name)) continue;
      out_.levels.push_back(level.name);
    }
    ancestors_.resize(out_.levels.size());
    if (out_.levels.size() > most_in_a_mask) {
      error(in_.levels.back().line, "{} levels, {} are the most", out_.levels.size(),
            most_in_a_mask);
      return;
    }
    for (const LevelLine& level : in_.levels) {
      const std::optional<std::size_t> child = index_of(out_.levels, level.name);
      for (const std::string& name : level.parents) {
        const std::optional<std::size_t> parent = index_of(out_.levels, name);
        if (!parent) {
          error(level.line, "level '{}': unknown parent '{}'; add: level {}", level.name, name,
                name);
        } else {
          ancestors_[*child] |= std::uint32_t{1} << *parent;
        }
      }
    }
    inherit();
    for (const LevelLine& level : in_.levels) {
      const std::size_t i = *index_of(out_.levels, level.name);
      if (has(ancestors_[i], i)) {
        error(level.line, "level '{}' is its own ancestor; break the circle", level.name);
      }
    }
  }

  // From parents to all ancestors.
  void inherit() {
    for (std::size_t via = 0; via < ancestors_.size(); ++via) {
      for (std::uint32_t& ancestors : ancestors_) {
        if (has(ancestors, via)) ancestors |= ancestors_[via];
      }
    }
  }

  void check_feature(const FeatureLine& feature) {
    check_cpp_name(feature.line, "feature", feature.name);
    if (!check_new(feature_lines_, feature.line, "feature", feature.name)) return;
    out_.features.push_back(feature.name);
    if (out_.features.size() > most_in_a_mask) {
      error(feature.line, "feature '{}' is one too many, {} are the most", feature.name,
            most_in_a_mask);
    }
  }

  void check_timing(const TimingLine& timing) {
    check_cpp_name(timing.line, "timing class", timing.name);
    if (index_of(out_.timing_classes, timing.name)) {
      error(timing.line, "timing class '{}' is declared or a pattern's already; remove this line",
            timing.name);
    }
    add_once(out_.timing_classes, timing.name);
  }

  static bool has(std::uint32_t mask, std::size_t bit) { return (mask >> bit & 1) != 0; }

  static std::optional<std::size_t> index_of(const std::vector<std::string>& names,
                                             const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names.begin());
  }

  // The levels that introduce the pattern and all that descend from them.
  std::uint32_t levels_of(const Pattern& pattern) {
    std::uint32_t introducing = 0;
    for (const std::string& name : pattern.levels) {
      const std::optional<std::size_t> level = index_of(out_.levels, name);
      if (!level) {
        error(pattern.line, "pattern '{}': unknown level '{}'; add: level {}", pattern.name, name,
              name);
      } else if (*level < most_in_a_mask) {
        if (has(introducing, *level)) {
          error(pattern.line, "pattern '{}': level '{}' twice; remove one", pattern.name, name);
        }
        introducing |= std::uint32_t{1} << *level;
      }
    }
    std::uint32_t levels = introducing;
    for (std::size_t i = 0; i < std::min(ancestors_.size(), most_in_a_mask); ++i) {
      if ((ancestors_[i] & introducing) == 0) continue;
      levels |= std::uint32_t{1} << i;
      if (has(introducing, i)) {
        error(pattern.line, "pattern '{}': level '{}' inherits it already; remove it from the list",
              pattern.name, out_.levels[i]);
      }
    }
    return levels;
  }

  std::uint32_t features_of(const Pattern& pattern) {
    std::uint32_t features = 0;
    for (const std::string& name : pattern.features) {
      const std::optional<std::size_t> feature = index_of(out_.features, name);
      if (!feature) {
        error(pattern.line, "pattern '{}': unknown feature '{}'; add: feature {}", pattern.name,
              name, name);
      } else if (*feature < most_in_a_mask) {
        features |= std::uint32_t{1} << *feature;
      }
    }
    return features;
  }

  void check_pattern(const Pattern& pattern) {
    check_cpp_name(pattern.line, "pattern", pattern.name);
    check_cpp_name(pattern.line, "timing class", pattern.timing);
    if (pattern.body != pattern.name) check_cpp_name(pattern.line, "body", pattern.body);
    if (pattern.name == "invalid") {
      error(pattern.line, "pattern 'invalid': the name stands for undefined words; rename it");
    }
    add_once(out_.timing_classes, pattern.timing);
    if (!check_new(pattern_lines_, pattern.line, "pattern", pattern.name)) return;
    const auto set = set_index_.find(pattern.operand_set);
    if (set == set_index_.end()) {
      error(pattern.line, "pattern '{}': unknown operand set '&{}'", pattern.name,
            pattern.operand_set);
      return;
    }
    CheckedPattern checked;
    checked.name = pattern.name;
    checked.body = pattern.body;
    checked.operand_set = set->second;
    checked.timing = pattern.timing;
    checked.levels = levels_of(pattern);
    checked.features = features_of(pattern);
    checked.line = pattern.line;
    check_bits(pattern, checked);
    checked.syntax = check_syntax(pattern.line, pattern.syntax, set->second);
    pattern_index_.emplace(pattern.name, out_.patterns.size());
    out_.patterns.push_back(std::move(checked));
  }

  void check_bits(const Pattern& pattern, CheckedPattern& checked) {
    std::set<std::size_t> named;
    const std::optional<std::string> bits = expand_bits(pattern, named);
    if (!bits) return;
    const CheckedOperandSet& set = out_.operand_sets[checked.operand_set];
    for (const std::size_t field : named) {
      if (std::find(set.fields.begin(), set.fields.end(), field) == set.fields.end()) {
        error(pattern.line, "pattern '{}': field '{}' is not in operand set '&{}'", pattern.name,
              out_.fields[field].name, set.name);
      }
    }
    std::uint64_t covered = 0;
    for (const std::size_t field : set.fields) cover(pattern, set, field, *bits, covered);
    for (unsigned bit = 0; bit < in_.bits; ++bit) {
      const char c = (*bits)[in_.bits - 1 - bit];
      const std::uint64_t one = std::uint64_t{1} << bit;
      if (c == '0' || c == '1') checked.mask |= one;
      if (c == '1') checked.match |= one;
      if (c == '.' && (covered & one) == 0) {
        error(pattern.line, "pattern '{}': no field of '&{}' covers bit {}", pattern.name, set.name,
              bit);
      }
    }
  }

  // The pattern as one character a bit, most significant first; a named field is dots.
  std::optional<std::string> expand_bits(const Pattern& pattern, std::set<std::size_t>& named) {
    std::string bits;
    std::vector<std::pair<std::size_t, std::size_t>> placed;  // field, where it begins in `bits`
    for (const std::string& token : pattern.bits) {
      if (token.find_first_not_of("01.-") == std::string::npos) {
        bits += token;
        continue;
      }
      const std::optional<std::size_t> field = find_field(token);
      if (!field) {
        error(pattern.line, "pattern '{}': unknown field '{}'", pattern.name, token);
        return std::nullopt;
      }
      if (out_.fields[*field].segments.size() != 1) {
        error(pattern.line, "pattern '{}': field '{}' has several segments; write . for its bits",
              pattern.name, token);
        return std::nullopt;
      }
      placed.emplace_back(*field, bits.size());
      named.insert(*field);
      bits.append(out_.fields[*field].length(), '.');
    }
    if (bits.size() != in_.bits) {
      error(pattern.line, "pattern '{}' has {} bits, an instruction has {}", pattern.name,
            bits.size(), in_.bits);
      return std::nullopt;
    }
    for (const auto& [index, begin] : placed) {
      const Field& field = out_.fields[index];
      const std::size_t low = in_.bits - begin - field.length();
      if (low != field.segments[0].low) {
        error(pattern.line, "pattern '{}': field '{}' stands at bit {}, its bits are at {}",
              pattern.name, field.name, low, field.segments[0].low);
        return std::nullopt;
      }
    }
    return bits;
  }

  // Marks the bits of an operand as covered; they must be free in the pattern.
  void cover(const Pattern& pattern, const CheckedOperandSet& set, std::size_t index,
             const std::string& bits, std::uint64_t& covered) {
    const Field& field = out_.fields[index];
    std::uint64_t own = 0;
    for (const auto& [low, length] : field.segments) {
      own |= bit_field(~std::uint64_t{0}, 0, length) << low;
    }
    for (unsigned bit = 0; bit < in_.bits; ++bit) {
      if (bit_field(own, bit, 1) == 0) continue;
      const char c = bits[in_.bits - 1 - bit];
      if (c != '.') {
        error(pattern.line, "pattern '{}': field '{}' of '&{}' is not in it, bit {} is '{}'",
              pattern.name, field.name, set.name, bit, c);
        break;
      }
      if (bit_field(covered, bit, 1) != 0) {
        error(pattern.line, "pattern '{}': two fields of '&{}' share bit {}", pattern.name,
              set.name, bit);
        break;
      }
    }
    covered |= own;
  }

  // The name at the beginning of `text`, which is left behind it.
  static std::string take_name(std::string_view& text) {
    const std::string name(
        text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_")));
    text.remove_prefix(name.size());
    return name;
  }

  // The kind after an operand's name, %field:kind, or the field's own.
  std::string take_kind(std::string_view& text, const std::string& own) {
    if (text.size() < 2 || text[0] != ':' || !codegen::is_lower(text[1])) return own;
    text.remove_prefix(1);
    const std::string kind = take_name(text);
    add_once(out_.kinds, kind);
    return kind;
  }

  Syntax check_syntax(int line, std::string_view text, std::size_t set_index) {
    const CheckedOperandSet& set = out_.operand_sets[set_index];
    Syntax syntax(1);
    while (!text.empty()) {
      const std::size_t percent = text.find('%');
      syntax.back().text += text.substr(0, percent);
      if (percent == std::string_view::npos) break;
      text.remove_prefix(percent + 1);
      if (text.starts_with('%')) {
        syntax.back().text += '%';
        text.remove_prefix(1);
        continue;
      }
      const std::string name = take_name(text);
      const std::optional<std::size_t> field = find_field(name);
      if (!field || std::find(set.fields.begin(), set.fields.end(), *field) == set.fields.end()) {
        error(line, "syntax: '%{}' is not a field of '&{}'; write %% for a percent sign", name,
              set.name);
        continue;
      }
      syntax.back().field = field;
      syntax.back().kind = take_kind(text, out_.fields[*field].kind);
      syntax.emplace_back();
    }
    return syntax;
  }

  void check_alias(const Alias& alias) {
    const auto at = pattern_index_.find(alias.pattern);
    if (at == pattern_index_.end()) {
      error(alias.line, "alias '{}': unknown pattern '{}'", alias.name, alias.pattern);
      return;
    }
    CheckedPattern& pattern = out_.patterns[at->second];
    const CheckedOperandSet& set = out_.operand_sets[pattern.operand_set];
    CheckedAlias checked;
    std::set<std::string> seen;
    for (const Constraint& constraint : alias.constraints) {
      if (!seen.insert(constraint.field).second) {
        error(alias.line, "alias '{}': two conditions on '{}'", alias.name, constraint.field);
      } else if (const std::optional<Condition> condition =
                     check_constraint(alias, set, constraint)) {
        checked.conditions.push_back(*condition);
      }
    }
    for (const CheckedAlias& earlier : pattern.aliases) {
      if (is_subset(earlier, checked)) {
        error(alias.line,
              "alias '{}' is never printed: an earlier alias of '{}' holds whenever "
              "it does",
              alias.name, pattern.name);
        break;
      }
    }
    checked.syntax = check_syntax(alias.line, alias.syntax, pattern.operand_set);
    pattern.aliases.push_back(std::move(checked));
  }

  // Nothing after an error.
  std::optional<Condition> check_constraint(const Alias& alias, const CheckedOperandSet& set,
                                            const Constraint& constraint) {
    const std::optional<std::size_t> field = field_of(alias, set, constraint.field);
    if (!field) return std::nullopt;
    const Field& own = out_.fields[*field];
    if (constraint.value) {
      if (can_hold(own, *constraint.value)) return Condition{*field, *constraint.value, {}};
      error(alias.line, "alias '{}': field '{}' is never {}", alias.name, own.name,
            *constraint.value);
      return std::nullopt;
    }
    const std::optional<std::size_t> other = field_of(alias, set, constraint.other);
    if (!other) return std::nullopt;
    if (*other == *field || !has_plain_bits(own) || !has_plain_bits(out_.fields[*other]) ||
        own.length() != out_.fields[*other].length()) {
      error(alias.line,
            "alias '{}': '{}' and '{}' are not two unsigned fields of one length without a shift",
            alias.name, own.name, out_.fields[*other].name);
      return std::nullopt;
    }
    const std::uint64_t inverted =
        constraint.inverted ? bit_field(~std::uint64_t{0}, 0, own.length()) : 0;
    return Condition{*field, static_cast<std::int64_t>(inverted), other};
  }

  static bool has_plain_bits(const Field& field) { return !field.is_signed && field.shift == 0; }

  std::optional<std::size_t> field_of(const Alias& alias, const CheckedOperandSet& set,
                                      const std::string& name) {
    const std::optional<std::size_t> field = find_field(name);
    if (field && std::find(set.fields.begin(), set.fields.end(), *field) != set.fields.end()) {
      return field;
    }
    error(alias.line, "alias '{}': '{}' is not a field of '&{}'", alias.name, name, set.name);
    return std::nullopt;
  }

  static bool is_subset(const CheckedAlias& a, const CheckedAlias& b) {
    return std::all_of(a.conditions.begin(), a.conditions.end(), [&](const auto& condition) {
      return std::find(b.conditions.begin(), b.conditions.end(), condition) != b.conditions.end();
    });
  }

  static bool can_hold(const Field& field, std::int64_t value) {
    if (field.value_bits() > 64) return true;  // already an error of the field
    const auto word = static_cast<std::uint64_t>(value);
    const std::uint64_t bits = bit_field(word, 0, field.value_bits());
    const std::uint64_t back =
        field.is_signed ? static_cast<std::uint64_t>(sign_extend(bits, field.value_bits())) : bits;
    return back == word && (word & ((std::uint64_t{1} << field.shift) - 1)) == 0;
  }

  void check_overlaps() {
    std::set<std::pair<std::string, std::string>> declared;
    for (const auto& [first, second, line] : in_.overlaps) {
      const auto a = pattern_index_.find(first), b = pattern_index_.find(second);
      if (a == pattern_index_.end() || b == pattern_index_.end()) {
        error(line, "overlap: unknown pattern '{}'", a == pattern_index_.end() ? first : second);
      } else if (a->second >= b->second) {
        error(line, "overlap: '{}' must come before '{}', because the first one wins", first,
              second);
      } else if (!overlap(out_.patterns[a->second], out_.patterns[b->second])) {
        error(line, "overlap: '{}' and '{}' do not overlap; remove the line", first, second);
      } else if (covers(out_.patterns[a->second], out_.patterns[b->second])) {
        error(line, "overlap: '{}' covers every word of '{}', which is never decoded", first,
              second);
      }
      declared.emplace(first, second);
    }
    if (!errors_.empty()) return;  // a pattern with wrong bits would only add noise
    for (std::size_t b = 0; b < out_.patterns.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const CheckedPattern &first = out_.patterns[a], &second = out_.patterns[b];
        if (!overlap(first, second) || declared.contains({first.name, second.name})) continue;
        error(second.line,
              "pattern '{0}' overlaps '{1}' of line {2}; if that is meant, add: "
              "overlap {1} {0}",
              second.name, first.name, first.line);
      }
    }
  }

  const Description& in_;
  Isa out_;
  Diagnostics errors_;
  std::map<std::string, int> field_lines_, set_lines_, pattern_lines_, level_lines_, feature_lines_;
  std::vector<std::uint32_t> ancestors_;  // of each level, as bits
  std::map<std::string, std::size_t> field_index_, set_index_, pattern_index_;
};

}  // namespace

std::string member_name(std::string_view type_name) {
  std::string out;
  for (std::size_t i = 0; i < type_name.size(); ++i) {
    const bool upper = codegen::is_upper(type_name[i]);
    const bool after_word = i > 0 && !codegen::is_upper(type_name[i - 1]);
    const bool before_word = i + 1 < type_name.size() && !codegen::is_upper(type_name[i + 1]);
    if (upper && i > 0 && (after_word || before_word)) out += '_';
    out += upper ? static_cast<char>(type_name[i] - 'A' + 'a') : type_name[i];
  }
  return codegen::is_keyword(out) ? out + "_" : out;
}

unsigned storage_bits(const Field& field) {
  const unsigned bits = field.value_bits();
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

Result<Isa, Diagnostics> check(const Description& description) {
  return Checker(description).run();
}

}  // namespace hardclock::decodegen
