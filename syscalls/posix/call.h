// One system call being answered: what every handler gets and gives.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
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
  Simulation& simulation;
  Thread& thread;
  Process& process;
  State& state;
  AddressSpace& memory;
  std::array<std::uint64_t, max_arguments> arguments;

  // An argument of type int or unsigned.
  std::uint32_t argument(std::size_t index) const {
    return static_cast<std::uint32_t>(arguments[index]);
  }
  std::int32_t signed_argument(std::size_t index) const {
    return static_cast<std::int32_t>(arguments[index]);
  }
  GuestAddr address(std::size_t index) const { return GuestAddr(arguments[index]); }
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

  // The second result is 0 unless the call has one.
  static CallResult value(std::uint64_t first, std::uint64_t second = 0) {
    CallResult result(Kind::value);
    result.first = first;
    result.second = second;
    return result;
  }
  static CallResult failure(Errno error) {
    CallResult result(Kind::error);
    result.error = error;
    return result;
  }
  static CallResult wait(std::function<bool()> ready, bool restartable = true) {
    CallResult result(Kind::wait);
    result.ready = std::move(ready);
    result.restartable = restartable;
    return result;
  }
  static CallResult no_return() { return CallResult(Kind::no_return); }

  Kind kind;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  Errno error = Errno::einval;
  std::function<bool()> ready;
  bool restartable = true;

 private:
  explicit CallResult(Kind k) : kind(k) {}
};

// The path name at a guest address, seen from the process's directory.
Result<host::GuestPath, Errno> read_path(Call& call, GuestAddr address);
// Writes consecutive 32-bit words; EFAULT when they cannot be stored.
CallResult write_words(Call& call, GuestAddr address, std::span<const std::uint32_t> words,
                       CallResult on_success);

}  // namespace hardclock::posix
