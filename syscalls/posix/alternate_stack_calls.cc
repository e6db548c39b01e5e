// Where handlers run: sigaltstack(2) and 4.2BSD's sigstack(2).
#include <optional>
#include <span>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/longs.h"
#include "syscalls/posix/siginfo.h"

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

// The width of the size in stack_t {void *ss_sp; size_t ss_size; int ss_flags}; some systems swap
// the last two members.
unsigned size_bytes(const Call& call) {
  return call.port().stack_size_is_int ? 4 : long_bytes(call);
}

struct StackOffsets {
  std::uint64_t size, flags;
};

StackOffsets offsets_of(const Call& call) {
  const std::uint64_t second = long_bytes(call);
  if (call.port().stack_flags_precede_size) return {second + size_bytes(call), second};
  return {second, second + size_bytes(call)};
}

Result<std::uint64_t, Fault> read_unsigned(Call& call, GuestAddr address, unsigned bytes) {
  if (bytes == 8) return call.memory.read<std::uint64_t>(address);
  const auto word = call.memory.read<std::uint32_t>(address);
  if (!word) return Failure{word.error()};
  return std::uint64_t{*word};
}

Result<AlternateStack, Errno> read_stack(Call& call, GuestAddr address) {
  const StackOffsets offsets = offsets_of(call);
  const auto base = read_pointer(call, address);
  const auto size = read_unsigned(call, address + offsets.size, size_bytes(call));
  const auto flags = call.memory.read<std::uint32_t>(address + offsets.flags);
  if (!base || !size || !flags) return Failure{Errno::efault};
  if ((*flags & ~ss_disable) != 0) return Failure{Errno::einval};
  if (*flags == ss_disable) return AlternateStack{};
  if (*size < minimum_size) return Failure{Errno::enomem};
  return AlternateStack{*base, *size, true};
}

CallResult write_stack(Call& call, GuestAddr address, const AlternateStack& stack) {
  const StackOffsets offsets = offsets_of(call);
  const CallResult done = CallResult::value(0);
  const std::uint64_t longs[] = {stack.base.value(), stack.size};
  const std::uint32_t words[] = {static_cast<std::uint32_t>(stack.size), flags_of(call, stack)};
  const auto size_word = std::span(words).first(1), flags_word = std::span(words).last(1);
  const CallResult based = write_longs(call, address, std::span(longs).first(1), done);
  if (based.kind == CallResult::Kind::error) return based;
  const CallResult sized =
      size_bytes(call) == 4
          ? write_words(call, address + offsets.size, size_word, done)
          : write_longs(call, address + offsets.size, std::span(longs).last(1), done);
  if (sized.kind == CallResult::Kind::error) return sized;
  return write_words(call, address + offsets.flags, flags_word, done);
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

CallResult sigaltstack(Call& call) {
  return sigaltstack_at(call, 0);
}

// sigstack(new, old), each {char *ss_sp; int ss_onstack}: ss_sp is the end from which the stack
// grows; its length is unknown. Solaris's library, which turns it into a sigaltstack(), assumes
// SIGSTKSZ bytes.
CallResult sigstack_at(Call& call, std::size_t first) {
  AlternateStack& stack = thread_state_of(call.thread).alternate_stack;
  const bool grows_up = call.abi().stack_grows_up;
  std::optional<AlternateStack> wanted;
  if (call.address(first) != GuestAddr(0)) {
    const auto end = read_pointer(call, call.address(first));
    if (!end) return CallResult::failure(end.error());
    wanted = AlternateStack{grows_up ? *end : *end - usual_size, usual_size, *end != GuestAddr(0)};
  }
  if (call.address(first + 1) != GuestAddr(0)) {
    const GuestAddr end = grows_up ? stack.base : stack.base + stack.size;
    const std::uint64_t top[] = {stack.enabled ? end.value() : 0};
    const CallResult done = CallResult::value(0);
    const CallResult written = write_longs(call, call.address(first + 1), top, done);
    if (written.kind == CallResult::Kind::error) return written;
    const std::uint32_t on_stack[] = {is_in_use(call) ? 1U : 0U};
    const CallResult told =
        write_words(call, call.address(first + 1) + long_bytes(call), on_stack, done);
    if (told.kind == CallResult::Kind::error) return told;
  }
  if (wanted) stack = *wanted;
  return CallResult::value(0);
}

CallResult sigstack(Call& call) {
  return sigstack_at(call, 0);
}

}  // namespace hardclock::posix::calls
