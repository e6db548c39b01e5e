#include "sim/report/callgrind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "sim/report/reason_names.h"
#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

// Readers take a number in parentheses at the front for the number of a name.
std::string shown_name(std::string bytes) {
  std::string name = printable_name(std::move(bytes));
  const bool is_number =
      name.size() > 1 && name[0] == '(' && std::isdigit(static_cast<unsigned char>(name[1])) != 0;
  return is_number ? "'" + name : name;
}

class Writer {
 public:
  Writer(const CallGraph& graph, const Lines& lines, std::ostream& out)
      : graph_(graph), lines_(lines), has_lines_(finds_lines()), out_(out) {}

  void write() {
    out_ << "# callgrind format\nversion: 1\ncreator: hardclock\n";
    if (!graph_.command.empty()) out_ << "cmd: " << printable_name(graph_.command) << "\n";
    write_events();
    out_ << "summary: " + numbers(graph_.total) + reasons(graph_.reasons) + "\n";
    const std::string* object = nullptr;
    for (std::uint32_t i = 0; i < graph_.functions.size(); ++i) {
      const ProfiledFunction& function = graph_.functions[i];
      if (object == nullptr || *object != function.object) {
        object = &function.object;
        out_ << fmt::format("\nob={}\n", object_name(function));
      }
      begin_file(function);
      out_ << fmt::format("fl={}\nfn={}\n", own_file_, shown_name(function.title()));
      write_points(i);
      write_sites(i);
    }
  }

 private:
  // The names that people see before those of the columns, as callgrind has them.
  void write_events() {
    std::string events = graph_.has_cycles ? "Cycles Ticks" : "Ticks";
    out_ << (has_lines_ ? "positions: instr line\n" : "positions: instr\n");
    if (graph_.has_reasons) {
      for (const CycleReason reason : all_cycle_reasons) {
        const std::string event = event_of(reason);
        out_ << fmt::format("event: {} : cycles, {}\n", event, name_of(reason));
        events += " " + event;
      }
    }
    out_ << "events: " + events + "\n";
  }

  // "InstructionMiss": a blank would end the name.
  static std::string event_of(CycleReason reason) {
    std::string event;
    bool is_first = true;
    for (const char c : name_of(reason)) {
      if (c != ' ') event += is_first ? static_cast<char>(c - 'a' + 'A') : c;
      is_first = c == ' ';
    }
    return event;
  }

  static std::string object_name(const ProfiledFunction& function) {
    return function.object.empty() ? "(outside)" : shown_name(function.object);
  }

  const LineTable* lines_of(const ProfiledFunction& function) const {
    if (function.is_of_program) return find_lines(lines_, "");
    return function.object.empty() ? nullptr : find_lines(lines_, function.object);
  }

  static std::string file_at(const LineTable* lines, GuestAddr address) {
    const LineRange* const range = lines != nullptr ? lines->find(address) : nullptr;
    return range == nullptr ? "???" : shown_name(lines->file_of(*range).path);
  }

  static std::string first_file(const LineTable* lines, const ProfiledFunction& function) {
    return function.address ? file_at(lines, *function.address) : "???";
  }

  void begin_file(const ProfiledFunction& function) {
    function_lines_ = lines_of(function);
    own_file_ = file_ = first_file(function_lines_, function);
  }

  // fl is the file in which the function begins; fi says that code of another one is inlined, fe
  // that the function's own goes on. Returns the line.
  std::uint32_t go_to_line(GuestAddr address) {
    const LineRange* const range =
        function_lines_ != nullptr ? function_lines_->find(address) : nullptr;
    if (range == nullptr) return 0;
    std::string file = shown_name(function_lines_->file_of(*range).path);
    if (file != file_) out_ << fmt::format("{}={}\n", file == own_file_ ? "fe" : "fi", file);
    file_ = std::move(file);
    return range->line;
  }

  void write_points(std::uint32_t function) {
    for (; point_ < graph_.points.size() && graph_.points[point_].function == function; ++point_) {
      const CodePoint& point = graph_.points[point_];
      const std::uint32_t line = go_to_line(point.address);
      out_ << fmt::format("{} {}{}\n", position(point.address, line), numbers(point.own),
                          reasons(graph_.reasons_of(point_)));
    }
  }

  void write_sites(std::uint32_t function) {
    for (; site_ < graph_.sites.size() && graph_.sites[site_].caller == function; ++site_) {
      const CallSite& site = graph_.sites[site_];
      const ProfiledFunction& callee = graph_.functions[site.callee];
      const LineTable* const lines = lines_of(callee);
      const GuestAddr target = callee.address.value_or(GuestAddr(0));
      const LineRange* const range = lines != nullptr ? lines->find(target) : nullptr;
      const std::uint32_t line = go_to_line(site.site);
      out_ << fmt::format("cob={}\ncfi={}\ncfn={}\ncalls={} {}\n{} {}\n", object_name(callee),
                          first_file(lines, callee), shown_name(callee.title()), site.calls,
                          position(target, range == nullptr ? 0 : range->line),
                          position(site.site, line), numbers(site.inclusive));
    }
  }

  // Where nothing has a line, a line of 0 everywhere would hide the costs from speedscope, which
  // knows one position.
  std::string position(GuestAddr address, std::uint32_t line) const {
    if (!has_lines_) return fmt::format("0x{:x}", address.value());
    return fmt::format("0x{:x} {}", address.value(), line);
  }

  bool finds_lines() const {
    return std::ranges::any_of(graph_.points, [&](const CodePoint& point) {
      const LineTable* const lines = lines_of(graph_.functions[point.function]);
      return lines != nullptr && lines->find(point.address) != nullptr;
    });
  }

  std::string numbers(const Cost& cost) const {
    return graph_.has_cycles ? fmt::format("{} {}", cost.cycles, cost.ticks)
                             : std::to_string(cost.ticks);
  }

  std::string reasons(const CyclesByReason& cycles) const {
    std::string text;
    if (!graph_.has_reasons) return text;
    for (const CycleReason reason : all_cycle_reasons) text += fmt::format(" {}", cycles[reason]);
    return text;
  }

  const CallGraph& graph_;
  const Lines& lines_;
  const bool has_lines_;
  std::ostream& out_;
  const LineTable* function_lines_ = nullptr;  // of the function that is written
  std::string own_file_;                       // in which it begins
  std::string file_;                           // of the last position
  std::size_t point_ = 0;
  std::size_t site_ = 0;
};

}  // namespace

void to_callgrind(const CallGraph& graph, const Lines& lines, std::ostream& out) {
  Writer(graph, lines, out).write();
}

}  // namespace hardclock::report
