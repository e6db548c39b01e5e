// How large a file of the host is, and which of its blocks are stored.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "syscalls/host/host_file.h"

namespace hardclock::host {

HostResult<Ok> HostFile::truncate(std::uint64_t size) {
  if (!is_regular() || !rights_.write || size > max_offset) return Failure{Error::invalid};
  if (size < kept_) return Failure{Error::not_permitted};
  const auto before = this->size();
  if (!before) return Failure{before.error()};
  const auto done = resize(*before, size);
  if (done) tell(FileEvent::Kind::modified);
  return done;
}

HostResult<Ok> HostFile::resize(std::uint64_t from, std::uint64_t to) {
  const FileBlocks& blocks = records_->blocks(identity_of(opened_));
  const std::uint64_t stored = blocks.stored(from), after = blocks.stored_after_resize(from, to);
  if (const auto may = use_->may_resize(stored, after); !may) return may;
  if (::ftruncate(descriptor_.get(), static_cast<::off_t>(to)) != 0) return host_failure();
  use_->resized(stored, after);
  records_->resized_blocks(identity_of(opened_), from, to);
  counted_->size() = to;
  records_->was_written(opened_);
  tell_of_change(std::min(from, to), std::max(from, to) - std::min(from, to));
  return Ok{};
}

// Where the host's file system knows no holes, zeros do.
HostResult<Ok> HostFile::zero(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return Ok{};
  if (::fallocate(descriptor_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<::off_t>(begin), static_cast<::off_t>(end - begin)) == 0) {
    return Ok{};
  }
  if (errno != EOPNOTSUPP && errno != ENOSYS) return host_failure();
  constexpr std::size_t piece_bytes = std::size_t{64} << 10;
  const std::vector<std::uint8_t> zeros(piece_bytes);
  const FileBlocks& blocks = records_->blocks(identity_of(opened_));
  for (auto at = blocks.next_data(end, begin); at; at = blocks.next_data(end, *at)) {
    const std::uint64_t size = std::min(blocks.next_hole(end, *at) - *at, piece_bytes);
    const ::ssize_t written =
        ::pwrite(descriptor_.get(), zeros.data(), size, static_cast<::off_t>(*at));
    if (written < 0) return host_failure();
    *at += static_cast<std::uint64_t>(written);
  }
  return Ok{};
}

// The limit of the disk counts a reserved block like a written one.
HostResult<Ok> HostFile::reserve(std::uint64_t size, std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return Ok{};
  const HostIdentity file = identity_of(opened_);
  const std::uint64_t added = records_->blocks(file).added_by_write(size, begin, end - begin);
  if (const auto may = use_->may_resize(0, added); !may) return may;
  if (end > size) {
    if (const auto done = resize(size, end); !done) return done;
  }
  const std::uint64_t before = records_->blocks(file).stored(counted_->size());
  records_->reserved_blocks(file, begin, end);
  use_->resized(before, records_->blocks(file).stored(counted_->size()));
  return Ok{};
}

HostResult<Ok> HostFile::punch(std::uint64_t size, std::uint64_t begin, std::uint64_t end) {
  const HostIdentity file = identity_of(opened_);
  const std::uint64_t before = records_->blocks(file).stored(size);
  if (const auto done = zero(begin, std::min(end, size)); !done) return done;
  records_->punched_blocks(file, size, begin, end);
  tell_of_change(begin, end - begin);
  use_->resized(before, records_->blocks(file).stored(size));
  return Ok{};
}

HostResult<Ok> HostFile::change_space(const SpaceChange& change) {
  if (!is_regular()) return Failure{Error::invalid};
  if (!rights_.write) return Failure{Error::bad_descriptor};
  if (change.length > max_offset || change.offset > max_offset - change.length) {
    return Failure{Error::too_large};
  }
  if (change.offset < kept_) return Failure{Error::not_permitted};
  const auto size = this->size();
  if (!size) return Failure{size.error()};
  const std::uint64_t begin = change.offset, end = begin + change.length;
  const bool is_punch = change.kind == SpaceChange::Kind::punch;
  const bool goes_beyond = change.keep_size && end > *size;
  if (goes_beyond && !is_punch) return Failure{Error::not_supported};
  if (change.kind != SpaceChange::Kind::reserve) {
    if (const auto done = punch(*size, begin, end); !done) return done;
  }
  if (!is_punch) {
    if (const auto done = reserve(*size, begin, end); !done) return done;
  }
  records_->was_written(opened_);
  tell(FileEvent::Kind::modified);
  return Ok{};
}

}  // namespace hardclock::host
