#include "syscalls/bsd/bsd.h"

#include <span>

#include "syscalls/bsd/bsd211_calls.h"
#include "syscalls/bsd/bsd41_calls.h"
#include "syscalls/bsd/bsd42_calls.h"
#include "syscalls/bsd/bsd43_calls.h"
#include "syscalls/bsd/bsd44_calls.h"
#include "syscalls/bsd/calls.h"
#include "syscalls/bsd/v7_calls.h"
#include "syscalls/mips/sigcontext.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/profil/system.h"

namespace hardclock::bsd {
namespace {

using posix::ErrnoNumbers;
using posix::UnixSystem;

HARDCLOCK_DEFINE_HANDLER(v7_handler, V7)
HARDCLOCK_DEFINE_HANDLER(bsd211_handler, BSD211)
HARDCLOCK_DEFINE_HANDLER(bsd41_handler, BSD41)
HARDCLOCK_DEFINE_HANDLER(bsd42_handler, BSD42)
HARDCLOCK_DEFINE_HANDLER(bsd43_handler, BSD43)
HARDCLOCK_DEFINE_HANDLER(bsd44_handler, BSD44)

// The numbers from ENAMETOOLONG on (errno.h of each): ENAMETOOLONG, EOVERFLOW, ENOSYS, ELOOP,
// ENOTEMPTY, EOPNOTSUPP. V7's stand in for missing ones, and are all that 4.1BSD has.
constexpr ErrnoNumbers bsd42_errnos(11, {63, posix::v7_efbig, posix::v7_einval, 62, 66, 45});
constexpr ErrnoNumbers bsd211_errnos(11, {63, posix::v7_efbig, 78, 62, 66, 45});
constexpr ErrnoNumbers bsd44_errnos(35, {63, posix::v7_efbig, 78, 62, 66, 45});

constexpr const char* signal_names[] = {
    "",        "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGIOT",  "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",    "SIGSEGV", "SIGSYS",   "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGURG",  "SIGSTOP", "SIGTSTP",   "SIGCONT", "SIGCHLD",  "SIGTTIN", "SIGTTOU", "SIGIO",
    "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGINFO", "SIGUSR1", "SIGUSR2"};
constexpr std::span<const char* const> all_names = signal_names;

// Ignored by default, and the stop signals on a machine without job control (kern_sig.c psignal();
// 4.1BSD's 23 is SIGTINT, ignored as SIGIO is).
constexpr unsigned ignored[] = {16, 17, 18, 19, 20, 21, 22, 23, 28, 29};

// V7's sixteenth signal has no name; 4.1BSD's end with SIGXFSZ, 4.2BSD's with SIGPROF.
constexpr posix::SignalTable v7_signals{
    .names = all_names.first(16), .last = 16, .kill_takes_any_number = true};
constexpr posix::SignalTable bsd41_signals{.names = all_names.first(26),
                                           .last = 31,
                                           .stop = 17,
                                           .child = 20,
                                           .ignored_by_default = ignored,
                                           .kill_takes_any_number = true};
// kern_sig.c of 4.2BSD and 4.3BSD: SIGCONT can be neither blocked (cantmask) nor ignored.
constexpr posix::SignalTable job_signals(unsigned names, unsigned cont) {
  return {.names = all_names.first(names),
          .last = 31,
          .stop = 17,
          .cont = cont,
          .child = 20,
          .virtual_alarm = 26,
          .profiling_alarm = 27,
          .ignored_by_default = ignored};
}
constexpr posix::SignalTable bsd42_signals = job_signals(28, 19);
constexpr posix::SignalTable bsd43_signals = job_signals(32, 19);
constexpr posix::SignalTable bsd44_signals = job_signals(32, 0);

// struct sigaction of 2.11BSD and 4.4BSD: handler, mask, flags (sys/signal.h).
constexpr posix::SigactionLayout sigaction_layout{
    .words = 3, .flags = 2, .handler = 0, .mask = 1, .mask_words = 1, .restart = 2, .on_stack = 1};

// fcntl.h, in octal there: FAPPEND 010, O_CREAT 01000, O_TRUNC 02000, O_EXCL 04000.
constexpr posix::OpenFlags open_flags{
    .append = 8, .create = 0x200, .truncate = 0x400, .exclusive = 0x800};

// A PDP-11's user addresses. The page above the stack has the code to which handlers return.
constexpr posix::Layout pdp11_layout{.user_end = GuestAddr(0x10000),
                                     .stack_top = GuestAddr(0xf000),
                                     .initial_stack = 0x1000,
                                     .stack_limit = 0x4000,
                                     .mappings = {},
                                     .argument_bytes = 5120};  // NCARGS of V7 and 2.11BSD

// USRSTACK was 0x7ffff000 on the VAX; 4.4BSD placed mappings behind the largest data segment.
constexpr posix::Layout::Range bsd44_mappings[] = {{GuestAddr(0x20000000), GuestAddr(0x60000000)}};
constexpr posix::Layout vax_layout(std::size_t argument_bytes) {
  return {.user_end = GuestAddr(0x80000000),
          .stack_top = GuestAddr(0x7ffff000),
          .initial_stack = 128 * 1024,
          .stack_limit = std::uint64_t{8} << 20,
          .mappings = bsd44_mappings,
          .argument_bytes = argument_bytes};
}
constexpr posix::Layout bsd41_layout = vax_layout(10240), bsd43_layout = vax_layout(20480);

// Each with the number of its sigreturn().
template <unsigned sigreturn_number, const posix::Layout& layout>
std::span<const posix::Port> ports() {
  static const auto all = mips_ports::sigcontext_ports<sigreturn_number>(layout);
  return all;
}

// What V7 and the BSDs have in common here.
UnixSystem make_system(std::string_view name, std::string_view title,
                       const profil::SystemRules& profiling, std::span<const CallInfo> calls,
                       posix::Handler (*handler)(unsigned, std::optional<unsigned>),
                       std::span<const posix::Port> ports) {
  return {.name = name,
          .title = title,
          .calls = calls,
          .handler = handler,
          .indirect_call = 0,  // SYS_syscall, indir of the older
          .errnos = bsd42_errnos,
          .open_flags = open_flags,
          .map_flags = {.fixed = 0x10, .anonymous = 0x1000},
          .signals = bsd43_signals,
          .sigaction = sigaction_layout,
          .ports = ports,
          .clock_t_rate = Hertz(60),  // times(2) counts sixtieths, whatever the clock's rate
          .terminal = &bsd42_terminal,
          // pipe(2) of V7 and of 4.3BSD: up to 4096 bytes are buffered before the writer waits.
          .pipe_sizes = {.capacity = 4096, .atomic = 4096},
          .profiling = &profiling};
}

UnixSystem make_v7() {
  UnixSystem system = make_system("v7", "V7", profil::v7_system, v7::all_calls(), v7_handler,
                                  ports<63, pdp11_layout>());
  system.errnos = posix::v7_errnos;
  system.open_flags = {};
  system.signals = v7_signals;
  system.terminal = &v7_terminal;
  return system;
}

UnixSystem make_bsd211() {
  UnixSystem system = make_system("2.11bsd", "2.11BSD", profil::bsd211_system, bsd211::all_calls(),
                                  bsd211_handler, ports<103, pdp11_layout>());
  system.indirect_call = std::nullopt;  // its number 0 is nosys()
  system.errnos = bsd211_errnos;
  system.signals = bsd44_signals;
  return system;
}

UnixSystem make_bsd41() {
  UnixSystem system = make_system("4.1bsd", "4.1BSD", profil::bsd41_system, bsd41::all_calls(),
                                  bsd41_handler, ports<63, bsd41_layout>());
  system.errnos = posix::v7_errnos;
  system.open_flags = {};
  system.signals = bsd41_signals;
  system.terminal = &bsd41_terminal;
  return system;
}

UnixSystem make_bsd42() {
  UnixSystem system = make_system("4.2bsd", "4.2BSD", profil::bsd42_system, bsd42::all_calls(),
                                  bsd42_handler, ports<139, bsd41_layout>());
  system.signals = bsd42_signals;
  return system;
}

UnixSystem make_bsd43() {
  return make_system("4.3bsd", "4.3BSD", profil::bsd43_system, bsd43::all_calls(), bsd43_handler,
                     ports<103, bsd43_layout>());
}

UnixSystem make_bsd44() {
  UnixSystem system = make_system("4.4bsd", "4.4BSD", profil::bsd44_system, bsd44::all_calls(),
                                  bsd44_handler, ports<103, bsd43_layout>());
  system.errnos = bsd44_errnos;
  system.signals = bsd44_signals;
  system.terminal = &bsd44_terminal;
  return system;
}

}  // namespace

const UnixSystem& v7_system() {
  static const UnixSystem system = make_v7();
  return system;
}
const UnixSystem& bsd211_system() {
  static const UnixSystem system = make_bsd211();
  return system;
}
const UnixSystem& bsd41_system() {
  static const UnixSystem system = make_bsd41();
  return system;
}
const UnixSystem& bsd42_system() {
  static const UnixSystem system = make_bsd42();
  return system;
}
const UnixSystem& bsd43_system() {
  static const UnixSystem system = make_bsd43();
  return system;
}
const UnixSystem& bsd44_system() {
  static const UnixSystem system = make_bsd44();
  return system;
}

}  // namespace hardclock::bsd
