// hardclock cpus: the processors and machines, and the evidence for each one's timing.
#include <fmt/format.h>

#include "isa/instruction_sets.h"
#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/commands.h"
#include "sim/cli/own_cpu.h"
#include "sim/cli/usage_error.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

int cpus_command(const std::vector<std::string>& args) {
  const CommandSpec* const self = find_command("cpus");
  CHECK(self != nullptr);
  const auto arguments = parse_arguments(*self, args);
  if (!arguments) return complain(arguments.error().message);
  if (arguments->operands().empty()) {
    std::string text;
    for (const InstructionSet* const set : instruction_sets()) {
      for (const CpuDescription& cpu : set->cpus()) {
        text += fmt::format("{:10} {}\n", cpu.name, cpu.about);
      }
    }
    text += "\nmachines, for run --machine\n";
    for (const InstructionSet* const set : instruction_sets()) {
      for (const MachineDescription& machine : set->machines()) {
        text += fmt::format("{:13} {}\n", machine.name, machine.about);
      }
    }
    return answer(text);
  }
  const std::string& name = arguments->operands()[0];
  if (names_own_cpu(name)) {
    const auto own = read_own_cpu(name);
    return own ? answer(to_text(**own)) : complain(own.error().message);
  }
  if (const CpuDescription* const cpu = find_cpu(name)) return answer(to_text(*cpu));
  if (const MachineDescription* const machine = find_machine(name)) {
    return answer(to_text(*machine));
  }
  return complain("unknown cpu or machine '" + printable(name) + "'; see 'hardclock cpus'");
}

}  // namespace hardclock
