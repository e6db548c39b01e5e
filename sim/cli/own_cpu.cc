#include "sim/cli/own_cpu.h"

#include <cstdint>
#include <utility>

#include "isa/instruction_sets.h"
#include "sim/cli/files.h"

namespace hardclock {
namespace {

constexpr std::uint64_t largest_description = std::uint64_t{1} << 20;

}  // namespace

bool names_own_cpu(std::string_view name) {
  return name.find('/') != std::string_view::npos;
}

Result<std::shared_ptr<const CpuDescription>, UsageError> read_own_cpu(const std::string& path) {
  const auto bytes = read_file(path, largest_description);
  if (!bytes) return Failure{UsageError{bytes.error().message}};
  auto cpu = read_cpu(std::string(bytes->begin(), bytes->end()));
  if (!cpu) {
    return Failure{UsageError{printable_path(path) + ": " + printable(cpu.error()) +
                              "; docs/timing.md, section 4, has the format"}};
  }
  return std::make_shared<const CpuDescription>(*std::move(cpu));
}

}  // namespace hardclock
