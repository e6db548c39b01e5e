// The notations of option values. Each function reads the whole text; nullopt means that the text
// does not have that form or is out of range, and the caller says what it should have been.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace hardclock {

// Decimal digits only.
std::optional<std::uint64_t> parse_whole_number(std::string_view text, std::uint64_t least,
                                                std::uint64_t most);

// A count: decimal digits and perhaps K, M or G (or k, m, g), which stand for 10^3, 10^6 and 10^9,
// or an exponent like e6.
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t least);

// A number as C writes it: 0x and hexadecimal digits, 0 and octal digits, or decimal digits.
std::optional<std::uint64_t> parse_c_number(std::string_view text, std::uint64_t most);

// Bytes: decimal digits and perhaps K, M or G (or k, m, g), which count in steps of 1024.
std::optional<std::uint64_t> parse_size(std::string_view text, std::uint64_t least,
                                        std::uint64_t most);

// Rates from 1 to `highest` and ranges of them: "60", "90-110", "100-1000/50,64". Ascending, each
// once; when there are more than `most`, only so many that this can be seen.
std::optional<std::vector<Hertz>> parse_rates(std::string_view text, std::uint64_t highest,
                                              std::size_t most);

// Megahertz with up to six decimals, perhaps with the unit: "33", "33.33", "180MHz". 1 Hz to 10
// GHz.
std::optional<Hertz> parse_megahertz(std::string_view text);

// Seconds above 0, up to 10^9, with up to six decimals: "30", "0.5".
std::optional<std::chrono::microseconds> parse_seconds(std::string_view text);

// The pieces between the separators: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);

// DIR[:DIR]..., none of them empty.
std::optional<std::vector<std::string>> parse_directories(std::string_view text);

// Hexadecimal digits, perhaps after 0x.
std::optional<GuestAddr> parse_address(std::string_view text);

// Seconds since 1970, or YYYY-MM-DD, or YYYY-MM-DDTHH:MM:SS perhaps with Z; UTC. From 1970 to the
// last second of a 32-bit time_t.
std::optional<std::chrono::sys_seconds> parse_time_of_day(std::string_view text);

// Whether a file's name asks for something else than the text that goes to it: "p.svg", or "json",
// by somebody who expects a format there.
bool asks_for_other_than_text(std::string_view file);

}  // namespace hardclock
