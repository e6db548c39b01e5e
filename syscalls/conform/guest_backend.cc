#include "syscalls/conform/guest_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "syscalls/conform/case_run.h"
#include "syscalls/conform/guest_agent.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/conform/guest_machine.h"
#include "syscalls/conform/guest_place.h"
#include "syscalls/host/temporary_file.h"
#include "syscalls/systems.h"

namespace hardclock::conform {
namespace {

bool is_exec(const Event& event) {
  const auto* const exec = std::get_if<ExecEvent>(&event.what);
  return exec != nullptr && exec->ok;
}

Observation cannot(std::string why) {
  Observation observation;
  observation.error = std::move(why);
  return observation;
}

// The case with everything at the address that its pointer stands for; what its calls pass stays.
Case placed(Case of, const posix::SyscallAbi& abi) {
  const auto place = [&](GuestAddr& pointer) { pointer = abi.pointer(pointer.value()); };
  for (MemoryObject& object : of.memory) place(object.address);
  for (Event& event : of.events) {
    if (auto* const tick = std::get_if<TickEvent>(&event.what)) place(tick->pc);
    if (auto* const run = std::get_if<RunEvent>(&event.what)) place(run->pc);
    if (auto* const memory = std::get_if<MemoryEvent>(&event.what)) place(memory->address);
    if (auto* const poke = std::get_if<PokeEvent>(&event.what)) place(poke->address);
  }
  return of;
}

bool is_signal(const Event& event) {
  return std::holds_alternative<SignalEvent>(event.what);
}

// No kernel of hardclock's has what a library's profil() needs: signals and timers of the guest's
// own would have to carry it, and the library itself would be the guest.
Observation skip(const profil::SystemRules& library) {
  Observation observation;
  observation.skipped = fmt::format(
      "{} is no kernel: its profil() is a library's; --emit-c makes a program for a real one",
      library.name);
  return observation;
}

}  // namespace

Observation GuestBackend::run(const Case& written) {
  if (written.variant->system->library != nullptr) return skip(*written.variant->system);
  const GuestCode& code = guest_code_of(*written.variant);
  if (code.kind.architecture != Architecture::mips &&
      std::ranges::any_of(written.events, is_signal)) {
    Observation observation;
    observation.skipped = "HP-UX starts a handler by its function descriptor, which no case has";
    return observation;
  }
  const Case of = placed(written, *code.abi);
  const posix::UnixSystem* const system =
      find_unix_system(of.variant->system->name, code.kind.architecture);
  const posix::Port* const port = system == nullptr ? nullptr : port_of(*system, code);
  if (port == nullptr) return cannot("no guest can run under this system");
  const auto agent = place_agent(of, *port, code);
  if (!agent) return cannot("the case leaves the guest's own program no room");
  MachineOptions options;
  options.system = system;
  options.code = &code;
  options.agent = *agent;
  options.make_cpu = make_cpu_;
  if (std::ranges::any_of(of.events, is_exec)) {
    auto directory = host::temporary_directory();
    if (!directory) return cannot("guest: " + directory.error());
    options.exec_directory = *std::move(directory);
  }
  auto machine = GuestMachine::create(options);
  if (!machine) return cannot(machine.error());
  return CaseRun(of, **machine, *agent).perform();
}

}  // namespace hardclock::conform
