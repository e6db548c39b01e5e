// LWPs: _lwp_create(2), _lwp_exit(2), and what exec(2), exit(2) and signals do to several of them.
// The rules are Solaris's (illumos, uts/common/syscall/lwp_create.c and os/lwp.c).
#include <gtest/gtest.h>

#include "syscalls/posix/state.h"
#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t uc_sp = 40 + 4 * 29, uc_epc = 180;
constexpr std::uint32_t context = own_data + 0x200;  // 512 bytes

SimulationOptions with_threads(std::uint64_t limit) {
  SimulationOptions options = Guest::default_options();
  options.max_threads = limit;
  return options;
}

std::size_t create(Program& program, Label entry) {
  program.data(context + uc_epc, entry);
  return program.call("lwp_create", {context, 0, 0});
}

// A loop until the word is set.
void wait_for(Program& program, std::uint32_t address) {
  const Label wait = program.label();
  program.place(wait);
  program.jump_if_zero(address, wait);
}

TEST(Lwp, ErrorsAndTheLimit) {
  Program program = program_for("solaris");
  const auto suspended = program.call("lwp_create", {context, 0x80, 0});
  const auto unreadable = program.call("lwp_create", {0xfffffe00, 0, 0});
  const auto at_the_end = program.call("lwp_create", {heap_base - 8, 0, 0});
  const auto unwritable = program.call("lwp_create", {context, 0, text_base});
  const Label wait = program.label();
  const auto first = create(program, wait);
  const auto second = program.call("lwp_create", {context, 0x40, own_data});
  const auto refused = program.call("lwp_create", {context, 0, own_data + 4});
  program.call("exit", {5});
  program.place(wait);
  program.call("pause");
  Guest guest(program, with_threads(3));
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(suspended), Errno::einval);
  EXPECT_EQ(guest.error(unreadable), Errno::efault);
  EXPECT_EQ(guest.error(at_the_end), Errno::efault);
  EXPECT_EQ(guest.error(unwritable), Errno::efault);
  EXPECT_EQ(guest.value(first), 2U);
  EXPECT_EQ(guest.value(second), 3U);
  EXPECT_EQ(guest.word(own_data), 3U);
  EXPECT_EQ(guest.error(refused), Errno::eagain);
  EXPECT_EQ(guest.word(own_data + 4), 0U);
}

// Whoever makes LWPs or processes without end gets EAGAIN at the machine's limit.
TEST(Lwp, AFloodEndsAtTheLimit) {
  Program program = program_for("solaris");
  const Label flood = program.label(), wait = program.label();
  program.place(flood);
  const auto last = create(program, wait);
  program.jump_if_zero(Program::failure(last), flood);
  program.call("exit", {5});
  program.place(wait);
  program.call("pause");
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(last), Errno::eagain);
}

// lwp_exit(): the others go on, also without the first; the last one's end is the process's.
TEST(Lwp, TheFirstMayEndBeforeTheOthers) {
  Program program = program_for("solaris");
  const Label second = program.label();
  create(program, second);
  program.call("lwp_exit");
  program.place(second);
  const auto self = program.call("lwp_self");
  const auto fork = program.call("fork");
  const Label parent = program.label();
  program.jump_if_zero(Program::second_result(fork), parent);
  program.call("lwp_exit");
  program.place(parent);
  const auto wait = program.call("wait");
  program.call("lwp_exit");
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(outcome.status.code, 0U);
  EXPECT_EQ(guest.value(self), 2U);
  EXPECT_EQ(guest.value(wait), guest.value(fork));
}

// exec(2) ends the other LWPs, whoever calls it: os/exec.c exec_common(). The one that is
// left has number 1.
TEST(Lwp, AnySecondOneMayExec) {
  Program program = program_for("solaris");
  const Label executed = program.label(), second = program.label(), wait = program.label();
  program.data(own_data, 0x2f73656c);  // "/self"
  program.data(own_data + 4, 0x66000000);
  constexpr std::uint32_t load_argc = 0x8fa80000, store_argc = 0xac080000 | (own_data + 8);
  program.raw(load_argc);
  program.raw(0);
  program.raw(store_argc);
  program.jump_if_zero(own_data + 8, executed);
  create(program, second);
  program.place(wait);
  program.jump(wait);
  program.place(second);
  program.call("execve", {own_data, 0, 0});
  program.place(executed);
  const auto self = program.call("lwp_self");
  program.call("exit", {word_at(Program::result(self))});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 1U);
}

// exit(2) ends all of them, also while one waits in the middle of a vfork.
TEST(Lwp, ExitEndsOneThatWaitsForAVforkChild) {
  Program program = program_for("solaris");
  const Label second = program.label(), child = program.label();
  create(program, second);
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  program.call("exit", {4});
  program.place(second);
  wait_for(program, own_data);
  program.store(own_data + 8, 1);
  program.call("exit", {5});
  program.place(child);
  program.store(own_data, 1);
  wait_for(program, own_data + 8);
  program.store(own_data + 4, 7);
  program.call("exit", {3});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data + 4), 7U);  // in the memory that is only the child's by then
}

// A signal to the process goes to an LWP that does not block it; a trap's to the one that trapped.
TEST(Lwp, SignalsFindTheirThread) {
  constexpr std::uint32_t sigusr1 = 16, set_mask = 3;
  Program program = program_for("solaris");
  const Label second = program.label(), handler = program.label(), trapped = program.label();
  program.data(own_data, 0xffffffff);
  program.data(own_data + 0x24, handler);
  program.data(own_data + 0x44, trapped);
  program.call("sigprocmask", {set_mask, own_data, 0});
  program.call("sigaction", {sigusr1, own_data + 0x20, 0});
  program.call("sigaction", {sigtrap, own_data + 0x40, 0});
  program.data(context + uc_sp, heap_base - 0x10);
  create(program, second);
  wait_for(program, own_data + 0x64);
  program.call("kill", {0, sigusr1});
  wait_for(program, own_data + 0x60);
  program.call("exit", {5});
  program.place(second);
  program.store(own_data + 0x64, 1);
  const auto pause = program.call("pause");
  program.raw(0x0000000d);  // break 0
  program.call("pause");
  program.place(handler);
  const auto in_handler = program.call("lwp_self");
  program.return_to_caller();
  program.place(trapped);
  const auto in_trap = program.call("lwp_self");
  program.store(own_data + 0x60, 1);
  program.call("lwp_exit");
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(pause), Errno::eintr);
  EXPECT_EQ(guest.value(in_handler), 2U);
  EXPECT_EQ(guest.value(in_trap), 2U);
}

// profil(2) of Solaris 2.5: per LWP; one that another creates is not profiled.
TEST(Lwp, ProfilesAreTheirOwnOnSolaris25) {
  Program program = program_for("solaris2.5");
  const Label second = program.label();
  program.call("profil", {heap_base, 64, text_base, 0x8000});
  create(program, second);
  wait_for(program, own_data);
  program.call("pause");
  program.place(second);
  program.store(own_data, 1);
  program.call("pause");
  Guest guest(program);
  EXPECT_EQ(guest.run().kind, SimulationEnd::Kind::deadlock);
  ASSERT_EQ(guest.first->threads.size(), 2U);
  EXPECT_TRUE(guest.kernel->profiling().of(*guest.first->thread(1)).on());
  EXPECT_FALSE(guest.kernel->profiling().of(*guest.first->thread(2)).on());
}

}  // namespace
}  // namespace hardclock::posix::testing
