// Every kind of wait of real guests, as a debugger describes it; one that is made again from what
// it says of itself serves as well as the original.
#include "sim/process/wait.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/state/digest.h"
#include "tests/unit/posix/guest.h"
#include "tests/unit/posix/waiting_programs.h"

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

// ---- Events built anew from their fields.

WaitEvent anew(const NoEvent&) {
  return NoEvent{};
}
WaitEvent anew(const OthersTurn&) {
  return OthersTurn{};
}
WaitEvent anew(const ChildEvent& event) {
  return ChildEvent{.pid = event.pid,
                    .thread = event.thread,
                    .group = event.group,
                    .ended = event.ended,
                    .stopped = event.stopped,
                    .continued = event.continued,
                    .clones = event.clones,
                    .of_caller = event.of_caller};
}
WaitEvent anew(const VforkEnd& event) {
  return VforkEnd{event.child};
}
WaitEvent anew(const SignalPending& event) {
  return SignalPending{event.signals};
}
WaitEvent anew(const FileWait& event) {
  FileWait made;
  for (const FileWatch& watch : event.files) {
    made.files.push_back({.descriptor = watch.descriptor,
                          .file = watch.file,
                          .for_reading = watch.for_reading,
                          .bytes_to_write = watch.bytes_to_write,
                          .for_hangup = watch.for_hangup,
                          .for_end = watch.for_end,
                          .for_urgent = watch.for_urgent});
  }
  return made;
}
WaitEvent anew(const LockWait& event) {
  return LockWait{.device = event.device,
                  .inode = event.inode,
                  .owner = event.owner,
                  .exclusive = event.exclusive,
                  .start = event.start,
                  .end = event.end};
}
WaitEvent anew(const FlockWait& event) {
  return FlockWait{
      .device = event.device, .inode = event.inode, .of = event.of, .exclusive = event.exclusive};
}
WaitEvent anew(const SleepWait& event) {
  return SleepWait{event.sleeper};
}
WaitEvent anew(const IpcWait& event) {
  return IpcWait{.waiter = event.waiter, .what = event.what};
}
WaitEvent anew(const FifoWait& event) {
  return FifoWait{event.end};
}
WaitEvent anew(const SocketWait& event) {
  return SocketWait{.what = event.what, .socket = event.socket, .bytes = event.bytes};
}
WaitEvent anew(const StopWait& event) {
  return StopWait{event.control};
}
WaitEvent anew(const ObjectEvent& event) {
  return std::visit([](const auto& what) { return anew(what); }, event);
}
WaitEvent rebuilt(const WaitEvent& event) {
  return std::visit([](const auto& what) { return anew(what); }, event);
}

// The kinds of events that threads waited for, by their places in the variants.
struct Kinds {
  std::set<std::size_t> all, of_objects;
  void add(const WaitEvent& event) {
    all.insert(event.index());
    const auto* const of_object = std::get_if<ObjectEvent>(&event);
    if (of_object != nullptr) of_objects.insert(of_object->index());
  }
};

// Expects that a thread of the program waits so, that replacing each wait by one built anew changes
// nothing, and that the first process exits with 5.
Kinds expect_wait(const WaitingProgram& tested) {
  const auto& [program, description] = tested;
  SCOPED_TRACE(description);
  std::set<std::string> seen;
  Kinds kinds;
  const Ending undisturbed = run(program, [&](Simulation&, Thread& thread) {
    seen.insert(describe(*thread.wait));
    kinds.add(thread.wait->event);
  });
  EXPECT_EQ(seen.count(description), 1U) << ::testing::PrintToString(seen);
  EXPECT_EQ(undisturbed.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(undisturbed.code, 5U);
  const Ending replaced = run(program, [](Simulation& simulation, Thread& thread) {
    const bool is_over = simulation.is_over(thread);
    const StateDigest before = digest_of(simulation);
    Wait copy = *thread.wait;
    copy.event = rebuilt(copy.event);
    EXPECT_EQ(copy, *thread.wait);
    EXPECT_EQ(describe(copy), describe(*thread.wait));
    thread.wait->event = VforkEnd{-1};
    EXPECT_NE(digest_of(simulation), before);
    thread.wait = copy;
    EXPECT_EQ(digest_of(simulation), before);
    EXPECT_EQ(simulation.is_over(thread), is_over);
  });
  EXPECT_EQ(replaced, undisturbed);
  return kinds;
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
    expect_wait({program, std::string("waits in waitsys for ") + each.awaited + ", or a signal"});
  }
}

// POSIX.1, fcntl(): F_SETLKW of a lock whose owner waits for the caller is EDEADLK.
TEST(Waits, ForEachOtherIsADeadlock) {
  constexpr std::uint32_t o_rdwr = 2, f_setlk = 6, f_setlkw = 7, f_wrlck = 2;
  constexpr std::uint32_t first = own_data + 0x20, second = own_data + 0x40;
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 0x2f646174);  // "/data"
  program.data(own_data + 4, 0x61000000);
  for (const std::uint32_t lock : {first, second}) {
    program.data(lock, f_wrlck << 16);
    program.data(lock + 4, lock == first ? 0 : 1);
    program.data(lock + 8, 1);
  }
  program.call("open", {own_data, o_rdwr});
  program.call("fcntl", {0, f_setlk, first});
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("sginap", {5});
  const auto refused = program.call("fcntl", {0, f_setlkw, second});
  program.call("exit", {5});
  program.place(child);
  program.call("fcntl", {0, f_setlk, second});
  program.call("fcntl", {0, f_setlkw, first});
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(guest.error(refused), Errno::edeadlk);
}

// And none of the kinds is left out.
TEST(Waits, AreDataOfWhichTheyCanBeBuiltAnew) {
  Kinds seen;
  for (const WaitingProgram& each : waiting_programs()) {
    const Kinds kinds = expect_wait(each);
    seen.all.insert(kinds.all.begin(), kinds.all.end());
    seen.of_objects.insert(kinds.of_objects.begin(), kinds.of_objects.end());
  }
  EXPECT_EQ(seen.all.size(), std::variant_size_v<WaitEvent>) << ::testing::PrintToString(seen.all);
  EXPECT_EQ(seen.of_objects.size(), std::variant_size_v<ObjectEvent>)
      << ::testing::PrintToString(seen.of_objects);
}

// A stop is not the other end: the open that goes on waits again, and what it opens has a writer.
// Else the read would find the end of a FIFO that nobody writes to.
TEST(Waits, AStopDoesNotOpenAFifo) {
  constexpr std::uint32_t sigstop = 23, sigcont = 25;
  Program program = program_for("linux");
  const Label child = program.label();
  const std::uint32_t name = make_fifo(program), time = own_data + 0x20;
  program.data(time + 4, 100'000'000);  // struct timespec
  const auto self = program.call("getpid");
  fork_linux(program, child);
  program.call("open", {name, o_rdonly});
  const auto read = program.call("read", {0, own_data + 0x40, 1});
  program.call("exit", {5});
  program.place(child);
  program.call("nanosleep", {time, 0});
  program.call("kill", {word_at(Program::result(self)), sigstop});
  program.call("nanosleep", {time, 0});
  program.call("kill", {word_at(Program::result(self)), sigcont});
  program.call("nanosleep", {time, 0});
  program.call("open", {name, o_wronly});
  program.call("write", {0, text_base, 1});
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(read), std::nullopt);
  EXPECT_EQ(guest.value(read), 1U);
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
