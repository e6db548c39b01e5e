// The registry of systems that guests run under, and that it agrees with the profiling rules'.
#include "syscalls/systems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

namespace hardclock {
namespace {

constexpr Architecture machines[] = {Architecture::mips, Architecture::pa_risc, Architecture::ia64};

std::vector<const posix::UnixSystem*> every_system() {
  std::vector<const posix::UnixSystem*> all;
  for (const Architecture architecture : machines) {
    for (const posix::UnixSystem* const system : unix_systems(architecture)) all.push_back(system);
  }
  return all;
}

std::set<std::string_view> every_name() {
  std::set<std::string_view> all;
  for (const posix::UnixSystem* const system : every_system()) all.insert(system->name);
  return all;
}

std::vector<std::string_view> names(const auto& systems) {
  std::vector<std::string_view> found;
  for (const auto* const system : systems) found.push_back(system->name);
  return found;
}

// `--os NAME` and `hardclock systems NAME` are one list, but for Linux, which has no profil(2).
TEST(UnixSystems, AreThoseWithProfilingRulesAndLinux) {
  auto expected = names(profil::systems());
  expected.push_back("linux");
  EXPECT_THAT(every_name(), ::testing::UnorderedElementsAreArray(expected));
  for (const std::string_view name : expected) EXPECT_TRUE(is_unix_system(name)) << name;
  EXPECT_FALSE(is_unix_system("v6"));
  for (const Architecture architecture : machines) {
    for (const posix::UnixSystem* const system : unix_systems(architecture)) {
      EXPECT_EQ(system->profiling->name, system->name);
      EXPECT_EQ(find_unix_system(system->name, architecture), system);
    }
    EXPECT_EQ(find_unix_system("v6", architecture), nullptr);
  }
}

// HP-UX never was on a MIPS; of IA-64's systems there is only Linux yet.
TEST(UnixSystems, AreOfTheirMachines) {
  EXPECT_EQ(find_unix_system("hpux", Architecture::mips), nullptr);
  EXPECT_NE(find_unix_system("hpux", Architecture::pa_risc), nullptr);
  EXPECT_EQ(find_unix_system("irix", Architecture::pa_risc), nullptr);
  EXPECT_THAT(names(unix_systems(Architecture::ia64)), ::testing::ElementsAre("hpux", "linux"));
}

// A table's done and partial calls have a handler, its missing ones have none, and a system has the
// profiling calls exactly if it has their rules: the handlers rely on them.
TEST(UnixSystems, TablesAndHandlersAgree) {
  for (const posix::UnixSystem* const system : every_system()) {
    bool has_sprofil = false;
    bool has_pcsample = false;
    for (const CallInfo& call : system->calls) {
      SCOPED_TRACE(call.prototype);
      // The kernel itself takes the indirect call apart.
      if (call.is_multiplexed() || call.number == system->indirect_call) continue;
      const bool answers = system->handler(call.number, call.subcode) != nullptr;
      EXPECT_EQ(answers, call.state != CallState::missing) << system->name;
      EXPECT_LE(call.slot_count, posix::max_arguments);
      has_sprofil |= answers && call.name == "sprofil";
      has_pcsample |= answers && call.name == "pcsample";
    }
    EXPECT_EQ(has_sprofil, system->profiling->sprofil != nullptr) << system->name;
    EXPECT_EQ(has_pcsample, system->profiling->pcsample != nullptr) << system->name;
  }
}

// Signals fit the kernel's sets, and the stack and what lies behind it the address space.
TEST(UnixSystems, NumbersFit) {
  for (const posix::UnixSystem* const system : every_system()) {
    SCOPED_TRACE(system->name);
    const posix::SignalTable& signals = system->signals;
    EXPECT_LE(signals.last, max_signals);
    EXPECT_LE(signals.names.size(), signals.last + 1);
    for (const unsigned signal :
         {signals.stop, signals.child, signals.virtual_alarm, signals.profiling_alarm}) {
      EXPECT_LE(signal, signals.last);
    }
    const posix::SigactionLayout& action = system->sigaction;
    EXPECT_LE(action.mask + action.mask_words, std::max(action.words, action.mask_words));
    EXPECT_FALSE(system->ports.empty());
    for (const posix::Port& port : system->ports) {
      const posix::Layout& layout = port.layout;
      EXPECT_LE(layout.stack_top, layout.user_end);
      EXPECT_LE(layout.initial_stack, layout.stack_limit);
      EXPECT_LT(layout.argument_bytes, layout.stack_limit);
    }
  }
}

}  // namespace
}  // namespace hardclock
