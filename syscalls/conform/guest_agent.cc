#include "syscalls/conform/guest_agent.h"

#include "sim/base/endian.h"

namespace hardclock::conform {
namespace {

// Offsets and values of the ELF header and program headers (System V ABI, chapter 4; MIPS
// supplement: EM_MIPS, EF_MIPS_ARCH_1 is 0, EF_MIPS_ABI_O32).
constexpr std::size_t header_size = 52, program_header_size = 32;
constexpr std::uint16_t et_exec = 2, em_mips = 8;
constexpr std::uint32_t ef_mips_abi_o32 = 0x1000;
constexpr std::uint32_t pt_load = 1, pf_x = 1, pf_w = 2, pf_r = 4;

class Bytes {
 public:
  explicit Bytes(std::size_t size) : bytes_(size) {}
  void half(std::size_t at, std::uint16_t value) { store_bytes(&bytes_[at], value, Endian::big); }
  void word(std::size_t at, std::uint64_t value) {
    store_bytes(&bytes_[at], static_cast<std::uint32_t>(value), Endian::big);
  }
  void byte(std::size_t at, std::uint8_t value) { bytes_[at] = value; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

void put_header(Bytes& file, const AgentLayout& layout) {
  constexpr std::uint8_t identification[] = {0x7f, 'E', 'L', 'F', 1, 2, 1};  // 32 bits, big-endian
  for (std::size_t i = 0; i < sizeof identification; ++i) file.byte(i, identification[i]);
  file.half(16, et_exec);
  file.half(18, em_mips);
  file.word(20, 1);
  file.word(24, layout.rest().value());
  file.word(28, header_size);  // the program headers follow
  file.word(36, ef_mips_abi_o32);
  file.half(40, header_size);
  file.half(42, program_header_size);
  file.half(44, 2);
}

void put_segment(Bytes& file, std::size_t index, std::uint64_t offset, GuestAddr address,
                 std::uint64_t in_file, std::uint64_t in_memory, std::uint32_t flags) {
  const std::size_t at = header_size + index * program_header_size;
  file.word(at, pt_load);
  file.word(at + 4, offset);
  file.word(at + 8, address.value());
  file.word(at + 12, address.value());
  file.word(at + 16, in_file);
  file.word(at + 20, in_memory);
  file.word(at + 24, flags);
  file.word(at + 28, page_size);
}

}  // namespace

std::vector<std::uint8_t> agent_file(const AgentLayout& layout) {
  constexpr std::size_t code_bytes = 12;
  Bytes file(page_size + code_bytes);
  put_header(file, layout);
  put_segment(file, 0, page_size, layout.code, code_bytes, page_size, pf_r | pf_x);
  put_segment(file, 1, 0, layout.data(), 0, layout.data_size, pf_r | pf_w);
  file.word(page_size, kSystemCall);
  file.word(page_size + 4, kBranchToSelf);
  file.word(page_size + 8, kNop);
  return file.take();
}

}  // namespace hardclock::conform
