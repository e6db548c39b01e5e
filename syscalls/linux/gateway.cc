#include "syscalls/linux/gateway.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "isa/pa_risc/abi.h"
#include "sim/base/endian.h"
#include "syscalls/linux/calls.h"

namespace hardclock::gnu_linux {
namespace {

using posix::Call;
using posix::CallResult;
using posix::Errno;

// A null function pointer ends in SIGSEGV at address 0, as where the page is in a space of its own:
// data access to it is not allowed. The kernel's page is full of BREAK 0,0.
constexpr std::uint32_t load_from_zero = 0x0c001081;  // ldw 0(r0),r1
constexpr std::uint32_t gate = 0xe8002000;            // b,gate .+8,r0
constexpr std::uint64_t entries[] = {0xb0, 0xe0, 0x100};

constexpr std::array<std::uint32_t, 6> trampoline = {
    static_cast<std::uint32_t>(context_distance),
    0x08000240,  // nop
    0x34190000,  // ldi 0,r25: not from within a call
    0x3414015a,  // ldi 173,r20: rt_sigreturn
    0xe4008200,  // ble 0x100(sr2,r0)
    0x08000240,  // nop
};

Result<Ok, posix::ExecFailure> map_code(AddressSpace& memory, GuestAddr page,
                                        Permissions permissions, const char* name,
                                        std::span<const std::uint32_t> words) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    store_bytes(&bytes[4 * i], words[i], memory.endian());
  }
  const auto mapped = memory.map(page, page_size, permissions, name);
  if (mapped && memory.initialize(page, bytes)) return Ok{};
  return Failure{posix::ExecFailure{
      posix::Errno::enomem,
      "no room for the kernel's pages at 0 and 0xffeff000; link the program between them, or "
      "raise --max-memory"}};
}

// ---- The calls of the entry at 0xb0.

constexpr unsigned number_register = 20, error_register = 21;
enum Operation : std::uint32_t {
  compare_and_swap32,
  compare_and_swap64,  // of wide programs; the same for narrow ones
  compare_and_swap_sized,
  exchange_sized,
  store_sized,
};
constexpr std::uint64_t largest_size = 3;  // as a power of two: 1, 2, 4 or 8 bytes

Result<std::uint64_t, Fault> load(AddressSpace& memory, GuestAddr address, std::uint64_t size) {
  const auto widened = [](const auto& value) -> Result<std::uint64_t, Fault> {
    if (!value) return Failure{value.error()};
    return std::uint64_t{*value};
  };
  switch (size) {
    case 0:
      return widened(memory.read<std::uint8_t>(address));
    case 1:
      return widened(memory.read<std::uint16_t>(address));
    case 2:
      return widened(memory.read<std::uint32_t>(address));
    default:
      return memory.read<std::uint64_t>(address);
  }
}

Result<Ok, Fault> store(AddressSpace& memory, GuestAddr address, std::uint64_t size,
                        std::uint64_t value) {
  switch (size) {
    case 0:
      return memory.write(address, static_cast<std::uint8_t>(value));
    case 1:
      return memory.write(address, static_cast<std::uint16_t>(value));
    case 2:
      return memory.write(address, static_cast<std::uint32_t>(value));
    default:
      return memory.write(address, value);
  }
}

CallResult light_result(Call& call, std::uint64_t first) {
  pa_risc::registers_of(*call.thread.cpu).gpr[error_register] = 0;
  return CallResult::value(first);
}

CallResult light_failure(Call& call, Errno error) {
  pa_risc::registers_of(*call.thread.cpu).gpr[error_register] =
      pa_risc::to_word(-std::uint64_t{call.system.errnos.of(error)});
  return CallResult::value(1);
}

// (address, old, new): what was there.
CallResult swap_word(Call& call) {
  constexpr std::uint64_t word = 2;
  const GuestAddr address = call.address(0);
  // The word must be writable even if it is not written.
  if (!call.memory.probe(address, 4, Access::write)) return light_failure(call, Errno::efault);
  const auto present = load(call.memory, address, word);
  if (!present) return light_failure(call, Errno::efault);
  if (*present == call.argument(1) && !store(call.memory, address, word, call.arguments[2])) {
    return light_failure(call, Errno::efault);
  }
  return light_result(call, *present);
}

// (address, old, new, size), with old and new in memory: whether something else was there.
CallResult swap_sized(Call& call) {
  const std::uint64_t size = call.arguments[3];
  if (size > largest_size) return light_failure(call, Errno::enosys);
  const auto old = load(call.memory, call.address(1), size);
  const auto wanted = load(call.memory, call.address(2), size);
  const auto present = load(call.memory, call.address(0), size);
  if (!old || !wanted || !present) return light_failure(call, Errno::efault);
  if (!call.memory.probe(call.address(0), std::uint64_t{1} << size, Access::write)) {
    return light_failure(call, Errno::efault);
  }
  if (*present != *old) return light_result(call, 1);
  const auto stored = store(call.memory, call.address(0), size, *wanted);
  return stored ? light_result(call, 0) : light_failure(call, Errno::efault);
}

// (address, size, new, old), with old and new in memory.
CallResult exchange(Call& call) {
  const std::uint64_t size = call.arguments[1];
  if (size > largest_size) return light_failure(call, Errno::enosys);
  const auto wanted = load(call.memory, call.address(2), size);
  const auto present = load(call.memory, call.address(0), size);
  const bool done = wanted && present && store(call.memory, call.address(3), size, *present) &&
                    store(call.memory, call.address(0), size, *wanted);
  return done ? light_result(call, 0) : light_failure(call, Errno::efault);
}

// (address, size, new), with new in memory.
CallResult store_value(Call& call) {
  const std::uint64_t size = call.arguments[1];
  if (size > largest_size) return light_failure(call, Errno::enosys);
  const auto wanted = load(call.memory, call.address(2), size);
  const bool done = wanted && store(call.memory, call.address(0), size, *wanted);
  return done ? light_result(call, 0) : light_failure(call, Errno::efault);
}

}  // namespace

bool is_gateway_entry(GuestAddr address) {
  return std::ranges::find(entries, address.value()) != std::end(entries);
}

bool is_at_gateway(const Thread& thread) {
  return is_gateway_entry(thread.cpu->interrupted_pc());
}

Result<Ok, posix::ExecFailure> map_pa_risc_pages(const posix::Port& port, AddressSpace& memory,
                                                 const Image&, int) {
  std::vector<std::uint32_t> gateway(page_size / 4, load_from_zero);
  for (const std::uint64_t entry : entries) gateway[entry / 4] = gate;
  const auto mapped =
      map_code(memory, *port.gateway_page, Permissions{.execute = true}, gateway_region, gateway);
  if (!mapped) return mapped;
  return map_code(memory, pa_risc_vdso_page, Permissions{.read = true, .execute = true}, "vdso",
                  trampoline);
}

namespace calls {

CallResult light_weight_call(Call& call) {
  const pa_risc::Registers& registers = pa_risc::registers_of(*call.thread.cpu);
  switch (pa_risc::to_word(registers.gpr[number_register])) {
    case compare_and_swap32:
    case compare_and_swap64:
      return swap_word(call);
    case compare_and_swap_sized:
      return swap_sized(call);
    case exchange_sized:
      return exchange(call);
    case store_sized:
      return store_value(call);
    default:
      return light_failure(call, Errno::enosys);
  }
}

// The result register stays as it is.
CallResult set_thread_pointer(Call& call) {
  call.abi().set_thread_pointer(*call.thread.cpu, call.argument(0));
  return CallResult::value(pa_risc::registers_of(*call.thread.cpu).gpr[pa_risc::ret0]);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
