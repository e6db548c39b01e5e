// fcntl(2) and ioctl(2), as far as the systems agree.
#include "syscalls/posix/files/fcntl_calls.h"

#include <set>
#include <utility>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

constexpr std::uint32_t fd_cloexec = 1;
constexpr std::uint32_t o_rdonly = 0, o_wronly = 1, o_rdwr = 2;

std::uint32_t access_mode(const OpenFile& file) {
  const host::OpenRights rights = file.rights();
  return !rights.write ? o_rdonly : rights.read ? o_rdwr : o_wronly;
}

CallResult duplicate(Call& call, std::shared_ptr<OpenFile> file) {
  Descriptors& descriptors = call.descriptors();
  const std::int32_t lowest = call.signed_argument(2);
  if (lowest < 0 || static_cast<std::size_t>(lowest) >= descriptors.limit()) {
    return CallResult::failure(Errno::einval);
  }
  const auto number = descriptors.add(std::move(file), lowest);
  if (!number) return CallResult::failure(Errno::emfile);
  return CallResult::value(static_cast<std::uint32_t>(*number));
}

// Whether somebody is told of the file's news; O_ASYNC shows that.
void tell_news(Call& call, const std::shared_ptr<OpenFile>& file, bool is_told) {
  const std::uint32_t flag = call.system.open_flags.async;
  const bool was_told = (file->status_flags & flag) != 0;
  if (flag == 0 || is_told == was_told) return;
  file->status_flags ^= flag;
  if (is_told) {
    call.os.async_files().turn_on(file, call.signed_argument(0));
  } else {
    call.os.async_files().at(file).is_on = false;
  }
}

// Ignores the access mode and the flags that only open(2) takes.
CallResult set_flags(Call& call, const std::shared_ptr<OpenFile>& open_file) {
  OpenFile& file = *open_file;
  const OpenFlags& known = call.system.open_flags;
  const std::uint32_t settable =
      known.append | known.non_block | known.no_delay | known.sync | known.keep_access_time;
  const std::uint32_t wanted = call.argument(2);
  const auto may = file.keep_access_time((wanted & known.keep_access_time) != 0);
  if (!may) return CallResult::failure(to_errno(may.error()));
  const auto done = file.set_append((wanted & known.append) != 0);
  if (!done) return CallResult::failure(to_errno(done.error()));
  file.status_flags = (file.status_flags & ~settable) | (wanted & settable);
  if (AsyncFiles::can_be(file)) tell_news(call, open_file, (wanted & known.async) != 0);
  return CallResult::value(0);
}

// The position that `whence` counts from.
Result<std::int64_t, Errno> base_of(OpenFile& file, std::uint32_t whence) {
  if (whence == 0) return std::int64_t{0};
  if (whence == 1) {
    const auto position = file.seek(0, host::Whence::current);
    if (!position) return Failure{to_errno(position.error())};
    return static_cast<std::int64_t>(*position);
  }
  if (whence != 2) return Failure{Errno::einval};
  const auto status = file.status();
  if (!status) return Failure{to_errno(status.error())};
  return static_cast<std::int64_t>(status->size);
}

Result<RecordLock, Errno> to_lock(Call& call, const LockRequest& request) {
  const auto file = file_at(call);
  const auto base = base_of(*file, request.whence);
  if (!base) return Failure{base.error()};
  std::int64_t start = 0, end = 0;
  const bool overflows = __builtin_add_overflow(*base, request.start, &start) ||
                         __builtin_add_overflow(start, request.length, &end);
  if (overflows) return Failure{Errno::einval};
  if (request.length < 0) std::swap(start, end);
  if (start < 0) return Failure{Errno::einval};
  return RecordLock{
      .owner =
          request.of_open_file ? file->lock_owner(call.descriptors().locks()) : call.process.pid,
      .exclusive = request.kind == LockRequest::Kind::exclusive,
      .start = static_cast<std::uint64_t>(start),
      .end = request.length == 0 ? RecordLock::to_any_end : static_cast<std::uint64_t>(end)};
}

LockWait wait_for_lock(host::HostIdentity file, const RecordLock& lock) {
  LockWait wait{.device = file.device,
                .inode = file.inode,
                .owner = lock.owner,
                .exclusive = lock.exclusive,
                .start = lock.start};
  if (lock.end != RecordLock::to_any_end) wait.end = lock.end;
  return wait;
}

// What is in the way of a lock that a thread of the owner's waits for.
std::optional<RecordLock> blocker_of(Simulation& simulation, const RecordLocks& locks, int owner) {
  for (const Process* const process : simulation.processes()) {
    for (const auto& thread : process->threads) {
      const auto* const wait =
          thread->waiting() ? event_of<LockWait>(thread->wait->event) : nullptr;
      if (wait == nullptr || wait->owner != owner) continue;
      return locks.conflict({wait->device, wait->inode}, awaited_lock(*wait));
    }
  }
  return std::nullopt;
}

// Whether its owner, directly or not, waits for a lock of the caller's. An open file waits for
// nothing: several processes may have it (Linux, fs/locks.c, posix_locks_deadlock()).
bool waits_for_caller(Call& call, const RecordLocks& locks, const RecordLock& blocker) {
  std::set<int> seen;
  std::optional<RecordLock> next = blocker;
  while (next && next->owner != call.process.pid && seen.insert(next->owner).second) {
    next = blocker_of(call.simulation(), locks, next->owner);
  }
  return next && next->owner == call.process.pid;
}

}  // namespace

RecordLock awaited_lock(const LockWait& wait) {
  return {.owner = wait.owner,
          .exclusive = wait.exclusive,
          .start = wait.start,
          .end = wait.end.value_or(RecordLock::to_any_end)};
}

Result<std::optional<RecordLock>, Errno> find_lock(Call& call, const LockRequest& request) {
  if (request.kind == LockRequest::Kind::unlock) return Failure{Errno::einval};
  const auto file = file_at(call);
  if (!file->has_locks()) return Failure{Errno::einval};
  const auto lock = to_lock(call, request);
  if (!lock) return Failure{lock.error()};
  return call.descriptors().locks()->conflict(file->identity(), *lock);
}

CallResult set_lock(Call& call, const LockRequest& request, bool waits) {
  const auto file = file_at(call);
  if (!file->has_locks()) return CallResult::failure(Errno::einval);
  const host::HostIdentity identity = file->identity();
  const auto lock = to_lock(call, request);
  if (!lock) return CallResult::failure(lock.error());
  const std::shared_ptr<RecordLocks>& locks = call.descriptors().locks();
  if (request.kind == LockRequest::Kind::unlock) {
    const bool cleared = locks->clear(identity, *lock);
    return cleared ? CallResult::value(0) : CallResult::failure(Errno::enolck);
  }
  const host::OpenRights rights = file->rights();
  if (!(lock->exclusive ? rights.write : rights.read)) return CallResult::failure(Errno::ebadf);
  if (const auto blocker = locks->conflict(identity, *lock)) {
    if (!waits) return CallResult::failure(Errno::eagain);
    const bool may_deadlock = !request.of_open_file && waits_for_caller(call, *locks, *blocker);
    if (may_deadlock) return CallResult::failure(Errno::edeadlk);
    return CallResult::wait({.event = wait_for_lock(identity, *lock)});
  }
  if (!locks->set(identity, *lock)) return CallResult::failure(Errno::enolck);
  if (!request.of_open_file) call.descriptors().add_lock_owner(call.process.pid);
  return CallResult::value(0);
}

CallResult set_end(Call& call, const LockRequest& request) {
  const auto file = file_at(call);
  if (!file->rights().write) return CallResult::failure(Errno::ebadf);
  if (request.length != 0) return CallResult::failure(Errno::einval);
  const auto end = to_lock(call, request);
  if (!end) return CallResult::failure(end.error());
  const auto status = file->status();
  const bool may = !status || status->type != host::FileType::regular ||
                   may_have_size(call, status->size, end->start);
  return may ? done_or_errno(file->truncate(end->start)) : CallResult::failure(Errno::efbig);
}

std::optional<CallResult> fcntl_common(Call& call) {
  enum : std::uint32_t { f_dupfd, f_getfd, f_setfd, f_getfl, f_setfl };
  Descriptors& descriptors = call.descriptors();
  const std::int32_t number = call.signed_argument(0);
  const auto file = descriptors.get_raw(number);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  switch (call.argument(1)) {
    case f_dupfd:
      return duplicate(call, file);
    case f_getfd:
      return CallResult::value(descriptors.closes_on_exec(number) ? fd_cloexec : 0);
    case f_setfd:
      descriptors.set_close_on_exec(number, (call.argument(2) & fd_cloexec) != 0);
      return CallResult::value(0);
    case f_getfl:
      return CallResult::value(access_mode(*file) | file->status_flags);
    default:
      break;
  }
  if (file->is_path_only()) return CallResult::failure(Errno::ebadf);
  if (call.argument(1) == f_setfl) return set_flags(call, file);
  return std::nullopt;
}

CallResult count_available(Call& call) {
  const auto bytes = file_at(call)->available();
  if (!bytes) return CallResult::failure(Errno::enotty);
  const std::uint32_t count = static_cast<std::uint32_t>(*bytes);
  return write_words(call, call.address(2), {{count}}, CallResult::value(0));
}

CallResult set_non_blocking(Call& call) {
  const auto wanted = call.memory.read<std::uint32_t>(call.address(2));
  if (!wanted) return CallResult::failure(Errno::efault);
  const std::uint32_t flag = call.system.open_flags.non_block;
  std::uint32_t& flags = file_at(call)->status_flags;
  flags = *wanted != 0 ? flags | flag : flags & ~flag;
  return CallResult::value(0);
}

CallResult set_owner_at(Call& call) {
  const auto owner = call.memory.read<std::uint32_t>(call.address(2));
  if (!owner) return CallResult::failure(Errno::efault);
  const auto set = set_socket_owner(call, static_cast<std::int32_t>(*owner));
  return set.value_or(CallResult::failure(Errno::enotty));
}

CallResult get_owner_at(Call& call) {
  const auto owner = socket_owner(call);
  if (!owner) return CallResult::failure(Errno::enotty);
  return write_words(call, call.address(2), {{static_cast<std::uint32_t>(*owner)}},
                     CallResult::value(0));
}

CallResult set_async(Call& call) {
  const auto wanted = call.memory.read<std::uint32_t>(call.address(2));
  if (!wanted) return CallResult::failure(Errno::efault);
  const auto file = file_at(call);
  if (!AsyncFiles::can_be(*file)) return CallResult::failure(Errno::enotty);
  tell_news(call, file, *wanted != 0);
  return CallResult::value(0);
}

CallResult close_on_exec(Call& call, bool closes) {
  call.descriptors().set_close_on_exec(call.signed_argument(0), closes);
  return CallResult::value(0);
}

namespace calls {

// flock(fd, operation). A lock of another kind ends before the new one is asked for, which may then
// be refused (flock(2)).
CallResult flock(Call& call) {
  enum : std::uint32_t { lock_sh = 1, lock_ex = 2, lock_nb = 4, lock_un = 8 };
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t operation = call.argument(1) & ~lock_nb;
  if (operation != lock_sh && operation != lock_ex && operation != lock_un) {
    return CallResult::failure(Errno::einval);
  }
  const auto status = file->status();
  if (!status) return CallResult::failure(to_errno(status.error()));
  const FileNumber number{status->device, status->inode};
  FileLocks& locks = call.os.file_locks();
  const bool exclusive = operation == lock_ex;
  locks.clear(number, file.get());
  if (operation == lock_un) return CallResult::value(0);
  if (locks.is_free(number, file.get(), exclusive)) {
    locks.set(number, file, exclusive);
    return CallResult::value(0);
  }
  if ((call.argument(1) & lock_nb) != 0) return CallResult::failure(Errno::eagain);
  return CallResult::wait(
      {.event = FlockWait{
           .device = number.device, .inode = number.inode, .of = file, .exclusive = exclusive}});
}

}  // namespace calls
}  // namespace hardclock::posix
