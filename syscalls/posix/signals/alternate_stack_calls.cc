// Where handlers run: sigaltstack(2) and 4.2BSD's sigstack(2).
#include <optional>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/siginfo.h"

namespace hardclock::posix::calls {
namespace {

// In bytes (IRIX <sys/signal.h>).
constexpr std::uint64_t minimum_size = 2048, usual_size = 8192;

bool is_in_use(const Call& call) {
  return thread_state_of(call.thread)
      .alternate_stack.holds(call.abi().stack_pointer(*call.thread.cpu));
}

std::uint32_t flags_of(const Call& call, const AlternateStack& stack) {
  if (!stack.enabled) return ss_disable;
  return is_in_use(call) ? ss_onstack : 0;
}

// stack_t {void *ss_sp; size_t ss_size; int ss_flags}; some systems swap the last two members, and
// the size may be an int.
struct StackT {
  GuestAddr base;
  std::uint64_t size = 0;
  std::uint32_t flags = 0;

  void lay_out(auto& members, const Port& port) {
    const std::size_t size_bytes = size_bytes_of(port);
    members.pointer(base);
    if (port.stack_flags_precede_size) {
      members.word(flags).member(size_bytes, size);
    } else {
      members.member(size_bytes, size).word(flags);
    }
  }
  static std::size_t size_bytes_of(const Port& port) {
    return port.stack_size_is_int ? 4 : port.abi->long_bytes();
  }
};

// Size and flags have to be at their alignment.
Result<AlternateStack, Errno> read_stack(Call& call, GuestAddr address) {
  GuestReader reader(call, address);
  StackT stack;
  stack.lay_out(reader, call.port());
  const bool is_aligned = address.value() % StackT::size_bytes_of(call.port()) == 0;
  if (!reader.ok() || !is_aligned) return Failure{Errno::efault};
  if ((stack.flags & ~ss_disable) != 0) return Failure{Errno::einval};
  if (stack.flags == ss_disable) return AlternateStack{};
  if (stack.size < minimum_size) return Failure{Errno::enomem};
  return AlternateStack{stack.base, stack.size, true};
}

CallResult write_stack(Call& call, GuestAddr address, const AlternateStack& stack) {
  GuestStruct members(call);
  StackT{stack.base, stack.size, flags_of(call, stack)}.lay_out(members, call.port());
  return members.store(call, address);
}

}  // namespace

// sigaltstack(new, old) whose arguments begin at `first`. EPERM: the stack is in use.
CallResult sigaltstack_at(Call& call, std::size_t first) {
  AlternateStack& stack = thread_state_of(call.thread).alternate_stack;
  std::optional<AlternateStack> wanted;
  if (call.address(first) != GuestAddr(0)) {
    const auto read = read_stack(call, call.address(first));
    if (!read) return CallResult::failure(read.error());
    if (is_in_use(call)) return CallResult::failure(Errno::eperm);
    wanted = *read;
  }
  if (call.address(first + 1) != GuestAddr(0)) {
    const CallResult written = write_stack(call, call.address(first + 1), stack);
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (wanted) stack = *wanted;
  return CallResult::value(0);
}

// sigstack(new, old), each {char *ss_sp; int ss_onstack}: ss_sp is the end from which the stack
// grows; its length is unknown. Solaris's library, which turns it into a sigaltstack(), assumes
// SIGSTKSZ bytes.
CallResult sigstack_at(Call& call, std::size_t first) {
  AlternateStack& stack = thread_state_of(call.thread).alternate_stack;
  const bool grows_up = call.abi().stack_grows_up;
  std::optional<AlternateStack> wanted;
  if (call.address(first) != GuestAddr(0)) {
    GuestReader reader(call, call.address(first));
    const GuestAddr end = reader.pointer();
    if (!reader.ok()) return CallResult::failure(Errno::efault);
    wanted = AlternateStack{grows_up ? end : end - usual_size, usual_size, end != GuestAddr(0)};
  }
  if (call.address(first + 1) != GuestAddr(0)) {
    const GuestAddr end = grows_up ? stack.base : stack.base + stack.size;
    const CallResult told = GuestStruct(call)
                                .pointer(stack.enabled ? end : GuestAddr(0))
                                .word(is_in_use(call) ? 1 : 0)
                                .store(call, call.address(first + 1));
    if (told.kind == CallResult::Kind::error) return told;
  }
  if (wanted) stack = *wanted;
  return CallResult::value(0);
}

}  // namespace hardclock::posix::calls
