#include <array>
#include <vector>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/linux.h"
#include "syscalls/linux/linux_n32_calls.h"
#include "syscalls/linux/linux_n64_calls.h"
#include "syscalls/linux/linux_o32_calls.h"
#include "syscalls/linux/pipe_calls.h"
#include "syscalls/linux/signals_mips.h"
#include "syscalls/linux/stat_layouts.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/linux/vdso_mips.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/handlers.h"

namespace hardclock::gnu_linux {
namespace {

HARDCLOCK_DEFINE_HANDLER(o32_handler, LINUX_O32)
HARDCLOCK_DEFINE_HANDLER(n64_handler, LINUX_N64)
HARDCLOCK_DEFINE_HANDLER(n32_handler, LINUX_N32)

constexpr unsigned o32_numbers = 4000, n64_numbers = 5000, n32_numbers = 6000;

posix::Handler handler(unsigned number, std::optional<unsigned> subcode) {
  if (number >= n32_numbers) return n32_handler(number, subcode);
  return number >= n64_numbers ? n64_handler(number, subcode) : o32_handler(number, subcode);
}

// Ascending.
std::span<const CallInfo> all_calls() {
  static const std::vector<CallInfo> calls = [] {
    std::vector<CallInfo> all;
    for (const auto table :
         {linux_o32::all_calls(), linux_n64::all_calls(), linux_n32::all_calls()}) {
      all.insert(all.end(), table.begin(), table.end());
    }
    return all;
  }();
  return calls;
}

// Where mappings without an address go: upwards from a third of the address space
// (TASK_UNMAPPED_BASE, which kernels since 2.6.36 have for an unlimited stack), to where they would
// begin downwards below the stack. A program without an address of its own goes to two thirds of it
// (ELF_ET_DYN_BASE).
constexpr std::uint64_t stack_gap = 0x8ff8000;  // more than mmap_base()'s least, 128 MiB
constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x2aaa8000), mips_user_end - stack_gap}};
constexpr posix::Layout::Range wide_mappings[] = {
    {GuestAddr(0x5555556000), mips_user_end_64 - stack_gap}};
constexpr GuestAddr shared_program{0x55550000}, wide_shared_program{0xaaaaaaa000};

// ld.so(8), with Debian's directories of each byte order.
constexpr std::string_view o32_libraries[] = {
    "/usr/lib",
    "/lib",
    "/lib/mips-linux-gnu",
    "/lib/mipsel-linux-gnu",
    "/usr/lib/mips-linux-gnu",
    "/usr/lib/mipsel-linux-gnu",
};
constexpr std::string_view n32_libraries[] = {
    "/usr/lib",
    "/lib",
    "/usr/lib32",
    "/lib32",
    "/lib/mips64-linux-gnuabin32",
    "/lib/mips64el-linux-gnuabin32",
    "/usr/lib/mips64-linux-gnuabin32",
    "/usr/lib/mips64el-linux-gnuabin32",
};
constexpr std::string_view n64_libraries[] = {
    "/usr/lib",
    "/lib",
    "/usr/lib64",
    "/lib64",
    "/lib/mips64-linux-gnuabi64",
    "/lib/mips64el-linux-gnuabi64",
    "/usr/lib/mips64-linux-gnuabi64",
    "/usr/lib/mips64el-linux-gnuabi64",
};

std::array<posix::Port, 3> make_ports() {
  auto all = mips_ports::ports({.layout = {.user_end = mips_user_end,
                                           .stack_top = mips_vdso_page(mips_user_end),
                                           .initial_stack = initial_stack,
                                           .stack_limit = stack_limit,
                                           .mappings = mappings,
                                           .argument_bytes = argument_bytes,
                                           .shared_program = shared_program},
                                // arch/mips/kernel/traps.c, do_ri()
                                .emulates_instructions = true,
                                // arch/mips/kernel/cevt-r4k.c, CLOCK_EVT_FEAT_ONESHOT, in kernels
                                // with CONFIG_HIGH_RES_TIMERS (malta_defconfig, ip22_defconfig).
                                // PA-RISC and IA-64 have LEGACY_TIMER_TICK: with ticks alone.
                                .timers_interrupt = true,
                                // arch/mips/kernel/unaligned.c
                                .makes_unaligned_accesses = true,
                                .auxiliary_vector = auxiliary_vector,
                                .map_extras = map_mips_vdso,
                                .trap_signal = narrow_mips_trap_signal,
                                .tell_trap = tell_narrow_mips_trap,
                                .push_handler = push_mips_handler,
                                .pop_handler = pop_mips_handler},
                               mips_user_end_64);
  posix::Port& wide = all[2];
  wide.layout.stack_top = mips_vdso_page(mips_user_end_64);
  wide.layout.mappings = wide_mappings;
  wide.layout.shared_program = wide_shared_program;
  wide.trap_signal = wide_mips_trap_signal;
  wide.tell_trap = tell_wide_mips_trap;
  all[0].library_directories = o32_libraries;
  all[1].library_directories = n32_libraries;
  all[2].library_directories = n64_libraries;
  for (posix::Port& port : all) port.machine = port.abi->register_bits == 32 ? "mips" : "mips64";
  return all;
}

posix::UnixSystem make_system() {
  static const auto ports = make_ports();
  return with_common_parts({
      .name = "linux",
      .title = "Linux",
      .calls = all_calls(),
      .handler = handler,
      .indirect_call = o32_numbers,  // syscall(number, ...) of o32
      // arch/mips/include/uapi/asm/errno.h
      .errnos = posix::ErrnoNumbers(11, {78, 79, 89, 90, 93, 122}, 145, posix::svr4_socket_errnos,
                                    posix::svr4_lock_errnos),
      // arch/mips/include/uapi/asm/fcntl.h, include/uapi/asm-generic/fcntl.h. Kept are O_LARGEFILE
      // and O_NOATIME.
      .open_flags = {.append = 8,
                     .create = 0x100,
                     .truncate = 0x200,
                     .exclusive = 0x400,
                     .non_block = 0x80,
                     .sync = 0x4010,
                     .directory = 0x10000,
                     .no_follow = 0x20000,
                     .close_on_exec = 0x80000,
                     .async = 0x1000,
                     .keep_access_time = 0x40000,
                     .kept = 0x2000},
      .map_flags = {.fixed = 0x10, .anonymous = 0x800},
      .signals = mips_signal_table(),
      // arch/mips/include/uapi/asm/signal.h. The structure's longs are as wide as the program's.
      .sigaction = {.words = 6,
                    .flags = 0,
                    .handler = 1,
                    .mask = 2,
                    .mask_words = 4,
                    .restart = 0x10000000,
                    .reset_handler = 0x80000000,
                    .no_defer = 0x40000000,
                    .with_info = 8,
                    .on_stack = 0x08000000,
                    .no_child_wait = 0x00010000,
                    .no_child_stop = 1},
      .ports = ports,
      .clock_t_rate = Hertz(clock_ticks),
      .terminal = &mips_terminal,
      .ipc = &mips_ipc,
      .sockets = &mips_sockets,
      .pipe_sizes = pipe_sizes(page_size),
      .profiling = &profiling,
  });
}

// arch/mips/include/uapi/asm/{fcntl,ioctls,resource,statfs}.h
Uapi make_uapi() {
  using namespace posix;
  return {
      .code_precedes_errno = true,  // __ARCH_HAS_SWAPPED_SIGINFO
      .timer_code = -3,
      .fragment_size_precedes_blocks = true,
      .path_only = 0x200000,
      .lock_commands =
          {.get = 14, .set = 6, .set_and_wait = 7, .get64 = 33, .set64 = 34, .set64_and_wait = 35},
      .flock = {.has_system = true, .spare_longs = 4, .shared_type = 0},
      .owner_commands = {.set = 24, .get = 23, .set_signal = 10, .get_signal = 11},
      .ioctl_requests = {.count_available = 0x467f,
                         .set_non_blocking = 0x667e,
                         .close_on_exec = 0x6601,
                         .keep_on_exec = 0x6602,
                         .set_async = 0x667d,
                         .is_at_mark = 0x40047307,
                         .set_owner = {0x8004667c, 0x80047308},
                         .get_owner = {0x4004667b, 0x40047309}},
      .resources = {rlimit_cpu, rlimit_fsize, rlimit_data, rlimit_stack, rlimit_core, rlimit_nofile,
                    rlimit_vmem, rlimit_rss, rlimit_nproc, rlimit_memlock, rlimit_locks,
                    rlimit_sigpending, rlimit_msgqueue, rlimit_nice, rlimit_rtprio, rlimit_rttime},
      .infinity32 = 0x7fffffff,
      .stat = mips_stat,
      .stat64 = mips_stat64,
  };
}

}  // namespace

const posix::UnixSystem& mips_system() {
  static const LinuxSystem system{make_system(), make_uapi()};
  return system;
}

}  // namespace hardclock::gnu_linux
