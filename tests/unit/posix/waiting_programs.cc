#include "tests/unit/posix/waiting_programs.h"

namespace hardclock::posix::testing {

void fork_linux(Program& program, Label child) {
  const auto fork = program.call("fork");
  program.jump_if_zero(Program::result(fork), child);
}

std::uint32_t make_fifo(Program& program) {
  constexpr std::uint32_t s_ififo = 010000;
  program.data(own_data, 0x2f746d70);
  program.data(own_data + 4, 0x2f660000);
  program.call("mknod", {own_data, s_ififo | 0600, 0});
  return own_data;
}

namespace {

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

WaitingProgram reads_from_a_pipe() {
  Program program = program_for("irix");
  const Label child = program.label();
  fork_with_pipe(program, child);
  program.call("read", {0, own_data, 4});
  end_with_a_byte(program, child);
  return {program, "waits in read for descriptor 0 to be readable, or a signal"};
}

// 12288 bytes do not fit into a pipe of 10240.
WaitingProgram writes_to_a_pipe() {
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

WaitingProgram polls() {
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 0);
  program.data(own_data + 4, 0x0001'0000);  // POLLIN
  fork_with_pipe(program, child);
  program.call("poll", {own_data, 1, 0xffffffff});
  end_with_a_byte(program, child);
  return {program, "waits in poll for descriptor 0 to be readable or be hung up, or a signal"};
}

WaitingProgram selects_with_a_time_limit() {
  Program program = program_for("irix");
  const Label child = program.label();
  program.data(own_data, 1);      // descriptor 0
  program.data(own_data + 8, 1);  // struct timeval: 1 s
  fork_with_pipe(program, child);
  program.call("select", {2, own_data, 0, 0, own_data + 8});
  end_with_a_byte(program, child);
  return {program, "waits in select for descriptor 0 to be readable, or tick 101, or a signal"};
}

WaitingProgram locks_a_file() {
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

WaitingProgram suspends_until_a_signal() {
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

WaitingProgram waits_for_a_signal_of_a_set() {
  Program program = program_for("irix");
  program.data(own_data, 1U << (16 - 1) | 1U << (17 - 1));
  program.data(own_data + 0x20, 1);  // struct timespec: 1 s
  program.call("sigpoll", {own_data, 0, own_data + 0x20});
  program.call("exit", {5});
  return {program, "waits in sigpoll for a signal of {16, 17}, or tick 101, or a signal"};
}

WaitingProgram sleeps() {
  Program program = program_for("irix");
  program.data(own_data, 1);  // struct timespec: 1 s
  program.call("nanosleep", {own_data, own_data + 8});
  program.call("exit", {5});
  return {program, "waits in nanosleep for tick 101, or a signal"};
}

WaitingProgram leaves_the_processor_to_others() {
  Program program = program_for("irix");
  program.call("sginap", {0});
  program.call("exit", {5});
  return {program, "waits in sginap for the other threads' turn, or a signal"};
}

// No signal ends it.
WaitingProgram waits_for_the_end_of_a_vfork() {
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

WaitingProgram waits_to_be_woken() {
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

WaitingProgram waits_for_any_child() {
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

// Two openings of a file, one of which has the lock until the child gives it up.
WaitingProgram locks_a_whole_file() {
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
WaitingProgram operates_a_semaphore() {
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
WaitingProgram receives_a_message() {
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
WaitingProgram sends_a_message() {
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

WaitingProgram opens_a_fifo() {
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

WaitingProgram connects_to_a_full_backlog() {
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

WaitingProgram sends_a_datagram() {
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
WaitingProgram waits_for_an_epoll() {
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
WaitingProgram waits_for_a_stop() {
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

}  // namespace

std::vector<WaitingProgram> waiting_programs() {
  constexpr WaitingProgram (*all[])() = {
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
  std::vector<WaitingProgram> programs;
  for (const auto& each : all) programs.push_back(each());
  return programs;
}

}  // namespace hardclock::posix::testing
