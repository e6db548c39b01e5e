#include "syscalls/conform/guest_agent.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "sim/base/endian.h"

namespace hardclock::conform {
namespace {

// A file whose fields are big-endian.
class Bytes {
 public:
  explicit Bytes(std::size_t size) : bytes_(size) {}
  void half(std::size_t at, std::uint16_t value) { store_bytes(&bytes_[at], value, Endian::big); }
  void word(std::size_t at, std::uint64_t value) {
    store_bytes(&bytes_[at], static_cast<std::uint32_t>(value), Endian::big);
  }
  void doubleword(std::size_t at, std::uint64_t value) {
    store_bytes(&bytes_[at], value, Endian::big);
  }
  void byte(std::size_t at, std::uint8_t value) { bytes_[at] = value; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

// ---- ELF (System V ABI, chapter 4, and its 64-bit form): offsets of fields and sizes of headers.
struct ElfLayout {
  std::size_t header, program_header;                   // sizes
  std::size_t entry, program_headers, flags, sizes;     // in the header
  std::size_t p_flags, p_offset, p_vaddr, p_paddr;      // in a program header
  std::size_t p_file_size, p_memory_size, p_alignment;  // likewise
};
constexpr ElfLayout elf_32{52, 32, 24, 28, 36, 40, 24, 4, 8, 12, 16, 20, 28};
constexpr ElfLayout elf_64{64, 56, 24, 32, 48, 52, 4, 8, 16, 24, 32, 40, 48};
constexpr std::uint8_t class_32 = 1, class_64 = 2;
constexpr std::uint16_t et_exec = 2;
constexpr std::uint32_t pt_load = 1, pf_x = 1, pf_w = 2, pf_r = 4;

struct ElfSegment {
  std::uint64_t offset = 0;
  GuestAddr address;
  std::uint64_t in_file = 0, in_memory = 0;  // bytes
  std::uint32_t flags = 0;
};

class ElfFile {
 public:
  ElfFile(const AgentLayout& layout, const GuestCode& code, std::size_t size)
      : is_wide_(code.address_bits == 64), elf_(is_wide_ ? elf_64 : elf_32), file_(size) {
    const std::uint8_t identification[] = {
        0x7f, 'E', 'L', 'F', is_wide_ ? class_64 : class_32, 2, 1, code.kind.os_abi};
    for (std::size_t i = 0; i < std::size(identification); ++i) file_.byte(i, identification[i]);
    file_.half(16, et_exec);
    file_.half(18, code.kind.elf_machine);
    file_.word(20, 1);
    address(elf_.entry, layout.rest().value());
    address(elf_.program_headers, elf_.header);
    file_.word(elf_.flags, code.kind.flags);
    file_.half(elf_.sizes, static_cast<std::uint16_t>(elf_.header));
    file_.half(elf_.sizes + 2, static_cast<std::uint16_t>(elf_.program_header));
    file_.half(elf_.sizes + 4, 2);
  }

  void put(std::size_t index, const ElfSegment& segment) {
    const std::size_t at = elf_.header + index * elf_.program_header;
    file_.word(at, pt_load);
    file_.word(at + elf_.p_flags, segment.flags);
    address(at + elf_.p_offset, segment.offset);
    address(at + elf_.p_vaddr, segment.address.value());
    address(at + elf_.p_paddr, segment.address.value());
    address(at + elf_.p_file_size, segment.in_file);
    address(at + elf_.p_memory_size, segment.in_memory);
    address(at + elf_.p_alignment, page_size);
  }
  Bytes& bytes() { return file_; }

 private:
  void address(std::size_t at, std::uint64_t value) {
    is_wide_ ? file_.doubleword(at, value) : file_.word(at, value);
  }

  bool is_wide_;
  const ElfLayout& elf_;
  Bytes file_;
};

Bytes elf_file(const AgentLayout& layout, const GuestCode& code, std::uint64_t code_bytes) {
  ElfFile file(layout, code, page_size + code_bytes);
  file.put(0, {page_size, layout.code, code_bytes, page_size, pf_r | pf_x});
  file.put(1, {0, layout.data(), 0, layout.data_size, pf_r | pf_w});
  return std::move(file.bytes());
}

// ---- SOM (HP-UX Reference, a.out(4); numbers as in GNU binutils, include/som/aout.h): a file
// header and an exec auxiliary header, which is all that a kernel looks at.
Bytes som_file(const AgentLayout& layout, const GuestCode& code, std::uint64_t code_bytes) {
  constexpr std::uint16_t share_magic = 0x108;
  constexpr std::uint32_t version = 85082112, exec_type = 4, traps_null_pointers = 1;
  constexpr std::size_t header = 128, aux_id = 8, exec = 40, checksum = header - 4;
  const std::size_t size = page_size + code_bytes;
  const std::uint64_t fields[] = {
      code_bytes,               // exec_tsize
      layout.code.value(),      // exec_tmem
      page_size,                // exec_tfile
      0,                        // exec_dsize
      layout.data().value(),    // exec_dmem
      size,                     // exec_dfile
      layout.data_size,         // exec_bsize
      layout.rest().value(),    // exec_entry
      4 | traps_null_pointers,  // exec_flags
  };
  Bytes file(size);
  const std::uint32_t first = code.kind.flags << 16 | share_magic;
  const std::pair<std::size_t, std::uint32_t> words[] = {
      {0, first},
      {4, version},
      {28, header},         // aux_header_location
      {32, aux_id + exec},  // aux_header_size
      {36, static_cast<std::uint32_t>(size)},
  };
  std::uint32_t sum = 0;
  for (const auto& [at, word] : words) {
    file.word(at, word);
    sum ^= word;
  }
  file.word(checksum, sum);
  file.word(header, exec_type);
  file.word(header + 4, exec);
  std::size_t at = header + aux_id;
  for (const std::uint64_t field : fields) file.word(std::exchange(at, at + 4), field);
  return file;
}

}  // namespace

std::vector<std::uint8_t> agent_file(const AgentLayout& layout, const GuestCode& code) {
  const std::vector<std::uint8_t> instructions = code.loop_in_memory(true);
  const bool is_som = code.kind.format == FileFormat::som;
  std::vector<std::uint8_t> file = is_som ? som_file(layout, code, instructions.size()).take()
                                          : elf_file(layout, code, instructions.size()).take();
  std::ranges::copy(instructions, file.begin() + page_size);
  return file;
}

}  // namespace hardclock::conform
