#include "sim/report/viewers/text.h"

#include <cstddef>
#include <cstdint>

namespace hardclock::report {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::string_view ellipsis = "\xe2\x80\xa6";     // U+2026

// The length of the UTF-8 sequence at the front of `bytes`, and its character; 0: there is none.
// Unicode 15, table 3-7: shortest forms only, no surrogates.
std::size_t decode(std::string_view bytes, std::uint32_t& character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    character = first;
    return 1;
  }
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xc2 || first > 0xf4 || bytes.size() < length) return 0;
  character = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3fU);
  }
  const bool is_surrogate = character >= 0xd800 && character < 0xe000;
  return character < least[length] || character > 0x10ffff || is_surrogate ? 0 : length;
}

bool is_shown(std::uint32_t character) {
  const auto within = [&](std::uint32_t low, std::uint32_t high) {
    return character >= low && character <= high;
  };
  return character >= 0x20 && !within(0x7f, 0x9f) && !within(0x200e, 0x200f) &&
         !within(0x2028, 0x202e) && !within(0x2066, 0x2069) && !within(0xfffe, 0xffff);
}

// Calls visit(piece) for each character as it may be shown.
template <class Visit>
void for_each_character(std::string_view bytes, Visit visit) {
  while (!bytes.empty()) {
    std::uint32_t character = 0;
    const std::size_t length = decode(bytes, character);
    if (length == 0) {
      visit(replacement);
    } else {
      visit(is_shown(character) ? bytes.substr(0, length) : std::string_view("?"));
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
}

}  // namespace

std::string plain_text(std::string_view bytes) {
  std::string text;
  for_each_character(bytes, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string json_text(std::string_view bytes) {
  std::string text = "\"";
  for_each_character(bytes, [&](std::string_view piece) {
    if (piece == "\"" || piece == "\\") text += '\\';
    text += piece;
  });
  return text + '"';
}

std::string csv_cell(std::string text) {
  constexpr std::string_view computed = "=+-@";
  if (!text.empty() && computed.find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

std::string markup_text(std::string_view bytes) {
  std::string text;
  for_each_character(bytes, [&](std::string_view piece) {
    if (piece == "&") {
      text += "&amp;";
    } else if (piece == "<") {
      text += "&lt;";
    } else if (piece == ">") {
      text += "&gt;";
    } else if (piece == "\"") {
      text += "&quot;";
    } else if (piece == "'") {
      text += "&#39;";
    } else {
      text += piece;
    }
  });
  return text;
}

std::string shortened(std::string_view bytes, std::size_t most) {
  std::string text;
  std::size_t length = 0;
  std::size_t cut = 0;  // bytes before the last character that may stay
  for_each_character(bytes, [&](std::string_view piece) {
    if (length < most) text += piece;
    length += 1;
    if (length + 1 == most) cut = text.size();
  });
  if (length <= most) return text;
  text.resize(cut);
  return text + std::string(ellipsis);
}

}  // namespace hardclock::report
