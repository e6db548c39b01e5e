// hardclock completion: what a shell needs to complete hardclock's command line.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/completion_script.h"
#include "cli/usage_error.h"
#include "isa/instruction_sets.h"
#include "sim/timing/cpu_description.h"
#include "syscalls/profil/system.h"
#include "syscalls/systems.h"

namespace hardclock {
namespace {

CompletionNames known_names() {
  CompletionNames names;
  for (const InstructionSet* const set : instruction_sets()) {
    for (const CpuDescription& cpu : set->cpus()) names.processors.push_back(cpu.name);
    for (const MachineDescription& machine : set->machines()) {
      names.machines.push_back(machine.name);
    }
    for (const posix::UnixSystem* const system : unix_systems(set->architecture)) {
      const bool is_new = std::ranges::find(names.systems, system->name) == names.systems.end();
      if (is_new) names.systems.push_back(system->name);
    }
  }
  for (const profil::SystemRules* const rules : profil::systems_and_libraries()) {
    names.rules.push_back(rules->name);
  }
  return names;
}

}  // namespace

int completion_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("completion", args);
  if (!arguments) return complain(arguments.error().message);
  const std::string& shell = arguments->operands().front();
  if (shell == "bash") return answer(bash_completion(known_names()));
  if (shell == "zsh") return answer(zsh_completion(known_names()));
  return complain("no completion for the shell '" + printable(shell) + "'; there are: bash, zsh");
}

}  // namespace hardclock
