// hardclock report: where a profile's ticks fell, function by function.
#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/load/load.h"
#include "sim/report/flat.h"
#include "sim/report/profile.h"

namespace hardclock {
namespace {

// `order`: of the profiled program.
Result<report::Profile, UsageError> load_profile(const std::string& path, Endian order) {
  const auto bytes = read_file(path);
  if (!bytes) return Failure{UsageError{bytes.error().message}};
  auto profile = report::read_profile(*bytes, order);
  if (!profile) return Failure{UsageError{printable(path) + ": " + profile.error()}};
  return std::move(profile).value();
}

bool has_cycles(const report::Profile& profile) {
  return std::ranges::any_of(profile.processes, [](const report::ProcessProfile& process) {
    return !process.cycles.empty();
  });
}

// The profile of --exact, or nullopt without that option.
Result<std::optional<report::Profile>, UsageError> load_exact(const Arguments& arguments,
                                                              Endian order) {
  using Exact = std::optional<report::Profile>;
  const auto path = arguments.value("exact");
  if (!path) return Exact();
  auto exact = load_profile(*path, order);
  if (!exact) return Failure{exact.error()};
  if (has_cycles(*exact)) return Exact(std::move(exact).value());
  return Failure{UsageError{printable(*path) +
                            ": no exact cycles in it; name a file that 'hardclock run "
                            "--profile=FILE.json' wrote"}};
}

}  // namespace

int report_command(const std::vector<std::string>& args) {
  const CommandSpec* self = find_command("report");
  CHECK(self != nullptr);
  const auto arguments = parse_arguments(*self, args);
  if (!arguments) return complain(arguments.error().message);

  const std::string& profile_path = arguments->operands()[0];
  const std::string& program_path = arguments->operands()[1];
  const auto bytes = read_file(program_path);
  if (!bytes) return complain(bytes.error().message);
  const auto image = load_image(*bytes);
  if (!image) return complain(printable(program_path) + ": " + image.error().message);

  const auto sampled = load_profile(profile_path, image->endian);
  if (!sampled) return complain(sampled.error().message);
  const auto other = load_exact(*arguments, image->endian);
  if (!other) return complain(other.error().message);

  const report::Profile* exact = has_cycles(*sampled) ? &*sampled : nullptr;
  if (other->has_value()) exact = &**other;
  return answer(report::to_text(report::flat(*sampled, image->symbols, exact, program_path)));
}

}  // namespace hardclock
