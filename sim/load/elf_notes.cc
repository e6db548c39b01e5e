#include "sim/load/elf_notes.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

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
