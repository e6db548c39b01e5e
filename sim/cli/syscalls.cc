// hardclock syscalls: which calls of a system are there.
#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/commands.h"
#include "sim/cli/usage_error.h"
#include "syscalls/irix/irix_calls.h"
#include "syscalls/master/listing.h"

namespace hardclock {

int syscalls_command(const std::vector<std::string>& args) {
  const CommandSpec* const self = find_command("syscalls");
  CHECK(self != nullptr);
  const auto arguments = parse_arguments(*self, args);
  if (!arguments) return complain(arguments.error().message);
  const std::string os = arguments->value("os").value_or("irix");
  if (os != "irix") return complain("unknown os '" + printable(os) + "'; there is: irix");
  return answer(to_text(irix::all_calls(), "IRIX"));
}

}  // namespace hardclock
