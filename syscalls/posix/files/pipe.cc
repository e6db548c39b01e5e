#include "syscalls/posix/files/pipe.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t both_ends = 2048;  // bytes: descriptors, files, and the queues' own

}  // namespace

host::HostResult<host::FileStatus> Pipe::status() const {
  host::FileStatus status;
  status.inode = inode;
  status.type = host::FileType::fifo;
  status.permissions = 0600;
  status.size = bytes_.size();
  status.times = times;
  status.is_own_owner = status.is_own_group = true;
  return status;
}

std::size_t Pipe::room_in_last_page(std::size_t bytes) const {
  const std::size_t rest = bytes % sizes_.page;
  if (pages_.empty()) return 0;
  return pages_.back().start + pages_.back().bytes + rest <= sizes_.page ? rest : 0;
}

std::size_t Pipe::room() const {
  return sizes_.page != 0 ? free_pages() * sizes_.page : sizes_.capacity - bytes_.size();
}

// A write of at most PIPE_BUF bytes waits until all of it fits; a longer one goes in pieces
// (POSIX.1, write()). PIPE_BUF bytes fit into a page, so that of pages this is true by itself.
std::size_t Pipe::room_for(std::size_t bytes) const {
  if (sizes_.page == 0) {
    return bytes <= sizes_.atomic && room() < bytes ? 0 : std::min(bytes, room());
  }
  const std::size_t last = room_in_last_page(bytes);
  return last + std::min(bytes - last, room());
}

void Pipe::add(std::span<const std::uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  if (sizes_.page == 0) return;
  const std::size_t last = room_in_last_page(bytes.size());
  if (last != 0) pages_.back().bytes += last;
  for (std::size_t rest = bytes.size() - last; rest != 0;) {
    const std::size_t piece = std::min(rest, sizes_.page);
    pages_.push_back({0, piece});
    rest -= piece;
  }
}

void Pipe::drop_first(std::size_t count) {
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count));
  while (!pages_.empty() && count != 0) {
    PageUse& first = pages_.front();
    const std::size_t piece = std::min(count, first.bytes);
    first.start += piece;
    first.bytes -= piece;
    count -= piece;
    if (first.bytes == 0) pages_.pop_front();
  }
}

void Pipe::clear() {
  bytes_.clear();
  pages_.clear();
}

bool Pipe::charge_to(std::shared_ptr<MemoryBudget> budget) {
  if (budget == nullptr) return true;
  charge_ = std::make_unique<MemoryCharge>(std::move(budget));
  return charge_->add(sizes_.capacity + both_ends);
}

bool Pipe::resize(std::size_t capacity) {
  const std::size_t used = sizes_.page != 0 ? pages_.size() * sizes_.page : bytes_.size();
  if (used > capacity) return false;
  if (charge_ != nullptr && capacity > sizes_.capacity &&
      !charge_->add(capacity - sizes_.capacity)) {
    return false;
  }
  sizes_.capacity = capacity;
  return true;
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
  if (pipe_ == nullptr) return;
  if (rights_.read && --pipe_->readers == 0) ++pipe_->drains;
  if (rights_.write && --pipe_->writers == 0) ++pipe_->fills;
  if (pipe_->readers == 0 && pipe_->writers == 0) pipe_->clear();
}

Transfer PipeEnd::read(std::span<std::uint8_t> bytes) {
  if (!rights_.read) return Failure{host::Error::bad_descriptor};
  if (bytes.empty()) return std::optional<std::size_t>(0);
  if (pipe_->bytes().empty() && pipe_->writers != 0) return std::optional<std::size_t>();
  pipe_->times.access = pipe_->records->now();
  const std::size_t count = std::min(bytes.size(), pipe_->bytes().size());
  std::copy_n(pipe_->bytes().begin(), count, bytes.begin());
  pipe_->drop_first(count);
  if (count != 0) ++pipe_->drains;
  return std::optional(count);
}

Transfer PipeEnd::write(std::span<const std::uint8_t> bytes) {
  if (!rights_.write) return Failure{host::Error::bad_descriptor};
  if (pipe_->readers == 0) return Failure{host::Error::broken_pipe};
  const std::size_t count = pipe_->room_for(bytes.size());
  if (count == 0 && !bytes.empty()) return std::optional<std::size_t>();
  pipe_->times.modification = pipe_->times.change = pipe_->records->now();
  pipe_->add(bytes.first(count));
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
                                       std::shared_ptr<MemoryBudget> budget,
                                       const PipeSizes& sizes) {
  auto pipe = std::make_shared<Pipe>(std::move(records), sizes);
  return pipe->charge_to(std::move(budget)) ? pipe : nullptr;
}

PipeEnds make_pipe(const PipeSizes& sizes, std::shared_ptr<host::FileRecords> records,
                   std::shared_ptr<MemoryBudget> budget) {
  const auto pipe = make_pipe_buffer(std::move(records), std::move(budget), sizes);
  if (pipe == nullptr) return {};
  // The writer first: its reader is never without one.
  auto writer = std::make_shared<PipeEnd>(pipe, host::OpenRights{.write = true});
  return {std::make_shared<PipeEnd>(pipe, host::OpenRights{.read = true}), std::move(writer)};
}

void Pipe::archive(Archive& to) {
  auto& [seen, number, changed, now_reading, now_writing, ever_reading, ever_writing, filled,
         drained, sizes, charge, content, pages] = *this;
  to.state(number, changed, now_reading, now_writing, ever_reading, ever_writing, filled, drained,
           sizes, charge, content, pages);
  to.kept(seen);
}

void PipeEnd::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(pipe_, rights_, writers_before_, others_before_, named_);
}

}  // namespace hardclock::posix
