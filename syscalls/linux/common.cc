#include "syscalls/linux/common.h"

#include <array>

#include "syscalls/linux/process_files.h"
#include "syscalls/posix/process_state.h"

namespace hardclock::gnu_linux {
namespace {

profil::State never_profiled(const profil::State&) {
  return {};
}

profil::State never_faulted(const profil::State&, std::size_t) {
  return {};
}

profil::Lookup counted_nowhere(const profil::State&, GuestAddr) {
  return profil::Miss{};
}

// include/asm-generic/resource.h, INIT_RLIMITS. Of waiting signals half as many as of threads
// (kernel/fork.c, fork_init()), of which /proc/sys/kernel/threads-max is 1024 by default.
constexpr posix::FirstLimit first_limits[] = {
    {posix::rlimit_nofile, open_files},
    {posix::rlimit_core, {0, posix::no_limit}},
    {posix::rlimit_memlock, {8 * 1024 * 1024, 8 * 1024 * 1024}},
    {posix::rlimit_sigpending, {512, 512}},
    {posix::rlimit_msgqueue, {819200, 819200}},
    {posix::rlimit_nice, {0, 0}},
    {posix::rlimit_rtprio, {0, 0}},
};

// fs/binfmt_elf.c, create_elf_tables()
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
// What AT_RANDOM points to: the same in every run.
constexpr std::array<std::uint8_t, 16> random_bytes = {
    0x68, 0x61, 0x72, 0x64, 0x63, 0x6c, 0x6f, 0x63, 0x6b, 0x3a, 0x20, 0x34, 0x2e, 0x21, 0x9d, 0xe3};

}  // namespace

constinit const profil::SystemRules profiling = {
    .name = "linux",
    .title = "Linux",
    .description = "Linux has no profil(2).",
    .tick_rate = Hertz(100),  // CONFIG_HZ_100; the C library's profil() counts hundredths too
    .lookup = counted_nowhere,
    .after_fault = never_faulted,
    .after_exec = never_profiled,
    .after_fork = never_profiled,
    .rules = {},
    .contradictions = {},
};

posix::UnixSystem with_common_parts(posix::UnixSystem system) {
  system.has_exact_timers = true;
  system.fork_returns_zero = true;
  system.has_sticky_files = true;
  system.has_full_device = true;
  system.has_shared_memory = true;
  system.first_limits = first_limits;
  system.moves_what_fits = true;
  system.counts_private_data = true;
  system.script_line = 256;  // BINPRM_BUF_SIZE
  system.before_exec = before_exec;
  system.before_exit = before_exit;
  system.synthetic_files = process_files;
  return system;
}

GuestAddr push_string(const posix::StackContext& context, const std::string& text) {
  return context.push(
      std::span(reinterpret_cast<const std::uint8_t*>(text.c_str()), text.size() + 1));
}

std::vector<std::uint64_t> auxiliary_vector(const posix::StackContext& context) {
  const Image& image = context.image;
  const GuestAddr name = push_string(context, context.program.path);
  const GuestAddr random = context.push(random_bytes);
  const std::uint64_t header_bytes = image.address_bits == 64 ? 56 : 32;
  return {at_hwcap,  0,
          at_pagesz, context.page_bytes,
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

}  // namespace hardclock::gnu_linux
