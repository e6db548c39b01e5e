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

posix::SignalTable signal_table(std::span<const char* const> names, unsigned last,
                                std::span<const unsigned> ignored_by_default) {
  posix::SignalTable table = posix::job_control_signals(names, last, ignored_by_default);
  table.io = posix::signal_number(names, "SIGIO");
  table.first_real_time = 32;
  table.first_thread_takes = true;
  return table;
}

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

GuestStruct signal_file_info(const Process& process, unsigned signal, const SignalInfo& info) {
  using Cause = SignalInfo::Cause;
  const posix::GuestTypes types = posix::guest_types(process);
  const bool is_child = tells_of_child(info.cause), is_timer = info.cause == Cause::timer,
             is_news = info.cause == Cause::file_news,
             is_fault = info.cause > Cause::timer && !is_child && !is_news;
  const bool has_sender = is_child || info.cause == Cause::sent || info.cause == Cause::queued;
  const bool has_value = is_timer || info.cause == Cause::queued;
  // union sigval, whose int is the first word of the long.
  const std::uint64_t value = has_value ? info.value : 0;
  const bool is_wide = types.long_bytes == 8;
  const std::uint64_t number = is_wide && types.endian == Endian::big ? value >> 32 : value;
  const std::uint64_t pointer =
      is_wide ? value : static_cast<std::uint64_t>(static_cast<std::int32_t>(value));
  GuestStruct members(types);
  members.word(signal).word(0).word(code_of(info));
  members.word(has_sender ? static_cast<std::uint32_t>(info.pid) : 0);
  members.word(has_sender ? info.user : 0);
  members.word(is_news ? info.value : 0);                                  // ssi_fd
  members.word(is_timer ? static_cast<std::uint32_t>(info.pid) : 0);       // ssi_tid
  members.word(is_news ? info.status : 0).word(is_timer ? info.user : 0);  // ssi_band, ssi_overrun
  members.word(0).word(is_child ? info.status : 0).word(number).wide(pointer);
  members.wide(is_child ? info.user_time : 0).wide(is_child ? info.system_time : 0);
  members.wide(is_fault ? info.address.value() : 0);
  return members.skip(siginfo_bytes - members.bytes().size());
}

unsigned first_pending(const Thread& thread, const SignalSet& set) {
  const SignalSet own = thread.pending_signals & set;
  const SignalSet found = own.any() ? own : thread.process.signals.pending & set;
  for (unsigned signal = 1; signal <= found.size(); ++signal) {
    if (found.test(signal - 1)) return signal;
  }
  return 0;
}

}  // namespace hardclock::gnu_linux
