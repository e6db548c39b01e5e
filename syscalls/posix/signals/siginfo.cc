#include "syscalls/posix/signals/siginfo.h"

#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {
std::uint32_t siginfo_code(SignalInfo::Cause cause) {
  using Cause = SignalInfo::Cause;
  constexpr auto si_queue = static_cast<std::uint32_t>(-1),
                 si_timer = static_cast<std::uint32_t>(-3);
  constexpr std::uint32_t fpe_intdiv = 1, fpe_intovf = 2, fpe_fltdiv = 3, fpe_fltovf = 4,
                          fpe_fltund = 5, fpe_fltres = 6, fpe_fltinv = 7;
  constexpr std::uint32_t segv_maperr = 1, segv_accerr = 2;
  constexpr std::uint32_t bus_adraln = 1, bus_adrerr = 2, ill_illopc = 1, trap_brkpt = 1,
                          trap_trace = 2;
  switch (cause) {
    case Cause::sent:
      return 0;  // SI_USER
    case Cause::queued:
      return si_queue;
    case Cause::timer:
      return si_timer;
    case Cause::child_exited:
      return 1;  // CLD_EXITED and so on
    case Cause::child_killed:
      return 2;
    case Cause::child_trapped:
      return 4;
    case Cause::child_stopped:
      return 5;
    case Cause::child_continued:
      return 6;
    case Cause::divide_by_zero:
      return fpe_intdiv;
    case Cause::integer_overflow:
      return fpe_intovf;
    case Cause::floating_invalid:
      return fpe_fltinv;
    case Cause::floating_divide_by_zero:
      return fpe_fltdiv;
    case Cause::floating_overflow:
      return fpe_fltovf;
    case Cause::floating_underflow:
      return fpe_fltund;
    case Cause::floating_inexact:
      return fpe_fltres;
    case Cause::not_mapped:
      return segv_maperr;
    case Cause::not_permitted:
      return segv_accerr;
    case Cause::misaligned:
      return bus_adraln;
    case Cause::no_object:
      return bus_adrerr;
    case Cause::illegal_instruction:
      return ill_illopc;
    case Cause::breakpoint:
      return trap_brkpt;
    case Cause::trace:
      return trap_trace;
    case Cause::file_news:
      return 1;  // POLL_IN
  }
  return 0;
}

std::vector<std::uint8_t> saved_siginfo(const Process& process, unsigned signal,
                                        const SignalInfo& info) {
  return saved_siginfo(guest_types(process), signal, info);
}

std::vector<std::uint8_t> saved_siginfo(const GuestTypes& types, unsigned signal,
                                        const SignalInfo& info) {
  using Cause = SignalInfo::Cause;
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
