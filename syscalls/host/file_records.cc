#include "syscalls/host/file_records.h"

#include <unistd.h>

#include <algorithm>

namespace hardclock::host {
namespace {

constexpr std::uint32_t special_permissions = S_ISUID | S_ISGID | S_ISVTX;

}  // namespace

void FileRecords::keep_content(HostIdentity file, KeptContent* content) {
  if (content == nullptr) {
    kept_contents_.erase(file);
  } else {
    kept_contents_[file] = content;
  }
}

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
      if (births_.contains(identity_of(status))) return seen(status);
      return {start_, start_, start_};
  }
}

std::uint32_t FileRecords::permissions(const struct ::stat& status) const {
  const auto added = added_.find(identity_of(status));
  const std::uint32_t host = status.st_mode & host_permissions(status);
  return host | (added != added_.end() ? added->second : 0);
}

// Linux clears S_ISGID where the caller is not in the file's group (chmod(2)), and so do all here.
void FileRecords::set_permissions(const struct ::stat& status, std::uint32_t mode) {
  added_.erase(identity_of(status));
  std::uint32_t added = mode & special_permissions & ~host_permissions(status);
  if (status.st_gid != ::getegid()) added &= ~std::uint32_t{S_ISGID};
  if (added != 0) added_[identity_of(status)] = added;
  was_changed(status);
}

void FileRecords::created(const struct ::stat& status, std::uint32_t permissions) {
  forget(identity_of(status));
  files_[identity_of(status)] = ++last_;
  times_[identity_of(status)] = {now(), now(), now()};
  births_[identity_of(status)] = now();
  const std::uint32_t withheld = permissions & 0777 & ~status.st_mode;
  if (withheld != 0) added_[identity_of(status)] = withheld;
}

std::optional<FileTime> FileRecords::birth(const struct ::stat& status) const {
  const auto birth = births_.find(identity_of(status));
  return birth == births_.end() ? std::nullopt : std::optional(birth->second);
}

void FileRecords::gone(const struct ::stat& status) {
  forget(identity_of(status));
  events_.happened(FileEvent::Kind::deleted_itself, status);
}

void FileRecords::forget(HostIdentity file) {
  files_.erase(file);
  times_.erase(file);
  births_.erase(file);
  added_.erase(file);
  with_holes_.erase(file);
}

const FileBlocks& FileRecords::blocks(HostIdentity file) const {
  static const FileBlocks dense;
  const auto entry = with_holes_.find(file);
  return entry == with_holes_.end() ? dense : entry->second;
}

void FileRecords::change_blocks(HostIdentity file, bool may_make_holes,
                                const std::function<void(FileBlocks&)>& change) {
  auto entry = with_holes_.find(file);
  if (entry == with_holes_.end()) {
    if (!may_make_holes) return;
    entry = with_holes_.try_emplace(file).first;
  }
  change(entry->second);
  if (entry->second.is_dense()) with_holes_.erase(entry);
}

void FileRecords::wrote_blocks(HostIdentity file, std::uint64_t size, std::uint64_t offset,
                               std::uint64_t count) {
  change_blocks(file, offset > size,
                [&](FileBlocks& blocks) { blocks.write(size, offset, count); });
}

void FileRecords::resized_blocks(HostIdentity file, std::uint64_t from, std::uint64_t to) {
  change_blocks(file, to > from, [&](FileBlocks& blocks) { blocks.resize(from, to); });
}

void FileRecords::punched_blocks(HostIdentity file, std::uint64_t size, std::uint64_t begin,
                                 std::uint64_t end) {
  change_blocks(file, true, [&](FileBlocks& blocks) { blocks.punch(size, begin, end); });
}

void FileRecords::reserved_blocks(HostIdentity file, std::uint64_t begin, std::uint64_t end) {
  change_blocks(file, false, [&](FileBlocks& blocks) { blocks.reserve(begin, end); });
}

void FileRecords::made_for_run(const struct ::stat& status) {
  times_[identity_of(status)] = {start_, start_, start_};
}

void FileRecords::was_written(const struct ::stat& status) {
  FileTimes& times = seen(status);
  times.modification = times.change = now();
  drop_set_ids(status);
}

// A write ends what the file's owner vouched for, unless set-group-id has another meaning, without
// the group's permission to execute (Linux, fs/inode.c, file_remove_privs()).
void FileRecords::drop_set_ids(const struct ::stat& status) {
  const auto added = added_.find(identity_of(status));
  if (added == added_.end() || !S_ISREG(status.st_mode)) return;
  const bool is_executable = (permissions(status) & S_IXGRP) != 0;
  const int dropped = S_ISUID | (is_executable ? S_ISGID : 0);
  added->second &= ~static_cast<std::uint32_t>(dropped);
  if (added->second == 0) added_.erase(added);
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

namespace {

// What guests know of a file of the host.
struct Known {
  std::uint64_t inode = 0;
  std::optional<FileTimes> times;
  std::optional<FileTime> birth;
  std::uint32_t added = 0;  // permissions
  FileBlocks blocks;
  auto operator<=>(const Known&) const = default;
  static constexpr std::size_t state_members = 5;
};

}  // namespace

void FileRecords::archive(Archive& to) {
  auto& [events, start, clock, last, files, paths, times, births, holes, contents, added] = *this;
  if (!to.is_digest()) return to.state(last, files, paths, times, births, holes, added);
  std::map<HostIdentity, Known> by_identity;
  for (auto& [file, inode] : files) by_identity[file].inode = inode;
  for (auto& [file, its] : times) by_identity[file].times = its;
  for (auto& [file, its] : births) by_identity[file].birth = its;
  for (auto& [file, its] : added) by_identity[file].added = its;
  for (auto& [file, its] : holes) by_identity[file].blocks = its;
  std::vector<Known> all;
  for (auto& [file, known] : by_identity) all.push_back(known);
  std::ranges::sort(all);
  to.state(last, paths, all);
  to.wiring(events, start, clock, contents);
}

}  // namespace hardclock::host
