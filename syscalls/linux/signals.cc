#include "syscalls/linux/signals.h"

#include "syscalls/linux/uapi.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using posix::GuestStruct;
using posix::SignalInfo;

// include/uapi/asm-generic/siginfo.h
constexpr std::uint32_t si_kernel = 0x80;

// si_code. What the kernel sends by itself has no sender.
std::uint32_t code_of(const SignalInfo& info) {
  using Cause = SignalInfo::Cause;
  constexpr std::uint32_t fpe_intovf = 2, fpe_condtrap = 15;
  constexpr std::uint32_t ill_illopc = 1, ill_prvopc = 5, ill_prvreg = 6;
  // Of PA-RISC; elsewhere SignalInfo::code is 0.
  constexpr std::int32_t privileged_operation = 10, privileged_register = 11, conditional = 13;
  switch (info.cause) {
    case Cause::sent:
      return info.pid != 0 ? static_cast<std::uint32_t>(info.code) : si_kernel;  // 0: SI_USER
    case Cause::queued:
    case Cause::timer:
      return static_cast<std::uint32_t>(info.code);
    case Cause::child_exited:
    case Cause::divide_by_zero:
    case Cause::not_mapped:
    case Cause::misaligned:
    case Cause::breakpoint:
      return 1;  // CLD_EXITED, FPE_INTDIV, SEGV_MAPERR, BUS_ADRALN, TRAP_BRKPT
    case Cause::illegal_instruction:
      if (info.code == privileged_operation) return ill_prvopc;
      return info.code == privileged_register ? ill_prvreg : ill_illopc;
    case Cause::integer_overflow:
      return info.code == conditional ? fpe_condtrap : fpe_intovf;
    case Cause::child_killed:
    case Cause::not_permitted:
    case Cause::no_object:
    case Cause::trace:
      return 2;  // CLD_KILLED, SEGV_ACCERR, BUS_ADRERR, TRAP_TRACE
    case Cause::floating_divide_by_zero:
      return 3;
    case Cause::child_trapped:
    case Cause::floating_overflow:
      return 4;  // CLD_TRAPPED, FPE_FLTOVF
    case Cause::child_stopped:
    case Cause::floating_underflow:
      return 5;  // CLD_STOPPED, FPE_FLTUND
    case Cause::child_continued:
    case Cause::floating_inexact:
      return 6;  // CLD_CONTINUED, FPE_FLTRES
    case Cause::floating_invalid:
      return 7;
    case Cause::file_news:
      return static_cast<std::uint32_t>(info.code);
  }
  return si_kernel;
}

bool tells_of_child(SignalInfo::Cause cause) {
  return cause >= SignalInfo::Cause::child_exited && cause <= SignalInfo::Cause::child_continued;
}

}  // namespace

GuestStruct siginfo_struct(const posix::UnixSystem& system, const Process& process, unsigned signal,
                           const SignalInfo& info) {
  GuestStruct members(posix::guest_types(process));
  const std::uint32_t code = code_of(info), no_error = 0;
  const bool is_swapped = uapi_of(system).code_precedes_errno;
  members.word(signal).word(is_swapped ? code : no_error).word(is_swapped ? no_error : code);
  members.align_long();
  if (tells_of_child(info.cause)) {
    members.word(static_cast<std::uint64_t>(info.pid)).word(info.user).word(info.status);
    members.word_long(info.user_time).word_long(info.system_time);
  } else if (info.cause <= SignalInfo::Cause::timer) {
    members.word(static_cast<std::uint64_t>(info.pid)).word(info.user).word_long(info.value);
  } else if (info.cause == SignalInfo::Cause::file_news) {
    members.word_long(info.status).word(info.value);
  } else {
    members.word_long(info.address.value());
  }
  return members.skip(siginfo_bytes - members.bytes().size());
}

}  // namespace hardclock::gnu_linux
