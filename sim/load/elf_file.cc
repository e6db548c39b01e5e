#include "sim/load/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Kind = LoadError::Kind;

template <class... Args>
LoadError error(Kind kind, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...)};
}

Endian byte_order(std::uint8_t ei_data) {
  return ei_data == ELFDATA2MSB ? Endian::big : Endian::little;
}

std::optional<LoadError> check_identification(FileWindow& file) {
  const Bytes bytes =
      file.part(0, std::min<std::uint64_t>(file.size(), sizeof(Elf64_Ehdr))).value_or(Bytes());
  if (!is_elf(bytes)) return error(Kind::not_executable, "file offset 0: no ELF magic number");
  if (bytes.size() < EI_NIDENT) {
    return error(Kind::truncated, "ELF header: the file ends after {} bytes", bytes.size());
  }
  const unsigned elf_class = bytes[EI_CLASS];
  if (elf_class != ELFCLASS32 && elf_class != ELFCLASS64) {
    return error(Kind::malformed, "ELF header: class {} (EI_CLASS) is neither 1 (32-bit) nor 2",
                 elf_class);
  }
  const unsigned data = bytes[EI_DATA];
  if (data != ELFDATA2LSB && data != ELFDATA2MSB) {
    return error(Kind::malformed,
                 "ELF header: byte order {} (EI_DATA) is neither 1 (little) nor 2 (big)", data);
  }
  if (bytes[EI_VERSION] != EV_CURRENT) {
    return error(Kind::malformed, "ELF header: version {} (EI_VERSION) is not 1",
                 bytes[EI_VERSION]);
  }
  const std::size_t size = elf_class == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  if (bytes.size() < size) {
    return error(Kind::truncated, "ELF header: {} bytes, but the file ends after {}", size,
                 bytes.size());
  }
  return std::nullopt;
}

// libelf refuses a file whose section table is corrupt, though a program needs none to run: such a
// table is removed from the header.
template <class Header, class SectionHeader>
void drop_corrupt_section_table(FileWindow& window, Endian order) {
  using Offset = decltype(Header::e_shoff);
  const std::span<char> file = window.memory();
  char* offset_field = file.data() + offsetof(Header, e_shoff);
  char* count_field = file.data() + offsetof(Header, e_shnum);
  const auto offset = load_bytes<Offset>(offset_field, order);
  const auto count = load_bytes<std::uint16_t>(count_field, order);
  const auto entry_size =
      load_bytes<std::uint16_t>(file.data() + offsetof(Header, e_shentsize), order);
  const std::uint64_t size = std::uint64_t{count} * sizeof(SectionHeader);
  const bool sound = count != 0 && entry_size == sizeof(SectionHeader) && offset != 0 &&
                     window.part(offset, size).has_value();
  if (sound) return;
  store_bytes(offset_field, Offset{0}, order);
  store_bytes(count_field, std::uint16_t{0}, order);
  store_bytes(file.data() + offsetof(Header, e_shstrndx), std::uint16_t{SHN_UNDEF}, order);
}

std::span<char> memory_for_libelf(FileWindow& file) {
  const std::span<char> memory = file.memory();
  const Endian order = byte_order(static_cast<std::uint8_t>(memory[EI_DATA]));
  if (memory[EI_CLASS] == ELFCLASS64) {
    drop_corrupt_section_table<Elf64_Ehdr, Elf64_Shdr>(file, order);
  } else {
    drop_corrupt_section_table<Elf32_Ehdr, Elf32_Shdr>(file, order);
  }
  return memory;
}

}  // namespace

bool is_elf(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

Endian byte_order(const GElf_Ehdr& header) {
  return byte_order(header.e_ident[EI_DATA]);
}

Result<ElfFile, LoadError> open_elf(FileWindow& file) {
  if (auto bad = check_identification(file)) return Failure{*bad};
  elf_version(EV_CURRENT);
  const std::span<char> memory = memory_for_libelf(file);
  ElfFile opened{std::unique_ptr<Elf, ElfEnd>(elf_memory(memory.data(), memory.size())), {}};
  if (opened.elf == nullptr || gelf_getehdr(opened.elf.get(), &opened.header) == nullptr) {
    return Failure{error(Kind::malformed, "ELF header: {}", elf_errmsg(-1))};
  }
  return opened;
}

}  // namespace hardclock
