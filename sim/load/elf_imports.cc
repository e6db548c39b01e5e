#include "sim/load/elf_imports.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "sim/load/elf_file.h"

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

}  // namespace hardclock
