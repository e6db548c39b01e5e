#include "syscalls/irix/irix.h"

#include <array>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix_calls.h"
#include "syscalls/irix/signals.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/profil/irix.h"

namespace hardclock::irix {
namespace {

using posix::ExecFailure;

HARDCLOCK_DEFINE_HANDLER(handler, IRIX)

// The process data area: one page with the pid where libc looks for it (IRIX <sys/prctl.h>).
constexpr GuestAddr prda{0x00200000};
constexpr std::uint64_t prda_pid = 0xe00, prda_rpid = 0xe40;

Result<Ok, ExecFailure> map_prda(const posix::UnixSystem&, AddressSpace& memory, int pid) {
  const auto mapped = memory.map(prda, page_size, Permissions{.read = true, .write = true}, "prda");
  if (!mapped && mapped.error() != MapError::memory) {
    return Failure{ExecFailure{
        posix::Errno::enomem, "the program covers the place of the process data area at 0x200000"}};
  }
  const auto id = static_cast<std::uint32_t>(pid);
  if (!mapped || !memory.write(prda + prda_pid, id) || !memory.write(prda + prda_rpid, id)) {
    return Failure{
        ExecFailure{posix::Errno::enomem, "no room for the process data area; raise --max-memory"}};
  }
  return Ok{};
}

enum AuxType : std::uint32_t {
  at_null = 0,
  at_phdr = 3,
  at_phent = 4,
  at_phnum = 5,
  at_pagesz = 6,
  at_base = 7,
  at_flags = 8,
  at_entry = 9
};
constexpr std::uint32_t program_header_size = 32;

std::vector<std::uint32_t> auxiliary_vector(const Image& image) {
  const auto word = [](GuestAddr address) { return static_cast<std::uint32_t>(address.value()); };
  return {at_phdr,   word(image.program_headers),
          at_phent,  program_header_size,
          at_phnum,  image.program_header_count,
          at_pagesz, page_size,
          at_base,   0,
          at_flags,  0,
          at_entry,  word(image.entry),
          at_null,   0};
}

// The stack ends at 0x7fff8000 and may grow to 64 MB, IRIX's usual soft limit. Mappings without an
// address go below the shared libraries' usual places, then above the heap: IRIX never places one
// in 0x30000000..0x40000000 by itself (sgi_use_anyaddr(3)).
constexpr posix::Layout::Range mappings[] = {{GuestAddr(0x04000000), GuestAddr(0x0c000000)},
                                             {GuestAddr(0x18000000), GuestAddr(0x30000000)}};

posix::UnixSystem make_system() {
  return {
      .name = "irix",
      .title = "IRIX",
      .calls = all_calls(),
      .handler = handler,
      .indirect_call = 1000,  // syscall(number, ...)
      // IRIX <sys/errno.h>; the same list is in libc's _sys_errlist.
      .errnos = posix::ErrnoNumbers(11, {78, 79, 89, 90, 93, 122}),
      .open_flags = {.append = 8, .create = 0x100, .truncate = 0x200, .exclusive = 0x400},
      .map_flags = {.fixed = 0x10, .anonymous = 0},
      .signals = signal_table(),
      .sigaction = {.words = 8,
                    .flags = 0,
                    .handler = 1,
                    .mask = 2,
                    .mask_words = 4,
                    .restart = sa_restart,
                    .reset_handler = sa_resethand,
                    .no_defer = sa_nodefer,
                    .with_info = sa_siginfo,
                    .on_stack = sa_onstack},
      .layout = {.user_end = GuestAddr(0x80000000),
                 .stack_top = GuestAddr(0x7fff8000),
                 .initial_stack = 128 * 1024,
                 .stack_limit = std::uint64_t{64} << 20,
                 .mappings = mappings,
                 .argument_bytes = 20480},  // sysconf(_SC_ARG_MAX)
      .clock_t_rate = Hertz(100),
      .profiling = profil::irix_system,
      .auxiliary_vector = auxiliary_vector,
      .map_extras = map_prda,
      .push_handler = push_handler,
  };
}

}  // namespace

const posix::UnixSystem& irix_system() {
  static const posix::UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::irix
