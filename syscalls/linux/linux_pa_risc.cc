#include <array>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/gateway.h"
#include "syscalls/linux/linux.h"
#include "syscalls/linux/linux_hppa_calls.h"
#include "syscalls/linux/pipe_calls.h"
#include "syscalls/linux/signals_pa_risc.h"
#include "syscalls/linux/stat_layouts.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/pa_risc/abi.h"
#include "syscalls/posix/handlers.h"

namespace hardclock::gnu_linux {
namespace {

HARDCLOCK_DEFINE_HANDLER(handler, LINUX_HPPA)

// The stack begins 100 MiB below the end of user addresses (arch/parisc/Kconfig,
// STACK_MAX_DEFAULT_SIZE_MB) and grows up from there.
constexpr GuestAddr stack_base{pa_risc_user_end.value() - (std::uint64_t{100} << 20)};
// DEFAULT_MAP_BASE32 (arch/parisc/include/asm/processor.h)
constexpr GuestAddr map_base{0x40000000};
constexpr posix::Layout::Range mappings[] = {{map_base, stack_base}};

std::vector<std::uint64_t> pa_risc_auxiliary_vector(const posix::StackContext& context) {
  constexpr std::uint64_t at_platform = 15;
  const GuestAddr platform = push_string(context, "PARISC");  // ELF_PLATFORM
  std::vector<std::uint64_t> vector = {at_platform, platform.value()};
  const auto others = auxiliary_vector(context);
  vector.insert(vector.end(), others.begin(), others.end());
  return vector;
}

// ld.so(8), with Debian's.
constexpr std::string_view libraries[] = {"/usr/lib", "/lib", "/lib/hppa-linux-gnu",
                                          "/usr/lib/hppa-linux-gnu"};

// Linux has 64-bit kernels for PA-RISC, and no 64-bit programs.
posix::Port make_port() {
  return {.abi = &pa_risc_ports::linux_32,
          .layout = {.user_end = pa_risc_user_end,
                     .stack_top = stack_base + stack_limit,
                     .initial_stack = initial_stack,
                     .stack_limit = stack_limit,
                     .mappings = mappings,
                     .argument_bytes = argument_bytes,
                     .shared_program = map_base + 0x01000000},  // ELF_ET_DYN_BASE
          .stack_flags_precede_size = true,
          .gateway_page = pa_risc_gateway_page,
          .library_directories = libraries,
          .makes_unaligned_accesses = true,  // arch/parisc/kernel/unaligned.c
          .machine = "parisc",               // that of a 32-bit kernel
          .auxiliary_vector = pa_risc_auxiliary_vector,
          .map_extras = map_pa_risc_pages,
          .tell_trap = tell_pa_risc_trap,
          .push_handler = push_pa_risc_handler,
          .pop_handler = pop_pa_risc_handler,
          .enters_kernel = is_at_gateway};
}

posix::UnixSystem make_system() {
  static const std::array<posix::Port, 1> ports = {make_port()};
  return with_common_parts({
      .name = "linux",
      .title = "Linux on PA-RISC",
      .calls = linux_hppa::all_calls(),
      .handler = handler,
      .indirect_call = std::nullopt,
      // arch/parisc/include/uapi/asm/errno.h
      .errnos = posix::ErrnoNumbers(11, {248, 72, 251, 249, 247, 223}, 238,
                                    posix::hpux_socket_errnos, posix::svr4_lock_errnos),
      // arch/parisc/include/uapi/asm/fcntl.h, include/uapi/asm-generic/fcntl.h. Kept are
      // O_LARGEFILE and O_NOATIME.
      .open_flags = {.append = 8,
                     .create = 0x100,
                     .truncate = 0x200,
                     .exclusive = 0x400,
                     .non_block = 0x10000,
                     .sync = 0x48000,
                     .directory = 0x1000,
                     .no_follow = 0x80,
                     .close_on_exec = 0x200000,
                     .async = 0x2000,
                     .keep_access_time = 0x100000,
                     .kept = 0x800},
      // arch/parisc/include/uapi/asm/mman.h
      .map_flags = {.fixed = 4, .anonymous = 0x10},
      .signals = pa_risc_signal_table(),
      // arch/parisc/include/uapi/asm/signal.h. The structure's flags are a long.
      .sigaction = {.words = 4,
                    .flags = 1,
                    .handler = 0,
                    .mask = 2,
                    .mask_words = 2,
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
      .ports = ports,
      .clock_t_rate = Hertz(clock_ticks),
      .terminal = &pa_risc_terminal,
      .ipc = &pa_risc_ipc,
      .sockets = &pa_risc_sockets,
      .pipe_sizes = pipe_sizes(page_size),
      .profiling = &profiling,
  });
}

// arch/parisc/include/uapi/asm/{fcntl,ioctls}.h, include/uapi/asm-generic/{fcntl,resource}.h
Uapi make_uapi() {
  return {
      .code_precedes_errno = false,
      .timer_code = -2,
      .fragment_size_precedes_blocks = false,
      .path_only = 0x400000,
      .lock_commands =
          {.get = 5, .set = 6, .set_and_wait = 7, .get64 = 8, .set64 = 9, .set64_and_wait = 10},
      .flock = {.shared_type = 1},
      .owner_commands = {.set = 12, .get = 11, .set_signal = 13, .get_signal = 14},
      .ioctl_requests = generic_ioctl_requests,
      .resources = generic_resources,
      .infinity32 = 0xffffffff,
      .stat = pa_risc_stat,
      .stat64 = pa_risc_stat64,
      .former_non_block = 4,
  };
}

}  // namespace

const posix::UnixSystem& pa_risc_system() {
  static const LinuxSystem system{make_system(), make_uapi()};
  return system;
}

}  // namespace hardclock::gnu_linux
