#include "tests/cli/profile_files.h"

#include <sstream>

namespace hardclock::cli_test {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t size, bool little) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t index = little ? at + size - 1 - i : at + i;
    value = value << 8 | static_cast<unsigned char>(bytes.at(index));
  }
  return value;
}

}  // namespace

Counts MonOut::by_address() const {
  Counts counts;
  const std::uint32_t bytes_each =
      counters.empty() ? 0 : (high - low) / static_cast<std::uint32_t>(counters.size());
  for (std::uint32_t i = 0; i < counters.size(); ++i) {
    if (counters[i] != 0) counts[low + bytes_each * i] = counters[i];
  }
  return counts;
}

MonOut parse_mon_out(const std::string& bytes, bool little_endian) {
  constexpr std::size_t header_size = 12;
  MonOut mon;
  if (bytes.size() < header_size) return mon;
  mon.low = number_at(bytes, 0, 4, little_endian);
  mon.high = number_at(bytes, 4, 4, little_endian);
  for (std::size_t at = header_size; at + 1 < bytes.size(); at += 2) {
    mon.counters.push_back(static_cast<std::uint16_t>(number_at(bytes, at, 2, little_endian)));
  }
  return mon;
}

Counts counts_of(const nlohmann::json& process, const char* kind) {
  Counts counts;
  for (const auto& [address, count] : process.at(kind).items()) {
    counts[static_cast<std::uint32_t>(std::stoul(address, nullptr, 16))] =
        count.get<std::uint64_t>();
  }
  return counts;
}

std::uint64_t sum(const Counts& counts) {
  std::uint64_t all = 0;
  for (const auto& [address, count] : counts) all += count;
  return all;
}

std::uint64_t sum(const Counts& counts, std::uint32_t low, std::uint32_t high) {
  std::uint64_t all = 0;
  for (auto at = counts.lower_bound(low); at != counts.end() && at->first < high; ++at) {
    all += at->second;
  }
  return all;
}

std::map<std::string, std::uint32_t> parse_nm(const std::string& output) {
  std::map<std::string, std::uint32_t> symbols;
  std::istringstream words(output);
  std::string address, type, name;
  while (words >> address >> type >> name) {
    symbols[name] = static_cast<std::uint32_t>(std::stoul(address, nullptr, 16));
  }
  return symbols;
}

}  // namespace hardclock::cli_test
