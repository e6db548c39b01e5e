// hardclock syscalls: which calls of a system are there.
#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/usage_error.h"
#include "isa/instruction_sets.h"
#include "sim/base/lower_case.h"
#include "sim/report/viewers/data_table.h"
#include "syscalls/master/listing.h"
#include "syscalls/systems.h"

namespace hardclock {
namespace {

// A system may have one table for all its machines, or one each.
std::vector<const posix::UnixSystem*> systems_called(const std::string& os) {
  std::vector<const posix::UnixSystem*> systems;
  for (const InstructionSet* const set : instruction_sets()) {
    const posix::UnixSystem* const system = find_unix_system(lower_case(os), set->architecture);
    const bool is_known = !systems.empty() && system != nullptr &&
                          systems.back()->calls.data() == system->calls.data();
    if (system != nullptr && !is_known) systems.push_back(system);
  }
  return systems;
}

report::DataTable table_of(const std::vector<const posix::UnixSystem*>& systems) {
  const report::DataCell nothing;
  report::DataTable table{
      .name = "syscalls",
      .columns = {"system", "number", "request", "state", "name", "prototype", "note"},
      .rows = {}};
  for (const posix::UnixSystem* const system : systems) {
    for (const CallInfo& call : system->calls) {
      table.rows.push_back(
          {std::string(system->title), std::uint64_t{call.number},
           call.subcode ? report::DataCell(std::uint64_t{*call.subcode}) : nothing,
           std::string(state_name(call.state)), std::string(call.name), std::string(call.prototype),
           call.note.empty() ? nothing : report::DataCell(std::string(call.note))});
    }
  }
  return table;
}

}  // namespace

int syscalls_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("syscalls", args);
  if (!arguments) return complain(arguments.error().message);
  const auto format = read_answer_format(*arguments, table_formats);
  if (!format) return complain(format.error().message);
  const std::string os = arguments->value("os").value_or("irix");
  const auto systems = systems_called(os);
  if (systems.empty()) {
    return complain("unknown os '" + printable(os) + "'; there are: " + unix_system_names());
  }
  if (*format != "text") return deliver(*arguments, report::data_text(table_of(systems), *format));
  std::string text;
  for (const posix::UnixSystem* const system : systems) {
    text += (text.empty() ? "" : "\n") + to_text(system->calls, std::string(system->title));
  }
  return deliver_words(*arguments, text);
}

}  // namespace hardclock
