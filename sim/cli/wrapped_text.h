// Paragraphs for a terminal or a projector.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hardclock {

inline constexpr std::size_t kTextColumns = 80;

// `label`, then the words of `text`, from column `indent` on; in the first line behind the label,
// if that is longer. Lines have at most kTextColumns; a word that does not fit stands alone. Ends
// with a newline.
std::string wrapped(std::string_view label, std::string_view text, std::size_t indent);

}  // namespace hardclock
