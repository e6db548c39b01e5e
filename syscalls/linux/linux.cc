#include "syscalls/linux/linux.h"

#include <array>
#include <vector>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/linux_n32_calls.h"
#include "syscalls/linux/linux_n64_calls.h"
#include "syscalls/linux/linux_o32_calls.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/vdso.h"
#include "syscalls/posix/convention.h"
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

// ---- Without profil(2), which Linux never had: the C library makes it of SIGPROF and setitimer().

profil::State never_profiled(const profil::State&) {
  return {};
}

profil::Lookup counted_nowhere(const profil::State&, GuestAddr) {
  return profil::Miss{};
}

const profil::System& profiling() {
  static constexpr profil::System system{
      .name = "linux",
      .title = "Linux",
      .description = "Linux has no profil(2).",
      .tick_rate = Hertz(100),  // CONFIG_HZ_100; the C library's profil() counts hundredths too
      .fast_tick_rate = Hertz(0),
      .lookup = counted_nowhere,
      .after_fault = never_profiled,
      .after_exec = never_profiled,
      .after_fork = never_profiled,
      .rules = {},
      .contradictions = {},
  };
  return system;
}

// ---- The auxiliary vector (fs/binfmt_elf.c, create_elf_tables()).

enum AuxType : std::uint32_t {
  at_null = 0,
  at_phdr = 3,
  at_phent = 4,
  at_phnum = 5,
  at_pagesz = 6,
  at_base = 7,
  at_flags = 8,
  at_entry = 9,
  at_uid = 11,
  at_euid = 12,
  at_gid = 13,
  at_egid = 14,
  at_hwcap = 16,
  at_clktck = 17,
  at_secure = 23,
  at_random = 25,
  at_execfn = 31,
};
constexpr std::uint64_t clock_ticks = 100;  // USER_HZ

// What AT_RANDOM points to: the same in every run.
constexpr std::array<std::uint8_t, 16> random_bytes = {
    0x68, 0x61, 0x72, 0x64, 0x63, 0x6c, 0x6f, 0x63, 0x6b, 0x3a, 0x20, 0x34, 0x2e, 0x21, 0x9d, 0xe3};

std::vector<std::uint64_t> auxiliary_vector(const posix::StackContext& context) {
  const Image& image = context.image;
  const std::string& path = context.program.path;
  const GuestAddr name =
      context.push(std::span(reinterpret_cast<const std::uint8_t*>(path.c_str()), path.size() + 1));
  const GuestAddr random = context.push(random_bytes);
  const std::uint64_t header_bytes = image.address_bits == 64 ? 56 : 32;
  return {at_hwcap,  0,
          at_pagesz, page_size,
          at_clktck, clock_ticks,
          at_phdr,   image.program_headers.value(),
          at_phent,  header_bytes,
          at_phnum,  image.program_header_count,
          at_base,   context.linker_base.value(),
          at_flags,  0,
          at_entry,  image.entry.value(),
          at_uid,    posix::first_user,
          at_euid,   posix::first_user,
          at_gid,    posix::first_user,
          at_egid,   posix::first_user,
          at_secure, 0,
          at_random, random.value(),
          at_execfn, name.value(),
          at_null,   0};
}

// Where mappings without an address go: from a third of the address space on
// (TASK_UNMAPPED_BASE).
constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x2aaa8000), GuestAddr(0x77000000)}};

posix::UnixSystem make_system() {
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
      .signals = signal_table(),
      // Handlers come and go with rt_sigaction(); of this only how a mask changes is used.
      .sigaction = {.words = 6,
                    .flags = 0,
                    .handler = 1,
                    .mask = 2,
                    .mask_words = 4,
                    .restart = sa_restart,
                    .reset_handler = sa_resethand,
                    .no_defer = sa_nodefer,
                    .with_info = sa_siginfo,
                    .on_stack = sa_onstack},
      .layout = {.user_end = user_end,
                 .stack_top = vdso_page,
                 .initial_stack = 132 * 1024,
                 .stack_limit = std::uint64_t{8} << 20,
                 .mappings = mappings,
                 .argument_bytes = 2 << 20,  // a quarter of the stack's limit (execve(2))
                 .shared_program = GuestAddr(0x55550000)},
      .clock_t_rate = Hertz(clock_ticks),
      .fork_returns_zero = true,
      .script_line = 256,  // BINPRM_BUF_SIZE
      .profiling = profiling,
      .auxiliary_vector = auxiliary_vector,
      .map_extras = map_vdso,
      .push_handler = push_handler,
  };
}

}  // namespace

const posix::UnixSystem& linux_system() {
  static const posix::UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::gnu_linux
