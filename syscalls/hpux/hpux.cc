#include "syscalls/hpux/hpux.h"

#include "syscalls/hpux/calls.h"
#include "syscalls/hpux/gateway.h"
#include "syscalls/hpux/hpux_calls.h"
#include "syscalls/hpux/signals.h"
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

UnixSystem make_system() {
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
          // The kernel's pages are in the fourth quadrant, among user programs' addresses. A stack
          // may lie anywhere in the data's quadrant: programs go by their stack pointer alone.
          .layout = {.user_end = GuestAddr(std::uint64_t{1} << 32),
                     .user_end_64 = GuestAddr(~std::uint64_t{page_mask}),
                     .stack_top = GuestAddr(0x7fff0000),
                     .stack_top_64 = GuestAddr(0x800003ffffff0000),
                     .initial_stack = 128 * 1024,
                     .stack_limit = std::uint64_t{8} << 20,
                     .mappings = mappings,
                     .argument_bytes = 20478},  // ARG_MAX up to HP-UX 10
          .clock_t_rate = Hertz(100),
          .stack_flags_precede_size = true,
          .script_line = 128,
          .profiling = profil::hpux_system,
          .auxiliary_vector = start_information,
          .map_extras = map_kernel_pages,
          .before_exec = before_exec,
          .trap_signal = trap_signal,
          .unknown_call = unknown_call,
          .push_handler = push_handler};
}

}  // namespace

const UnixSystem& hpux_system() {
  static const UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::hpux
