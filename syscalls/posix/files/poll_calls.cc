// Waiting for files: poll(2) and select(2). Files and directories of the host are always ready.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {
namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;

constexpr std::uint64_t pollfd_bytes = 8;

// The events of System V and its successors; all data is "normal". POLLRDHUP is Linux's.
constexpr std::uint16_t pollin = 1, pollpri = 2, pollout = 4, pollerr = 8, pollhup = 0x10,
                        pollnval = 0x20, pollrdnorm = 0x40, pollrdhup = 0x2000;

struct Polled {
  std::int32_t descriptor = -1;
  std::shared_ptr<OpenFile> file;  // null: not open
  std::uint16_t events = 0;        // asked for
  bool is_ignored = false;         // its descriptor is negative
};

std::uint16_t events_of(const Polled& polled, const Thread& asker) {
  if (polled.is_ignored) return 0;
  if (polled.file == nullptr) return pollnval;
  const Readiness ready = polled.file->readiness(&asker);
  std::uint16_t events = 0;
  if (ready.hung_up) events |= pollhup;
  if (ready.failed) events |= pollerr;
  if (ready.readable) events |= polled.events & (pollin | pollrdnorm);
  if (ready.writable) events |= polled.events & pollout;
  if (polled.file->has_urgent()) events |= polled.events & pollpri;
  if (ready.ended) events |= polled.events & pollrdhup;
  return events;
}

// What makes events_of() of one of the files, which have none, answer some.
std::vector<FileWatch> watches_of(const std::vector<Polled>& files) {
  std::vector<FileWatch> watches;
  for (const Polled& polled : files) {
    if (polled.is_ignored) continue;
    const host::OpenRights rights = polled.file->rights();
    const bool reads = rights.read && (polled.events & (pollin | pollrdnorm)) != 0;
    const bool writes = rights.write && (polled.events & pollout) != 0;
    watches.push_back({polled.descriptor, polled.file, reads, writes ? 1U : 0U, true,
                       (polled.events & pollrdhup) != 0, (polled.events & pollpri) != 0});
  }
  return watches;
}

// ---- select(2)

// A set of descriptors: bit i % 32 of word i / 32.
using Words = std::vector<std::uint32_t>;

struct Selected {
  Words readable, writable, exceptional;
  std::uint64_t count() const {
    std::uint64_t bits = 0;
    for (const Words* words : {&readable, &writable, &exceptional}) {
      for (const std::uint32_t word : *words) bits += static_cast<unsigned>(std::popcount(word));
    }
    return bits;
  }
};

bool has(const Words& words, std::size_t number) {
  return (words[number / 32] >> (number % 32) & 1) != 0;
}

struct Watched {
  std::shared_ptr<OpenFile> file;
  std::size_t number = 0;
  bool for_reading = false, for_writing = false, for_urgent = false;
};

Selected ready_of(const std::vector<Watched>& files, std::size_t word_count, const Thread& asker) {
  Selected ready{Words(word_count), Words(word_count), Words(word_count)};
  for (const Watched& watched : files) {
    const std::uint32_t bit = std::uint32_t{1} << (watched.number % 32);
    const host::OpenRights rights = watched.file->rights();
    // What cannot be done at all does not make its caller wait.
    if (watched.for_reading && (!rights.read || watched.file->readable(&asker))) {
      ready.readable[watched.number / 32] |= bit;
    }
    if (watched.for_writing && (!rights.write || watched.file->takes_more())) {
      ready.writable[watched.number / 32] |= bit;
    }
    if (watched.for_urgent && watched.file->has_urgent()) {
      ready.exceptional[watched.number / 32] |= bit;
    }
  }
  return ready;
}

// What makes ready_of(), which has none of the files, answer one.
std::vector<FileWatch> watches_of(const std::vector<Watched>& files) {
  std::vector<FileWatch> watches;
  for (const Watched& watched : files) {
    watches.push_back({static_cast<int>(watched.number), watched.file, watched.for_reading,
                       watched.for_writing ? 1U : 0U, false, false, watched.for_urgent});
  }
  return watches;
}

// An address of 0 is an empty set.
Result<Words, Errno> read_set(Call& call, std::size_t argument, std::size_t word_count) {
  Words words(word_count);
  const GuestAddr address = call.address(argument);
  if (address == GuestAddr(0)) return words;
  for (std::size_t i = 0; i < word_count; ++i) {
    const auto word = call.memory.read<std::uint32_t>(address + 4 * i);
    if (!word) return Failure{Errno::efault};
    words[i] = *word;
  }
  return words;
}

// The files whose descriptors below `count` are in one of the sets at arguments 1 to 3. EBADF.
Result<std::vector<Watched>, Errno> read_sets(Call& call, std::size_t count) {
  const std::size_t word_count = (count + 31) / 32;
  std::vector<Words> sets;
  for (const std::size_t argument : {1, 2, 3}) {
    auto set = read_set(call, argument, word_count);
    if (!set) return Failure{set.error()};
    sets.push_back(*std::move(set));
  }
  std::vector<Watched> files;
  for (std::size_t number = 0; number < count; ++number) {
    const bool reads = has(sets[0], number), writes = has(sets[1], number),
               for_urgent = has(sets[2], number);
    if (!reads && !writes && !for_urgent) continue;
    // A descriptor that only names its file is ready: it never waits (Linux, fs/select.c).
    auto file = call.descriptors().get_raw(static_cast<std::int64_t>(number));
    if (file == nullptr) return Failure{Errno::ebadf};
    files.push_back({std::move(file), number, reads, writes, for_urgent});
  }
  return files;
}

CallResult write_sets(Call& call, const Selected& ready) {
  const std::array<const Words*, 3> sets = {&ready.readable, &ready.writable, &ready.exceptional};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (call.address(i + 1) == GuestAddr(0)) continue;
    const CallResult written =
        write_words(call, call.address(i + 1), *sets[i], CallResult::value(0));
    if (written.kind == CallResult::Kind::error) return written;
  }
  return CallResult::value(ready.count());
}

// The time limit in a struct timeval; EINVAL if it is invalid.
Result<calls::TimeLimit, Errno> read_timeout(Call& call, GuestAddr address) {
  if (address == GuestAddr(0)) return calls::TimeLimit();
  GuestReader timeval(call, address);
  const std::int64_t seconds = timeval.time(), microseconds = timeval.signed_long();
  if (!timeval.ok()) return Failure{Errno::efault};
  constexpr std::int64_t longest = 100'000'000;  // seconds; POSIX.1 asks for 31 days at least
  if (seconds < 0 || microseconds < 0 || microseconds >= microseconds_per_second) {
    return Failure{Errno::einval};
  }
  return calls::TimeLimit({static_cast<std::uint64_t>(std::min(seconds, longest)),
                           static_cast<std::uint64_t>(microseconds) * 1000});
}

}  // namespace

namespace calls {

std::optional<CallResult> wait_for(Call& call, const TimeLimit& limit, const WaitEvent& event) {
  Wait wait{.event = event, .on_signal = Interruptible{}};
  if (limit) {
    if (limit->seconds == 0 && limit->nanoseconds == 0) return std::nullopt;
    wait.until = call.first_deadline(end_after(call, *limit, event_slack(call, *limit)));
    if (wait.until->has_come(call.simulation().clock())) return std::nullopt;
  }
  return CallResult::wait(std::move(wait));
}

CallResult poll_for(Call& call, const TimeLimit& limit) {
  const std::uint64_t count = call.argument(1);
  if (count > call.descriptors().limit()) return CallResult::failure(Errno::einval);
  // struct pollfd {int fd; short events, revents}
  GuestReader reader(call, call.address(0));
  std::vector<Polled> files;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto descriptor = static_cast<std::int32_t>(reader.word());
    files.push_back(
        {descriptor, call.descriptors().get(descriptor), reader.half(), descriptor < 0});
    reader.skip(2);
  }
  if (!reader.ok() || !call.memory.probe(call.address(0), pollfd_bytes * count, Access::read)) {
    return CallResult::failure(Errno::efault);
  }
  const auto is_ready = [&](const Polled& polled) { return events_of(polled, call.thread) != 0; };
  if (std::ranges::none_of(files, is_ready)) {
    const auto waits = wait_for(call, limit, FileWait{watches_of(files)});
    if (waits) return *waits;
  }
  std::uint64_t ready = 0;
  GuestStruct answer(call);
  for (const Polled& polled : files) {
    const std::uint16_t events = events_of(polled, call.thread);
    if (events != 0) ++ready;
    answer.word(static_cast<std::uint32_t>(polled.descriptor)).half(polled.events).half(events);
  }
  return answer.store(call, call.address(0), CallResult::value(ready));
}

// poll(descriptors, count, milliseconds)
CallResult poll(Call& call) {
  constexpr std::uint64_t nanoseconds_per_millisecond = 1'000'000;
  const std::uint64_t milliseconds = call.argument(2);
  if (call.signed_argument(2) < 0) return poll_for(call, std::nullopt);
  return poll_for(call,
                  TimeSpan{milliseconds / 1000, milliseconds % 1000 * nanoseconds_per_millisecond});
}

CallResult select_for(Call& call, const TimeLimit& limit) {
  const auto fd_setsize =
      std::max<std::int32_t>(1024, static_cast<std::int32_t>(call.descriptors().limit()));
  const std::int32_t count = call.signed_argument(0);
  if (count < 0 || count > fd_setsize) return CallResult::failure(Errno::einval);
  const auto files = read_sets(call, static_cast<std::size_t>(count));
  if (!files) return CallResult::failure(files.error());
  const std::size_t word_count = (static_cast<std::size_t>(count) + 31) / 32;
  const Selected ready = ready_of(*files, word_count, call.thread);
  if (ready.count() == 0) {
    const auto waits = wait_for(call, limit, FileWait{watches_of(*files)});
    if (waits) return *waits;
  }
  return write_sets(call, ready);
}

// select(count, readable, writable, exceptional, timeout)
CallResult select(Call& call) {
  const auto limit = read_timeout(call, call.address(4));
  if (!limit) return CallResult::failure(limit.error());
  return select_for(call, *limit);
}

}  // namespace calls
}  // namespace hardclock::posix
