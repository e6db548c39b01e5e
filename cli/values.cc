#include "cli/values.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <system_error>

namespace hardclock {
namespace {

std::optional<std::uint64_t> parse_digits(std::string_view text, int base) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

// `count` decimal digits at text[at].
std::optional<unsigned> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  const auto number = parse_digits(text.substr(at, count), 10);
  if (!number) return std::nullopt;
  return static_cast<unsigned>(*number);
}

std::optional<std::chrono::sys_days> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits_at(text, 0, 4);
  const auto month = digits_at(text, 5, 2);
  const auto day = digits_at(text, 8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

std::optional<std::chrono::seconds> parse_clock(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hour = digits_at(text, 0, 2);
  const auto minute = digits_at(text, 3, 2);
  const auto second = digits_at(text, 6, 2);
  if (!hour || !minute || !second) return std::nullopt;
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
}

// A number above 0 with up to six decimals, in millionths.
std::optional<std::uint64_t> parse_millionths(std::string_view text, std::uint64_t most) {
  constexpr std::size_t most_decimals = 6;
  constexpr std::uint64_t one = 1'000'000;
  const std::size_t point = text.find('.');
  const auto whole = parse_whole_number(text.substr(0, point), 0, most);
  if (!whole) return std::nullopt;
  std::uint64_t number = *whole * one;
  if (point != std::string_view::npos) {
    std::string decimals(text.substr(point + 1));
    if (decimals.empty() || decimals.size() > most_decimals) return std::nullopt;
    decimals.append(most_decimals - decimals.size(), '0');
    const auto fraction = parse_digits(decimals, 10);
    if (!fraction) return std::nullopt;
    number += *fraction;
  }
  if (number == 0 || number > most * one) return std::nullopt;
  return number;
}

// FROM, FROM-TO or FROM-TO/STEP.
struct RateRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t step = 1;
};

std::optional<RateRange> parse_rate_range(std::string_view text, std::uint64_t highest) {
  const std::size_t dash = text.find('-');
  const auto from = parse_whole_number(text.substr(0, dash), 1, highest);
  if (!from) return std::nullopt;
  if (dash == std::string_view::npos) return RateRange{*from, *from};
  text.remove_prefix(dash + 1);
  const std::size_t slash = text.find('/');
  const auto to = parse_whole_number(text.substr(0, slash), *from, highest);
  if (!to) return std::nullopt;
  if (slash == std::string_view::npos) return RateRange{*from, *to};
  const auto step = parse_whole_number(text.substr(slash + 1), 1, highest);
  if (!step) return std::nullopt;
  return RateRange{*from, *to, *step};
}

}  // namespace

std::optional<std::vector<Hertz>> parse_rates(std::string_view text, std::uint64_t highest,
                                              std::size_t most) {
  std::set<Hertz> rates;
  for (const std::string& piece : split(text, ',')) {
    const auto range = parse_rate_range(piece, highest);
    if (!range) return std::nullopt;
    for (std::uint64_t rate = range->from; rate <= range->to && rates.size() <= most;
         rate += range->step) {
      rates.insert(Hertz(rate));
    }
  }
  return std::vector<Hertz>(rates.begin(), rates.end());
}

std::optional<std::uint64_t> parse_whole_number(std::string_view text, std::uint64_t least,
                                                std::uint64_t most) {
  const auto number = parse_digits(text, 10);
  if (!number || *number < least || *number > most) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t least) {
  constexpr std::uint64_t highest_accepted = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t most_zeros = 19;  // 10^20 is more than highest_accepted
  constexpr std::string_view suffixes = "KkMmGg";
  std::uint64_t zeros = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    const auto exponent = parse_whole_number(text.substr(e + 1), 0, most_zeros);
    if (!exponent) return std::nullopt;
    zeros = *exponent;
    text = text.substr(0, e);
  } else if (!text.empty() && suffixes.find(text.back()) != std::string_view::npos) {
    zeros = 3 * (suffixes.find(text.back()) / 2 + 1);
    text.remove_suffix(1);
  }
  auto number = parse_whole_number(text, 0, highest_accepted);
  for (; number && zeros > 0; --zeros) {
    if (*number > highest_accepted / 10) return std::nullopt;
    *number *= 10;
  }
  if (!number || *number < least) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> parse_c_number(std::string_view text, std::uint64_t most) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  const auto number = parse_digits(text, base);
  if (!number || *number > most) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> parse_size(std::string_view text, std::uint64_t least,
                                        std::uint64_t most) {
  if (text.empty()) return std::nullopt;
  unsigned shift = 0;
  switch (text.back()) {
    case 'K':
    case 'k':
      shift = 10;
      break;
    case 'M':
    case 'm':
      shift = 20;
      break;
    case 'G':
    case 'g':
      shift = 30;
      break;
    default:
      break;
  }
  if (shift != 0) text.remove_suffix(1);
  const auto number =
      parse_whole_number(text, 0, std::numeric_limits<std::uint64_t>::max() >> shift);
  if (!number) return std::nullopt;
  const std::uint64_t bytes = *number << shift;
  if (bytes < least || bytes > most) return std::nullopt;
  return bytes;
}

std::optional<Hertz> parse_megahertz(std::string_view text) {
  constexpr std::uint64_t most_megahertz = 10'000;
  constexpr std::string_view unit = "MHz";
  if (text.ends_with(unit)) text.remove_suffix(unit.size());
  const auto hertz = parse_millionths(text, most_megahertz);
  return hertz ? std::optional(Hertz(*hertz)) : std::nullopt;
}

std::optional<std::chrono::microseconds> parse_seconds(std::string_view text) {
  constexpr std::uint64_t most_seconds = 1'000'000'000;
  const auto microseconds = parse_millionths(text, most_seconds);
  if (!microseconds) return std::nullopt;
  return std::chrono::microseconds(*microseconds);
}

std::optional<GuestAddr> parse_address(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  const auto number = parse_digits(text, 16);
  if (!number) return std::nullopt;
  return GuestAddr(*number);
}

std::optional<std::chrono::sys_seconds> parse_time_of_day(std::string_view text) {
  constexpr std::uint64_t last = std::numeric_limits<std::int32_t>::max();
  std::chrono::sys_seconds time;
  if (const auto seconds = parse_digits(text, 10)) {
    if (*seconds > last) return std::nullopt;
    time += std::chrono::seconds(*seconds);
  } else {
    const std::size_t date_end = std::min(text.find('T'), text.size());
    const auto date = parse_date(text.substr(0, date_end));
    if (!date) return std::nullopt;
    time = *date;
    if (date_end < text.size()) {
      const auto clock = parse_clock(text.substr(date_end + 1));
      if (!clock) return std::nullopt;
      time += *clock;
    }
  }
  const auto since_1970 = time.time_since_epoch().count();
  if (since_1970 < 0 || since_1970 > static_cast<std::int64_t>(last)) return std::nullopt;
  return time;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::vector<std::string>> parse_directories(std::string_view text) {
  auto directories = split(text, ':');
  if (std::ranges::count(directories, "") != 0) return std::nullopt;
  return directories;
}

bool asks_for_other_than_text(std::string_view file) {
  constexpr std::string_view others[] = {"csv", "html", "json", "svg", "xml"};
  return std::ranges::any_of(others, [&](std::string_view format) {
    if (!file.ends_with(format)) return false;
    return file.size() == format.size() || file[file.size() - format.size() - 1] == '.';
  });
}

}  // namespace hardclock
