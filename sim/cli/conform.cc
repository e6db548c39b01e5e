// hardclock conform: performs conformance cases and says whether the systems pass.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/instruction_sets.h"
#include "sim/cli/usage_error.h"
#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/emit_c/emit_c.h"
#include "syscalls/conform/guest_backend.h"
#include "syscalls/conform/model_backend.h"
#include "syscalls/conform/outcome.h"
#include "syscalls/conform/report.h"

namespace hardclock {
namespace {

constexpr int kExitCaseFailed = 1;
constexpr std::uint64_t kLargestCaseFile = std::uint64_t{64} << 20;  // bytes

using Writer = std::string (*)(std::span<const conform::Outcome>);

constexpr std::array<std::pair<std::string_view, Writer>, 4> kFormats = {{
    {"text", conform::to_text},
    {"tap", conform::to_tap},
    {"junit", conform::to_junit},
    {"json", conform::to_json},
}};

Result<Writer, UsageError> choose_format(const std::string& name) {
  const auto found = std::ranges::find(kFormats, name, &decltype(kFormats)::value_type::first);
  if (found != kFormats.end()) return found->second;
  return Failure{UsageError{"--format: unknown format '" + printable(name) +
                            "'; there are: text, tap, junit, json"}};
}

Result<std::vector<conform::Case>, UsageError> read_cases(const std::vector<std::string>& paths) {
  std::vector<conform::Case> all;
  for (const std::string& path : paths) {
    const auto bytes = read_file(path, kLargestCaseFile);
    if (!bytes) return Failure{UsageError{bytes.error().message}};
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    auto cases = conform::parse_cases(text, path);
    if (!cases) return Failure{UsageError{cases.error()}};
    std::ranges::move(*cases, std::back_inserter(all));
  }
  return all;
}

// `os` is a system's name, as --os or as the case files spell it. Cases of a system that nobody
// knows are of every system: they must not be lost.
std::vector<const conform::Case*> select(const std::vector<conform::Case>& cases,
                                         const conform::Variant* os) {
  std::vector<const conform::Case*> selected;
  for (const conform::Case& each : cases) {
    const bool is_chosen = os == nullptr || each.variant == nullptr || each.variant == os ||
                           (each.variant->system == os->system && os->name == os->system->name);
    if (is_chosen) selected.push_back(&each);
  }
  return selected;
}

// The guest backend's processor: what it computes is not the point, so one cycle an instruction.
Result<std::unique_ptr<Cpu>, std::string> make_guest_cpu(const Image& image, AddressSpace& memory) {
  const InstructionSet* const set = find_instruction_set(image.machine);
  CHECK(set != nullptr);
  const auto cpu = set->default_cpu(image);
  if (!cpu) return Failure{cpu.error()};
  return set->make_cpu(**cpu, image, memory, {.functional = true});
}

// None: all systems.
Result<const conform::Variant*, UsageError> choose_variant(const std::optional<std::string>& name) {
  if (!name) return static_cast<const conform::Variant*>(nullptr);
  const conform::Variant* const variant = conform::find_variant(*name);
  if (variant != nullptr) return variant;
  return Failure{UsageError{"unknown os '" + printable(*name) + "'; see 'hardclock systems'"}};
}

int perform(const std::vector<const conform::Case*>& cases, Writer write) {
  conform::ModelBackend model;
  conform::GuestBackend guest(make_guest_cpu);
  const std::array<conform::Backend*, 2> backends = {&model, &guest};
  const auto outcomes = conform::perform(cases, backends);
  const int status = answer(write(outcomes));
  if (status != kExitOk) return status;
  const conform::Totals totals = conform::count(outcomes);
  return totals.passed == totals.all() ? kExitOk : kExitCaseFailed;
}

}  // namespace

int conform_command(const std::vector<std::string>& args) {
  const CommandSpec* const self = find_command("conform");
  CHECK(self != nullptr);
  const auto arguments = parse_arguments(*self, args);
  if (!arguments) return complain(arguments.error().message);
  const bool emits_c = arguments->has("emit-c");
  if (emits_c && arguments->has("format")) {
    return complain("--emit-c writes C; leave --format out");
  }
  const auto format = choose_format(arguments->value("format").value_or("text"));
  if (!format) return complain(format.error().message);
  const auto os = choose_variant(arguments->value("os"));
  if (!os) return complain(os.error().message);
  const auto cases = read_cases(arguments->operands());
  if (!cases) return complain(cases.error().message);
  const auto selected = select(*cases, *os);
  if (selected.empty()) {
    return complain(*os == nullptr ? "no case in any of the files; name a file with cases"
                                   : "no case of " + (*os)->name + " in any of the files");
  }
  return emits_c ? answer(conform::emit_c(selected)) : perform(selected, *format);
}

}  // namespace hardclock
