#include "sim/load/som_imports.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/load/load.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t loader_header_size = 112, import_size = 8, export_size = 20;
constexpr std::uint32_t loader_versions[] = {93092112, 89060912};
constexpr std::uint64_t import_type = 6;  // in a record
constexpr std::uint8_t st_null = 0;       // <som/symbols.h>, symbol types
constexpr std::uint32_t no_name = 0xffffffff;

std::uint32_t word_at(Bytes bytes, std::uint64_t offset) {
  return load_bytes<std::uint32_t>(bytes.data() + offset, Endian::big);
}

bool is_version(std::uint32_t word) {
  return std::ranges::count(loader_versions, word) != 0;
}

// $SHLIB_INFO$, from the dynamic loader header on: the first thing in the text but for the file's
// own header, which some link editors map with it.
std::optional<Bytes> loader_data(const Segment& text) {
  constexpr std::size_t within = 0x2000;
  const Bytes bytes(text.bytes);
  for (std::size_t at = 0; at < within && at + loader_header_size <= bytes.size(); at += 4) {
    if (is_version(word_at(bytes, at))) return bytes.subspan(at);
  }
  return std::nullopt;
}

// A table of records, or nothing where it does not lie in the data.
Bytes records(Bytes data, std::uint64_t place_at, std::uint64_t count_at, std::uint64_t size) {
  const std::uint64_t place = word_at(data, place_at);
  const std::uint64_t bytes = word_at(data, count_at) * size;
  if (place > data.size() || bytes > data.size() - place) return {};
  return data.subspan(place, bytes);
}

std::string_view names_of(Bytes data) {
  const Bytes names = records(data, 40, 44, 1);
  return {reinterpret_cast<const char*>(names.data()), names.size()};
}

std::string_view name_at(Bytes data, std::uint64_t place) {
  const std::string_view names = names_of(data);
  if (place >= names.size()) return {};
  const std::string_view rest = names.substr(place);
  return rest.substr(0, rest.find('\0'));
}

bool is_printable(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

std::set<std::string_view> exports_of(Bytes data) {
  std::set<std::string_view> names;
  const Bytes exports = records(data, 32, 36, export_size);
  for (std::uint64_t at = 0; at < exports.size(); at += export_size) {
    names.insert(name_at(data, word_at(exports, at + 4)));
  }
  return names;
}

}  // namespace

std::vector<std::string> read_som_imports(FileWindow& window) {
  const auto image = load_library(window, {.symbols = false});
  if (!image || image->format != FileFormat::som) return {};
  std::vector<std::string> found;
  for (const Segment& segment : image->segments) {
    const auto data = loader_data(segment);
    if (!data) continue;
    std::set<std::string_view> seen = exports_of(*data);
    const Bytes imports = records(*data, 16, 20, import_size);
    for (std::uint64_t at = 0; at < imports.size(); at += import_size) {
      // What HP's link editor writes of functions that no other file sees, ST_NULL, is no import.
      if (imports[at + import_type] == st_null) continue;
      const std::uint32_t place = word_at(imports, at);
      const std::string_view name = name_at(*data, place);
      if (place == no_name || !is_printable(name) || !seen.insert(name).second) continue;
      found.emplace_back(name);
    }
  }
  return found;
}

}  // namespace hardclock
