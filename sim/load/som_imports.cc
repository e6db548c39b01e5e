#include "sim/load/som_imports.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "sim/load/function_candidates.h"
#include "sim/load/som.h"
#include "sim/load/som_file.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t loader_header_size = 112, import_size = 8, export_size = 20;
constexpr std::uint32_t loader_versions[] = {93092112, 89060912};
constexpr std::uint32_t no_name = 0xffffffff;

// $SHLIB_INFO$ in a segment, from the dynamic loader header on.
std::optional<Bytes> loader_data(const SomFile& file, const Segment& text) {
  const auto subspace = file.subspace("$SHLIB_INFO$");
  const std::uint64_t place = subspace ? subspace->address : text.address.value();
  if (place < text.address.value()) return std::nullopt;
  const std::uint64_t at = place - text.address.value();
  if (at > text.bytes.size() || text.bytes.size() - at < loader_header_size) return std::nullopt;
  const Bytes data = Bytes(text.bytes).subspan(at);
  const bool is_known = std::ranges::count(loader_versions, som_word(data, 0)) != 0;
  return is_known ? std::optional(data) : std::nullopt;
}

// A table of records, or nothing where it does not lie in the data.
Bytes records(Bytes data, std::uint64_t place_at, std::uint64_t count_at, std::uint64_t size) {
  const std::uint64_t place = som_word(data, place_at);
  const std::uint64_t bytes = som_word(data, count_at) * size;
  if (place > data.size() || bytes > data.size() - place) return {};
  return data.subspan(place, bytes);
}

std::string_view names_of(Bytes data) {
  const Bytes names = records(data, 40, 44, 1);
  return {reinterpret_cast<const char*>(names.data()), names.size()};
}

bool is_printable(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

std::set<std::string_view> exports_of(Bytes data) {
  std::set<std::string_view> names;
  const Bytes exports = records(data, 32, 36, export_size);
  for (std::uint64_t at = 0; at < exports.size(); at += export_size) {
    names.insert(string_at(names_of(data), som_word(exports, at + 4)));
  }
  return names;
}

}  // namespace

std::vector<std::string> read_som_imports(FileWindow& window) {
  const auto image = load_som_library(window, {.symbols = false});
  const auto front = window.part(0, SomFile::header_size);
  if (!image || !front) return {};
  const SomFile file(window, *front);
  std::vector<std::string> found;
  for (const Segment& segment : image->segments) {
    const auto data = loader_data(file, segment);
    if (!data) continue;
    std::set<std::string_view> seen = exports_of(*data);
    const Bytes imports = records(*data, 16, 20, import_size);
    for (std::uint64_t at = 0; at < imports.size(); at += import_size) {
      const std::uint32_t place = som_word(imports, at);
      const std::string_view name = string_at(names_of(*data), place);
      if (place == no_name || !is_printable(name) || !seen.insert(name).second) continue;
      found.emplace_back(name);
    }
  }
  return found;
}

}  // namespace hardclock
