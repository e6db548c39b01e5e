#include "syscalls/host/host_use.h"

#include <algorithm>

namespace hardclock::host {

Failure<Error> HostUse::refuse(Limit limit, Error error) {
  if (tell_ && told_.insert(limit).second) tell_(limit);
  return Failure{error};
}

// What a write adds grows with its length.
HostResult<std::uint64_t> HostUse::room_to_write(const FileBlocks& blocks, std::uint64_t size,
                                                 std::uint64_t offset, std::uint64_t count) {
  const std::uint64_t room = limits_.disk - disk_;
  const auto fits = [&](std::uint64_t bytes) {
    return bytes == 0 || blocks.added_by_write(size, offset, bytes) <= room;
  };
  if (fits(count)) return count;
  std::uint64_t most = 0, too_many = count;
  while (too_many - most > 1) {
    const std::uint64_t middle = most + (too_many - most) / 2;
    (fits(middle) ? most : too_many) = middle;
  }
  if (most == 0) return refuse(Limit::disk, Error::no_space);
  return most;
}

HostResult<Ok> HostUse::may_resize(std::uint64_t from, std::uint64_t to) {
  if (to > from && to - from > limits_.disk - disk_) return refuse(Limit::disk, Error::no_space);
  return Ok{};
}

void HostUse::resized(std::uint64_t from, std::uint64_t to) {
  disk_ =
      to > from ? std::min(disk_ + (to - from), limits_.disk) : disk_ - std::min(disk_, from - to);
}

HostResult<Ok> HostUse::may_add_name() {
  return may_resize(0, name_bytes);
}

HostResult<Ok> HostUse::may_open() {
  if (times_open_ >= limits_.open_files) return refuse(Limit::open_files, Error::too_many_open);
  return Ok{};
}

std::uint64_t& HostUse::opened(HostIdentity file, std::uint64_t size) {
  Open& open = open_[file];
  ++open.times;
  ++times_open_;
  open.size = size;
  return open.size;
}

void HostUse::closed(HostIdentity file) {
  const auto open = open_.find(file);
  --times_open_;
  if (--open->second.times == 0) open_.erase(open);
}

HostResult<Ok> HostUse::may_list(std::uint64_t names) {
  if (names > limits_.listed_names - listed_) return refuse(Limit::listed_names, Error::no_memory);
  return Ok{};
}

HostResult<Ok> HostUse::may_hold(std::uint64_t bytes) {
  if (bytes > limits_.held_paths - held_) return refuse(Limit::held_paths, Error::no_memory);
  return Ok{};
}

}  // namespace hardclock::host
