#include "syscalls/aix/aix.h"

#include "syscalls/aix/aix_calls.h"
#include "syscalls/mips/sigcontext.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/profil/system.h"

namespace hardclock::aix {
namespace {

using posix::UnixSystem;
namespace calls = posix::calls;

HARDCLOCK_DEFINE_HANDLER(handler, AIX)

constexpr unsigned sigreturn_number = 103;

constexpr const char* signal_names[] = {
    "",       "SIGHUP",  "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM", "SIGTERM"};

constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x30000000), GuestAddr(0x60000000)}};

constexpr posix::Layout layout{.user_end = GuestAddr(0x80000000),
                               .stack_top = GuestAddr(0x7ffff000),
                               .initial_stack = 128 * 1024,
                               .stack_limit = std::uint64_t{8} << 20,
                               .mappings = mappings,
                               .argument_bytes = 24576};

UnixSystem make_system() {
  static const auto ports = mips_ports::sigcontext_ports<sigreturn_number>(layout);
  return {.name = "aix",
          .title = "AIX",
          .calls = all_calls(),
          .handler = handler,
          .indirect_call = std::nullopt,
          .errnos = posix::v7_errnos,  // that all Unixes number alike
          .open_flags = {.append = 8, .create = 0x100, .truncate = 0x200, .exclusive = 0x400},
          .map_flags = {.fixed = 0x100, .anonymous = 0x10},
          .signals = {.names = signal_names, .last = 15},
          .sigaction = {},
          .ports = ports,
          .clock_t_rate = Hertz(100),
          .profiling = &profil::aix_system};
}

}  // namespace

const UnixSystem& aix_system() {
  static const UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::aix
