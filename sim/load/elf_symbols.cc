#include "sim/load/elf_symbols.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/load/function_candidates.h"
#include "sim/load/mdebug_tables.h"

namespace hardclock {
namespace {

// A section of executable code, by its place in memory.
struct CodeSection {
  std::uint64_t start = 0;
  std::uint64_t size = 0;  // 0: the section has no code
};

// The link editors of IRIX and of GNU put these at the ends of the text; IRIX even calls them
// functions.
bool is_linker_mark(std::string_view name) {
  return name == "_ftext" || name == "etext" || name == "_etext";
}

Rank rank_of_function(unsigned binding, std::string_view name) {
  if (is_linker_mark(name)) return Rank::linker_mark;
  if (binding == STB_LOCAL) return Rank::local_function;
  return binding == STB_WEAK ? Rank::weak_function : Rank::global_function;
}

class SymbolReader {
 public:
  SymbolReader(Elf* elf, FileWindow& file, const std::vector<Segment>& segments,
               const ElfSymbolRules& rules)
      : elf_(elf), file_(file), segments_(segments), rules_(rules) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_, section)) != nullptr) {
      GElf_Shdr header;
      const std::size_t index = elf_ndxscn(section);
      code_sections_.resize(index + 1);
      if (gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0) {
        code_sections_[index] = {header.sh_addr, header.sh_size};
      }
    }
  }

  // The candidates of the first section of `type`, in the file's order.
  CandidateList read(unsigned type) const {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_, section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type) continue;
      Elf_Data* strings = data_of(elf_getscn(elf_, header.sh_link), SHT_STRTAB);
      Elf_Data* symbols = data_of(section, type);
      if (strings != nullptr && symbols != nullptr) return read(*symbols, *strings);
    }
    return {};
  }

  // The procedures of .mdebug, of the files of IRIX's o32.
  void read_mdebug(CandidateList& candidates) const {
    const auto offset = find_mdebug(elf_);
    if (!offset) return;
    if (const auto tables = read_mdebug_tables(file_, *offset, Endian::big)) {
      add_mdebug_procedures(*tables, segments_, candidates);
    }
  }

 private:
  Elf_Data* data_of(Elf_Scn* section, unsigned type) const {
    GElf_Shdr header;
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return nullptr;
    if (header.sh_type != type || (header.sh_flags & SHF_COMPRESSED) != 0) return nullptr;
    if (!file_.part(header.sh_offset, header.sh_size)) return nullptr;
    return elf_getdata(section, nullptr);
  }

  CandidateList read(Elf_Data& symbols, const Elf_Data& strings) const {
    CandidateList candidates;
    const std::string_view names(static_cast<const char*>(strings.d_buf),
                                 strings.d_buf == nullptr ? 0 : strings.d_size);
    GElf_Sym symbol;
    for (int i = 1; gelf_getsym(&symbols, i, &symbol) != nullptr; ++i) {
      const std::string_view name = string_at(names, symbol.st_name);
      if (name.empty() || symbol.st_shndx == SHN_UNDEF) continue;
      const GuestAddr address = code_address(symbol);
      const Segment* segment = find_segment(segments_, address);
      if (segment == nullptr || !segment->permissions.execute) continue;
      const std::optional<Rank> rank = rank_of(symbol, name);
      if (!rank) continue;
      const std::uint64_t room = segment->memory_size - (address - segment->address);
      const std::uint64_t size = std::min<std::uint64_t>(symbol.st_size, room);
      if (!candidates.add(address, size, name, *rank)) break;
    }
    return candidates;
  }

  bool is_function(const GElf_Sym& symbol) const {
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    return type == STT_FUNC || (type == rules_.millicode_type && type != STT_NOTYPE);
  }

  // The value of a function's symbol is its address or, in some ABIs, that of a descriptor with it.
  GuestAddr code_address(const GElf_Sym& symbol) const {
    const GuestAddr value(symbol.st_value);
    if (!rules_.code_in_descriptor || !is_function(symbol)) return value;
    if (symbol.st_shndx >= code_sections_.size() || code_sections_[symbol.st_shndx].size != 0) {
      return value;
    }
    const Segment* segment = find_segment(segments_, value);
    if (segment == nullptr) return value;
    const std::uint64_t at = value - segment->address;
    const std::uint64_t end = *rules_.code_in_descriptor + sizeof(std::uint64_t);
    if (at > segment->bytes.size() || end > segment->bytes.size() - at) return value;
    const std::uint8_t* code = segment->bytes.data() + at + *rules_.code_in_descriptor;
    return GuestAddr(load_bytes<std::uint64_t>(code, Endian::big));
  }

  std::optional<Rank> rank_of(const GElf_Sym& symbol, std::string_view name) const {
    if (is_function(symbol)) return rank_of_function(GELF_ST_BIND(symbol.st_info), name);
    if (GELF_ST_TYPE(symbol.st_info) != STT_NOTYPE || !is_code_label(symbol, name)) {
      return std::nullopt;
    }
    return is_linker_mark(name) ? Rank::linker_mark : Rank::label;
  }

  // A leading '.' is a compiler's local label (.L12) or, in IRIX files, a section's name.
  bool is_code_label(const GElf_Sym& symbol, std::string_view name) const {
    if (name.front() == '.' || rules_.local_label_characters.find(name.front()) != name.npos) {
      return false;
    }
    if (symbol.st_shndx == SHN_MIPS_TEXT) return true;  // IRIX .dynsym: "the text", no section
    if (symbol.st_shndx >= code_sections_.size()) return false;
    const CodeSection& section = code_sections_[symbol.st_shndx];
    return symbol.st_value >= section.start && symbol.st_value - section.start < section.size;
  }

  Elf* elf_;
  FileWindow& file_;
  const std::vector<Segment>& segments_;
  const ElfSymbolRules& rules_;
  std::vector<CodeSection> code_sections_;  // by section index
};

GuestAddr end_of_code(const std::vector<Segment>& segments) {
  GuestAddr end;
  for (const Segment& segment : segments) {
    if (segment.permissions.execute) end = segment.address + segment.memory_size;
  }
  return end;
}

}  // namespace

SymbolTable read_elf_symbols(Elf* elf, FileWindow& file, const std::vector<Segment>& segments,
                             const ElfSymbolRules& rules) {
  const SymbolReader reader(elf, file, segments, rules);
  CandidateList candidates = reader.read(SHT_SYMTAB);
  if (candidates.empty()) candidates = reader.read(SHT_DYNSYM);
  reader.read_mdebug(candidates);
  return candidates.take_symbols(end_of_code(segments));
}

}  // namespace hardclock
