// The errors' names and numbers: the C library of the host has the first 34 as every Unix has them.
#include "syscalls/posix/errno.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "syscalls/systems.h"

namespace hardclock::posix {
namespace {

constexpr unsigned common_errors = 34;

TEST(Errors, HaveTheirNames) {
  for (unsigned number = 1; number <= common_errors; ++number) {
    EXPECT_STREQ(errno_name(static_cast<Errno>(number - 1)),
                 strerrorname_np(static_cast<int>(number)));
  }
  constexpr std::pair<Errno, int> others[] = {{Errno::enametoolong, ENAMETOOLONG},
                                              {Errno::eoverflow, EOVERFLOW},
                                              {Errno::enosys, ENOSYS},
                                              {Errno::eloop, ELOOP},
                                              {Errno::enotempty, ENOTEMPTY},
                                              {Errno::eopnotsupp, EOPNOTSUPP},
                                              {Errno::etimedout, ETIMEDOUT},
                                              {Errno::enotsock, ENOTSOCK},
                                              {Errno::edestaddrreq, EDESTADDRREQ},
                                              {Errno::emsgsize, EMSGSIZE},
                                              {Errno::eprototype, EPROTOTYPE},
                                              {Errno::enoprotoopt, ENOPROTOOPT},
                                              {Errno::eprotonosupport, EPROTONOSUPPORT},
                                              {Errno::esocktnosupport, ESOCKTNOSUPPORT},
                                              {Errno::eafnosupport, EAFNOSUPPORT},
                                              {Errno::eaddrinuse, EADDRINUSE},
                                              {Errno::eaddrnotavail, EADDRNOTAVAIL},
                                              {Errno::enetunreach, ENETUNREACH},
                                              {Errno::econnreset, ECONNRESET},
                                              {Errno::enobufs, ENOBUFS},
                                              {Errno::eisconn, EISCONN},
                                              {Errno::enotconn, ENOTCONN},
                                              {Errno::etoomanyrefs, ETOOMANYREFS},
                                              {Errno::econnrefused, ECONNREFUSED},
                                              {Errno::ealready, EALREADY},
                                              {Errno::einprogress, EINPROGRESS},
                                              {Errno::enomsg, ENOMSG},
                                              {Errno::eidrm, EIDRM},
                                              {Errno::enolck, ENOLCK},
                                              {Errno::edeadlk, EDEADLK}};
  for (const auto& [error, number] : others) {
    EXPECT_STREQ(errno_name(error), strerrorname_np(number));
  }
}

// EAGAIN is 11 everywhere but in 4.4BSD, where 11 is EDEADLK and EAGAIN is EWOULDBLOCK, 35
// (sys/errno.h).
TEST(Errors, HaveTheirNumbers) {
  for (const Architecture machine :
       {Architecture::mips, Architecture::pa_risc, Architecture::ia64}) {
    for (const UnixSystem* const system : unix_systems(machine)) {
      SCOPED_TRACE(system->name);
      const unsigned eagain = system->name == "4.4bsd" ? 35 : 11;
      for (unsigned number = 1; number <= common_errors; ++number) {
        const auto error = static_cast<Errno>(number - 1);
        EXPECT_EQ(system->errnos.of(error), error == Errno::eagain ? eagain : number);
      }
      EXPECT_EQ(system->errnos.error(eagain), Errno::eagain);
      EXPECT_EQ(system->errnos.error(9999), Errno::einval);
    }
  }
}

// The host's headers have the numbers that are Linux's everywhere but on MIPS and PA-RISC.
TEST(Errors, HaveTheGenericNumbersOfSockets) {
  constexpr int numbers[] = {ENOTSOCK,     EDESTADDRREQ,    EMSGSIZE,        EPROTOTYPE,
                             ENOPROTOOPT,  EPROTONOSUPPORT, ESOCKTNOSUPPORT, EAFNOSUPPORT,
                             EADDRINUSE,   EADDRNOTAVAIL,   ENETUNREACH,     ECONNRESET,
                             ENOBUFS,      EISCONN,         ENOTCONN,        ETOOMANYREFS,
                             ECONNREFUSED, EALREADY,        EINPROGRESS};
  for (std::size_t i = 0; i < generic_socket_errnos.size(); ++i) {
    EXPECT_EQ(generic_socket_errnos[i], numbers[i]);
  }
}

// ENOMSG, EIDRM, ENOLCK and EDEADLK, which IPC and record locks answer. System V has 35, 36, 46 and
// 45 (sys/errno.h), which IRIX, HP-UX, and Linux on MIPS and PA-RISC took over (arch/mips and
// arch/parisc, include/uapi/asm/errno.h); elsewhere Linux has the host's.
TEST(Errors, HaveSystemVsNumbersOfIpcAndLocks) {
  constexpr Errno errors[] = {Errno::enomsg, Errno::eidrm, Errno::enolck, Errno::edeadlk};
  constexpr unsigned of_system_v[] = {35, 36, 46, 45};
  constexpr unsigned of_host[] = {ENOMSG, EIDRM, ENOLCK, EDEADLK};
  std::size_t systems = 0;
  for (const Architecture machine :
       {Architecture::mips, Architecture::pa_risc, Architecture::ia64}) {
    for (const UnixSystem* const system : unix_systems(machine)) {
      if (system->name != "linux" && system->name != "irix" && system->name != "hpux") continue;
      SCOPED_TRACE(system->name);
      const bool is_generic = system->name == "linux" && machine == Architecture::ia64;
      for (std::size_t i = 0; i < std::size(errors); ++i) {
        EXPECT_EQ(system->errnos.of(errors[i]), is_generic ? of_host[i] : of_system_v[i]);
      }
      ++systems;
    }
  }
  EXPECT_EQ(systems, 6U) << "Linux three times, HP-UX twice, IRIX";
}

}  // namespace
}  // namespace hardclock::posix
