// The requests of syssgi(2) and sysmp(2) that are about the system and its processors.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// sysconf(3C) names by their numbers in IRIX <unistd.h>, as NetBSD has them
// (sys/compat/irix/irix_syssgi.h). Limits that no manual page gives are POSIX.1b's minimums.
struct SystemLimit {
  std::uint32_t name;
  std::uint32_t value;
};
constexpr SystemLimit limits[] = {
    {1, 20480},              // _SC_ARG_MAX
    {2, 150},                // _SC_CHILD_MAX
    {3, 100},                // _SC_CLK_TCK
    {4, posix::groups_max},  // _SC_NGROUPS_MAX
    {5, posix::open_max},    // _SC_OPEN_MAX
    {6, 1},                  // _SC_JOB_CONTROL
    {7, 1},                  // _SC_SAVED_IDS
    {8, 199009},             // _SC_VERSION
    {9, 8},                  // _SC_PASS_MAX
    {10, 8},                 // _SC_LOGNAME_MAX
    {11, page_size},         // _SC_PAGESIZE
    {12, 4},                 // _SC_XOPEN_VERSION
    {14, 1},                 // _SC_NPROC_CONF
    {15, 1},                 // _SC_NPROC_ONLN
    {16, 100},               // _SC_STREAM_MAX
    {17, 3},                 // _SC_TZNAME_MAX
    {20, 16},                // _SC_RTSIG_MAX: SIGRTMIN 49 to SIGRTMAX 64
    {21, 32},                // _SC_SIGQUEUE_MAX
    {23, 1},                 // _SC_REALTIME_SIGNALS
    {24, 0},                 // _SC_PRIORITIZED_IO
    {25, 0},                 // _SC_ACL; this and the next five are Trusted IRIX's
    {26, 0},                 // _SC_AUDIT
    {27, 0},                 // _SC_INF
    {28, 0},                 // _SC_MAC
    {29, 0},                 // _SC_CAP
    {30, 0},                 // _SC_IP_SECOPTS
    {31, 32},                // _SC_KERN_POINTERS
    {32, 32},                // _SC_DELAYTIMER_MAX
    {33, 0},                 // _SC_MQ_OPEN_MAX
    {34, 0},                 // _SC_MQ_PRIO_MAX
    {35, 0},                 // _SC_SEM_NSEMS_MAX
    {36, 0},                 // _SC_SEM_VALUE_MAX
    {37, 32},                // _SC_TIMER_MAX
    {38, 1},                 // _SC_FSYNC
    {39, 1},                 // _SC_MAPPED_FILES
    {40, 0},                 // _SC_MEMLOCK
    {41, 0},                 // _SC_MEMLOCK_RANGE
    {42, 1},                 // _SC_MEMORY_PROTECTION
    {43, 0},                 // _SC_MESSAGE_PASSING
    {44, 1},                 // _SC_PRIORITY_SCHEDULING
    {45, 0},                 // _SC_SEMAPHORES
    {46, 0},                 // _SC_SHARED_MEMORY_OBJECTS
    {47, 0},                 // _SC_SYNCHRONIZED_IO
    {48, 1},                 // _SC_TIMERS
    {64, 0},                 // _SC_ASYNCHRONOUS_IO
    {65, 0},                 // _SC_ABI_ASYNCHRONOUS_IO
    {66, 0},                 // _SC_AIO_LISTIO_MAX
    {67, 0},                 // _SC_AIO_MAX
    {68, 0},                 // _SC_AIO_PRIO_DELTA_MAX
};

// pathconf(2) names by their numbers in IRIX <unistd.h> (glibc, sysdeps/unix/sysv/irix4/bits/
// confname.h). Its values are those of SVR4's <limits.h> and of IRIX's limits(5).
constexpr SystemLimit file_limits[] = {
    {1, 30000},  // _PC_LINK_MAX
    {2, 256},    // _PC_MAX_CANON
    {3, 512},    // _PC_MAX_INPUT
    {4, 255},    // _PC_NAME_MAX
    {5, 1024},   // _PC_PATH_MAX
    {6, 10240},  // _PC_PIPE_BUF
    {7, 1},      // _PC_CHOWN_RESTRICTED
    {8, 1},      // _PC_NO_TRUNC
    {9, 0},      // _PC_VDISABLE
};

CallResult find_limit(std::span<const SystemLimit> table, std::uint32_t name) {
  const auto found = std::ranges::find(table, name, &SystemLimit::name);
  if (found == table.end()) return CallResult::failure(Errno::einval);
  return CallResult::value(found->value);
}

}  // namespace

// ---- syssgi

// SGI_SYSID: the machine's serial number for sysid(3C), in 64 characters.
CallResult sgi_sysid(Call& call) {
  std::array<std::uint8_t, 64> id{'0'};
  if (!call.memory.write_bytes(call.address(1), id)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

// SGI_RDNAME: the last part of the program's path, truncated to the caller's room.
CallResult sgi_rdname(Call& call) {
  const Process* const process = call.simulation().find(call.signed_argument(1));
  if (process == nullptr) return CallResult::failure(Errno::esrch);
  const std::int32_t room = call.signed_argument(3);
  if (room < 0) return CallResult::failure(Errno::einval);
  const std::string name = process->program.substr(process->program.rfind('/') + 1);
  std::vector<std::uint8_t> bytes(name.begin(), name.end());
  bytes.push_back(0);
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(room)));
  if (!call.memory.write_bytes(call.address(2), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(std::min(name.size(), bytes.size()));
}

CallResult sysconf(Call& call) {
  return find_limit(limits, call.argument(1));
}

// SGI_PATHCONF: `file` is a path (1) or a descriptor (2).
CallResult pathconf(Call& call) {
  constexpr std::uint32_t by_path = 1, by_descriptor = 2;
  if (call.argument(3) == by_path) {
    const auto path = posix::read_path(call, call.address(1));
    if (!path) return CallResult::failure(path.error());
    const auto found = call.os.files().access(*path, host::AccessKinds{});
    if (!found) return CallResult::failure(posix::to_errno(found.error()));
  } else if (call.argument(3) != by_descriptor) {
    return CallResult::failure(Errno::einval);
  } else if (call.descriptors().get(call.signed_argument(1)) == nullptr) {
    return CallResult::failure(Errno::ebadf);
  }
  return find_limit(file_limits, call.argument(2));
}

// getdtablehi(3): one more than the highest open descriptor.
CallResult sgi_fdhi(Call& call) {
  const auto end = static_cast<std::int64_t>(call.descriptors().end());
  for (std::int64_t number = end; number > 0; --number) {
    if (call.descriptors().get(number - 1) != nullptr) {
      return CallResult::value(static_cast<std::uint64_t>(number));
    }
  }
  return CallResult::value(0);
}

// Nanoseconds since the machine started.
CallResult sgi_get_ust(Call& call) {
  constexpr std::uint64_t nanoseconds_per_microsecond = 1000;
  return posix::GuestStruct(call)
      .wide(call.simulation().clock().microseconds() * nanoseconds_per_microsecond)
      .store(call, call.address(1));
}

CallResult sgi_gettimetrim(Call& call) {
  const std::uint32_t trim[] = {0};
  return posix::write_words(call, call.address(1), trim, CallResult::value(0));
}

// ---- Caches. The processors notice code that changes.

CallResult cacheflush(Call& call) {
  constexpr std::uint32_t both_caches = 3;
  if (call.argument(2) == 0 || call.argument(2) > both_caches) {
    return CallResult::failure(Errno::einval);
  }
  if (!call.memory.probe(call.address(0), call.argument(1), Access::read)) {
    return CallResult::failure(Errno::efault);
  }
  return CallResult::value(0);
}

CallResult cachectl(Call& call) {
  constexpr std::uint32_t uncacheable = 1;
  const std::uint64_t size = call.argument(1);
  if (call.argument(2) > uncacheable || (call.address(0).value() & page_mask) != 0 ||
      (size & page_mask) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (!call.memory.probe(call.address(0), size, Access::read)) {
    return CallResult::failure(Errno::efault);
  }
  return CallResult::value(0);
}

}  // namespace hardclock::irix::calls
