#include "sim/load/elf_segments.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

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

namespace {

constexpr std::size_t note_header_bytes = 12;
constexpr std::uint64_t most_notes = std::uint64_t{64} << 10;  // bytes
constexpr std::string_view gnu_name("GNU\0", 4);

std::uint32_t word(Bytes bytes, std::size_t at, Endian endian) {
  return load_bytes<std::uint32_t>(&bytes[at], endian);
}

std::uint64_t padded(std::uint64_t size) {
  return (size + 3) & ~std::uint64_t{3};
}

bool is_linux_tag(std::uint32_t type, Bytes name, Bytes content, Endian endian) {
  return type == NT_GNU_ABI_TAG && std::ranges::equal(name, gnu_name) && content.size() >= 4 &&
         word(content, 0, endian) == ELF_NOTE_OS_LINUX;
}

bool segment_has_tag(Bytes notes, Endian endian) {
  while (notes.size() >= note_header_bytes) {
    const std::uint64_t name_size = word(notes, 0, endian);
    const std::uint64_t content_size = word(notes, 4, endian);
    const std::uint32_t type = word(notes, 8, endian);
    notes = notes.subspan(note_header_bytes);
    const std::uint64_t content_at = padded(name_size);
    if (content_at > notes.size() || content_size > notes.size() - content_at) return false;
    if (is_linux_tag(type, notes.first(name_size), notes.subspan(content_at, content_size),
                     endian)) {
      return true;
    }
    notes = notes.subspan(std::min<std::uint64_t>(content_at + padded(content_size), notes.size()));
  }
  return false;
}

// libelf finds the names in the parts of the file that the window has read.
bool read_section_names(Elf* elf, FileWindow& file, std::size_t section) {
  GElf_Shdr header;
  return gelf_getshdr(elf_getscn(elf, section), &header) != nullptr &&
         file.part(header.sh_offset, header.sh_size).has_value();
}

bool has_gnu_section(Elf* elf, FileWindow& file) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0 || !read_section_names(elf, file, names)) return false;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return false;
    const char* const name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr) continue;
    if (std::string_view(name) == ".gnu.attributes" || std::string_view(name) == ".MIPS.abiflags") {
      return true;
    }
  }
  return false;
}

}  // namespace

bool has_linux_abi_tag(const std::vector<GElf_Phdr>& headers, FileWindow& file, Endian endian) {
  return std::ranges::any_of(headers, [&](const GElf_Phdr& header) {
    if (header.p_type != PT_NOTE || header.p_filesz > most_notes) return false;
    return segment_has_tag(file.part(header.p_offset, header.p_filesz).value_or(Bytes()), endian);
  });
}

bool is_of_gnu_tools(Elf* elf, FileWindow& file, const std::vector<GElf_Phdr>& headers,
                     std::uint32_t flags) {
  constexpr std::array gnu_segments = {GElf_Word{PT_GNU_STACK}, GElf_Word{PT_GNU_RELRO},
                                       GElf_Word{PT_MIPS_ABIFLAGS}};
  const auto is_gnu = [&](const GElf_Phdr& header) {
    return std::ranges::find(gnu_segments, header.p_type) != gnu_segments.end();
  };
  if (std::ranges::any_of(headers, is_gnu) || has_gnu_section(elf, file)) return true;
  constexpr std::uint32_t abi_field = 0xf000, o32 = 0x1000;  // EF_MIPS_ABI
  constexpr std::uint64_t irix_data = 0x10000000;
  const auto is_irix_data = [](const GElf_Phdr& header) {
    return header.p_type == PT_LOAD && header.p_vaddr == irix_data;
  };
  return (flags & abi_field) == o32 && !std::ranges::any_of(headers, is_irix_data);
}

}  // namespace hardclock
