// ptrace(2) of PA-RISC programs. Source: Linux 6.1, arch/parisc/kernel/ptrace.c, and
// arch/parisc/include/uapi/asm/ptrace.h.
#include <array>
#include <optional>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/status_word.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/gateway.h"
#include "syscalls/linux/tracing.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using pa_risc::Registers;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::GuestReader;
using posix::GuestStruct;
using posix::TracedCall;

enum OwnRequest : std::uint32_t {
  get_fp_registers = 14,
  set_fp_registers = 15,
  get_registers = 18,
  set_registers = 19,
};

// struct pt_regs, by which PTRACE_PEEKUSER has offsets in bytes: 32 words, of which the first is
// the status word and the others are general registers; 32 doublewords of floating point; then
// words.
enum Offset : std::uint64_t {
  offset_of_fpr = 128,
  offset_of_space = 384,
  offset_of_queue = 424,  // behind iasq
  offset_of_cr27 = 432,
  offset_of_old_r28 = 440,
  offset_of_sar = 452,
  offset_of_ipsw = 468,
  pt_regs_bytes = 472,
};

// struct user_regs_struct, in words.
enum Number : std::size_t {
  number_of_space = 32,
  number_of_queue = 40,
  number_of_sar = 44,
  number_of_ipsw = 48,
  number_of_cr24 = 50,
  number_of_cr31 = 57,
  user_words = 80,
};

constexpr std::uint64_t word_bytes = 4;
constexpr std::size_t thread_register = 3;                       // cr27, of those from cr24 on
constexpr std::uint64_t restart_call = ~std::uint64_t{512} + 1;  // -ERESTARTSYS
constexpr std::uint64_t program_bits =  // USER_PSW_BITS: what a tracer may change
    pa_risc::status_word::nullify | pa_risc::status_word::divide_step |
    std::uint64_t{0xff} << pa_risc::status_word::carries;

// In a call a thread stands at the gateway page; the kernel has it behind the branch to that, and
// no tracer can change where (entry.S, syscall_restore_rfi).
bool stands_at_call(const Registers& registers) {
  return is_gateway_entry(GuestAddr(registers.pc));
}

bool is_broken_off(Thread& thread) {
  return posix::thread_state_of(thread).traced_call == TracedCall::broken_off;
}

std::uint32_t gpr_of(Thread& thread, std::size_t number) {
  const Registers& registers = pa_risc::registers_of(*thread.cpu);
  if (number == 0) return pa_risc::to_word(pa_risc::status_word_of(registers, 32));
  const bool is_result = number == pa_risc::ret0 && is_broken_off(thread);
  return pa_risc::to_word(is_result ? restart_call : registers.gpr[number]);
}

// A call that is broken off keeps the argument that its result would replace, to be made again.
void set_gpr(Thread& thread, std::size_t number, std::uint32_t value) {
  Registers& registers = pa_risc::registers_of(*thread.cpu);
  if (number == 0) {
    const std::uint64_t rest = pa_risc::status_word_of(registers, 32) & ~program_bits;
    pa_risc::take_status_word(registers, rest | (value & program_bits));
  } else if (number != pa_risc::ret0 || !is_broken_off(thread)) {
    registers.gpr[number] = value;
  }
}

// The front (0) and the back (1) of the queue of instruction addresses.
std::uint32_t queue_of(Thread& thread, std::size_t place) {
  const Registers& registers = pa_risc::registers_of(*thread.cpu);
  const std::uint64_t link = registers.gpr[pa_risc::ble_link];
  const std::uint64_t front = stands_at_call(registers) ? link : registers.pc;
  const std::uint64_t back = stands_at_call(registers) ? link + word_bytes : registers.next_pc;
  return pa_risc::to_word((place == 0 ? front : back) | Registers::privilege_bits);
}

void set_queue(Thread& thread, std::size_t place, std::uint32_t value) {
  Registers& registers = pa_risc::registers_of(*thread.cpu);
  if (stands_at_call(registers)) return;
  (place == 0 ? registers.pc : registers.next_pc) = value & ~Registers::privilege_bits;
  registers.in_delay_slot = registers.next_pc != registers.pc + word_bytes;
}

// The word of struct pt_regs at an offset.
std::optional<std::uint64_t> peek(Thread& thread, std::uint64_t offset) {
  if (offset % word_bytes != 0 || offset >= pt_regs_bytes) return std::nullopt;
  const Registers& registers = pa_risc::registers_of(*thread.cpu);
  if (offset < offset_of_fpr) return gpr_of(thread, offset / word_bytes);
  if (offset < offset_of_space) {
    const std::uint64_t at = offset - offset_of_fpr;
    const std::uint64_t value = registers.fpr[at / (2 * word_bytes)];
    return pa_risc::to_word(at % (2 * word_bytes) == 0 ? value >> 32 : value);
  }
  switch (offset) {
    case offset_of_queue:
    case offset_of_queue + word_bytes:
      return queue_of(thread, (offset - offset_of_queue) / word_bytes);
    case offset_of_cr27:
      return registers.temporary[thread_register];
    case offset_of_old_r28:
      return pa_risc::to_word(registers.gpr[pa_risc::ret0]);
    case offset_of_sar:
      return registers.shift_amount;
    case offset_of_ipsw:
      return gpr_of(thread, 0);
    default:
      return 0;  // spaces, of which there is one, and what is the kernel's
  }
}

bool poke(Thread& thread, std::uint64_t offset, std::uint64_t value) {
  if (offset % word_bytes != 0) return false;
  Registers& registers = pa_risc::registers_of(*thread.cpu);
  const std::uint32_t word = pa_risc::to_word(value);
  if (offset < offset_of_fpr) {
    set_gpr(thread, offset / word_bytes, word);
  } else if (offset < offset_of_space) {
    const std::uint64_t at = offset - offset_of_fpr;
    std::uint64_t& whole = registers.fpr[at / (2 * word_bytes)];
    const unsigned shift = at % (2 * word_bytes) == 0 ? 32 : 0;
    whole = (whole & ~(std::uint64_t{0xffffffff} << shift)) | std::uint64_t{word} << shift;
  } else if (offset == offset_of_queue || offset == offset_of_queue + word_bytes) {
    set_queue(thread, (offset - offset_of_queue) / word_bytes, word);
  } else if (offset == offset_of_sar) {
    registers.shift_amount = word % 32;
  } else {
    return false;
  }
  return true;
}

std::uint32_t user_word(Thread& thread, std::size_t number) {
  const Registers& registers = pa_risc::registers_of(*thread.cpu);
  if (number < number_of_space) return gpr_of(thread, number);
  if (number == number_of_queue || number == number_of_queue + 1) {
    return queue_of(thread, number - number_of_queue);
  }
  if (number == number_of_sar) return pa_risc::to_word(registers.shift_amount);
  if (number == number_of_ipsw) return gpr_of(thread, 0);
  if (number >= number_of_cr24 && number <= number_of_cr31) {
    return pa_risc::to_word(registers.temporary[number - number_of_cr24]);
  }
  return 0;  // likewise
}

CallResult write_registers(Call& call, Thread& thread) {
  GuestStruct members(call);
  for (std::size_t i = 0; i < user_words; ++i) members.word(user_word(thread, i));
  return members.store(call, call.address(3));
}

CallResult read_registers(Call& call, Thread& thread) {
  GuestReader members(call, call.address(3));
  std::array<std::uint32_t, user_words> words = {};
  for (std::uint32_t& word : words) word = members.word();
  if (!members.ok()) return CallResult::failure(Errno::efault);
  for (std::size_t i = 0; i < number_of_space; ++i) set_gpr(thread, i, words[i]);
  for (const std::size_t place : {0, 1}) set_queue(thread, place, words[number_of_queue + place]);
  pa_risc::registers_of(*thread.cpu).shift_amount = words[number_of_sar] % 32;
  return CallResult::value(0);
}

CallResult write_fp_registers(Call& call, Thread& thread) {
  GuestStruct members(call);
  for (const std::uint64_t value : pa_risc::registers_of(*thread.cpu).fpr) members.wide(value);
  return members.store(call, call.address(3));
}

CallResult read_fp_registers(Call& call, Thread& thread) {
  GuestReader members(call, call.address(3));
  auto values = pa_risc::registers_of(*thread.cpu).fpr;
  for (std::uint64_t& value : values) value = members.wide();
  if (!members.ok()) return CallResult::failure(Errno::efault);
  pa_risc::registers_of(*thread.cpu).fpr = values;
  return CallResult::value(0);
}

std::optional<CallResult> own_request(Call& call, Thread& thread, std::uint32_t request) {
  switch (request) {
    case get_registers:
      return write_registers(call, thread);
    case set_registers:
      return read_registers(call, thread);
    case get_fp_registers:
      return write_fp_registers(call, thread);
    case set_fp_registers:
      return read_fp_registers(call, thread);
    default:
      return std::nullopt;
  }
}

// A nullified instruction is passed over without running (user_enable_single_step()).
bool begin_step(Thread& thread) {
  Registers& registers = pa_risc::registers_of(*thread.cpu);
  if (!registers.nullify) return false;
  registers.pc = registers.next_pc;
  registers.next_pc = registers.pc + word_bytes;
  registers.nullify = registers.in_delay_slot = registers.divide_step = false;
  return true;
}

}  // namespace

namespace calls {

CallResult ptrace_pa_risc(Call& call) {
  static constexpr TracedRegisters registers{peek, poke, own_request, begin_step};
  return trace_request(call, registers);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
