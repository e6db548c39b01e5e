#include "syscalls/posix/wait_events.h"

#include <algorithm>

#include "syscalls/posix/socket.h"

namespace hardclock::posix {
namespace {

// One byte is what select(2) asks for, too.
bool takes(const OpenFile& file, std::size_t bytes) {
  return bytes == 1 ? file.takes_more() : file.writable(bytes);
}

bool has_happened_to(const FileWatch& watch) {
  OpenFile& file = *watch.file;
  if (watch.for_urgent && file.has_urgent()) return true;
  if (watch.for_hangup) {
    const Readiness ready = file.readiness();
    return ready.hung_up || ready.failed || (watch.for_reading && ready.readable) ||
           (watch.bytes_to_write != 0 && ready.writable) || (watch.for_end && ready.ended);
  }
  return (watch.for_reading && file.readable()) ||
         (watch.bytes_to_write != 0 && takes(file, watch.bytes_to_write));
}

std::string text_of(const FileWatch& watch) {
  std::string text = "descriptor " + std::to_string(watch.descriptor) + " to";
  std::string separator = " ";
  const auto add = [&](const std::string& what) {
    text += separator + what;
    separator = " or ";
  };
  if (watch.for_reading) add("be readable");
  if (watch.bytes_to_write != 0) add("take " + std::to_string(watch.bytes_to_write) + " bytes");
  if (watch.for_urgent) add("have urgent data");
  if (watch.for_hangup) add("be hung up");
  return text;
}

bool has_an_event(const FileWatch& watch) {
  return watch.for_reading || watch.bytes_to_write != 0 || watch.for_hangup || watch.for_urgent;
}

}  // namespace

bool FileEvent::has_happened() const {
  return std::ranges::any_of(files_, has_happened_to);
}

bool FileEvent::comes_from_outside() const {
  return std::ranges::any_of(files_, [](const FileWatch& watch) {
    Socket* const socket = watch.file->socket();
    if (socket != nullptr && socket->outside() != nullptr) return true;
    return watch.for_reading && watch.file->terminal() != nullptr;
  });
}

std::string FileEvent::description() const {
  std::string text;
  for (const FileWatch& watch : files_) {
    if (has_an_event(watch)) text += (text.empty() ? "" : ", ") + text_of(watch);
  }
  return text;
}

bool FileEvent::equals(const OsEvent& other) const {
  return files_ == static_cast<const FileEvent&>(other).files_;
}

std::string LockEvent::description() const {
  const std::string end =
      wanted_.end == RecordLock::to_any_end ? "any end" : std::to_string(wanted_.end);
  return std::string(wanted_.exclusive ? "an exclusive" : "a shared") + " lock on bytes " +
         std::to_string(wanted_.start) + " to " + end;
}

bool LockEvent::equals(const OsEvent& other) const {
  const auto& lock = static_cast<const LockEvent&>(other);
  return locks_ == lock.locks_ && file_ == lock.file_ && wanted_ == lock.wanted_;
}

WaitEvent file_event(std::vector<FileWatch> files) {
  return OsEventRef{std::make_shared<FileEvent>(std::move(files))};
}

WaitEvent lock_event(std::shared_ptr<const RecordLocks> locks, host::HostIdentity file,
                     const RecordLock& wanted) {
  return OsEventRef{std::make_shared<LockEvent>(std::move(locks), file, wanted)};
}

}  // namespace hardclock::posix
