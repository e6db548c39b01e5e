#include "syscalls/host/file_records.h"

#include <algorithm>

namespace hardclock::host {

std::uint64_t FileRecords::number(HostIdentity file) {
  const auto [entry, is_new] = files_.try_emplace(file, last_ + 1);
  if (is_new) ++last_;
  return entry->second;
}

std::uint64_t FileRecords::number(const std::string& guest_path) {
  const auto [entry, is_new] = paths_.try_emplace(guest_path, last_ + 1);
  if (is_new) ++last_;
  return entry->second;
}

FileTimes& FileRecords::seen(const struct ::stat& status) {
  const FileTime host{status.st_mtim.tv_sec, static_cast<std::uint32_t>(status.st_mtim.tv_nsec)};
  const FileTime found = std::min(host, start_);
  return times_.try_emplace(identity_of(status), FileTimes{found, found, found}).first->second;
}

FileTimes FileRecords::times(const struct ::stat& status) {
  switch (file_type(status)) {
    case FileType::regular:
    case FileType::directory:
    case FileType::symlink:
      return seen(status);
    default:  // a pipe, terminal or device, which the host's programs use, too
      return {start_, start_, start_};
  }
}

std::uint32_t FileRecords::permissions(const struct ::stat& status) const {
  const auto withheld = withheld_.find(identity_of(status));
  return (status.st_mode | (withheld != withheld_.end() ? withheld->second : 0)) & 0777;
}

void FileRecords::set_permissions(const struct ::stat& status) {
  withheld_.erase(identity_of(status));
  was_changed(status);
}

void FileRecords::created(const struct ::stat& status, std::uint32_t permissions) {
  forget(identity_of(status));
  files_[identity_of(status)] = ++last_;
  times_[identity_of(status)] = {now(), now(), now()};
  const std::uint32_t withheld = permissions & 0777 & ~status.st_mode;
  if (withheld != 0) withheld_[identity_of(status)] = withheld;
}

void FileRecords::forget(HostIdentity file) {
  files_.erase(file);
  times_.erase(file);
  withheld_.erase(file);
}

void FileRecords::made_for_run(const struct ::stat& status) {
  times_[identity_of(status)] = {start_, start_, start_};
}

void FileRecords::was_written(const struct ::stat& status) {
  FileTimes& times = seen(status);
  times.modification = times.change = now();
}

void FileRecords::change(FileTime& time, const TimeChange& change) const {
  if (change.kind == TimeChange::Kind::keep) return;
  time = change.kind == TimeChange::Kind::now ? now() : change.time;
}

void FileRecords::set_times(const struct ::stat& status, const TimeChange& access,
                            const TimeChange& modification) {
  FileTimes& times = seen(status);
  change(times.access, access);
  change(times.modification, modification);
  times.change = now();
}

}  // namespace hardclock::host
