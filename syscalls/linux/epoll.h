// The files of epoll(7) and eventfd(2).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/memory/page.h"
#include "syscalls/host/file_records.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::gnu_linux {

// What stat(2) says of such a file: they all share one inode of no type (fs/anon_inodes.c).
host::FileStatus anonymous_status(host::FileRecords& records);

// An open file that is none of the file system. Its name is what /proc/PID/fd calls it (proc(5)).
class AnonymousFile : public posix::OpenFile {
 public:
  AnonymousFile(host::FileRecords& records, std::string_view name)
      : status_(anonymous_status(records)), name_(name) {}
  std::string_view name() const { return name_; }
  posix::Transfer read(std::span<std::uint8_t>) override { return Failure{host::Error::invalid}; }
  posix::Transfer write(std::span<const std::uint8_t>) override {
    return Failure{host::Error::invalid};
  }
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override { return 0; }
  bool takes_splices() const override { return false; }
  host::OpenRights rights() const override { return {.read = true, .write = true}; }
  host::HostResult<host::FileStatus> status() const override { return status_; }
  void archive(Archive& to) override;

 protected:
  AnonymousFile() = default;

 private:
  host::FileStatus status_;
  std::string_view name_;
};

// A number that reads take and writes add to.
class EventFile final : public AnonymousFile {
 public:
  EventFile(host::FileRecords& records, Endian endian, std::uint32_t value, bool is_semaphore)
      : AnonymousFile(records, "anon_inode:[eventfd]"),
        endian_(endian),
        value_(value),
        is_semaphore_(is_semaphore) {}

  posix::Transfer read(std::span<std::uint8_t> bytes) override;
  posix::Transfer write(std::span<const std::uint8_t> bytes) override;
  bool readable(const Thread* /*asker*/) const override { return value_ != 0; }
  bool writable(std::size_t size) const override;
  std::uint64_t activity(const Thread* /*asker*/) const override { return changes_; }
  EventFile() = default;
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<EventFile>(); }

 private:
  static constexpr std::uint64_t most = ~std::uint64_t{0} - 1;

  Endian endian_ = Endian::big;
  std::uint64_t value_ = 0;
  bool is_semaphore_ = false;
  std::uint64_t refused_ = 1;  // what the last write that had to wait wanted to add
  std::uint64_t changes_ = 0;
};

// What of its files an epoll watches.
class Epoll final : public AnonymousFile {
 public:
  // include/uapi/linux/eventpoll.h: EPOLLIN and so on, EPOLLONESHOT and EPOLLET.
  static constexpr std::uint32_t in = 1, pri = 2, out = 4, err = 8, hup = 0x10, rdnorm = 0x40,
                                 wrnorm = 0x100, rdhup = 0x2000, once = 1u << 30, edge = 1u << 31;
  struct Found {
    std::uint32_t events = 0;
    std::uint64_t data = 0;
  };

  Epoll(host::FileRecords& records, std::shared_ptr<MemoryBudget> budget)
      : AnonymousFile(records, "anon_inode:[eventpoll]"), charge_(std::move(budget)) {}

  explicit Epoll(Archive& from) : charge_(from) {}

  using File = std::shared_ptr<posix::OpenFile>;
  // By the descriptor and the file, which may have others. EEXIST: it is there already; ENOSPC: the
  // guests have no memory left for it.
  Result<Ok, posix::Errno> add(int descriptor, const File& file, std::uint32_t events,
                               std::uint64_t data);
  // False: it is not there.
  bool change(int descriptor, const File& file, std::uint32_t events, std::uint64_t data);
  bool remove(int descriptor, const File& file);
  // At most `most` files that are ready, in the order in which they were added, beginning
  // behind where the last call ended. What is watched for edges or once is not found again.
  std::vector<Found> take(std::size_t most, const Thread* asker);
  // Epolls that watch each other, or through many others, would take long to ask: one that is
  // watched watches no other.
  bool watches_epolls() const;
  bool is_watched() const { return is_watched_; }
  void set_watched() { is_watched_ = true; }

  bool readable(const Thread* asker) const override;
  bool writable(std::size_t) const override { return false; }
  std::uint64_t activity(const Thread* asker) const override;
  bool is_made_ready_outside(bool for_reading) const override;
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<Epoll>(); }

 private:
  struct Watched {
    int descriptor = -1;
    std::weak_ptr<posix::OpenFile> file;
    std::uint32_t events = 0;
    std::uint64_t data = 0;
    bool is_over = false;                  // it was found, and is watched only once
    std::optional<std::uint64_t> told_of;  // of those watched for edges: the file's activity then
    static constexpr std::size_t state_members = 6;
  };
  static std::uint32_t ready_events(const Watched& watched, const Thread* asker);
  void forget_closed();
  Watched* find(int descriptor, const File& file);

  static constexpr std::uint64_t watch_cost = 128;  // bytes

  MemoryCharge charge_;
  std::vector<Watched> watched_;  // as they were added
  std::size_t next_ = 0;          // whose turn it is
  bool is_watched_ = false;
};

// Null: it is none.
Epoll* epoll_of(posix::OpenFile* file);

}  // namespace hardclock::gnu_linux
