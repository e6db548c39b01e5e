#include "syscalls/host/time_of_day.h"

#include <charconv>
#include <chrono>
#include <limits>
#include <optional>

namespace hardclock::host {
namespace {

constexpr std::int64_t last_epoch = std::numeric_limits<std::int32_t>::max();

// All of `digits` as a decimal number; nothing when there is any other character.
std::optional<std::int64_t> number(std::string_view digits) {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  if (digits.empty() || digits.front() == '-') return std::nullopt;
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Two digits at `position` of `text`, below `limit`.
std::optional<std::int64_t> two_digits(std::string_view text, std::size_t position,
                                       std::int64_t limit) {
  const auto value = number(text.substr(position, 2));
  return value && *value < limit ? value : std::nullopt;
}

std::optional<std::int64_t> seconds_of_day(std::string_view text) {
  if (text.empty()) return 0;
  if (text.size() != 9 || text[0] != 'T' || text[3] != ':' || text[6] != ':') return std::nullopt;
  const auto hour = two_digits(text, 1, 24);
  const auto minute = two_digits(text, 4, 60);
  const auto second = two_digits(text, 7, 60);
  if (!hour || !minute || !second) return std::nullopt;
  return (*hour * 60 + *minute) * 60 + *second;
}

std::optional<std::int64_t> calendar_seconds(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = number(text.substr(0, 4));
  const auto month = two_digits(text, 5, 13);
  const auto day = two_digits(text, 8, 32);
  const auto in_day = seconds_of_day(text.substr(10));
  if (!year || !month || !day || !in_day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return std::int64_t{days} * 86400 + *in_day;
}

}  // namespace

Result<TimeOfDay, std::string> TimeOfDay::parse(std::string_view text) {
  const auto seconds = text.starts_with('@') ? number(text.substr(1)) : calendar_seconds(text);
  if (!seconds) {
    return Failure{"time of day " + std::string(text) +
                   ": not a date; write YYYY-MM-DD, YYYY-MM-DDThh:mm:ss (UTC) or @SECONDS"};
  }
  if (*seconds < 0 || *seconds > last_epoch) {
    return Failure{"time of day " + std::string(text) +
                   ": not in a 32-bit time_t; choose 1970-01-01 to 2038-01-19T03:14:07"};
  }
  return TimeOfDay(*seconds);
}

GuestTime TimeOfDay::at(std::uint64_t nanoseconds) const {
  constexpr std::uint64_t second = 1'000'000'000;
  return {epoch_ + static_cast<std::int64_t>(nanoseconds / second),
          static_cast<std::uint32_t>(nanoseconds % second)};
}

}  // namespace hardclock::host
