// perf script's text, as FlameGraph's stackcollapse-perf.pl reads it: a line "COMMAND PID TIME:
// PERIOD EVENT:", a line "ADDRESS NAME (FILE)" for each function, the innermost first, and an empty
// one. Each stack has two samples, near its begin and its end, which share its period: speedscope
// 1.25 gives a sample the time from half-way to the one before to half-way to the next. So they are
// half a cycle or tick inside. A period of 1 has one sample, since stackcollapse-perf.pl takes 0
// for 1; it is a quarter short where it is the first or the last of all.
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
    std::uint64_t all = 0;
    for (const CallPath& path : graph_.paths) all += path.own.*of;
    std::uint64_t begin = 0;
    for_each_stack(graph_, [&](std::span<const std::uint32_t> functions, const Cost& own) {
      const std::uint64_t period = own.*of;
      if (period == 0) return;
      const std::uint64_t end = begin + period;
      const double first = static_cast<double>(begin) + (begin == 0 ? 0 : 0.5);
      const double last = static_cast<double>(end) - (end == all ? 0 : 0.5);
      if (period > 1) write_sample(functions, first / per_second(rate), period - period / 2, event);
      write_sample(functions, (period == 1 && begin == 0 ? first : last) / per_second(rate),
                   std::max<std::uint64_t>(1, period / 2), event);
      begin = end;
    });
  }

  std::string take() { return std::move(text_); }

 private:
  // Without a rate, one.
  static double per_second(Hertz rate) {
    return static_cast<double>(std::max<std::uint64_t>(1, rate.value()));
  }

  void write_sample(std::span<const std::uint32_t> functions, double time, std::uint64_t period,
                    std::string_view event) {
    text_ += fmt::format("{} 1 {:.9f}: {} {}: \n", command_, time, period, event);
    for (std::size_t i = functions.size(); i-- > 0;) text_ += lines_[functions[i]];
    text_ += '\n';
  }

  const CallGraph& graph_;
  std::string command_;
  std::vector<std::string> lines_;  // by function
  std::string text_;
};

}  // namespace

Written to_perf_script(const CallGraph& graph) {
  std::vector<std::string> lines;
  for (const ProfiledFunction& function : graph.functions) lines.push_back(line_of(function));
  const auto bytes_of = [&](std::uint32_t function) { return lines[function].size(); };
  const auto times_of = [&](const Cost& own) {
    constexpr std::uint64_t most = 2;  // samples of a path in an event
    return (graph.has_cycles ? std::min(most, own.cycles) : 0) + std::min(most, own.ticks);
  };
  if (auto why = too_long(graph, "perf script's text", bytes_of, times_of)) return Failure{*why};
  Writer writer(graph, std::move(lines));
  if (graph.has_cycles) writer.write(&Cost::cycles, "cycles", graph.cpu);
  writer.write(&Cost::ticks, "ticks", graph.tick_rate);
  return writer.take();
}

}  // namespace hardclock::report
