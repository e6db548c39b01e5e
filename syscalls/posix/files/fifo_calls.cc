#include "syscalls/posix/files/fifo_calls.h"

#include <utility>

#include "sim/state/archive.h"
#include "syscalls/posix/files/pipe.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

// EACCES. Writing to a FIFO changes nothing in the file system that it lies in.
std::optional<Errno> refusal(Call& call, const host::GuestPath& path,
                             const host::OpenOptions& options) {
  const auto allowed = call.os.files().access(path, {.read = options.read, .write = options.write});
  if (allowed || allowed.error() == host::Error::read_only) return std::nullopt;
  return to_errno(allowed.error());
}

std::shared_ptr<PipeEnd> new_end(const host::Node& node, host::OpenRights rights,
                                 std::shared_ptr<Pipe> pipe) {
  auto end = std::make_shared<PipeEnd>(std::move(pipe), rights);
  end->keep_status(node.status);
  return end;
}

// Opening a pipe without a name by a descriptor's waits for nobody (fs/pipe.c, fifo_open()).
bool is_nameless(const host::Node& node) {
  const auto* const end = dynamic_cast<const PipeEnd*>(node.object.get());
  return end != nullptr && end->path.empty();
}

// What the ends share; nullptr: there is no memory for it.
std::shared_ptr<Pipe> pipe_of(Call& call, const host::Node& node) {
  if (node.object != nullptr) return dynamic_cast<const PipeEnd&>(*node.object).pipe();
  return call.os.fifos().open(node.identity, call.os.files().records(), call.simulation().budget(),
                              call.system.pipe_sizes);
}

}  // namespace

// An end that waits is open already: so those who wait at both ends find each other.
std::optional<OpenedFifo> open_fifo(Call& call, const host::GuestPath& path,
                                    const std::optional<host::Node>& node,
                                    const host::OpenOptions& options, bool is_patient) {
  if (const Wait* const before = call.thread.wait_before()) {
    const auto* const event = event_of<FifoWait>(before->event);
    if (event != nullptr) return std::static_pointer_cast<OpenFile>(event->end);
  }
  const bool is_other =
      node && node->object != nullptr && dynamic_cast<PipeEnd*>(node->object.get()) == nullptr;
  if (!node || is_other || (options.create && options.exclusive)) return std::nullopt;
  if (node->status.type == host::FileType::socket) return CallResult::failure(Errno::enxio);
  if (options.directory) return CallResult::failure(Errno::enotdir);
  if (node->object == nullptr) {
    if (const auto error = refusal(call, path, options)) return CallResult::failure(*error);
  }
  auto pipe = pipe_of(call, *node);
  if (pipe == nullptr) return CallResult::failure(Errno::enfile);
  const bool waits_for_nobody = is_nameless(*node);
  const bool has_no_reader = options.write && !options.read && pipe->readers == 0;
  if (!is_patient && has_no_reader && !waits_for_nobody) return CallResult::failure(Errno::enxio);
  const host::OpenRights rights{.read = options.read, .write = options.write};
  const auto end = new_end(*node, rights, std::move(pipe));
  if (!is_patient || waits_for_nobody || end->has_met_other())
    return std::shared_ptr<OpenFile>(end);
  return CallResult::wait({.event = FifoWait{end}});
}

void Fifos::archive(Archive& to) {
  to.saved(open_);
}

}  // namespace hardclock::posix
