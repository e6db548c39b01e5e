#include "syscalls/conform/compare.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace hardclock::conform {
namespace {

std::string errno_text(const std::string& name) {
  return name.empty() ? "no errno" : name;
}

std::string time_text(const TimeValue& time) {
  return fmt::format("{{{}, {}}}", time.seconds, time.microseconds);
}

class Comparison {
 public:
  explicit Comparison(const Case& of) : case_(of) {}

  std::vector<std::string> run(const Observation& seen) {
    compare_calls(seen.calls);
    for (const auto& [pid, buffers] : case_.expect.counters) {
      for (const auto& [name, elements] : buffers) compare_buffer(seen, pid, name, elements);
    }
    for (const auto& [pid, is_on] : case_.expect.profiling) compare_profiling(seen, pid, is_on);
    compare_ends(seen);
    if (omitted_ > 0) lines_.push_back(fmt::format("... and {} more differences", omitted_));
    return std::move(lines_);
  }

 private:
  void differ(std::string line) {
    if (lines_.size() < most_differences) {
      lines_.push_back(std::move(line));
    } else {
      ++omitted_;
    }
  }

  void compare_calls(const std::vector<CallResult>& seen) {
    std::vector<std::pair<std::string, const CallExpectation*>> expected = {
        {"the call", &case_.first.expect}};
    for (std::size_t i = 0; i < case_.events.size(); ++i) {
      if (const auto* const step = std::get_if<CallStep>(&case_.events[i].what)) {
        expected.emplace_back(fmt::format("events[{}].call", i), &step->expect);
      }
    }
    if (seen.size() != expected.size()) {
      differ(fmt::format("{} calls were made, not {}", seen.size(), expected.size()));
      return;
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      compare_call(expected[i].first, *expected[i].second, seen[i]);
    }
  }

  void compare_call(const std::string& name, const CallExpectation& expected,
                    const CallResult& seen) {
    if (!seen.returns || !expected.returns) {
      if (seen.returns)
        differ(fmt::format("{}: returned {}, and should not return", name, seen.ret));
      if (expected.returns) differ(fmt::format("{}: did not return", name));
      return;
    }
    if (seen.ret != expected.ret) {
      differ(fmt::format("{}: returned {}, not {}", name, seen.ret, expected.ret));
    }
    if (seen.errno_name != expected.errno_name) {
      differ(fmt::format("{}: {}, not {}", name, errno_text(seen.errno_name),
                         errno_text(expected.errno_name)));
    }
    if (expected.tv && seen.tv != expected.tv) {
      differ(fmt::format("{}: *tvp is {}, not {}", name, seen.tv ? time_text(*seen.tv) : "not set",
                         time_text(*expected.tv)));
    }
  }

  const ProcessObservation* find_process(const Observation& seen, int pid) {
    const auto found = seen.processes.find(pid);
    if (found != seen.processes.end()) return &found->second;
    differ(fmt::format("process {}: not there", pid));
    return nullptr;
  }

  void compare_buffer(const Observation& seen, int pid, const std::string& name,
                      const Elements& expected) {
    const ProcessObservation* const process = find_process(seen, pid);
    if (process == nullptr) return;
    const auto buffer = process->counters.find(name);
    if (buffer == process->counters.end()) {
      differ(fmt::format("process {}: {} is not mapped", pid, name));
      return;
    }
    std::set<std::uint64_t> indices;
    for (const auto& [index, value] : expected) indices.insert(index);
    for (const auto& [index, value] : buffer->second) indices.insert(index);
    for (const std::uint64_t index : indices) {
      const std::uint64_t is = value_at(buffer->second, index);
      const std::uint64_t should_be = value_at(expected, index);
      if (is == should_be) continue;
      differ(fmt::format("process {}: {}[{}] is {}, not {}", pid, name, index, is, should_be));
    }
  }

  static std::uint64_t value_at(const Elements& elements, std::uint64_t index) {
    const auto found = elements.find(index);
    return found == elements.end() ? 0 : found->second;
  }

  void compare_profiling(const Observation& seen, int pid, bool is_on) {
    const ProcessObservation* const process = find_process(seen, pid);
    if (process == nullptr) return;
    const char* const expected = is_on ? "on" : "off";
    if (!process->profiling) {
      differ(fmt::format("process {}: profiling cannot be seen, not {}", pid, expected));
    } else if (*process->profiling != is_on) {
      differ(
          fmt::format("process {}: profiling is {}, not {}", pid, is_on ? "off" : "on", expected));
    }
  }

  void compare_ends(const Observation& seen) {
    const auto text = [](const std::string& signal) {
      return signal.empty() ? "did not end" : fmt::format("ended by {}", signal);
    };
    for (const auto& [pid, process] : seen.processes) {
      const auto found = case_.expect.ended.find(pid);
      const std::string expected = found == case_.expect.ended.end() ? "" : found->second;
      if (process.ended == expected) continue;
      differ(fmt::format("process {}: {}, not {}", pid, text(process.ended), text(expected)));
    }
    for (const auto& [pid, signal] : case_.expect.ended) find_process(seen, pid);
  }

  const Case& case_;
  std::vector<std::string> lines_;
  std::size_t omitted_ = 0;
};

}  // namespace

std::vector<std::string> compare(const Case& of, const Observation& seen) {
  return Comparison(of).run(seen);
}

}  // namespace hardclock::conform
