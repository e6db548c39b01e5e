// What calls that copy between open files have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/files/open_file.h"
#include "syscalls/posix/guest_struct.h"

namespace hardclock::gnu_linux {

using File = std::shared_ptr<posix::OpenFile>;

inline bool is_regular(const posix::OpenFile& file) {
  const auto status = file.status();
  return status && status->type == host::FileType::regular;
}

// Where a copy reads or writes: at the offset in memory, which moves on, or at the file's position.
class Place {
 public:
  // EFAULT, EINVAL: the offset is negative; ESPIPE.
  static Result<Place, posix::Errno> at(posix::Call& call, const File& file, GuestAddr address,
                                        std::size_t offset_bytes) {
    Place place(call, file, address, offset_bytes);
    if (address == GuestAddr(0)) {
      const auto position = file->seek(0, host::Whence::current);
      if (!position) return Failure{posix::to_errno(position.error())};
      place.offset = *position;
      return place;
    }
    posix::GuestReader reader(call, address);
    const std::int64_t offset = reader.signed_member(offset_bytes);
    if (!reader.ok()) return Failure{posix::Errno::efault};
    if (offset < 0) return Failure{posix::Errno::einval};
    place.offset = static_cast<std::uint64_t>(offset);
    return place;
  }
  posix::CallResult keep(posix::CallResult on_success) {
    if (address_ != GuestAddr(0)) {
      return posix::GuestStruct(*call_)
          .member(offset_bytes_, offset)
          .store(*call_, address_, on_success);
    }
    (void)file_->seek(static_cast<std::int64_t>(offset), host::Whence::set);
    return on_success;
  }

  std::uint64_t offset = 0;

 private:
  Place(posix::Call& call, File file, GuestAddr address, std::size_t offset_bytes)
      : call_(&call), file_(std::move(file)), address_(address), offset_bytes_(offset_bytes) {}

  posix::Call* call_;
  File file_;
  GuestAddr address_;
  std::size_t offset_bytes_;
};

}  // namespace hardclock::gnu_linux
