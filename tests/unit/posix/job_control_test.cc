// Processes that stop and go on, and process groups. The expectations are those of POSIX.1 (2.4
// "Signal Concepts", kill(), setpgid(), setsid()) and of System V.4's waitid(2) and siginfo(5).
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

// IRIX's numbers.
constexpr std::uint32_t sig_stop = 23, sig_tstp = 24, sig_cont = 25, sig_cld = 18, sig_usr1 = 16;
constexpr std::uint32_t p_all = 7, p_pgid = 2;
constexpr std::uint32_t w_exited = 1, w_stopped = 4, w_continued = 8, w_nohang = 0x40,
                        w_nowait = 0x80;
constexpr std::uint32_t cld_exited = 1, cld_killed = 2, cld_stopped = 5, cld_continued = 6;
// Offsets in a siginfo_t.
constexpr std::uint32_t info_signal = 0, info_code = 4, info_pid = 12, info_status = 20;

// A program whose child runs from the label on, with its pid in the result of the call.
struct Forked {
  std::size_t pid;
  Label child;
};
Forked fork(Program& program) {
  const Forked forked{program.call("fork"), program.label()};
  program.jump_if_nonzero(Program::second_result(forked.pid), forked.child);
  return forked;
}

TEST(JobControl, AStopAndAContinuationAreReported) {
  Program program = program_for("irix");
  const auto [pid, child] = fork(program);
  const auto stopped = program.call("waitsys", {p_all, 0, own_data, w_stopped | w_nowait, 0});
  const auto again = program.call("waitsys", {p_all, 0, own_data, w_stopped, 0});
  const auto once = program.call("waitsys", {p_all, 0, own_data + 0x80, w_stopped | w_nohang, 0});
  program.call("kill", {word_at(Program::result(pid)), sig_cont});
  program.call("waitsys", {p_all, 0, own_data + 0x100, w_continued, 0});
  program.call("waitsys", {p_all, 0, own_data + 0x180, w_exited, 0});
  program.call("exit", {5});
  program.place(child);
  const auto self = program.call("getpid");
  program.call("kill", {word_at(Program::result(self)), sig_stop});
  program.call("exit", {7});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(stopped), std::nullopt);
  EXPECT_EQ(guest.error(again), std::nullopt);
  EXPECT_EQ(guest.error(once), std::nullopt);
  const std::uint32_t first = own_data, none = own_data + 0x80, second = own_data + 0x100,
                      third = own_data + 0x180;
  EXPECT_EQ(guest.word(first + info_signal), sig_cld);
  EXPECT_EQ(guest.word(first + info_code), cld_stopped);
  EXPECT_EQ(guest.word(first + info_pid), guest.value(pid));
  EXPECT_EQ(guest.word(first + info_status), sig_stop);
  EXPECT_EQ(guest.word(none + info_signal), 0U);
  EXPECT_EQ(guest.word(second + info_code), cld_continued);
  EXPECT_EQ(guest.word(second + info_status), sig_cont);
  EXPECT_EQ(guest.word(third + info_code), cld_exited);
  EXPECT_EQ(guest.word(third + info_status), 7U);
}

TEST(JobControl, SigkillEndsWhatIsStopped) {
  Program program = program_for("irix");
  const auto [pid, child] = fork(program);
  program.call("waitsys", {p_all, 0, 0, w_stopped, 0});
  program.call("kill", {word_at(Program::result(pid)), sigterm});
  program.call("kill", {word_at(Program::result(pid)), sigkill});
  program.call("waitsys", {p_all, 0, own_data, w_exited, 0});
  program.call("exit", {5});
  program.place(child);
  program.call("kill", {0, 0});
  const auto self = program.call("getpid");
  program.call("kill", {word_at(Program::result(self)), sig_stop});
  program.call("exit", {7});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.word(own_data + info_code), cld_killed);
  EXPECT_EQ(guest.word(own_data + info_status), sigkill);
}

// "A process that is a member of an orphaned process group shall not be allowed to stop in response
// to the SIGTSTP, SIGTTIN, or SIGTTOU signals": the first process has nobody who could continue it.
TEST(JobControl, AnOrphanedGroupDoesNotStop) {
  Program program = program_for("irix");
  program.call("kill", {0, sig_tstp});
  program.call("exit", {5});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(outcome.status.code, 5U);
}

TEST(JobControl, StoppedForEverIsADeadlock) {
  Program program = program_for("irix");
  program.call("kill", {0, sig_stop});
  program.call("exit", {5});
  Guest guest(program);
  const SimulationEnd outcome = guest.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(outcome.detail, "pid 100 stopped by signal 23");
}

// A timer that goes off again and again does not keep a machine alive whose only process is
// stopped.
TEST(JobControl, ATimerDoesNotContinueAProcess) {
  Program program = program_for("irix");
  program.data(own_data + 4, 10'000);
  program.data(own_data + 12, 10'000);
  program.call("setitimer", {0, own_data, 0});
  program.call("kill", {0, sig_stop});
  Guest guest(program);
  EXPECT_EQ(guest.run().kind, SimulationEnd::Kind::deadlock);
}

// A call that waits when the process stops goes on waiting: only a handler ends it.
TEST(JobControl, ACallThatWaitsSurvivesAStop) {
  Program program = program_for("irix");
  const Label handler = program.label();
  program.data(own_data + 0x104, handler);
  program.call("ksigaction", {sig_usr1, own_data + 0x100, 0, handler});
  const auto [pid, child] = fork(program);
  const auto give_way = program.call("sginap", {2});
  program.call("kill", {word_at(Program::result(pid)), sig_stop});
  program.call("waitsys", {p_all, 0, own_data, w_stopped, 0});
  program.call("kill", {word_at(Program::result(pid)), sig_cont});
  program.call("waitsys", {p_all, 0, own_data, w_continued, 0});
  program.call("sginap", {2});
  const auto alive = program.call("waitsys", {p_all, 0, own_data + 0x80, w_exited | w_nohang, 0});
  program.call("kill", {word_at(Program::result(pid)), sig_usr1});
  program.call("waitsys", {p_all, 0, own_data, w_exited, 0});
  program.call("exit", {5});
  program.place(child);
  program.call("pause");
  program.call("exit", {7});
  program.place(handler);
  program.call("exit", {9});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(give_way), 0U);
  EXPECT_EQ(guest.error(alive), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 0x80 + info_signal), 0U);
  EXPECT_EQ(guest.word(own_data + info_status), 9U);
}

TEST(ProcessGroups, GetSignalsAndAreWaitedFor) {
  Program program = program_for("irix");
  const auto [pid, child] = fork(program);
  const auto moved = program.call("setpgid", {word_at(Program::result(pid)), 0});
  const auto group = program.call("getpgid", {word_at(Program::result(pid))});
  const auto own = program.call("getpgrp");
  const auto foreign = program.call("waitsys", {p_pgid, 99999, 0, w_exited, 0});
  program.store(own_data + 0x100, word_at(Program::result(pid)));
  // kill(-pid): 0 - pid
  program.raw(0x8c080000 | (own_data + 0x100));  // lw t0
  program.raw(0);
  program.raw(0x00084023);                       // subu t0, zero, t0
  program.raw(0xac080000 | (own_data + 0x104));  // sw t0
  program.call("kill", {word_at(own_data + 0x104), sigterm});
  program.call("waitsys", {p_pgid, word_at(Program::result(pid)), own_data, w_exited, 0});
  const auto nobody = program.call("kill", {word_at(own_data + 0x104), sigterm});
  program.call("exit", {5});
  program.place(child);
  program.call("pause");
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(moved), std::nullopt);
  EXPECT_EQ(guest.value(group), guest.value(pid));
  EXPECT_EQ(guest.value(own), 100U);
  EXPECT_EQ(guest.error(foreign), Errno::echild);
  EXPECT_EQ(guest.word(own_data + info_code), cld_killed);
  EXPECT_EQ(guest.word(own_data + info_status), sigterm);
  EXPECT_EQ(guest.error(nobody), Errno::esrch);
}

// kill(2): process 1 is the superuser's; 0 is the caller's group; signal 0 asks.
TEST(ProcessGroups, WhoMayBeSignalled) {
  Program program = program_for("irix");
  const auto init = program.call("kill", {1, 0});
  const auto group = program.call("kill", {0, 0});
  const auto all = program.call("kill", {0xffffffff, 0});
  const auto none = program.call("kill", {-99999U, 0});
  const auto lowest = program.call("kill", {0x80000000, 0});
  const auto number = program.call("kill", {0, 65});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(init), Errno::eperm);
  EXPECT_EQ(guest.error(group), std::nullopt);
  EXPECT_EQ(guest.error(all), std::nullopt);
  EXPECT_EQ(guest.error(none), Errno::esrch);
  EXPECT_EQ(guest.error(lowest), Errno::esrch);
  EXPECT_EQ(guest.error(number), Errno::einval);
}

TEST(ProcessGroups, TheErrorsOfSetpgidAndSetsid) {
  Program program = program_for("irix");
  const auto leader = program.call("setsid");
  const auto negative = program.call("setpgid", {0, 0xffffffff});
  const auto stranger = program.call("setpgid", {99999, 0});
  const auto nowhere = program.call("setpgid", {0, 99999});
  const auto [pid, child] = fork(program);
  program.call("waitsys", {p_all, 0, own_data, w_exited, 0});
  const auto unknown = program.call("getsid", {99999});
  program.call("exit", {5});
  program.place(child);
  const auto session = program.call("setsid");
  const auto self = program.call("getpid");
  const auto same = program.call("getsid", {0});
  const auto of_leader = program.call("setpgid", {0, 0});
  const Label wrong = program.label();
  program.jump_if_nonzero(Program::failure(session), wrong);
  program.jump_if_zero(Program::failure(of_leader), wrong);
  program.call("exit", {word_at(Program::result(same))});
  program.place(wrong);
  program.call("exit", {1});
  static_cast<void>(self);
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(leader), Errno::eperm);
  EXPECT_EQ(guest.error(negative), Errno::einval);
  EXPECT_EQ(guest.error(stranger), Errno::esrch);
  EXPECT_EQ(guest.error(nowhere), Errno::eperm);
  EXPECT_EQ(guest.error(unknown), Errno::esrch);
  EXPECT_EQ(guest.word(own_data + info_status), guest.value(pid) & 0xff);
}

// sigaction(2) of System V.4: with SIGCLD ignored, or with SA_NOCLDWAIT, children leave no zombies,
// and wait() fails with ECHILD once all have ended.
TEST(Children, OfWhoIgnoresTheirEndVanish) {
  struct Action {
    std::uint32_t flags, handler;
  };
  constexpr std::uint32_t sa_nocldwait = 0x10000;
  for (const Action& action : {Action{0, 1}, Action{sa_nocldwait, 0}}) {
    Program program = program_for("irix");
    program.data(own_data, action.flags);
    program.data(own_data + 4, action.handler);
    program.call("ksigaction", {sig_cld, own_data, 0, 0});
    const auto [pid, child] = fork(program);
    const auto gone = program.call("waitsys", {p_all, 0, 0, w_exited, 0});
    program.call("exit", {5});
    program.place(child);
    program.call("exit", {7});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(gone), Errno::echild);
  }
}

}  // namespace
}  // namespace hardclock::posix::testing
