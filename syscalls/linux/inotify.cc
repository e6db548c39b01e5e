#include "syscalls/linux/inotify.h"

#include <algorithm>

#include "sim/state/archive.h"

namespace hardclock::gnu_linux {
namespace {

constexpr std::size_t header_bytes = 16;  // struct inotify_event: wd, mask, cookie, len

std::uint32_t bit_of(host::FileEvent::Kind kind) {
  return 1u << static_cast<unsigned>(kind);
}

}  // namespace

Inotify::Inotify(std::shared_ptr<host::FileRecords> records, std::shared_ptr<MemoryBudget> budget,
                 Endian endian)
    : AnonymousFile(*records, "anon_inode:inotify"),
      records_(std::move(records)),
      charge_(std::move(budget)),
      endian_(endian) {
  records_->events().add(*this);
}

Inotify::~Inotify() {
  records_->events().remove(*this);
}

Result<int, posix::Errno> Inotify::add(const host::HostIdentity& file, std::uint32_t mask) {
  const std::uint32_t kept = mask & (all_events | not_unlinked | once);
  if (const auto old = watches_.find(file); old != watches_.end()) {
    if ((mask & mask_create) != 0) return Failure{posix::Errno::eexist};
    Watch& watch = old->second;
    watch.mask = (mask & mask_add) != 0 ? watch.mask | kept : kept;
    return watch.number;
  }
  if (!charge_.add(watch_cost)) return Failure{posix::Errno::enospc};
  watches_[file] = {++last_, kept};
  return last_;
}

bool Inotify::remove(int watch) {
  const auto found = std::ranges::find_if(
      watches_, [&](const auto& entry) { return entry.second.number == watch; });
  if (found == watches_.end()) return false;
  drop(found);
  return true;
}

void Inotify::drop(Watches::iterator watch) {
  queue({.watch = watch->second.number, .mask = ignored});
  charge_.drop(watch_cost);
  watches_.erase(watch);
}

// Where both watch, the directory hears first (Linux, fs/notify/fsnotify.c,
// fsnotify_handle_event()).
void Inotify::hear(const host::FileEvent& event) {
  if (event.directory) report(*event.directory, event, event.name);
  if (!event.file) return;
  report(*event.file, event, {});
  if (event.kind != host::FileEvent::Kind::deleted_itself) return;
  if (const auto watch = watches_.find(*event.file); watch != watches_.end()) drop(watch);
}

// Of itself, a directory's end and its new name do not say that it is one
// (fs/notify/inotify/inotify_fsnotify.c).
void Inotify::report(const host::HostIdentity& to, const host::FileEvent& event,
                     std::string_view name) {
  using Kind = host::FileEvent::Kind;
  const auto watch = watches_.find(to);
  if (watch == watches_.end()) return;
  const std::uint32_t mask = watch->second.mask, bit = bit_of(event.kind);
  if ((mask & bit) == 0 || (event.has_lost_name && (mask & not_unlinked) != 0)) return;
  const bool is_of_itself = event.kind == Kind::deleted_itself || event.kind == Kind::moved_itself;
  const bool says_directory = event.is_directory && !is_of_itself;
  queue({.watch = watch->second.number,
         .mask = bit | (says_directory ? is_directory : 0),
         .cookie = event.cookie,
         .name = std::string(name)});
  if ((mask & once) != 0) drop(watch);
}

// An event that equals the last one is not queued (inotify(7)).
void Inotify::queue(Event event) {
  const bool is_same = !events_.empty() && events_.back().watch == event.watch &&
                       events_.back().mask == event.mask && events_.back().name == event.name;
  if (events_.size() >= most_events) return queue_overflow();
  if (is_same && event.mask != ignored) return;
  if (!charge_.add(cost_of(event))) return queue_overflow();
  ++events_so_far_;
  events_.push_back(std::move(event));
}

void Inotify::queue_overflow() {
  if (has_overflow_) return;
  has_overflow_ = true;
  ++events_so_far_;
  events_.push_back({.mask = overflow});
  charge_.add_anyway(cost_of(events_.back()));
}

// The name has a NUL behind it, and goes on to a multiple of the header's size.
std::size_t Inotify::size_of(const Event& event) {
  if (event.name.empty()) return header_bytes;
  return header_bytes + (event.name.size() / header_bytes + 1) * header_bytes;
}

posix::Transfer Inotify::read(std::span<std::uint8_t> bytes) {
  std::size_t done = 0;
  while (!events_.empty()) {
    const Event& event = events_.front();
    const std::size_t size = size_of(event);
    if (size > bytes.size() - done) break;
    const auto to = bytes.subspan(done, size);
    std::ranges::fill(to, 0);
    store_bytes(to.data(), static_cast<std::uint32_t>(event.watch), endian_);
    store_bytes(&to[4], event.mask, endian_);
    store_bytes(&to[8], event.cookie, endian_);
    store_bytes(&to[12], static_cast<std::uint32_t>(size - header_bytes), endian_);
    std::ranges::copy(event.name, to.begin() + header_bytes);
    done += size;
    if (event.mask == overflow) has_overflow_ = false;
    charge_.drop(cost_of(event));
    events_.pop_front();
  }
  if (done != 0) return std::optional(done);
  if (events_.empty()) return std::optional<std::size_t>();
  return Failure{host::Error::invalid};
}

host::HostResult<std::uint64_t> Inotify::available() {
  std::uint64_t bytes = 0;
  for (const Event& event : events_) bytes += size_of(event);
  return bytes;
}

void Inotify::archive(Archive& to) {
  AnonymousFile::archive(to);
  to.refuse("an inotify(7)");
  std::map<int, std::uint32_t> masks;  // the host's files have no order that two runs share
  for (auto& [file, watch] : watches_) masks[watch.number] = watch.mask;
  to.state(masks, last_, events_, has_overflow_, events_so_far_);
  to.derived(charge_);
  to.wiring(records_, endian_);
}

}  // namespace hardclock::gnu_linux
