// An executable file after loading, before it has an address space: what to map where, where to
// start, and what the addresses are called. Format-neutral: elf.cc, ecoff.cc
// and som.cc fill it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/units.h"

namespace hardclock {

// 0 is none of them.
enum class Architecture : std::uint8_t { mips = 1, pa_risc, ia64 };

enum class FileFormat : std::uint8_t {
  elf,
  ecoff,  // MIPS before ELF: IRIX 4, Ultrix, RISC/os, NEWS-OS
  som,    // HP-UX on PA-RISC, 32 bits
};

struct Permissions {
  bool read = false;
  bool write = false;
  bool execute = false;
  friend bool operator==(const Permissions&, const Permissions&) = default;
  static constexpr std::size_t state_members = 3;
};

// Bytes [address, address + memory_size): `bytes` first, zeros after. memory_size >= bytes.size(),
// and address + memory_size does not wrap in the program's address width (IA-64's pointers of 32
// bits stand for addresses of 64). Neither end is aligned to a page: two segments never share a
// byte but may share a page, which then has the bytes and the permissions of both.
struct Segment {
  GuestAddr address;
  std::uint64_t memory_size = 0;
  Permissions permissions;
  std::vector<std::uint8_t> bytes;
  std::uint64_t file_offset = 0;  // of `bytes`
};

// The segment of `segments` (ascending, not overlapping) that contains `address`, or nullptr.
const Segment* find_segment(const std::vector<Segment>& segments, GuestAddr address);

struct Symbol {
  GuestAddr address;
  std::uint64_t size = 0;  // bytes; 0 when the file does not say
  std::string name;
};

// The functions of an image, by address, one name each. A symbol without a size extends to the next
// one. Where functions overlap, the one that starts last contains the address.
class SymbolTable {
 public:
  SymbolTable() = default;
  // If an address has several symbols, the first stays. `end_of_code` bounds the last symbol if it
  // has no size.
  SymbolTable(std::vector<Symbol> symbols, GuestAddr end_of_code);

  // The same functions, `by` bytes higher.
  SymbolTable moved(std::uint64_t by) &&;

  // The function that contains `address`, or nullptr. The pointer lives as long as the table.
  const Symbol* find(GuestAddr address) const;
  // The addresses around `address` that find() answers alike: a function's or a part of it, or what
  // belongs to none.
  struct Stretch {
    GuestAddr start;
    GuestAddr end;                   // exclusive
    const Symbol* symbol = nullptr;  // null: none
  };
  Stretch stretch_at(GuestAddr address) const;
  // The function of that name, the one with the lowest address if there are several, or nullptr.
  const Symbol* find(std::string_view name) const;
  const std::vector<Symbol>& all() const { return symbols_; }
  // The host memory that the table takes, in bytes, approximately.
  std::uint64_t host_bytes() const;

 private:
  // Up to the next range's start: the function symbols_[symbol], or none.
  struct Range {
    GuestAddr start;
    std::size_t symbol;
  };

  void build_ranges(GuestAddr end_of_code);
  std::uint64_t end_of(std::size_t index, GuestAddr end_of_code) const;

  std::vector<Symbol> symbols_;       // ascending address
  std::vector<Range> ranges_;         // ascending start; the last of equal starts counts
  std::vector<std::size_t> by_name_;  // indices into symbols_
};

// "name", "name+0x1c", or "0x00400120" when no function contains the address.
std::string describe(const SymbolTable& symbols, GuestAddr address);

// [start, start + size).
struct CodeRange {
  GuestAddr start;
  std::uint64_t size = 0;
};

struct Image {
  FileFormat format = FileFormat::elf;
  Architecture architecture{};  // none until the loader knows it
  Endian endian = Endian::big;
  unsigned address_bits = 32;  // 32 or 64
  // What the file says about the processor: e_flags in ELF, the system id in SOM. The low 16 bits
  // of PA-RISC programs in both are the architecture: 0x20b 1.0, 0x210 1.1, 0x211 1.2, 0x214 2.0.
  std::uint32_t flags = 0;
  std::uint8_t os_abi = 0;  // EI_OSABI
  bool is_linux = false;    // the file says that it is for Linux
  // The file does not name its system, but GNU tools made it, and not for IRIX.
  bool is_of_gnu_tools = false;
  bool relocatable = false;    // runs at any address: a shared object (ELF ET_DYN)
  std::uint64_t moved_by = 0;  // distance above the file's own addresses, modulo 2^64
  // The stack may hold code (trampolines of nested functions): the default where the file is
  // silent.
  bool executable_stack = true;
  GuestAddr entry;
  std::optional<std::string> interpreter;  // PT_INTERP: the system maps it beside the program
  // The program's own start code maps its dynamic linker (SOM with a dynamic loader header).
  bool maps_own_linker = false;
  std::vector<std::string> libraries;  // the shared libraries that it needs, as written
  std::string library_path;            // directories to search for them first, separated by ':'
  bool page_zero_reads_zero = false;   // page 0 reads as zeros while nothing is mapped there
  GuestAddr data_pointer;              // the link editor's value of the data pointer; 0: unknown
  GuestAddr initial_break;             // first byte after data and bss; 0: after the segments
  std::vector<Segment> segments;       // ascending address, not overlapping
  std::vector<CodeRange> code;         // where instructions are; empty: the file does not say
  GuestAddr program_headers;           // where the program header table is mapped, or 0
  unsigned program_header_count = 0;
  SymbolTable symbols;
};

// Whether code of both files can run in one process: it is for one machine, in one byte order and
// data model, and makes the same system's calls, as far as the files say.
bool can_share_process(const Image& a, const Image& b);

// Bytes of host memory that an image takes, about.
std::uint64_t host_bytes_of(const Image& image);

// Returns a relocatable image moved up by `by` bytes, modulo 2^64.
Image moved(Image image, std::uint64_t by);

}  // namespace hardclock
