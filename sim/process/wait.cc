#include "sim/process/wait.h"

#include <typeinfo>
#include <vector>

#include "sim/clock/virtual_clock.h"
#include "sim/process/process.h"

namespace hardclock {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string text_of(const NoEvent&) {
  return "";
}

std::string text_of(const OthersTurn&) {
  return "the other threads' turn";
}

std::string text_of(const ChildEvent& event) {
  std::string text = event.pid ? "child " + std::to_string(*event.pid) : "any child";
  if (event.thread != 1) text += " thread " + std::to_string(event.thread);
  if (event.group) text += " of group " + std::to_string(*event.group);
  std::vector<std::string> verbs;
  if (event.ended) verbs.emplace_back("end");
  if (event.stopped) verbs.emplace_back("stop");
  if (event.continued) verbs.emplace_back("continue");
  return text + " to " + joined(verbs, " or ");
}

std::string text_of(const VforkEnd& event) {
  return "child " + std::to_string(event.child) + " to exec or exit";
}

std::string text_of(const SignalPending& event) {
  std::vector<std::string> numbers;
  for (unsigned signal = 1; signal <= max_signals; ++signal) {
    if (event.signals.test(signal - 1)) numbers.push_back(std::to_string(signal));
  }
  return "a signal of {" + joined(numbers, ", ") + "}";
}

std::string text_of(const OsEventRef& ref) {
  return ref.event->description();
}

}  // namespace

bool Deadline::has_come(const VirtualClock& clock) const {
  return clock.ticks() >= tick || (moment && clock.now() >= *moment);
}

bool ChildEvent::includes(const Process& child) const {
  return (!pid || child.pid == *pid) && (!group || child.group == *group);
}

bool operator==(const OsEventRef& a, const OsEventRef& b) {
  return typeid(*a.event) == typeid(*b.event) && a.event->equals(*b.event);
}

// The event is described, not told: it has objects of the personality's.
void Wait::archive(Archive& to) const {
  const auto& [what, on, deadline, done, name, at] = *this;
  const std::string described = std::visit([](const auto& one) { return text_of(one); }, what);
  to.state(std::uint64_t{what.index()}, described, on, deadline, done, name, at);
}

std::string describe(const Wait& wait) {
  const std::string event = std::visit([](const auto& what) { return text_of(what); }, wait.event);
  std::vector<std::string> ends;
  if (!event.empty()) ends.push_back(event);
  if (wait.until) ends.push_back("tick " + std::to_string(wait.until->tick.value()));
  if (!wait.ends_call()) ends.emplace_back("a signal");
  return "waits in " + wait.call + " for " + joined(ends, ", or ");
}

}  // namespace hardclock
