#include "cli/own_descriptions.h"

#include <cstdint>
#include <sstream>
#include <utility>

#include "cli/files.h"
#include "isa/instruction_sets.h"
#include "sim/process/kernel_costs.h"
#include "sim/timing/memory_description.h"
#include "sim/timing/tick_source.h"

namespace hardclock {
namespace {

constexpr std::uint64_t largest_description = std::uint64_t{1} << 20;

Result<std::string, UsageError> read_text(const std::string& path) {
  const auto bytes = read_file(path, largest_description);
  if (!bytes) return Failure{UsageError{bytes.error().message}};
  return std::string(bytes->begin(), bytes->end());
}

Failure<UsageError> wrong(const std::string& path, std::string_view what) {
  constexpr std::string_view of_machine_rows = "machine, ";
  if (what.starts_with(of_machine_rows)) what.remove_prefix(of_machine_rows.size());
  return Failure{UsageError{printable_path(path) + ": " + printable(what) +
                            "; docs/timing.md, section 4, has the format"}};
}

// Empty: nothing. Whoever uses the machine reads these rows again.
std::string mistake_in(const MachineDescription& machine) {
  const CpuDescription* const cpu = find_cpu(machine.processor);
  if (cpu == nullptr) return "unknown processor '" + machine.processor + "'; see 'hardclock cpus'";
  if (const auto read = kernel_costs(machine.rows, machine.clock); !read) return read.error();
  if (const auto read = tick_counter(*cpu, machine.rows, machine.clock); !read) return read.error();
  const auto read = describe_memory(*cpu, machine.rows, machine.clock);
  return read ? "" : read.error();
}

}  // namespace

bool names_own_file(std::string_view name) {
  return name.find('/') != std::string_view::npos;
}

bool describes_machine(const std::string& path) {
  if (path.ends_with(".machine")) return true;
  const auto text = read_text(path);
  if (!text) return false;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string keyword;
    if (words >> keyword && keyword == "processor") return true;
  }
  return false;
}

Result<std::shared_ptr<const CpuDescription>, UsageError> read_own_cpu(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return Failure{text.error()};
  auto cpu = read_cpu(*text);
  if (!cpu) return wrong(path, cpu.error());
  return std::make_shared<const CpuDescription>(*std::move(cpu));
}

Result<std::shared_ptr<const MachineDescription>, UsageError> read_own_machine(
    const std::string& path) {
  const auto text = read_text(path);
  if (!text) return Failure{text.error()};
  auto machine = parse_machine_description(*text);
  if (!machine) return wrong(path, machine.error());
  if (const std::string mistake = mistake_in(*machine); !mistake.empty())
    return wrong(path, mistake);
  return std::make_shared<const MachineDescription>(*std::move(machine));
}

}  // namespace hardclock
