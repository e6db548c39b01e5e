// hardclock doctor: whether a program would run, and what it lacks.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/usage_error.h"
#include "cli/wrapped_text.h"

namespace hardclock {
namespace {

using Json = nlohmann::ordered_json;
using Verdict = Diagnosis::Verdict;

constexpr AnswerFormat formats[] = {{"text", ".txt"}, {"json", ".json"}};

// What a file does that lacks nothing.
std::string_view does(const Diagnosis& diagnosis) {
  return diagnosis.is_library ? "loads" : "runs";
}

std::string_view verdict_word(const Diagnosis& diagnosis) {
  switch (diagnosis.verdict) {
    case Verdict::runs:
      return does(diagnosis);
    case Verdict::lacks:
      return "lacks";
    case Verdict::no_program:
      return "no program";
  }
  return "?";
}

std::string entry(std::string_view label, std::string_view text) {
  constexpr std::size_t indent = 16;
  // A space follows the label.
  return wrapped(fmt::format("{:<{}}", label, indent - 1), text, indent);
}

std::string need_text(const Diagnosis::Need& need) {
  if (!need.found.empty()) return printable_path(need.found);
  return "MISSING: " + printable_path(need.name) + ", for " + printable_path(need.needed_by);
}

std::string call_text(const Diagnosis::Call& call) {
  return fmt::format("{} {}", call.number, call.name.empty() ? "(unknown)" : call.name);
}

// A library has calls that no function of the program leads to: they are counted.
std::string calls_text(const Diagnosis& diagnosis) {
  if (!diagnosis.scanned_calls)
    return entry("calls", "not looked at: HP-UX's code for IA-64 does not show them");
  if (diagnosis.missing_calls.empty()) return entry("calls", "all that its code shows are there");
  std::string own;
  std::map<std::string, unsigned> in_libraries;
  for (const Diagnosis::Call& call : diagnosis.missing_calls) {
    if (!call.in_program) {
      ++in_libraries[call.file];
    } else {
      own += (own.empty() ? "" : ", ") + call_text(call);
    }
  }
  std::string text =
      entry("calls", own.empty() ? "all that its own code shows are there"
                                 : "missing, as far as its code shows, which need not run: " + own);
  for (const auto& [file, count] : in_libraries) {
    text += entry("", fmt::format("missing: {} of those in {}, whichever the program uses", count,
                                  printable_path(file)));
  }
  return text;
}

std::string floats_text(const Diagnosis& diagnosis) {
  std::string text = entry("floats", diagnosis.float_abi);
  for (const Diagnosis::OtherFloats& each : diagnosis.other_floats) {
    text += entry("", "DIFFERENT: " + each.abi + " in " + printable_path(each.file));
  }
  return text;
}

std::string foreign_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const Diagnosis::Foreign& each : diagnosis.foreign) {
    text += entry(
        text.empty() ? "instructions" : "",
        fmt::format("{} in {} are not the processor's, and need not run; the first, at {}: {}",
                    each.count, printable_path(each.file), printable(each.place), each.first));
  }
  return text;
}

// Those in the state, each with what it lacks.
std::string imports_in(const Diagnosis& diagnosis, std::string_view state) {
  std::string text;
  for (const Diagnosis::Import& each : diagnosis.imports) {
    if (each.state != state) continue;
    const std::string note = each.note.empty() ? "" : " (" + each.note + ")";
    text += (text.empty() ? "" : ", ") + printable(each.name) + note;
  }
  return text;
}

std::string imports_text(const Diagnosis& diagnosis) {
  std::string text =
      entry("functions", fmt::format("{} are imported; hardclock's own libc stands in for HP's",
                                     diagnosis.imports.size()));
  const std::string partial = imports_in(diagnosis, "partial");
  const std::string missing = imports_in(diagnosis, "missing");
  if (!partial.empty()) text += entry("", "partly there: " + partial);
  if (!missing.empty()) text += entry("", "missing, unless another library has them: " + missing);
  return text;
}

bool lacks_something(const Diagnosis& diagnosis) {
  const bool lacks_function = std::ranges::any_of(
      diagnosis.imports, [](const Diagnosis::Import& each) { return each.state != "done"; });
  const bool lacks_file = std::ranges::any_of(
      diagnosis.needs, [](const Diagnosis::Need& need) { return need.found.empty(); });
  return lacks_function || lacks_file || !diagnosis.missing_calls.empty() ||
         !diagnosis.foreign.empty();
}

std::string verdict_text(const Diagnosis& diagnosis) {
  switch (diagnosis.verdict) {
    case Verdict::runs:
      return std::string(does(diagnosis)) +
             (lacks_something(diagnosis)       ? ", until it uses what is missing above"
              : diagnosis.other_floats.empty() ? ": nothing is known to be missing"
                                               : ", until floats pass between different files");
    case Verdict::lacks:
      return (diagnosis.is_library ? "does not load: " : "does not run: ") + diagnosis.trouble;
    case Verdict::no_program:
      return "no program: " + diagnosis.trouble;
  }
  return "?";
}

std::string to_text(const Diagnosis& diagnosis) {
  std::string text =
      entry(diagnosis.is_library ? "shared library" : "program", printable_path(diagnosis.program));
  if (!diagnosis.format.empty()) text += entry("format", diagnosis.format);
  if (!diagnosis.built_for.empty()) text += entry("built for", diagnosis.built_for);
  if (!diagnosis.system.empty()) text += entry("system", diagnosis.system);
  if (!diagnosis.cpu.empty()) {
    text += entry("runs on", diagnosis.cpu + ": " + diagnosis.about_cpu);
    if (!diagnosis.cpu_asked_by.empty()) {
      text += entry("", "because of " + printable_path(diagnosis.cpu_asked_by));
    }
  }
  for (const Diagnosis::Need& need : diagnosis.needs) text += entry(need.kind, need_text(need));
  if (!diagnosis.float_abi.empty()) text += floats_text(diagnosis);
  text += foreign_text(diagnosis);
  if (!diagnosis.system.empty()) text += calls_text(diagnosis);
  if (!diagnosis.imports.empty()) text += imports_text(diagnosis);
  if (diagnosis.uses_own_shell) {
    text += entry("shell", "hardclock's own /bin/sh: no guest root has one");
  }
  return text + entry("verdict", verdict_text(diagnosis));
}

std::string to_json(const Diagnosis& diagnosis) {
  Json json{{"format", "hardclock-doctor"},
            {"version", 1},
            {"program", diagnosis.program},
            {"kind", diagnosis.is_library ? "library" : "program"},
            {"file_format", diagnosis.format},
            {"built_for", diagnosis.built_for},
            {"system", diagnosis.system},
            {"cpu", diagnosis.cpu},
            {"cpu_asked_by", diagnosis.cpu_asked_by},
            {"needs", Json::array()},
            {"missing_calls", Json::array()},
            {"foreign_instructions", Json::array()},
            {"float_abi", diagnosis.float_abi},
            {"other_floats", Json::array()},
            {"imports", Json::array()},
            {"uses_own_shell", diagnosis.uses_own_shell},
            {"verdict", verdict_word(diagnosis)},
            {"trouble", diagnosis.trouble}};
  for (const Diagnosis::Need& need : diagnosis.needs) {
    json["needs"].push_back({{"kind", need.kind},
                             {"name", need.name},
                             {"found", need.found.empty() ? Json() : Json(need.found)},
                             {"needed_by", need.needed_by}});
  }
  for (const Diagnosis::Call& call : diagnosis.missing_calls) {
    json["missing_calls"].push_back({{"number", call.number},
                                     {"name", call.name},
                                     {"file", call.file},
                                     {"in_program", call.in_program}});
  }
  for (const Diagnosis::Foreign& each : diagnosis.foreign) {
    json["foreign_instructions"].push_back(
        {{"file", each.file}, {"count", each.count}, {"place", each.place}, {"first", each.first}});
  }
  for (const Diagnosis::OtherFloats& each : diagnosis.other_floats) {
    json["other_floats"].push_back({{"file", each.file}, {"float_abi", each.abi}});
  }
  for (const Diagnosis::Import& each : diagnosis.imports) {
    json["imports"].push_back({{"name", each.name}, {"state", each.state}, {"note", each.note}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The words of the same run.
std::vector<std::string> run_words(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const char* const option : {"root", "env"}) {
    for (const std::string& value : arguments.values(option)) {
      words.push_back("--" + std::string(option) + "=" + value);
    }
  }
  for (const char* const option : {"os", "cpu", "machine", "isa"}) {
    if (const auto value = arguments.value(option)) {
      words.push_back("--" + std::string(option) + "=" + *value);
    }
  }
  words.insert(words.end(), {"--cwd=ro", "--", arguments.operands().front()});
  return words;
}

}  // namespace

int doctor_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("doctor", args);
  if (!arguments) return complain(arguments.error().message);
  const auto format = read_answer_format(*arguments, formats);
  if (!format) return complain(format.error().message);
  const auto options = parse_run_options(run_words(*arguments));
  if (!options) return complain(options.error().message);
  const Diagnosis diagnosis = diagnose(*options);
  const int delivered =
      deliver(*arguments, *format == "json" ? to_json(diagnosis) : to_text(diagnosis));
  return delivered != exit_ok ? delivered : static_cast<int>(diagnosis.verdict);
}

}  // namespace hardclock
