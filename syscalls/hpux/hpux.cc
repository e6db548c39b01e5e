#include "syscalls/hpux/hpux.h"

#include <array>

#include "syscalls/hpux/calls.h"
#include "syscalls/hpux/gateway.h"
#include "syscalls/hpux/gateway_ia64.h"
#include "syscalls/hpux/hpux_calls.h"
#include "syscalls/hpux/signals.h"
#include "syscalls/hpux/signals_ia64.h"
#include "syscalls/ia64/abi.h"
#include "syscalls/pa_risc/abi.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/state.h"
#include "syscalls/profil/hpux.h"

namespace hardclock::hpux {
namespace {

using posix::UnixSystem;

HARDCLOCK_DEFINE_HANDLER(handler, HPUX)

// Where mappings without an address go: into the quadrant of the data and, of 32-bit programs, then
// into the next one, where HP-UX has what is shared (HP-UX Handbook, chapter 11).
constexpr posix::Layout::Range mappings_32[] = {{GuestAddr(0x50000000), GuestAddr(0x70000000)},
                                                {GuestAddr(0x80000000), GuestAddr(0xc0000000)}};
constexpr posix::Layout::Range mappings_64[] = {
    {GuestAddr(0x8000010000000000), GuestAddr(0x800003f000000000)}};
constexpr posix::Layout::Range ia64_mappings_32[] = {
    {GuestAddr(0x2000000050000000), GuestAddr(0x2000000070000000)},
    {GuestAddr(0x4000000080000000), GuestAddr(0x40000000c0000000)}};
constexpr posix::Layout::Range ia64_mappings_64[] = {
    {GuestAddr(0x8000000000000000), GuestAddr(0x9fffffff00000000)}};
constexpr std::size_t argument_bytes = 20478;  // ARG_MAX up to HP-UX 10
constexpr std::uint64_t initial_stack = 128 * 1024, stack_limit = std::uint64_t{8} << 20;

void before_exec(Process& process) {
  posix::state_of(process).own = nullptr;
}

// The kernel's pages are in the fourth quadrant, among user programs' addresses; 64-bit programs
// have their data at 0x6000000000000000. A stack may lie anywhere in the data's quadrant: programs
// go by their stack pointer alone.
posix::Port make_pa_risc_port(const posix::SyscallAbi& abi, GuestAddr user_end, GuestAddr stack_top,
                              std::span<const posix::Layout::Range> ranges,
                              std::size_t ucontext_bytes) {
  return {.abi = &abi,
          .layout = {.user_end = user_end,
                     .stack_top = stack_top,
                     .initial_stack = initial_stack,
                     .stack_limit = stack_limit,
                     .mappings = ranges,
                     .argument_bytes = argument_bytes},
          .stack_flags_precede_size = true,
          .gateway_page = gateway_page,
          .auxiliary_vector = start_information,
          .map_extras = map_kernel_pages,
          .trap_signal = trap_signal,
          .push_handler = push_handler,
          .pop_handler = pop_handler,
          .ucontext_bytes = ucontext_bytes,
          .take_up_ucontext = take_up_ucontext};
}

// The kernel's pages lie among a program's addresses, as on PA-RISC.
posix::Port make_ia64_port(const posix::SyscallAbi& abi, GuestAddr stack_top,
                           std::span<const posix::Layout::Range> ranges) {
  return {.abi = &abi,
          .layout = {.user_end = GuestAddr(~std::uint64_t{page_mask}),
                     .stack_top = stack_top,
                     .initial_stack = initial_stack,
                     .stack_limit = stack_limit,
                     .mappings = ranges,
                     .argument_bytes = argument_bytes},
          .stack_flags_precede_size = true,
          .gateway_page = ia64_ports::hpux_gateway,
          .auxiliary_vector = load_information,
          .map_extras = map_ia64_kernel_pages,
          .trap_signal = ia64_trap_signal,
          .push_handler = push_ia64_handler,
          .pop_handler = pop_ia64_handler,
          .ucontext_bytes = ia64_ucontext_bytes,
          .take_up_ucontext = take_up_ia64_ucontext};
}

// SOM programs name their libraries with the whole path, as a rule.
constexpr std::string_view som_libraries[] = {"/usr/lib", "/lib"};
constexpr std::string_view pa20_64_libraries[] = {"/usr/lib/pa20_64"};
constexpr std::string_view hpux32_libraries[] = {"/usr/lib/hpux32"};
constexpr std::string_view hpux64_libraries[] = {"/usr/lib/hpux64"};
// As in 4.4BSD, sys/socket.h (socket(2), send(2) and recv(2) of HP-UX).
const posix::SocketInterface sockets = {.stream = 1,
                                        .datagram = 2,
                                        .raw = 3,
                                        .packets = 5,
                                        .options = posix::bsd_socket_options(),
                                        .flags = posix::bsd_message_flags};

std::array<posix::Port, 4> make_ports() {
  std::array<posix::Port, 4> all = {
      make_pa_risc_port(pa_risc_ports::hpux_32, GuestAddr(std::uint64_t{1} << 32),
                        GuestAddr(0x7fff0000), mappings_32, ucontext_bytes_32),
      make_pa_risc_port(pa_risc_ports::hpux_64, GuestAddr(~std::uint64_t{page_mask}),
                        GuestAddr(0x800003ffffff0000), mappings_64, ucontext_bytes_64),
      make_ia64_port(ia64_ports::hpux_32, ia64_ports::hpux_stack_top_32, ia64_mappings_32),
      make_ia64_port(ia64_ports::hpux_64, ia64_ports::hpux_stack_top_64, ia64_mappings_64)};
  all[0].library_directories = som_libraries;
  all[1].library_directories = pa20_64_libraries;
  all[2].library_directories = hpux32_libraries;
  all[3].library_directories = hpux64_libraries;
  return all;
}

UnixSystem make_system() {
  static const auto ports = make_ports();
  return {.name = "hpux",
          .title = "HP-UX",
          .calls = all_calls(),
          .handler = handler,
          .indirect_call = std::nullopt,
          // ENAMETOOLONG, EOVERFLOW, ENOSYS, ELOOP, ENOTEMPTY, EOPNOTSUPP
          .errnos = posix::ErrnoNumbers(11, {248, 72, 251, 249, 247, 223}, 22,
                                        posix::hpux_socket_errnos, posix::svr4_lock_errnos),
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
          .terminal = &terminal,
          .ipc = &ipc_interface,
          .sockets = &sockets,
          // PIPE_BUF of 10.x and later. What a pipe holds beyond that, pipe(2) no longer says.
          .pipe_sizes = {.capacity = 8192, .atomic = 8192},
          .script_line = 128,
          .profiling = &profil::hpux_system,
          .before_exec = before_exec,
          .unknown_call = unknown_call};
}

}  // namespace

const UnixSystem& hpux_system() {
  static const UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::hpux
