#include "cli/wrapped_text.h"

#include <algorithm>

namespace hardclock {

std::string wrapped(std::string_view label, std::string_view text, std::size_t indent) {
  std::string lines(label);
  std::size_t column = label.size();
  bool is_first = true;  // of its line
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!is_first && column + 1 + word.size() > text_columns) {
      lines += '\n';
      column = 0;
      is_first = true;
    }
    const std::size_t gap = is_first && column < indent ? indent - column : 1;
    lines.append(gap, ' ');
    lines += word;
    column += gap + word.size();
    is_first = false;
  }
  return lines + "\n";
}

}  // namespace hardclock
