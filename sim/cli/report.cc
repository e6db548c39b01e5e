// hardclock report: where a profile's ticks fell, function by function.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/cli/annotation.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/commands.h"
#include "sim/cli/output_file.h"
#include "sim/cli/profile_files.h"
#include "sim/cli/shared_objects.h"
#include "sim/cli/values.h"
#include "sim/report/callgrind.h"
#include "sim/report/error_sources.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock {
namespace {

// The profile of --exact, or nullopt without that option.
Result<std::optional<report::Profile>, UsageError> load_exact(const Arguments& arguments,
                                                              const report::Target& target,
                                                              const report::Identity& program) {
  using Exact = std::optional<report::Profile>;
  const auto path = arguments.value("exact");
  if (!path) return Exact();
  auto exact = load_profile(*path, target);
  if (!exact) return Failure{exact.error()};
  if (auto other = objection(*path, *exact, program)) return Failure{*other};
  if (has_cycles(*exact)) return Exact(std::move(exact).value());
  return Failure{UsageError{printable_path(*path) +
                            ": no exact cycles in it; name a file that 'hardclock run "
                            "--profile=FILE.json' wrote"}};
}

// Whether --truth was asked for. Refuses it without what it needs.
Result<bool, UsageError> wants_truth(const Arguments& arguments) {
  if (!arguments.has("truth")) return false;
  for (const char* const other : {"annotate", "convert"}) {
    if (!arguments.has(other)) continue;
    return Failure{
        UsageError{"--truth and --" + std::string(other) + " exclude each other; give one"}};
  }
  if (arguments.value("exact")) return true;
  return Failure{UsageError{
      "--truth needs the ticks of the same run by pc; name its 'hardclock run --profile=FILE.json' "
      "with --exact"}};
}

// The two errors of `sampled`, by the ticks and cycles of `exact`.
int answer_truth(const report::FlatReport& sampled, const report::FlatReport& exact) {
  if (exact.ticks == Ticks()) {
    return complain("--exact: the file has no ticks; name that of the run that wrote PROFILE");
  }
  return answer(report::error_sources_text(report::error_sources(sampled, exact), exact.ticks));
}

struct Conversion {
  std::string format;
  std::string file;
};

// As callgrind itself and KCachegrind call their files.
bool is_callgrind_name(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name.starts_with("callgrind.out") || name.ends_with(".callgrind");
}

// FORMAT:FILE, or FILE with a suffix that is a format's.
Result<Conversion, UsageError> parse_conversion(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    if (is_callgrind_name(text)) return Conversion{.format = "callgrind", .file = text};
    const auto format = report::format_for(text);
    if (format) return Conversion{.format = std::string(*format), .file = text};
    return Failure{UsageError{"--convert: " + printable(format.error(), format.error().size()) +
                              ", in .callgrind, or name the format: FORMAT:FILE"}};
  }
  Conversion conversion{.format = text.substr(0, colon), .file = text.substr(colon + 1)};
  if (!conversion.format.empty() && !conversion.file.empty()) return conversion;
  return Failure{UsageError{"--convert needs FORMAT:FILE, not '" + printable(text) +
                            "'; the formats are " + report::format_names() + ", callgrind"}};
}

int write_output(const std::string& path, std::string_view bytes) {
  auto file = OutputFile::find(path);
  if (!file) return complain(file.error());
  const auto written = file->replace(bytes);
  return written ? exit_ok : complain(written.error());
}

int convert(const report::Profile& profile, const Conversion& conversion) {
  if (profile.tick_rate == Hertz() && report::needs_tick_rate(conversion.format)) {
    return complain("--convert: PROFILE does not say how many ticks a second has, which " +
                    conversion.format + " needs; say it with --hz");
  }
  const auto bytes = report::write_profile_as(profile, conversion.format);
  if (!bytes) return complain("--convert: " + printable(bytes.error(), bytes.error().size()));
  return write_output(conversion.file, *bytes);
}

// A format that needs the functions of the program.
bool is_for_viewers(const Conversion& conversion) {
  return conversion.format == "callgrind";
}

// The rate of --hz, for a profile that records none.
std::optional<UsageError> set_tick_rate(const Arguments& arguments, report::Profile& profile) {
  constexpr std::uint64_t most_rate = 1'000'000;
  const auto text = arguments.value("hz");
  if (!text) return std::nullopt;
  const auto rate = parse_whole_number(*text, 1, most_rate);
  if (!rate) {
    return UsageError{"--hz needs a whole number from 1 to " + std::to_string(most_rate) +
                      ", not '" + printable(*text) + "'"};
  }
  if (profile.tick_rate != Hertz() && profile.tick_rate != Hertz(*rate)) {
    return UsageError{"--hz says " + std::to_string(*rate) + " ticks a second and PROFILE " +
                      std::to_string(profile.tick_rate.value()) + "; leave --hz out"};
  }
  profile.tick_rate = Hertz(*rate);
  return std::nullopt;
}

// What is known of the profiled program, if one is named.
Result<std::optional<Image>, UsageError> load_named_program(const Arguments& arguments) {
  if (arguments.operands().size() < 2) return std::optional<Image>();
  auto image = load_profiled_program(arguments.operands()[1]);
  if (!image) return Failure{image.error()};
  return std::optional(std::move(image).value());
}

// What --convert says; nothing without it. Refuses options and operands that do not fit.
Result<std::optional<Conversion>, UsageError> read_conversion(const Arguments& arguments) {
  using Read = std::optional<Conversion>;
  const bool has_program = arguments.operands().size() == 2;
  const auto text = arguments.value("convert");
  if (!text && has_program) return Read();
  if (!text) {
    return Failure{
        UsageError{"'hardclock report' needs PROFILE PROGRAM; see 'hardclock report --help'"}};
  }
  if (arguments.has("annotate"))
    return Failure{UsageError{"--annotate and --convert exclude each other; give one"}};
  auto conversion = parse_conversion(*text);
  if (!conversion) return Failure{conversion.error()};
  if (is_for_viewers(*conversion)) {
    if (has_program) return Read(std::move(conversion).value());
    return Failure{UsageError{"--convert=" + conversion->format +
                              ": functions are named there; name PROGRAM behind PROFILE"}};
  }
  if (!arguments.value("exact")) return Read(std::move(conversion).value());
  return Failure{
      UsageError{"--exact is for the table and for callgrind; leave it out, or --convert"}};
}

}  // namespace

int report_command(const std::vector<std::string>& args) {
  const CommandSpec* self = find_command("report");
  CHECK(self != nullptr);
  const auto arguments = parse_arguments(*self, args);
  if (!arguments) return complain(arguments.error().message);
  const auto conversion = read_conversion(*arguments);
  if (!conversion) return complain(conversion.error().message);
  const auto has_truth = wants_truth(*arguments);
  if (!has_truth) return complain(has_truth.error().message);
  const auto roots = read_roots(*arguments);
  if (!roots) return complain(roots.error().message);
  const auto image = load_named_program(*arguments);
  if (!image) return complain(image.error().message);
  report::Target target;
  if (image->has_value()) target = {(*image)->endian, (*image)->address_bits};

  auto sampled =
      load_profile(arguments->operands()[0], target, arguments->value("format").value_or(""));
  if (!sampled) return complain(sampled.error().message);
  if (const auto error = set_tick_rate(*arguments, *sampled)) return complain(error->message);
  report::Identity program;
  if (image->has_value()) {
    program = report::identity_of(arguments->operands()[1], **image);
    const auto other = objection(arguments->operands()[0], *sampled, program);
    if (other) return complain(other->message);
  }
  if (conversion->has_value() && !is_for_viewers(**conversion)) {
    return convert(*sampled, **conversion);
  }
  const auto other = load_exact(*arguments, target, program);
  if (!other) return complain(other.error().message);
  const report::Profile* exact = has_cycles(*sampled) ? &*sampled : nullptr;
  if (other->has_value()) exact = &**other;
  std::vector<const report::Profile*> profiles = {&*sampled};
  if (exact != nullptr && exact != profiles.front()) profiles.push_back(exact);
  const auto objects = find_shared_objects(profiles, *roots);
  if (!objects) return complain(objects.error());
  const SymbolTable& symbols = (*image)->symbols;
  if (conversion->has_value()) {
    return write_output((*conversion)->file,
                        report::to_callgrind(*sampled, symbols, exact, program, *objects));
  }
  if (arguments->has("annotate")) {
    return annotate({*sampled, exact, program, **image, *objects},
                    arguments->value("annotate").value_or(""));
  }
  if (*has_truth) {
    return answer_truth(report::flat(*sampled, symbols, nullptr, program, *objects),
                        report::flat(*exact, symbols, exact, program, *objects));
  }
  return answer(report::to_text(report::flat(*sampled, symbols, exact, program, *objects)));
}

}  // namespace hardclock
