// Text that a generator reads and writes. Characters are ASCII, whatever the locale.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock::codegen {

// The characters that separate words in an input file.
inline constexpr std::string_view blanks = " \t\r\v\f";

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

// The lines without their newlines, as views of `text`. The last one need not end with a newline.
std::vector<std::string_view> split_lines(std::string_view text);

// The number, if `text` is only decimal digits and at most `max`.
std::optional<unsigned> parse_unsigned(std::string_view text,
                                       unsigned max = std::numeric_limits<unsigned>::max());

// Text of an input file for a message: one line of at most 40 characters and "...", for any bytes.
std::string shown(std::string_view text);

std::string upper_case(std::string_view text);

// A C++ string literal. `text` is printable ASCII.
std::string string_literal(std::string_view text);

}  // namespace hardclock::codegen
