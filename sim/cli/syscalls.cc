// hardclock syscalls: which calls of a system are there.
#include "isa/instruction_sets.h"
#include "sim/base/check.h"
#include "sim/base/lower_case.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/commands.h"
#include "sim/cli/usage_error.h"
#include "syscalls/master/listing.h"
#include "syscalls/systems.h"

namespace hardclock {

int syscalls_command(const std::vector<std::string>& args) {
  const CommandSpec* const self = find_command("syscalls");
  CHECK(self != nullptr);
  const auto arguments = parse_arguments(*self, args);
  if (!arguments) return complain(arguments.error().message);
  const std::string os = arguments->value("os").value_or("irix");
  std::string text;
  const CallInfo* last = nullptr;
  for (const InstructionSet* const set : instruction_sets()) {
    const posix::UnixSystem* const system = find_unix_system(lower_case(os), set->architecture);
    // A system may have one table for all its machines.
    if (system == nullptr || system->calls.data() == last) continue;
    last = system->calls.data();
    text += (text.empty() ? "" : "\n") + to_text(system->calls, std::string(system->title));
  }
  if (text.empty()) {
    return complain("unknown os '" + printable(os) + "'; there are: " + unix_system_names());
  }
  return answer(text);
}

}  // namespace hardclock
