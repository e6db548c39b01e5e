#include "syscalls/linux/memory_file.h"

#include <string>

#include "sim/state/archive.h"
#include "syscalls/linux/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::Call;
using posix::CallResult;
using posix::Errno;

std::shared_ptr<MemoryFile> memory_file_at(const Call& call, std::size_t argument) {
  return std::dynamic_pointer_cast<MemoryFile>(posix::file_at(call, argument));
}

// A new file of /dev/shm that has lost its name.
Result<std::shared_ptr<posix::OpenFile>, Errno> make_unnamed(Call& call) {
  host::GuestFiles& files = call.os.files();
  const auto path =
      host::GuestPath::parse("/dev/shm", "memfd." + std::to_string(files.records()->unnamed()));
  auto made = files.open(
      *path, {.read = true, .write = true, .create = true, .exclusive = true, .mode = 0777});
  if (!made) return Failure{posix::to_errno(made.error())};
  const auto removed = files.remove_file(*path);
  if (!removed) return Failure{posix::to_errno(removed.error())};
  return posix::to_open_file(*std::move(made));
}

}  // namespace

// mm/shmem.c, shmem_write_begin(), which is asked page by page.
host::HostResult<std::size_t> MemoryFile::writable_bytes(std::uint64_t offset,
                                                         std::size_t bytes) const {
  if (bytes == 0) return bytes;
  if (seals_->has(Seals::write)) return Failure{host::Error::not_permitted};
  if (!seals_->has(Seals::grow)) return bytes;
  const auto now = status();
  if (!now) return Failure{now.error()};
  if (offset <= now->size && bytes <= now->size - offset) return bytes;
  const std::uint64_t last = now->size / page_bytes_ * page_bytes_;
  if (last <= offset) return Failure{host::Error::not_permitted};
  return last - offset;
}

posix::Transfer MemoryFile::write(std::span<const std::uint8_t> bytes) {
  const auto offset = seek(0, appends_ ? host::Whence::end : host::Whence::current);
  if (!offset) return Failure{offset.error()};
  const auto part = writable_bytes(*offset, bytes.size());
  if (!part) return Failure{part.error()};
  return content_->write(bytes.first(*part));
}

posix::Transfer MemoryFile::pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  const auto part = writable_bytes(offset, bytes.size());
  if (!part) return Failure{part.error()};
  return content_->pwrite(bytes.first(*part), offset);
}

host::HostResult<Ok> MemoryFile::truncate(std::uint64_t size) {
  const auto now = status();
  if (!now) return Failure{now.error()};
  const bool is_sealed = (size < now->size && seals_->has(Seals::shrink)) ||
                         (size > now->size && seals_->has(Seals::grow));
  if (is_sealed && rights().write) return Failure{host::Error::not_permitted};
  return content_->truncate(size);
}

// mm/shmem.c, shmem_fallocate()
host::HostResult<Ok> MemoryFile::change_space(const host::SpaceChange& change) {
  using Kind = host::SpaceChange::Kind;
  if (change.kind == Kind::zero) return Failure{host::Error::not_supported};
  const auto now = status();
  if (!now) return Failure{now.error()};
  const bool is_sealed = change.kind == Kind::punch ? seals_->has(Seals::write)
                                                    : seals_->has(Seals::grow) &&
                                                          change.offset + change.length > now->size;
  if (is_sealed) return Failure{host::Error::not_permitted};
  return content_->change_space(change);
}

host::HostResult<std::shared_ptr<posix::OpenFile>> MemoryFile::open_again(
    const host::OpenOptions& options) {
  const auto now = status();
  if (!now) return Failure{now.error()};
  if (options.truncate && now->size != 0 && seals_->has(Seals::shrink)) {
    return Failure{host::Error::not_permitted};
  }
  auto again = content_->open_again(options);
  if (!again) return again;
  const auto file = std::make_shared<MemoryFile>(*std::move(again), seals_, page_bytes_);
  file->appends_ = options.append;
  return std::shared_ptr<OpenFile>(file);
}

std::optional<CallResult> seal_command(Call& call, std::uint32_t command) {
  constexpr std::uint32_t f_add_seals = 1033, f_get_seals = 1034;
  if (command != f_add_seals && command != f_get_seals) return std::nullopt;
  const auto file = memory_file_at(call, 0);
  if (command == f_get_seals) {
    return file == nullptr ? CallResult::failure(Errno::einval)
                           : CallResult::value(file->seals().set);
  }
  const std::uint32_t wanted = call.argument(2);
  if (!posix::file_at(call)->rights().write) return CallResult::failure(Errno::eperm);
  if (file == nullptr || (wanted & ~Seals::all) != 0) return CallResult::failure(Errno::einval);
  Seals& seals = file->seals();
  if (seals.has(Seals::seal)) return CallResult::failure(Errno::eperm);
  const bool is_new = (wanted & Seals::write) != 0 && !seals.has(Seals::write);
  if (is_new && call.os.shared_files().is_mapped(file->identity())) {
    return CallResult::failure(Errno::ebusy);
  }
  seals.set |= wanted;
  return CallResult::value(0);
}

// Linux before 6.7 takes every shared mapping of a file that is open for writing for one that may
// store (mm/mmap.c, mapping_map_writable()).
bool is_sealed_against_sharing(const Call& call) {
  constexpr std::uint32_t map_type = 3, map_shared = 1;
  if ((call.argument(3) & map_type) != map_shared) return false;
  const auto file = memory_file_at(call, 4);
  return file != nullptr && file->rights().write && file->seals().has(Seals::write);
}

namespace calls {

// memfd_create(name, flags), without huge pages, which not every Linux has.
CallResult memfd_create(Call& call) {
  constexpr std::uint32_t close_on_exec = 1, allow_sealing = 2;
  constexpr std::size_t longest_name = 249;  // NAME_MAX without "memfd:"
  const std::uint32_t flags = call.argument(1);
  if ((flags & ~(close_on_exec | allow_sealing)) != 0) return CallResult::failure(Errno::einval);
  const auto name = call.memory.read_string(call.address(0), longest_name + 1);
  if (!name) return CallResult::failure(Errno::efault);
  if (name->size() > longest_name) return CallResult::failure(Errno::einval);
  auto content = make_unnamed(call);
  if (!content) return CallResult::failure(content.error());
  const bool may_be_sealed = (flags & allow_sealing) != 0;
  const auto file = std::make_shared<MemoryFile>(
      *std::move(content), std::make_shared<Seals>(Seals{may_be_sealed ? 0 : Seals::seal}),
      call.port().layout.page_bytes);
  file->path = "/memfd:" + *name + " (deleted)";
  file->status_flags = call.system.open_flags.kept;  // O_LARGEFILE
  return posix::add_descriptor(call, file, (flags & close_on_exec) != 0);
}

}  // namespace calls

void MemoryFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(content_, seals_, appends_);
  to.saved(page_bytes_);
}

}  // namespace hardclock::gnu_linux
