#include "sim/load/line_readers.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/load/ia64_pointer.h"

namespace hardclock {
namespace {

// ---- The sections that libdw reads lines from: present in the window, decompressed, and with
// strings of bounded length.

// The longest path that is read, in bytes; a longer one is cut off. PATH_MAX of IRIX and HP-UX.
constexpr std::size_t longest_source_path = 1024;

struct DwarfSections {
  std::span<const std::uint8_t> line, info, abbreviations;
};

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

// Whether the file has a section of that name. Its names are read first.
bool has_section(const ElfFile& elf, FileWindow& file, std::string_view name) {
  return Sections(elf, file).find(name) != nullptr;
}

// Prepares `elf` for libdw. The error is one line: the sections promise too much, or go on in other
// files.
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

// ---- Their lines.

using Bytes = std::span<const std::uint8_t>;

// What libdw may take for a byte of a unit's header, which may name a file, and for a byte of its
// program, which makes a line or, rarely, a file: approximately, for the worst unit.
constexpr std::uint64_t cost_of_header_byte = 2 * longest_source_path;
constexpr std::uint64_t cost_of_program_byte = 400;
constexpr std::uint64_t cost_of_abbreviation_byte = 16;
constexpr std::uint64_t most_cost = std::uint64_t{1} << 30;
constexpr std::uint64_t most_abbreviation_bytes = std::uint64_t{64} << 20;  // all units together
constexpr unsigned most_units = 1U << 16;
constexpr unsigned most_attributes = 256;  // of a unit; compilers write 20

struct DwarfEnd {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

// Reads numbers from a place in a section on. A number that is not all there is nullopt.
class Cursor {
 public:
  Cursor(Bytes bytes, std::uint64_t at) : bytes_(bytes.subspan(std::min(at, bytes.size()))) {}

  std::optional<std::uint64_t> leb128() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !bytes_.empty(); shift += 7) {
      const std::uint8_t byte = take(1)[0];
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return std::nullopt;
  }
  template <class T>
  std::optional<std::uint64_t> number(Endian order) {
    if (bytes_.size() < sizeof(T)) return std::nullopt;
    return load_bytes<T>(take(sizeof(T)).data(), order);
  }
  bool skip(std::uint64_t size) {
    if (size > bytes_.size()) return false;
    take(size);
    return true;
  }
  Bytes rest() const { return bytes_; }

 private:
  Bytes take(std::size_t size) {
    const Bytes front = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return front;
  }

  Bytes bytes_;
};

// Goes over the rest of an abbreviation. Returns its number of attributes; nullopt: it has no end.
std::optional<std::uint64_t> skip_abbreviation(Cursor& cursor) {
  if (!cursor.leb128() || !cursor.skip(1)) return std::nullopt;  // tag, children
  for (std::uint64_t attributes = 0;; ++attributes) {
    const auto attribute = cursor.leb128();
    const auto form = cursor.leb128();
    if (!attribute || !form) return std::nullopt;
    if (*attribute == 0 && *form == 0) return attributes;
    if (*form == DW_FORM_implicit_const && !cursor.leb128()) return std::nullopt;
  }
}

struct AbbreviationSearch {
  bool is_found = false;
  std::uint64_t bytes = 0;  // that were looked at
};

// Looks for the abbreviation of the unit's first DIE, as libdw does for each unit again. One that
// is larger than any compiler's counts as not found.
AbbreviationSearch find_abbreviation_of(Bytes die, Bytes abbreviations) {
  const auto code = Cursor(die, 0).leb128();
  Cursor cursor(abbreviations, 0);
  bool is_found = false;
  while (code && *code != 0 && !is_found) {
    const auto next = cursor.leb128();
    if (!next || *next == 0) break;
    const auto attributes = skip_abbreviation(cursor);
    if (!attributes) break;
    is_found = *next == *code;
    if (is_found && *attributes > most_attributes) return {false, abbreviations.size()};
  }
  return {is_found, abbreviations.size() - cursor.rest().size()};
}

std::size_t longest_string(Bytes bytes) {
  std::size_t longest = 0, length = 0;
  for (const std::uint8_t byte : bytes) {
    length = byte == 0 ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  return longest;
}

// The sizes of one unit of .debug_line: DWARF 5, section 6.2.4; the older versions' are alike.
struct LineUnit {
  std::uint64_t header_bytes = 0;
  std::uint64_t program_bytes = 0;

  std::uint64_t bytes() const { return header_bytes + program_bytes; }
  // At most, in host memory.
  std::uint64_t cost() const {
    return header_bytes * cost_of_header_byte + program_bytes * cost_of_program_byte;
  }
};

// Nullopt: there is none at `offset`, or its sizes contradict each other, or a path is too long.
std::optional<LineUnit> measure_line_unit(Bytes section, std::uint64_t offset, Endian order) {
  Cursor cursor(section, offset);
  const Bytes start = cursor.rest();
  auto length = cursor.number<std::uint32_t>(order);
  const bool is_long = length == 0xffffffff;
  if (is_long) length = cursor.number<std::uint64_t>(order);
  if (!length || *length > cursor.rest().size()) return std::nullopt;
  const std::uint64_t all = start.size() - cursor.rest().size() + *length;
  const auto version = cursor.number<std::uint16_t>(order);
  if (!version || (*version >= 5 && !cursor.skip(2))) return std::nullopt;
  const auto header =
      is_long ? cursor.number<std::uint64_t>(order) : cursor.number<std::uint32_t>(order);
  const std::uint64_t so_far = start.size() - cursor.rest().size();
  if (!header || so_far > all || *header > all - so_far) return std::nullopt;
  const LineUnit unit{.header_bytes = so_far + *header, .program_bytes = all - so_far - *header};
  const bool has_paths = longest_string(start.first(unit.header_bytes)) <= longest_source_path;
  return has_paths ? std::optional(unit) : std::nullopt;
}

class Reader {
 public:
  Reader(const ElfFile& elf, const DwarfSections& sections, LineTableBuilder& lines)
      : elf_(elf),
        order_(byte_order(elf.header)),
        has_ia64_pointers_(elf.header.e_machine == EM_IA_64 &&
                           elf.header.e_ident[EI_CLASS] == ELFCLASS32 &&
                           elf.header.e_ident[EI_OSABI] == ELFOSABI_HPUX),
        sections_(sections),
        lines_(lines),
        room_(sections.line.size()) {}

  std::string read() {
    if (!open()) return fmt::format("its DWARF cannot be read: {}", dwarf_errmsg(-1));
    Dwarf_Off offset = 0, next = 0, abbreviations = 0;
    std::size_t header_bytes = 0;
    for (unsigned units = 0; !lines_.is_full(); ++units) {
      const int outcome = dwarf_nextcu(dwarf_.get(), offset, &next, &header_bytes, &abbreviations,
                                       nullptr, nullptr);
      // libdw takes a cut unit for the end.
      constexpr std::size_t least_unit = 4;
      if (outcome > 0 && sections_.info.size() <= offset + least_unit) break;
      if (outcome != 0 || next <= offset) {
        object(offset, "the unit is corrupt");
        break;
      }
      if (units == most_units) {
        object(offset, fmt::format("more than {} units", most_units));
        break;
      }
      read_unit(offset, offset + header_bytes, abbreviations);
      offset = next;
    }
    return objection_;
  }

 private:
  bool open() {
    dwarf_.reset();
    dwarf_.reset(dwarf_begin_elf(elf_.elf.get(), DWARF_C_READ, nullptr));
    spent_ = 0;
    return dwarf_ != nullptr;
  }

  // The first one is told.
  void object(Dwarf_Off unit, std::string_view what) {
    if (!objection_.empty()) return;
    objection_ =
        fmt::format("DWARF unit at .debug_info+0x{:x}: {}; its lines are missing; compile it again",
                    unit, what);
  }

  void read_unit(Dwarf_Off unit, Dwarf_Off first_die, Dwarf_Off abbreviations) {
    if (!make_room(unit, first_die, abbreviations)) return;
    Dwarf_Die die;
    if (dwarf_offdie(dwarf_.get(), first_die, &die) == nullptr) {
      return object(unit, dwarf_errmsg(-1));
    }
    Dwarf_Attribute attribute;
    Dwarf_Word offset;
    if (dwarf_attr(&die, DW_AT_stmt_list, &attribute) == nullptr) return;  // a unit without code
    if (dwarf_formudata(&attribute, &offset) != 0) return object(unit, dwarf_errmsg(-1));
    if (!seen_.insert(offset).second) return;
    const auto size = measure_line_unit(sections_.line, offset, order_);
    if (!size || size->bytes() > room_) return object(unit, "its line table is corrupt");
    if (size->cost() > most_cost) return object(unit, "its line table is too large");
    room_ -= size->bytes();
    if (!spend(size->cost()) || dwarf_offdie(dwarf_.get(), first_die, &die) == nullptr) {
      return object(unit, dwarf_errmsg(-1));
    }
    read_lines(unit, die);
  }

  // For what libdw does to read the unit's first DIE.
  bool make_room(Dwarf_Off unit, Dwarf_Off first_die, Dwarf_Off abbreviations) {
    const Bytes all = Cursor(sections_.abbreviations, abbreviations).rest();
    const AbbreviationSearch search =
        find_abbreviation_of(Cursor(sections_.info, first_die).rest(),
                             all.first(std::min<std::uint64_t>(all.size(), abbreviation_room_)));
    abbreviation_room_ -= search.bytes;
    if (!search.is_found) {
      object(unit, "its first entry is not as compilers write it");
      return false;
    }
    if (spend(search.bytes * cost_of_abbreviation_byte)) return true;
    object(unit, dwarf_errmsg(-1));
    return false;
  }

  // Makes libdw forget what it keeps, if that and what comes now may be too much.
  bool spend(std::uint64_t cost) {
    if (spent_ + cost > most_cost && !open()) return false;
    spent_ += cost;
    return true;
  }

  void read_lines(Dwarf_Off unit, Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    const char* const text = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));
    const std::string_view directory = text == nullptr ? "" : text;
    if (directory.size() > longest_source_path) return object(unit, "its folder is too long");
    Dwarf_Lines* all = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&die, &all, &count) != 0) return object(unit, dwarf_errmsg(-1));
    last_path_ = nullptr;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      add_range(dwarf_onesrcline(all, i), dwarf_onesrcline(all, i + 1), directory);
    }
  }

  // A line reaches to the next one. They are in order of addresses.
  void add_range(Dwarf_Line* line, Dwarf_Line* next, std::string_view directory) {
    Dwarf_Addr start = 0, end = 0;
    int number = 0;
    bool is_end = true;
    if (dwarf_lineendsequence(line, &is_end) != 0 || is_end) return;
    if (dwarf_lineaddr(line, &start) != 0 || dwarf_lineaddr(next, &end) != 0) return;
    if (dwarf_lineno(line, &number) != 0 || number <= 0) return;
    const char* const path = dwarf_linesrc(line, nullptr, nullptr);
    if (path == nullptr) return;
    if (path != last_path_) file_ = lines_.file(whole_path(path, directory), directory);
    last_path_ = path;
    if (file_) lines_.add(address(start), address(end), *file_, static_cast<unsigned>(number));
  }

  // libdw leaves other folders relative to that of the compilation, which may be relative, too.
  static std::string whole_path(std::string_view path, std::string_view directory) {
    const std::string start = fmt::format("{}/", directory);
    const bool is_whole = path.starts_with('/') || directory.empty() || path.starts_with(start);
    return is_whole ? std::string(path) : start + std::string(path);
  }

  // Programs of 32 bits of HP-UX for IA-64 have pointers in their files (elf.cc, place()).
  GuestAddr address(Dwarf_Addr value) const {
    return has_ia64_pointers_ ? ia64_address_of(value) : GuestAddr(value);
  }

  const ElfFile& elf_;
  Endian order_;
  bool has_ia64_pointers_;
  const DwarfSections& sections_;
  LineTableBuilder& lines_;
  std::uint64_t room_;  // in .debug_line: each byte of it is of one unit only
  std::uint64_t abbreviation_room_ = most_abbreviation_bytes;
  std::uint64_t spent_ = 0;  // on what libdw keeps
  std::unique_ptr<Dwarf, DwarfEnd> dwarf_;
  std::set<Dwarf_Word> seen_;  // line tables, by offset
  std::string objection_;
  const char* last_path_ = nullptr;
  std::optional<std::uint32_t> file_;
};

}  // namespace

bool has_dwarf_lines(const ElfFile& elf, FileWindow& file) {
  return has_section(elf, file, ".debug_line") || has_section(elf, file, ".zdebug_line");
}

std::string add_dwarf_lines(const ElfFile& elf, FileWindow& file, LineTableBuilder& lines) {
  const auto sections = prepare_dwarf_sections(elf, file);
  if (!sections) return sections.error();
  return Reader(elf, *sections, lines).read();
}

}  // namespace hardclock
