// HP-UX's calls about processes and about the system whose arguments are its own.
// Sources: aeriebsd, sys/compat/hpux/hpux_compat.c; Linux, arch/parisc/hpux/sys_hpux.c; Lites, the
// emulation of HP-UX on PA-RISC (e_hpux.h).
#include <algorithm>
#include <array>
#include <string>

#include "syscalls/hpux/calls.h"
#include "syscalls/hpux/gateway.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::hpux::calls {
namespace {

// ---- utssys(2). The last of HP's workstations, on which programs for all of its PA-RISC run; the
// last release, for IA-64.

struct Name {
  const char* text;  // null: the host's
  std::size_t field;
};
constexpr std::array<Name, 6> utsname = {
    {{"HP-UX", 9}, {nullptr, 9}, {"B.11.11", 9}, {"U", 9}, {"9000/785", 9}, {"0", 15}}};
constexpr std::array<Name, 6> ia64_utsname = {
    {{"HP-UX", 9}, {nullptr, 9}, {"B.11.31", 9}, {"U", 9}, {"ia64", 9}, {"0", 15}}};

bool is_ia64(const Call& call) {
  return call.process.image->architecture == Architecture::ia64;
}

// Fields of fixed sizes that follow each other, each ended by a NUL.
CallResult write_names(Call& call) {
  std::vector<std::uint8_t> bytes;
  for (const Name& name : is_ia64(call) ? ia64_utsname : utsname) {
    std::string text = name.text == nullptr ? call.os.host_name() : name.text;
    text.resize(name.field - 1);
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.push_back(0);
  }
  if (!call.memory.write_bytes(call.address(0), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

// utssys(buffer, size, 5)
CallResult write_host_name(Call& call) {
  const std::string name = call.os.host_name();
  std::vector<std::uint8_t> bytes(name.begin(), name.end());
  bytes.push_back(0);
  bytes.resize(std::min<std::size_t>(bytes.size(), call.argument(1)));
  if (!call.memory.write_bytes(call.address(0), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

}  // namespace

CallResult with_resource(Call& call, Handler handler) {
  // SVR4's numbers up to RLIMIT_CORE, then these.
  enum HpuxResource : std::uint32_t { rlimit_rss = 5, rlimit_nofile = 6 };
  const std::uint32_t resource = call.argument(0);
  if (resource > rlimit_nofile) return CallResult::failure(Errno::einval);
  if (resource == rlimit_rss) call.arguments[0] = posix::rlimit_rss;
  if (resource == rlimit_nofile) call.arguments[0] = posix::rlimit_nofile;
  return handler(call);
}

// The page that contains the new end also belongs to the program: the C library uses the rest of it
// (Linux, arch/parisc/hpux/sys_hpux.c, hpux_brk()).
CallResult brk(Call& call) {
  if ((call.arguments[0] & page_mask) == 0) ++call.arguments[0];
  return posix::calls::brk(call);
}

// In 64 bits the ends are also stored at an argument that the table does not have (Ski,
// src/hpux/syscall-hpux.c).
CallResult pipe(Call& call) {
  if (call.abi().address_bits == 32) return posix::calls::pipe(call);
  const auto place = call.abi().argument(*call.thread.cpu, call.memory, 0);
  if (!place || !call.memory.probe(GuestAddr(*place), 8, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  const CallResult made = posix::calls::pipe(call);
  if (made.kind != CallResult::Kind::value) return made;
  const std::array<std::uint32_t, 2> ends = {static_cast<std::uint32_t>(made.first),
                                             static_cast<std::uint32_t>(*made.second)};
  return posix::write_words(call, GuestAddr(*place), ends, made);
}

// struct timeb {time_t time; unsigned short millitm; short timezone, dstflag}. The guests live at
// Greenwich.
CallResult ftime(Call& call) {
  const auto [seconds, microseconds] = call.os.time_of_day();
  posix::GuestStruct timeb(call);
  timeb.time(seconds).half(microseconds / 1000).half(0).half(0);
  return timeb.store(call, call.address(0));
}

// time(where): seconds, also stored there as a long, unless it is NULL.
CallResult time(Call& call) {
  const std::uint32_t seconds = call.os.time_of_day().first;
  if (!call.is_null(0)) {
    const CallResult stored = posix::GuestStruct(call).time(seconds).store(call, call.address(0));
    if (stored.kind == CallResult::Kind::error) return stored;
  }
  return CallResult::value(seconds);
}

// clock_t has 32 bits even in 64-bit programs (Ski, src/lp64struct.h).
CallResult times(Call& call) {
  const std::uint64_t rate = call.simulation().clock().tick_rate().value();
  const auto clock_t_of = [&](Ticks ticks) {
    return static_cast<std::uint32_t>(ticks.value() * call.system.clock_t_rate.value() / rate);
  };
  const CpuTime &own = call.process.time, &children = call.process.children_time;
  const std::array<std::uint32_t, 4> tms = {clock_t_of(own.user), clock_t_of(own.system),
                                            clock_t_of(children.user), clock_t_of(children.system)};
  return posix::write_words(call, call.address(0), tms,
                            CallResult::value(clock_t_of(call.simulation().clock().ticks())));
}

CallResult utssys(Call& call) {
  enum Type : std::uint32_t { uname, ustat = 2, setuname = 3, sethostname = 4, gethostname = 5 };
  switch (call.argument(2)) {
    case uname:
      return write_names(call);
    case ustat:  // no file system is known by a device number here
      return CallResult::failure(Errno::einval);
    case setuname:
    case sethostname:
      return CallResult::failure(Errno::eperm);
    case gethostname:
      return write_host_name(call);
    default:
      return CallResult::failure(Errno::efault);
  }
}

// _SC_CPU_VERSION is that of the program's processor, which runs it and all older ones. Of IA-64 it
// is CPU_HP_INTEL_EM_1_0 (Ski, src/hpux/syscall-hpux.c). _SC_NGROUPS_MAX is what GNU bash for HP-UX
// asks for.
CallResult sysconf(Call& call) {
  enum Name : std::uint32_t {
    arg_max = 0,
    child_max = 1,
    clk_tck = 2,
    ngroups_max = 3,
    open_max = 4,
    page_bytes = 3001,
    cpu_version = 10001
  };
  constexpr std::uint32_t architecture = 0xffff, intel_em_1_0 = 0x300;
  switch (call.argument(0)) {
    case arg_max:
      return CallResult::value(call.port().layout.argument_bytes);
    case child_max:
      return CallResult::value(call.simulation().options().max_processes);
    case ngroups_max:  // setgroups(2)
      return CallResult::value(20);
    case page_bytes:
      return CallResult::value(page_size);
    case clk_tck:
      return CallResult::value(call.system.clock_t_rate.value());
    case open_max:
      return CallResult::value(call.descriptors().limit());
    case cpu_version:
      return CallResult::value(is_ia64(call) ? intel_em_1_0
                                             : call.process.image->flags & architecture);
    default:
      return CallResult::failure(Errno::einval);
  }
}

}  // namespace hardclock::hpux::calls
