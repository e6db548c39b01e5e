// From and to pipes without a buffer: splice(2), tee(2), vmsplice(2). Source: Linux 6.1,
// fs/splice.c. A pipe is joined to another, to a stream socket, a regular file or, for writing, a
// character device; other files give EINVAL, upon which programs read and write.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/copy_place.h"
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/files/pipe.h"
#include "syscalls/posix/files/terminal_calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/sockets/socket.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::Pipe;
using posix::PipeEnd;

constexpr std::uint32_t does_not_wait = 2, known_flags = 15;  // SPLICE_F_NONBLOCK; all
constexpr std::size_t offset_size = 8;                        // of loff_t, in bytes

// Null: it is none.
PipeEnd* pipe_end(const File& file) {
  return dynamic_cast<PipeEnd*>(file.get());
}

bool is_non_blocking(const Call& call, const File& file) {
  return (file->status_flags & call.system.open_flags.non_block) != 0;
}

CallResult wait_for_file(Call& call, bool waits, std::size_t argument, const File& file,
                         bool reads) {
  if (!waits) return CallResult::failure(Errno::eagain);
  return CallResult::wait({.event = FileWait{{{.descriptor = call.signed_argument(argument),
                                               .file = file,
                                               .for_reading = reads,
                                               .bytes_to_write = reads ? 0u : 1u}}}});
}

// What a pipe that is read from lets the call answer at once; nullopt: it has bytes.
std::optional<CallResult> answer_of_empty(Call& call, bool waits, std::size_t argument,
                                          const File& file) {
  const Pipe& pipe = *pipe_end(file)->pipe();
  if (!pipe.bytes().empty()) return std::nullopt;
  if (pipe.writers == 0) return CallResult::value(0);
  return wait_for_file(call, waits, argument, file, true);
}

// The same of a pipe that is written to; nullopt: it has room.
std::optional<CallResult> answer_of_full(Call& call, bool waits, std::size_t argument,
                                         const File& file) {
  const Pipe& pipe = *pipe_end(file)->pipe();
  if (pipe.readers == 0) return posix::write_failed(call, host::Error::broken_pipe);
  if (pipe.room() != 0) return std::nullopt;
  return wait_for_file(call, waits, argument, file, false);
}

// The first bytes of a pipe, which stay there.
std::vector<std::uint8_t> first_bytes(const Pipe& pipe, std::uint64_t most) {
  const auto count =
      static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, pipe.bytes().size()));
  return {pipe.bytes().begin(), pipe.bytes().begin() + count};
}

void drop_first(PipeEnd& end, std::size_t count) {
  std::vector<std::uint8_t> dropped(count);
  (void)end.read(dropped);
}

// The descriptors of a copy, by the numbers of their arguments.
struct Ends {
  File in, out;
  std::size_t in_argument, out_argument;
  std::uint64_t count;
  bool waits;
};

CallResult pipe_to_pipe(Call& call, const Ends& ends, bool keeps) {
  PipeEnd& in = *pipe_end(ends.in);
  const Pipe& out = *pipe_end(ends.out)->pipe();
  const auto empty = answer_of_empty(call, ends.waits, ends.in_argument, ends.in);
  const bool is_over = empty && empty->kind == CallResult::Kind::value;
  if (empty && !is_over) return *empty;
  if (const auto full = answer_of_full(call, ends.waits, ends.out_argument, ends.out)) return *full;
  if (is_over) return *empty;
  const auto bytes = first_bytes(*in.pipe(), std::min<std::uint64_t>(ends.count, out.room()));
  const auto moved = ends.out->write(bytes);
  if (!moved) return posix::write_failed(call, moved.error());
  if (!keeps) drop_first(in, moved->value_or(0));
  return CallResult::value(moved->value_or(0));
}

// The place of a regular file that a pipe is joined to; nullopt: the file has one place alone, or
// none and no offset is given.
Result<std::optional<Place>, Errno> place_of(Call& call, const File& file, std::size_t offset) {
  if (!is_regular(*file) && call.is_null(offset)) return std::optional<Place>();
  const auto place = Place::at(call, file, call.address(offset), offset_size);
  if (!place) return Failure{place.error()};
  if (is_regular(*file)) return std::optional(*place);
  if (!file->seek(0, host::Whence::current)) return Failure{Errno::einval};
  return std::optional<Place>();
}

bool takes_splices(const File& file) {
  if (!file->takes_splices()) return false;
  if (file->socket() != nullptr) return file->socket()->is_stream();
  const auto status = file->status();
  return status && (status->type == host::FileType::regular ||
                    status->type == host::FileType::character_device);
}

CallResult pipe_to_file(Call& call, const Ends& ends) {
  PipeEnd& in = *pipe_end(ends.in);
  const bool appends = (ends.out->status_flags & call.system.open_flags.append) != 0;
  if (appends || !takes_splices(ends.out)) return CallResult::failure(Errno::einval);
  auto place = place_of(call, ends.out, 3);
  if (!place) return CallResult::failure(place.error());
  if (const auto kept = posix::keep_from_terminal(call, *ends.out, posix::TerminalUse::write)) {
    return *kept;
  }
  const auto empty = answer_of_empty(call, ends.waits, ends.in_argument, ends.in);
  if (empty) return *empty;
  const auto offset = *place ? std::optional((*place)->offset) : std::nullopt;
  const std::uint64_t wanted = first_bytes(*in.pipe(), ends.count).size();
  const auto most = posix::writable_part(call, *ends.out, offset, wanted);
  if (!most) return CallResult::failure(Errno::efbig);
  const auto bytes = first_bytes(*in.pipe(), *most);
  const auto moved = *place ? ends.out->pwrite(bytes, (*place)->offset) : ends.out->write(bytes);
  if (!moved) return posix::write_failed(call, moved.error());
  if (!*moved) {
    const bool waits = ends.waits && !is_non_blocking(call, ends.out);
    return wait_for_file(call, waits, ends.out_argument, ends.out, false);
  }
  drop_first(in, **moved);
  // The rest is tried, too, and meets the limit (iter_file_splice_write()).
  if (offset && *most < wanted) (void)posix::writable_part(call, *ends.out, *offset + *most, 1);
  if (!*place) return CallResult::value(**moved);
  (*place)->offset += **moved;
  return (*place)->keep(CallResult::value(**moved));
}

CallResult file_to_pipe(Call& call, const Ends& ends) {
  const bool gives =
      is_regular(*ends.in) || (ends.in->socket() != nullptr && takes_splices(ends.in));
  if (!gives) return CallResult::failure(Errno::einval);
  auto place = place_of(call, ends.in, 1);
  if (!place) return CallResult::failure(place.error());
  if (const auto full = answer_of_full(call, ends.waits, ends.out_argument, ends.out)) return *full;
  const Pipe& out = *pipe_end(ends.out)->pipe();
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(ends.count, out.room()));
  const auto got = *place ? ends.in->pread(bytes, (*place)->offset) : ends.in->read(bytes);
  if (!got) return CallResult::failure(posix::to_errno(got.error()));
  if (!*got) {
    const bool waits = ends.waits && !is_non_blocking(call, ends.in);
    return wait_for_file(call, waits, ends.in_argument, ends.in, true);
  }
  bytes.resize(**got);
  const auto moved = ends.out->write(bytes);
  if (!moved) return posix::write_failed(call, moved.error());
  if (!*place) return CallResult::value(**got);
  (*place)->offset += **got;
  return (*place)->keep(CallResult::value(**got));
}

// Either end's O_NONBLOCK counts where it is a pipe.
Ends ends_of(Call& call, std::size_t out, std::size_t count) {
  Ends ends{.in = posix::file_at(call),
            .out = posix::file_at(call, out),
            .in_argument = 0,
            .out_argument = out,
            .count = call.arguments[count],
            .waits = (call.argument(count + 1) & does_not_wait) == 0};
  for (const File& file : {ends.in, ends.out}) {
    if (file != nullptr && pipe_end(file) != nullptr && is_non_blocking(call, file)) {
      ends.waits = false;
    }
  }
  return ends;
}

bool are_open_for(const Ends& ends) {
  return ends.in->rights().read && ends.out->rights().write;
}

CallResult fill_pipe(Call& call, const File& file, const posix::Buffers& buffers, bool waits) {
  if (const auto full = answer_of_full(call, waits, 0, file)) return *full;
  std::vector<std::uint8_t> bytes(
      std::min<std::uint64_t>(buffers.total(), pipe_end(file)->pipe()->room()));
  if (!buffers.load(call.memory, 0, bytes)) return CallResult::failure(Errno::efault);
  const auto moved = file->write(bytes);
  if (!moved) return posix::write_failed(call, moved.error());
  return CallResult::value(moved->value_or(0));
}

CallResult empty_pipe(Call& call, const File& file, const posix::Buffers& buffers, bool waits) {
  if (const auto empty = answer_of_empty(call, waits, 0, file)) return *empty;
  const auto bytes = first_bytes(*pipe_end(file)->pipe(), buffers.total());
  if (!buffers.store(call.memory, 0, bytes)) return CallResult::failure(Errno::efault);
  drop_first(*pipe_end(file), bytes.size());
  return CallResult::value(bytes.size());
}

}  // namespace

// splice(in, in_offset, out, out_offset, count, flags), whose offsets have 64 bits.
CallResult splice(Call& call) {
  const Ends ends = ends_of(call, 2, 4);
  if (ends.count == 0) return CallResult::value(0);
  if ((call.argument(5) & ~known_flags) != 0) return CallResult::failure(Errno::einval);
  if (ends.in == nullptr || ends.out == nullptr) return CallResult::failure(Errno::ebadf);
  const PipeEnd *const in = pipe_end(ends.in), *const out = pipe_end(ends.out);
  if ((in != nullptr && !call.is_null(1)) || (out != nullptr && !call.is_null(3))) {
    return CallResult::failure(Errno::espipe);
  }
  if (!are_open_for(ends)) return CallResult::failure(Errno::ebadf);
  if (in != nullptr && out != nullptr) {
    if (in->pipe() == out->pipe()) return CallResult::failure(Errno::einval);
    return pipe_to_pipe(call, ends, false);
  }
  if (in != nullptr) return pipe_to_file(call, ends);
  if (out != nullptr) return file_to_pipe(call, ends);
  return CallResult::failure(Errno::einval);
}

// tee(in, out, count, flags): what goes to the second pipe stays in the first.
CallResult tee(Call& call) {
  const Ends ends = ends_of(call, 1, 2);
  if ((call.argument(3) & ~known_flags) != 0) return CallResult::failure(Errno::einval);
  if (ends.count == 0) return CallResult::value(0);
  if (ends.in == nullptr || ends.out == nullptr || !are_open_for(ends)) {
    return CallResult::failure(Errno::ebadf);
  }
  const PipeEnd *const in = pipe_end(ends.in), *const out = pipe_end(ends.out);
  if (in == nullptr || out == nullptr || in->pipe() == out->pipe()) {
    return CallResult::failure(Errno::einval);
  }
  return pipe_to_pipe(call, ends, true);
}

// vmsplice(pipe, vectors, count, flags): to a pipe's writer, or from its reader. The bytes are
// copied, which a gift (SPLICE_F_GIFT) allows, too.
CallResult vmsplice(Call& call) {
  if ((call.argument(3) & ~known_flags) != 0) return CallResult::failure(Errno::einval);
  const File file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto buffers = posix::read_vectors(call, call.address(1), call.signed_argument(2));
  if (!buffers) return CallResult::failure(buffers.error());
  if (buffers->total() == 0) return CallResult::value(0);
  if (pipe_end(file) == nullptr) return CallResult::failure(Errno::ebadf);
  const bool waits = (call.argument(3) & does_not_wait) == 0;
  return file->rights().write ? fill_pipe(call, file, *buffers, waits)
                              : empty_pipe(call, file, *buffers, waits);
}

}  // namespace hardclock::gnu_linux::calls
