// hardclock conform: performs conformance cases and says whether the systems pass.
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/usage_error.h"
#include "cli/values.h"
#include "isa/instruction_sets.h"
#include "sim/base/lower_case.h"
#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/emit_c/emit_c.h"
#include "syscalls/conform/guest_backend.h"
#include "syscalls/conform/model_backend.h"
#include "syscalls/conform/outcome.h"
#include "syscalls/conform/report.h"
#include "syscalls/conform/variant.h"
#include "syscalls/profil/system.h"
#include "syscalls/systems.h"

namespace hardclock {
namespace {

using Cases = std::vector<const conform::Case*>;

constexpr int exit_case_failed = 1;
constexpr std::uint64_t largest_case_file = std::uint64_t{4} << 20;  // bytes

using Writer = std::string (*)(std::span<const conform::CaseOutcome>);

constexpr AnswerFormat formats[] = {
    {"text", ".txt"}, {"tap", ".tap"}, {"junit", ".xml"}, {"json", ".json"}};

// Of a format for programs.
Writer writer_of(std::string_view format) {
  if (format == "tap") return conform::to_tap;
  if (format == "junit") return conform::to_junit;
  return conform::to_json;
}

Result<std::vector<conform::Case>, UsageError> read_cases(const std::vector<std::string>& paths) {
  std::vector<conform::Case> all;
  for (const std::string& path : paths) {
    const auto bytes =
        path == "-" ? read_standard_input(largest_case_file) : read_file(path, largest_case_file);
    if (!bytes) return Failure{UsageError{bytes.error().message}};
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    auto cases = conform::parse_cases(text, path);
    if (!cases) return Failure{UsageError{cases.error()}};
    std::ranges::move(*cases, std::back_inserter(all));
  }
  return all;
}

// `os` is a system's name, as --os or as the case files spell it. Cases of an unknown system belong
// to every system: they must not be lost.
Cases select(const std::vector<conform::Case>& cases, const conform::Variant* os) {
  Cases selected;
  for (const conform::Case& each : cases) {
    const bool is_chosen = os == nullptr || each.variant == nullptr || each.variant == os ||
                           (each.variant->system == os->system && os->name == os->system->name);
    if (is_chosen) selected.push_back(&each);
  }
  return selected;
}

// The requested cases, "I-0*,U-009", in their order; without --id, all.
Result<Cases, UsageError> select_ids(const Cases& cases, const std::optional<std::string>& ids) {
  if (!ids) return cases;
  std::set<const conform::Case*> chosen;
  for (const std::string& pattern : split(*ids, ',')) {
    bool is_known = false;
    for (const conform::Case* const each : cases) {
      if (fnmatch(pattern.c_str(), each->id.c_str(), FNM_NOESCAPE) != 0) continue;
      chosen.insert(each);
      is_known = true;
    }
    if (!is_known) {
      return Failure{UsageError{"--id: no case is called '" + printable(pattern) +
                                "'; --list shows the cases"}};
    }
  }
  Cases selected;
  for (const conform::Case* const each : cases) {
    if (chosen.contains(each)) selected.push_back(each);
  }
  return selected;
}

// The guest backend's processor: its timing does not matter, so one cycle an instruction.
Result<std::unique_ptr<Cpu>, std::string> make_guest_cpu(const posix::Program& program,
                                                         const posix::Port& port,
                                                         AddressSpace& memory) {
  return make_default_cpu(*program.image, memory,
                          {.functional = true, .gateway_page = port.gateway_page});
}

// The error for a name that no case file has.
UsageError unknown_os(const std::string& name) {
  std::string all;
  std::vector<std::string_view> names;
  for (const profil::SystemRules* const system : profil::systems_and_libraries()) {
    all += (all.empty() ? "" : ", ") + std::string(system->name);
  }
  for (const conform::Variant& each : conform::variants()) names.push_back(each.name);
  if (is_unix_system(name)) {
    return {"--os: " + name + " has no profil(2), so there are no cases of it; there are: " + all};
  }
  const std::string_view meant = closest_name(name, names);
  const std::string next =
      meant.empty() ? "there are: " + all : "did you mean " + std::string(meant) + "?";
  return {"unknown os '" + printable(name) + "'; " + next};
}

// Nullopt: all systems.
Result<const conform::Variant*, UsageError> choose_variant(const std::optional<std::string>& name) {
  if (!name) return static_cast<const conform::Variant*>(nullptr);
  const conform::Variant* const variant = conform::find_variant(lower_case(*name));
  if (variant != nullptr) return variant;
  return Failure{unknown_os(*name)};
}

// The options that --emit-c and --list exclude.
std::optional<UsageError> check_options(const Arguments& arguments) {
  if (arguments.has("emit-c") && arguments.has("format")) {
    return UsageError{"--emit-c writes C; leave --format out"};
  }
  if (arguments.has("list") && (arguments.has("format") || arguments.has("emit-c"))) {
    return UsageError{"--list performs nothing; leave --format and --emit-c out"};
  }
  return std::nullopt;
}

int perform(const Arguments& arguments, const Cases& cases, std::string_view format) {
  conform::ModelBackend model;
  conform::GuestBackend guest(make_guest_cpu);
  const std::array<conform::Backend*, 2> backends = {&model, &guest};
  const auto outcomes = conform::perform(cases, backends);
  const int status =
      format == "text"
          ? deliver_words(arguments, conform::to_text(outcomes, answer_terminal(arguments)))
          : deliver(arguments, writer_of(format)(outcomes));
  if (status != exit_ok) return status;
  return conform::count(outcomes).is_good() ? exit_ok : exit_case_failed;
}

}  // namespace

int conform_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("conform", args);
  if (!arguments) return complain(arguments.error().message);
  if (const auto error = check_options(*arguments)) return complain(error->message);
  const bool is_performed = !arguments->has("list") && !arguments->has("emit-c");
  const auto format = read_answer_format(
      *arguments, is_performed ? AnswerFormats(formats) : AnswerFormats(text_format));
  if (!format) return complain(format.error().message);
  const auto os = choose_variant(arguments->value("os"));
  if (!os) return complain(os.error().message);
  const auto cases = read_cases(arguments->operands());
  if (!cases) return complain(cases.error().message);
  const Cases of_os = select(*cases, *os);
  if (of_os.empty()) {
    return complain(*os == nullptr ? "no case in any of the files; name a file with cases"
                                   : "no case of " + (*os)->name + " in any of the files");
  }
  const auto selected = select_ids(of_os, arguments->value("id"));
  if (!selected) return complain(selected.error().message);
  if (arguments->has("list")) return deliver_words(*arguments, conform::to_list(*selected));
  if (arguments->has("emit-c")) return deliver(*arguments, conform::emit_c(*selected));
  return perform(*arguments, *selected, *format);
}

}  // namespace hardclock
