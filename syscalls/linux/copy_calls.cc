// From one open file to another without a buffer: sendfile(2), copy_file_range(2).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "syscalls/host/host_file.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/copy_place.h"
#include "syscalls/posix/buffers.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10;

CallResult wait_to_write(Call& call, const File& out, std::size_t bytes) {
  if (const auto instead = posix::instead_of_waiting(call, *out)) return *instead;
  return CallResult::wait(
      {.event = FileWait{
           {{.descriptor = call.signed_argument(0), .file = out, .bytes_to_write = bytes}}}});
}

// sendfile(out, in, offset, count). What a file that is not regular would give cannot be put back:
// it is EINVAL, as Linux says of most.
CallResult send_file(Call& call, std::size_t offset_bytes) {
  const File out = posix::file_at(call), in = posix::file_at(call, 1);
  if (out == nullptr || in == nullptr || !in->rights().read || !out->rights().write) {
    return CallResult::failure(Errno::ebadf);
  }
  const bool is_file = is_regular(*in);
  if (!is_file && !call.is_null(2) && !in->seek(0, host::Whence::current)) {
    return CallResult::failure(Errno::espipe);
  }
  if (!is_file || !out->takes_splices() || call.arguments[3] > posix::largest_transfer) {
    return CallResult::failure(Errno::einval);
  }
  auto place = Place::at(call, in, call.address(2), offset_bytes);
  if (!place) return CallResult::failure(place.error());
  std::uint64_t done = 0;
  while (done < call.arguments[3] && !host::has_stopped_waiting()) {
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(call.arguments[3] - done, piece_bytes));
    const auto got = in->pread(bytes, place->offset);
    if (!got && done == 0) return CallResult::failure(posix::to_errno(got.error()));
    if (!got || !*got || **got == 0) break;
    const auto most = posix::writable_part(call, *out, std::nullopt, **got);
    if (!most && done == 0) return CallResult::failure(Errno::efbig);
    if (!most) break;
    bytes.resize(*most);
    const auto moved = out->write(bytes);
    if (!moved && done == 0) return posix::write_failed(call, moved.error());
    if (!moved) break;
    if (!*moved && done == 0) return wait_to_write(call, out, bytes.size());
    if (!*moved) break;
    done += **moved;
    place->offset += **moved;
    if (**moved < bytes.size()) break;
  }
  return place->keep(CallResult::value(done));
}

// EBADF, EINVAL: not two regular files.
std::optional<Errno> refusal_to_copy(const Call& call, const File& in, const File& out) {
  if (in == nullptr || out == nullptr || !in->rights().read || !out->rights().write ||
      (out->status_flags & call.system.open_flags.append) != 0) {
    return Errno::ebadf;
  }
  if (!is_regular(*in) || !is_regular(*out) || call.argument(5) != 0) return Errno::einval;
  return std::nullopt;
}

}  // namespace

CallResult sendfile(Call& call) {
  return send_file(call, call.abi().long_bytes());
}

CallResult sendfile64(Call& call) {
  return send_file(call, 8);
}

// copy_file_range(in, in_offset, out, out_offset, count, flags), whose offsets have 64 bits.
CallResult copy_file_range(Call& call) {
  const File in = posix::file_at(call), out = posix::file_at(call, 2);
  if (const auto error = refusal_to_copy(call, in, out)) return CallResult::failure(*error);
  auto from = Place::at(call, in, call.address(1), 8);
  if (!from) return CallResult::failure(from.error());
  auto to = Place::at(call, out, call.address(3), 8);
  if (!to) return CallResult::failure(to.error());
  const auto most = posix::writable_part(call, *out, to->offset,
                                         std::min(call.arguments[4], posix::largest_transfer));
  if (!most) return CallResult::failure(Errno::efbig);
  const std::uint64_t count = *most;
  const bool overlaps = in->identity() == out->identity() && from->offset < to->offset + count &&
                        to->offset < from->offset + count;
  if (overlaps && count != 0) return CallResult::failure(Errno::einval);
  std::uint64_t done = 0;
  while (done < count && !host::has_stopped_waiting()) {
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(count - done, piece_bytes));
    const auto got = in->pread(bytes, from->offset);
    if (!got && done == 0) return CallResult::failure(posix::to_errno(got.error()));
    if (!got || !*got || **got == 0) break;
    const auto moved = out->pwrite(std::span(bytes).first(**got), to->offset);
    if (!moved && done == 0) return CallResult::failure(posix::to_errno(moved.error()));
    if (!moved || !*moved || **moved == 0) break;
    done += **moved;
    from->offset += **moved;
    to->offset += **moved;
  }
  const CallResult kept = from->keep(CallResult::value(done));
  return kept.kind == CallResult::Kind::error ? kept : to->keep(kept);
}

}  // namespace hardclock::gnu_linux::calls
