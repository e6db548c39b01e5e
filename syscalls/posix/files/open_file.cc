#include "syscalls/posix/files/open_file.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <variant>

#include "sim/state/archive.h"
#include "syscalls/host/random_bytes.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t max_offset = host::HostFile::max_offset;

// The host never makes its caller wait (HostFile).
Transfer at_once(const host::HostResult<std::size_t>& moved) {
  if (!moved) return Failure{moved.error()};
  return std::optional(*moved);
}

}  // namespace

Readiness OpenFile::readiness(const Thread* asker) {
  const host::OpenRights allowed = rights();
  Readiness ready;
  const bool is_over = is_hung_up();
  if (is_over) (allowed.read ? ready.hung_up : ready.failed) = true;
  const auto bytes = available();
  const bool is_at_end = is_over && bytes && *bytes == 0;
  ready.readable = allowed.read && readable(asker) && !is_at_end;
  ready.writable = allowed.write && !ready.hung_up && takes_more();
  return ready;
}

int OpenFile::lock_owner(const std::shared_ptr<RecordLocks>& locks) {
  if (locks_ == nullptr) locks_ = std::make_unique<OpenFileLocks>(locks, identity());
  return locks_->owner();
}

Transfer HostOpenFile::read(std::span<std::uint8_t> bytes) {
  return at_once(file_.read(bytes));
}

Transfer HostOpenFile::write(std::span<const std::uint8_t> bytes) {
  if (before_write_) before_write_(bytes);
  return at_once(file_.write(bytes));
}

Transfer HostOpenFile::pread(std::span<std::uint8_t> bytes, std::uint64_t offset) {
  return at_once(file_.pread(bytes, offset));
}

Transfer HostOpenFile::pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  if (before_write_) before_write_(bytes);
  return at_once(file_.pwrite(bytes, offset));
}

host::HostResult<std::uint64_t> HostOpenFile::available() {
  if (!file_.is_regular()) return Failure{host::Error::invalid};
  const auto status = file_.status();
  if (!status) return Failure{status.error()};
  const auto position = file_.seek(0, host::Whence::current);
  if (!position) return position;
  return status->size - std::min(status->size, *position);
}

host::HostResult<std::shared_ptr<OpenFile>> HostOpenFile::open_again(
    const host::OpenOptions& options) {
  auto again = file_.open_again(options);
  if (!again) return Failure{again.error()};
  if (!*again) return std::shared_ptr<OpenFile>();
  return std::shared_ptr<OpenFile>(
      std::make_shared<HostOpenFile>(*std::move(*again), before_write_));
}

Transfer SyntheticOpenFile::read(std::span<std::uint8_t> bytes) {
  const Transfer moved = pread(bytes, position_);
  if (moved) position_ += **moved;
  return moved;
}

Transfer SyntheticOpenFile::write(std::span<const std::uint8_t> bytes) {
  if (before_write_) before_write_(bytes);
  if (!file_.rights.write) return Failure{host::Error::bad_descriptor};
  if (is(host::SpecialFile::full)) return Failure{host::Error::no_space};
  return std::optional(bytes.size());
}

Transfer SyntheticOpenFile::pread(std::span<std::uint8_t> bytes, std::uint64_t offset) {
  if (offset > max_offset) return Failure{host::Error::invalid};
  if (!file_.rights.read) return Failure{host::Error::bad_descriptor};
  if (file_.is_directory()) return Failure{host::Error::is_directory};
  bytes = bytes.first(std::min<std::uint64_t>(bytes.size(), max_offset - offset));
  if (file_.text != nullptr) {
    const std::string_view text = *file_.text;
    const std::string_view rest = text.substr(std::min<std::uint64_t>(offset, text.size()));
    bytes = bytes.first(std::min(bytes.size(), rest.size()));
    std::ranges::copy(rest.substr(0, bytes.size()), bytes.begin());
  } else if (file_.is_random()) {
    fill_without_order(bytes, file_.random_state);
  } else if (is(host::SpecialFile::zero) || is(host::SpecialFile::full)) {
    std::ranges::fill(bytes, 0);
  } else {
    bytes = {};
  }
  return std::optional(bytes.size());
}

Transfer SyntheticOpenFile::pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  if (offset > max_offset) return Failure{host::Error::invalid};
  if (bytes.size() > max_offset - offset) return Failure{host::Error::too_large};
  return write(bytes);
}

host::HostResult<std::uint64_t> SyntheticOpenFile::seek(std::int64_t offset, host::Whence whence) {
  if (file_.text == nullptr) return std::uint64_t{0};
  const auto distance = static_cast<std::uint64_t>(offset), size = file_.text->size();
  if (whence == host::Whence::data || whence == host::Whence::hole) {
    if (distance >= size) return Failure{host::Error::no_device};
    return position_ = whence == host::Whence::data ? distance : size;
  }
  const std::uint64_t base = whence == host::Whence::set       ? 0
                             : whence == host::Whence::current ? position_
                                                               : size;
  if (base + distance > max_offset) return Failure{host::Error::invalid};
  return position_ = base + distance;
}

host::HostResult<Ok> SyntheticOpenFile::keep_access_time(bool keep) {
  if (keep) return Failure{host::Error::not_permitted};
  return Ok{};
}

host::HostResult<std::shared_ptr<OpenFile>> SyntheticOpenFile::open_again(
    const host::OpenOptions& options) {
  if (file_.text != nullptr && options.write) return Failure{host::Error::access};
  const host::OpenRights rights{.read = options.read || !options.write, .write = options.write};
  host::OpenedSynthetic again{.status = file_.status, .rights = rights, .text = file_.text};
  if (file_.is_random()) again.random_state = next_random(file_.random_state);  // other bytes
  return to_open_file(std::move(again), before_write_);
}

std::shared_ptr<OpenFile> to_open_file(host::OpenedFile file, BeforeWrite before_write) {
  if (auto* const of_host = std::get_if<host::HostFile>(&file))
    return std::make_shared<HostOpenFile>(std::move(*of_host), std::move(before_write));
  return std::make_shared<SyntheticOpenFile>(std::get<host::OpenedSynthetic>(std::move(file)),
                                             std::move(before_write));
}

Listing::Listing(std::vector<host::DirectoryEntry> entries, std::shared_ptr<host::HostUse> use)
    : entries_(std::move(entries)), use_(std::move(use)) {
  use_->listed(entries_.size());
}

Listing& Listing::operator=(Listing&& other) noexcept {
  std::swap(entries_, other.entries_);
  std::swap(use_, other.use_);
  return *this;
}

Listing::~Listing() {
  if (use_ != nullptr) use_->dropped(entries_.size());
}

Transfer DirectoryFile::read(std::span<std::uint8_t>) {
  return Failure{host::Error::is_directory};
}

host::HostResult<std::uint64_t> DirectoryFile::seek(std::int64_t offset, host::Whence whence) {
  const bool is_known = whence == host::Whence::set || whence == host::Whence::current;
  if (!is_known) return Failure{host::Error::invalid};
  const std::uint64_t base = whence == host::Whence::current ? directory_.position : 0;
  const std::uint64_t position = base + static_cast<std::uint64_t>(offset);
  if (position > std::numeric_limits<std::int32_t>::max()) return Failure{host::Error::invalid};
  if (position == 0) directory_.is_read = false;
  return directory_.position = position;
}

void Listing::archive(Archive& to) {
  auto& [names, use] = *this;
  auto entries = names;
  auto counts = use;
  to.state(entries);
  to.kept(counts);
  if (to.loads()) *this = counts != nullptr ? Listing(std::move(entries), counts) : Listing();
}

void Directory::archive(Archive& to) {
  auto& [directory, entries, has_entries, next] = *this;
  to.state(directory, entries, has_entries, next);
}

void OpenFile::archive(Archive& to) {
  to.state(path, status_flags, locks_);
}

void HostOpenFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(file_);
  to.kept(before_write_);
}

void SyntheticOpenFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(file_, position_);
  to.kept(before_write_);
}

void DirectoryFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(directory_, file_);
}

}  // namespace hardclock::posix
