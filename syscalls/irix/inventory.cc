// The hardware inventory (getinvent(3)), from which hinv(1) and prof(1) learn what machine it is.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/longs.h"

namespace hardclock::irix::calls {
namespace {

// struct inventory_s {pointer next; int class, type; controller, unit; int state} has five words
// after the pointer; the numbers are Linux 2.4's, asm-mips/inventory.h and asm-mips/sgi/sgi.h.
constexpr std::uint32_t inv_processor = 1, inv_memory = 3;                   // classes
constexpr std::uint32_t inv_cpuboard = 1, inv_cpuchip = 2, inv_fpuchip = 3;  // of inv_processor
constexpr std::uint32_t inv_main = 1;                                        // of inv_memory
using Words = std::array<std::uint32_t, 5>;

// To the nearest.
std::uint32_t megahertz(Hertz clock) {
  constexpr std::uint64_t hertz_per_megahertz = 1'000'000;
  return static_cast<std::uint32_t>((clock.value() + hertz_per_megahertz / 2) /
                                    hertz_per_megahertz);
}

std::size_t entry_size(const Call& call) {
  const std::size_t pointer = posix::long_bytes(call);
  const std::size_t size = pointer + sizeof(Words);
  return (size + pointer - 1) / pointer * pointer;
}

// The state of the board would be its number, and the source has none for the IP12 that uname(2)
// names; those of the chips are what they find in PRId and FCR0; that of memory is bytes.
std::vector<Words> entries(Call& call) {
  const mips::Registers& registers = mips::registers_of(*call.thread.cpu);
  const auto memory = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(call.simulation.budget()->limit_bytes(),
                              std::numeric_limits<std::int32_t>::max() & ~page_mask));
  return {{inv_processor, inv_cpuboard, megahertz(call.simulation.clock().cpu_rate()), 0, 0},
          {inv_processor, inv_fpuchip, 0, 0, registers.fpu_revision},
          {inv_processor, inv_cpuchip, 0, 0, registers.processor_revision},
          {inv_memory, inv_main, 0, 0, memory}};
}

std::vector<std::uint8_t> inventory(Call& call) {
  const std::size_t size = entry_size(call);
  const std::vector<Words> all = entries(call);
  std::vector<std::uint8_t> bytes(all.size() * size);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint8_t* at = &bytes[i * size + posix::long_bytes(call)];
    for (const std::uint32_t word : all[i]) {
      store_bytes(at, word, call.memory.endian());
      at += sizeof word;
    }
  }
  return bytes;
}

}  // namespace

// SGI_INVENT: the size of an entry, or as many whole entries as there is room for.
CallResult sgi_invent(Call& call) {
  constexpr std::uint32_t sizeof_entry = 1, read_entries = 2;
  const std::size_t size = entry_size(call);
  if (call.argument(1) == sizeof_entry) return CallResult::value(size);
  const std::int32_t room = call.signed_argument(3);
  if (call.argument(1) != read_entries || room < 0) return CallResult::failure(Errno::einval);
  std::vector<std::uint8_t> bytes = inventory(call);
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(room) / size * size));
  if (!call.memory.write_bytes(call.address(2), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(bytes.size());
}

}  // namespace hardclock::irix::calls
