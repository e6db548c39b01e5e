#include "sim/load/elf_dynamic.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t most_names = 256;
constexpr std::uint64_t longest_name = 4096;  // PATH_MAX of Linux, the longest
constexpr std::uint64_t most_of_section = std::uint64_t{64} << 10;  // bytes

struct Entry {
  std::uint64_t tag = 0;
  std::uint64_t value = 0;
};

std::vector<Entry> read_entries(Bytes section, Endian endian, unsigned address_bits) {
  const std::size_t word = address_bits / 8;
  const auto read = [&](std::size_t at) -> std::uint64_t {
    if (word == 8) return load_bytes<std::uint64_t>(&section[at], endian);
    return load_bytes<std::uint32_t>(&section[at], endian);
  };
  std::vector<Entry> entries;
  for (std::size_t at = 0; at + 2 * word <= section.size(); at += 2 * word) {
    entries.push_back({read(at), read(at + word)});
    if (entries.back().tag == DT_NULL) break;
  }
  return entries;
}

std::optional<std::uint64_t> value_of(const std::vector<Entry>& entries, std::uint64_t tag) {
  const auto found = std::ranges::find(entries, tag, &Entry::tag);
  if (found == entries.end()) return std::nullopt;
  return found->value;
}

// Bytes of the file.
struct Place {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// The bytes from a virtual address to the end of its segment.
Place place_of(const std::vector<GElf_Phdr>& headers, const FileWindow& file,
               std::uint64_t address) {
  for (const GElf_Phdr& header : headers) {
    if (header.p_type != PT_LOAD || address < header.p_vaddr) continue;
    const std::uint64_t offset = address - header.p_vaddr;
    if (offset >= header.p_filesz) continue;
    if (!file.has(header.p_offset, header.p_filesz)) return {};
    return {header.p_offset + offset, header.p_filesz - offset};
  }
  return {};
}

// Empty if there is no such string.
std::string string_at(FileWindow& file, const Place& strings, std::uint64_t offset) {
  if (offset >= strings.size) return {};
  const std::uint64_t size = std::min(strings.size - offset, longest_name);
  const Bytes rest = file.part(strings.offset + offset, size).value_or(Bytes());
  const auto end = std::ranges::find(rest, std::uint8_t{0});
  return end == rest.end() ? std::string() : std::string(rest.begin(), end);
}

}  // namespace

ElfDynamic read_elf_dynamic(const std::vector<GElf_Phdr>& headers, FileWindow& file, Endian endian,
                            unsigned address_bits) {
  ElfDynamic dynamic;
  const auto header = std::ranges::find(headers, GElf_Word{PT_DYNAMIC}, &GElf_Phdr::p_type);
  if (header == headers.end()) return dynamic;
  const auto section =
      file.part(header->p_offset, std::min<std::uint64_t>(header->p_filesz, most_of_section));
  const auto entries = read_entries(section.value_or(Bytes()), endian, address_bits);
  const auto table = value_of(entries, DT_STRTAB);
  if (!table) return dynamic;
  const Place strings = place_of(headers, file, *table);
  for (const Entry& entry : entries) {
    if (entry.tag != DT_NEEDED || dynamic.needed.size() == most_names) continue;
    std::string name = string_at(file, strings, entry.value);
    if (!name.empty()) dynamic.needed.push_back(std::move(name));
  }
  if (const auto name = value_of(entries, DT_SONAME))
    dynamic.name = string_at(file, strings, *name);
  auto path = value_of(entries, DT_RUNPATH);
  if (!path) path = value_of(entries, DT_RPATH);
  if (path) dynamic.path = string_at(file, strings, *path);
  return dynamic;
}

}  // namespace hardclock
