#include "sim/report/viewers/output_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <utility>

#include "sim/report/callgrind.h"
#include "sim/report/places.h"
#include "sim/report/viewers/flame_graph.h"
#include "sim/report/viewers/page.h"
#include "sim/report/viewers/report_tables.h"

namespace hardclock::report {
namespace {

// Formats of profiles are in formats.def.
std::vector<OutputFormat> tables() {
  return {
      {"text",
       {".txt"},
       [](const View& view) -> Written {
         return to_text(view.table, {.terminal = view.terminal});
       }},
      {"csv", {".csv"}, [](const View& view) -> Written { return to_csv(table_of(view.table)); }},
      {"json",
       {".table.json"},
       [](const View& view) -> Written { return to_json(table_of(view.table)); }},
  };
}

std::vector<OutputFormat> call_graphs() {
  return {
      {"html",
       {".html"},
       [](const View& view) -> Written { return to_page(view.graph, view.table); }},
      {"svg", {".svg"}, [](const View& view) -> Written { return to_flame_graph(view.graph); }},
      {.name = "callgrind",
       .suffixes = {".callgrind", "callgrind.out"},
       .stream = [](const View& view,
                    std::ostream& out) { to_callgrind(view.graph, view.lines, out); },
       .shows_lines = true,
       .shows_points = true},
      {.name = "pprof",
       .suffixes = {".pb.gz"},
       .write = [](const View& view) { return to_pprof(view.graph, view.lines); },
       .shows_lines = true,
       .shows_points = true},
      {"speedscope",
       {".speedscope.json"},
       [](const View& view) { return to_speedscope(view.graph); }},
      {"firefox", {".firefox.json"}, [](const View& view) { return to_firefox(view.graph); }},
      {"folded", {".folded"}, [](const View& view) { return to_folded(view.graph); }},
      {"folded-ticks",
       {".ticks.folded"},
       [](const View& view) { return to_folded_ticks(view.graph); }},
      {"perf", {".perf"}, [](const View& view) { return to_perf_script(view.graph); }},
  };
}

// The length of the part of the file's name that asks for the format; 0: it does not.
std::size_t length_of_suffix(const OutputFormat& format, std::string_view file_name) {
  // Callgrind's own files have a process id behind the name.
  constexpr std::string_view callgrind = "callgrind.out.";
  if (format.name == "callgrind" && base_name(file_name).starts_with(callgrind)) {
    return base_name(file_name).size();
  }
  std::size_t longest = 0;
  for (const std::string_view suffix : format.suffixes) {
    if (asks_for(file_name, suffix)) longest = std::max(longest, suffix.size());
  }
  return longest;
}

std::string listed_suffixes() {
  std::vector<std::string_view> all;
  for (const OutputFormat& format : output_formats()) {
    all.insert(all.end(), format.suffixes.begin(), format.suffixes.end());
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

std::span<const OutputFormat> output_formats() {
  static const std::vector<OutputFormat> all = [] {
    std::vector<OutputFormat> formats = tables();
    for (OutputFormat each : call_graphs()) {
      each.shows_calls = true;
      formats.push_back(std::move(each));
    }
    for (const FormatName& each : profile_formats()) {
      formats.push_back({.name = each.name, .suffixes = each.suffixes});
    }
    return formats;
  }();
  return all;
}

Result<const OutputFormat*, std::string> output_format_called(std::string_view name) {
  const auto found = std::ranges::find(output_formats(), name, &OutputFormat::name);
  if (found != output_formats().end()) return &*found;
  std::vector<std::string_view> names;
  for (const OutputFormat& format : output_formats()) names.push_back(format.name);
  return Failure{
      fmt::format("no format is called '{}'; there are: {}", name, fmt::join(names, ", "))};
}

Result<const OutputFormat*, std::string> output_format_for(std::string_view file_name) {
  const OutputFormat* best = nullptr;
  std::size_t longest = 0;
  for (const OutputFormat& format : output_formats()) {
    const std::size_t length = length_of_suffix(format, file_name);
    if (length <= longest) continue;
    longest = length;
    best = &format;
  }
  if (best != nullptr) return best;
  return Failure{fmt::format("{}: no format has this suffix; end the name in one of {}", file_name,
                             listed_suffixes())};
}

Result<Ok, std::string> write_as(const OutputFormat& format, const ProfileSource& source,
                                 std::ostream& out) {
  if (!format.shows_functions()) return write_profile_as(source.sampled, format.name, out);
  const FlatReport table =
      flat(source.sampled, source.symbols, source.exact, source.program, source.objects);
  const CallGraph graph = call_graph(source.sampled, source.symbols, source.exact, source.program,
                                     source.objects, format.shows_points);
  const Lines no_lines;
  const View view{graph, table, source.lines != nullptr ? *source.lines : no_lines,
                  source.terminal};
  if (format.stream != nullptr) {
    format.stream(view, out);
    return Ok{};
  }
  const Written bytes = format.write(view);
  if (!bytes) return Failure{bytes.error()};
  out << *bytes;
  return Ok{};
}

Written write_as(const OutputFormat& format, const ProfileSource& source) {
  std::ostringstream bytes;
  bytes.exceptions(std::ios::badbit);  // it would end early without a word
  const auto written = write_as(format, source, bytes);
  if (!written) return Failure{written.error()};
  return std::move(bytes).str();
}

}  // namespace hardclock::report
