#include "syscalls/posix/flock.h"

#include <algorithm>

#include "syscalls/posix/fields.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {
namespace {

constexpr std::uint16_t f_rdlck = 1, f_wrlck = 2, f_unlck = 3;

}  // namespace

Result<Flock, Errno> Flock::read(Call& call, const FlockLayout& layout) {
  Flock flock(layout, call.memory.endian());
  if (!call.memory.read_bytes(call.address(2), flock.bytes_)) return Failure{Errno::efault};
  return flock;
}

LockRequest Flock::range() const {
  return {.whence = Fields(bytes_, endian_).get16(2),
          .start = get(layout_.start),
          .length = get(layout_.length)};
}

std::optional<LockRequest> Flock::request() const {
  const std::uint16_t type = Fields(bytes_, endian_).get16(0);
  if (type < f_rdlck || type > f_unlck) return std::nullopt;
  LockRequest request = range();
  request.kind = type == f_rdlck   ? LockRequest::Kind::shared
                 : type == f_wrlck ? LockRequest::Kind::exclusive
                                   : LockRequest::Kind::unlock;
  return request;
}

CallResult Flock::answer(Call& call, const std::optional<RecordLock>& lock) {
  Fields fields(bytes_, endian_);
  fields.put16(0, !lock ? f_unlck : lock->exclusive ? f_wrlck : f_rdlck);
  if (lock) {
    fields.put16(2, 0);
    const std::size_t first = layout_.start;
    std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(first), bytes_.end(), 0);
    put(layout_.start, lock->start);
    const bool is_open = lock->end == RecordLock::to_any_end;
    put(layout_.length, is_open ? 0 : lock->end - lock->start);
    fields.put32(layout_.process, static_cast<std::uint32_t>(lock->owner));
  }
  if (!call.memory.write_bytes(call.address(2), bytes_)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

std::int64_t Flock::get(std::size_t at) const {
  const Fields fields(bytes_, endian_);
  return layout_.has_wide_offsets ? static_cast<std::int64_t>(fields.get64(at))
                                  : static_cast<std::int32_t>(fields.get32(at));
}

void Flock::put(std::size_t at, std::uint64_t value) {
  Fields fields(bytes_, endian_);
  layout_.has_wide_offsets ? fields.put64(at, value) : fields.put32(at, value);
}

}  // namespace hardclock::posix
