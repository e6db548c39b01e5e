#include "syscalls/irix/irix.h"

#include <array>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix_calls.h"
#include "syscalls/irix/proc_file.h"
#include "syscalls/irix/share_group.h"
#include "syscalls/irix/signals.h"
#include "syscalls/mips/ucontext.h"
#include "syscalls/posix/handlers.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/profil/irix.h"

namespace hardclock::irix {
namespace {

using posix::ExecFailure;

HARDCLOCK_DEFINE_HANDLER(handler, IRIX)

Result<Ok, ExecFailure> map_prda(const posix::Port&, AddressSpace& memory, const Image&, int pid) {
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
// Of the file's class, in bytes (System V ABI, chapter 5).
constexpr std::uint64_t program_header_32 = 32, program_header_64 = 56;

// What rld reads is at_phdr, at_phnum, at_pagesz and at_base, which must not be 0 for it. The type
// is an int, in n64 too, where padding follows it.
std::vector<std::uint64_t> auxiliary_vector(const posix::StackContext& context) {
  const Image& image = context.image;
  const bool is_wide = image.address_bits == 64;
  std::vector<std::uint64_t> words = {at_phdr,   image.program_headers.value(),
                                      at_phent,  is_wide ? program_header_64 : program_header_32,
                                      at_phnum,  image.program_header_count,
                                      at_pagesz, page_size,
                                      at_base,   context.linker_base.value(),
                                      at_flags,  0,
                                      at_entry,  image.entry.value(),
                                      at_null,   0};
  if (is_wide && image.endian == Endian::big) {
    for (std::size_t type = 0; type < words.size(); type += 2) words[type] <<= 32;
  }
  return words;
}

// The stack ends at 0x7fff8000 and may grow to 64 MB, IRIX's usual soft limit. Mappings without an
// address go below the shared libraries' usual places, then above the heap, then up to the stack:
// IRIX never places one in 0x30000000..0x40000000 by itself (sgi_use_anyaddr(3)). Those of 64-bit
// programs that find no room there go above 4 GiB.
constexpr GuestAddr stack_top{0x7fff8000}, user_end_64{std::uint64_t{1} << 40};
constexpr std::uint64_t stack_limit = std::uint64_t{64} << 20;
constexpr posix::Layout::Range below_libraries{GuestAddr(0x04000000), GuestAddr(0x0c000000)};
constexpr posix::Layout::Range above_heap{GuestAddr(0x18000000), GuestAddr(0x30000000)};
constexpr posix::Layout::Range below_stack{GuestAddr(0x40000000), stack_top - stack_limit};
constexpr posix::Layout::Range mappings[] = {below_libraries, above_heap, below_stack};
constexpr posix::Layout::Range wide_mappings[] = {
    below_libraries, above_heap, below_stack, {GuestAddr(std::uint64_t{1} << 32), user_end_64}};

// Semaphores of usnewsema(3P); libc's sproc() opens one of them (NetBSD, sys/compat/irix/
// irix_usema.h).
constexpr std::string_view devices[] = {"/dev/usema", "/dev/usemaclone"};

// rld(1), for programs of o32, n32 and n64.
constexpr std::string_view o32_libraries[] = {"/usr/lib", "/lib", "/lib/cmplrs/cc",
                                              "/usr/lib/cmplrs/cc"};
constexpr std::string_view n32_libraries[] = {"/usr/lib32", "/lib32"};
constexpr std::string_view n64_libraries[] = {"/usr/lib64", "/lib64"};

// The kinds are System V.4's; flags and options are BSD's (reference manual pages socket(2),
// send(2) and recv(2); 4.4BSD, sys/socket.h). SGI's dbx of IRIX 5.3 sets O_NDELAY, reads at once
// and takes 0 for the end.
const posix::SocketInterface sockets = {.stream = 2,
                                        .datagram = 1,
                                        .raw = 4,
                                        .packets = 6,
                                        .options = posix::bsd_socket_options(),
                                        .flags = posix::bsd_message_flags,
                                        .no_delay_fails = true};

std::array<posix::Port, 3> make_ports() {
  // 64-bit programs have "a 40 bit Virtual Address space" (IRIX 6.5 development release notes).
  auto all = mips_ports::ports({.layout = {.user_end = GuestAddr(0x80000000),
                                           .stack_top = stack_top,
                                           .initial_stack = 128 * 1024,
                                           .stack_limit = stack_limit,
                                           .mappings = mappings,
                                           .argument_bytes = 20480},  // sysconf(_SC_ARG_MAX)
                                .auxiliary_vector = auxiliary_vector,
                                .map_extras = map_prda,
                                .push_handler = push_handler,
                                .take_up_ucontext = mips_ports::take_up_ucontext},
                               user_end_64);
  all[2].layout.mappings = wide_mappings;
  all[0].library_directories = o32_libraries;
  all[1].library_directories = n32_libraries;
  all[2].library_directories = n64_libraries;
  for (posix::Port& port : all) {
    port.ucontext_bytes = mips_ports::ucontext_bytes(mips_ports::data_model_of(*port.abi));
    // irix_time_t and irix_stack_t of NetBSD's sys/compat/irix, where a long has 64 bits.
    port.times_are_int = port.stack_size_is_int = port.abi->address_bits == 64;
  }
  return all;
}

posix::UnixSystem make_system() {
  static const auto ports = make_ports();
  return {
      .name = "irix",
      .title = "IRIX",
      .calls = all_calls(),
      .handler = handler,
      .indirect_call = 1000,  // syscall(number, ...)
      // IRIX <sys/errno.h>; the same list is in libc's _sys_errlist.
      .errnos = posix::ErrnoNumbers(11, {78, 79, 89, 90, 93, 122}, 145, posix::svr4_socket_errnos,
                                    posix::svr4_lock_errnos),
      // IRIX <sys/fcntl.h>, as in NetBSD's sys/compat/irix/irix_fcntl.h.
      .open_flags = {.append = 8,
                     .create = 0x100,
                     .truncate = 0x200,
                     .exclusive = 0x400,
                     .non_block = 0x80,
                     .no_delay = 4,
                     .sync = 0x10,
                     .kept = 0x2000 | 0x8000},  // O_LARGEFILE, O_DIRECT
      .map_flags = {.fixed = 0x10, .anonymous = 0, .autogrow = 0x40},
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
                    .on_stack = sa_onstack,
                    .no_child_wait = sa_nocldwait,
                    .no_child_stop = sa_nocldstop},
      .ports = ports,
      .clock_t_rate = Hertz(100),
      .devices = devices,
      .terminal = &terminal,
      .ipc = &ipc_interface,
      .sockets = &sockets,
      // pipe(2), the SVR3.2 version: up to PIPE_BUF bytes are buffered, and written atomically.
      .pipe_sizes = {.capacity = 10240, .atomic = 10240},
      .script_line = 256,  // execve(2) of IRIX
      .profiling = &profil::irix_system,
      .after_fork = after_fork,
      .before_exec = before_exec,
      .before_exit = before_exit,
      .switch_to = switch_to,
      .synthetic_files = proc_files,
  };
}

}  // namespace

const posix::UnixSystem& irix_system() {
  static const posix::UnixSystem system = make_system();
  return system;
}

}  // namespace hardclock::irix
