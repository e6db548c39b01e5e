#include "sim/report/callgrind.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

class Writer {
 public:
  explicit Writer(const CallGraph& graph) : graph_(graph) {}

  std::string write() {
    text_ = "# callgrind format\nversion: 1\ncreator: hardclock\n";
    if (!graph_.command.empty()) text_ += "cmd: " + printable_name(graph_.command) + "\n";
    text_ += graph_.has_cycles ? "positions: instr line\nevents: Cycles Ticks\n"
                               : "positions: instr line\nevents: Ticks\n";
    text_ += "summary: " + numbers(graph_.total) + "\n";
    const std::string* object = nullptr;
    for (std::uint32_t i = 0; i < graph_.functions.size(); ++i) {
      const ProfiledFunction& function = graph_.functions[i];
      if (object == nullptr || *object != function.object) {
        object = &function.object;
        text_ += fmt::format("\nob={}\n", object_name(function));
      }
      text_ += fmt::format("fl=???\nfn={}\n", printable_name(function.title()));
      write_points(i);
      write_sites(i);
    }
    return std::move(text_);
  }

 private:
  static std::string object_name(const ProfiledFunction& function) {
    return function.object.empty() ? "(outside)" : printable_name(function.object);
  }

  void write_points(std::uint32_t function) {
    for (; point_ < graph_.points.size() && graph_.points[point_].function == function; ++point_) {
      const CodePoint& point = graph_.points[point_];
      text_ += fmt::format("0x{:x} 0 {}\n", point.address.value(), numbers(point.own));
    }
  }

  void write_sites(std::uint32_t function) {
    for (; site_ < graph_.sites.size() && graph_.sites[site_].caller == function; ++site_) {
      const CallSite& site = graph_.sites[site_];
      const ProfiledFunction& callee = graph_.functions[site.callee];
      const GuestAddr target = callee.address.value_or(GuestAddr(0));
      text_ += fmt::format("cob={}\ncfi=???\ncfn={}\ncalls={} 0x{:x} 0\n0x{:x} 0 {}\n",
                           object_name(callee), printable_name(callee.title()), site.calls,
                           target.value(), site.site.value(), numbers(site.inclusive));
    }
  }

  std::string numbers(const Cost& cost) const {
    return graph_.has_cycles ? fmt::format("{} {}", cost.cycles, cost.ticks)
                             : std::to_string(cost.ticks);
  }

  const CallGraph& graph_;
  std::string text_;
  std::size_t point_ = 0;
  std::size_t site_ = 0;
};

}  // namespace

std::string to_callgrind(const CallGraph& graph) {
  return Writer(graph).write();
}

}  // namespace hardclock::report
