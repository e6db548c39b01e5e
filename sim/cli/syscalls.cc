// hardclock syscalls: which calls of a system are there.
#include "sim/base/check.h"
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
  const posix::UnixSystem* const system = find_unix_system(os);
  if (system == nullptr) {
    return complain("unknown os '" + printable(os) + "'; there are: " + unix_system_names());
  }
  return answer(to_text(system->calls, std::string(system->title)));
}

}  // namespace hardclock
