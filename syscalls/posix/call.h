// One system call being answered: what every handler gets and gives.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "sim/process/simulation.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/master/call_info.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {

class Kernel;
struct UnixSystem;

inline constexpr std::size_t max_arguments = max_call_slots;

struct Call {
  Kernel& os;
  const UnixSystem& system;
  Thread& thread;
  Process& process;
  ProcessState& state;
  AddressSpace& memory;
  // By the slots of the call table, whatever the convention: an int64 takes two, the high half
  // first, and a pad one. Numbers of 32 bits are zero-extended.
  std::array<std::uint64_t, max_arguments> arguments;

  Simulation& simulation() const { return process.os->simulation(); }
  // Of the thread: others of its process have the same, or their own (Linux's unshare(2)).
  Descriptors& descriptors() const { return *thread_state_of(thread).descriptors; }
  PathContext& paths() const { return *thread_state_of(thread).paths; }
  const Port& port() const { return *state.port; }
  const SyscallAbi& abi() const { return *state.port->abi; }
  // An argument of type int or unsigned.
  std::uint32_t argument(std::size_t index) const {
    return static_cast<std::uint32_t>(arguments[index]);
  }
  std::int32_t signed_argument(std::size_t index) const {
    return static_cast<std::int32_t>(arguments[index]);
  }
  // When this call, which may run again, gives up waiting: its first deadline counts.
  Deadline first_deadline(Deadline deadline) const {
    const Wait* const before = thread.wait_before();
    return before == nullptr ? deadline : before->until.value_or(deadline);
  }
  // An argument that is a pointer.
  GuestAddr address(std::size_t index) const { return abi().pointer(arguments[index]); }
  bool is_null(std::size_t index) const { return address(index) == GuestAddr(0); }
  // An argument of type off_t: as wide as a register.
  std::int64_t offset(std::size_t index) const {
    return abi().register_bits == 32 ? std::int64_t{signed_argument(index)}
                                     : static_cast<std::int64_t>(arguments[index]);
  }
  // An argument of kind int64, which takes two slots from `index` on.
  std::uint64_t argument64(std::size_t index) const {
    return arguments[index] << 32 | argument(index + 1);
  }
};

// What becomes of the call.
class CallResult {
 public:
  enum class Kind : std::uint8_t {
    value,      // one result or two, no error
    error,      // errno
    wait,       // the thread waits; the call runs again
    no_return,  // the context was replaced, or the process ended
  };

  // Without a second result its register keeps what it had: IRIX's sbrk() counts on it (libc.so.1),
  // and 4.3BSD's syscall() sets it so (sys/vax/trap.c, u.u_r.r_val2).
  static CallResult value(std::uint64_t first, std::optional<std::uint64_t> second = {}) {
    CallResult result(Kind::value);
    result.first = first;
    result.second = second;
    return result;
  }
  // One result of type off_t: as wide as a register.
  static CallResult offset(std::uint64_t value) {
    CallResult result = CallResult::value(value);
    result.width = Width::reg;
    return result;
  }
  // One result of 64 bits.
  static CallResult value64(std::uint64_t value) {
    CallResult result = CallResult::value(value);
    result.width = Width::bits64;
    return result;
  }
  static CallResult failure(Errno error) {
    CallResult result(Kind::error);
    result.error = error;
    return result;
  }
  // The name of the call need not be set.
  static CallResult wait(Wait what) {
    CallResult result(Kind::wait);
    result.awaited = std::move(what);
    return result;
  }
  static CallResult no_return() { return CallResult(Kind::no_return); }

  // Of the first result.
  enum class Width : std::uint8_t { word, reg, bits64 };

  Kind kind;
  Width width = Width::word;
  std::uint64_t first = 0;
  std::optional<std::uint64_t> second;
  Errno error = Errno::einval;
  Wait awaited;  // of Kind::wait

 private:
  explicit CallResult(Kind k) : kind(k) {}
};

using Handler = CallResult (*)(Call&);

// The path name at a guest address, seen from the process's directory.
Result<host::GuestPath, Errno> read_path(Call& call, GuestAddr address);
// Writes consecutive 32-bit words; EFAULT when they cannot be stored.
CallResult write_words(Call& call, GuestAddr address, std::span<const std::uint32_t> words,
                       CallResult on_success);

}  // namespace hardclock::posix
