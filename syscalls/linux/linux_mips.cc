#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/linux/architecture.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/linux_n32_calls.h"
#include "syscalls/linux/linux_n64_calls.h"
#include "syscalls/linux/linux_o32_calls.h"
#include "syscalls/linux/ports.h"
#include "syscalls/linux/signals_mips.h"
#include "syscalls/linux/stat_layouts.h"
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

// Where mappings without an address go: from a third of the address space on
// (TASK_UNMAPPED_BASE).
constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x2aaa8000), GuestAddr(0x77000000)}};

posix::Port make_port() {
  return {.layout = {.user_end = mips_user_end,
                     .stack_top = mips_vdso_page,
                     .initial_stack = initial_stack,
                     .stack_limit = stack_limit,
                     .mappings = mappings,
                     .argument_bytes = argument_bytes,
                     .shared_program = GuestAddr(0x55550000)},
          .auxiliary_vector = auxiliary_vector,
          .map_extras = map_mips_vdso,
          .push_handler = push_mips_handler};
}

posix::UnixSystem make_system() {
  static const auto ports = mips_ports::ports(make_port());
  return {
      .name = "linux",
      .title = "Linux",
      .calls = all_calls(),
      .handler = handler,
      .indirect_call = o32_numbers,  // syscall(number, ...) of o32
      // arch/mips/include/uapi/asm/errno.h
      .errnos = posix::ErrnoNumbers(11, {78, 79, 89, 90, 93, 122}),
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
                     .kept = 0x42000},
      .map_flags = {.fixed = 0x10, .anonymous = 0x800},
      .signals = mips_signal_table(),
      // Handlers come and go with rt_sigaction(); of this only how a mask changes is used.
      .sigaction = {.words = 6,
                    .flags = 0,
                    .handler = 1,
                    .mask = 2,
                    .mask_words = 4,
                    .restart = mips_signal_flags.restart,
                    .reset_handler = mips_signal_flags.reset_handler,
                    .no_defer = mips_signal_flags.no_defer,
                    .with_info = mips_signal_flags.with_info,
                    .on_stack = mips_signal_flags.on_stack},
      .ports = ports,
      .clock_t_rate = Hertz(clock_ticks),
      .fork_returns_zero = true,
      .script_line = longest_script_line,
      .profiling = profiling,
  };
}

std::string_view machine_name(const posix::SyscallAbi& abi) {
  return abi.register_bits == 32 ? "mips" : "mips64";
}

// What RDHWR of register 29 reads. Only n64 programs have pointers as wide as a register.
void set_thread_pointer(const posix::SyscallAbi& abi, Cpu& cpu, std::uint64_t to) {
  mips::registers_of(cpu).user_local = mips_ports::to_register(mips_ports::data_model_of(abi), to);
}

// arch/mips/include/uapi/asm/{fcntl,ioctls,resource}.h
Architecture make_architecture() {
  using namespace posix;
  constexpr std::uint8_t none = resource_count;
  return {
      .signals = mips_signals,
      .signal_flags = mips_signal_flags,
      .flags_precede_handler = true,
      .code_precedes_errno = true,  // __ARCH_HAS_SWAPPED_SIGINFO
      .lock_commands = {.set = 6, .set_and_wait = 7, .set64 = 34, .set64_and_wait = 35},
      .ioctl_requests = {.count_available = 0x467f,
                         .set_non_blocking = 0x667e,
                         .close_on_exec = 0x6601,
                         .keep_on_exec = 0x6602},
      .resources = {rlimit_cpu, rlimit_fsize, rlimit_data, rlimit_stack, rlimit_core, rlimit_nofile,
                    rlimit_vmem, rlimit_rss, none, none, none, none, none, none, none, none},
      .infinity32 = 0x7fffffff,
      .machine = machine_name,
      .set_thread_pointer = set_thread_pointer,
      .stat = mips_stat,
      .stat64 = mips_stat64,
      .leave_rt_handler = pop_mips_rt_sigframe,
  };
}

}  // namespace

const posix::UnixSystem& mips_system() {
  static const System system{make_system(), make_architecture()};
  return system;
}

}  // namespace hardclock::gnu_linux
