#include "syscalls/posix/signals/siginfo.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {
namespace {

using Cause = SignalInfo::Cause;

// Of those that are not 0.
constexpr std::pair<Cause, std::uint32_t> cause_codes[] = {
    {Cause::queued, static_cast<std::uint32_t>(-1)},  // SI_QUEUE
    {Cause::timer, static_cast<std::uint32_t>(-3)},   // SI_TIMER
    {Cause::child_exited, 1},                         // CLD_EXITED
    {Cause::child_killed, 2},                         // CLD_KILLED
    {Cause::child_trapped, 4},                        // CLD_TRAPPED
    {Cause::child_stopped, 5},                        // CLD_STOPPED
    {Cause::child_continued, 6},                      // CLD_CONTINUED
    {Cause::divide_by_zero, 1},                       // FPE_INTDIV
    {Cause::integer_overflow, 2},                     // FPE_INTOVF
    {Cause::floating_divide_by_zero, 3},              // FPE_FLTDIV
    {Cause::floating_overflow, 4},                    // FPE_FLTOVF
    {Cause::floating_underflow, 5},                   // FPE_FLTUND
    {Cause::floating_inexact, 6},                     // FPE_FLTRES
    {Cause::floating_invalid, 7},                     // FPE_FLTINV
    {Cause::not_mapped, 1},                           // SEGV_MAPERR
    {Cause::not_permitted, 2},                        // SEGV_ACCERR
    {Cause::misaligned, 1},                           // BUS_ADRALN
    {Cause::no_object, 2},                            // BUS_ADRERR
    {Cause::illegal_instruction, 1},                  // ILL_ILLOPC
    {Cause::breakpoint, 1},                           // TRAP_BRKPT
    {Cause::trace, 2},                                // TRAP_TRACE
    {Cause::file_news, 1},                            // POLL_IN
};

}  // namespace

std::uint32_t siginfo_code(Cause cause) {
  const auto* const found =
      std::ranges::find(cause_codes, cause, &std::pair<Cause, std::uint32_t>::first);
  return found == std::end(cause_codes) ? 0 : found->second;
}

std::vector<std::uint8_t> saved_siginfo(const Process& process, unsigned signal,
                                        const SignalInfo& info) {
  return saved_siginfo(guest_types(process), signal, info);
}

std::vector<std::uint8_t> saved_siginfo(const GuestTypes& types, unsigned signal,
                                        const SignalInfo& info) {
  GuestStruct siginfo(types);
  const bool has_code = info.cause == Cause::queued || info.cause == Cause::timer;
  const std::uint32_t code =
      has_code ? static_cast<std::uint32_t>(info.code) : siginfo_code(info.cause);
  siginfo.word(signal).word(code).word(0).align_long();  // si_errno
  switch (info.cause) {
    case Cause::sent:
      siginfo.word(static_cast<std::uint64_t>(info.pid)).word(info.user);
      break;
    case Cause::queued:
    case Cause::timer:
      siginfo.word_long(info.value);
      break;
    case Cause::child_exited:
    case Cause::child_killed:
    case Cause::child_trapped:
    case Cause::child_stopped:
    case Cause::child_continued:
      // pid; then clock_t utime, int status, clock_t stime
      siginfo.word(static_cast<std::uint64_t>(info.pid)).word_long(info.user_time);
      siginfo.word(info.status).word_long(info.system_time);
      break;
    default:
      siginfo.pointer(info.address);
  }
  siginfo.skip(siginfo_size - siginfo.bytes().size());
  return siginfo.bytes();
}

}  // namespace hardclock::posix
