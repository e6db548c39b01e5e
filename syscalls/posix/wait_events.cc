// Whether what calls wait for has happened (sim/process/wait.h).
#include <algorithm>
#include <variant>

#include "syscalls/posix/files/fcntl_calls.h"
#include "syscalls/posix/files/pipe.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/process_control.h"
#include "syscalls/posix/sockets/socket.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {
namespace {

// A kind of event has objects of one type.
template <class Object>
Object& as(const ObjectRef& object) {
  return static_cast<Object&>(*object);
}

// One byte is what select(2) asks for, too.
bool takes(const OpenFile& file, std::size_t bytes) {
  return bytes == 1 ? file.takes_more() : file.writable(bytes);
}

bool has_happened_to(const FileWatch& watch, const Thread& asker) {
  OpenFile& file = as<OpenFile>(watch.file);
  if (watch.for_urgent && file.has_urgent()) return true;
  if (watch.for_hangup) {
    const Readiness ready = file.readiness(&asker);
    return ready.hung_up || ready.failed || (watch.for_reading && ready.readable) ||
           (watch.bytes_to_write != 0 && ready.writable) || (watch.for_end && ready.ended);
  }
  return (watch.for_reading && file.readable(&asker)) ||
         (watch.bytes_to_write != 0 && takes(file, watch.bytes_to_write));
}

// Asks on behalf of a thread.
struct Question {
  const Thread& asker;
  const FileLocks& file_locks;

  bool operator()(const FileWait& event) const {
    return std::ranges::any_of(
        event.files, [&](const FileWatch& watch) { return has_happened_to(watch, asker); });
  }
  bool operator()(const LockWait& event) const {
    const RecordLocks& locks = *thread_state_of(asker).descriptors->locks();
    return !locks.conflict({event.device, event.inode}, awaited_lock(event));
  }
  bool operator()(const FlockWait& event) const {
    return file_locks.is_free({event.device, event.inode}, &as<const OpenFile>(event.of),
                              event.exclusive);
  }
  bool operator()(const SleepWait& event) const {
    return as<const Sleeper>(event.sleeper).is_woken;
  }
  bool operator()(const IpcWait& event) const { return as<const IpcWaiter>(event.waiter).is_over; }
  bool operator()(const FifoWait& event) const {
    return as<const PipeEnd>(event.end).has_met_other();
  }
  bool operator()(const SocketWait& event) const {
    const ObjectRef object = event.socket.object.lock();
    if (object == nullptr) return true;
    const Socket& socket = as<const Socket>(object);
    if (event.what == SocketWait::For::datagram) return socket.takes_datagram(event.bytes);
    return !socket.is_listening() || socket.has_backlog_room();
  }
  bool operator()(const StopWait& event) const {
    const auto& control = as<const ProcessControl>(event.control);
    return control.process == nullptr || control.stands_still;
  }
};

}  // namespace

bool Kernel::has_happened(const Thread& waiting, const ObjectEvent& event) const {
  return std::visit(Question{waiting, file_locks_}, event);
}

bool Kernel::comes_from_outside(const ObjectEvent& event) const {
  const auto* const wait = std::get_if<FileWait>(&event);
  return wait != nullptr && std::ranges::any_of(wait->files, [](const FileWatch& watch) {
           return as<const OpenFile>(watch.file).is_made_ready_outside(watch.for_reading);
         });
}

}  // namespace hardclock::posix
