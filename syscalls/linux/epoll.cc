#include "syscalls/linux/epoll.h"

#include <algorithm>

#include "sim/state/archive.h"

namespace hardclock::gnu_linux {

host::FileStatus anonymous_status(host::FileRecords& records) {
  host::FileStatus status;
  status.inode = records.number("anon_inode");
  status.type = host::FileType::anonymous;
  status.permissions = 0600;
  status.times = {records.start(), records.start(), records.start()};
  return status;
}

// ---- eventfd(2)

posix::Transfer EventFile::read(std::span<std::uint8_t> bytes) {
  if (bytes.size() < sizeof value_) return Failure{host::Error::invalid};
  if (value_ == 0) return std::optional<std::size_t>();
  const std::uint64_t taken = is_semaphore_ ? 1 : value_;
  value_ -= taken;
  ++changes_;
  store_bytes(bytes.data(), taken, endian_);
  return std::optional(sizeof taken);
}

posix::Transfer EventFile::write(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < sizeof value_) return Failure{host::Error::invalid};
  const auto added = load_bytes<std::uint64_t>(bytes.data(), endian_);
  if (added > most) return Failure{host::Error::invalid};
  if (added > most - value_) {
    refused_ = added;
    return std::optional<std::size_t>();
  }
  value_ += added;
  ++changes_;
  return std::optional(sizeof added);
}

// A write that had to wait asks with its whole size, poll(2) with 1.
bool EventFile::writable(std::size_t size) const {
  return most - value_ >= (size < sizeof value_ ? 1 : refused_);
}

// ---- epoll(7)

Epoll* epoll_of(posix::OpenFile* file) {
  return dynamic_cast<Epoll*>(file);
}

void Epoll::forget_closed() {
  const std::size_t closed =
      std::erase_if(watched_, [](const Watched& watched) { return watched.file.expired(); });
  charge_.drop(closed * watch_cost);
}

Epoll::Watched* Epoll::find(int descriptor, const File& file) {
  forget_closed();
  const auto found = std::ranges::find_if(watched_, [&](const Watched& watched) {
    return watched.descriptor == descriptor && watched.file.lock() == file;
  });
  return found == watched_.end() ? nullptr : &*found;
}

Result<Ok, posix::Errno> Epoll::add(int descriptor, const File& file, std::uint32_t events,
                                    std::uint64_t data) {
  if (find(descriptor, file) != nullptr) return Failure{posix::Errno::eexist};
  if (!charge_.add(watch_cost)) return Failure{posix::Errno::enospc};
  watched_.push_back({descriptor, file, events, data, false, {}});
  if (Epoll* const inner = epoll_of(file.get())) inner->set_watched();
  return Ok{};
}

bool Epoll::change(int descriptor, const File& file, std::uint32_t events, std::uint64_t data) {
  Watched* const watched = find(descriptor, file);
  if (watched == nullptr) return false;
  *watched = {descriptor, file, events, data, false, {}};
  return true;
}

bool Epoll::remove(int descriptor, const File& file) {
  Watched* const watched = find(descriptor, file);
  if (watched == nullptr) return false;
  watched_.erase(watched_.begin() + (watched - watched_.data()));
  charge_.drop(watch_cost);
  return true;
}

std::uint32_t Epoll::ready_events(const Watched& watched, const Thread* asker) {
  const File file = watched.file.lock();
  if (file == nullptr || watched.is_over) return 0;
  const bool is_old = (watched.events & edge) != 0 && watched.told_of == file->activity(asker);
  if (is_old) return 0;
  const posix::Readiness ready = file->readiness(asker);
  const std::uint32_t events = (ready.readable ? in | rdnorm : 0) |
                               (ready.writable ? out | wrnorm : 0) | (ready.ended ? rdhup : 0) |
                               (file->has_urgent() ? pri : 0);
  return (events & watched.events) | (ready.failed ? err : 0) | (ready.hung_up ? hup : 0);
}

bool Epoll::readable(const Thread* asker) const {
  return std::ranges::any_of(
      watched_, [&](const Watched& watched) { return ready_events(watched, asker) != 0; });
}

bool Epoll::is_made_ready_outside(bool for_reading) const {
  return for_reading && std::ranges::any_of(watched_, [](const Watched& watched) {
           const File file = watched.file.lock();
           return file != nullptr && file->is_made_ready_outside((watched.events & in) != 0);
         });
}

std::vector<Epoll::Found> Epoll::take(std::size_t most, const Thread* asker) {
  forget_closed();
  std::vector<Found> found;
  const std::size_t count = watched_.size(), first = next_;
  for (std::size_t i = 0; i < count && found.size() < most; ++i) {
    const std::size_t place = (first + i) % count;
    Watched& watched = watched_[place];
    const std::uint32_t events = ready_events(watched, asker);
    if (events == 0) continue;
    found.push_back({events, watched.data});
    next_ = place + 1;
    watched.is_over = (watched.events & once) != 0;
    if ((watched.events & edge) != 0) watched.told_of = watched.file.lock()->activity(asker);
  }
  if (found.size() < most) next_ = 0;
  return found;
}

bool Epoll::watches_epolls() const {
  return std::ranges::any_of(watched_, [](const Watched& watched) {
    const File file = watched.file.lock();
    return epoll_of(file.get()) != nullptr;
  });
}

std::uint64_t Epoll::activity(const Thread* asker) const {
  std::uint64_t all = 0;
  for (const Watched& watched : watched_) {
    if (const File file = watched.file.lock()) all += file->activity(asker);
  }
  return all;
}

void AnonymousFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(status_.inode);
  to.kept(status_);
  to.kept(name_);
}

void EventFile::archive(Archive& to) {
  AnonymousFile::archive(to);
  to.state(value_, is_semaphore_, refused_, changes_);
  to.saved(endian_);
}

void Epoll::archive(Archive& to) {
  AnonymousFile::archive(to);
  to.state(watched_, next_, is_watched_, charge_);
}

}  // namespace hardclock::gnu_linux
