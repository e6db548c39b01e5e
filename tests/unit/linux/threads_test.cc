// Threads of Linux: clone(2), gettid(2), futex(2), set_tid_address(2), exit(2), tgkill(2) of the
// Linux manual pages. The registers are those of IA-64; numbers of calls, flags and errors too.
#include <gtest/gtest.h>

#include "tests/unit/linux/ia64_guest.h"

namespace hardclock::gnu_linux {
namespace {

using testing::ia64_data;
using testing::Ia64Guest;

constexpr std::uint64_t exit_call = 1025, getpid_call = 1041, gettid_call = 1105, tkill_call = 1229,
                        futex_call = 1230, set_tid_address_call = 1233, tgkill_call = 1235,
                        exit_group_call = 1236, clone2_call = 1213;
constexpr std::uint64_t esrch = 3, eagain = 11, einval = 22, etimedout = 110;
// CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID: what
// pthread_create() of glibc 2.36 asks for (sysdeps/nptl: create_thread()), but for SETTLS.
constexpr std::uint64_t of_pthreads = 0x3d0f00, vm = 0x100, sighand = 0x800, thread_flag = 0x10000,
                        settls = 0x80000;
constexpr std::uint64_t stack_base = ia64_data + 0x2000, stack_size = 0x1000;
constexpr std::uint64_t parent_word = ia64_data + 0x100, child_word = ia64_data + 0x108;

class LinuxThreads : public ::testing::Test {
 protected:
  std::uint64_t make_thread() {
    return guest.call(clone2_call,
                      {of_pthreads, stack_base, stack_size, parent_word, child_word, 0x7700});
  }
  Thread& second() { return *guest.process->threads.back(); }
  std::uint64_t call_by(Thread& thread, std::uint64_t number,
                        std::initializer_list<std::uint64_t> arguments) {
    ia64::Registers& registers = ia64::registers_of(*thread.cpu);
    testing::NoStore none;
    CHECK(registers.stack.alloc(8, 8, 2, 0, none) == ia64::StackResult::done);
    unsigned r = 34;
    for (const std::uint64_t argument : arguments) registers.stack.write(r++, argument, false);
    registers.stack.write(15, number, false);
    registers.set_pc(Ia64Guest::call_address);
    guest.kernel->system_call(guest.simulation, thread);
    return registers.stack.value(8);
  }

  Ia64Guest guest{::testing::TempDir()};
};

TEST_F(LinuxThreads, StartInTheProcess) {
  static_assert((of_pthreads & settls) != 0);
  const std::uint64_t tid = make_thread();
  ASSERT_FALSE(guest.failed());
  ASSERT_EQ(guest.process->threads.size(), 2U);
  EXPECT_NE(tid, static_cast<std::uint64_t>(guest.process->pid));
  EXPECT_EQ(guest.word(parent_word), tid);
  EXPECT_EQ(guest.word(child_word), 0U) << "CLONE_CHILD_SETTID was not asked for";
  const ia64::Registers& registers = ia64::registers_of(*second().cpu);
  EXPECT_EQ(registers.stack.value(8), 0U);
  EXPECT_EQ(registers.stack.value(12), stack_base + stack_size - 16);
  EXPECT_EQ(registers.stack.value(13), 0x7700U);
  EXPECT_EQ(registers.stack.bsp(), stack_base);
  EXPECT_EQ(registers.pc, Ia64Guest::return_address);
}

// "CLONE_THREAD was specified in the flags mask, but CLONE_SIGHAND was not"; the same of that one
// and CLONE_VM.
TEST_F(LinuxThreads, ShareMemoryAndHandlers) {
  for (const std::uint64_t flags : {thread_flag, thread_flag | vm, thread_flag | sighand}) {
    EXPECT_EQ(guest.call(clone2_call, {flags, stack_base, stack_size}), einval);
    EXPECT_TRUE(guest.failed());
  }
  EXPECT_EQ(guest.process->threads.size(), 1U);
}

TEST_F(LinuxThreads, HaveNumbersOfTheirOwn) {
  const auto pid = static_cast<std::uint64_t>(guest.process->pid);
  EXPECT_EQ(guest.call(gettid_call, {}), pid);
  const std::uint64_t tid = make_thread();
  EXPECT_EQ(call_by(second(), gettid_call, {}), tid);
  EXPECT_EQ(call_by(second(), getpid_call, {}), pid);
  EXPECT_EQ(call_by(second(), set_tid_address_call, {0}), tid);
}

// "When the thread exits, the kernel writes zero to the address", and whoever waits there goes on:
// pthread_join().
TEST_F(LinuxThreads, EndOneByOne) {
  const std::uint64_t tid = make_thread();
  guest.store(child_word, tid);
  constexpr std::uint64_t wait = 0;
  guest.call(futex_call, {child_word, wait, tid, 0});
  ASSERT_TRUE(guest.thread().waiting());
  EXPECT_FALSE(guest.simulation.is_over(guest.thread()));
  call_by(second(), exit_call, {5});
  EXPECT_EQ(guest.process->threads.size(), 1U);
  EXPECT_FALSE(guest.process->exit_status.has_value());
  EXPECT_EQ(guest.word(child_word), 0U);
  EXPECT_TRUE(guest.simulation.is_over(guest.thread()));
  call_by(guest.thread(), exit_call, {0x107});
  ASSERT_TRUE(guest.process->exit_status.has_value());
  EXPECT_EQ(guest.process->exit_status->code, 7U);
}

TEST_F(LinuxThreads, EndTogether) {
  make_thread();
  call_by(second(), exit_group_call, {3});
  ASSERT_TRUE(guest.process->exit_status.has_value());
  EXPECT_EQ(guest.process->exit_status->code, 3U);
}

// A thread that has ended leaves its word alone if set_tid_address() has taken it away.
TEST_F(LinuxThreads, MayHaveNoWord) {
  make_thread();
  guest.store(child_word, 77);
  call_by(second(), set_tid_address_call, {0});
  call_by(second(), exit_call, {0});
  EXPECT_EQ(guest.word(child_word), 77U);
}

// FUTEX_WAIT 0 has a relative time limit, FUTEX_WAIT_BITSET 9 one by a clock, which is long past
// here; FUTEX_CLOCK_REALTIME is 256.
TEST_F(LinuxThreads, WaitNoLongerThanTheyAskedTo) {
  constexpr std::uint64_t time = ia64_data + 0x200, all_bits = 0xffffffff;
  guest.store(ia64_data, 4);
  guest.store(time, 0);
  guest.store(time + 8, 0);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 0, 4, time}), etimedout);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 9, 4, time, 0, all_bits}), etimedout);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 9 | 256, 4, time, 0, all_bits}), etimedout);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 0, 5, time}), eagain);
  guest.store(time + 8, 1'000'000'000);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 0, 4, time}), einval);
  guest.store(time + 8, 30'000'000);
  guest.call(futex_call, {ia64_data, 0, 4, time});
  ASSERT_TRUE(guest.thread().waiting());
  EXPECT_TRUE(guest.thread().wait->until.has_value());
}

TEST_F(LinuxThreads, GetSignalsByTheirNumbers) {
  constexpr std::uint64_t sigusr1 = 10;
  const std::uint64_t tid = make_thread();
  const auto pid = static_cast<std::uint64_t>(guest.process->pid);
  EXPECT_EQ(guest.call(tgkill_call, {pid, tid, 0}), 0U);
  EXPECT_EQ(guest.call(tgkill_call, {pid, pid, 0}), 0U);
  EXPECT_EQ(guest.call(tkill_call, {tid, 0}), 0U);
  EXPECT_EQ(guest.call(tgkill_call, {pid, pid + 1, 0}), esrch);
  EXPECT_EQ(guest.call(tgkill_call, {pid, tid + (tid - pid), 0}), esrch);
  EXPECT_EQ(guest.call(tgkill_call, {pid + 1, tid, 0}), esrch);
  EXPECT_EQ(guest.call(tgkill_call, {0, tid, 0}), einval);
  EXPECT_FALSE(guest.process->signals.pending.test(sigusr1 - 1));
  EXPECT_EQ(guest.call(tgkill_call, {pid, tid, sigusr1}), 0U);
  EXPECT_TRUE(guest.process->signals.pending.test(sigusr1 - 1));
}

}  // namespace
}  // namespace hardclock::gnu_linux
