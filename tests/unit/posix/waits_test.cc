// Every kind of wait of real guests, as a debugger describes it; one that is made again from what
// it says of itself serves as well as the original.
#include "sim/process/wait.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "syscalls/posix/sleepers.h"
#include "syscalls/posix/wait_events.h"
#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

struct Ending {
  SimulationEnd::Kind kind;
  bool by_signal;
  unsigned code;
  Cycles time;
  std::vector<std::uint32_t> memory;
  friend bool operator==(const Ending&, const Ending&) = default;
};

// Runs the program; `look` is given each thread that waits, again and again.
Ending run(const Program& program, const std::function<void(Simulation&, Thread&)>& look) {
  Guest guest(program);
  guest.simulation.on_poll([&] {
    for (Process* const process : guest.simulation.processes()) {
      for (const auto& thread : process->threads) {
        if (thread->waiting()) look(guest.simulation, *thread);
      }
    }
    return true;
  });
  const SimulationEnd outcome = guest.run();
  Ending ending{outcome.kind,
                outcome.status.by_signal,
                outcome.status.code,
                guest.simulation.clock().now(),
                {}};
  for (std::uint32_t at = data_base; at < heap_base; at += 4)
    ending.memory.push_back(guest.word(at));
  return ending;
}

// An event that is built from what the original's accessors say; of a plain value, a copy.
WaitEvent rebuilt(const WaitEvent& event) {
  const auto* const ref = std::get_if<OsEventRef>(&event);
  if (ref == nullptr) return event;
  if (const auto* const files = dynamic_cast<const FileEvent*>(ref->event.get())) {
    return file_event(files->files());
  }
  // Who is woken is found by the event itself.
  if (dynamic_cast<const SleepEvent*>(ref->event.get()) != nullptr) return event;
  const auto& lock = dynamic_cast<const LockEvent&>(*ref->event);
  return lock_event(lock.locks(), lock.file(), lock.wanted());
}

// Expects that a thread of the program waits so, that replacing each wait by one built anew changes
// nothing, and that the first process exits with 5.
void expect_wait(const Program& program, const std::string& description) {
  SCOPED_TRACE(description);
  std::set<std::string> seen;
  const Ending undisturbed =
      run(program, [&](Simulation&, Thread& thread) { seen.insert(describe(*thread.wait)); });
  EXPECT_EQ(seen.count(description), 1U) << ::testing::PrintToString(seen);
  EXPECT_EQ(undisturbed.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(undisturbed.code, 5U);
  const Ending replaced = run(program, [](Simulation& simulation, Thread& thread) {
    const bool is_over = simulation.is_over(thread);
    Wait copy = *thread.wait;
    copy.event = rebuilt(copy.event);
    EXPECT_EQ(copy, *thread.wait);
    EXPECT_EQ(describe(copy), describe(*thread.wait));
    thread.wait = std::nullopt;
    thread.wait = copy;
    EXPECT_EQ(simulation.is_over(thread), is_over);
  });
  EXPECT_EQ(replaced, undisturbed);
}

// A pipe at descriptors 0 and 1, and a fork, behind which the parent goes on here. The child begins
// at the label.
std::size_t fork_with_pipe(Program& program, Label child) {
  program.call("pipe");
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  return fork;
}

// IRIX's signal 16 gets a handler.
void handle(Program& program, Label handler) {
  constexpr std::uint32_t action = own_data + 0x200;
  program.data(action + 4, handler);
  program.call("ksigaction", {16, action, 0, handler});
}

// The parent exits with 5; the child writes a byte into the pipe.
void end_with_a_byte(Program& program, Label child) {
  program.call("exit", {5});
  program.place(child);
  program.call("write", {1, text_base, 1});
  program.call("exit", {0});
}

TEST(Waits, ReadsFromAPipe) {
  Program program = program_for("irix");
  const Label child = program.label();
  fork_with_pipe(program, child);
  program.call("read", {0, own_data, 4});
  end_with_a_byte(program, child);
  expect_wait(program, "waits in read for descriptor 0 to be readable, or a signal");
}

// 12288 bytes do not fit into a pipe of 10240.
TEST(Waits, WritesToAPipe) {
  Program program = program_for("irix");
  const Label child = program.label();
  for (std::uint32_t vector = 0; vector < 3; ++vector) {
    program.data(own_data + 8 * vector, text_base);
    program.data(own_data + 8 * vector + 4, 4096);
  }
  fork_with_pipe(program, child);
  program.call("writev", {1, own_data, 3});
  program.call("exit", {5});
  program.place(child);
  program.call("read", {0, data_base + 0x800, 2000});
  program.call("read", {0, data_base + 0x800, 2000});
  program.call("exit", {0});
  expect_wait(program, "waits in writev for descriptor 1 to take 2048 bytes, or a signal");
}

TEST(Waits, Polls) {
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 0);
  program.data(own_data + 4, 0x0001'0000);  // POLLIN
  fork_with_pipe(program, child);
  program.call("poll", {own_data, 1, 0xffffffff});
  end_with_a_byte(program, child);
  expect_wait(program, "waits in poll for descriptor 0 to be readable or be hung up, or a signal");
}

TEST(Waits, SelectsWithATimeLimit) {
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 1);      // descriptor 0
  program.data(own_data + 8, 1);  // struct timeval: 1 s
  fork_with_pipe(program, child);
  program.call("select", {2, own_data, 0, 0, own_data + 8});
  end_with_a_byte(program, child);
  expect_wait(program, "waits in select for descriptor 0 to be readable, or tick 101, or a signal");
}

TEST(Waits, LocksAFile) {
  constexpr std::uint32_t o_rdwr = 2, f_setlkw = 7, f_wrlck = 2;
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 0x2f646174);  // "/data"
  program.data(own_data + 4, 0x61000000);
  program.data(own_data + 0x40, f_wrlck << 16);  // struct flock of the whole file
  program.call("open", {own_data, o_rdwr});
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("fcntl", {0, f_setlkw, own_data + 0x40});
  program.call("sginap", {3});
  program.call("exit", {5});
  program.place(child);
  program.call("fcntl", {0, f_setlkw, own_data + 0x40});
  program.call("exit", {0});
  expect_wait(program, "waits in fcntl for an exclusive lock on bytes 0 to any end, or a signal");
}

TEST(Waits, SuspendsUntilASignal) {
  Program program = program_for("irix");
  const Label child = program.label(), handler = program.label();
  const auto self = program.call("getpid");
  handle(program, handler);
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("pause");
  program.call("exit", {5});
  program.place(child);
  program.call("kill", {word_at(Program::result(self)), 16});
  program.call("exit", {0});
  program.place(handler);
  program.call("exit", {5});
  expect_wait(program, "waits in pause for a signal");
}

TEST(Waits, WaitsForASignalOfASet) {
  Program program = program_for("irix");
  program.data(own_data, 1U << (16 - 1) | 1U << (17 - 1));
  program.data(own_data + 0x20, 1);  // struct timespec: 1 s
  program.call("sigpoll", {own_data, 0, own_data + 0x20});
  program.call("exit", {5});
  expect_wait(program, "waits in sigpoll for a signal of {16, 17}, or tick 101, or a signal");
}

TEST(Waits, Sleeps) {
  Program program = program_for("irix");
  program.data(own_data, 1);  // struct timespec: 1 s
  program.call("nanosleep", {own_data, own_data + 8});
  program.call("exit", {5});
  expect_wait(program, "waits in nanosleep for tick 101, or a signal");
}

TEST(Waits, LeavesTheProcessorToOthers) {
  Program program = program_for("irix");
  program.call("sginap", {0});
  program.call("exit", {5});
  expect_wait(program, "waits in sginap for the other threads' turn, or a signal");
}

TEST(Waits, WaitsForChildren) {
  struct Case {
    std::uint32_t id_type, id, options;
    const char* awaited;
  };
  constexpr std::uint32_t p_pid = 0, p_pgid = 2, p_all = 7, exited = 1, stopped = 4, continued = 8;
  for (const Case& each :
       {Case{p_all, 0, exited, "any child to end"}, Case{p_pid, 101, exited, "child 101 to end"},
        Case{p_pgid, 100, exited | stopped | continued,
             "any child of group 100 to end or stop or continue"}}) {
    Program program = program_for("irix");
    const Label child = program.label();
    const auto fork = program.call("fork");
    program.jump_if_nonzero(Program::second_result(fork), child);
    program.call("waitsys", {each.id_type, each.id, own_data, each.options, 0});
    program.call("exit", {5});
    program.place(child);
    program.call("exit", {0});
    expect_wait(program, std::string("waits in waitsys for ") + each.awaited + ", or a signal");
  }
}

// No signal ends it.
TEST(Waits, WaitsForTheEndOfAVfork) {
  Program program = program_for("4.3bsd");
  const Label child = program.label();
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  program.call("exit", {5});
  program.place(child);
  program.call("getpid");
  program.call("exit", {0});
  expect_wait(program, "waits in vfork for child 101 to exec or exit");
}

TEST(Waits, WaitsToBeWoken) {
  constexpr std::uint32_t clone_vm = 0x100, futex_wait = 0, futex_wake = 1;
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, 7);
  const auto clone = program.call("clone", {clone_vm, 0, 0, 0, 0});
  program.jump_if_zero(Program::result(clone), child);
  program.call("futex", {own_data, futex_wait, 7, 0, 0, 0});
  program.call("exit", {5});
  program.place(child);
  program.store(own_data, 8);
  program.call("futex", {own_data, futex_wake, 1, 0, 0, 0});
  program.call("exit", {0});
  expect_wait(program, "waits in futex for another thread to wake it, or a signal");
}

// A process that sleeps for `seconds` and is sent signals after 0.2 s; the last one's handler
// begins behind this.
void sleep_until_signals(Program& program, std::uint32_t seconds,
                         std::initializer_list<std::uint32_t> signals) {
  constexpr std::uint32_t action = own_data + 0x200;
  const Label child = program.label(), handler = program.label();
  program.data(own_data, seconds);  // struct timespec
  program.data(own_data + 0x24, 200'000'000);
  program.data(action + 4, handler);
  const auto self = program.call("getpid");
  program.call("ksigaction", {*(signals.end() - 1), action, 0, handler});
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("nanosleep", {own_data, own_data + 8});
  program.call("exit", {6});
  program.place(child);
  program.call("nanosleep", {own_data + 0x20, 0});
  for (const std::uint32_t signal : signals) {
    program.call("kill", {word_at(Program::result(self)), signal});
  }
  program.call("exit", {0});
  program.place(handler);
}

// The longest sleep, too.
TEST(Waits, ASleepTellsWhatWasLeft) {
  for (const std::uint32_t seconds : {1U, 0x7fffffffU}) {
    Program program = program_for("irix");
    sleep_until_signals(program, seconds, {16});
    program.call("exit", {5});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.word(own_data + 8), seconds - 1);
    EXPECT_EQ(guest.word(own_data + 12), 800'000'000U);
  }
}

// A stop signal, 24, has no effect on a process that nobody could continue; its sleep would go on
// until tick 101, but a handler begins at once. That one's sleep of 0.2 s has a deadline of its
// own.
TEST(Waits, AHandlersCallsAreNotTheInterruptedOne) {
  Program program = program_for("irix");
  sleep_until_signals(program, 1, {24, 28});
  program.call("nanosleep", {own_data + 0x20, 0});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_LT(guest.simulation.clock().ticks(), Ticks(50));
}

}  // namespace
}  // namespace hardclock::posix::testing
