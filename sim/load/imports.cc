#include "sim/load/imports.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/load/elf_file.h"
#include "sim/load/load.h"

namespace hardclock {
namespace {

Elf_Data* data_of(Elf_Scn* section, unsigned type, FileWindow& file) {
  GElf_Shdr header;
  if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return nullptr;
  if (header.sh_type != type || !file.part(header.sh_offset, header.sh_size)) return nullptr;
  return elf_getdata(section, nullptr);
}

std::string_view name_at(const Elf_Data& strings, std::size_t place) {
  if (strings.d_buf == nullptr || place >= strings.d_size) return {};
  const std::string_view rest(static_cast<const char*>(strings.d_buf) + place,
                              strings.d_size - place);
  return rest.substr(0, rest.find('\0'));
}

bool is_printable(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

std::vector<std::string> undefined_in(Elf_Data& symbols, const Elf_Data& strings) {
  std::vector<std::string> found;
  std::set<std::string_view> seen;
  GElf_Sym symbol;
  for (int i = 1; gelf_getsym(&symbols, i, &symbol) != nullptr; ++i) {
    if (symbol.st_shndx != SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    const std::string_view name = name_at(strings, symbol.st_name);
    if (is_printable(name) && seen.insert(name).second) found.emplace_back(name);
  }
  return found;
}

}  // namespace

std::vector<std::string> read_elf_imports(FileWindow& file) {
  const auto opened = open_elf(file);
  if (!opened) return {};
  Elf* const elf = opened->elf.get();
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* const symbols = data_of(section, SHT_DYNSYM, file);
    Elf_Data* const strings = data_of(elf_getscn(elf, header.sh_link), SHT_STRTAB, file);
    if (symbols != nullptr && strings != nullptr) return undefined_in(*symbols, *strings);
  }
  return {};
}

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
