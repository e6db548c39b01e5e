// What of a simulation counts as state: whatever a guest could see of it, or what comes to be by
// it, changes the digest, in the part where it belongs.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sim/state/digest.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/state.h"
#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

// A process that waits for its child, which sleeps.
Program two_processes() {
  Program program = program_for("linux");
  const Label child = program.label();
  program.data(own_data, 1000);               // struct timespec
  program.data(own_data + 0x40, 0x2f646174);  // "/data"
  program.data(own_data + 0x44, 0x61000000);
  for (int i = 0; i < 2; ++i) program.call("open", {own_data + 0x40, 0});
  program.call("pipe");  // descriptors 2 and 3
  const auto fork = program.call("fork");
  program.jump_if_zero(Program::result(fork), child);
  program.call("wait4", {0xffffffff, 0, 0, 0});
  program.call("exit", {0});
  program.place(child);
  program.call("nanosleep", {own_data, 0});
  program.call("exit", {0});
  return program;
}

// Runs it until the child sleeps.
void run_until_it_sleeps(Guest& guest) {
  guest.simulation.stop_at(Cycles(100'000));
  guest.run();
  guest.simulation.stop_at(std::nullopt);
  ASSERT_EQ(guest.simulation.processes().size(), 2U);
}

Descriptors& files_of(Process& process) {
  return *thread_state_of(process.main_thread()).descriptors;
}

struct Change {
  const char* what;
  StatePart part;
  std::function<void(Simulation&, Process&)> make;
};

const Change changes[] = {
    {"a byte of memory", StatePart::memory,
     [](Simulation&, Process& process) {
       (void)process.memory->write<std::uint8_t>(GuestAddr(own_data + 100), 1);
     }},
    {"what may be done to memory", StatePart::memory,
     [](Simulation&, Process& process) {
       (void)process.memory->protect(GuestAddr(data_base), page_size, Permissions{.read = true});
     }},
    {"where the program is", StatePart::processors,
     [](Simulation&, Process& process) { process.main_thread().cpu->complete_system_call(); }},
    {"the time", StatePart::kernel,
     [](Simulation& simulation, Process&) { ++simulation.clock().now(); }},
    {"a pending signal", StatePart::kernel,
     [](Simulation&, Process& process) { process.signals.pending.set(3); }},
    {"a handler", StatePart::kernel,
     [](Simulation&, Process& process) {
       process.signals.action(5).kind = SignalAction::Kind::handler;
     }},
    {"a signal mask", StatePart::kernel,
     [](Simulation&, Process& process) { process.main_thread().blocked_signals.set(7); }},
    {"a wait's end", StatePart::kernel,
     [](Simulation&, Process& process) { process.main_thread().wait->until = Ticks(7); }},
    {"an interval timer", StatePart::kernel,
     [](Simulation&, Process& process) { process.timer(TimerKind::prof).value = 1; }},
    {"time charged", StatePart::kernel,
     [](Simulation&, Process& process) { process.main_thread().time.system += Ticks(1); }},
    {"a process group", StatePart::kernel,
     [](Simulation&, Process& process) { process.group = 1; }},
    {"a tracer", StatePart::kernel,
     [](Simulation&, Process& process) { process.main_thread().tracer.pid = 1; }},
    {"an open file's flags", StatePart::kernel,
     [](Simulation&, Process& process) { files_of(process).get(0)->status_flags = 0x80; }},
    {"which files are open", StatePart::kernel,
     [](Simulation&, Process& process) { files_of(process).close(1); }},
    {"a file's position", StatePart::kernel,
     [](Simulation&, Process& process) {
       EXPECT_TRUE(files_of(process).get(0)->seek(3, host::Whence::set));
     }},
    {"a byte in a pipe", StatePart::kernel,
     [](Simulation&, Process& process) {
       const std::uint8_t byte = 7;
       EXPECT_TRUE(files_of(process).get(3)->write(std::span(&byte, 1)));
     }},
    {"a record lock", StatePart::kernel,
     [](Simulation&, Process& process) {
       const Descriptors& descriptors = files_of(process);
       descriptors.locks()->set(descriptors.get(0)->identity(), {.owner = 1, .end = 5});
     }},
    {"what an exec would close", StatePart::kernel,
     [](Simulation&, Process& process) { files_of(process).set_close_on_exec(1, true); }},
    {"a limit", StatePart::kernel,
     [](Simulation&, Process& process) {
       set_limit(process, rlimit_cpu, {5, 5});
     }},
    {"a working directory's umask", StatePart::kernel,
     [](Simulation&, Process& process) {
       thread_state_of(process.main_thread()).paths->umask = 077;
     }},
    {"a user", StatePart::kernel,
     [](Simulation&, Process& process) { state_of(process).credentials.user.effective = 0; }},
    {"the heap's end", StatePart::kernel,
     [](Simulation&, Process& process) { state_of(process).heap->end = GuestAddr(heap_base + 1); }},
    {"profiling", StatePart::kernel,
     [](Simulation&, Process& process) {
       state_of(process).profiling.kind = profil::State::Kind::profil;
     }},
    {"a tick that is owed", StatePart::kernel,
     [](Simulation&, Process& process) { thread_state_of(process.main_thread()).owed = Ticks(1); }},
    {"an alternate stack", StatePart::kernel,
     [](Simulation&, Process& process) {
       thread_state_of(process.main_thread()).alternate_stack.enabled = true;
     }},
    {"a timer", StatePart::kernel,
     [](Simulation&, Process& process) { state_of(process).timers.add()->signal = 14; }},
};

TEST(StateDigests, DifferByWhatMatters) {
  Guest original(two_processes());
  run_until_it_sleeps(original);
  const StateDigest before = digest_of(original.simulation);
  EXPECT_EQ(digest_of(original.simulation), before) << "a look changes nothing";
  for (const Change& change : changes) {
    SCOPED_TRACE(change.what);
    for (const std::size_t which : {0, 1}) {
      Guest guest(two_processes());
      run_until_it_sleeps(guest);
      EXPECT_EQ(digest_of(guest.simulation), before);
      Process& process = *guest.simulation.processes().at(which);
      (void)thread_state_of(process.main_thread());
      const StateDigest unchanged = digest_of(guest.simulation);
      change.make(guest.simulation, process);
      const StateDigest after = digest_of(guest.simulation);
      for (std::size_t part = 0; part < state_parts; ++part) {
        const bool is_expected = part == static_cast<std::size_t>(change.part);
        EXPECT_EQ(after.parts[part] != unchanged.parts[part], is_expected) << "part " << part;
      }
      EXPECT_NE(after.whole, unchanged.whole);
    }
  }
}

// A debugger that waits for a stop hears of the end, too (proc(4), PIOCWSTOP).
TEST(StateDigests, KnowWhetherAControlledProcessHasEnded) {
  Guest guest(two_processes());
  run_until_it_sleeps(guest);
  Process& process = *guest.simulation.processes().front();
  const auto control = state_of(process).control.shared(process, 4000);
  const StateDigest before = digest_of(*control);
  state_of(process).control.end();
  EXPECT_NE(digest_of(*control), before);
}

// O_RDONLY and O_WRONLY: fcntl(F_GETFL) tells them apart, and so does the kernel's part alone.
TEST(StateDigests, KnowWhatAnOpenFileAllows) {
  const auto kernel_part = [](std::uint32_t mode) {
    Program program = program_for("linux");
    program.data(own_data, 0x2f646174);  // "/data"
    program.data(own_data + 4, 0x61000000);
    program.call("open", {own_data, mode});
    program.data(own_data + 0x40, 1000);  // struct timespec
    program.call("nanosleep", {own_data + 0x40, 0});
    program.call("exit", {0});
    Guest guest(program);
    guest.simulation.stop_at(Cycles(100'000));
    guest.run();
    return digest_of(guest.simulation).parts[static_cast<std::size_t>(StatePart::kernel)];
  };
  EXPECT_EQ(kernel_part(0), kernel_part(0));
  EXPECT_NE(kernel_part(0), kernel_part(1));
}

}  // namespace
}  // namespace hardclock::posix::testing
