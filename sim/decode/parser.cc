#include "sim/decode/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/codegen/text.h"

namespace hardclock::decodegen {
namespace {

using codegen::blanks;
using codegen::is_digit;
using codegen::is_lower;
using codegen::is_printable;
using codegen::is_upper;
using codegen::parse_unsigned;
using codegen::shown;

// A field, pattern, kind, class or level: lower case, because it becomes a C++ name.
bool is_name(std::string_view text) {
  return !text.empty() && is_lower(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower(c) || is_digit(c) || c == '_';
  });
}

// An operand set becomes a C++ type.
bool is_type_name(std::string_view text) {
  return !text.empty() && is_upper(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower(c) || is_upper(c) || is_digit(c);
  });
}

bool is_bits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("01.-") == std::string_view::npos;
}

// Decimal, or hexadecimal after 0x; a minus sign may come first.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  if (text.starts_with('-')) return std::nullopt;
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, hex ? 16 : 10);
  if (error != std::errc() || end != last) return std::nullopt;
  return negative ? -value : value;
}

struct Token {
  std::string_view text;  // without its quotes
  bool quoted = false;
};
using Tokens = std::span<const Token>;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Description, Diagnostics> run() {
    for (const std::string_view line : codegen::split_lines(text_)) {
      ++line_;
      parse_line(line);
    }
    if (description_.bits == 0 && errors_.empty()) {
      line_ = 1;
      error("no isa line; begin the file with: isa NAME BITS");
    }
    if (!errors_.empty()) return Failure{std::move(errors_)};
    return std::move(description_);
  }

 private:
  void error(std::string message) { errors_.push_back({line_, std::move(message)}); }

  void parse_line(std::string_view line) {
    const std::optional<std::vector<Token>> tokens = tokenize(line);
    if (!tokens || tokens->empty()) return;
    const Tokens all(*tokens);
    const std::string_view first = all[0].text;
    if (all[0].quoted) {
      error(
          "a line begins with isa, %field, &Operands, level, feature, timing, a pattern's name, "
          "alias or overlap");
    } else if (first == "isa") {
      parse_isa(all);
    } else if (first.starts_with('%')) {
      parse_field(all);
    } else if (first.starts_with('&')) {
      parse_operand_set(all);
    } else if (first == "level") {
      parse_level(all);
    } else if (first == "feature") {
      parse_feature(all);
    } else if (first == "timing") {
      parse_timing(all);
    } else if (first == "alias") {
      parse_alias(all);
    } else if (first == "overlap") {
      parse_overlap(all);
    } else {
      parse_pattern(all);
    }
  }

  // The words and strings of a line, without the comment; nothing after an error.
  std::optional<std::vector<Token>> tokenize(std::string_view line) {
    std::vector<Token> tokens;
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
      if (line.empty() || line[0] == '#') return tokens;
      if (line[0] != '"') {
        const std::size_t end = std::min(line.find_first_of(" \t\r\v\f\"#"), line.size());
        tokens.push_back({line.substr(0, end), false});
        line.remove_prefix(end);
        continue;
      }
      const std::size_t end = line.find('"', 1);
      if (end == std::string_view::npos) {
        error("the string does not end; add a \"");
        return std::nullopt;
      }
      tokens.push_back({line.substr(1, end - 1), true});
      line.remove_prefix(end + 1);
    }
  }

  void parse_isa(Tokens tokens) {
    if (description_.bits != 0) return error("second isa line; a file describes one ISA");
    const std::optional<unsigned> bits =
        tokens.size() == 3 ? parse_unsigned(tokens[2].text, 64) : std::nullopt;
    if (!bits || *bits == 0 || !is_name(tokens[1].text)) {
      return error("expected: isa NAME BITS, a lower-case name and 1 to 64 bits");
    }
    description_.isa = tokens[1].text;
    description_.bits = *bits;
    description_.isa_line = line_;
  }

  void parse_field(Tokens tokens) {
    Field field;
    field.line = line_;
    field.name = tokens[0].text.substr(1);
    if (!is_name(field.name)) {
      return error(fmt::format("'{}' is not a field's name; write %name in lower case",
                               shown(tokens[0].text)));
    }
    if (tokens.size() < 3) return error("expected: %name low:length [signed] [<<shift] kind");
    if (!parse_segments(tokens[1].text, field)) return;
    for (const Token& option : tokens.subspan(2, tokens.size() - 3)) {
      if (!parse_field_option(option.text, field)) return;
    }
    field.kind = tokens.back().text;
    if (!is_name(field.kind) || tokens.back().quoted) {
      return error(fmt::format("'{}' is not a kind; end the line with a lower-case name",
                               shown(field.kind)));
    }
    description_.fields.push_back(std::move(field));
  }

  bool parse_segments(std::string_view text, Field& field) {
    while (true) {
      const std::string_view part = text.substr(0, text.find(','));
      const std::size_t colon = part.find(':');
      std::optional<unsigned> low, length;
      if (colon != std::string_view::npos) {
        low = parse_unsigned(part.substr(0, colon), 63);
        length = parse_unsigned(part.substr(colon + 1), 64);
      }
      if (!low || !length || *length == 0) {
        error(fmt::format("'{}' is not a segment; write low:length, as in 16:5", shown(part)));
        return false;
      }
      field.segments.push_back({*low, *length});
      if (part.size() == text.size()) return true;
      text.remove_prefix(part.size() + 1);
    }
  }

  bool parse_field_option(std::string_view text, Field& field) {
    if (text == "signed" && !field.is_signed) {
      field.is_signed = true;
      return true;
    }
    const std::optional<unsigned> shift =
        text.starts_with("<<") ? parse_unsigned(text.substr(2), 63) : std::nullopt;
    if (shift && *shift > 0 && field.shift == 0) {
      field.shift = *shift;
      return true;
    }
    error(fmt::format("'{}' is not an option of a field; use signed or <<shift, each once",
                      shown(text)));
    return false;
  }

  void parse_operand_set(Tokens tokens) {
    OperandSet set{std::string(tokens[0].text.substr(1)), {}, line_};
    if (!is_type_name(set.name)) {
      return error(fmt::format("'{}' is not an operand set's name; write &Name in CamelCase",
                               shown(tokens[0].text)));
    }
    for (const Token& field : tokens.subspan(1)) {
      if (!is_name(field.text)) return error(not_a_name(field.text, "field"));
      set.fields.emplace_back(field.text);
    }
    description_.operand_sets.push_back(std::move(set));
  }

  void parse_level(Tokens tokens) {
    LevelLine level;
    level.line = line_;
    std::string_view name = tokens.size() > 1 ? tokens[1].text : "";
    const bool has_parents = name.ends_with(':');
    if (has_parents) name.remove_suffix(1);
    if (!is_name(name) || has_parents != (tokens.size() > 2)) {
      return error("expected: level NAME, or level NAME: PARENT...");
    }
    level.name = name;
    for (const Token& token : tokens.subspan(2)) {
      if (!is_name(token.text)) return error(not_a_name(token.text, "level"));
      level.parents.emplace_back(token.text);
    }
    description_.levels.push_back(std::move(level));
  }

  void parse_feature(Tokens tokens) {
    if (tokens.size() != 2 || !is_name(tokens[1].text)) return error("expected: feature NAME");
    description_.features.push_back({std::string(tokens[1].text), line_});
  }

  void parse_timing(Tokens tokens) {
    if (tokens.size() != 2 || !is_name(tokens[1].text)) return error("expected: timing NAME");
    description_.timing_classes.push_back({std::string(tokens[1].text), line_});
  }

  void parse_pattern(Tokens tokens) {
    Pattern pattern;
    pattern.line = line_;
    pattern.name = tokens[0].text;
    if (!is_name(pattern.name)) return error(not_a_name(pattern.name, "pattern"));
    std::size_t at = 1;
    for (; at < tokens.size() && !tokens[at].text.starts_with('&'); ++at) {
      const std::string_view text = tokens[at].text;
      if (tokens[at].quoted || !(is_bits(text) || is_name(text))) {
        return error(fmt::format("'{}' is neither bits (0 1 . -) nor a field's name", shown(text)));
      }
      pattern.bits.emplace_back(text);
    }
    pattern.body = pattern.name;
    if (tokens.back().text.starts_with('=') && !tokens.back().quoted) {
      pattern.body = tokens.back().text.substr(1);
      if (!is_name(pattern.body)) return error(not_a_name(pattern.body, "body"));
      tokens = tokens.first(tokens.size() - 1);
    }
    if (tokens.size() < at + 4 || tokens[at].quoted || !tokens.back().quoted) {
      return error(
          "expected: name bits &Operands timing-class level [feature...] \"syntax\" [=body]");
    }
    pattern.operand_set = tokens[at].text.substr(1);
    pattern.timing = tokens[at + 1].text;
    if (!is_name(pattern.timing)) return error(not_a_name(pattern.timing, "timing class"));
    if (!parse_levels(tokens[at + 2].text, pattern)) return;
    for (const Token& token : tokens.subspan(at + 3, tokens.size() - at - 4)) {
      if (!is_name(token.text)) return error(not_a_name(token.text, "feature"));
      pattern.features.emplace_back(token.text);
    }
    if (!parse_syntax(tokens.back().text, pattern.syntax)) return;
    description_.patterns.push_back(std::move(pattern));
  }

  bool parse_levels(std::string_view text, Pattern& pattern) {
    while (true) {
      const std::string_view part = text.substr(0, text.find(','));
      if (!is_name(part)) {
        error(not_a_name(part, "level"));
        return false;
      }
      pattern.levels.emplace_back(part);
      if (part.size() == text.size()) return true;
      text.remove_prefix(part.size() + 1);
    }
  }

  void parse_alias(Tokens tokens) {
    if (tokens.size() < 4 || !tokens.back().quoted) {
      return error("expected: alias name pattern condition... \"syntax\"");
    }
    Alias alias{std::string(tokens[1].text), std::string(tokens[2].text), {}, {}, line_};
    if (!is_name(alias.name)) return error(not_a_name(alias.name, "alias"));
    if (!is_name(alias.pattern)) return error(not_a_name(alias.pattern, "pattern"));
    for (const Token& token : tokens.subspan(3, tokens.size() - 4)) {
      std::optional<Constraint> constraint = parse_constraint(token.text);
      if (!constraint) {
        return error(fmt::format("'{}' is not a condition; write field=value or field=field",
                                 shown(token.text)));
      }
      alias.constraints.push_back(std::move(*constraint));
    }
    if (!parse_syntax(tokens.back().text, alias.syntax)) return;
    description_.aliases.push_back(std::move(alias));
  }

  // field=value, field=other or field=~other
  static std::optional<Constraint> parse_constraint(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !is_name(text.substr(0, equals))) return std::nullopt;
    Constraint constraint{std::string(text.substr(0, equals)), {}, {}, false};
    text.remove_prefix(equals + 1);
    constraint.value = parse_integer(text);
    if (constraint.value) return constraint;
    constraint.inverted = text.starts_with('~');
    if (constraint.inverted) text.remove_prefix(1);
    if (!is_name(text)) return std::nullopt;
    constraint.other = text;
    return constraint;
  }

  void parse_overlap(Tokens tokens) {
    const Tokens names = tokens.subspan(1);
    if (names.size() < 2 || !std::all_of(names.begin(), names.end(),
                                         [](const Token& token) { return is_name(token.text); })) {
      return error("expected: overlap first... second, two or more patterns' names");
    }
    for (const Token& first : names.first(names.size() - 1)) {
      description_.overlaps.push_back(
          {std::string(first.text), std::string(names.back().text), line_});
    }
  }

  bool parse_syntax(std::string_view text, std::string& out) {
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_printable)) {
      error("a syntax string is one or more printable ASCII characters");
      return false;
    }
    out = text;
    return true;
  }

  static std::string not_a_name(std::string_view text, std::string_view what) {
    return fmt::format("bad {} name '{}'; use lower-case letters, digits and _", what, shown(text));
  }

  std::string_view text_;
  int line_ = 0;
  Description description_;
  Diagnostics errors_;
};

}  // namespace

Result<Description, Diagnostics> parse(std::string_view text) {
  return Parser(text).run();
}

}  // namespace hardclock::decodegen
