// The file of memfd_create(2): a regular one without a name, and the seals that commands of
// fcntl(2) put on it (mm/memfd.c, mm/shmem.c). Its bytes count as the guests' use of the disk, as
// those of /dev/shm do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::gnu_linux {

// F_SEAL_SEAL and so on (include/uapi/linux/fcntl.h), as Linux before 5.1 has them:
// F_SEAL_FUTURE_WRITE is EINVAL.
struct Seals {
  static constexpr std::uint32_t seal = 1, shrink = 2, grow = 4, write = 8, all = 0xf;
  std::uint32_t set = 0;
  static constexpr std::size_t state_members = 1;
  bool has(std::uint32_t one) const { return (set & one) != 0; }
};

class MemoryFile final : public posix::OpenFile {
 public:
  // All open files of one object share its seals. A write stops at the last whole page of
  // `page_bytes` before an end that may not move.
  MemoryFile(std::shared_ptr<OpenFile> content, std::shared_ptr<Seals> seals,
             std::uint64_t page_bytes)
      : content_(std::move(content)), seals_(std::move(seals)), page_bytes_(page_bytes) {}

  MemoryFile() : MemoryFile(nullptr, nullptr, 0) {}

  Seals& seals() const { return *seals_; }

  // ---- not_permitted: a seal forbids it.
  posix::Transfer write(std::span<const std::uint8_t> bytes) override;
  posix::Transfer pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) override;
  host::HostResult<Ok> truncate(std::uint64_t size) override;
  host::HostResult<Ok> change_space(const host::SpaceChange& change) override;
  host::HostResult<std::shared_ptr<OpenFile>> open_again(const host::OpenOptions& options) override;

  // ---- As any regular file.
  posix::Transfer read(std::span<std::uint8_t> bytes) override { return content_->read(bytes); }
  posix::Transfer pread(std::span<std::uint8_t> bytes, std::uint64_t offset) override {
    return content_->pread(bytes, offset);
  }
  bool reads_whole() const override { return content_->reads_whole(); }
  host::HostResult<std::uint64_t> available() override { return content_->available(); }
  host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override {
    return content_->seek(offset, whence);
  }
  host::OpenRights rights() const override { return content_->rights(); }
  host::HostResult<host::FileStatus> status() const override { return content_->status(); }
  host::HostIdentity identity() const override { return content_->identity(); }
  void keep_content(host::KeptContent* content) override { content_->keep_content(content); }
  host::HostResult<Ok> set_append(bool append) override {
    appends_ = append;
    return content_->set_append(append);
  }
  host::HostResult<Ok> keep_access_time(bool keep) override {
    return content_->keep_access_time(keep);
  }
  host::HostResult<Ok> sync() override { return content_->sync(); }
  host::HostResult<Ok> change_mode(std::uint32_t mode) override {
    return content_->change_mode(mode);
  }
  host::HostResult<Ok> set_times(const host::TimeChange& access,
                                 const host::TimeChange& modification) override {
    return content_->set_times(access, modification);
  }
  void owner_was_set() override { content_->owner_was_set(); }
  bool has_locks() const override { return content_->has_locks(); }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<MemoryFile>(); }

 private:
  host::HostResult<std::size_t> writable_bytes(std::uint64_t offset, std::size_t bytes) const;

  std::shared_ptr<OpenFile> content_;
  std::shared_ptr<Seals> seals_;
  std::uint64_t page_bytes_;
  bool appends_ = false;
};

// F_ADD_SEALS and F_GET_SEALS; nullopt: it is another command. The file is open.
std::optional<posix::CallResult> seal_command(posix::Call& call, std::uint32_t command);

// Whether mmap(2), with the flags at argument 3 and the descriptor at argument 4, would map a
// memory file shared that is sealed against that.
bool is_sealed_against_sharing(const posix::Call& call);

}  // namespace hardclock::gnu_linux
