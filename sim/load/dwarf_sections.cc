#include "sim/load/dwarf_sections.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace hardclock {
namespace {

constexpr std::uint64_t most_decompressed = std::uint64_t{256} << 20;  // bytes, all sections
constexpr std::array<std::string_view, 6> wanted = {".debug_abbrev", ".debug_info",
                                                    ".debug_line",   ".debug_line_str",
                                                    ".debug_str",    ".debug_str_offsets"};

// As much as is in the file.
bool load(FileWindow& file, std::uint64_t offset, std::uint64_t size) {
  while (size != 0) {
    const std::uint64_t part = std::min(size, FileWindow::largest_part);
    if (!file.part(offset, part)) return false;
    offset += part;
    size -= part;
  }
  return true;
}

class Sections {
 public:
  Sections(const ElfFile& elf, FileWindow& file) : elf_(elf.elf.get()), file_(file) {
    GElf_Shdr names;
    if (elf_getshdrstrndx(elf_, &names_) != 0 ||
        gelf_getshdr(elf_getscn(elf_, names_), &names) == nullptr || names.sh_type != SHT_STRTAB ||
        (names.sh_flags & SHF_COMPRESSED) != 0 || !load(file_, names.sh_offset, names.sh_size)) {
      names_ = SHN_UNDEF;
    }
  }

  // Calls visit(section, its header, its name) for each that has bytes in the file.
  template <class Visit>
  void for_each(Visit visit) const {
    if (names_ == SHN_UNDEF) return;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_, section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
      const char* const name = elf_strptr(elf_, names_, header.sh_name);
      if (name != nullptr) visit(section, header, std::string_view(name));
    }
  }

  // Null: there is none of that name.
  Elf_Scn* find(std::string_view name) const {
    Elf_Scn* found = nullptr;
    for_each([&](Elf_Scn* section, const GElf_Shdr&, std::string_view its_name) {
      if (found == nullptr && its_name == name) found = section;
    });
    return found;
  }

  // What all compressed sections promise, for libdw unpacks them all; nullopt: one is
  // corrupt, or not of zlib.
  std::optional<std::uint64_t> decompressed_bytes() const {
    std::uint64_t total = 0;
    bool is_sound = true;
    for_each([&](Elf_Scn* section, const GElf_Shdr& header, std::string_view) {
      if ((header.sh_flags & SHF_COMPRESSED) == 0) return;
      GElf_Chdr compression;
      is_sound = is_sound && load(file_, header.sh_offset, header.sh_size) &&
                 gelf_getchdr(section, &compression) != nullptr &&
                 compression.ch_type == ELFCOMPRESS_ZLIB;
      if (is_sound) total += std::min(compression.ch_size, most_decompressed + 1);
    });
    return is_sound ? std::optional(total) : std::nullopt;
  }

  // The bytes of a section, decompressed; empty: there is none, or it is corrupt.
  std::span<std::uint8_t> unpack(std::string_view name) const {
    Elf_Scn* const section = find(name);
    GElf_Shdr header;
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return {};
    if (!load(file_, header.sh_offset, header.sh_size)) return {};
    if ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress(section, 0, 0) < 0) return {};
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<std::uint8_t*>(data->d_buf), data->d_size};
  }

 private:
  Elf* elf_;
  FileWindow& file_;
  std::size_t names_ = SHN_UNDEF;
};

// In hardclock's copy of the file. Each of many files may have the longest string in its path.
void cut_strings(std::span<std::uint8_t> strings) {
  std::size_t length = 0;
  for (std::uint8_t& byte : strings) {
    length = byte == 0 ? 0 : length + 1;
    if (length <= longest_source_path) continue;
    byte = 0;
    length = 0;
  }
}

std::string in_another_form(std::string_view what, std::string_view next) {
  return fmt::format("its debug information {}, which hardclock does not read; {}", what, next);
}

}  // namespace

bool has_section(const ElfFile& elf, FileWindow& file, std::string_view name) {
  return Sections(elf, file).find(name) != nullptr;
}

Result<DwarfSections, std::string> prepare_dwarf_sections(const ElfFile& elf, FileWindow& file) {
  const Sections sections(elf, file);
  // libdw would open what these name, or unpack it unasked.
  if (sections.find(".gnu_debugaltlink") != nullptr) {
    return Failure{in_another_form("goes on in another file (.gnu_debugaltlink)",
                                   "name the program as it was before dwz")};
  }
  bool is_old_form = false;
  sections.for_each([&](Elf_Scn*, const GElf_Shdr&, std::string_view name) {
    is_old_form = is_old_form || name.find(".zdebug") != name.npos;
  });
  if (is_old_form) {
    return Failure{in_another_form("is compressed in GNU's old form (.zdebug)",
                                   "objcopy --decompress-debug-sections unpacks it")};
  }
  const auto decompressed = sections.decompressed_bytes();
  if (!decompressed) {
    return Failure{in_another_form("is compressed, but not by zlib, or not soundly",
                                   "objcopy --decompress-debug-sections unpacks it")};
  }
  if (*decompressed > most_decompressed) {
    return Failure{
        fmt::format("its compressed sections promise more than {} MiB; is that file sound? objcopy "
                    "--decompress-debug-sections unpacks it",
                    most_decompressed >> 20)};
  }
  for (const std::string_view name : wanted) sections.unpack(name);
  cut_strings(sections.unpack(".debug_str"));
  cut_strings(sections.unpack(".debug_line_str"));
  return DwarfSections{.line = sections.unpack(".debug_line"),
                       .info = sections.unpack(".debug_info"),
                       .abbreviations = sections.unpack(".debug_abbrev")};
}

}  // namespace hardclock
