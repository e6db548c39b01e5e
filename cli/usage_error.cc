#include "cli/usage_error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace hardclock {
namespace {

// Optimal string alignment distance: edits of one letter, and swaps of two neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::array<char, 17> digits = {"0123456789abcdef"};
  std::string line;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      line += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      line += c;
    }
  }
  if (text.size() > most) line += "...";
  return line;
}

std::string printable_path(std::string_view path, std::size_t most) {
  if (path.size() <= most) return printable(path, most);
  return "..." + printable(path.substr(path.size() - most), most);
}

std::string_view closest_name(std::string_view wrong, std::span<const std::string_view> names) {
  constexpr std::size_t longest_name = 64;  // nobody mistypes that much; bounds the work
  if (wrong.size() > longest_name) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace hardclock
