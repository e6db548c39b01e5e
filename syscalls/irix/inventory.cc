// The hardware inventory (getinvent(3)), from which hinv(1) and prof(1) learn what machine it is.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/irix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

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

// The state of the board would be its number, and the source has none for the IP12 that uname(2)
// names; those of the chips are what they find in PRId and FCR0; that of memory is bytes.
std::vector<Words> entries(Call& call) {
  const mips::Registers& registers = mips::registers_of(*call.thread.cpu);
  const auto memory = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(call.simulation().budget()->limit_bytes(),
                              std::numeric_limits<std::int32_t>::max() & ~page_mask));
  return {{inv_processor, inv_cpuboard, megahertz(call.simulation().clock().cpu_rate()), 0, 0},
          {inv_processor, inv_fpuchip, 0, 0, registers.fpu_revision},
          {inv_processor, inv_cpuchip, 0, 0, registers.processor_revision},
          {inv_memory, inv_main, 0, 0, memory}};
}

// `next` is a null pointer.
posix::GuestStruct to_guest(const Call& call, const Words& words) {
  posix::GuestStruct entry(call);
  entry.pointer(GuestAddr(0));
  for (const std::uint32_t word : words) entry.word(word);
  return entry.align_long();
}

}  // namespace

// SGI_INVENT: the size of an entry, or as many whole entries as there is room for.
CallResult sgi_invent(Call& call) {
  constexpr std::uint32_t sizeof_entry = 1, read_entries = 2;
  const std::size_t size = to_guest(call, {}).bytes().size();
  if (call.argument(1) == sizeof_entry) return CallResult::value(size);
  const std::int32_t room = call.signed_argument(3);
  if (call.argument(1) != read_entries || room < 0) return CallResult::failure(Errno::einval);
  std::vector<Words> all = entries(call);
  all.resize(std::min(all.size(), static_cast<std::size_t>(room) / size));
  posix::GuestStruct inventory(call);
  for (const Words& words : all) inventory.append(to_guest(call, words));
  return inventory.store(call, call.address(2), CallResult::value(inventory.bytes().size()));
}

}  // namespace hardclock::irix::calls
