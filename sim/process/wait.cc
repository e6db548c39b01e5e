#include "sim/process/wait.h"

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

std::string text_of(const FileWatch& watch) {
  std::vector<std::string> ends;
  if (watch.for_reading) ends.emplace_back("be readable");
  if (watch.bytes_to_write != 0) {
    ends.push_back("take " + std::to_string(watch.bytes_to_write) + " bytes");
  }
  if (watch.for_urgent) ends.emplace_back("have urgent data");
  if (watch.for_hangup) ends.emplace_back("be hung up");
  return "descriptor " + std::to_string(watch.descriptor) + " to " + joined(ends, " or ");
}

std::string text_of(const FileWait& event) {
  std::vector<std::string> files;
  for (const FileWatch& watch : event.files) {
    const bool has_an_event =
        watch.for_reading || watch.bytes_to_write != 0 || watch.for_hangup || watch.for_urgent;
    if (has_an_event) files.push_back(text_of(watch));
  }
  return joined(files, ", ");
}

std::string lock_text(bool exclusive) {
  return exclusive ? "an exclusive lock on " : "a shared lock on ";
}

std::string text_of(const LockWait& event) {
  return lock_text(event.exclusive) + "bytes " + std::to_string(event.start) + " to " +
         (event.end ? std::to_string(*event.end) : "any end");
}

std::string text_of(const FlockWait& event) {
  return lock_text(event.exclusive) + "a whole file";
}

std::string text_of(const SleepWait&) {
  return "another thread to wake it";
}

std::string text_of(const IpcWait& event) {
  switch (event.what) {
    case IpcWait::For::message:
      return "a message";
    case IpcWait::For::room:
      return "room in a message queue";
    case IpcWait::For::semaphore:
      break;
  }
  return "a semaphore";
}

std::string text_of(const FifoWait&) {
  return "the other end of a FIFO to be opened";
}

std::string text_of(const SocketWait& event) {
  return event.what == SocketWait::For::connection
             ? "another socket to accept a connection"
             : "another socket to have room for " + std::to_string(event.bytes) + " bytes";
}

std::string text_of(const StopWait&) {
  return "a process to stop";
}

std::string text_of(const ObjectEvent& event) {
  return std::visit([](const auto& what) { return text_of(what); }, event);
}

}  // namespace

bool Deadline::has_come(const VirtualClock& clock) const {
  return clock.ticks() >= tick || (moment && clock.now() >= *moment);
}

bool ChildEvent::includes(const Process& child) const {
  return (!pid || child.pid == *pid) && (!group || child.group == *group);
}

bool has_outcome(const WaitEvent& event) {
  return event_of<SleepWait>(event) != nullptr || event_of<IpcWait>(event) != nullptr ||
         event_of<FifoWait>(event) != nullptr;
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
