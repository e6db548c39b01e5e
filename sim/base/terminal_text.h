// Text as a terminal shows it: lines that fit its columns, and colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/terminal.h"

namespace hardclock {

enum class Tone : std::uint8_t {
  plain,
  heading,
  faint,  // what only helps to find one's way
  good,
  bad,
  hot,   // a large part of the whole
  warm,  // a part that counts
};

// The tone of a share of the whole, in percent: hot from 10 on, warm from 2 on.
Tone tone_of_share(double percent);

// `text` in its tone (ECMA-48, "select graphic rendition"), where the terminal has colours.
std::string toned(std::string_view text, Tone tone, const Terminal& terminal);

// The columns that a line of UTF-8 takes; a tab goes to the next multiple of eight, the sequences
// of toned() take none.
std::size_t columns_of(std::string_view line);

// `text` with its lines broken between words where they are wider than the terminal. The rest of a
// line stands under the beginning of its last column, which two spaces or more precede, if that
// begins in the left half; else two columns further in than the line. A longer word stands alone.
std::string fitted(std::string_view text, const Terminal& terminal);

// The beginning of a name, ended by "..", in at most `columns`, or the whole of it.
std::string cut_to(std::string_view name, std::size_t columns);

}  // namespace hardclock
