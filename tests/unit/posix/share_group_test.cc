// Share groups of IRIX: sproc(2), prctl(2), blockproc(2). Layouts are NetBSD's
// (sys/compat/irix/irix_prctl.h).
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t pr_sfds = 2, pr_sdir = 4, pr_sulimit = 0x10, pr_saddr = 0x40,
                        pr_sall = 0x7f, pr_block = 0x01000000;
constexpr std::uint32_t p_all = 7, w_exited = 1;
constexpr std::uint32_t sig_usr1 = 16;

// Words of the process data area: the pid, and one that is the program's.
constexpr std::uint32_t prda_pid = 0xe00, prda_user = 0xf80;
void load_from_prda(Program& program, std::uint32_t offset, std::uint32_t address) {
  program.raw(0x3c080020);           // lui t0, 0x20
  program.raw(0x8d080000 | offset);  // lw t0, offset(t0)
  program.raw(0);
  program.raw(0xac080000 | address);  // sw t0, address(zero)
}
void store_in_prda(Program& program, std::uint32_t offset, std::uint32_t value) {
  program.raw(0x3c080020);           // lui t0, 0x20
  program.raw(0x34090000 | value);   // ori t1, zero, value
  program.raw(0xad090000 | offset);  // sw t1, offset(t0)
}

// sproc(2): the process data area ... is unique to each process, though the address space is one.
TEST(ShareGroup, HasADataAreaForEachMember) {
  Program program = program_for("irix");
  const Label child = program.label();
  store_in_prda(program, prda_user, 0x1234);
  const auto sproc = program.call("sproc", {child, pr_saddr, 0});
  program.call("sginap", {0});
  load_from_prda(program, prda_pid, own_data);
  load_from_prda(program, prda_user, own_data + 4);
  store_in_prda(program, prda_user, 0x4321);
  program.call("waitsys", {p_all, 0, 0, w_exited, 0});
  load_from_prda(program, prda_user, own_data + 8);
  load_from_prda(program, prda_pid, own_data + 12);
  program.call("exit", {5});
  program.place(child);
  load_from_prda(program, prda_pid, own_data + 16);
  load_from_prda(program, prda_user, own_data + 20);
  store_in_prda(program, prda_user, 0x5678);
  program.call("sginap", {0});
  load_from_prda(program, prda_user, own_data + 24);
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data), 100U);
  EXPECT_EQ(guest.word(own_data + 4), 0x1234U);
  EXPECT_EQ(guest.word(own_data + 8), 0x4321U);
  EXPECT_EQ(guest.word(own_data + 12), 100U);
  EXPECT_EQ(guest.word(own_data + 16), guest.value(sproc));
  EXPECT_EQ(guest.word(own_data + 20), 0U);
  EXPECT_EQ(guest.word(own_data + 24), 0x5678U);
}

// The child of fork() finds its own pid in its copy.
TEST(ShareGroup, AForkedChildHasItsOwnPid) {
  Program program = program_for("irix");
  const auto fork = program.call("fork");
  const Label child = program.label();
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("waitsys", {p_all, 0, own_data, w_exited, 0});
  load_from_prda(program, prda_pid, own_data + 0x40);
  program.call("exit", {5});
  program.place(child);
  load_from_prda(program, prda_pid, own_data + 0x80);
  program.call("exit", {word_at(own_data + 0x80)});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data + 20), guest.value(fork));
  EXPECT_EQ(guest.word(own_data + 0x40), 100U);
}

// sproc(2), PR_SFDS: descriptors that one member opens or closes are so for the other.
TEST(ShareGroup, SharesDescriptorsOnRequest) {
  for (const bool shares : {true, false}) {
    SCOPED_TRACE(shares);
    Program program = program_for("irix");
    const Label child = program.label();
    program.call("sproc", {child, shares ? pr_saddr | pr_sfds : pr_saddr, 0});
    program.call("waitsys", {p_all, 0, 0, w_exited, 0});
    const auto close = program.call("close", {word_at(own_data)});
    program.call("exit", {5});
    program.place(child);
    const auto pipe = program.call("pipe");
    program.store(own_data, word_at(Program::result(pipe)));
    program.call("exit", {0});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(close), shares ? std::nullopt : std::optional(Errno::ebadf));
  }
}

// PR_SULIMIT: a limit that one member lowers is lower for the other.
TEST(ShareGroup, SharesLimitsOnRequest) {
  for (const bool shares : {true, false}) {
    SCOPED_TRACE(shares);
    Program program = program_for("irix");
    const Label child = program.label();
    const auto before = program.call("ulimit", {1, 0});
    program.call("sproc", {child, shares ? pr_saddr | pr_sulimit : pr_saddr, 0});
    program.call("waitsys", {p_all, 0, 0, w_exited, 0});
    const auto after = program.call("ulimit", {1, 0});
    program.call("exit", {5});
    program.place(child);
    program.call("ulimit", {2, 100});
    program.call("exit", {0});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.value(after), shares ? 100U : guest.value(before));
  }
}

// prctl(2): PR_GETSHMASK, and the share mask is ANDed with the caller's (sproc(2)).
TEST(ShareGroup, TellsItsMask) {
  Program program = program_for("irix");
  const Label child = program.label(), grandchild = program.label();
  const auto none = program.call("getshmask", {0});
  const auto alone = program.call("getnshare");
  program.call("sproc", {child, pr_saddr | pr_sdir, 0});
  const auto all = program.call("getshmask", {0});
  program.call("waitsys", {p_all, 0, 0, w_exited, 0});
  const auto stranger = program.call("getshmask", {99999});
  program.call("exit", {5});
  program.place(child);
  const auto own = program.call("getshmask", {0});
  program.call("sproc", {grandchild, pr_sall, 0});
  program.call("waitsys", {p_all, 0, 0, w_exited, 0});
  program.call("exit", {0});
  program.place(grandchild);
  const auto lower = program.call("getshmask", {0});
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(none), 0U);
  EXPECT_EQ(guest.value(alone), 0U);
  EXPECT_EQ(guest.value(all), pr_sall);
  EXPECT_EQ(guest.value(own), pr_saddr | pr_sdir);
  EXPECT_EQ(guest.value(lower), pr_saddr | pr_sdir);
  EXPECT_EQ(guest.error(stranger), Errno::einval);
}

// blockproc(2): blocks a process when its count falls below zero; counts lie within 10000 of zero.
TEST(ShareGroup, BlocksAndUnblocks) {
  Program program = program_for("irix");
  const Label child = program.label();
  const auto sproc = program.call("sproc", {child, pr_saddr, 0});
  const auto pid = word_at(Program::result(sproc));
  program.call("procblk", {0, pid, 0});
  program.call("sginap", {2});
  const auto members = program.call("getnshare");
  const auto blocked = program.call("isblocked", {pid});
  program.store(own_data + 4, word_at(own_data));
  const auto high = program.call("procblk", {2, pid, 10001});
  const auto nobody = program.call("procblk", {1, 99999, 0});
  const auto unknown = program.call("procblk", {6, pid, 0});
  const auto set_free = program.call("procblk", {1, pid, 0});
  program.call("waitsys", {p_all, 0, 0, w_exited, 0});
  program.call("exit", {5});
  program.place(child);
  program.store(own_data, 1);
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(members), 2U);
  EXPECT_EQ(guest.value(blocked), 1U);
  EXPECT_EQ(guest.word(own_data + 4), 0U);
  EXPECT_EQ(guest.word(own_data), 1U);
  EXPECT_EQ(guest.error(high), Errno::einval);
  EXPECT_EQ(guest.error(nobody), Errno::esrch);
  EXPECT_EQ(guest.error(unknown), Errno::einval);
  EXPECT_EQ(guest.error(set_free), std::nullopt);
}

// sproc(2): "PR_BLOCK causes the calling process to be blocked before returning from a successful
// call"; the child may unblock it.
TEST(ShareGroup, ACreatorMayWaitToBeUnblocked) {
  Program program = program_for("irix");
  const Label child = program.label();
  program.call("sproc", {child, pr_saddr | pr_block, 0});
  program.store(own_data + 4, word_at(own_data));
  program.call("exit", {5});
  program.place(child);
  program.call("sginap", {2});
  const auto ids = program.call("getpid");
  const auto parent = word_at(Program::second_result(ids));
  const auto blocked = program.call("isblocked", {parent});
  program.store(own_data, 1);
  program.call("procblk", {1, parent, 0});
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(blocked), 1U);
  EXPECT_EQ(guest.word(own_data + 4), 1U);
}

// A process that blocks itself and that nobody can unblock: said so, and no hang.
TEST(ShareGroup, BlockedForEverIsADeadlock) {
  Program program = program_for("irix");
  program.call("procblk", {0, 0, 0});
  program.call("exit", {5});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(outcome.detail, "pid 100 blocked");
}

// prctl(2), PR_SETEXITSIG: all members of the share group are signaled if any one of them leaves.
TEST(ShareGroup, SignalsAnExit) {
  Program program = program_for("irix");
  const Label child = program.label();
  const auto wrong = program.call("setexitsig", {65});
  program.call("setexitsig", {sig_usr1});
  program.call("sproc", {child, pr_saddr, 0});
  program.call("pause");
  program.call("exit", {5});
  program.place(child);
  program.call("exit", {0});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_TRUE(outcome.status.by_signal);
  EXPECT_EQ(outcome.status.code, sig_usr1);
  EXPECT_EQ(guest.error(wrong), Errno::einval);
}

// prctl(2), PR_TERMCHILD: the child is sent SIGHUP when its parent exits.
TEST(ShareGroup, ChildrenMayEndWithTheirParent) {
  Program program = program_for("irix");
  const auto first = program.call("fork");
  const Label parent = program.label(), child = program.label();
  program.jump_if_nonzero(Program::second_result(first), parent);
  program.call("sginap", {5});
  // The grandchild is nobody's child any more: only signals can ask for it.
  program.call("kill", {0xffffffff, 0});
  program.call("exit", {5});
  program.place(parent);
  const auto second = program.call("fork");
  program.jump_if_nonzero(Program::second_result(second), child);
  program.call("sginap", {2});
  program.call("exit", {0});
  program.place(child);
  program.call("termchild");
  program.call("pause");
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(outcome.status.code, 5U);
  EXPECT_EQ(outcome.detail, "");  // nobody waits for ever
}

}  // namespace
}  // namespace hardclock::posix::testing
