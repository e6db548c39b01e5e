// epoll(7) and eventfd(2).
#include <memory>
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/epoll.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;

// Files and directories of the host are always ready: nobody waits for them.
bool can_be_watched(const posix::OpenFile& file) {
  const auto status = file.status();
  return status && status->type != host::FileType::regular &&
         status->type != host::FileType::directory;
}

// EINVAL; ELOOP, which Linux gives where they nest more deeply.
std::optional<Errno> refusal(const Epoll& epoll, posix::OpenFile& file) {
  if (&epoll == &file) return Errno::einval;
  const Epoll* const inner = epoll_of(&file);
  if (inner == nullptr) return std::nullopt;
  if (inner->watches_epolls() || epoll.is_watched()) return Errno::eloop;
  return std::nullopt;
}

// epoll_wait(epoll, events, count, ...)
CallResult wait_within(Call& call, const TimeLimit& limit) {
  constexpr std::int32_t most = 1 << 20;
  const std::int32_t count = call.signed_argument(2);
  const auto epoll = posix::file_of_kind_at<Epoll>(call);
  if (!epoll) return CallResult::failure(epoll.error());
  if (count <= 0 || count > most) return CallResult::failure(Errno::einval);
  const std::uint64_t event_bytes = 16;
  if (!call.memory.probe(call.address(1), event_bytes, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  if (!(*epoll)->readable(&call.thread)) {
    const auto waits = wait_for(
        call, limit,
        FileWait{{{.descriptor = call.signed_argument(0), .file = *epoll, .for_reading = true}}});
    if (waits) return *waits;
  }
  // struct epoll_event {uint32_t events; uint64_t data}
  GuestStruct answer(call);
  const auto found = (*epoll)->take(static_cast<std::size_t>(count), &call.thread);
  for (const Epoll::Found& one : found) answer.word(one.events).wide(one.data);
  if (found.empty()) return CallResult::value(0);
  return answer.store(call, call.address(1), CallResult::value(found.size()));
}

TimeLimit milliseconds_at(const Call& call, std::size_t argument) {
  constexpr std::uint64_t nanoseconds_per_millisecond = 1'000'000;
  const std::int32_t milliseconds = call.signed_argument(argument);
  if (milliseconds < 0) return std::nullopt;
  const auto length = static_cast<std::uint64_t>(milliseconds);
  return TimeSpan{length / 1000, length % 1000 * nanoseconds_per_millisecond};
}

}  // namespace

CallResult add_anonymous_file(Call& call, const std::shared_ptr<posix::OpenFile>& file,
                              std::uint32_t flags) {
  const posix::OpenFlags& known = call.system.open_flags;
  file->status_flags = flags & known.non_block;
  return posix::add_descriptor(call, file, (flags & known.close_on_exec) != 0);
}

// eventfd2(value, flags)
CallResult eventfd2(Call& call) {
  constexpr std::uint32_t semaphore = 1;
  const posix::OpenFlags& known = call.system.open_flags;
  const std::uint32_t flags = new_file_flags(call, 1);
  if ((flags & ~(semaphore | known.non_block | known.close_on_exec)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  return add_anonymous_file(
      call,
      std::make_shared<EventFile>(*call.os.files().records(), call.memory.endian(),
                                  call.argument(0), (flags & semaphore) != 0),
      flags);
}

CallResult epoll_create1(Call& call) {
  if ((call.argument(0) & ~call.system.open_flags.close_on_exec) != 0) {
    return CallResult::failure(Errno::einval);
  }
  return add_anonymous_file(
      call, std::make_shared<Epoll>(*call.os.files().records(), call.simulation().budget()),
      call.argument(0));
}

// epoll_create(size), where the size says nothing.
CallResult epoll_create(Call& call) {
  if (call.signed_argument(0) <= 0) return CallResult::failure(Errno::einval);
  call.arguments[0] = 0;
  return epoll_create1(call);
}

// epoll_ctl(epoll, operation, file, event)
CallResult epoll_ctl(Call& call) {
  enum Operation : std::uint32_t { add = 1, remove, change };
  const auto epoll_file = posix::file_at(call);
  const auto file = posix::file_at(call, 2);
  if (epoll_file == nullptr || file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t operation = call.argument(1);
  GuestReader reader(call, call.address(3));
  std::uint32_t events = 0;
  std::uint64_t data = 0;
  if (operation != remove) {
    reader.word(events).wide(data);
    if (!reader.ok()) return CallResult::failure(Errno::efault);
  }
  if (!can_be_watched(*file)) return CallResult::failure(Errno::eperm);
  const auto epoll = posix::file_of_kind_at<Epoll>(call);
  if (!epoll) return CallResult::failure(epoll.error());
  if (const auto error = refusal(**epoll, *file)) return CallResult::failure(*error);
  const std::int32_t descriptor = call.signed_argument(2);
  bool is_done = false;
  switch (operation) {
    case add: {
      const auto added = (*epoll)->add(descriptor, file, events, data);
      return added ? CallResult::value(0) : CallResult::failure(added.error());
    }
    case change:
      is_done = (*epoll)->change(descriptor, file, events, data);
      break;
    case remove:
      is_done = (*epoll)->remove(descriptor, file);
      break;
    default:
      return CallResult::failure(Errno::einval);
  }
  return is_done ? CallResult::value(0) : CallResult::failure(Errno::enoent);
}

// epoll_wait(epoll, events, count, milliseconds)
CallResult epoll_wait(Call& call) {
  return wait_within(call, milliseconds_at(call, 3));
}

// epoll_pwait2(epoll, events, count, time, mask, bytes), whose time has 64 bits everywhere.
CallResult epoll_pwait2(Call& call) {
  return with_signal_mask(call, 4, [](Call& within) {
    const auto limit = read_time(within, 3, TimeForm::wide);
    return limit ? wait_within(within, *limit) : CallResult::failure(limit.error());
  });
}

}  // namespace hardclock::gnu_linux::calls
