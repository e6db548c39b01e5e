#include "cli/profile_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/answer.h"
#include "cli/files.h"
#include "cli/values.h"
#include "sim/load/load.h"
#include "sim/load/source_lines.h"
#include "sim/report/viewers/output_formats.h"

namespace hardclock {
namespace {

// Twice what a run writes at most with --max-memory=1G: 192 MiB of cycles, 8 bytes each, by pc, 22
// bytes a line.
constexpr std::uint64_t largest_profile = std::uint64_t{1} << 30;  // bytes

}  // namespace

Result<report::Profile, UsageError> load_profile(const std::string& path,
                                                 const report::Target& target,
                                                 const std::string& format) {
  const auto bytes = read_file(path, largest_profile);
  if (!bytes) return Failure{UsageError{bytes.error().message}};
  auto profile = report::read_profile(*bytes, target, format);
  if (!profile) return Failure{UsageError{printable_path(path) + ": " + profile.error()}};
  return std::move(profile).value();
}

std::optional<std::string> objection_to_size(const std::string& path) {
  const auto format = report::output_format_for(path);
  std::error_code is_no_file;
  const std::uintmax_t bytes = std::filesystem::file_size(path, is_no_file);
  const bool is_read = format && !(*format)->shows_functions();
  if (is_no_file || !is_read || bytes <= largest_profile) return std::nullopt;
  return fmt::format(
      "{} has {} bytes, of which 'hardclock report' reads at most {}; leave --reasons or --calls "
      "out, or name a file of another format",
      printable_path(path), bytes, largest_profile);
}

bool has_cycles(const report::Profile& profile) {
  return std::ranges::any_of(profile.processes, [](const report::ProcessProfile& process) {
    return !process.cycles.empty();
  });
}

std::optional<UsageError> objection(const std::string& path, const report::Profile& profile,
                                    const report::Identity& program) {
  const auto why = report::objection(profile, program);
  if (!why) return std::nullopt;
  return UsageError{printable_path(path) + ": " + printable(*why, why->size())};
}

Result<Image, UsageError> load_profiled_program(const std::string& path) {
  const auto bytes = read_file(path, largest_program_file);
  if (!bytes) return Failure{UsageError{bytes.error().message}};
  auto image = load_image(*bytes);
  if (!image) return Failure{UsageError{printable_path(path) + ": " + image.error().message}};
  return std::move(image).value();
}

bool add_source_lines(std::span<const std::uint8_t> bytes, const std::string& object,
                      const std::string& path, report::Lines& lines) {
  FileWindow file(bytes);
  SourceLines found = read_source_lines(file);
  if (!found.objection.empty()) {
    complain(printable_path(path) + ": " + printable(found.objection, found.objection.size()));
  }
  if (!found.table.empty()) lines.emplace(object, std::move(found.table));
  return found.objection.empty();
}

Result<bool, UsageError> add_program_lines(const std::string& path, report::Lines& lines) {
  const auto bytes = read_file(path, largest_program_file);
  if (!bytes) return Failure{UsageError{bytes.error().message}};
  return add_source_lines(*bytes, "", path, lines);
}

Result<std::vector<std::string>, UsageError> read_roots(const Arguments& arguments) {
  std::vector<std::string> roots;
  for (const std::string& text : arguments.values("root")) {
    const auto directories = parse_directories(text);
    if (!directories) {
      return Failure{UsageError{"-L needs DIR or DIR:DIR, not '" + printable(text) + "'"}};
    }
    roots.insert(roots.end(), directories->begin(), directories->end());
  }
  return roots;
}

}  // namespace hardclock
