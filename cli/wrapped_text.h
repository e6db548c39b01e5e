// Paragraphs for a terminal or a projector.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hardclock {

inline constexpr std::size_t text_columns = 80;

// `label`, then the words of `text` from column `indent` on, or after the label in the first line
// if that is longer. Lines have at most text_columns; a word that does not fit stands alone. Ends
// with a newline.
std::string wrapped(std::string_view label, std::string_view text, std::size_t indent);

}  // namespace hardclock
