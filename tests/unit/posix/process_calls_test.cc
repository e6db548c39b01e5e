// fork(2), vfork(2), exec(2), wait(2) and IRIX's sproc(2) where they meet, and at the limits.
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t pr_saddr = 0x40;

// "/self", where the guest finds its own program.
void put_own_name(Program& program) {
  program.data(own_data, 0x2f73656c);
  program.data(own_data + 4, 0x66000000);
}

// Goes to `second` when the program was started by an exec with an empty argument vector.
void jump_if_executed(Program& program, Label second) {
  constexpr std::uint32_t load_argc = 0x8fa80000;  // lw t0, 0(sp)
  constexpr std::uint32_t store_argc = 0xac080000 | (own_data + 0x100);
  program.raw(load_argc);
  program.raw(0);
  program.raw(store_argc);
  program.jump_if_zero(own_data + 0x100, second);
}

SimulationOptions with_processes(std::uint64_t limit) {
  SimulationOptions options = Guest::default_options();
  options.max_processes = limit;
  return options;
}

// vfork(2) of 4.3BSD: the parent is suspended while the child uses its memory. The child may do the
// same.
TEST(Vfork, InAVforkChild) {
  Program program = program_for("4.3bsd");
  const Label child = program.label(), grandchild = program.label();
  const auto outer = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(outer), child);
  program.store(own_data + 8, word_at(own_data + 4));
  program.call("exit", {5});
  program.place(child);
  const auto inner = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(inner), grandchild);
  program.store(own_data + 4, word_at(own_data));
  program.call("exit", {0});
  program.place(grandchild);
  program.store(own_data, 7);
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data + 8), 7U);  // through all three, in their order
}

// 4.4BSD's vm_fork() (sys/vm/vm_glue.c) forks the map of a vfork, too: a booted kernel's child had
// its own copy (docs/observed.md, section 6). The parent still waits.
TEST(Vfork, OfACopyLeavesTheParentsMemoryAlone) {
  Program program = program_for("4.4bsd");
  const Label child = program.label();
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  program.store(own_data + 4, word_at(own_data));
  const auto wait = program.call("wait4", {0xffffffff, own_data + 8, 1, 0});  // WNOHANG
  program.call("exit", {5});
  program.place(child);
  program.store(own_data, 7);
  for (int i = 0; i < 20; ++i) program.call("getpid");
  program.call("exit", {3});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data), 0U);
  EXPECT_EQ(guest.word(own_data + 4), 0U);
  EXPECT_EQ(guest.value(wait), guest.value(vfork)) << "the child has ended by then";
}

// A child that forks makes a copy of the borrowed memory; what that one writes stays there.
TEST(Vfork, AChildMayFork) {
  Program program = program_for("4.3bsd");
  const Label child = program.label(), grandchild = program.label();
  const auto outer = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(outer), child);
  program.call("exit", {5});
  program.place(child);
  const auto inner = program.call("fork");
  program.jump_if_nonzero(Program::second_result(inner), grandchild);
  program.call("wait");
  program.call("exit", {0});
  program.place(grandchild);
  program.store(own_data, 7);
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data), 0U);
}

TEST(Vfork, AChildMayKillItself) {
  Program program = program_for("4.3bsd");
  const Label child = program.label();
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  const auto wait = program.call("wait");
  program.call("exit", {5});
  program.place(child);
  const auto self = program.call("getpid");
  program.call("kill", {word_at(Program::result(self)), sigkill});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.second_value(wait), sigkill);
}

// 4.3BSD kern_fork.c newproc(): the parent sleeps at PZERO - 1, where no signal wakes it.
TEST(Vfork, ASignalReachesTheParentOnlyAfterwards) {
  Program program = program_for("4.3bsd");
  const Label child = program.label();
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  program.call("exit", {5});
  program.place(child);
  const auto pid = program.call("getpid");
  program.call("kill", {word_at(Program::second_result(pid)), sigterm});
  program.store(own_data, 7);
  program.call("exit", {0});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_TRUE(outcome.status.by_signal);
  EXPECT_EQ(outcome.status.code, sigterm);
  EXPECT_EQ(guest.word(own_data), 7U);
}

TEST(Vfork, AChildThatExecsLeavesTheMemoryToItsParent) {
  Program program = program_for("4.3bsd");
  const Label child = program.label(), second = program.label();
  put_own_name(program);
  jump_if_executed(program, second);
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  const auto wait = program.call("wait");
  program.call("exit", {5});
  program.place(child);
  program.store(own_data + 0x40, 7);
  program.call("execv", {own_data, 0});
  program.place(second);
  program.store(own_data + 0x44, 7);
  program.call("exit", {3});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.second_value(wait), 3U << 8);
  EXPECT_EQ(guest.word(own_data + 0x40), 7U);
  EXPECT_EQ(guest.word(own_data + 0x44), 0U);
}

TEST(Fork, AtTheLimit) {
  for (const char* const call : {"fork", "vfork"}) {
    Program program = program_for("4.3bsd");
    const auto refused = program.call(call);
    program.call("exit", {5});
    Guest guest(program, with_processes(1));
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(refused), Errno::eagain);
  }
}

// Children without end, side by side.
TEST(Fork, AFloodEndsAtTheLimit) {
  Program program = program_for("4.3bsd");
  const Label flood = program.label(), child = program.label();
  program.place(flood);
  const auto last = program.call("fork");
  program.jump_if_nonzero(Program::second_result(last), child);
  program.jump_if_zero(Program::failure(last), flood);
  program.call("exit", {5});
  program.place(child);
  program.call("pause");
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(last), Errno::eagain);
}

// The same, each inside of its parent's vfork: once one has failed, all go.
TEST(Vfork, AFloodEndsAtTheLimit) {
  Program program = program_for("4.3bsd");
  const Label flood = program.label(), worked = program.label();
  program.place(flood);
  const auto last = program.call("vfork");
  program.jump_if_zero(Program::failure(last), worked);
  program.store(own_data, word_at(Program::result(last)));
  program.place(worked);
  program.jump_if_zero(own_data, flood);
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data), guest.kernel->system().errnos.of(Errno::eagain));
}

// sproc(2) of IRIX: EAGAIN at the limit on processes. Nothing has changed then, the place for the
// child's stack included.
TEST(Sproc, AtTheLimitLeavesNothingBehind) {
  Program program = program_for("irix");
  const auto refused = program.call("sproc", {text_base, pr_saddr, 0});
  program.call("exit", {5});
  Guest guest(program, with_processes(1));
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(refused), Errno::eagain);
  EXPECT_TRUE(guest.memory->is_free(GuestAddr(0x04000000), 0x08000000));
}

// Without PR_SADDR the child has a copy of the memory: its stack is no business of the parent's.
TEST(Sproc, OfACopyMapsTheStackInTheCopyAlone) {
  Program program = program_for("irix");
  const Label child = program.label();
  const auto sproc = program.call("sproc", {child, 0, 0});
  program.call("waitsys", {7, 0, own_data, 1, 0});
  program.call("exit", {5});
  program.place(child);
  constexpr std::uint32_t push = 0xafa8fffc;  // sw t0, -4(sp)
  program.raw(push);
  program.call("exit", {3});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(sproc), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 4), 1U);  // CLD_EXITED
  EXPECT_EQ(guest.word(own_data + 20), 3U);
  EXPECT_TRUE(guest.memory->is_free(GuestAddr(0x04000000), 0x08000000));
}

// The entry function may store its register arguments in its caller's frame (System V ABI, MIPS
// supplement, chapter 3): four words above the stack pointer, also at the end of the stack's
// memory.
TEST(Sproc, TheEntryFunctionHasACallersFrame) {
  enum class Stack { of_sproc, of_caller, of_system };
  for (const Stack stack : {Stack::of_sproc, Stack::of_caller, Stack::of_system}) {
    Program program = program_for("irix");
    const Label child = program.label();
    if (stack == Stack::of_sproc) {
      program.call("sproc", {child, pr_saddr, 7});
    } else {
      const std::uint32_t top = stack == Stack::of_caller ? heap_base : 0;
      program.call("sprocsp", {child, pr_saddr, 7, top, page_size});
    }
    program.call("waitsys", {7, 0, own_data, 1, 0});
    program.call("exit", {5});
    program.place(child);
    program.raw(0xafa40000);  // sw a0, 0(sp)
    program.raw(0xafa7000c);  // sw a3, 12(sp)
    program.raw(0x8fa80000);  // lw t0, 0(sp)
    program.raw(0);
    program.raw(0xac080000 | (own_data + 0x100));  // sw t0
    program.call("exit", {3});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.word(own_data + 4), 1U);  // CLD_EXITED
    EXPECT_EQ(guest.word(own_data + 0x100), 7U);
  }
}

TEST(Sproc, AStackThatIsTooLong) {
  Program program = program_for("irix");
  const auto refused = program.call("sprocsp", {text_base, pr_saddr, 0, 0, 0xffffffff});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(refused), Errno::enomem);
}

// prctl(2), PR_GETNSHARE: who shares the memory counts (NetBSD, sys/compat/irix/irix_prctl.c);
// programs take what is above 1 for company.
TEST(Sproc, MembersOfTheShareGroupAreCounted) {
  Program program = program_for("irix");
  const Label child = program.label(), wait = program.label();
  const auto alone = program.call("getnshare");
  program.call("sproc", {child, pr_saddr, 0});
  program.place(wait);
  program.jump_if_zero(own_data, wait);
  const auto both = program.call("getnshare");
  program.call("exit", {5});
  program.place(child);
  program.store(own_data, 1);
  program.call("pause");
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(alone), 0U);
  EXPECT_EQ(guest.value(both), 2U);
}

// Either side may go: the memory is the other's then.
TEST(Sproc, EitherSideMayExecOrExit) {
  for (const bool child_goes : {false, true}) {
    for (const bool by_exec : {false, true}) {
      Program program = program_for("irix");
      const Label child = program.label(), second = program.label(), stay = program.label(),
                  go = program.label();
      put_own_name(program);
      jump_if_executed(program, second);
      program.call("sproc", {child, pr_saddr, 0});
      program.jump(child_goes ? stay : go);
      program.place(child);
      program.jump(child_goes ? go : stay);
      program.place(go);
      program.store(own_data + 0x40, 1);
      if (by_exec) program.call("execve", {own_data, 0, 0});
      program.call("exit", {3});
      program.place(stay);
      const Label wait = program.label();
      program.place(wait);
      program.jump_if_zero(own_data + 0x40, wait);
      for (int i = 0; i < 20; ++i) program.call("getpid");
      program.store(own_data + 0x44, 7);
      program.call("exit", {3});
      program.place(second);
      program.call("exit", {3});
      Guest guest(program);
      const SimulationEnd outcome = guest.run();
      EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
      EXPECT_EQ(outcome.status.code, 3U);
      EXPECT_EQ(guest.word(own_data + 0x44), 7U);
    }
  }
}

// kern_exec.c execve() of 4.3BSD: the file is looked at first, then the arguments are collected.
TEST(Exec, LooksAtTheFileBeforeTheArguments) {
  constexpr std::uint32_t nowhere = 0xfffffff0;
  for (const char* const os : {"irix", "4.3bsd", "solaris"}) {
    SCOPED_TRACE(os);
    Program program = program_for(os);
    put_own_name(program);
    const auto nobody = program.call("execve", {own_data + 2, nowhere, nowhere});
    const auto arguments = program.call("execve", {own_data, nowhere, 0});
    const auto environment = program.call("execve", {own_data, 0, nowhere});
    program.call("exit", {5});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(nobody), Errno::enoent);
    EXPECT_EQ(guest.error(arguments), Errno::efault);
    EXPECT_EQ(guest.error(environment), Errno::efault);
  }
}

// waitsys(2): a child that has ended does not count for a caller that asks for stopped ones.
TEST(Waitsys, OfStoppedChildrenAlone) {
  constexpr std::uint32_t p_all = 7, wexited = 1, wstopped = 4, wnohang = 0x40;
  Program program = program_for("irix");
  const Label parent = program.label();
  const auto none = program.call("waitsys", {p_all, 0, own_data, wstopped | wnohang, 0});
  const auto fork = program.call("fork");
  program.jump_if_zero(Program::second_result(fork), parent);
  program.call("exit", {3});
  program.place(parent);
  for (std::uint32_t i = 0; i < 7; ++i) program.data(own_data + 4 * i, 0xffffffff);
  const auto stopped = program.call("waitsys", {p_all, 0, own_data, wstopped | wnohang, 0});
  const auto ended = program.call("waitsys", {p_all, 0, own_data + 0x40, wexited, 0});
  const auto invalid = program.call("waitsys", {p_all, 0, own_data, wnohang, 0});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(none), Errno::echild);
  EXPECT_EQ(guest.error(stopped), std::nullopt);
  EXPECT_EQ(guest.word(own_data), 0U);
  EXPECT_EQ(guest.word(own_data + 12), 0U);
  EXPECT_EQ(guest.error(ended), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 0x40 + 12), guest.value(fork));
  EXPECT_EQ(guest.error(invalid), Errno::einval);
}

}  // namespace
}  // namespace hardclock::posix::testing
