// hardclock cpus: the processors and machines, and the evidence for each one's timing.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/own_descriptions.h"
#include "cli/usage_error.h"
#include "isa/instruction_sets.h"
#include "sim/report/viewers/data_table.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/description_file.h"

namespace hardclock {
namespace {

using report::DataTable;

constexpr AnswerFormat description_formats[] = {{"text", ".txt"},
                                                {"json", ".json"},
                                                {"csv", ".csv"},
                                                {"file", ".machine"},
                                                {"file", ".timing"}};

std::string list_text() {
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
  return text;
}

DataTable list_table() {
  DataTable table{
      .name = "cpus", .columns = {"kind", "name", "processor", "hz", "about"}, .rows = {}};
  for (const InstructionSet* const set : instruction_sets()) {
    for (const CpuDescription& cpu : set->cpus()) {
      table.rows.push_back({"processor", cpu.name, cpu.name, cpu.clock.value(), cpu.about});
    }
  }
  for (const InstructionSet* const set : instruction_sets()) {
    for (const MachineDescription& machine : set->machines()) {
      table.rows.push_back(
          {"machine", machine.name, machine.processor, machine.clock.value(), machine.about});
    }
  }
  return table;
}

// The rows of a description, each with its evidence.
DataTable rows_table(const std::vector<TimingRow>& rows) {
  DataTable table{
      .name = "cpu", .columns = {"row", "name", "values", "grade", "source"}, .rows = {}};
  for (const TimingRow& row : rows) {
    std::string values;
    for (const auto& [key, value] : row.values) {
      values += (values.empty() ? "" : " ") + key + (value.empty() ? "" : " " + value);
    }
    table.rows.push_back({row.keyword, row.name, values, row.grade, row.source});
  }
  return table;
}

template <class Description>
int deliver_description(const Arguments& arguments, std::string_view format,
                        const Description& description) {
  if (format == "text") return deliver_words(arguments, to_text(description));
  if (format == "file") return deliver(arguments, to_file(description));
  return deliver(arguments, report::data_text(rows_table(description.rows), format));
}

int deliver_own(const Arguments& arguments, std::string_view format, const std::string& path) {
  if (describes_machine(path)) {
    const auto own = read_own_machine(path);
    return own ? deliver_description(arguments, format, **own) : complain(own.error().message);
  }
  const auto own = read_own_cpu(path);
  return own ? deliver_description(arguments, format, **own) : complain(own.error().message);
}

}  // namespace

int cpus_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("cpus", args);
  if (!arguments) return complain(arguments.error().message);
  const bool lists = arguments->operands().empty();
  const auto format = lists ? read_answer_format(*arguments, table_formats)
                            : read_answer_format(*arguments, description_formats);
  if (!format) return complain(format.error().message);
  if (lists) {
    return *format == "text" ? deliver_words(*arguments, list_text())
                             : deliver(*arguments, report::data_text(list_table(), *format));
  }
  const std::string& name = arguments->operands()[0];
  if (names_own_file(name)) return deliver_own(*arguments, *format, name);
  if (const CpuDescription* const cpu = find_cpu(name)) {
    return deliver_description(*arguments, *format, *cpu);
  }
  if (const MachineDescription* const machine = find_machine(name)) {
    return deliver_description(*arguments, *format, *machine);
  }
  return complain("unknown cpu or machine '" + printable(name) + "'; see 'hardclock cpus'");
}

}  // namespace hardclock
