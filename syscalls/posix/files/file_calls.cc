// Bytes from and to open files.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "syscalls/host/host_file.h"
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/files/terminal_calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/sockets/socket.h"
#include "syscalls/posix/sockets/socket_interface.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

std::shared_ptr<OpenFile> file_at(const Call& call, std::size_t argument) {
  return call.descriptors().get(call.signed_argument(argument));
}

std::shared_ptr<OpenFile> raw_file_at(const Call& call, std::size_t argument) {
  return call.descriptors().get_raw(call.signed_argument(argument));
}

CallResult done_or_errno(const host::HostResult<Ok>& result) {
  return result ? CallResult::value(0) : CallResult::failure(to_errno(result.error()));
}

std::optional<CallResult> instead_of_waiting(const Call& call, const OpenFile& file) {
  const OpenFlags& flags = call.system.open_flags;
  const bool fails =
      dynamic_cast<const Socket*>(&file) != nullptr && call.system.sockets->no_delay_fails;
  const std::uint32_t failing = flags.non_block | (fails ? flags.no_delay : 0);
  if ((file.status_flags & failing) != 0) return CallResult::failure(Errno::eagain);
  if ((file.status_flags & flags.no_delay) != 0) return CallResult::value(0);
  return std::nullopt;
}

host::GuestPath path_of(const Directory& directory) {
  return host::GuestPath::of_held(directory.held);
}

CallResult write_failed(Call& call, host::Error error) {
  if (error == host::Error::broken_pipe) call.os.signals().post(call.process, sigpipe, {});
  return CallResult::failure(to_errno(error));
}

namespace calls {
namespace {

// The most bytes moved at once between host and guest; a longer transfer goes in pieces.
constexpr std::size_t chunk_size = 64 * 1024;

// The buffer at argument 1, of argument 2 bytes.
Result<Buffers, Errno> buffer_of(Call& call) {
  return one_buffer(call.address(1), call.arguments[2]);
}

// The buffers of the array of argument 2 elements at argument 1, of which there must be one.
Result<Buffers, Errno> vectored_buffers(Call& call) {
  if (call.signed_argument(2) <= 0) return Failure{Errno::einval};
  return read_vectors(call, call.address(1), call.signed_argument(2));
}

CallResult wait_to_read(Call& call, const std::shared_ptr<OpenFile>& file) {
  constexpr std::uint64_t tenth = 100'000'000;  // nanoseconds
  Wait wait{.event = FileWait{
                {{.descriptor = call.signed_argument(0), .file = file, .for_reading = true}}}};
  if (const auto tenths = file->patience()) {
    wait.until = call.first_deadline(deadline_after(call, *tenths / 10, *tenths % 10 * tenth));
    if (*tenths == 0 || wait.until->has_come(call.simulation().clock()))
      return CallResult::value(0);
  }
  return CallResult::wait(std::move(wait));
}

// ---- Memory that ends early. Of a pipe or a terminal bytes must not be lost to it, nor be moved
// in part: there, and on systems that never do so, it is all of a piece or nothing.

bool moves_what_fits(const Call& call, const OpenFile& file) {
  return call.system.moves_what_fits && file.reads_whole();
}

// How many of the next `size` bytes a read may store.
std::uint64_t room_for(Call& call, OpenFile& file, const Buffers& buffers, std::uint64_t done,
                       std::uint64_t size) {
  const std::uint64_t room = buffers.reach(call.memory, done, size, Access::write);
  if (room == size || moves_what_fits(call, file)) return room;
  if (!call.system.moves_what_fits) return 0;
  const auto available = file.available();
  return available && *available <= room ? room : 0;
}

// What no program can have is refused before anything is moved (Linux, access_ok()).
bool may_be_the_users(const Call& call, const Buffers& buffers) {
  return !call.system.moves_what_fits || buffers.end_by(call.memory.user_end());
}

// Where there is nothing to read the memory does not matter.
bool is_at_end(const Call& call, OpenFile& file, std::optional<std::uint64_t> offset) {
  if (!moves_what_fits(call, file)) return false;
  const auto place =
      offset ? host::HostResult<std::uint64_t>(*offset) : file.seek(0, host::Whence::current);
  std::array<std::uint8_t, 1> next{};
  const auto read = place ? file.pread(next, *place) : Transfer(std::nullopt);
  return read && *read && **read == 0;
}

// Loads the next bytes that are written; returns their number. Linux' devices that do not look at
// them leave memory alone (drivers/char/mem.c, write_null() and write_full()).
std::uint64_t loaded_part(Call& call, const OpenFile& file, const Buffers& buffers,
                          std::uint64_t done, std::span<std::uint8_t> bytes) {
  if (call.system.moves_what_fits && !file.looks_at_writes()) return bytes.size();
  if (buffers.load(call.memory, done, bytes)) return bytes.size();
  if (!moves_what_fits(call, file)) return 0;
  const std::uint64_t part = buffers.reach(call.memory, done, bytes.size(), Access::read);
  return buffers.load(call.memory, done, bytes.first(part)) ? part : 0;
}

// At `offset`, or at the file's position.
CallResult read_into(Call& call, const std::shared_ptr<OpenFile>& file, const Buffers& buffers,
                     std::optional<std::uint64_t> offset) {
  if (file->socket() != nullptr && !offset)
    return receive(call, socket_of(file), buffers, {.moved = progress_of(call)});
  if (const auto kept = keep_from_terminal(call, *file, TerminalUse::read)) return *kept;
  if (!may_be_the_users(call, buffers)) return CallResult::failure(Errno::efault);
  std::uint64_t done = 0;
  do {
    const std::uint64_t wanted = std::min<std::uint64_t>(buffers.total() - done, chunk_size);
    const std::uint64_t size = room_for(call, *file, buffers, done, wanted);
    if (size == 0 && wanted != 0) {
      const bool is_fault = done == 0 && !is_at_end(call, *file, offset);
      if (is_fault) return CallResult::failure(Errno::efault);
      break;
    }
    std::vector<std::uint8_t> bytes(size);
    const auto moved = offset ? file->pread(bytes, *offset + done) : file->read(bytes);
    if (!moved && done == 0) return CallResult::failure(to_errno(moved.error()));
    if (!moved) break;
    if (!*moved) {
      const auto instead = instead_of_waiting(call, *file);
      if (instead) return *instead;
      return wait_to_read(call, file);
    }
    buffers.store(call.memory, done, std::span(bytes).first(**moved));
    done += **moved;
    if (**moved < size) break;
  } while (done < buffers.total() && file->reads_whole() && !host::has_stopped_waiting());
  return CallResult::value(done);
}

CallResult write_from(Call& call, const std::shared_ptr<OpenFile>& file, const Buffers& buffers,
                      std::optional<std::uint64_t> offset) {
  if (file->socket() != nullptr && !offset)
    return send(call, socket_of(file), buffers, {.moved = progress_of(call)});
  if (const auto kept = keep_from_terminal(call, *file, TerminalUse::write)) return *kept;
  if (!may_be_the_users(call, buffers)) return CallResult::failure(Errno::efault);
  const auto most = writable_part(call, *file, offset, buffers.total());
  if (!most) return CallResult::failure(Errno::efbig);
  std::uint64_t done = progress_of(call);
  do {
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(*most - done, chunk_size));
    bytes.resize(loaded_part(call, *file, buffers, done, bytes));
    if (bytes.empty() && done < *most) {
      if (done == 0) return CallResult::failure(Errno::efault);
      break;
    }
    const auto moved = offset ? file->pwrite(bytes, *offset + done) : file->write(bytes);
    if (!moved && done == 0) return write_failed(call, moved.error());
    if (!moved) break;
    if (!*moved) {
      const auto instead = instead_of_waiting(call, *file);
      if (instead && done == 0) return *instead;
      if (instead) break;
      return CallResult::wait({.event = FileWait{{{.descriptor = call.signed_argument(0),
                                                   .file = file,
                                                   .bytes_to_write = bytes.size()}}},
                               .progress = done});
    }
    done += **moved;
    if (**moved == 0) break;
  } while (done < *most && !host::has_stopped_waiting());
  return CallResult::value(done);
}

// EBADF comes before all that is wrong with the memory (Linux, fs/read_write.c, vfs_read(); 4.4BSD,
// kern/sys_generic.c, read()).
using BuffersOf = Result<Buffers, Errno> (*)(Call& call);

CallResult read_buffers(Call& call, BuffersOf which, std::optional<std::uint64_t> offset) {
  const auto file = file_at(call);
  if (file == nullptr || !file->rights().read) return CallResult::failure(Errno::ebadf);
  const auto buffers = which(call);
  if (!buffers) return CallResult::failure(buffers.error());
  return read_into(call, file, *buffers, offset);
}

CallResult write_buffers(Call& call, BuffersOf which, std::optional<std::uint64_t> offset) {
  const auto file = file_at(call);
  if (file == nullptr || !file->rights().write) return CallResult::failure(Errno::ebadf);
  const auto buffers = which(call);
  if (!buffers) return CallResult::failure(buffers.error());
  return write_from(call, file, *buffers, offset);
}

std::optional<host::Whence> whence_of(std::uint32_t number) {
  if (number > 2) return std::nullopt;
  return static_cast<host::Whence>(number);
}

// Of a regular file. What cannot be given a size is as large as it wants to be.
std::uint64_t present_size(const host::HostResult<host::FileStatus>& status) {
  return status && status->type == host::FileType::regular ? status->size : no_limit;
}

CallResult truncate_open(Call& call, OpenFile& file, std::uint64_t size) {
  if (file.rights().write && !may_have_size(call, present_size(file.status()), size)) {
    return CallResult::failure(Errno::efbig);
  }
  return done_or_errno(file.truncate(size));
}

CallResult truncate_path(Call& call, std::int64_t size) {
  const auto path = read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  if (size < 0) return CallResult::failure(Errno::einval);
  if (const auto node = call.os.files().find_node(*path, host::Follow::yes)) {
    const auto linked = std::dynamic_pointer_cast<OpenFile>(node->object);
    if (linked == nullptr) return CallResult::failure(Errno::einval);
    const auto opened = linked->open_again({.write = true});
    if (!opened) return CallResult::failure(to_errno(opened.error()));
    const auto& file = *opened == nullptr ? linked : *opened;
    return truncate_open(call, *file, static_cast<std::uint64_t>(size));
  }
  const auto present = present_size(call.os.files().status(*path, host::Follow::yes));
  if (!may_have_size(call, present, static_cast<std::uint64_t>(size))) {
    return CallResult::failure(Errno::efbig);
  }
  return done_or_errno(call.os.files().truncate(*path, static_cast<std::uint64_t>(size)));
}

// A file that is not open for writing is EINVAL, as in POSIX.1.
CallResult truncate_file(Call& call, std::int64_t size) {
  const auto file = file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  if (size < 0) return CallResult::failure(Errno::einval);
  return truncate_open(call, *file, static_cast<std::uint64_t>(size));
}

}  // namespace

CallResult read(Call& call) {
  return read_buffers(call, buffer_of, std::nullopt);
}

CallResult readv_at(Call& call, std::optional<std::uint64_t> offset) {
  return read_buffers(call, vectored_buffers, offset);
}

CallResult readv(Call& call) {
  return readv_at(call, std::nullopt);
}

// pread(fd, buffer, size, pad, offset)
CallResult pread(Call& call) {
  return read_buffers(call, buffer_of, call.argument64(4));
}

CallResult write(Call& call) {
  return write_buffers(call, buffer_of, std::nullopt);
}

CallResult writev_at(Call& call, std::optional<std::uint64_t> offset) {
  return write_buffers(call, vectored_buffers, offset);
}

CallResult writev(Call& call) {
  return writev_at(call, std::nullopt);
}

// pwrite(fd, buffer, size, pad, offset)
CallResult pwrite(Call& call) {
  return write_buffers(call, buffer_of, call.argument64(4));
}

CallResult close(Call& call) {
  const auto file = raw_file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  // What fails after this, fails for a descriptor that is closed all the same (close(2) of Linux).
  call.descriptors().close(call.signed_argument(0));
  const auto written = file->close_one(file.use_count() == 1);
  return written ? CallResult::value(0) : CallResult::failure(to_errno(written.error()));
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

}  // namespace calls
}  // namespace hardclock::posix
