// What IRIX adds to signals: alternate stacks, siginfo, queues, contexts and sleeping. The numbers
// and layouts are those of IRIX <sys/signal.h> and <sys/siginfo.h>, as NetBSD has them
// (sys/compat/irix/ irix_signal.h); the rules are those of the manual pages that the tests name.
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t sig_usr1 = 16, sig_cld = 18;
constexpr std::uint32_t sa_onstack = 1, sa_resethand = 2, sa_siginfo = 8;
constexpr std::uint32_t sig_block = 1;
constexpr std::uint32_t info_signal = 0, info_code = 4, info_pid = 12, info_user = 16,
                        info_value = 12, info_status = 20;
constexpr std::uint32_t usr1_bit = 1U << 15;

// A struct sigaction at the address, whose handler is its own trampoline: it gets what that gets,
// and ends with sigreturn().
void set_handler(Program& program, std::uint32_t signal, std::uint32_t address, std::uint32_t flags,
                 Label handler) {
  program.data(address, flags);
  program.data(address + 4, handler);
  program.call("ksigaction", {signal, address, 0, handler});
}

// The word that a register points to, with an offset, at an address.
void save_word(Program& program, unsigned reg, std::uint32_t offset, std::uint32_t address) {
  program.raw(0x8c080000 | reg << 21 | offset);  // lw t0, offset(reg)
  program.raw(0);
  program.raw(0xac080000 | address);  // sw t0, address(zero)
}
void save_register(Program& program, unsigned reg, std::uint32_t address) {
  program.raw(0xac000000 | reg << 16 | address);
}
constexpr unsigned a1 = 5, a2 = 6, sp = 29;

// sigaltstack(2): EINVAL: ss_flags has other bits than SS_DISABLE; ENOMEM: the size is less than
// MINSIGSTKSZ; EPERM: an attempt was made to modify an active stack.
TEST(AlternateStack, IsWhereTheHandlerRuns) {
  constexpr std::uint32_t size = 8192, saved = own_data + 0x200;
  Program program = program_for("irix");
  const Label handler = program.label();
  program.data(own_data, heap_base);
  program.data(own_data + 4, size);
  program.data(own_data + 0x20, heap_base);
  program.data(own_data + 0x24, 2047);
  program.data(own_data + 0x38, 4);
  program.call("brk", {heap_base + size});
  const auto small = program.call("sgi_sigaltstack", {own_data + 0x20, 0});
  const auto flags = program.call("sgi_sigaltstack", {own_data + 0x30, 0});
  const auto nowhere = program.call("sgi_sigaltstack", {0x10, 0});
  program.call("sgi_sigaltstack", {own_data, own_data + 0x40});
  set_handler(program, sig_usr1, own_data + 0x100, sa_onstack, handler);
  program.call("kill", {0, sig_usr1});
  save_register(program, sp, saved + 4);
  program.call("sgi_sigaltstack", {0, own_data + 0x60});
  program.call("exit", {5});
  program.place(handler);
  save_register(program, sp, saved);
  save_register(program, a2, saved + 8);
  const auto busy = program.call("sgi_sigaltstack", {own_data, own_data + 0x70});
  const auto active = program.call("sgi_sigaltstack", {0, own_data + 0x50});
  program.call("sigreturn", {word_at(saved + 8), 0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(small), Errno::enomem);
  EXPECT_EQ(guest.error(flags), Errno::einval);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.error(busy), Errno::eperm);
  EXPECT_EQ(guest.error(active), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 0x48), 2U);  // SS_DISABLE before
  EXPECT_EQ(guest.word(own_data + 0x50), heap_base);
  EXPECT_EQ(guest.word(own_data + 0x54), size);
  EXPECT_EQ(guest.word(own_data + 0x58), 1U);  // SS_ONSTACK in the handler
  EXPECT_EQ(guest.word(own_data + 0x68), 0U);  // and enabled after it
  EXPECT_GE(guest.word(saved), heap_base);
  EXPECT_LT(guest.word(saved), heap_base + size);
  EXPECT_GT(guest.word(saved + 4), heap_base + size);
}

// siginfo(5): of kill() the sender's pid and user; of a child's end CLD_EXITED, pid and status.
TEST(Siginfo, SaysWhoAndWhy) {
  Program program = program_for("irix");
  const Label by_kill = program.label(), by_child = program.label();
  set_handler(program, sig_usr1, own_data + 0x100, sa_siginfo, by_kill);
  set_handler(program, sig_cld, own_data + 0x140, sa_siginfo, by_child);
  program.call("kill", {0, sig_usr1});
  const auto fork = program.call("fork");
  const Label child = program.label();
  program.jump_if_nonzero(Program::second_result(fork), child);
  const auto paused = program.call("pause");
  program.call("exit", {5});
  program.place(child);
  program.call("exit", {7});
  std::uint32_t to = own_data;
  for (const Label label : {by_kill, by_child}) {
    program.place(label);
    for (const std::uint32_t offset : {info_signal, info_code, info_pid, info_user, info_status}) {
      save_word(program, a1, offset, to + offset);
    }
    save_register(program, a2, own_data + 0x200);
    program.call("sigreturn", {0, word_at(own_data + 0x200)});
    to += 0x40;
  }
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(paused), Errno::eintr);
  EXPECT_EQ(guest.word(own_data + info_signal), sig_usr1);
  EXPECT_EQ(guest.word(own_data + info_code), 0U);  // SI_USER
  EXPECT_EQ(guest.word(own_data + info_pid), 100U);
  EXPECT_EQ(guest.word(own_data + info_user), 1000U);
  EXPECT_EQ(guest.word(own_data + 0x40 + info_signal), sig_cld);
  EXPECT_EQ(guest.word(own_data + 0x40 + info_code), 1U);  // CLD_EXITED
  EXPECT_EQ(guest.word(own_data + 0x40 + info_pid), guest.value(fork));
  EXPECT_EQ(guest.word(own_data + 0x40 + info_status), 7U);
}

// sigaction(2): SA_RESETHAND resets when the handler starts, but never SIGILL's and SIGTRAP's.
TEST(Handlers, ResetThemselves) {
  Program program = program_for("irix");
  const Label handler = program.label();
  set_handler(program, sigtrap, own_data + 0x100, sa_resethand, handler);
  set_handler(program, sig_usr1, own_data + 0x140, sa_resethand, handler);
  program.call("kill", {0, sigtrap});
  program.call("kill", {0, sigtrap});
  program.call("kill", {0, sig_usr1});
  program.call("ksigaction", {sig_usr1, 0, own_data, 0});
  program.call("ksigaction", {sigtrap, 0, own_data + 0x20, 0});
  program.call("kill", {0, sig_usr1});
  program.call("exit", {5});
  program.place(handler);
  save_register(program, a2, own_data + 0x200);
  program.call("sigreturn", {word_at(own_data + 0x200), 0});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_TRUE(outcome.status.by_signal);
  EXPECT_EQ(outcome.status.code, sig_usr1);
  EXPECT_EQ(guest.word(own_data + 4), 0U);  // SIG_DFL
  EXPECT_NE(guest.word(own_data + 0x24), 0U);
}

// sigwaitinfo(3), sigtimedwait(3) and sigqueue(3) of POSIX.1b: values queue, EAGAIN: no signal
// specified by set was generated within the specified timeout period.
TEST(Sigpoll, TakesWhatIsPending) {
  Program program = program_for("irix");
  program.data(own_data, usr1_bit);
  program.data(own_data + 0x14, 20'000'000);  // 20 ms
  program.data(own_data + 0x1c, 1'000'000'000);
  program.call("sigprocmask", {sig_block, own_data, 0});
  const auto self = program.call("getpid");
  constexpr std::uint32_t si_queue = 0xffffffff;
  program.call("ksigqueue", {word_at(Program::result(self)), sig_usr1, si_queue, 0x1234});
  program.call("ksigqueue", {word_at(Program::result(self)), sig_usr1, si_queue, 0x5678});
  const auto first = program.call("sigpoll", {own_data, own_data + 0x100, 0});
  const auto second = program.call("sigpoll", {own_data, own_data + 0x180, 0});
  const auto none = program.call("sigpoll", {own_data, 0, own_data + 0x20});
  const auto start = program.call("times", {own_data + 0x40});
  const auto late = program.call("sigpoll", {own_data, 0, own_data + 0x10});
  const auto end = program.call("times", {own_data + 0x40});
  const auto wrong = program.call("sigpoll", {own_data, 0, own_data + 0x18});
  program.call("kill", {0, sig_usr1});
  const auto sent = program.call("sigpoll", {own_data, own_data + 0x200, 0});
  const auto kernels = program.call("ksigqueue", {word_at(Program::result(self)), sig_usr1, 1, 0});
  const auto nobody = program.call("ksigqueue", {99999, sig_usr1, si_queue, 0});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(first), sig_usr1);
  EXPECT_EQ(guest.word(own_data + 0x100 + info_code), si_queue);
  EXPECT_EQ(guest.word(own_data + 0x100 + info_value), 0x1234U);
  EXPECT_EQ(guest.value(second), sig_usr1);
  EXPECT_EQ(guest.word(own_data + 0x180 + info_value), 0x5678U);
  EXPECT_EQ(guest.error(none), Errno::eagain);
  EXPECT_EQ(guest.error(late), Errno::eagain);
  EXPECT_GE(guest.value(end) - guest.value(start), 2U);
  EXPECT_LE(guest.value(end) - guest.value(start), 4U);
  EXPECT_EQ(guest.error(wrong), Errno::einval);
  EXPECT_EQ(guest.value(sent), sig_usr1);
  EXPECT_EQ(guest.word(own_data + 0x200 + info_code), 0U);
  EXPECT_EQ(guest.word(own_data + 0x200 + info_pid), 100U);
  EXPECT_EQ(guest.error(kernels), Errno::einval);
  EXPECT_EQ(guest.error(nobody), Errno::esrch);
}

// sigqueue(3): EAGAIN: no resources are available to queue the signal; SIGQUEUE_MAX is 32.
TEST(Sigqueue, HasALimit) {
  Program program = program_for("irix");
  program.data(own_data, usr1_bit);
  program.call("sigprocmask", {sig_block, own_data, 0});
  const auto self = program.call("getpid");
  for (int i = 0; i < 32; ++i) {
    program.call("ksigqueue", {word_at(Program::result(self)), sig_usr1, 0xffffffff, 0});
  }
  const auto fits = program.call("getpid");
  const auto full =
      program.call("ksigqueue", {word_at(Program::result(self)), sig_usr1, 0xffffffff, 0});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(fits - 1), std::nullopt);
  EXPECT_EQ(guest.error(full), Errno::eagain);
}

// getcontext(2): the context that setcontext() restores continues after getcontext(). With NULL
// setcontext() ends the process.
TEST(Contexts, ComeBack) {
  Program program = program_for("irix");
  const auto saved = program.call("getcontext", {own_data});
  const Label back = program.label();
  program.jump_if_nonzero(own_data + 0x240, back);
  program.store(own_data + 0x240, 7);
  program.call("setcontext", {own_data});
  program.call("exit", {1});
  program.place(back);
  const auto nowhere = program.call("getcontext", {0x10});
  program.call("setcontext", {0});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_FALSE(outcome.status.by_signal);
  EXPECT_EQ(outcome.status.code, 0U);
  EXPECT_EQ(guest.value(saved), 0U);
  EXPECT_EQ(guest.error(saved), std::nullopt);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.word(own_data + 0x240), 7U);
}

// nanosleep(2): at least as long as asked for; EINTR ... the remaining time; EINVAL.
TEST(Sleep, LastsAndIsInterrupted) {
  Program program = program_for("irix");
  const Label handler = program.label();
  program.data(own_data + 4, 30'000'000);  // 30 ms
  program.data(own_data + 8, 1);           // 1 s
  program.data(own_data + 0x14, 1'000'000'000);
  program.data(own_data + 0x2c, 20'000);  // an alarm in 20 ms
  set_handler(program, sigalrm, own_data + 0x100, 0, handler);
  const auto start = program.call("times", {own_data + 0x80});
  const auto slept = program.call("nanosleep", {own_data, 0});
  const auto end = program.call("times", {own_data + 0x80});
  const auto wrong = program.call("nanosleep", {own_data + 0x10, 0});
  const auto nowhere = program.call("nanosleep", {0x10, 0});
  program.call("setitimer", {0, own_data + 0x20, 0});
  const auto cut = program.call("nanosleep", {own_data + 8, own_data + 0x40});
  program.call("setitimer", {0, own_data + 0x20, 0});
  const auto left = program.call("sginap", {100});
  const auto negative = program.call("sginap", {0xffffffff});
  program.call("exit", {5});
  program.place(handler);
  save_register(program, a2, own_data + 0x200);
  program.call("sigreturn", {word_at(own_data + 0x200), 0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(slept), std::nullopt);
  EXPECT_GE(guest.value(end) - guest.value(start), 3U);
  EXPECT_LE(guest.value(end) - guest.value(start), 5U);
  EXPECT_EQ(guest.error(wrong), Errno::einval);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.error(cut), Errno::eintr);
  EXPECT_EQ(guest.word(own_data + 0x40), 0U);
  EXPECT_GT(guest.word(own_data + 0x44), 900'000'000U);
  EXPECT_LT(guest.word(own_data + 0x44), 1'000'000'000U);
  EXPECT_GT(guest.value(left), 90U);
  EXPECT_LT(guest.value(left), 100U);
  EXPECT_EQ(guest.error(negative), Errno::einval);
}

}  // namespace
}  // namespace hardclock::posix::testing
