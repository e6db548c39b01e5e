#include "syscalls/hpux/hpux.h"

#include <array>

#include "syscalls/hpux/calls.h"
#include "syscalls/hpux/gateway.h"
#include "syscalls/hpux/hpux_calls.h"
#include "syscalls/hpux/signals.h"
#include "syscalls/pa_risc/abi.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/posix/state.h"
#include "syscalls/profil/hpux.h"

namespace hardclock::hpux {
namespace {

using posix::UnixSystem;

HARDCLOCK_DEFINE_HANDLER(handler, HPUX)

// Where mappings without an address go.
constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x50000000), GuestAddr(0x70000000)}};

void before_exec(Simulation&, Process& process) {
  posix::state_of(process).own = nullptr;
}

// The kernel's pages are in the fourth quadrant, among user programs' addresses; 64-bit programs
// have their data at 0x6000000000000000. A stack may lie anywhere in the data's quadrant: programs
// go by their stack pointer alone.
posix::Port make_port(const posix::SyscallAbi& abi, GuestAddr user_end, GuestAddr stack_top) {
  return {.abi = &abi,
          .layout = {.user_end = user_end,
                     .stack_top = stack_top,
                     .initial_stack = 128 * 1024,
                     .stack_limit = std::uint64_t{8} << 20,
                     .mappings = mappings,
                     .argument_bytes = 20478},  // ARG_MAX up to HP-UX 10
          .stack_flags_precede_size = true,
          .gateway_page = gateway_page,
          .auxiliary_vector = start_information,
          .map_extras = map_kernel_pages,
          .trap_signal = trap_signal,
          .push_handler = push_handler};
}

std::array<posix::Port, 2> make_ports() {
  return {
      make_port(pa_risc_ports::hpux_32(), GuestAddr(std::uint64_t{1} << 32), GuestAddr(0x7fff0000)),
      make_port(pa_risc_ports::hpux_64(), GuestAddr(~std::uint64_t{page_mask}),
                GuestAddr(0x800003ffffff0000))};
}

UnixSystem make_system() {
  static const auto ports = make_ports();
  return {.name = "hpux",
          .title = "HP-UX",
          .calls = all_calls(),
          .handler = handler,
          .indirect_call = std::nullopt,
          // ENAMETOOLONG, EOVERFLOW, ENOSYS, ELOOP, ENOTEMPTY, EOPNOTSUPP
          .errnos = posix::ErrnoNumbers(11, {248, 72, 251, 249, 247, 223}),
          // <fcntl.h>: O_NDELAY, O_SYNC, O_NONBLOCK; kept are O_LARGEFILE, O_DSYNC and O_RSYNC.
          .open_flags = {.append = 010,
                         .create = 0400,
                         .truncate = 01000,
                         .exclusive = 02000,
                         .non_block = 0200000,
                         .no_delay = 04,
                         .sync = 0100000,
                         .kept = 04000 | 01000000 | 02000000},
          .map_flags = {.fixed = 4, .anonymous = 0x10},
          .signals = signal_table(),
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
                        .no_child_wait = 0x80,
                        .no_child_stop = 8,
                        .block = 0,
                        .unblock = 1,
                        .set_mask = 2},
          .sigvec = {.on_stack = 1, .interrupt = 0, .restart = 2, .reset_handler = 4},
          .ports = ports,
          .clock_t_rate = Hertz(100),
          .script_line = 128,
          .profiling = profil::hpux_system,
          .before_exec = before_exec,
          .unknown_call = unknown_call};
}

}  // namespace

const UnixSystem& hpux_system() {
  static const UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::hpux
