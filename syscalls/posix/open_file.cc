#include "syscalls/posix/open_file.h"

#include <algorithm>
#include <limits>

namespace hardclock::posix {
namespace {

// The host never makes its caller wait (HostFile).
Transfer at_once(const host::HostResult<std::size_t>& moved) {
  if (!moved) return Failure{moved.error()};
  return std::optional(*moved);
}

}  // namespace

Readiness OpenFile::readiness() {
  const host::OpenRights allowed = rights();
  Readiness ready;
  const bool is_over = is_hung_up();
  if (is_over) (allowed.read ? ready.hung_up : ready.failed) = true;
  const auto bytes = available();
  const bool is_at_end = is_over && bytes && *bytes == 0;
  ready.readable = allowed.read && readable() && !is_at_end;
  ready.writable = allowed.write && !ready.hung_up && writable(1);
  return ready;
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
  if (whence == host::Whence::end) return Failure{host::Error::invalid};
  const std::uint64_t base = whence == host::Whence::current ? directory_.position : 0;
  const std::uint64_t position = base + static_cast<std::uint64_t>(offset);
  if (position > std::numeric_limits<std::int32_t>::max()) return Failure{host::Error::invalid};
  if (position == 0) directory_.is_read = false;
  return directory_.position = position;
}

PipeEnd::PipeEnd(std::shared_ptr<Pipe> pipe, host::OpenRights rights)
    : pipe_(std::move(pipe)),
      rights_(rights),
      writers_before_(pipe_->writers_so_far),
      others_before_(rights.read ? pipe_->writers_so_far : pipe_->readers_so_far) {
  if (rights_.read) {
    ++pipe_->readers;
    ++pipe_->readers_so_far;
    ++pipe_->drains;
    if (pipe_->writers != 0) writers_before_ = ~std::uint64_t{0};
  }
  if (rights_.write) {
    ++pipe_->writers;
    ++pipe_->writers_so_far;
  }
}

PipeEnd::~PipeEnd() {
  if (rights_.read && --pipe_->readers == 0) ++pipe_->drains;
  if (rights_.write && --pipe_->writers == 0) ++pipe_->fills;
  if (pipe_->readers == 0 && pipe_->writers == 0) pipe_->bytes.clear();
}

Transfer PipeEnd::read(std::span<std::uint8_t> bytes) {
  if (!rights_.read) return Failure{host::Error::bad_descriptor};
  if (bytes.empty()) return std::optional<std::size_t>(0);
  if (pipe_->bytes.empty() && pipe_->writers != 0) return std::optional<std::size_t>();
  pipe_->times.access = pipe_->records->now();
  const std::size_t count = std::min(bytes.size(), pipe_->bytes.size());
  std::copy_n(pipe_->bytes.begin(), count, bytes.begin());
  pipe_->bytes.erase(pipe_->bytes.begin(),
                     pipe_->bytes.begin() + static_cast<std::ptrdiff_t>(count));
  if (count != 0) ++pipe_->drains;
  return std::optional(count);
}

// A write of at most PIPE_BUF bytes is not interleaved with others, so it waits until all of it
// fits; a longer one goes in pieces (POSIX.1, write()).
bool PipeEnd::writable(std::size_t size) const {
  const std::size_t room = pipe_->room();
  return pipe_->readers == 0 || room >= std::min(size, Pipe::capacity) ||
         (size > Pipe::capacity && room > 0);
}

Transfer PipeEnd::write(std::span<const std::uint8_t> bytes) {
  if (!rights_.write) return Failure{host::Error::bad_descriptor};
  if (pipe_->readers == 0) return Failure{host::Error::broken_pipe};
  if (!writable(bytes.size())) return std::optional<std::size_t>();
  pipe_->times.modification = pipe_->times.change = pipe_->records->now();
  const std::size_t count = std::min(bytes.size(), pipe_->room());
  pipe_->bytes.insert(pipe_->bytes.end(), bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(count));
  ++pipe_->fills;
  return std::optional(count);
}

host::HostResult<host::FileStatus> PipeEnd::status() const {
  if (!named_) return pipe_->status();
  host::FileStatus status = *named_;
  status.times = pipe_->times;
  return status;
}

std::shared_ptr<Pipe> make_pipe_buffer(std::shared_ptr<host::FileRecords> records,
                                       std::shared_ptr<MemoryBudget> budget) {
  constexpr std::uint64_t both_ends = 2048;  // descriptors, files, and the queue's own
  auto pipe = std::make_shared<Pipe>(std::move(records));
  if (budget != nullptr) {
    pipe->charge = std::make_unique<MemoryCharge>(std::move(budget));
    if (!pipe->charge->add(Pipe::capacity + both_ends)) return nullptr;
  }
  return pipe;
}

PipeEnds make_pipe(std::shared_ptr<host::FileRecords> records,
                   std::shared_ptr<MemoryBudget> budget) {
  const auto pipe = make_pipe_buffer(std::move(records), std::move(budget));
  if (pipe == nullptr) return {};
  // The writer first: its reader is never without one.
  auto writer = std::make_shared<PipeEnd>(pipe, host::OpenRights{.write = true});
  return {std::make_shared<PipeEnd>(pipe, host::OpenRights{.read = true}), std::move(writer)};
}

}  // namespace hardclock::posix
