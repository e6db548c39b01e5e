#include "syscalls/solaris/solaris.h"

#include <array>

#include "syscalls/mips/ucontext.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/profil/system.h"
#include "syscalls/solaris/solaris25_calls.h"
#include "syscalls/solaris/solaris_calls.h"

namespace hardclock::solaris {
namespace {

using posix::UnixSystem;
namespace calls = posix::calls;

HARDCLOCK_DEFINE_HANDLER(solaris25_handler, SOLARIS25)
HARDCLOCK_DEFINE_HANDLER(solaris_handler, SOLARIS)

constexpr unsigned context_number = 100;

constexpr const char* signal_names[] = {
    "",           "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",     "SIGKILL", "SIGBUS",    "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1",    "SIGUSR2", "SIGCLD",    "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGPOLL", "SIGSTOP",
    "SIGTSTP",    "SIGCONT", "SIGTTIN",   "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ",
    "SIGWAITING", "SIGLWP",  "SIGFREEZE", "SIGTHAW", "SIGCANCEL", "SIGLOST"};
// illumos os/sig.c ignoredefault, and the stop signals on a machine without job control.
constexpr unsigned ignored[] = {18, 19, 20, 21, 23, 24, 25, 26, 27, 32, 33, 34, 35, 36};

constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x20000000), GuestAddr(0x60000000)}};

Result<Ok, posix::ExecFailure> map_extras(const posix::Port& port, AddressSpace& memory,
                                          const Image&, int) {
  return mips_ports::map_setcontext(port, memory, context_number);
}

// System V ABI, chapter 5, "Shared Object Dependencies".
constexpr std::string_view libraries[] = {"/usr/lib"};

std::array<posix::Port, 3> make_ports() {
  auto all = mips_ports::ports({.layout = {.user_end = GuestAddr(0x80000000),
                                           .stack_top = GuestAddr(0x7ffff000),
                                           .initial_stack = 128 * 1024,
                                           .stack_limit = std::uint64_t{8} << 20,
                                           .mappings = mappings,
                                           .argument_bytes = 0x100000},  // NCARGS
                                .library_directories = libraries,
                                .map_extras = map_extras,
                                .push_handler = mips_ports::push_ucontext,
                                .take_up_ucontext = mips_ports::take_up_ucontext});
  for (posix::Port& port : all) {
    port.ucontext_bytes = mips_ports::ucontext_bytes(mips_ports::data_model_of(*port.abi));
  }
  return all;
}

UnixSystem make_system(std::string_view name, std::string_view title) {
  static const auto ports = make_ports();
  return {.name = name,
          .title = title,
          .calls = {},
          .handler = nullptr,
          .indirect_call = 0,
          // sys/errno.h of illumos
          .errnos = posix::ErrnoNumbers(11, {78, 79, 89, 90, 93, 122}),
          .open_flags = {.append = 8, .create = 0x100, .truncate = 0x200, .exclusive = 0x400},
          .map_flags = {.fixed = 0x10, .anonymous = 0x100},
          .signals = {.names = signal_names,
                      .last = 45,  // NSIG is 46 up to Solaris 7
                      .stop = 23,
                      .child = 18,
                      .virtual_alarm = 28,
                      .profiling_alarm = 29,
                      .ignored_by_default = ignored},
          .sigaction = {.words = 8,
                        .flags = 0,
                        .handler = 1,
                        .mask = 2,
                        .mask_words = 4,
                        .restart = 4,
                        .reset_handler = 2,
                        .no_defer = 0x10,
                        .with_info = 8,
                        .on_stack = 1},
          .ports = ports,
          .clock_t_rate = Hertz(100),
          .terminal = &terminal,
          .profiling = nullptr};
}

UnixSystem make_solaris25() {
  UnixSystem system = make_system("solaris2.5", "Solaris 2.5");
  system.calls = solaris25::all_calls();
  system.handler = solaris25_handler;
  system.map_flags.anonymous = 0;  // MAP_ANON came with Solaris 8
  system.profiling = &profil::solaris25_system;
  return system;
}

UnixSystem make_solaris() {
  UnixSystem system = make_system("solaris", "Solaris");
  system.calls = all_calls();
  system.handler = solaris_handler;
  system.profiling = &profil::solaris_system;
  return system;
}

}  // namespace

const UnixSystem& solaris25_system() {
  static const UnixSystem system = make_solaris25();
  return system;
}

const UnixSystem& solaris_system() {
  static const UnixSystem system = make_solaris();
  return system;
}

}  // namespace hardclock::solaris
