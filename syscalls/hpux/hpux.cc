#include "syscalls/hpux/hpux.h"

#include "syscalls/hpux/hpux_calls.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/posix/sigcontext.h"
#include "syscalls/profil/hpux.h"

namespace hardclock::hpux {
namespace {

using posix::UnixSystem;
namespace calls = posix::calls;

HARDCLOCK_DEFINE_HANDLER(handler, HPUX)

// sigcleanup
constexpr unsigned handler_return = 139;

constexpr const char* signal_names[] = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT",   "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV",   "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR",    "SIGVTALRM", "SIGPROF", "SIGIO",   "SIGWINCH",
    "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN",   "SIGTTOU",   "SIGURG",  "SIGLOST", "",
    "",        "SIGXCPU", "SIGXFSZ", "SIGCANCEL", "SIGGFAULT"};
// signal(5); and the stop signals on a machine without job control.
constexpr unsigned ignored[] = {18, 19, 23, 24, 25, 26, 27, 28, 29, 35};

constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x50000000), GuestAddr(0x70000000)}};

Result<Ok, posix::ExecFailure> map_extras(const UnixSystem& system, AddressSpace& memory, int) {
  return posix::map_sigcode(system, memory, handler_return);
}

UnixSystem make_system() {
  return {.name = "hpux",
          .title = "HP-UX",
          .calls = all_calls(),
          .handler = handler,
          .indirect_call = std::nullopt,
          // ENAMETOOLONG, EOVERFLOW, ENOSYS, ELOOP, ENOTEMPTY, EOPNOTSUPP
          .errnos = posix::ErrnoNumbers(11, {248, 72, 251, 249, 247, 223}),
          .open_flags = {.append = 8, .create = 0x100, .truncate = 0x200, .exclusive = 0x400},
          .map_flags = {.fixed = 4, .anonymous = 0x10},
          .signals = {.names = signal_names,
                      .last = 44,
                      .stop = 24,
                      .child = 18,
                      .virtual_alarm = 20,
                      .profiling_alarm = 21,
                      .ignored_by_default = ignored},
          .sigaction = {.words = 10,
                        .flags = 9,
                        .handler = 0,
                        .mask = 1,
                        .mask_words = 8,
                        .restart = 0x40,
                        .reset_handler = 4,
                        .no_defer = 0x20,
                        .with_info = 0x10,
                        .on_stack = 1,
                        .block = 0,
                        .unblock = 1,
                        .set_mask = 2},
          .layout = {.user_end = GuestAddr(0x80000000),
                     .stack_top = GuestAddr(0x7ffff000),
                     .initial_stack = 128 * 1024,
                     .stack_limit = std::uint64_t{8} << 20,
                     .mappings = mappings,
                     .argument_bytes = 20478},  // ARG_MAX up to HP-UX 10
          .clock_t_rate = Hertz(100),
          .profiling = profil::hpux_system,
          .map_extras = map_extras,
          .push_handler = posix::push_sigcontext};
}

}  // namespace

const UnixSystem& hpux_system() {
  static const UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::hpux
