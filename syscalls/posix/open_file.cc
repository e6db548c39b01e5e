#include "syscalls/posix/open_file.h"

#include <algorithm>

namespace hardclock::posix {

Transfer HostOpenFile::read(std::span<std::uint8_t> bytes) {
  const auto moved = file_.read(bytes);
  if (!moved) return Failure{moved.error()};
  return std::optional(*moved);
}

Transfer HostOpenFile::write(std::span<const std::uint8_t> bytes) {
  if (before_write_) before_write_(bytes);
  const auto moved = file_.write(bytes);
  if (!moved) return Failure{moved.error()};
  return std::optional(*moved);
}

Transfer PipeReader::read(std::span<std::uint8_t> bytes) {
  if (bytes.empty()) return std::optional<std::size_t>(0);
  if (!readable()) return std::optional<std::size_t>();
  const std::size_t count = std::min(bytes.size(), pipe_->bytes.size());
  std::copy_n(pipe_->bytes.begin(), count, bytes.begin());
  pipe_->bytes.erase(pipe_->bytes.begin(),
                     pipe_->bytes.begin() + static_cast<std::ptrdiff_t>(count));
  return std::optional(count);
}

// A write of at most PIPE_BUF bytes is not interleaved with others, so it waits until all of it
// fits; a longer one goes in pieces (POSIX.1, write()).
bool PipeWriter::writable(std::size_t size) const {
  const std::size_t room = Pipe::capacity - pipe_->bytes.size();
  return !pipe_->has_reader || room >= std::min(size, Pipe::capacity) ||
         (size > Pipe::capacity && room > 0);
}

Transfer PipeWriter::write(std::span<const std::uint8_t> bytes) {
  if (!pipe_->has_reader) return Failure{host::Error::broken_pipe};
  if (!writable(bytes.size())) return std::optional<std::size_t>();
  const std::size_t count = std::min(bytes.size(), Pipe::capacity - pipe_->bytes.size());
  pipe_->bytes.insert(pipe_->bytes.end(), bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(count));
  return std::optional(count);
}

PipeEnds make_pipe() {
  auto pipe = std::make_shared<Pipe>();
  return {std::make_shared<PipeReader>(pipe), std::make_shared<PipeWriter>(pipe)};
}

}  // namespace hardclock::posix
