// hardclock report: where a profile's ticks fell, function by function.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/annotation.h"
#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/profile_files.h"
#include "cli/shared_objects.h"
#include "cli/source_text.h"
#include "cli/values.h"
#include "sim/report/by_line.h"
#include "sim/report/chance.h"
#include "sim/report/error_sources.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"
#include "sim/report/reason_table.h"
#include "sim/report/viewers/data_table.h"
#include "sim/report/viewers/output_formats.h"
#include "sim/report/viewers/report_tables.h"

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

// Another table than that of functions.
bool is_listing(const Arguments& arguments) {
  return std::ranges::any_of(std::array{"annotate", "lines", "reasons", "truth"},
                             [&](const char* option) { return arguments.has(option); });
}

// The table has a form for programs, too.
bool is_data_too(const Arguments& arguments) {
  return arguments.has("annotate") || arguments.has("reasons");
}

// The format of --format or, without it, of the name in --output.
Result<const report::OutputFormat*, UsageError> choose_format(const Arguments& arguments) {
  const auto name = arguments.value("format");
  const auto file = output_of(arguments);
  const std::string default_name = name.value_or("text");
  bool is_by_file = !name && file && (!is_listing(arguments) || is_data_too(arguments));
  // A listing may go to a file of any name.
  if (is_by_file && is_listing(arguments)) is_by_file = bool(report::output_format_for(*file));
  const auto format =
      is_by_file ? report::output_format_for(*file) : report::output_format_called(default_name);
  if (format) return *format;
  const std::string why = printable(format.error(), format.error().size());
  return Failure{UsageError{name ? "--format: " + why : "--output: " + why + ", or add --format"}};
}

// Whether --truth was asked for. Refuses it without what it needs.
Result<bool, UsageError> wants_truth(const Arguments& arguments) {
  if (!arguments.has("truth")) return false;
  if (arguments.value("exact")) return true;
  return Failure{UsageError{
      "--truth needs the ticks of the same run by pc; name its 'hardclock run --profile=FILE.json' "
      "with --exact"}};
}

// The two errors of `sampled`, by the ticks and cycles of `exact`.
int write_truth(const Arguments& arguments, const report::FlatReport& sampled,
                const report::FlatReport& exact) {
  if (exact.ticks == Ticks()) {
    return complain("--exact: the file has no ticks; name that of the run that wrote PROFILE");
  }
  const Terminal terminal = answer_terminal(arguments);
  return deliver(arguments, report::error_sources_text(report::error_sources(sampled, exact),
                                                       exact.ticks, terminal) +
                                report::verdict_line(exact, terminal));
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

// Listings that exclude each other or have no such format. Reasons may be of lines.
std::optional<UsageError> check_listing(const Arguments& arguments, const std::string& format) {
  std::string other;
  for (const char* const listing : {"annotate", "reasons", "lines", "truth"}) {
    if (!arguments.has(listing)) continue;
    const std::string option = "--" + std::string(listing);
    const bool is_text_only = !is_data_too(arguments);
    if (format != "text" && (is_text_only || (format != "csv" && format != "json"))) {
      return UsageError{option + " answers in text" + (is_text_only ? "" : ", csv and json") +
                        (arguments.has("format")
                             ? "; leave out --format=" + format
                             : "; end --output's name in .txt, .csv or .table.json")};
    }
    const bool is_lines_by_reason = other == "--reasons" && option == "--lines";
    if (!other.empty() && !is_lines_by_reason) {
      return UsageError{other + " and " + option + " exclude each other; give one"};
    }
    other = option;
  }
  return std::nullopt;
}

// Options and operands that do not fit the format.
std::optional<UsageError> check_options(const Arguments& arguments,
                                        const report::OutputFormat& format) {
  const std::string name(format.name);
  if (const auto error = check_listing(arguments, name)) return error;
  if (format.shows_functions() && arguments.operands().size() < 2) {
    return UsageError{
        "'hardclock report' needs PROFILE PROGRAM, whose functions it names; see "
        "'hardclock report --help'"};
  }
  if (!format.shows_functions() && arguments.value("exact")) {
    return UsageError{"--exact is for formats that show functions, and " + name +
                      " is one of profiles; leave it out"};
  }
  return std::nullopt;
}

std::optional<std::string> lacks_rate(const report::OutputFormat& format,
                                      const report::Profile& profile) {
  if (profile.tick_rate != Hertz() || format.shows_functions()) return std::nullopt;
  if (!report::needs_tick_rate(format.name)) return std::nullopt;
  return "PROFILE does not say how many ticks a second has, which " + std::string(format.name) +
         " needs; say it with --hz";
}

// Where --annotate looks for sources; nowhere without --source.
Result<std::vector<std::string>, UsageError> read_source_directories(const Arguments& arguments) {
  std::vector<std::string> directories;
  if (arguments.has("source") && !arguments.has("annotate")) {
    return Failure{UsageError{"--source is for --annotate, which shows the text of sources"}};
  }
  for (const std::string& text : arguments.values("source")) {
    const auto some = parse_directories(text);
    if (!some) {
      return Failure{UsageError{"--source needs DIR or DIR:DIR, not '" + printable(text) + "'"}};
    }
    directories.insert(directories.end(), some->begin(), some->end());
  }
  return directories;
}

// What a report is made of.
struct Subject {
  const report::Profile& sampled;
  const report::Profile* exact;  // null: there are no exact cycles
  const report::Identity& program;
  const Image& image;
  const std::string& path;  // the program's
  report::Objects objects = {};
  report::Lines lines = {};
  bool has_all_lines = true;  // else it is said on standard error what is missing
};

// Adds the shared objects and, if they are wanted, the source lines.
std::optional<UsageError> complete(Subject& subject, const std::vector<std::string>& roots,
                                   bool wants_lines) {
  if (wants_lines) {
    const auto added = add_program_lines(subject.path, subject.lines);
    if (!added) return added.error();
    subject.has_all_lines = *added;
  }
  std::vector<const report::Profile*> profiles = {&subject.sampled};
  if (subject.exact != nullptr && subject.exact != &subject.sampled) {
    profiles.push_back(subject.exact);
  }
  auto objects =
      find_shared_objects(profiles, subject.program, roots, wants_lines ? &subject.lines : nullptr);
  if (!objects) return UsageError{objects.error()};
  subject.objects = *std::move(objects);
  return std::nullopt;
}

// The table by function or, with --lines, by source line, in the way that was asked for.
int write_table(const Arguments& arguments, const report::OutputFormat& format,
                const Subject& subject) {
  const bool is_by_line = arguments.has("lines");
  if (is_by_line && subject.lines.empty() && !subject.has_all_lines) return exit_failure;
  if (is_by_line && subject.lines.empty()) {
    return complain(printable_path(subject.path) +
                    ": no line numbers in it; compile it with -g, or leave --lines out");
  }
  const SymbolTable& symbols = subject.image.symbols;
  const report::FlatReport table =
      is_by_line
          ? report::by_line(subject.sampled, symbols, subject.exact, subject.program,
                            subject.objects, subject.lines)
          : report::flat(subject.sampled, symbols, subject.exact, subject.program, subject.objects);
  const std::string_view row = is_by_line ? "line" : "function";
  const Terminal terminal = answer_terminal(arguments);
  if (!arguments.has("reasons")) {
    return deliver(arguments, report::to_text(table, {.terminal = terminal, .rows = row}));
  }
  if (!table.has_reasons) {
    return complain(
        "--reasons: the profile does not say why cycles passed; write it with 'hardclock run "
        "--reasons --profile=FILE.json'");
  }
  if (format.name == "text") {
    return deliver(arguments, report::reasons_text(table, row, terminal));
  }
  return deliver(arguments, report::data_text(report::reasons_table(table, row), format.name));
}

// The report itself, when everything is read.
int write_report(const Arguments& arguments, const report::OutputFormat& format,
                 const report::ProfileSource& source) {
  const auto bytes = report::write_as(format, source);
  if (bytes) return deliver(arguments, *bytes);
  return complain(std::string(format.name) + ": " + printable(bytes.error(), bytes.error().size()));
}

}  // namespace

int report_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("report", args);
  if (!arguments) return complain(arguments.error().message);
  const auto chosen = choose_format(*arguments);
  if (!chosen) return complain(chosen.error().message);
  const report::OutputFormat& format = **chosen;
  if (const auto error = check_options(*arguments, format)) return complain(error->message);
  const auto sources = read_source_directories(*arguments);
  if (!sources) return complain(sources.error().message);
  const auto has_truth = wants_truth(*arguments);
  if (!has_truth) return complain(has_truth.error().message);
  const auto roots = read_roots(*arguments);
  if (!roots) return complain(roots.error().message);
  const auto image = load_named_program(*arguments);
  if (!image) return complain(image.error().message);
  report::Target target;
  if (image->has_value()) target = {(*image)->endian, (*image)->address_bits};

  auto sampled =
      load_profile(arguments->operands()[0], target, arguments->value("input-format").value_or(""));
  if (!sampled) return complain(sampled.error().message);
  if (const auto error = set_tick_rate(*arguments, *sampled)) return complain(error->message);
  if (const auto error = lacks_rate(format, *sampled)) return complain(*error);
  report::Identity program;
  if (image->has_value()) {
    program = report::identity_of(arguments->operands()[1], **image);
    const auto other = objection(arguments->operands()[0], *sampled, program);
    if (other) return complain(other->message);
  }
  if (!format.shows_functions()) {
    return write_report(*arguments, format, {*sampled, {}, nullptr, program, {}});
  }
  const auto other = load_exact(*arguments, target, program);
  if (!other) return complain(other.error().message);
  const report::Profile* exact = has_cycles(*sampled) ? &*sampled : nullptr;
  if (other->has_value()) exact = &**other;
  Subject subject{*sampled, exact, program, **image, arguments->operands()[1]};
  const bool wants_lines =
      arguments->has("annotate") || arguments->has("lines") || format.shows_lines;
  if (const auto error = complete(subject, *roots, wants_lines)) return complain(error->message);
  if (arguments->has("lines") || arguments->has("reasons")) {
    return write_table(*arguments, format, subject);
  }
  if (arguments->has("annotate")) {
    const auto sink = answer_sink(*arguments);
    SourceText source(*sources, time_of_file(subject.path));
    return annotate({*sampled, exact, program, subject.image, subject.objects, subject.lines,
                     source, format.name, sink.get(), answer_terminal(*arguments)},
                    arguments->value("annotate").value_or(""));
  }
  if (*has_truth) {
    const SymbolTable& symbols = subject.image.symbols;
    return write_truth(*arguments,
                       report::flat(*sampled, symbols, nullptr, program, subject.objects),
                       report::flat(*exact, symbols, exact, program, subject.objects));
  }
  return write_report(*arguments, format,
                      {*sampled, subject.image.symbols, exact, program, subject.objects,
                       &subject.lines, answer_terminal(*arguments)});
}

}  // namespace hardclock
