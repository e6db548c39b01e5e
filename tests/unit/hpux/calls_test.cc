// HP-UX's calls about ids, priorities, record locks, limits and times. Expectations are those of
// section 2 of the HP-UX Reference (setresuid, nice, getpriority, rtprio, lockf, getdirentries,
// statfs) unless a test names another source.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::Machine;
using testing::program_image;

constexpr unsigned eperm = 1, esrch = 3, ebadf = 9, eacces = 13, efault = 14, eexist = 17,
                   enotty = 25, einval = 22;
constexpr unsigned fork_call = 2, open_call = 5, getuid_call = 24, getgid_call = 47, nice_call = 34,
                   lwp_getprivate_call = 67, lwp_setprivate_call = 68, setpriority_call = 96,
                   getpriority_call = 100, setresuid_call = 126, setresgid_call = 127,
                   rtprio_call = 152, lockf_call = 155, sysconf_call = 132, time_call = 13;
constexpr std::uint64_t minus_1 = 0xffffffff;
constexpr std::uint32_t user = posix::first_user;

// ---- Ids.

TEST(Ids, WhoIsNotTheSuperuserExchangesTheIdsThatItHas) {
  Machine machine;
  EXPECT_EQ(machine.call(setresuid_call, {user, user, minus_1}), std::nullopt);
  EXPECT_EQ(machine.call(setresuid_call, {user, 0, user}), eperm);
  EXPECT_EQ(machine.call(setresgid_call, {0, minus_1, minus_1}), eperm);
  EXPECT_EQ(machine.call(setresuid_call, {minus_1, minus_1, 0x80000000}), einval);
  EXPECT_EQ(machine.call(getuid_call, {}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), user);
  EXPECT_EQ(machine.gpr(29), user);
}

TEST(Ids, ASavedIdIsOneOfThem) {
  Machine machine;
  posix::state_of(*machine.process).credentials.group = {5, 6, 7};
  EXPECT_EQ(machine.call(setresgid_call, {7, 5, 6}), std::nullopt);
  EXPECT_EQ(machine.call(getgid_call, {}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 7u);
  EXPECT_EQ(machine.gpr(29), 5u);
  EXPECT_EQ(posix::state_of(*machine.process).credentials.group.saved, 6u);
  EXPECT_EQ(machine.call(setresgid_call, {5, 8, 6}), eperm);
  EXPECT_EQ(posix::state_of(*machine.process).credentials.group.real, 7u) << "all or nothing";
}

TEST(Ids, TheSuperuserSetsAny) {
  Machine machine;
  posix::state_of(*machine.process).credentials.user = {0, 0, 0};
  EXPECT_EQ(machine.call(setresuid_call, {1, 2, 3}), std::nullopt);
  EXPECT_EQ(posix::state_of(*machine.process).credentials.user.saved, 3u);
}

// ---- Threads.

// Control register 27, which GCC's code for thread-local data reads (config/pa/pa.md, tp_load).
TEST(Threads, HaveAPrivatePointer) {
  for (const unsigned bits : {32U, 64U}) {
    Machine machine(program_image(bits));
    EXPECT_EQ(machine.call(lwp_setprivate_call, {data + 0x10}), std::nullopt);
    EXPECT_EQ(machine.registers().temporary[27 - 24], data + 0x10);
    EXPECT_EQ(machine.call(lwp_getprivate_call, {}), std::nullopt);
    EXPECT_EQ(machine.gpr(28), data + 0x10);
  }
}

// ---- Addresses from 0x80000000 on: quadrants 3 and 4 of a process.

class HighMemory : public ::testing::Test {
 protected:
  static constexpr std::uint64_t high = 0x80001000;

  HighMemory() {
    EXPECT_TRUE(machine.memory()
                    .map(GuestAddr(high), page_size, {.read = true, .write = true}, "shared")
                    .ok());
  }
  void store(std::uint64_t at, std::uint32_t word) {
    ASSERT_TRUE(machine.memory().write(GuestAddr(at), word).ok());
  }

  Machine machine;
};

// struct sigstack {char *ss_sp; int ss_onstack}
TEST_F(HighMemory, HoldsASignalStack) {
  constexpr unsigned sigstack_call = 112;
  store(data, high + 0x100);
  ASSERT_EQ(machine.call(sigstack_call, {data, 0}), std::nullopt);
  EXPECT_EQ(posix::thread_state_of(machine.thread()).alternate_stack.base, GuestAddr(high + 0x100));
  ASSERT_EQ(machine.call(sigstack_call, {0, data + 8}), std::nullopt);
  EXPECT_EQ(machine.word(data + 8), high + 0x100);
}

// struct sigvec {void (*sv_handler)(); int sv_mask, sv_flags}
TEST_F(HighMemory, HoldsAHandler) {
  constexpr unsigned sigvector_call = 108, sigusr1 = 16;
  store(data, high + 0x200);
  ASSERT_EQ(machine.call(sigvector_call, {sigusr1, data, 0}), std::nullopt);
  EXPECT_EQ(machine.process->signals.action(sigusr1).handler, GuestAddr(high + 0x200));
}

// struct iovec {void *iov_base; size_t iov_len}: a pipe's end takes what lies there.
TEST_F(HighMemory, HoldsBuffers) {
  constexpr unsigned pipe_call = 42, readv_call = 120, writev_call = 121;
  ASSERT_EQ(machine.call(pipe_call, {}), std::nullopt);
  const std::uint64_t reader = machine.gpr(28), writer = machine.gpr(29);
  store(high, 0x61626364);
  store(data, high);
  store(data + 4, 4);
  ASSERT_EQ(machine.call(writev_call, {writer, data, 1}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 4u);
  store(data, high + 8);
  ASSERT_EQ(machine.call(readv_call, {reader, data, 1}), std::nullopt);
  EXPECT_EQ(machine.word(high + 8), 0x61626364u);
}

// ---- Processes.

// fork(2): EAGAIN: "The system-imposed limit on the total number of processes under execution would
// be exceeded."
TEST(Processes, HaveALimitThatIsSaidOnce) {
  Machine machine;
  constexpr unsigned eagain = 11;
  const std::uint64_t most = machine.simulation.options().max_processes;
  for (std::uint64_t i = 1; i < most; ++i) ASSERT_EQ(machine.call(fork_call, {}), std::nullopt);
  EXPECT_TRUE(machine.notices.empty());
  EXPECT_EQ(machine.call(fork_call, {}), eagain);
  EXPECT_EQ(machine.call(fork_call, {}), eagain);
  ASSERT_EQ(machine.notices.size(), 1u);
  EXPECT_NE(machine.notices[0].find(std::to_string(most) + " processes"), std::string::npos)
      << machine.notices[0];
}

// ---- Priorities.

std::int32_t result_of(Machine& machine) {
  return static_cast<std::int32_t>(machine.gpr(28));
}

// "Upon successful completion, nice() returns the new nice value minus 20"; the most is 39.
TEST(Priorities, NiceIsTheNewValue) {
  Machine machine;
  EXPECT_EQ(machine.call(nice_call, {4}), std::nullopt);
  EXPECT_EQ(result_of(machine), 4);
  EXPECT_EQ(machine.call(nice_call, {minus_1}), eperm);
  EXPECT_EQ(machine.call(nice_call, {41}), eperm);
  EXPECT_EQ(machine.call(nice_call, {40}), std::nullopt);
  EXPECT_EQ(result_of(machine), 19);
}

TEST(Priorities, OfSeveralProcessesTheSmallestCounts) {
  Machine machine;
  EXPECT_EQ(machine.call(setpriority_call, {0, 0, 7}), std::nullopt);
  ASSERT_EQ(machine.call(fork_call, {}), std::nullopt);
  const std::uint64_t child = machine.gpr(28);
  EXPECT_EQ(machine.call(getpriority_call, {0, child}), std::nullopt);
  EXPECT_EQ(result_of(machine), 7) << "a fork inherits it";
  EXPECT_EQ(machine.call(setpriority_call, {0, child, 12}), std::nullopt);
  EXPECT_EQ(machine.call(getpriority_call, {1, 0}), std::nullopt);  // PRIO_PGRP
  EXPECT_EQ(result_of(machine), 7);
  EXPECT_EQ(machine.call(setpriority_call, {2, user, 20}), std::nullopt);  // PRIO_USER
  EXPECT_EQ(machine.call(getpriority_call, {0, child}), std::nullopt);
  EXPECT_EQ(result_of(machine), 20);
}

TEST(Priorities, Errors) {
  Machine machine;
  EXPECT_EQ(machine.call(getpriority_call, {0, 9999}), esrch);
  EXPECT_EQ(machine.call(getpriority_call, {3, 0}), einval);
  EXPECT_EQ(machine.call(setpriority_call, {0, 0, minus_1}), eperm) << "a smaller value";
  ASSERT_EQ(machine.call(fork_call, {}), std::nullopt);
  const std::uint64_t child = machine.gpr(28);
  posix::state_of(*machine.simulation.find(static_cast<int>(child))).credentials.user = {5, 5, 5};
  EXPECT_EQ(machine.call(setpriority_call, {0, child, 1}), eacces) << "another user's";
}

// RTPRIO_NOCHG 1000 and RTPRIO_RTOFF 1001 (Lites, e_hpux.h).
TEST(Priorities, NobodyIsARealTimeProcess) {
  Machine machine;
  EXPECT_EQ(machine.call(rtprio_call, {0, 1000}), std::nullopt);
  EXPECT_EQ(result_of(machine), 1001);
  EXPECT_EQ(machine.call(rtprio_call, {0, 1001}), std::nullopt);
  EXPECT_EQ(result_of(machine), 1001);
  EXPECT_EQ(machine.call(rtprio_call, {0, 90}), eperm);
  EXPECT_EQ(machine.call(rtprio_call, {0, 128}), einval);
  EXPECT_EQ(machine.call(rtprio_call, {9999, 1000}), esrch);
}

// ---- Files.

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "hpux_calls";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "file") << "0123456789";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  host::FileSpace files() const { return {.binds = {{folder_.string(), "/"}}}; }
  static void put_name(Machine& machine, const std::string& path) {
    const std::string text = path + '\0';
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    EXPECT_TRUE(machine.memory().write_bytes(GuestAddr(name), std::span(bytes, text.size())).ok());
  }
  static std::uint64_t opened(Machine& machine, std::uint32_t flags) {
    put_name(machine, "/file");
    EXPECT_EQ(machine.call(open_call, {name, flags, 0}), std::nullopt);
    return machine.gpr(28);
  }

  static constexpr std::uint64_t name = data + 0x800;
  std::filesystem::path folder_;
};

// F_ULOCK 0, F_LOCK 1, F_TLOCK 2, F_TEST 3, from the file's position on.
TEST_F(Files, Lockf) {
  Machine machine(program_image(), files());
  const std::uint64_t fd = opened(machine, 2);
  EXPECT_EQ(machine.call(lockf_call, {fd, 2, 5}), std::nullopt);
  EXPECT_EQ(machine.call(lockf_call, {fd, 3, 0}), std::nullopt) << "one's own lock";
  EXPECT_EQ(machine.call(lockf_call, {fd, 4, 0}), einval);
  EXPECT_EQ(machine.call(lockf_call, {fd, 2, minus_1}), einval) << "before the file's beginning";
  EXPECT_EQ(machine.call(lockf_call, {55, 2, 0}), ebadf);
  ASSERT_EQ(machine.call(fork_call, {}), std::nullopt);
  Process* const parent = machine.process;
  machine.process = machine.simulation.find(static_cast<int>(machine.gpr(28)));
  EXPECT_EQ(machine.call(lockf_call, {fd, 3, 1}), eacces);
  EXPECT_EQ(machine.call(lockf_call, {fd, 2, 0}), eacces);
  ASSERT_EQ(machine.call(19, {fd, 5, 0}), std::nullopt);  // lseek: behind the lock
  EXPECT_EQ(machine.call(lockf_call, {fd, 2, 0}), std::nullopt);
  ASSERT_EQ(machine.call(19, {fd, 0, 0}), std::nullopt);
  machine.process = parent;
  EXPECT_EQ(machine.call(lockf_call, {fd, 0, 5}), std::nullopt);
  EXPECT_EQ(machine.call(lockf_call, {fd, 3, 5}), std::nullopt);
  EXPECT_EQ(machine.call(lockf_call, {fd, 3, 6}), eacces) << "the child's";
}

// "The file descriptor must have been opened with write-only or read-write permission."
TEST_F(Files, LockfNeedsToWrite) {
  Machine machine(program_image(), files());
  EXPECT_EQ(machine.call(lockf_call, {opened(machine, 0), 2, 0}), ebadf);
}

// An off64_t is in an aligned pair of registers, the high half in the one with the lower number.
TEST_F(Files, Lockf64) {
  Machine machine(program_image(), files());
  const std::uint64_t fd = opened(machine, 2);
  constexpr unsigned lockf64 = 364;
  EXPECT_EQ(machine.call(lockf64, {fd, 2, 0, 1}), std::nullopt);  // 4 GiB
  ASSERT_EQ(machine.call(fork_call, {}), std::nullopt);
  machine.process = machine.simulation.find(static_cast<int>(machine.gpr(28)));
  ASSERT_EQ(machine.call(19, {fd, 0x7fffffff, 0}), std::nullopt);
  EXPECT_EQ(machine.call(lockf_call, {fd, 3, 1}), eacces);
}

TEST_F(Files, NodesAreTheSuperusers) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  constexpr unsigned mknod = 14;
  EXPECT_EQ(machine.call(mknod, {name, 0020644, 0}), eexist);
  put_name(machine, "/other");
  EXPECT_EQ(machine.call(mknod, {name, 0020644, 0}), eperm);
}

// No file is a terminal.
TEST_F(Files, SttyAndGtty) {
  Machine machine(program_image(), files());
  const std::uint64_t fd = opened(machine, 2);
  EXPECT_EQ(machine.call(31, {fd, data}), enotty);
  EXPECT_EQ(machine.call(32, {fd, data}), enotty);
  EXPECT_EQ(machine.call(32, {55, data}), ebadf);
}

// FIOSNBIO is _IOW('f', 126, int) in aeriebsd (sys/compat/hpux/hpux.h) and _IOW('f', 118, int) in
// Lites (e_hpux.h); O_NONBLOCK is 0200000.
TEST_F(Files, Fiosnbio) {
  constexpr unsigned ioctl = 54, fcntl = 62, f_getfl = 3;
  Machine machine(program_image(), files());
  for (const std::uint32_t request : {0x8004667eu, 0x80046676u}) {
    const std::uint64_t fd = opened(machine, 2);
    for (const std::uint32_t on : {1u, 0u}) {
      EXPECT_TRUE(machine.memory().write(GuestAddr(data), on).ok());
      EXPECT_EQ(machine.call(ioctl, {fd, request, data}), std::nullopt);
      ASSERT_EQ(machine.call(fcntl, {fd, f_getfl, 0}), std::nullopt);
      EXPECT_EQ(machine.gpr(28), on != 0 ? 0200002u : 2u);
    }
  }
}

// Its fields are of type int32_t (11i), in 64-bit programs too: type, bsize, blocks, bfree, bavail.
TEST_F(Files, StatfsOf64Bits) {
  Machine machine(program_image(64), files());
  put_name(machine, "/file");
  EXPECT_TRUE(machine.memory().write<std::uint32_t>(GuestAddr(data + 64), 99).ok());
  ASSERT_EQ(machine.call(196, {name, data}), std::nullopt);
  EXPECT_EQ(machine.word(data + 4), 4096u);
  EXPECT_GT(machine.word(data + 8), machine.word(data + 12));
  EXPECT_EQ(machine.word(data + 12), machine.word(data + 16));
  EXPECT_EQ(machine.word(data + 64), 99u);
}

// write(2): only as many bytes as there is room for below the process's limit of file sizes; with
// none left, EFBIG, and getrlimit(2): SIGXFSZ. ulimit(2): 2 sets it, in blocks of 512 bytes.
TEST_F(Files, GrowUpToTheLimit) {
  constexpr unsigned write_call = 4, ulimit_call = 63, efbig = 27, sigxfsz = 34;
  Machine machine(program_image(), files());
  const std::uint64_t fd = opened(machine, 2);
  ASSERT_EQ(machine.call(ulimit_call, {2, 1}), std::nullopt);
  EXPECT_EQ(machine.call(write_call, {fd, data, 1000}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 512u);
  EXPECT_FALSE(machine.thread().pending_signals.test(sigxfsz - 1));
  EXPECT_EQ(machine.call(write_call, {fd, data, 1}), efbig);
  EXPECT_TRUE(machine.thread().pending_signals.test(sigxfsz - 1));
}

// {i64 off, u32 ino, i16 reclen, i16 namlen, name}: each begins at a multiple of 8 (Ski,
// src/hpux/syscall-hpux.c, getDirEnts()).
TEST_F(Files, GetdentsOf64Bits) {
  Machine machine(program_image(64), files());
  put_name(machine, "/");
  ASSERT_EQ(machine.call(open_call, {name, 0, 0}), std::nullopt);
  ASSERT_EQ(machine.call(356, {machine.gpr(28), data, 512}), std::nullopt);
  EXPECT_EQ(machine.doubleword(data), 1u);
  EXPECT_EQ(machine.half(data + 12), 24u);
  EXPECT_EQ(machine.half(data + 14), 1u);
  EXPECT_EQ(machine.doubleword(data + 24), 2u);
  EXPECT_EQ(machine.memory().read_string(GuestAddr(data + 40), 9).value(), "..");
}

// ---- The system.

// _SC_ARG_MAX 0, _SC_CHILD_MAX 1, _SC_CLK_TCK 2, _SC_OPEN_MAX 4, _SC_PAGE_SIZE 3001,
// _SC_CPU_VERSION 10001 (Lites, e_hpux.h); ARG_MAX is 20478 up to HP-UX 10 (limits(5)).
TEST(System, Sysconf) {
  Machine machine;
  const auto value = [&](std::uint64_t name) {
    EXPECT_EQ(machine.call(sysconf_call, {name}), std::nullopt) << name;
    return machine.gpr(28);
  };
  EXPECT_EQ(value(0), 20478u);
  EXPECT_GE(value(1), 25u);  // _POSIX_CHILD_MAX of its time: 6
  EXPECT_EQ(value(2), 100u);
  EXPECT_EQ(value(3), 20u);  // _SC_NGROUPS_MAX: setgroups(2)
  EXPECT_EQ(value(4), posix::open_max);
  EXPECT_EQ(value(3001), 4096u);
  EXPECT_EQ(value(10001), 0x210u);
  EXPECT_EQ(machine.call(sysconf_call, {9999}), einval);
}

// GNU bash for HP-UX asks for _PC_NAME_MAX by 3; values are those of limits(5).
TEST(System, PathVariables) {
  constexpr unsigned pathconf_call = 230, fpathconf_call = 231, enoent = 2;
  constexpr std::uint64_t name_max = 3, pipe_buf = 5;
  Machine machine;
  ASSERT_TRUE(machine.memory().write_bytes(GuestAddr(data), std::array<std::uint8_t, 8>{'/'}));
  ASSERT_TRUE(
      machine.memory().write_bytes(GuestAddr(data + 16), std::array<std::uint8_t, 8>{'/', 'x'}));
  EXPECT_EQ(machine.call(pathconf_call, {data, name_max}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 255u);
  ASSERT_EQ(machine.call(open_call, {data, 0}), std::nullopt);
  EXPECT_EQ(machine.call(fpathconf_call, {machine.gpr(28), pipe_buf}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 8192u);
  EXPECT_EQ(machine.call(pathconf_call, {data, 99}), einval);
  EXPECT_EQ(machine.call(pathconf_call, {data + 16, name_max}), enoent);
  EXPECT_EQ(machine.call(fpathconf_call, {99, name_max}), ebadf);
}

// struct timeb: {time_t time; unsigned short millitm; short timezone, dstflag} (Lites, e_hpux.h).
TEST(System, Ftime) {
  constexpr unsigned ftime = 35;
  for (const unsigned bits : {32u, 64u}) {
    Machine machine(program_image(bits));
    const std::uint64_t behind = data + bits / 8;
    for (const std::uint64_t at : {2, 4, 6}) {
      EXPECT_TRUE(machine.memory().write<std::uint16_t>(GuestAddr(behind + at), 77).ok());
    }
    ASSERT_EQ(machine.call(time_call, {0}), std::nullopt);
    const std::uint64_t now = machine.gpr(28);
    ASSERT_EQ(machine.call(ftime, {data}), std::nullopt);
    EXPECT_EQ(bits == 32 ? machine.word(data) : machine.doubleword(data), now);
    EXPECT_LT(machine.half(behind), 1000u);
    EXPECT_EQ(machine.half(behind + 2), 0u) << "Greenwich";
    EXPECT_EQ(machine.half(behind + 4), 0u) << "no summer time";
    EXPECT_EQ(machine.half(behind + 6), 77u);
    EXPECT_EQ(machine.call(ftime, {0x30000000}), efault);
  }
}

// ---- pstat(2), by the numbers of hardclock's own library. Offsets and sizes are those with which
// programs read the structures.

constexpr unsigned pstat_call = 239;
constexpr std::uint64_t pst_static = 0x68630000, pst_static_64 = 0x68630001,
                        pst_dynamic = 0x68630002, pst_dynamic_64 = 0x68630003;

// Tanuki's wrapper for IA-64: of 368 bytes the words at 16 and 20.
TEST(Pstat, StaticOf32Bits) {
  Machine machine;
  EXPECT_TRUE(machine.memory().write<std::uint32_t>(GuestAddr(data + 368), 77).ok());
  ASSERT_EQ(machine.call(pstat_call, {pst_static, data, 4096, 1, 0}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 1u);
  EXPECT_EQ(machine.word(data + 16), machine.simulation.budget()->limit_bytes() / 4096);
  EXPECT_EQ(machine.word(data + 20), 4096u);
  EXPECT_EQ(machine.word(data + 368), 77u);
  ASSERT_EQ(machine.call(time_call, {0}), std::nullopt);
  EXPECT_EQ(machine.word(data + 12), machine.gpr(28));
}

// libsigar: of 312 bytes the doublewords at 24, 32 and 40. liblzma has the last two of a 64-bit
// program.
TEST(Pstat, StaticOf64Bits) {
  for (const unsigned bits : {32u, 64u}) {
    Machine machine(program_image(bits));
    const std::uint64_t function = bits == 32 ? pst_static_64 : pst_static;
    EXPECT_TRUE(machine.memory().write<std::uint32_t>(GuestAddr(data + 312), 77).ok());
    ASSERT_EQ(machine.call(pstat_call, {function, data, 312, 1, 0}), std::nullopt);
    EXPECT_EQ(machine.doubleword(data + 32), machine.simulation.budget()->limit_bytes() / 4096);
    EXPECT_EQ(machine.doubleword(data + 40), 4096u);
    EXPECT_EQ(machine.word(data + 312), 77u) << "no more than there is room for";
    ASSERT_EQ(machine.call(time_call, {0}), std::nullopt);
    EXPECT_EQ(machine.doubleword(data + 24), machine.gpr(28));
  }
}

// libdb reads the word at 0, libsigar the doublewords at 0 and 128.
TEST(Pstat, Dynamic) {
  Machine machine;
  ASSERT_EQ(machine.call(pstat_call, {pst_dynamic, data, 2904, 1, 0}), std::nullopt);
  EXPECT_EQ(machine.word(data), 1u);
  ASSERT_EQ(machine.call(pstat_call, {pst_dynamic_64, data, 160, 1, 0}), std::nullopt);
  EXPECT_EQ(machine.doubleword(data), 1u);
  const std::uint64_t free = machine.doubleword(data + 128);
  EXPECT_GT(free, 0u);
  EXPECT_LT(free, machine.simulation.budget()->limit_bytes() / 4096);
}

TEST(Pstat, Fails) {
  Machine machine;
  EXPECT_EQ(machine.call(pstat_call, {pst_static, data, 0, 1, 0}), einval);
  EXPECT_EQ(machine.call(pstat_call, {pst_static, data, 368, 2, 0}), einval);
  EXPECT_EQ(machine.call(pstat_call, {pst_static, data, 368, 1, 1}), einval);
  EXPECT_EQ(machine.call(pstat_call, {pst_static, 0x30000000, 368, 1, 0}), efault);
  EXPECT_TRUE(machine.notices.empty());
  constexpr unsigned enosys = 251;
  EXPECT_EQ(machine.call(pstat_call, {2, data, 368, 1, 0}), enosys);
  EXPECT_EQ(machine.notices.size(), 1u) << "a library of HP's";
}

// What their pages reserve for the superuser.
TEST(System, GuestsAreNotTheSuperuser) {
  Machine machine;
  for (const unsigned number : {21u, 22u, 25u, 51u, 55u, 61u, 76u, 85u, 122u, 143u, 153u, 193u,
                                325u, 421u, 422u, 423u, 424u}) {
    EXPECT_EQ(machine.call(number, {0, 0, 0}), eperm) << number;
  }
  EXPECT_TRUE(machine.notices.empty());
}

}  // namespace
}  // namespace hardclock::hpux
