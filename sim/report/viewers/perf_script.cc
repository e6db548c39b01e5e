// perf script's text, as FlameGraph's stackcollapse-perf.pl reads it: a line "COMMAND PID TIME:
// PERIOD EVENT:", a line "ADDRESS NAME (FILE)" for each function, the innermost first, and an empty
// one.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/report/places.h"
#include "sim/report/viewers/stacks.h"
#include "sim/report/viewers/text.h"
#include "sim/report/viewers/viewers.h"

namespace hardclock::report {
namespace {

// As the kernel's comm, without spaces. Readers take a name of one letter for part of the next
// word.
std::string command_of(const CallGraph& graph) {
  constexpr std::size_t longest = 15;
  std::string command = plain_text(base_name(graph.program));
  if (command.empty()) command = "program";
  if (command.size() == 1) command += '_';
  command.resize(std::min(command.size(), longest));
  for (char& c : command) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  }
  return command;
}

// stackcollapse-perf.pl leaves out names that begin with a parenthesis.
std::string name_of(const ProfiledFunction& function) {
  std::string name = plain_text(function.title());
  if (name.starts_with('(')) name.front() = '[';
  if (name.starts_with('[') && name.ends_with(')')) name.back() = ']';
  return name;
}

std::string line_of(const ProfiledFunction& function) {
  const std::string object = function.object.empty() ? "[unknown]" : plain_text(function.object);
  return fmt::format("\t{:16x} {} ({})\n", function.address.value_or(GuestAddr(0)).value(),
                     name_of(function), object);
}

class Writer {
 public:
  Writer(const CallGraph& graph, std::vector<std::string> lines)
      : graph_(graph), command_(command_of(graph)), lines_(std::move(lines)) {}

  void write(std::uint64_t Cost::*of, std::string_view event, Hertz rate) {
    std::uint64_t before = 0;
    for_each_stack(graph_, [&](std::span<const std::uint32_t> functions, const Cost& own) {
      if (own.*of == 0) return;
      const double seconds =
          rate == Hertz() ? 0 : static_cast<double>(before) / static_cast<double>(rate.value());
      text_ += fmt::format("{} 1 {:.6f}: {} {}: \n", command_, seconds, own.*of, event);
      for (std::size_t i = functions.size(); i-- > 0;) text_ += lines_[functions[i]];
      text_ += '\n';
      before += own.*of;
    });
  }

  std::string take() { return std::move(text_); }

 private:
  const CallGraph& graph_;
  std::string command_;
  std::vector<std::string> lines_;  // by function
  std::string text_;
};

}  // namespace

Written to_perf_script(const CallGraph& graph) {
  std::vector<std::string> lines;
  for (const ProfiledFunction& function : graph.functions) lines.push_back(line_of(function));
  // Twice: a path may have both events.
  const auto bytes_of = [&](std::uint32_t function) { return 2 * lines[function].size(); };
  if (auto why = too_long(graph, "perf script's text", bytes_of)) return Failure{*why};
  Writer writer(graph, std::move(lines));
  if (graph.has_cycles) writer.write(&Cost::cycles, "cycles", graph.cpu);
  writer.write(&Cost::ticks, "ticks", graph.tick_rate);
  return writer.take();
}

}  // namespace hardclock::report
