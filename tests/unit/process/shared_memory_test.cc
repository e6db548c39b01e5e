// Processes that share one address space: IRIX sproc(2) with PR_SADDR, and vfork(2), whose child
// runs in the parent's memory until it execs or exits.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/process/simulation.h"
#include "tests/unit/process/fake_machine.h"

namespace hardclock {
namespace {

using fake::add_process;
using fake::cpu_of;
using fake::FakeOs;
using fake::Script;
using fake::ScriptedCpu;
using Names = std::vector<std::string>;

constexpr GuestAddr shared_word{0x1000};
constexpr Permissions rw{.read = true, .write = true};

void put(Process& process, std::uint32_t value) {
  ASSERT_TRUE(process.memory->write<std::uint32_t>(shared_word, value));
}
std::uint32_t get(Process& process) {
  const auto word = process.memory->read<std::uint32_t>(shared_word);
  EXPECT_TRUE(word.ok());
  return word.ok() ? *word : 0;
}

// The pages that the machine has in use.
std::uint64_t pages_in_use(const Simulation& simulation) {
  const MemoryBudget& budget = *simulation.budget();
  return (budget.limit_bytes() - budget.free_bytes()) / page_size;
}

void exit_zero(Simulation& simulation, Thread& thread) {
  simulation.exit(thread.process, ExitStatus{});
}

Process& add_child(Simulation& simulation, Process& parent, const Script& script) {
  Process& child = simulation.create_process(parent.pid, *parent.os);
  child.memory = parent.memory;
  simulation.add_thread(child, std::make_unique<ScriptedCpu>(script));
  return child;
}

Process& add_mapped(Simulation& simulation, FakeOs& os, const Script& script) {
  Process& process = add_process(simulation, os, {script});
  EXPECT_TRUE(process.memory->map(shared_word, page_size, rw, "data"));
  return process;
}

// ---- sproc.

// sproc(2), PR_SADDR: what one member of the share group stores, all see; it stays when one ends.
TEST(ShareGroup, MemoryIsOneAndOutlivesWhoeverEndsFirst) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    put(thread.process, get(thread.process) + 1);
    simulation.exit(thread.process, ExitStatus{false, get(thread.process)});
  });
  Simulation simulation(fake::options());
  Process& first = add_mapped(simulation, os, {300});
  add_child(simulation, first, {100});
  add_child(simulation, first, {200});
  std::weak_ptr<AddressSpace> memory = first.memory.object();
  EXPECT_EQ(simulation.run().status.code, 1u) << "each has run in one time slice, in turn";
  EXPECT_EQ(simulation.finished_programs().at(1)->exit_status->code, 2u);
  EXPECT_EQ(simulation.finished_programs().at(2)->exit_status->code, 3u);
  EXPECT_TRUE(memory.expired());
  EXPECT_EQ(pages_in_use(simulation), 0u);
}

TEST(ShareGroup, AnExecLeavesTheMemoryToTheOthers) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    Process& process = thread.process;
    if (process.pid != 101) {
      EXPECT_EQ(get(process), 7u);
      exit_zero(simulation, thread);
    } else if (process.program.empty()) {
      put(process, 7);
      process.program = "new";
      simulation.replace_program(process, fake::make_memory(simulation),
                                 std::make_unique<ScriptedCpu>(Script{5}));
    } else {
      EXPECT_EQ(process.memory->region_at(shared_word), nullptr);
      exit_zero(simulation, thread);
    }
  });
  Simulation simulation(fake::options());
  Process& first = add_mapped(simulation, os, {12 * fake::tick_cycles});
  add_child(simulation, first, {100});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
}

TEST(ShareGroup, AForkCopiesWhatIsShared) {
  FakeOs os(exit_zero);
  Simulation simulation(fake::options());
  Process& first = add_mapped(simulation, os, {10});
  Process& member = add_child(simulation, first, {10});
  put(first, 1);
  Process& forked = simulation.create_process(member.pid, os);
  forked.memory = member.memory->fork();
  simulation.add_thread(forked, std::make_unique<ScriptedCpu>(Script{10}));
  put(first, 2);
  EXPECT_EQ(get(member), 2u);
  EXPECT_EQ(get(forked), 1u);
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
}

// A kernel frees the memory at the exit, not when the parent waits.
TEST(ShareGroup, AZombieHasNoMemory) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (thread.process.pid == 101) return exit_zero(simulation, thread);
    Process* const child = simulation.find(101);
    ASSERT_NE(child, nullptr);
    EXPECT_TRUE(child->exit_status);
    EXPECT_EQ(child->memory, nullptr);
    EXPECT_EQ(pages_in_use(simulation), 0u);
    exit_zero(simulation, thread);
  });
  Simulation simulation(fake::options());
  Process& parent = add_process(simulation, os, {{12 * fake::tick_cycles}});
  Process& child = simulation.create_process(parent.pid, os);
  child.memory = fake::make_memory(simulation);
  ASSERT_TRUE(child.memory->map(shared_word, page_size, rw, "data"));
  simulation.add_thread(child, std::make_unique<ScriptedCpu>(Script{10}));
  put(child, 1);
  EXPECT_EQ(pages_in_use(simulation), 1u);
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
}

// ---- vfork. vfork(2), 4.3BSD: "The parent process is suspended while the child is using its
// resources"; it gets them back by an execve(2) or an exit.

// Process 100 vforks a child that stores 7 into the common memory and then does `child_ends`.
class Vfork : public testing::Test {
 protected:
  void run(const FakeOs::OnCall& child_ends) {
    os = std::make_unique<FakeOs>([this, child_ends](Simulation& simulation, Thread& thread) {
      Process& process = thread.process;
      os->note(thread, "call");
      if (process.pid != 100) {
        if (process.program.empty()) put(process, 7);
        child_ends(simulation, thread);
      } else if (simulation.find(101) == nullptr && !forked) {
        forked = true;
        Process& child = add_child(simulation, process, {12 * fake::tick_cycles, 10, 10});
        thread.cpu->complete_system_call();
        simulation.wait_for_vfork(thread, child);
        EXPECT_EQ(child.vfork_parent, 100);
      } else {
        after = get(process);
        exit_zero(simulation, thread);
      }
    });
    simulation.on_poll([this] { return before_each_run ? before_each_run() : true; });
    add_mapped(simulation, *os, {5, 15});
    outcome = simulation.run();
  }

  Simulation simulation{fake::options()};
  std::unique_ptr<FakeOs> os;
  std::function<bool()> before_each_run;
  bool forked = false;
  std::uint32_t after = 0;
  SimulationEnd outcome;
};

TEST_F(Vfork, TheParentSleepsUntilTheChildExitsAndSeesWhatItStored) {
  run(exit_zero);
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(after, 7u);
  EXPECT_EQ(os->noted("call"), (Names{"100.1 call", "101.1 call", "100.1 call"}));
}

TEST_F(Vfork, TheCallIsNotMadeAgain) {
  run(exit_zero);
  // 5 instructions and the call, 15 and the next one: the parent went on behind its vfork.
  EXPECT_EQ(simulation.finished_programs().at(1)->counts.instructions, Instructions(20));
}

TEST_F(Vfork, AnExecGivesTheMemoryBack) {
  std::size_t calls_of_parent = 0;
  run([&](Simulation& s, Thread& thread) {
    Process& process = thread.process;
    if (!process.program.empty()) {
      calls_of_parent = os->noted("100.1 call").size();
      return exit_zero(s, thread);
    }
    process.program = "new";
    Thread& fresh = s.replace_program(thread, fake::make_memory(s),
                                      std::make_unique<ScriptedCpu>(Script{1000}));
    EXPECT_EQ(fresh.process.vfork_parent, 0);
  });
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(after, 7u);
  EXPECT_EQ(calls_of_parent, 2u) << "the parent ran on beside the new program";
}

// 4.3BSD sleeps at PZERO - 1: signals wait until the child is done.
TEST_F(Vfork, NoSignalEndsTheParentsSleep) {
  before_each_run = [&] {
    Process* const parent = simulation.find(100);
    if (forked && parent != nullptr && parent->main_thread().waiting()) {
      simulation.post_signal(*parent, 3);
    }
    return true;
  };
  run(exit_zero);
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  ASSERT_EQ(os->noted("signal"), (Names{"100.1 signal 3"}));
  const auto& log = os->log;
  const auto place = [&](const std::string& entry) {
    return std::find(log.begin(), log.end(), entry) - log.begin();
  };
  EXPECT_LT(place("101.1 call"), place("100.1 signal 3"));
}

TEST_F(Vfork, AKilledParentLeavesTheMemoryToTheChild) {
  run([&](Simulation& s, Thread& thread) {
    if (Process* const parent = s.find(100)) {
      s.exit(*parent, ExitStatus{true, 9});
      thread.cpu->complete_system_call();
      return;
    }
    EXPECT_EQ(get(thread.process), 7u);
    exit_zero(s, thread);
  });
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_TRUE(outcome.status.by_signal);
  EXPECT_EQ(os->noted("101.1 call").size(), 2u);
}

}  // namespace
}  // namespace hardclock
