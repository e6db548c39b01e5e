#include "syscalls/conform/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/terminal_text.h"
#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

using Status = CaseOutcome::Status;

const char* status_name(Status status) {
  switch (status) {
    case Status::passed:
      return "passed";
    case Status::failed:
      return "failed";
    case Status::unperformed:
      return "unperformed";
    case Status::skipped:
      return "skipped";
  }
  return "";
}

// The outcomes of each backend, in the order of their first outcomes.
std::vector<std::pair<std::string, std::vector<CaseOutcome>>> by_backend(
    std::span<const CaseOutcome> outcomes) {
  std::vector<std::pair<std::string, std::vector<CaseOutcome>>> groups;
  for (const CaseOutcome& outcome : outcomes) {
    auto group = std::ranges::find_if(
        groups, [&](const auto& each) { return each.first == outcome.backend; });
    if (group == groups.end()) group = groups.insert(group, {outcome.backend, {}});
    group->second.push_back(outcome);
  }
  return groups;
}

std::string place_of(const Case& of) {
  return fmt::format("{}:{}", of.file, of.line);
}

// The width of a column: of its longest word.
template <class Items, class Word>
std::size_t width_of(const Items& items, Word word_of) {
  std::size_t width = 0;
  for (const auto& each : items) width = std::max(width, one_line(word_of(each)).size());
  return width;
}

std::string_view verdict_of(const CaseOutcome& outcome) {
  switch (outcome.status) {
    case Status::passed:
      return "pass";
    case Status::failed:
      return "FAIL";
    case Status::unperformed:
      return "ERROR";
    case Status::skipped:
      return "skip";
  }
  return "";
}

struct Columns {
  std::size_t verdict, backend, id, system;
};

Tone tone_of(const CaseOutcome& outcome) {
  switch (outcome.status) {
    case Status::passed:
      return Tone::good;
    case Status::failed:
    case Status::unperformed:
      return Tone::bad;
    case Status::skipped:
      return Tone::faint;
  }
  return Tone::plain;
}

std::string text_line(const CaseOutcome& outcome, const Columns& columns,
                      const Terminal& terminal) {
  const Case& of = *outcome.of;
  const std::string verdict = fmt::format("{:{}}", verdict_of(outcome), columns.verdict);
  return fmt::format("{}  {:{}}  {:{}}  {:{}}  {}\n", toned(verdict, tone_of(outcome), terminal),
                     one_line(outcome.backend), columns.backend, one_line(of.id), columns.id,
                     one_line(of.system), columns.system, one_line(of.title));
}

bool is_bad(const CaseOutcome& outcome) {
  return outcome.status == Status::failed || outcome.status == Status::unperformed;
}

std::string reasons_of(const CaseOutcome& outcome) {
  std::string text;
  for (const std::string& reason : outcome.reasons) {
    text += fmt::format("      {}\n", one_line(reason));
  }
  return text;
}

std::string text_details(const CaseOutcome& outcome) {
  const Case& of = *outcome.of;
  std::string text = reasons_of(outcome);
  text +=
      fmt::format("      case: {} ({})\n", one_line(place_of(of)), certainty_name(of.certainty));
  for (const std::string& source : of.source) {
    text += fmt::format("      source: {}\n", one_line(source));
  }
  if (!of.ambiguity.empty()) text += fmt::format("      ambiguity: {}\n", one_line(of.ambiguity));
  if (!of.note.empty()) text += fmt::format("      note: {}\n", one_line(of.note));
  return text;
}

// What the cases of the first backend rest on: every backend has the same cases.
std::string certainty_line(std::span<const CaseOutcome> outcomes) {
  constexpr std::array all_certainties = {Certainty::documented, Certainty::source,
                                          Certainty::inferred, Certainty::observed};
  std::string text;
  for (const Certainty certainty : all_certainties) {
    const auto number = std::ranges::count_if(
        outcomes, [&](const CaseOutcome& outcome) { return outcome.of->certainty == certainty; });
    if (number == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, certainty_name(certainty));
  }
  return fmt::format("what the cases rest on: {}\n", text);
}

// A double-quoted scalar, in the common part of YAML and JSON.
std::string yaml_scalar(std::string_view text) {
  std::string out = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// A TAP description ends at a '#', which begins a directive.
std::string tap_description(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '#' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string tap_details(const CaseOutcome& outcome) {
  const Case& of = *outcome.of;
  std::string text = "  ---\n";
  text += fmt::format("  status: {}\n  system: {}\n  case: {}\n  certainty: {}\n",
                      status_name(outcome.status), yaml_scalar(of.system),
                      yaml_scalar(place_of(of)), certainty_name(of.certainty));
  // A block of text, and not a sequence: TAP::Parser's reader takes a quoted item with ": " in it
  // for a mapping. Its own blocks end at an empty line.
  const auto list = [&](std::string_view name, const std::vector<std::string>& lines) {
    text += fmt::format("  {}: |\n", name);
    for (const std::string& line : lines) {
      const std::size_t start = line.find_first_not_of(' ');
      if (start == std::string::npos) continue;
      text += fmt::format("    {}\n", one_line(std::string_view(line).substr(start)));
    }
  };
  list("reasons", outcome.reasons);
  list("source", of.source);
  return text + "  ...\n";
}

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string junit_case(const CaseOutcome& outcome) {
  const Case& of = *outcome.of;
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}: {}\"", xml(of.system),
                                 xml(of.id), xml(of.title));
  if (outcome.status == Status::passed) return text + "/>\n";
  if (outcome.status == Status::skipped) {
    return text + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                              xml(outcome.reasons.front()));
  }
  const std::string_view element = outcome.status == Status::failed ? "failure" : "error";
  const std::string_view type = outcome.status == Status::failed ? "difference" : "unperformed";
  text += fmt::format(">\n      <{} type=\"{}\" message=\"{}\">", element, type,
                      xml(outcome.reasons.front()));
  for (const std::string& reason : outcome.reasons) text += xml(reason) + "\n";
  text += fmt::format("case: {} ({})\n", xml(place_of(of)), certainty_name(of.certainty));
  for (const std::string& source : of.source) text += fmt::format("source: {}\n", xml(source));
  return text + fmt::format("</{}>\n    </testcase>\n", element);
}

nlohmann::ordered_json json_outcome(const CaseOutcome& outcome) {
  const Case& of = *outcome.of;
  nlohmann::ordered_json json = {
      {"id", of.id},
      {"title", of.title},
      {"system", of.system},
      {"backend", outcome.backend},
      {"status", status_name(outcome.status)},
      {"reasons", outcome.reasons},
      {"file", of.file},
      {"line", of.line},
      {"certainty", certainty_name(of.certainty)},
      {"source", of.source},
  };
  if (!of.ambiguity.empty()) json["ambiguity"] = of.ambiguity;
  if (!of.note.empty()) json["note"] = of.note;
  return json;
}

}  // namespace

std::string to_list(std::span<const Case* const> cases) {
  const auto id_width = width_of(cases, [](const Case* each) { return each->id; });
  const auto system_width = width_of(cases, [](const Case* each) { return each->system; });
  const auto rest_width =
      width_of(cases, [](const Case* each) { return certainty_name(each->certainty); });
  std::string text;
  for (const Case* const each : cases) {
    text += fmt::format("{:{}}  {:{}}  {:{}}  {}\n", one_line(each->id), id_width,
                        one_line(each->system), system_width, certainty_name(each->certainty),
                        rest_width, one_line(each->title));
  }
  return text;
}

std::string to_text(std::span<const CaseOutcome> outcomes, const Terminal& terminal) {
  const Columns columns = {
      width_of(outcomes, verdict_of),
      width_of(outcomes, [](const CaseOutcome& each) { return each.backend; }),
      width_of(outcomes, [](const CaseOutcome& each) { return each.of->id; }),
      width_of(outcomes, [](const CaseOutcome& each) { return each.of->system; }),
  };
  std::string text;
  std::string reasons;  // of the cases that were skipped last: they have one in common
  for (const CaseOutcome& outcome : outcomes) {
    text += text_line(outcome, columns, terminal);
    if (outcome.status == Status::skipped && reasons != reasons_of(outcome)) {
      reasons = reasons_of(outcome);
      text += reasons;
    }
    if (is_bad(outcome)) text += text_details(outcome);
  }
  text += "\n";
  const auto groups = by_backend(outcomes);
  for (const auto& [backend, group] : groups) {
    const Totals totals = count(group);
    text += fmt::format("{}: {} cases, {} passed, {} failed, {} unperformed", one_line(backend),
                        totals.all(), totals.passed, totals.failed, totals.unperformed);
    text += totals.skipped == 0 ? "\n" : fmt::format(", {} skipped\n", totals.skipped);
  }
  if (!groups.empty()) text += certainty_line(groups.front().second);
  return text;
}

std::string to_tap(std::span<const CaseOutcome> outcomes) {
  std::string text = fmt::format("TAP version 13\n1..{}\n", outcomes.size());
  std::size_t number = 0;
  for (const CaseOutcome& outcome : outcomes) {
    const Case& of = *outcome.of;
    text += fmt::format(
        "{}ok {} - {}", is_bad(outcome) ? "not " : "", ++number,
        tap_description(fmt::format("{} {} {}: {}", outcome.backend, of.system, of.id, of.title)));
    if (outcome.status == Status::skipped) {
      text += fmt::format(" # SKIP {}", tap_description(outcome.reasons.front()));
    }
    text += "\n";
    if (is_bad(outcome)) text += tap_details(outcome);
  }
  return text;
}

std::string to_junit(std::span<const CaseOutcome> outcomes) {
  const Totals all = count(outcomes);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"hardclock conform\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
      all.all(), all.failed, all.unperformed);
  for (const auto& [backend, group] : by_backend(outcomes)) {
    const Totals totals = count(group);
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "skipped=\"{}\">\n",
        xml(backend), totals.all(), totals.failed, totals.unperformed, totals.skipped);
    for (const CaseOutcome& outcome : group) text += junit_case(outcome);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

std::string to_json(std::span<const CaseOutcome> outcomes) {
  nlohmann::ordered_json json = {{"format", "hardclock conform outcomes, v1"}};
  json["summary"] = nlohmann::ordered_json::object();
  for (const auto& [backend, group] : by_backend(outcomes)) {
    const Totals totals = count(group);
    json["summary"][backend] = {{"cases", totals.all()},
                                {"passed", totals.passed},
                                {"failed", totals.failed},
                                {"unperformed", totals.unperformed},
                                {"skipped", totals.skipped}};
  }
  json["outcomes"] = nlohmann::ordered_json::array();
  for (const CaseOutcome& outcome : outcomes) json["outcomes"].push_back(json_outcome(outcome));
  // File names are the host's and may be no UTF-8.
  constexpr auto replace_invalid = nlohmann::ordered_json::error_handler_t::replace;
  return json.dump(2, ' ', false, replace_invalid) + "\n";
}

}  // namespace hardclock::conform
