#include "sim/load/elf_symbols.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace hardclock {
namespace {

// Bounds for hostile files, in which every symbol may name the same long string. Real programs of
// the supported systems stay two orders of magnitude below.
constexpr std::size_t kMaxSymbols = std::size_t{1} << 20;
constexpr std::size_t kMaxNameLength = 4096;
constexpr std::size_t kMaxNameBytes = std::size_t{64} << 20;

// Of several names for an address the one with the lowest rank stays.
enum Rank : int { global_function, weak_function, local_function, label, linker_mark };

struct Candidate {
  Symbol symbol;
  Rank rank = label;
};

// A section of executable code, by its place in memory.
struct CodeSection {
  std::uint64_t start = 0;
  std::uint64_t size = 0;  // 0: the section has no code
};

std::string_view name_at(const Elf_Data& strings, std::uint64_t offset) {
  if (strings.d_buf == nullptr || offset >= strings.d_size) return {};
  const char* start = static_cast<const char*>(strings.d_buf) + offset;
  const std::size_t room = std::min<std::size_t>(strings.d_size - offset, kMaxNameLength);
  return {start, strnlen(start, room)};
}

std::string printable(std::string_view name) {
  std::string result(name);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

// The link editors of IRIX and of GNU put these at the ends of the text; IRIX even calls them
// functions.
bool is_linker_mark(std::string_view name) {
  return name == "_ftext" || name == "etext" || name == "_etext";
}

Rank rank_of_function(unsigned binding, std::string_view name) {
  if (is_linker_mark(name)) return linker_mark;
  if (binding == STB_LOCAL) return local_function;
  return binding == STB_WEAK ? weak_function : global_function;
}

class SymbolReader {
 public:
  SymbolReader(Elf* elf, const std::vector<Segment>& segments,
               std::string_view local_label_characters)
      : elf_(elf), segments_(segments), local_label_characters_(local_label_characters) {
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
  std::vector<Candidate> read(unsigned type) const {
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

 private:
  static Elf_Data* data_of(Elf_Scn* section, unsigned type) {
    GElf_Shdr header;
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return nullptr;
    if (header.sh_type != type || (header.sh_flags & SHF_COMPRESSED) != 0) return nullptr;
    return elf_getdata(section, nullptr);
  }

  std::vector<Candidate> read(Elf_Data& symbols, const Elf_Data& strings) const {
    std::vector<Candidate> candidates;
    std::size_t name_bytes = 0;
    GElf_Sym symbol;
    for (int i = 1; gelf_getsym(&symbols, i, &symbol) != nullptr; ++i) {
      std::optional<Candidate> candidate = classify(symbol, name_at(strings, symbol.st_name));
      if (!candidate) continue;
      name_bytes += candidate->symbol.name.size();
      if (name_bytes > kMaxNameBytes || candidates.size() == kMaxSymbols) break;
      candidates.push_back(std::move(*candidate));
    }
    return candidates;
  }

  std::optional<Candidate> classify(const GElf_Sym& symbol, std::string_view name) const {
    if (name.empty() || symbol.st_shndx == SHN_UNDEF) return std::nullopt;
    const GuestAddr address(symbol.st_value);
    const Segment* segment = find_segment(segments_, address);
    if (segment == nullptr || !segment->permissions.execute) return std::nullopt;

    Rank rank = label;
    if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC) {
      rank = rank_of_function(GELF_ST_BIND(symbol.st_info), name);
    } else if (GELF_ST_TYPE(symbol.st_info) != STT_NOTYPE || !is_code_label(symbol, name)) {
      return std::nullopt;
    } else if (is_linker_mark(name)) {
      rank = linker_mark;
    }
    const std::uint64_t room = segment->memory_size - (address - segment->address);
    return Candidate{{address, std::min<std::uint64_t>(symbol.st_size, room), printable(name)},
                     rank};
  }

  // A leading '.' is a compiler's local label (.L12) or, in IRIX files, a section's name.
  bool is_code_label(const GElf_Sym& symbol, std::string_view name) const {
    if (name.front() == '.' || local_label_characters_.find(name.front()) != std::string::npos) {
      return false;
    }
    if (symbol.st_shndx == SHN_MIPS_TEXT) return true;  // IRIX .dynsym: "the text", no section
    if (symbol.st_shndx >= code_sections_.size()) return false;
    const CodeSection& section = code_sections_[symbol.st_shndx];
    return symbol.st_value >= section.start && symbol.st_value - section.start < section.size;
  }

  Elf* elf_;
  const std::vector<Segment>& segments_;
  std::string_view local_label_characters_;
  std::vector<CodeSection> code_sections_;  // by section index
};

// Drops the labels inside functions. A function without a size covers its first address only: what
// follows may be its loop or an assembly routine of its own, and the label is the better name.
void drop_covered_labels(std::vector<Candidate>& candidates) {
  struct Function {
    GuestAddr start;
    GuestAddr reach;  // the highest end of this function and all before it
  };
  std::vector<Function> functions;
  for (const Candidate& c : candidates) {
    if (c.rank >= label) continue;
    functions.push_back(
        {c.symbol.address, c.symbol.address + std::max<std::uint64_t>(c.symbol.size, 1)});
  }
  std::sort(functions.begin(), functions.end(),
            [](const Function& a, const Function& b) { return a.start < b.start; });
  for (std::size_t i = 1; i < functions.size(); ++i) {
    functions[i].reach = std::max(functions[i].reach, functions[i - 1].reach);
  }
  std::erase_if(candidates, [&](const Candidate& c) {
    if (c.rank < label) return false;
    auto after = std::upper_bound(functions.begin(), functions.end(), c.symbol.address,
                                  [](GuestAddr a, const Function& f) { return a < f.start; });
    return after != functions.begin() && std::prev(after)->reach > c.symbol.address;
  });
}

GuestAddr end_of_code(const std::vector<Segment>& segments) {
  GuestAddr end;
  for (const Segment& segment : segments) {
    if (segment.permissions.execute) end = segment.address + segment.memory_size;
  }
  return end;
}

}  // namespace

SymbolTable read_elf_symbols(Elf* elf, const std::vector<Segment>& segments,
                             std::string_view local_label_characters) {
  const SymbolReader reader(elf, segments, local_label_characters);
  std::vector<Candidate> candidates = reader.read(SHT_SYMTAB);
  if (candidates.empty()) candidates = reader.read(SHT_DYNSYM);

  drop_covered_labels(candidates);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  std::vector<Symbol> symbols;
  symbols.reserve(candidates.size());
  for (Candidate& c : candidates) symbols.push_back(std::move(c.symbol));
  return SymbolTable(std::move(symbols), end_of_code(segments));
}

}  // namespace hardclock
