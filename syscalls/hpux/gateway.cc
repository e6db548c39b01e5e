#include "syscalls/hpux/gateway.h"

#include <cstdio>

#include "sim/base/endian.h"

namespace hardclock::hpux {
namespace {

constexpr std::uint32_t gate = 0xe8002000;  // b,gate .+8,r0
constexpr GuestAddr call_entry = gateway_page + 4;
constexpr std::uint64_t entry_table_bytes = 2 * page_size;  // for 1024 calls

Failure<posix::ExecFailure> not_mapped(const char* what) {
  return Failure{posix::ExecFailure{posix::Errno::enomem, std::string("no room for ") + what +
                                                              "; link the program elsewhere, or "
                                                              "raise --max-memory"}};
}

Result<Ok, posix::ExecFailure> map_gateway(AddressSpace& memory) {
  std::vector<std::uint8_t> bytes(page_size);
  for (std::size_t at = 0; at < bytes.size(); at += 4) store_bytes(&bytes[at], gate, Endian::big);
  const auto mapped =
      memory.map(gateway_page, page_size, Permissions{.read = true, .execute = true}, "gateway");
  if (mapped && memory.initialize(gateway_page, bytes)) return Ok{};
  return not_mapped("the gateway page at 0xc0000000");
}

Result<Ok, posix::ExecFailure> map_entry_table(AddressSpace& memory) {
  std::vector<std::uint8_t> bytes(entry_table_bytes);
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    store_bytes(&bytes[at], call_entry.value(), Endian::big);
  }
  const auto mapped =
      memory.map(entry_table, entry_table_bytes, Permissions{.read = true}, "entry table");
  if (mapped && memory.initialize(entry_table, bytes)) return Ok{};
  return not_mapped("the system-call entry table at 0xc0001000");
}

}  // namespace

Result<Ok, posix::ExecFailure> map_page_zero(AddressSpace& memory) {
  if (!memory.is_free(GuestAddr(0), page_size)) return Ok{};
  if (memory.map(GuestAddr(0), page_size, Permissions{.read = true}, "page zero")) return Ok{};
  return not_mapped("the page at 0");
}

bool is_gateway(GuestAddr address) {
  return (address.value() & ~page_mask) == gateway_page.value();
}

Result<Ok, posix::ExecFailure> map_kernel_pages(const posix::Port& port, AddressSpace& memory,
                                                const Image& image, int) {
  const auto gateway = map_gateway(memory);
  if (!gateway) return gateway;
  if (image.page_zero_reads_zero) {
    const auto zeros = map_page_zero(memory);
    if (!zeros) return zeros;
  }
  return port.abi->address_bits == 64 ? map_entry_table(memory)
                                      : Result<Ok, posix::ExecFailure>(Ok{});
}

// keybits: the processor's version, the floating-point unit's, how many words follow, those. Which
// model of unit it is no program asks that has no library of HP's: 0.
std::vector<std::uint64_t> start_information(const posix::StackContext& context) {
  constexpr std::uint32_t architecture = 0xffff;
  constexpr std::uint64_t load_info_words = 18, load_info_table = 2, load_info_program = 4;
  const Image& image = context.image;
  const std::uint64_t version = image.flags & architecture;
  if (image.address_bits == 32) return {version, 0, 1, 0, 0, 0};
  std::vector<std::uint64_t> words = {version << 32, std::uint64_t{1} << 32, 0};
  std::vector<std::uint64_t> load_info(load_info_words);
  load_info[load_info_table] = entry_table.value();
  load_info[load_info_program] = image.segments.front().address.value();
  words.insert(words.end(), load_info.begin(), load_info.end());
  return words;
}

std::string unknown_call(unsigned number) {
  if (number < posix::lightweight_call) {
    constexpr unsigned first_unnamed = 1024;
    return "call " + (number < first_unnamed ? std::to_string(number)
                                             : std::to_string(first_unnamed) + " or above");
  }
  char text[80];
  std::snprintf(
      text, sizeof text, "lightweight call at 0x%08llx in the gateway page",
      static_cast<unsigned long long>(gateway_page.value() + number - posix::lightweight_call));
  return text;
}

}  // namespace hardclock::hpux
