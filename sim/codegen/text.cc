#include "sim/codegen/text.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace hardclock::codegen {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

std::optional<unsigned> parse_unsigned(std::string_view text, unsigned max) {
  unsigned value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value > max) return std::nullopt;
  return value;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string out(text.substr(0, most));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !is_printable(c); }, '?');
  return text.size() > most ? out + "..." : out;
}

std::string upper_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; });
  return out;
}

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace hardclock::codegen
