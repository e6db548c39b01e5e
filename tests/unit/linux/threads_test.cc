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
                        set_robust_list_call = 1298, exit_group_call = 1236, clone2_call = 1213,
                        kill_call = 1053, sigaction_call = 1177, sigpending_call = 1178,
                        sigprocmask_call = 1179, sigtimedwait_call = 1183;
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
    guest.kernel->system_call(thread);
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

// "Wakes at most val of the waiters"; the word itself may stay as it is. FUTEX_WAKE is 1, and the
// masks of FUTEX_WAIT_BITSET 9 and FUTEX_WAKE_BITSET 10 must have a bit in common.
TEST_F(LinuxThreads, AreWokenAtTheirWords) {
  make_thread();
  guest.store(ia64_data, 4);
  call_by(second(), futex_call, {ia64_data, 9, 4, 0, 0, 6});
  ASSERT_TRUE(second().waiting());
  EXPECT_EQ(guest.call(futex_call, {ia64_data + 8, 1, 10}), 0U);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 10, 10, 0, 0, 1}), 0U);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 10, 10, 0, 0, 0}), einval);
  guest.store(ia64_data, 5);
  EXPECT_FALSE(guest.simulation.is_over(second()));
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 10, 10, 0, 0, 2}), 1U);
  EXPECT_TRUE(guest.simulation.is_over(second()));
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 1, 10}), 0U) << "it sleeps no longer";
  EXPECT_EQ(guest.call(futex_call, {ia64_data + 2, 1, 10}), einval);
}

// FUTEX_CMP_REQUEUE, 4: at most val waiters are woken, at most val2 of the others wait at word2, if
// the word is val3.
TEST_F(LinuxThreads, MayWaitElsewhere) {
  make_thread();
  constexpr std::uint64_t other = ia64_data + 0x40;
  guest.store(ia64_data, 4);
  call_by(second(), futex_call, {ia64_data, 0, 4, 0});
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 4, 0, 5, other, 3}), eagain);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 4, 0, 5, other, 4}), 1U);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 1, 5}), 0U);
  EXPECT_FALSE(guest.simulation.is_over(second()));
  EXPECT_EQ(guest.call(futex_call, {other, 1, 5}), 1U);
  EXPECT_TRUE(guest.simulation.is_over(second()));
}

// FUTEX_WAKE_OP, 5: here FUTEX_OP_ADD 1 to word2, and waiters there wake if it was
// FUTEX_OP_CMP_GT 4.
TEST_F(LinuxThreads, AreWokenByTwoWords) {
  make_thread();
  constexpr std::uint64_t other = ia64_data + 0x40, add_one_greater_than_four = 0x14001004;
  guest.store(other, 4);
  call_by(second(), futex_call, {other, 0, 4, 0});
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 5, 1, 1, other, add_one_greater_than_four}), 0U);
  EXPECT_EQ(guest.doubleword(other), 5U);
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 5, 1, 1, other, add_one_greater_than_four}), 1U);
  EXPECT_EQ(guest.doubleword(other), 6U);
  EXPECT_TRUE(guest.simulation.is_over(second()));
}

// Priority inheritance, FUTEX_LOCK_PI 6, is not there.
TEST_F(LinuxThreads, HaveNoPriorities) {
  EXPECT_EQ(guest.call(futex_call, {ia64_data, 6, 0, 0}), 38U);
  EXPECT_TRUE(guest.failed());
}

// set_robust_list(2) and get_robust_list(2): a lock of a thread that ends gets FUTEX_OWNER_DIED,
// also the one that the thread was about to take or to release, and those of others stay as they
// are.
TEST_F(LinuxThreads, LeaveNoLocksBehind) {
  constexpr std::uint64_t head = ia64_data + 0x200, held = ia64_data + 0x300,
                          foreign = ia64_data + 0x400, pending = ia64_data + 0x500, to_word = 0x20;
  constexpr std::uint64_t waiters = 0x80000000, owner_died = 0x40000000;
  const std::uint64_t tid = make_thread();
  guest.store(head, held);
  guest.store(head + 8, to_word);
  guest.store(head + 16, pending);
  guest.store(held, foreign);
  guest.store(foreign, head);
  guest.store(held + to_word, tid | waiters);
  guest.store(foreign + to_word, 1);
  guest.store(pending + to_word, tid);
  EXPECT_EQ(call_by(second(), set_robust_list_call, {head, 23}), einval);
  EXPECT_EQ(call_by(second(), set_robust_list_call, {head, 24}), 0U);
  guest.call(futex_call, {held + to_word, 0, tid | waiters, 0});
  ASSERT_TRUE(guest.thread().waiting());
  call_by(second(), exit_call, {0});
  EXPECT_EQ(guest.doubleword(held + to_word), waiters | owner_died);
  EXPECT_EQ(guest.doubleword(foreign + to_word), 1U);
  EXPECT_EQ(guest.doubleword(pending + to_word), owner_died);
  EXPECT_TRUE(guest.simulation.is_over(guest.thread()));
}

// A list without an end is left (kernel/futex/core.c, ROBUST_LIST_LIMIT).
TEST_F(LinuxThreads, EndWhateverTheirListIs) {
  constexpr std::uint64_t head = ia64_data + 0x200, entry = ia64_data + 0x300;
  make_thread();
  guest.store(head, entry);
  guest.store(head + 8, 0x20);
  guest.store(head + 16, 0);
  guest.store(entry, entry);
  call_by(second(), set_robust_list_call, {head, 24});
  call_by(second(), exit_call, {0});
  EXPECT_EQ(guest.process->threads.size(), 1U);
}

TEST_F(LinuxThreads, GetSignalsByTheirNumbers) {
  const std::uint64_t tid = make_thread();
  const auto pid = static_cast<std::uint64_t>(guest.process->pid);
  EXPECT_EQ(guest.call(tgkill_call, {pid, tid, 0}), 0U);
  EXPECT_EQ(guest.call(tgkill_call, {pid, pid, 0}), 0U);
  EXPECT_EQ(guest.call(tkill_call, {tid, 0}), 0U);
  EXPECT_EQ(guest.call(tgkill_call, {pid, pid + 1, 0}), esrch);
  EXPECT_EQ(guest.call(tgkill_call, {pid, tid + (tid - pid), 0}), esrch);
  EXPECT_EQ(guest.call(tgkill_call, {pid + 1, tid, 0}), esrch);
  EXPECT_EQ(guest.call(tgkill_call, {0, tid, 0}), einval);
  EXPECT_EQ(guest.call(tgkill_call, {pid, tid, 65}), einval);
  EXPECT_TRUE(second().pending_signals.none());
}

// ---- Signals of one thread: tgkill(2), signal(7), kernel/signal.c.

class LinuxThreadSignals : public LinuxThreads {
 protected:
  static constexpr unsigned sigusr1 = 10, sigusr2 = 12, sigterm = 15, sigcont = 18, sigtstp = 20;
  static constexpr std::uint64_t handler = testing::ia64_text + 0x100;

  LinuxThreadSignals() { tid_ = make_thread(); }

  void act(unsigned signal, std::uint64_t what) {
    constexpr std::uint64_t sa_siginfo = 4;
    guest.store(ia64_data, what);
    guest.store(ia64_data + 8, sa_siginfo);
    guest.store(ia64_data + 16, 0);
    ASSERT_EQ(guest.call(sigaction_call, {signal, ia64_data, 0, 8}), 0U);
  }
  void catch_signal(unsigned signal) {
    guest.store(ia64_data + 0x40, handler);
    guest.store(ia64_data + 0x48, 0);
    act(signal, ia64_data + 0x40);
  }
  static std::uint64_t set_of(std::initializer_list<unsigned> signals) {
    std::uint64_t set = 0;
    for (const unsigned signal : signals) set |= std::uint64_t{1} << (signal - 1);
    return set;
  }
  void block(Thread& thread, std::initializer_list<unsigned> signals) {
    constexpr std::uint64_t set_mask = 2;
    guest.store(ia64_data, set_of(signals));
    ASSERT_EQ(call_by(thread, sigprocmask_call, {set_mask, ia64_data, 0, 8}), 0U);
  }
  std::uint64_t pending(Thread& thread) {
    EXPECT_EQ(call_by(thread, sigpending_call, {ia64_data, 8}), 0U);
    return guest.doubleword(ia64_data);
  }
  std::uint64_t wait_for(Thread& thread, std::initializer_list<unsigned> signals) {
    guest.store(ia64_data, set_of(signals));
    return call_by(thread, sigtimedwait_call, {ia64_data, 0, 0, 8});
  }
  void send(std::uint64_t tid, unsigned signal) {
    ASSERT_EQ(guest.call(tgkill_call, {pid(), tid, signal}), 0U);
  }
  void deliver(Thread& thread) { guest.kernel->deliver_signals(thread); }
  std::uint64_t pid() { return static_cast<std::uint64_t>(guest.process->pid); }

  std::uint64_t tid_ = 0;
};

TEST_F(LinuxThreadSignals, AreItsAlone) {
  catch_signal(sigusr1);
  send(tid_, sigusr1);
  EXPECT_FALSE(guest.kernel->interrupts_wait(guest.thread()));
  EXPECT_TRUE(guest.kernel->interrupts_wait(second()));
  const std::uint64_t pc = guest.registers().pc;
  deliver(guest.thread());
  EXPECT_EQ(guest.registers().pc, pc);
  deliver(second());
  const ia64::Registers& registers = ia64::registers_of(*second().cpu);
  EXPECT_EQ(registers.pc, handler);
  EXPECT_EQ(registers.stack.value(32), sigusr1);
  // siginfo_t: si_code is SI_TKILL; the sender's pid and user follow.
  const std::uint64_t info = registers.stack.value(33);
  EXPECT_EQ(guest.word(info + 8), static_cast<std::uint32_t>(-6));
  EXPECT_EQ(guest.word(info + 16), pid());
  EXPECT_TRUE(second().pending_signals.none());
}

// sigpending(2): "the union of the set of signals that are pending for that thread and the set of
// signals that are pending for the process as a whole".
TEST_F(LinuxThreadSignals, ArePendingForIt) {
  block(guest.thread(), {sigusr1, sigusr2});
  block(second(), {sigusr1, sigusr2});
  send(tid_, sigusr1);
  EXPECT_EQ(pending(guest.thread()), 0U);
  EXPECT_EQ(pending(second()), set_of({sigusr1}));
  ASSERT_EQ(guest.call(kill_call, {pid(), sigusr2}), 0U);
  EXPECT_EQ(pending(guest.thread()), set_of({sigusr2}));
  EXPECT_EQ(pending(second()), set_of({sigusr1, sigusr2}));
}

// dequeue_signal(): its own before the process's.
TEST_F(LinuxThreadSignals, AreTakenFirst) {
  block(guest.thread(), {sigusr1, sigusr2});
  block(second(), {sigusr1, sigusr2});
  ASSERT_EQ(guest.call(kill_call, {pid(), sigusr1}), 0U);
  send(tid_, sigusr2);
  EXPECT_EQ(wait_for(second(), {sigusr1, sigusr2}), sigusr2);
  EXPECT_EQ(wait_for(second(), {sigusr1, sigusr2}), sigusr1);
  EXPECT_EQ(pending(second()), 0U);
}

TEST_F(LinuxThreadSignals, AreWhatItWaitsFor) {
  block(second(), {sigusr1});
  wait_for(second(), {sigusr1});
  ASSERT_TRUE(second().waiting());
  send(pid(), sigusr1);
  EXPECT_FALSE(guest.simulation.is_over(second()));
  send(tid_, sigusr1);
  EXPECT_TRUE(guest.simulation.is_over(second()));
}

// "A process-directed stop or continue affects the whole process", and so does an end (signal(7));
// SIGCONT and the stop signals cancel each other in all threads (prepare_signal()).
TEST_F(LinuxThreadSignals, ActOnTheWholeProcess) {
  block(second(), {sigtstp});
  send(tid_, sigtstp);
  EXPECT_EQ(pending(second()), set_of({sigtstp}));
  ASSERT_EQ(guest.call(kill_call, {pid(), sigcont}), 0U);
  EXPECT_EQ(pending(second()), 0U);
  send(tid_, sigterm);
  deliver(second());
  ASSERT_TRUE(guest.process->exit_status.has_value());
  EXPECT_EQ(guest.process->exit_status->code, sigterm);
  EXPECT_TRUE(guest.process->exit_status->by_signal);
}

// do_sigaction(): a signal that is ignored from now on is pending for no thread.
TEST_F(LinuxThreadSignals, AreForgottenWhenTheyAreIgnored) {
  constexpr std::uint64_t sig_ign = 1;
  block(second(), {sigusr1});
  send(tid_, sigusr1);
  act(sigusr1, sig_ign);
  EXPECT_EQ(pending(second()), 0U);
}

// A first thread that has ended is there as long as its process, and takes nothing.
TEST_F(LinuxThreadSignals, OfAnEndedFirstThreadDoNothing) {
  call_by(guest.thread(), exit_call, {0});
  ASSERT_EQ(guest.process->threads.size(), 1U);
  EXPECT_EQ(call_by(second(), tgkill_call, {pid(), pid(), sigterm}), 0U);
  deliver(second());
  EXPECT_FALSE(guest.process->exit_status.has_value());
}

}  // namespace
}  // namespace hardclock::gnu_linux
