// Bytes from and to open files.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/terminal_calls.h"
#include "syscalls/posix/unix_system.h"
#include "syscalls/posix/wait_events.h"

namespace hardclock::posix {

std::shared_ptr<OpenFile> file_at(const Call& call, std::size_t argument) {
  return call.state.descriptors.get(call.signed_argument(argument));
}

CallResult done_or_errno(const host::HostResult<Ok>& result) {
  return result ? CallResult::value(0) : CallResult::failure(to_errno(result.error()));
}

std::optional<CallResult> instead_of_waiting(const Call& call, const OpenFile& file) {
  const OpenFlags& flags = call.system.open_flags;
  if ((file.status_flags & flags.non_block) != 0) return CallResult::failure(Errno::eagain);
  if ((file.status_flags & flags.no_delay) != 0) return CallResult::value(0);
  return std::nullopt;
}

namespace calls {
namespace {

// The most bytes moved at once between host and guest; a longer transfer goes in pieces.
constexpr std::size_t chunk_size = 64 * 1024;
constexpr std::uint64_t largest_transfer = 0x7fffffff;
constexpr std::int32_t most_vectors = 1024;  // as in Linux, which takes more than the others

// The buffers of a transfer, as struct iovec describes them.
struct Buffer {
  GuestAddr address;
  std::uint64_t size = 0;
};

class Buffers {
 public:
  explicit Buffers(std::vector<Buffer> buffers) : buffers_(std::move(buffers)) {
    for (const Buffer& buffer : buffers_) total_ += buffer.size;
  }

  std::uint64_t total() const { return total_; }

  // Applies `action(address, offset, size)` to the parts of `size` bytes from `from` on; `offset`
  // counts from there. Stops where it answers false.
  template <class Action>
  bool for_each(std::uint64_t from, std::uint64_t size, Action action) const {
    std::uint64_t offset = 0;
    for (const Buffer& buffer : buffers_) {
      if (offset == size) break;
      if (from >= buffer.size) {
        from -= buffer.size;
        continue;
      }
      const std::uint64_t part = std::min(buffer.size - from, size - offset);
      if (!action(buffer.address + from, offset, part)) return false;
      offset += part;
      from = 0;
    }
    return true;
  }

 private:
  std::vector<Buffer> buffers_;
  std::uint64_t total_ = 0;
};

// The buffer at argument 1, of argument 2 bytes.
Result<Buffers, Errno> one_buffer(const Call& call) {
  const std::uint64_t size = call.arguments[2];
  if (size > largest_transfer) return Failure{Errno::einval};
  return Buffers({{call.address(1), size}});
}

// The buffers of the array of argument 2 elements at argument 1: struct iovec {void *iov_base;
// size_t iov_len}.
Result<Buffers, Errno> vectored_buffers(Call& call) {
  const std::int32_t count = call.signed_argument(2);
  if (count <= 0 || count > most_vectors) return Failure{Errno::einval};
  std::vector<Buffer> buffers;
  std::uint64_t total = 0;
  GuestReader vectors(call, call.address(1));
  for (std::int32_t i = 0; i < count; ++i) {
    const GuestAddr base = vectors.pointer();
    const std::uint64_t size = vectors.word_long();
    if (!vectors.ok()) return Failure{Errno::efault};
    if (size > largest_transfer - total) return Failure{Errno::einval};
    total += size;
    buffers.push_back({base, size});
  }
  return Buffers(std::move(buffers));
}

CallResult write_failed(Call& call, host::Error error) {
  if (error == host::Error::broken_pipe) call.os.post(call.simulation, call.process, sigpipe, {});
  return CallResult::failure(to_errno(error));
}

CallResult wait_to_read(Call& call, const std::shared_ptr<OpenFile>& file) {
  constexpr std::uint64_t tenth = 100'000'000;  // nanoseconds
  Wait wait{.event = file_event(
                {{.descriptor = call.signed_argument(0), .file = file, .for_reading = true}})};
  if (const auto tenths = file->patience()) {
    wait.until = call.first_deadline(deadline_after(call, *tenths / 10, *tenths % 10 * tenth));
    if (*tenths == 0 || call.simulation.clock().ticks() >= *wait.until) return CallResult::value(0);
  }
  return CallResult::wait(std::move(wait));
}

// At `offset`, or at the file's position.
CallResult read_into(Call& call, const std::shared_ptr<OpenFile>& file, const Buffers& buffers,
                     std::optional<std::uint64_t> offset) {
  if (const auto kept = keep_from_terminal(call, *file, TerminalUse::read)) return *kept;
  std::uint64_t done = 0;
  do {
    const std::uint64_t size = std::min<std::uint64_t>(buffers.total() - done, chunk_size);
    // Before anything is taken from a pipe or terminal: bytes must not be lost to a bad buffer.
    const bool has_room =
        buffers.for_each(done, size, [&](GuestAddr to, std::uint64_t, std::uint64_t part) {
          return call.memory.probe(to, part, Access::write).ok();
        });
    if (!has_room && done == 0) return CallResult::failure(Errno::efault);
    if (!has_room) break;
    std::vector<std::uint8_t> bytes(size);
    const auto moved = offset ? file->pread(bytes, *offset + done) : file->read(bytes);
    if (!moved && done == 0) return CallResult::failure(to_errno(moved.error()));
    if (!moved) break;
    if (!*moved) {
      const auto instead = instead_of_waiting(call, *file);
      if (instead) return *instead;
      return wait_to_read(call, file);
    }
    const bool stored =
        buffers.for_each(done, **moved, [&](GuestAddr to, std::uint64_t from, std::uint64_t part) {
          return call.memory.write_bytes(to, std::span(bytes).subspan(from, part)).ok();
        });
    if (!stored) return CallResult::failure(Errno::efault);
    done += **moved;
    if (**moved < size) break;
  } while (done < buffers.total() && file->reads_whole());
  return CallResult::value(done);
}

CallResult write_from(Call& call, const std::shared_ptr<OpenFile>& file, const Buffers& buffers,
                      std::optional<std::uint64_t> offset) {
  if (const auto kept = keep_from_terminal(call, *file, TerminalUse::write)) return *kept;
  const Wait* const before = call.thread.wait_before();
  std::uint64_t done = before == nullptr ? 0 : before->progress;
  do {
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(buffers.total() - done, chunk_size));
    const bool loaded = buffers.for_each(
        done, bytes.size(), [&](GuestAddr from, std::uint64_t to, std::uint64_t part) {
          return call.memory.read_bytes(from, std::span(bytes).subspan(to, part)).ok();
        });
    if (!loaded && done == 0) return CallResult::failure(Errno::efault);
    if (!loaded) break;
    const auto moved = offset ? file->pwrite(bytes, *offset + done) : file->write(bytes);
    if (!moved && done == 0) return write_failed(call, moved.error());
    if (!moved) break;
    if (!*moved) {
      const auto instead = instead_of_waiting(call, *file);
      if (instead && done == 0) return *instead;
      if (instead) break;
      return CallResult::wait({.event = file_event({{.descriptor = call.signed_argument(0),
                                                     .file = file,
                                                     .bytes_to_write = bytes.size()}}),
                               .progress = done});
    }
    done += **moved;
    if (**moved == 0) break;
  } while (done < buffers.total());
  return CallResult::value(done);
}

std::optional<host::Whence> whence_of(std::uint32_t number) {
  if (number > 2) return std::nullopt;
  return static_cast<host::Whence>(number);
}

CallResult truncate_path(Call& call, std::int64_t size) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  if (size < 0) return CallResult::failure(Errno::einval);
  return done_or_errno(call.os.files().truncate(*path, static_cast<std::uint64_t>(size)));
}

// A file that is not open for writing is EINVAL, as in POSIX.1.
CallResult truncate_file(Call& call, std::int64_t size) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  if (size < 0) return CallResult::failure(Errno::einval);
  return done_or_errno(file->truncate(static_cast<std::uint64_t>(size)));
}

}  // namespace

CallResult read(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffer = one_buffer(call);
  if (!buffer) return CallResult::failure(buffer.error());
  return read_into(call, file, *buffer, std::nullopt);
}

CallResult readv(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffers = vectored_buffers(call);
  if (!buffers) return CallResult::failure(buffers.error());
  return read_into(call, file, *buffers, std::nullopt);
}

// pread(fd, buffer, size, pad, offset)
CallResult pread(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffer = one_buffer(call);
  if (!buffer) return CallResult::failure(buffer.error());
  return read_into(call, file, *buffer, call.argument64(4));
}

CallResult write(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffer = one_buffer(call);
  if (!buffer) return CallResult::failure(buffer.error());
  return write_from(call, file, *buffer, std::nullopt);
}

CallResult writev(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffers = vectored_buffers(call);
  if (!buffers) return CallResult::failure(buffers.error());
  return write_from(call, file, *buffers, std::nullopt);
}

// pwrite(fd, buffer, size, pad, offset)
CallResult pwrite(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffer = one_buffer(call);
  if (!buffer) return CallResult::failure(buffer.error());
  return write_from(call, file, *buffer, call.argument64(4));
}

CallResult close(Call& call) {
  if (!call.state.descriptors.close(call.signed_argument(0))) {
    return CallResult::failure(Errno::ebadf);
  }
  return CallResult::value(0);
}

CallResult lseek(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto whence = whence_of(call.argument(2));
  if (!whence) return CallResult::failure(Errno::einval);
  const auto position = file->seek(call.offset(1), *whence);
  if (!position) return CallResult::failure(to_errno(position.error()));
  const bool is_narrow = call.abi().register_bits == 32;
  if (is_narrow && *position > largest_transfer) return CallResult::failure(Errno::eoverflow);
  return CallResult::offset(*position);
}

// lseek64(fd, pad, offset, whence)
CallResult lseek64(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto whence = whence_of(call.argument(4));
  if (!whence) return CallResult::failure(Errno::einval);
  const auto position = file->seek(static_cast<std::int64_t>(call.argument64(2)), *whence);
  if (!position) return CallResult::failure(to_errno(position.error()));
  return CallResult::value64(*position);
}

CallResult truncate(Call& call) {
  return truncate_path(call, call.offset(1));
}

// truncate64(path, pad, size)
CallResult truncate64(Call& call) {
  return truncate_path(call, static_cast<std::int64_t>(call.argument64(2)));
}

CallResult ftruncate(Call& call) {
  return truncate_file(call, call.offset(1));
}

// ftruncate64(fd, pad, size)
CallResult ftruncate64(Call& call) {
  return truncate_file(call, static_cast<std::int64_t>(call.argument64(2)));
}

// EINVAL for a pipe.
CallResult fsync(Call& call) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  return done_or_errno(file->sync());
}

CallResult fdatasync(Call& call) {
  return fsync(call);
}

// Schedules the writing of data that is not on the disk yet; the host does that by itself.
CallResult sync(Call&) {
  return CallResult::value(0);
}

}  // namespace calls
}  // namespace hardclock::posix
