#include "syscalls/master/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/codegen/text.h"

namespace hardclock::mastergen {
namespace {

using codegen::blanks;
using codegen::parse_unsigned;

bool is_name_start(char c) {
  return codegen::is_lower(c) || codegen::is_upper(c) || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || codegen::is_digit(c);
}

// Text from the file for a message: in quotes, if there is any.
std::string shown(std::string_view text) {
  return text.empty() ? "the end of the line" : "'" + codegen::shown(text) + "'";
}

// One line of the file. The functions that read a piece return its value; if the piece is not
// there, they set error(), and everything after an error is void.
class LineParser {
 public:
  explicit LineParser(std::string_view line) : rest_(line) {}

  // Empty while there is none.
  const std::string& error() const { return error_; }
  bool failed() const { return !error_.empty(); }

  bool at_end() {
    skip_blanks();
    return rest_.empty() || rest_.front() == '#';
  }

  bool next_is(std::string_view token) {
    skip_blanks();
    return rest_.starts_with(token);
  }

  bool accept(std::string_view token) {
    if (!next_is(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token, std::string_view where) {
    if (!accept(token)) fail(fmt::format("expected '{}' {}, not {}", token, where, next_shown()));
  }

  // `word`, and not the beginning of a longer one.
  bool accept_word(std::string_view word) {
    if (!next_is(word)) return false;
    const std::string_view after = rest_.substr(word.size());
    if (!after.empty() && is_name_part(after.front())) return false;
    rest_ = after;
    return true;
  }

  void expect_end() {
    if (!at_end()) fail(fmt::format("{} is too much; end the line before it", next_shown()));
  }

  // A run of characters other than blanks.
  std::string_view word() {
    skip_blanks();
    return take(std::min(rest_.find_first_of(" \t\r\v\f#"), rest_.size()));
  }

  std::string name(std::string_view what) {
    skip_blanks();
    if (rest_.empty() || !is_name_start(rest_.front())) {
      fail(fmt::format("expected {}, not {}", what, next_shown()));
      return {};
    }
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_name_part);
    return std::string(take(static_cast<std::size_t>(end - rest_.begin())));
  }

  ValueKind kind() {
    if (accept("...")) return ValueKind::rest;
    if (accept("?")) return ValueKind::unknown;
    const std::string spelling = name("a kind");
    if (failed()) return ValueKind::none;
    const std::optional<ValueKind> kind = find_kind(spelling);
    if (!kind) {
      fail(fmt::format("'{}' is no kind; README.md, \"Kinds\", lists them", spelling));
    }
    return kind.value_or(ValueKind::none);
  }

  // The text up to the closing quote. The opening one has been read.
  std::string quoted() {
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) {
      fail("the note does not end; add a \"");
      return {};
    }
    std::string text(take(end));
    rest_.remove_prefix(1);
    if (!std::all_of(text.begin(), text.end(), codegen::is_printable)) {
      fail("the note has a character that is not printable ASCII");
    }
    return text;
  }

  void fail(std::string message) {
    if (!failed()) error_ = std::move(message);
    rest_ = {};
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }
  std::string_view take(std::size_t length) {
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return text;
  }
  std::string next_shown() const { return shown(rest_.substr(0, rest_.find_first_of(blanks))); }

  std::string_view rest_;
  std::string error_;
};

std::string spelled(const Parameter& parameter) {
  std::string text(kind_name(parameter.kind));
  if (!parameter.size.empty()) text += "(" + parameter.size + ")";
  if (!parameter.name.empty()) text += " " + parameter.name;
  return text;
}

std::string spelled_prototype(const Call& call) {
  std::string text = fmt::format("{} {}(", kind_name(call.result), call.name);
  for (const Parameter& parameter : call.parameters) {
    if (&parameter != call.parameters.data()) text += ", ";
    text += spelled(parameter);
  }
  text += ")";
  if (call.second_result) text += " + " + spelled(*call.second_result);
  return text;
}

Parameter parse_parameter(LineParser& line) {
  Parameter parameter;
  parameter.kind = line.kind();
  if (parameter.kind == ValueKind::in || parameter.kind == ValueKind::out) {
    line.expect("(", "and the parameter that holds the buffer's size");
    parameter.size = line.name("a parameter's name");
    line.expect(")", "after the size");
  }
  const bool is_anonymous = parameter.kind == ValueKind::pad || parameter.kind == ValueKind::rest ||
                            parameter.kind == ValueKind::unknown;
  if (!is_anonymous) parameter.name = line.name("a parameter's name");
  return parameter;
}

void parse_prototype(LineParser& line, Call& call) {
  line.expect("{", "before the prototype");
  call.result = line.kind();
  call.name = line.name("the call's name");
  line.expect("(", "after the call's name");
  if (!line.next_is(")")) {
    do {
      call.parameters.push_back(parse_parameter(line));
    } while (!line.failed() && line.accept(","));
  }
  line.expect(")", "after the parameters");
  if (line.accept("+")) {
    Parameter second;
    second.kind = line.kind();
    second.name = line.name("the second result's name");
    call.second_result = std::move(second);
  }
  call.handler = line.accept_word("as") ? line.name("the handler's name") : call.name;
  line.expect("}", "after the prototype");
  call.prototype = spelled_prototype(call);
}

void parse_id(LineParser& line, Call& call) {
  const std::string_view id = line.word();
  const std::size_t dot = id.find('.');
  const std::optional<unsigned> number = parse_unsigned(id.substr(0, dot));
  if (dot != std::string_view::npos) call.subcode = parse_unsigned(id.substr(dot + 1));
  if (!number || (dot != std::string_view::npos && !call.subcode)) {
    line.fail(
        fmt::format("a line begins with 'system', NUMBER or NUMBER.SUBCODE, not {}", shown(id)));
  }
  call.number = number.value_or(0);
}

void parse_state(LineParser& line, Call& call) {
  const std::string_view state = line.word();
  const std::optional<CallState> known = find_state(state);
  if (!known) {
    line.fail(fmt::format("the state is done, partial or missing, not {}", shown(state)));
  }
  call.state = known.value_or(CallState::missing);
}

Call parse_call(LineParser& line) {
  Call call;
  parse_id(line, call);
  parse_state(line, call);
  parse_prototype(line, call);
  if (line.accept("\"")) call.note = line.quoted();
  line.expect_end();
  return call;
}

void parse_system(LineParser& line, Table& table) {
  if (table.word_bits != 0) return line.fail("second system line; a file describes one system");
  table.system = line.name("the system's name");
  const std::optional<unsigned> bits = parse_unsigned(line.word());
  if (!bits || (*bits != 32 && *bits != 64)) {
    return line.fail("expected: system NAME BITS, where BITS of a pointer are 32 or 64");
  }
  table.word_bits = *bits;
  line.expect_end();
}

void parse_line(LineParser& line, Table& table) {
  if (line.accept("system")) return parse_system(line, table);
  Call call = parse_call(line);
  if (!line.failed()) table.calls.push_back(std::move(call));
}

}  // namespace

Result<Table, Diagnostics> parse(std::string_view text) {
  Table table;
  Diagnostics errors;
  int number = 0;
  for (const std::string_view line_text : codegen::split_lines(text)) {
    ++number;
    LineParser line(line_text);
    if (line.at_end()) continue;
    const std::size_t before = table.calls.size();
    parse_line(line, table);
    if (line.failed()) errors.push_back({number, line.error()});
    if (table.calls.size() > before) table.calls.back().line = number;
  }
  if (table.word_bits == 0 && errors.empty()) {
    errors.push_back({1, "no system line; begin the file with: system NAME BITS"});
  }
  if (!errors.empty()) return Failure{std::move(errors)};
  return table;
}

}  // namespace hardclock::mastergen
