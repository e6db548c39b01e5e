#include "syscalls/posix/files/flock.h"

#include <algorithm>

#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {
void Flock::lay_out(auto& members) {
  members.half(type_).half(whence_);
  members.member(layout_.offset_bytes, start_).member(layout_.offset_bytes, length_);
  if (layout_.has_system) members.skip_longs(1);
  members.word(process_);
  if (layout_.spare_longs != 0) members.skip_longs(layout_.spare_longs);
  members.align(layout_.alignment);
}

Result<Flock, Errno> Flock::read(Call& call, const FlockLayout& layout) {
  Flock flock(layout);
  GuestReader reader(call, call.address(2));
  flock.lay_out(reader);
  flock.bytes_ = reader.offset();
  if (!reader.ok() || !call.memory.probe(call.address(2), flock.bytes_, Access::read)) {
    return Failure{Errno::efault};
  }
  return flock;
}

LockRequest Flock::range() const {
  const auto offset = [this](std::uint64_t value) {
    return layout_.offset_bytes == 8 ? static_cast<std::int64_t>(value)
                                     : static_cast<std::int32_t>(value);
  };
  return {.whence = whence_, .start = offset(start_), .length = offset(length_)};
}

std::optional<LockRequest> Flock::request() const {
  const int kind = type_ - layout_.shared_type;
  if (kind < 0 || kind > static_cast<int>(LockRequest::Kind::unlock)) return std::nullopt;
  LockRequest request = range();
  request.kind = static_cast<LockRequest::Kind>(kind);
  return request;
}

CallResult Flock::answer(Call& call, const std::optional<RecordLock>& lock) {
  GuestStruct answer(call);
  if (!lock) {
    // The rest stays, but has to be writable.
    if (!call.memory.probe(call.address(2), bytes_, Access::write)) {
      return CallResult::failure(Errno::efault);
    }
    return answer.half(type_of(LockRequest::Kind::unlock)).store(call, call.address(2));
  }
  type_ = type_of(lock->exclusive ? LockRequest::Kind::exclusive : LockRequest::Kind::shared);
  whence_ = 0;
  start_ = lock->start;
  const bool is_open = lock->end == RecordLock::to_any_end;
  length_ = is_open ? 0 : lock->end - lock->start;
  process_ = static_cast<std::uint32_t>(std::max(lock->owner, -1));  // -1: an open file
  lay_out(answer);
  return answer.store(call, call.address(2));
}

}  // namespace hardclock::posix
