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

struct Case {
  Program program;
  std::string description;
};

// Expects that a thread of the program waits so, that replacing each wait by one built anew changes
// nothing, and that the first process exits with 5.
Kinds expect_wait(const Case& tested) {
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

Case reads_from_a_pipe() {
  Program program = program_for("irix");
  const Label child = program.label();
  fork_with_pipe(program, child);
  program.call("read", {0, own_data, 4});
  end_with_a_byte(program, child);
  return {program, "waits in read for descriptor 0 to be readable, or a signal"};
}

// 12288 bytes do not fit into a pipe of 10240.
Case writes_to_a_pipe() {
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
  return {program, "waits in writev for descriptor 1 to take 2048 bytes, or a signal"};
}

Case polls() {
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 0);
  program.data(own_data + 4, 0x0001'0000);  // POLLIN
  fork_with_pipe(program, child);
  program.call("poll", {own_data, 1, 0xffffffff});
  end_with_a_byte(program, child);
  return {program, "waits in poll for descriptor 0 to be readable or be hung up, or a signal"};
}

Case selects_with_a_time_limit() {
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 1);      // descriptor 0
  program.data(own_data + 8, 1);  // struct timeval: 1 s
  fork_with_pipe(program, child);
  program.call("select", {2, own_data, 0, 0, own_data + 8});
  end_with_a_byte(program, child);
  return {program, "waits in select for descriptor 0 to be readable, or tick 101, or a signal"};
}

Case locks_a_file() {
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
  return {program, "waits in fcntl for an exclusive lock on bytes 0 to any end, or a signal"};
}

Case suspends_until_a_signal() {
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
  return {program, "waits in pause for a signal"};
}

Case waits_for_a_signal_of_a_set() {
  Program program = program_for("irix");
  program.data(own_data, 1U << (16 - 1) | 1U << (17 - 1));
  program.data(own_data + 0x20, 1);  // struct timespec: 1 s
  program.call("sigpoll", {own_data, 0, own_data + 0x20});
  program.call("exit", {5});
  return {program, "waits in sigpoll for a signal of {16, 17}, or tick 101, or a signal"};
}

Case sleeps() {
  Program program = program_for("irix");
  program.data(own_data, 1);  // struct timespec: 1 s
  program.call("nanosleep", {own_data, own_data + 8});
  program.call("exit", {5});
  return {program, "waits in nanosleep for tick 101, or a signal"};
}

Case leaves_the_processor_to_others() {
  Program program = program_for("irix");
  program.call("sginap", {0});
  program.call("exit", {5});
  return {program, "waits in sginap for the other threads' turn, or a signal"};
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

// No signal ends it.
Case waits_for_the_end_of_a_vfork() {
  Program program = program_for("4.3bsd");
  const Label child = program.label();
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  program.call("exit", {5});
  program.place(child);
  program.call("getpid");
  program.call("exit", {0});
  return {program, "waits in vfork for child 101 to exec or exit"};
}

Case waits_to_be_woken() {
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
  return {program, "waits in futex for another thread to wake it, or a signal"};
}

Case waits_for_any_child() {
  Program program = program_for("linux");
  const Label child = program.label();
  const auto fork = program.call("fork");
  program.jump_if_zero(Program::result(fork), child);
  program.call("wait4", {0xffffffff, 0, 0, 0});
  program.call("exit", {5});
  program.place(child);
  program.call("exit", {0});
  return {program, "waits in wait4 for any child to end, or a signal"};
}

// ---- Of Linux, whose fork gives the child 0.

// The child begins at the label.
void fork_linux(Program& program, Label child) {
  const auto fork = program.call("fork");
  program.jump_if_zero(Program::result(fork), child);
}

// Two openings of a file, one of which has the lock until the child gives it up.
Case locks_a_whole_file() {
  constexpr std::uint32_t o_rdwr = 2, lock_ex = 2, lock_un = 8;
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, 0x2f646174);  // "/data"
  program.data(own_data + 4, 0x61000000);
  program.call("open", {own_data, o_rdwr});
  program.call("open", {own_data, o_rdwr});
  program.call("flock", {0, lock_ex});
  fork_linux(program, child);
  program.call("flock", {1, lock_ex});
  program.call("exit", {5});
  program.place(child);
  program.call("flock", {0, lock_un});
  program.call("exit", {0});
  return {program, "waits in flock for an exclusive lock on a whole file, or a signal"};
}

// struct sembuf {unsigned short number; short change, flags}
Case operates_a_semaphore() {
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, 0x0000'ffff);
  program.data(own_data + 8, 0x0000'0001);
  const auto set = program.call("semget", {0, 1, 0600});
  const Argument id = word_at(Program::result(set));
  fork_linux(program, child);
  program.call("semop", {id, 1, 0, own_data});
  program.call("exit", {5});
  program.place(child);
  program.call("semop", {id, 1, 0, own_data + 8});
  program.call("exit", {0});
  return {program, "waits in semop for a semaphore, or a signal"};
}

// struct msgbuf {long type; char text[]}, and struct ipc_kludge {struct msgbuf *message; long type}
// of the calls that ipc(2) makes.
Case receives_a_message() {
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, 1);
  program.data(own_data + 0x20, own_data + 0x10);
  const auto queue = program.call("msgget", {0, 0600});
  const Argument id = word_at(Program::result(queue));
  fork_linux(program, child);
  program.call("msgrcv", {id, 4, 0, own_data + 0x20});
  program.call("exit", {5});
  program.place(child);
  program.call("msgsnd", {id, 4, 0, own_data});
  program.call("exit", {0});
  return {program, "waits in msgrcv for a message, or a signal"};
}

// A queue takes 16384 bytes.
Case sends_a_message() {
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, 1);
  program.data(own_data + 0x20, own_data + 0x10);
  const auto queue = program.call("msgget", {0, 0600});
  const Argument id = word_at(Program::result(queue));
  for (int i = 0; i < 9; ++i) program.call("msgsnd", {id, 0x700, 0, own_data});
  fork_linux(program, child);
  program.call("msgsnd", {id, 0x700, 0, own_data});
  program.call("exit", {5});
  program.place(child);
  program.call("msgrcv", {id, 0x700, 0, own_data + 0x20});
  program.call("exit", {0});
  return {program, "waits in msgsnd for room in a message queue, or a signal"};
}

constexpr std::uint32_t o_rdonly = 0, o_wronly = 1;

// The FIFO "/tmp/f"; where its name is.
std::uint32_t make_fifo(Program& program) {
  constexpr std::uint32_t s_ififo = 010000;
  program.data(own_data, 0x2f746d70);
  program.data(own_data + 4, 0x2f660000);
  program.call("mknod", {own_data, s_ififo | 0600, 0});
  return own_data;
}

Case opens_a_fifo() {
  Program program = program_for("linux");
  const Label child = program.label();
  const std::uint32_t name = make_fifo(program);
  fork_linux(program, child);
  program.call("open", {name, o_rdonly});
  program.call("exit", {5});
  program.place(child);
  program.call("open", {name, o_wronly});
  program.call("exit", {0});
  return {program, "waits in open for the other end of a FIFO to be opened, or a signal"};
}

// struct sockaddr_un with the name "\0a". MIPS has its own numbers of types.
constexpr std::uint32_t af_unix = 1, sock_dgram = 1, sock_stream = 2, name_bytes = 4;
constexpr std::uint32_t socket_name = 0x0001'0061;

Case connects_to_a_full_backlog() {
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, socket_name);
  for (int i = 0; i < 3; ++i) program.call("socket", {af_unix, sock_stream, 0});
  program.call("bind", {0, own_data, name_bytes});
  program.call("listen", {0, 0});
  program.call("connect", {1, own_data, name_bytes});
  fork_linux(program, child);
  program.call("connect", {2, own_data, name_bytes});
  program.call("exit", {5});
  program.place(child);
  program.call("accept", {0, 0, 0});
  program.call("exit", {0});
  return {program, "waits in connect for another socket to accept a connection, or a signal"};
}

Case sends_a_datagram() {
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, socket_name);
  for (int i = 0; i < 2; ++i) program.call("socket", {af_unix, sock_dgram, 0});
  program.call("bind", {0, own_data, name_bytes});
  const auto send = [&] { program.call("sendto", {1, text_base, 100, 0, own_data, name_bytes}); };
  for (int i = 0; i < 11; ++i) send();
  fork_linux(program, child);
  send();
  program.call("exit", {5});
  program.place(child);
  program.call("recv", {0, own_data + 0x100, 100, 0});
  program.call("exit", {0});
  return {program, "waits in sendto for another socket to have room for 100 bytes, or a signal"};
}

// struct epoll_event {uint32_t events; uint64_t data}, at an address that 8 divides.
Case waits_for_an_epoll() {
  constexpr std::uint32_t epoll = 2, epoll_ctl_add = 1, epollin = 1;
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, epollin);
  program.call("pipe");
  program.call("epoll_create1", {0});
  program.call("epoll_ctl", {epoll, epoll_ctl_add, 0, own_data});
  fork_linux(program, child);
  program.call("epoll_wait", {epoll, own_data + 0x40, 1, 0xffffffff});
  end_with_a_byte(program, child);
  return {program, "waits in epoll_wait for descriptor 2 to be readable, or a signal"};
}

// PIOCWSTOP of IRIX (sys/procfs.h: 'q' << 8 | 3), for a child that ends instead.
Case waits_for_a_stop() {
  constexpr std::uint32_t piocwstop = 'q' << 8 | 3, o_rdwr = 2;
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 0x2f70726f);  // "/proc/00101"
  program.data(own_data + 4, 0x632f3030);
  program.data(own_data + 8, 0x31303100);
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("open", {own_data, o_rdwr});
  program.call("ioctl", {0, piocwstop, 0});
  program.call("exit", {5});
  program.place(child);
  program.call("sginap", {3});
  program.call("exit", {0});
  return {program, "waits in ioctl for a process to stop, or a signal"};
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
  constexpr Case (*cases[])() = {
      reads_from_a_pipe,
      writes_to_a_pipe,
      polls,
      selects_with_a_time_limit,
      locks_a_file,
      suspends_until_a_signal,
      waits_for_a_signal_of_a_set,
      sleeps,
      leaves_the_processor_to_others,
      waits_for_the_end_of_a_vfork,
      waits_to_be_woken,
      waits_for_any_child,
      locks_a_whole_file,
      operates_a_semaphore,
      receives_a_message,
      sends_a_message,
      opens_a_fifo,
      connects_to_a_full_backlog,
      sends_a_datagram,
      waits_for_an_epoll,
      waits_for_a_stop,
  };
  Kinds seen;
  for (const auto& each : cases) {
    const Kinds kinds = expect_wait(each());
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
