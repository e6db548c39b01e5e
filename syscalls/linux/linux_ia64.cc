#include <array>

#include "syscalls/ia64/abi.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/linux.h"
#include "syscalls/linux/linux_ia64_calls.h"
#include "syscalls/linux/pipe_calls.h"
#include "syscalls/linux/signals_ia64.h"
#include "syscalls/linux/stat_layouts.h"
#include "syscalls/linux/tracing_ia64.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/handlers.h"

namespace hardclock::gnu_linux {
namespace {

HARDCLOCK_DEFINE_HANDLER(handler, LINUX_IA64)

// Regions 1 and 3 of the address space: mappings from DEFAULT_MAP_BASE on
// (arch/ia64/include/asm/processor.h), up to the most that a region's page tables reach
// (RGN_MAP_LIMIT of asm/page.h); the programs' code is in region 2, the stacks are at the end of
// region 3.
constexpr GuestAddr map_base{0x2000000000000000}, map_end{0x20000fffffffc000};
constexpr posix::Layout::Range mappings[] = {{map_base, map_end}};

// ld.so(8), with Debian's.
constexpr std::string_view libraries[] = {"/usr/lib", "/lib", "/lib/ia64-linux-gnu",
                                          "/usr/lib/ia64-linux-gnu"};

posix::Port make_port() {
  return {.abi = &ia64_ports::linux_64,
          .layout = {.user_end = ia64_gate_page + ia64_page_bytes,
                     .stack_top = ia64_ports::linux_stack_top,
                     .initial_stack = initial_stack,
                     .stack_limit = stack_limit,
                     .mappings = mappings,
                     .argument_bytes = argument_bytes,
                     .shared_program = map_base + 0x800000000,  // ELF_ET_DYN_BASE
                     .page_bytes = ia64_page_bytes},
          .stack_flags_precede_size = true,
          .library_directories = libraries,
          .machine = "ia64",
          .auxiliary_vector = auxiliary_vector,
          .map_extras = map_ia64_pages,
          .trap_signal = ia64_trap_signal,
          .push_handler = push_ia64_handler,
          .pop_handler = pop_ia64_handler,
          .store_registers = store_ia64_registers,
          .load_registers = load_ia64_registers};
}

posix::UnixSystem make_system() {
  static const std::array<posix::Port, 1> ports = {make_port()};
  return with_common_parts({
      .name = "linux",
      .title = "Linux on IA-64",
      .calls = linux_ia64::all_calls(),
      .handler = handler,
      .indirect_call = std::nullopt,
      // include/uapi/asm-generic/errno.h
      .errnos = posix::ErrnoNumbers(11, {36, 75, 38, 40, 39, 95}, 110, posix::generic_socket_errnos,
                                    posix::generic_lock_errnos),
      // include/uapi/asm-generic/fcntl.h. Kept are O_LARGEFILE and O_NOATIME.
      .open_flags = {.append = 0x400,
                     .create = 0x40,
                     .truncate = 0x200,
                     .exclusive = 0x80,
                     .non_block = 0x800,
                     .sync = 0x101000,
                     .directory = 0x10000,
                     .no_follow = 0x20000,
                     .close_on_exec = 0x80000,
                     .async = 0x2000,
                     .keep_access_time = 0x40000,
                     .kept = 0x8000},
      // include/uapi/asm-generic/mman.h
      .map_flags = {.fixed = 0x10, .anonymous = 0x20},
      .signals = ia64_signal_table(),
      // include/linux/signal_types.h, include/uapi/asm-generic/signal-defs.h. The structure's flags
      // are a long, and it has no sa_restorer.
      .sigaction = {.words = 6,
                    .flags = 2,
                    .handler = 0,
                    .mask = 4,
                    .mask_words = 2,
                    .restart = 0x10000000,
                    .reset_handler = 0x80000000,
                    .no_defer = 0x40000000,
                    .with_info = 4,
                    .on_stack = 0x08000000,
                    .no_child_wait = 2,
                    .no_child_stop = 1,
                    .block = 0,
                    .unblock = 1,
                    .set_mask = 2},
      .ports = ports,
      .clock_t_rate = Hertz(clock_ticks),
      .terminal = &ia64_terminal,
      .ipc = &ia64_ipc,
      .sockets = &generic_sockets,
      .pipe_sizes = pipe_sizes(ia64_page_bytes),
      .profiling = &profiling,
  });
}

// include/uapi/asm-generic/{fcntl,ioctls,resource}.h. Where a long has 64 bits, there are no
// commands with 64-bit offsets of their own.
Uapi make_uapi() {
  return {
      .code_precedes_errno = false,
      .timer_code = -2,
      .fragment_size_precedes_blocks = false,
      .path_only = 0x200000,
      .lock_commands =
          {.get = 5, .set = 6, .set_and_wait = 7, .get64 = 5, .set64 = 6, .set64_and_wait = 7},
      .flock = {.shared_type = 0},
      .owner_commands = {.set = 8, .get = 9, .set_signal = 10, .get_signal = 11},
      .ioctl_requests = generic_ioctl_requests,
      .resources = generic_resources,
      .infinity32 = 0xffffffff,
      .stat = ia64_stat,
      .stat64 = ia64_stat,
      .priority_is_plain = true,
  };
}

}  // namespace

const posix::UnixSystem& ia64_system() {
  static const LinuxSystem system{make_system(), make_uapi()};
  return system;
}

}  // namespace hardclock::gnu_linux
