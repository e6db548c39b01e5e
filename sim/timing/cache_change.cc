#include "sim/timing/cache_change.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace hardclock {
namespace {

constexpr std::array<std::string_view, 5> levels = {"l1", "l1i", "l1d", "l2", "l3"};
constexpr std::uint64_t kibi = 1024, mebi = kibi * kibi;
constexpr std::uint64_t largest = mebi * kibi;

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last || number < 1 || number > largest) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::uint64_t unit = 1;
  if (text.ends_with('k') || text.ends_with('K')) unit = kibi;
  if (text.ends_with('m') || text.ends_with('M')) unit = mebi;
  if (unit != 1) text.remove_suffix(1);
  const auto number = parse_number(text);
  if (!number || *number > largest / unit) return std::nullopt;
  return *number * unit;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes % mebi == 0) return std::to_string(bytes / mebi) + "m";
  if (bytes % kibi == 0) return std::to_string(bytes / kibi) + "k";
  return std::to_string(bytes);
}

}  // namespace

std::optional<CacheChange> parse_cache_change(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view level = text.substr(0, equals);
  if (std::ranges::find(levels, level) == levels.end()) return std::nullopt;
  text.remove_prefix(equals + 1);
  const std::size_t first = text.find(',');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = text.find(',', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto size = parse_bytes(text.substr(0, first));
  const auto line = parse_bytes(text.substr(first + 1, second - first - 1));
  const auto ways = parse_number(text.substr(second + 1));
  if (!size || !line || !ways) return std::nullopt;
  return CacheChange{std::string(level), *size, static_cast<std::uint32_t>(*line),
                     static_cast<std::uint32_t>(*ways)};
}

std::string to_text(const CacheChange& change) {
  return change.level + "=" + bytes_text(change.size) + "," + std::to_string(change.line) + "," +
         std::to_string(change.ways);
}

}  // namespace hardclock
