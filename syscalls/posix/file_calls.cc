#include <algorithm>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// open(2)'s access modes; the flags are the system's.
constexpr std::uint32_t o_accmode = 3, o_rdonly = 0, o_wronly = 1, o_rdwr = 2;

// The most that one call moves; a longer transfer is answered as a short one, which POSIX.1 allows
// for reads, and repeated inside for writes.
constexpr std::size_t chunk_size = 64 * 1024;
constexpr std::uint32_t largest_transfer = 0x7fffffff;

constexpr const char* zero_device = "/dev/zero";

CallResult add_descriptor(Call& call, std::shared_ptr<OpenFile> file) {
  const auto number = call.state.descriptors.add(std::move(file));
  if (!number) return CallResult::failure(Errno::emfile);
  return CallResult::value(static_cast<std::uint32_t>(*number));
}

CallResult open_path(Call& call, const host::OpenOptions& options) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  auto file = call.os.files().open(*path, options);
  if (!file) return CallResult::failure(to_errno(file.error()));
  return add_descriptor(
      call, std::make_shared<HostOpenFile>(*std::move(file), path->text() == zero_device));
}

CallResult write_failed(Call& call, host::Error error) {
  if (error == host::Error::broken_pipe) call.simulation.post_signal(call.process, sigpipe);
  return CallResult::failure(to_errno(error));
}

}  // namespace

CallResult read(Call& call) {
  const auto file = call.state.descriptors.get(call.signed_argument(0));
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t count = call.argument(2);
  if (count > largest_transfer) return CallResult::failure(Errno::einval);
  std::vector<std::uint8_t> buffer(std::min<std::size_t>(count, chunk_size));
  // Before anything is taken from a pipe or terminal: bytes must not be lost to a bad buffer.
  const auto room = call.memory.probe(call.address(1), buffer.size(), Access::write);
  if (!room) return CallResult::failure(Errno::efault);
  const auto moved = file->read(buffer);
  if (!moved) return CallResult::failure(to_errno(moved.error()));
  if (!*moved) return CallResult::wait([file] { return file->readable(); });
  const auto stored = call.memory.write_bytes(call.address(1), std::span(buffer).first(**moved));
  if (!stored) return CallResult::failure(Errno::efault);
  return CallResult::value(**moved);
}

CallResult write(Call& call) {
  const auto file = call.state.descriptors.get(call.signed_argument(0));
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t count = call.argument(2);
  if (count > largest_transfer) return CallResult::failure(Errno::einval);
  std::uint64_t& done = call.thread.call_progress;
  do {
    std::vector<std::uint8_t> buffer(std::min<std::size_t>(count - done, chunk_size));
    const auto loaded = call.memory.read_bytes(call.address(1) + done, buffer);
    if (!loaded && done == 0) return CallResult::failure(Errno::efault);
    if (!loaded) break;
    const auto moved = file->write(buffer);
    if (!moved && done == 0) return write_failed(call, moved.error());
    if (!moved) break;
    if (!*moved) {
      const std::size_t next = buffer.size();
      return CallResult::wait([file, next] { return file->writable(next); });
    }
    done += **moved;
    if (**moved == 0) break;
  } while (done < count);
  return CallResult::value(done);
}

CallResult open(Call& call) {
  const std::uint32_t flags = call.argument(1);
  const std::uint32_t access = flags & o_accmode;
  if (access > o_rdwr) return CallResult::failure(Errno::einval);
  const OpenFlags& known = call.system.open_flags;
  host::OpenOptions options;
  options.read = access != o_wronly;
  options.write = access != o_rdonly;
  options.append = (flags & known.append) != 0;
  options.create = (flags & known.create) != 0;
  options.exclusive = (flags & known.exclusive) != 0;
  options.truncate = (flags & known.truncate) != 0;
  options.mode = call.argument(2) & 0777;
  return open_path(call, options);
}

CallResult creat(Call& call) {
  host::OpenOptions options;
  options.read = false;
  options.write = options.create = options.truncate = true;
  options.mode = call.argument(1) & 0777;
  return open_path(call, options);
}

CallResult close(Call& call) {
  if (!call.state.descriptors.close(call.signed_argument(0))) {
    return CallResult::failure(Errno::ebadf);
  }
  return CallResult::value(0);
}

CallResult lseek(Call& call) {
  const auto file = call.state.descriptors.get(call.signed_argument(0));
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t whence = call.argument(2);
  if (whence > 2) return CallResult::failure(Errno::einval);
  const auto position = file->seek(call.signed_argument(1), static_cast<host::Whence>(whence));
  if (!position) return CallResult::failure(to_errno(position.error()));
  if (*position > largest_transfer) return CallResult::failure(Errno::eoverflow);
  return CallResult::value(static_cast<std::uint32_t>(*position));
}

CallResult dup(Call& call) {
  auto file = call.state.descriptors.get(call.signed_argument(0));
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  return add_descriptor(call, std::move(file));
}

CallResult pipe(Call& call) {
  PipeEnds ends = make_pipe();
  const auto reader = call.state.descriptors.add(ends.reader);
  if (!reader) return CallResult::failure(Errno::emfile);
  const auto writer = call.state.descriptors.add(ends.writer);
  if (!writer) {
    call.state.descriptors.close(*reader);
    return CallResult::failure(Errno::emfile);
  }
  return CallResult::value(static_cast<std::uint32_t>(*reader),
                           static_cast<std::uint32_t>(*writer));
}

CallResult unlink(Call& call) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  const auto removed = call.os.files().remove_file(*path);
  if (!removed) return CallResult::failure(to_errno(removed.error()));
  return CallResult::value(0);
}

}  // namespace hardclock::posix::calls
