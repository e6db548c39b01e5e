#include "syscalls/hpux/gateway_ia64.h"

#include <array>

#include "sim/base/endian.h"
#include "syscalls/hpux/gateway.h"

namespace hardclock::hpux {
namespace {

using ia64_ports::hpux_gateway;
using ia64_ports::hpux_vector;
using ia64_ports::hpux_vector_entries;

// The gateway: break.m 0; nop.f 0; br.ret.sptk.few b6. Then sigcleanup(), by which handlers return:
// nop.m 0; mov r8 = 139; nop.i 0, and nop.m 0; nop.f 0; br.few to the gateway.
constexpr std::array<std::uint8_t, 48> gateway_text = {
    0x1d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x80, 0x60, 0x00, 0x84, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x80, 0x58, 0x00, 0x02, 0x48, 0x00, 0x00, 0x00, 0x04, 0x00,
    0x1d, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0xe0, 0xff, 0xff, 0x48};

Failure<posix::ExecFailure> no_room() {
  return Failure{posix::ExecFailure{
      posix::Errno::enomem,
      "no room for the kernel's pages at 0xe000000000000000 and the register stack; link the "
      "program elsewhere, or raise --max-memory"}};
}

bool map_gateway(AddressSpace& memory) {
  const auto mapped =
      memory.map(hpux_gateway, page_size, Permissions{.read = true, .execute = true}, "gateway");
  return mapped && memory.initialize(hpux_gateway, gateway_text);
}

bool map_vector(AddressSpace& memory) {
  constexpr std::size_t entry_bytes = 8;
  std::vector<std::uint8_t> bytes(entry_bytes * hpux_vector_entries);
  for (std::size_t at = 0; at < bytes.size(); at += entry_bytes) {
    store_bytes(&bytes[at], hpux_gateway.value(), Endian::big);
  }
  const auto mapped =
      memory.map(hpux_vector, bytes.size(), Permissions{.read = true}, "system call vector");
  return mapped && memory.initialize(hpux_vector, bytes);
}

// It grows up as far as the memory stack may grow down.
bool map_register_stack(const posix::Layout& layout, AddressSpace& memory) {
  const GuestAddr base = layout.stack_top - ia64_ports::hpux_stack_distance;
  return memory.map_stack(base, page_size, base + layout.stack_limit).ok();
}

std::uint64_t start_of(const Image& image, bool executable) {
  for (const Segment& segment : image.segments) {
    if (segment.permissions.execute == executable) return segment.address.value();
  }
  return 0;
}

std::uint64_t push_path(const posix::StackContext& context) {
  const std::string& path = context.program.path;
  return context
      .push(std::span(reinterpret_cast<const std::uint8_t*>(path.c_str()), path.size() + 1))
      .value();
}

// In words of the program, which begin at a multiple of 16 bytes with the number of arguments.
std::vector<std::uint64_t> in_narrow_words(const posix::StackContext& context,
                                           std::span<const std::uint64_t> doublewords) {
  const std::size_t before =
      1 + context.program.arguments.size() + 1 + context.program.environment.size() + 1;
  std::vector<std::uint64_t> words(before % 2);
  for (const std::uint64_t value : doublewords) {
    words.push_back(value >> 32);
    words.push_back(value & 0xffffffff);
  }
  return words;
}

}  // namespace

Result<Ok, posix::ExecFailure> map_ia64_kernel_pages(const posix::Port& port, AddressSpace& memory,
                                                     const Image& image, int) {
  if (!map_gateway(memory) || !map_vector(memory) || !map_register_stack(port.layout, memory)) {
    return no_room();
  }
  return image.page_zero_reads_zero ? map_page_zero(memory) : Result<Ok, posix::ExecFailure>(Ok{});
}

// What the table has no name for, and what only the dynamic linker fills in, is 0.
std::vector<std::uint64_t> load_information(const posix::StackContext& context) {
  const Image& image = context.image;
  const Image* const linker = context.program.linker.get();
  const bool is_narrow = image.address_bits == 32;
  const GuestAddr stack_top =
      is_narrow ? ia64_ports::hpux_stack_top_32 : ia64_ports::hpux_stack_top_64;
  constexpr std::uint64_t version = 1, bytes = 0x90, handler_return_bytes = 32;
  std::vector<std::uint64_t> information = {version,
                                            bytes,
                                            0,
                                            push_path(context),
                                            start_of(image, true),
                                            image.program_headers.value(),
                                            linker == nullptr ? 0 : start_of(*linker, true),
                                            linker == nullptr ? 0 : start_of(*linker, false),
                                            ia64_handler_return.value(),  // user_sendsig
                                            handler_return_bytes};
  constexpr std::size_t register_stack = 0x78 / 8;
  information.resize(bytes / 8);
  information[register_stack] = (stack_top - ia64_ports::hpux_stack_distance).value();
  return is_narrow ? in_narrow_words(context, information) : information;
}

}  // namespace hardclock::hpux
