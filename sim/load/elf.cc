#include "sim/load/formats.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/elf_file.h"
#include "sim/load/elf_segments.h"
#include "sim/load/elf_symbols.h"
#include "sim/load/ia64_pointer.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Kind = LoadError::Kind;

// A kind of program that hardclock runs or lists: the marks in its header.
struct Abi {
  std::string_view name;
  std::uint16_t machine;     // e_machine
  std::uint8_t elf_class;    // EI_CLASS
  std::uint32_t flags_mask;  // e_flags & flags_mask == flags
  std::uint32_t flags;
  Architecture architecture;
  bool may_be_little_endian;
  ElfSymbolRules symbols;
};

// GNU tools name the ABI in bits 12 to 15 of e_flags (1 is o32), older ones and IRIX leave 0.
constexpr std::uint32_t mips_abi_field = 0x0000f000 | EF_MIPS_ABI2;
constexpr std::uint32_t mips_abi_o32 = 0x00001000;

// Millicode, such as $$mulI, has a type of its own; a 64-bit program's dynamic symbols are its
// 32-byte function descriptors (binutils include/elf/hppa.h, bfd/elf64-hppa.c).
constexpr ElfSymbolRules mips_symbols{.local_label_characters = "$"};
constexpr ElfSymbolRules pa_risc32_symbols{.millicode_type = STT_PARISC_MILLICODE};
constexpr ElfSymbolRules pa_risc64_symbols{.millicode_type = STT_PARISC_MILLICODE,
                                           .code_in_descriptor = 16};

constexpr Abi abis[] = {
    {"MIPS o32", EM_MIPS, ELFCLASS32, mips_abi_field, 0, Architecture::mips, true, mips_symbols},
    {"MIPS o32", EM_MIPS, ELFCLASS32, mips_abi_field, mips_abi_o32, Architecture::mips, true,
     mips_symbols},
    {"MIPS n32", EM_MIPS, ELFCLASS32, EF_MIPS_ABI2, EF_MIPS_ABI2, Architecture::mips, true,
     mips_symbols},
    {"MIPS n64", EM_MIPS, ELFCLASS64, 0, 0, Architecture::mips, true, mips_symbols},
    {"PA-RISC 32-bit", EM_PARISC, ELFCLASS32, 0, 0, Architecture::pa_risc, false,
     pa_risc32_symbols},
    {"PA-RISC 64-bit", EM_PARISC, ELFCLASS64, 0, 0, Architecture::pa_risc, false,
     pa_risc64_symbols},
    {"IA-64 32-bit", EM_IA_64, ELFCLASS32, 0, 0, Architecture::ia64, true, {}},
    {"IA-64 64-bit", EM_IA_64, ELFCLASS64, 0, 0, Architecture::ia64, true, {}},
};

// Others, as people call them. GNU binutils 2.40, include/elf/common.h and binutils/readelf.c,
// get_machine_name(). Alpha's number is its toolchain's own, not the registered one.
struct OtherMachine {
  std::uint16_t number;
  std::string_view name;
};
constexpr OtherMachine other_machines[] = {
    {EM_M32, "WE32100"},
    {EM_SPARC, "SPARC"},
    {EM_386, "x86"},
    {EM_68K, "68000"},
    {EM_88K, "88000"},
    {EM_860, "i860"},
    {EM_S370, "System/370"},
    {EM_MIPS_RS3_LE, "little-endian MIPS"},
    {EM_960, "i960"},
    {EM_SPARC32PLUS, "SPARC V8+"},
    {EM_PPC, "PowerPC"},
    {EM_PPC64, "64-bit PowerPC"},
    {EM_S390, "System/390"},
    {EM_ARM, "ARM"},
    {EM_FAKE_ALPHA, "Alpha"},
    {EM_SH, "SuperH"},
    {EM_SPARCV9, "SPARC V9"},
    {EM_H8_300, "H8/300"},
    {EM_COLDFIRE, "ColdFire"},
    {EM_X86_64, "x86-64"},
    {EM_VAX, "VAX"},
    {EM_CRIS, "CRIS"},
    {EM_AVR, "AVR"},
    {EM_XTENSA, "Xtensa"},
    {EM_OPENRISC, "OpenRISC"},
    {EM_MSP430, "MSP430"},
    {EM_ALTERA_NIOS2, "Nios II"},
    {EM_AARCH64, "AArch64"},
    {EM_MICROBLAZE, "MicroBlaze"},
    {EM_RISCV, "RISC-V"},
    {EM_BPF, "BPF"},
    {EM_ALPHA, "Alpha"},
    {EM_LOONGARCH, "LoongArch"},
};

// The ABIs of MIPS in that field of e_flags that are not simulated (include/elf/mips.h).
constexpr OtherMachine other_mips_abis[] = {{2, "o64"}, {3, "EABI"}, {4, "64-bit EABI"}};

constexpr std::string_view what_loads = "runs MIPS o32, n32 and n64, big-endian PA-RISC, and IA-64";

constexpr unsigned max_program_headers = 1000;
// Segments may use the same file bytes more than once; beyond this factor they only make a small
// file cost much memory.
constexpr std::uint64_t max_uses_of_file = 2;
constexpr std::uint64_t max_interpreter_length = 4096;  // PATH_MAX of Linux, the longest

template <class... Args>
LoadError error(Kind kind, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...)};
}

unsigned address_bits(const GElf_Ehdr& header) {
  return header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
}

std::uint64_t last_address(unsigned address_bits) {
  return ~std::uint64_t{0} >> (64 - address_bits);
}

// "x86-64", "MIPS o64", "machine 1234".
std::string machine_name(const GElf_Ehdr& header) {
  const auto is_of = [](unsigned number) {
    return [number](const OtherMachine& each) { return each.number == number; };
  };
  if (header.e_machine == EM_MIPS) {
    const unsigned abi = (header.e_flags & mips_abi_field) >> 12;
    const auto found = std::ranges::find_if(other_mips_abis, is_of(abi));
    if (found != std::end(other_mips_abis)) return fmt::format("MIPS {}", found->name);
    return "an unknown ABI of MIPS";
  }
  const auto found = std::ranges::find_if(other_machines, is_of(header.e_machine));
  if (found != std::end(other_machines)) return std::string(found->name);
  return fmt::format("machine {}", header.e_machine);
}

Result<const Abi*, LoadError> find_abi(const GElf_Ehdr& header) {
  for (const Abi& abi : abis) {
    if (header.e_machine != abi.machine || header.e_ident[EI_CLASS] != abi.elf_class) continue;
    if ((header.e_flags & abi.flags_mask) != abi.flags) continue;
    const bool little = byte_order(header) == Endian::little;
    if (abi.may_be_little_endian || !little) return &abi;
    return Failure{error(Kind::unsupported,
                         "ELF header: {}{} programs (e_machine {}, e_flags {:#x}) are not "
                         "supported; hardclock {}",
                         little ? "little-endian " : "", abi.name, abi.machine, header.e_flags,
                         what_loads)};
  }
  return Failure{error(Kind::unsupported,
                       "ELF header: {}-bit programs for {} (e_machine {}, e_flags {:#x}) are not "
                       "supported; hardclock {}",
                       address_bits(header), machine_name(header), header.e_machine, header.e_flags,
                       what_loads)};
}

std::optional<LoadError> check_type(const GElf_Ehdr& header) {
  switch (header.e_type) {
    case ET_EXEC:
    case ET_DYN:
      return std::nullopt;
    case ET_REL:
      return error(Kind::not_executable,
                   "ELF header: an object file (ET_REL), not a program; link it first");
    case ET_CORE:
      return error(Kind::not_executable, "ELF header: a core dump (ET_CORE), not a program");
    default:
      return error(Kind::not_executable, "ELF header: type {:#x} (e_type) is not a program",
                   header.e_type);
  }
}

std::optional<LoadError> check_program_header_table(const GElf_Ehdr& header,
                                                    std::uint64_t file_size) {
  const std::uint64_t entry_size =
      address_bits(header) == 64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
  if (header.e_phnum == 0) {
    return error(Kind::malformed, "ELF header: no program headers (e_phnum is 0)");
  }
  if (header.e_phentsize != entry_size) {
    return error(Kind::malformed,
                 "ELF header: program headers of {} bytes (e_phentsize) instead of {}",
                 header.e_phentsize, entry_size);
  }
  if (header.e_phnum == PN_XNUM) {
    return error(Kind::unsupported,
                 "ELF header: the number of program headers does not fit e_phnum (PN_XNUM)");
  }
  if (header.e_phnum > max_program_headers) {
    return error(Kind::unsupported, "ELF header: {} program headers (e_phnum), more than {}",
                 header.e_phnum, max_program_headers);
  }
  const std::uint64_t size = header.e_phnum * entry_size;
  if (header.e_phoff > file_size || size > file_size - header.e_phoff) {
    return error(Kind::truncated,
                 "ELF header: {} program headers at file offset {:#x} lie beyond the end of the "
                 "file ({:#x} bytes)",
                 header.e_phnum, header.e_phoff, file_size);
  }
  return std::nullopt;
}

Result<std::vector<GElf_Phdr>, LoadError> read_program_headers(Elf* elf, const GElf_Ehdr& header,
                                                               FileWindow& file) {
  if (auto bad = check_program_header_table(header, file.size())) return Failure{*bad};
  if (!file.part(header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize)) {
    return Failure{error(Kind::truncated, "program headers: they cannot be read")};
  }
  std::vector<GElf_Phdr> headers(header.e_phnum);
  for (int i = 0; i < header.e_phnum; ++i) {
    if (gelf_getphdr(elf, i, &headers[i]) == nullptr) {
      return Failure{error(Kind::malformed, "program header {}: {}", i, elf_errmsg(-1))};
    }
  }
  return headers;
}

// Where a part of the file ends, if it does not wrap around.
std::uint64_t end_in_file(const GElf_Phdr& header, std::uint64_t last_address) {
  const bool wraps = header.p_filesz > last_address - header.p_offset;
  return header.p_filesz == 0 || wraps ? 0 : header.p_offset + header.p_filesz;
}

std::optional<LoadError> check_length(const std::vector<GElf_Phdr>& headers,
                                      std::uint64_t file_size, std::uint64_t last_address) {
  std::uint64_t end = 0;
  for (const GElf_Phdr& header : headers) {
    if (header.p_type != PT_LOAD && header.p_type != PT_INTERP) continue;
    end = std::max(end, end_in_file(header, last_address));
  }
  if (end > file_size) return truncated_file(file_size, "segments end", end);
  return std::nullopt;
}

std::optional<LoadError> check_file_range(unsigned index, const GElf_Phdr& header,
                                          std::uint64_t last_address) {
  if (header.p_filesz == 0) return std::nullopt;
  if (header.p_filesz > last_address - header.p_offset) {
    return error(Kind::malformed,
                 "program header {}: file offset {:#x} + size {:#x} (p_filesz) wraps around", index,
                 header.p_offset, header.p_filesz);
  }
  return std::nullopt;
}

std::optional<LoadError> check_load(unsigned index, const GElf_Phdr& header,
                                    std::uint64_t last_address) {
  if (header.p_filesz > header.p_memsz) {
    return error(Kind::malformed,
                 "program header {}: {:#x} bytes in the file (p_filesz) do not fit {:#x} bytes of "
                 "memory (p_memsz)",
                 index, header.p_filesz, header.p_memsz);
  }
  if (header.p_memsz > last_address - header.p_vaddr) {
    return error(Kind::malformed,
                 "program header {}: address {:#x} + size {:#x} (p_memsz) wraps around", index,
                 header.p_vaddr, header.p_memsz);
  }
  return check_file_range(index, header, last_address);
}

struct Load {
  unsigned index;  // of the program header
  GElf_Phdr header;
};

// The PT_LOAD headers that occupy memory, ascending and free of overlap.
//
// The kernels map whole pages of the file, each segment over the pages before it. So where two
// segments meet inside a page, the later one's page remains; it holds the bytes of both only
// because link editors lay segments out in the file as in memory. Here every segment brings exactly
// its own bytes, which gives such files the same memory: segments may share a page, even with
// different permissions, but no byte.
Result<std::vector<Load>, LoadError> read_loads(const std::vector<GElf_Phdr>& headers,
                                                std::uint64_t file_size,
                                                std::uint64_t last_address) {
  std::vector<Load> loads;
  std::uint64_t total = 0;
  for (unsigned i = 0; i < headers.size(); ++i) {
    if (headers[i].p_type != PT_LOAD) continue;
    if (auto bad = check_load(i, headers[i], last_address)) return Failure{*bad};
    total += headers[i].p_filesz;
    if (total > max_uses_of_file * file_size) {
      return Failure{error(Kind::malformed,
                           "program header {}: segments up to here load {:#x} bytes of a file of "
                           "{:#x} bytes",
                           i, total, file_size)};
    }
    if (headers[i].p_memsz != 0) loads.push_back({i, headers[i]});
  }
  if (loads.empty()) {
    return Failure{error(Kind::malformed, "program headers: no segment to load (PT_LOAD)")};
  }
  std::stable_sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) {
    return a.header.p_vaddr < b.header.p_vaddr;
  });
  for (std::size_t i = 1; i < loads.size(); ++i) {
    const GElf_Phdr& lower = loads[i - 1].header;
    const GElf_Phdr& upper = loads[i].header;
    if (upper.p_vaddr - lower.p_vaddr >= lower.p_memsz) continue;
    return Failure{
        error(Kind::malformed,
              "program header {}: addresses {:#x}..{:#x} overlap {:#x}..{:#x} of program header {}",
              loads[i].index, upper.p_vaddr, upper.p_vaddr + upper.p_memsz, lower.p_vaddr,
              lower.p_vaddr + lower.p_memsz, loads[i - 1].index)};
  }
  return loads;
}

std::optional<LoadError> check_memory(const std::vector<Load>& loads, std::uint64_t most) {
  std::uint64_t total = 0;
  for (const Load& load : loads) {
    if (load.header.p_memsz > most - total) return too_much_memory(most);
    total += load.header.p_memsz;
  }
  return std::nullopt;
}

Result<Segment, LoadError> read_segment(const Load& load, const FileWindow& file) {
  const GElf_Phdr& header = load.header;
  Segment segment;
  segment.address = GuestAddr(header.p_vaddr);
  segment.memory_size = header.p_memsz;
  segment.permissions = {(header.p_flags & PF_R) != 0, (header.p_flags & PF_W) != 0,
                         (header.p_flags & PF_X) != 0};
  if (header.p_filesz != 0) {
    segment.bytes.resize(header.p_filesz);
    segment.file_offset = header.p_offset;
    if (!file.copy(header.p_offset, segment.bytes)) {
      return Failure{
          error(Kind::truncated, "program header {}: its bytes cannot be read", load.index)};
    }
  }
  return segment;
}

Result<std::vector<Segment>, LoadError> read_segments(const std::vector<GElf_Phdr>& headers,
                                                      const FileWindow& file,
                                                      std::uint64_t last_address,
                                                      std::uint64_t most_memory) {
  const auto loads = read_loads(headers, file.size(), last_address);
  if (!loads) return Failure{loads.error()};
  if (auto bad = check_memory(*loads, most_memory)) return Failure{*bad};
  std::vector<Segment> segments;
  for (const Load& load : *loads) {
    auto segment = read_segment(load, file);
    if (!segment) return Failure{segment.error()};
    segments.push_back(*std::move(segment));
  }
  return segments;
}

std::optional<LoadError> check_entry(const Image& image) {
  const Segment* segment = find_segment(image.segments, image.entry);
  if (segment != nullptr && segment->permissions.execute) return std::nullopt;
  if (image.relocatable && !image.interpreter && image.entry == GuestAddr(0)) {
    return error(Kind::not_executable,
                 "ELF header: a shared library (ET_DYN without an entry), not a program; name the "
                 "program that uses it");
  }
  return error(Kind::malformed, "ELF header: entry address {:#x} lies in no executable segment",
               image.entry.value());
}

Result<std::optional<std::string>, LoadError> read_interpreter(
    const std::vector<GElf_Phdr>& headers, FileWindow& file, std::uint64_t last_address) {
  std::optional<std::string> interpreter;
  for (unsigned i = 0; i < headers.size(); ++i) {
    const GElf_Phdr& header = headers[i];
    if (header.p_type != PT_INTERP) continue;
    if (interpreter) {
      return Failure{error(Kind::malformed, "program header {}: a second interpreter", i)};
    }
    if (auto bad = check_file_range(i, header, last_address)) return Failure{*bad};
    if (header.p_filesz < 2 || header.p_filesz > max_interpreter_length) {
      return Failure{error(Kind::malformed,
                           "program header {}: an interpreter path of {} bytes is not in 2..{}", i,
                           header.p_filesz, max_interpreter_length)};
    }
    const Bytes content = file.part(header.p_offset, header.p_filesz).value_or(Bytes());
    const auto* path = reinterpret_cast<const char*>(content.data());
    const std::string_view name(path, content.empty() ? 0 : strnlen(path, content.size()));
    const bool printable =
        std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (name.empty() || name.size() == header.p_filesz || !printable) {
      return Failure{error(Kind::malformed,
                           "program header {}: the interpreter at file offset {:#x} is not a path "
                           "that ends in a zero byte",
                           i, header.p_offset)};
    }
    interpreter = std::string(name);
  }
  return interpreter;
}

bool is_loaded(const std::vector<Segment>& segments, std::uint64_t address, std::uint64_t size) {
  const Segment* segment = find_segment(segments, GuestAddr(address));
  if (segment == nullptr) return false;
  const std::uint64_t offset = address - segment->address.value();
  return offset <= segment->bytes.size() && size <= segment->bytes.size() - offset;
}

// Where the program finds its own header table (AT_PHDR). PT_PHDR says so; its sizes are ignored,
// for IRIX programs have p_memsz 0 there.
GuestAddr find_program_headers(const GElf_Ehdr& header, const std::vector<GElf_Phdr>& headers,
                               const std::vector<Segment>& segments) {
  const std::uint64_t size = std::uint64_t{header.e_phnum} * header.e_phentsize;
  for (const GElf_Phdr& h : headers) {
    if (h.p_type == PT_PHDR && is_loaded(segments, h.p_vaddr, size)) return GuestAddr(h.p_vaddr);
  }
  for (const GElf_Phdr& h : headers) {
    if (h.p_type != PT_LOAD || header.e_phoff < h.p_offset) continue;
    const std::uint64_t offset = header.e_phoff - h.p_offset;
    if (offset <= h.p_filesz && size <= h.p_filesz - offset) return GuestAddr(h.p_vaddr + offset);
  }
  return GuestAddr(0);
}

// What GNU's link editor notes of the program's object files.
bool has_executable_stack(const std::vector<GElf_Phdr>& headers) {
  const auto header = std::find_if(headers.begin(), headers.end(),
                                   [](const GElf_Phdr& h) { return h.p_type == PT_GNU_STACK; });
  return header == headers.end() || (header->p_flags & PF_X) != 0;
}

// The sections that hold instructions, as far as segments have their bytes. Together they have no
// more than the segments: sections over sections would only cost time.
std::vector<CodeRange> read_code_ranges(Elf* elf, const std::vector<Segment>& segments) {
  std::uint64_t room = 0;
  for (const Segment& segment : segments) room += segment.bytes.size();
  std::vector<CodeRange> code;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return {};
    const bool is_code = header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0;
    if (is_code && is_loaded(segments, header.sh_addr, header.sh_size)) {
      if (header.sh_size > room) return {};
      room -= header.sh_size;
      code.push_back({GuestAddr(header.sh_addr), header.sh_size});
    }
  }
  return code;
}

// Of HP-UX's programs page 0 reads as zeros unless they say otherwise.
bool reads_page_zero(Architecture architecture, const GElf_Ehdr& header) {
  if (header.e_ident[EI_OSABI] != ELFOSABI_HPUX) return false;
  constexpr std::uint32_t ef_ia_64_trapnil = 1;  // binutils, include/elf/ia64.h
  if (architecture == Architecture::ia64) return (header.e_flags & ef_ia_64_trapnil) == 0;
  return architecture == Architecture::pa_risc && (header.e_flags & EF_PARISC_TRAPNIL) == 0;
}

// The functions at the addresses that 32-bit pointers of IA-64 stand for.
SymbolTable placed(const SymbolTable& symbols, const std::vector<Segment>& segments) {
  std::vector<Symbol> all = symbols.all();
  for (Symbol& symbol : all) symbol.address = ia64_address_of(symbol.address.value());
  GuestAddr end_of_code;
  for (const Segment& segment : segments) {
    if (segment.permissions.execute) end_of_code = segment.address + segment.memory_size;
  }
  return {std::move(all), end_of_code};
}

// A 32-bit program of HP-UX for IA-64 has pointers in its file, too.
void place(Image& image) {
  image.entry = ia64_address_of(image.entry.value());
  for (Segment& segment : image.segments) {
    segment.address = ia64_address_of(segment.address.value());
  }
  for (CodeRange& range : image.code) range.start = ia64_address_of(range.start.value());
  image.program_headers = ia64_address_of(image.program_headers.value());
  image.symbols = placed(image.symbols, image.segments);
}

bool is_ia64_of_hpux(const Image& image) {
  return image.architecture == Architecture::ia64 && image.os_abi == ELFOSABI_HPUX;
}

enum class Purpose : std::uint8_t { program, library };

Result<Image, LoadError> make_image(Elf* elf, const GElf_Ehdr& header, FileWindow& file,
                                    Purpose purpose, const LoadOptions& options) {
  const auto abi = find_abi(header);
  if (!abi) return Failure{abi.error()};
  if (auto bad = check_type(header)) return Failure{*bad};
  const auto headers = read_program_headers(elf, header, file);
  if (!headers) return Failure{headers.error()};

  Image image;
  image.architecture = (*abi)->architecture;
  image.endian = byte_order(header);
  image.address_bits = address_bits(header);
  image.flags = header.e_flags;
  image.os_abi = header.e_ident[EI_OSABI];
  image.is_linux =
      image.os_abi == ELFOSABI_LINUX || has_linux_abi_tag(*headers, file, image.endian);
  image.is_of_gnu_tools = image.architecture == Architecture::mips && !image.is_linux &&
                          is_of_gnu_tools(elf, file, *headers, header.e_flags);
  image.relocatable = header.e_type == ET_DYN;
  image.executable_stack = has_executable_stack(*headers);
  image.entry = GuestAddr(header.e_entry);
  image.page_zero_reads_zero = reads_page_zero(image.architecture, header);

  const std::uint64_t last = last_address(image.address_bits);
  if (auto bad = check_length(*headers, file.size(), last)) return Failure{*bad};
  auto interpreter = read_interpreter(*headers, file, last);
  if (!interpreter) return Failure{interpreter.error()};
  image.interpreter = *interpreter;
  // A micro-loader's path, then that of the dynamic linker, which the micro-loader maps.
  if (image.interpreter && is_ia64_of_hpux(image)) {
    const std::size_t end = image.interpreter->find(':');
    if (end != std::string::npos && end != 0) image.interpreter->resize(end);
  }

  auto segments = read_segments(*headers, file, last, options.memory);
  if (!segments) return Failure{segments.error()};
  image.segments = *std::move(segments);
  ElfDynamic dynamic = read_elf_dynamic(*headers, file, image.endian, image.address_bits);
  image.libraries = std::move(dynamic.needed);
  image.library_path = std::move(dynamic.path);
  image.code = read_code_ranges(elf, image.segments);
  if (purpose == Purpose::program) {
    if (auto bad = check_entry(image)) return Failure{*bad};
  }
  image.program_headers = find_program_headers(header, *headers, image.segments);
  image.program_header_count = header.e_phnum;
  if (options.symbols) {
    image.symbols = read_elf_symbols(elf, file, image.segments, (*abi)->symbols);
  }
  if (is_ia64_of_hpux(image) && image.address_bits == 32) place(image);
  return image;
}

// ld.so.1, ld-linux.so.2. IRIX's rld is no shared object.
bool is_name_of_linker(std::string_view name) {
  return name.starts_with("ld.so.") || name.starts_with("ld-");
}

bool is_in_code(std::uint64_t entry, const std::vector<GElf_Phdr>& headers) {
  return std::ranges::any_of(headers, [entry](const GElf_Phdr& header) {
    return header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 && entry >= header.p_vaddr &&
           entry - header.p_vaddr < header.p_memsz;
  });
}

Result<Image, LoadError> load(FileWindow& file, Purpose purpose, const LoadOptions& options) {
  const auto opened = open_elf(file);
  if (!opened) return Failure{opened.error()};
  return make_image(opened->elf.get(), opened->header, file, purpose, options);
}

}  // namespace

bool is_elf_library(FileWindow& file) {
  const auto opened = open_elf(file);
  if (!opened || opened->header.e_type != ET_DYN) return false;
  const GElf_Ehdr& header = opened->header;
  const auto headers = read_program_headers(opened->elf.get(), header, file);
  if (!headers || std::ranges::count(*headers, GElf_Word{PT_INTERP}, &GElf_Phdr::p_type) != 0) {
    return false;
  }
  const ElfDynamic dynamic =
      read_elf_dynamic(*headers, file, byte_order(header), address_bits(header));
  if (is_name_of_linker(dynamic.name)) return false;
  return !dynamic.name.empty() || !dynamic.needed.empty() || !is_in_code(header.e_entry, *headers);
}

Result<Image, LoadError> load_elf(FileWindow& file, const LoadOptions& options) {
  return load(file, Purpose::program, options);
}

Result<Image, LoadError> load_elf_library(FileWindow& file, const LoadOptions& options) {
  return load(file, Purpose::library, options);
}

}  // namespace hardclock
