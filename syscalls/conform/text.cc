#include "syscalls/conform/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hardclock::conform {
namespace {

struct Character {
  unsigned code;
  std::size_t bytes;
};

// The first character of the UTF-8 text, if it is a control character, ends a line or may not be in
// an XML or YAML document.
std::optional<Character> unfit_character(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return Character{byte(0), 1};
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return Character{byte(1), 2};
  if (text.starts_with("\xe2\x80\xa8")) return Character{0x2028, 3};
  if (text.starts_with("\xe2\x80\xa9")) return Character{0x2029, 3};
  if (text.starts_with("\xef\xbf\xbe")) return Character{0xfffe, 3};
  if (text.starts_with("\xef\xbf\xbf")) return Character{0xffff, 3};
  return std::nullopt;
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  std::string out(text.substr(0, most));
  std::ranges::replace_if(
      out, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > most ? out + "..." : out;
}

std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto unfit = unfit_character(text);
    if (unfit) {
      out += fmt::format("\\u{:04x}", unfit->code);
      text.remove_prefix(unfit->bytes);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace hardclock::conform
