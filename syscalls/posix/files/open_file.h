// What a descriptor refers to: an open file. Here are those that GuestFiles opens; pipe.h, socket.h
// and others have the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/process/kernel_object.h"
#include "sim/state/archive.h"
#include "syscalls/host/error.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/host/host_file.h"
#include "syscalls/host/synthetic_files.h"
#include "syscalls/posix/files/record_locks.h"

namespace hardclock {
class Thread;
}

namespace hardclock::posix {

// The number of bytes moved; nullopt: the caller must wait.
using Transfer = host::HostResult<std::optional<std::size_t>>;

class Socket;
class Terminal;

// The content of a directory when it was read. Counts as the guests' use of the host while kept.
class Listing {
 public:
  // An empty listing, and one of names that may be listed (HostUse::may_list()).
  Listing() = default;
  Listing(std::vector<host::DirectoryEntry> entries, std::shared_ptr<host::HostUse> use);
  Listing(Listing&& other) noexcept = default;
  Listing& operator=(Listing&& other) noexcept;
  ~Listing();

  const std::vector<host::DirectoryEntry>& entries() const { return entries_; }
  void archive(Archive& to);

 private:
  std::vector<host::DirectoryEntry> entries_;
  std::shared_ptr<host::HostUse> use_;  // nullptr: an empty listing
};

// An open directory: a position in its list of names. The list is read when the first name is
// requested after the opening or a rewinding.
struct Directory {
  host::HeldDirectoryRef held;
  Listing listing = {};
  bool is_read = false;
  std::uint64_t position = 0;  // of the next entry

  void archive(Archive& to);
};

// What poll(2) says of a file.
struct Readiness {
  bool readable = false;
  bool writable = false;
  bool hung_up = false;
  bool failed = false;  // POLLERR
  bool ended = false;   // the other end of a socket writes no more: Linux's POLLRDHUP
};

// The result of one open(2). All descriptors that dup(2), fcntl(2) and fork(2) derive from its
// first one share it: the position, the flags, the place in a directory.
class OpenFile : public host::LinkedObject, public KernelObject {
 public:
  virtual Transfer read(std::span<std::uint8_t> bytes) = 0;
  // May move fewer bytes than requested; the caller continues with the rest.
  virtual Transfer write(std::span<const std::uint8_t> bytes) = 0;
  // The same at an offset; the position does not change. not_seekable if there is none.
  virtual Transfer pread(std::span<std::uint8_t>, std::uint64_t) {
    return Failure{host::Error::not_seekable};
  }
  virtual Transfer pwrite(std::span<const std::uint8_t>, std::uint64_t) {
    return Failure{host::Error::not_seekable};
  }
  // Whether a read, or a write of this many bytes, could proceed without waiting. Exact: a wait
  // ends only when its call can make progress. `asker` is the thread for which that is asked, null
  // if it is none: a file may be ready for one and not for another (Linux's signalfd(2)).
  virtual bool readable(const Thread* /*asker*/) const { return true; }
  virtual bool writable(std::size_t) const { return true; }
  // What select(2) and poll(2) call writable.
  virtual bool takes_more() const { return writable(1); }
  // The other end of a pipe is gone: poll(2)'s POLLHUP, or POLLERR.
  virtual bool is_hung_up() const { return false; }
  // A pipe without readers is an error to its writer, one without writers is hung up to its reader
  // (Linux, fs/pipe.c, pipe_poll()).
  virtual Readiness readiness(const Thread* asker);
  // A socket's urgent data waits: poll(2)'s POLLPRI, and select(2)'s exceptional condition.
  virtual bool has_urgent() const { return false; }
  // Grows when something happens that could let a reader or a writer go on, as often as it does:
  // what Linux's epoll(7) calls an edge.
  virtual std::uint64_t activity(const Thread* /*asker*/) const { return 0; }
  // When it becomes readable by itself, in nanoseconds since the machine's start; nullopt: never.
  virtual std::optional<std::uint64_t> next_event() const { return std::nullopt; }
  // Whether a read gives as many bytes as requested, unless the file ends: a pipe does not.
  virtual bool reads_whole() const { return false; }
  // Whether it depends on the bytes what becomes of a write.
  virtual bool looks_at_writes() const { return true; }
  // Linux: whether sendfile(2) and splice(2) may write it. What is neither a file of a file system,
  // a pipe, a socket nor a device hardly ever says how (fs/splice.c, do_splice_from()).
  virtual bool takes_splices() const { return true; }
  // The bytes that a read would give at once: ioctl(FIONREAD). invalid if that is unknown.
  virtual host::HostResult<std::uint64_t> available() { return Failure{host::Error::invalid}; }
  virtual host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) = 0;
  virtual host::OpenRights rights() const = 0;
  // The host object's, to tell files apart; all zero if there is none.
  virtual host::HostIdentity identity() const { return {}; }
  virtual host::HostResult<Ok> truncate(std::uint64_t) { return Failure{host::Error::invalid}; }
  // Only regular files have space of their own.
  virtual host::HostResult<Ok> change_space(const host::SpaceChange&) {
    return Failure{host::Error::invalid};
  }
  // See host::FileRecords::keep_content(); a file that is not regular keeps none.
  virtual void keep_content(host::KeptContent*) {}
  virtual host::HostResult<Ok> set_append(bool) { return Ok{}; }
  // O_NOATIME; not_permitted: the file is another user's.
  virtual host::HostResult<Ok> keep_access_time(bool) { return Ok{}; }
  virtual host::HostResult<Ok> sync() { return Failure{host::Error::invalid}; }
  // A descriptor of it closes. Each closing may tell that what was written did not reach the file
  // (Linux, fs/open.c, filp_close()). After the last one only destruction is allowed.
  virtual host::HostResult<Ok> close_one(bool) { return Ok{}; }
  // Whether parts of it can be locked (record_locks.h).
  virtual bool has_locks() const { return false; }
  // Whose the locks are that belong to this open file.
  int lock_owner(const std::shared_ptr<RecordLocks>& locks);
  // open(2) by a name of this open file (proc(5), /proc/PID/fd): a file of its own for the same
  // object. nullptr: this very file serves once more. no_device: it cannot be opened by a name.
  virtual host::HostResult<std::shared_ptr<OpenFile>> open_again(const host::OpenOptions&) {
    return Failure{host::Error::no_device};
  }
  // Returns nullptr for anything else.
  virtual Directory* directory() { return nullptr; }
  // The descriptor only names the file (Linux, O_PATH).
  virtual bool is_path_only() const { return false; }
  // Whether the user or somebody on the internet may make it ready, for reading if that is asked.
  virtual bool is_made_ready_outside(bool /*for_reading*/) const { return false; }
  // Returns nullptr for anything else.
  virtual Terminal* terminal() const { return nullptr; }
  // Returns nullptr for anything else.
  virtual Socket* socket() { return nullptr; }
  // How long a read waits for the first byte before it gives none, in tenths of a second; nullopt:
  // as long as it takes.
  virtual std::optional<std::uint32_t> patience() const { return std::nullopt; }

  // What is in a file of the host is not a part of it.
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return nullptr; }

  std::string path;  // absolute, as opened; empty: opened without a path
  // The flags of open(2) that fcntl(F_GETFL) reports, in the system's numbers, without the access
  // mode.
  std::uint32_t status_flags = 0;

 private:
  std::unique_ptr<OpenFileLocks> locks_;
};

// Called before a write with its bytes: the user's terminal may show something that must go first.
using BeforeWrite = std::function<void(std::span<const std::uint8_t>)>;

class HostOpenFile final : public OpenFile {
 public:
  HostOpenFile(host::HostFile file, BeforeWrite before_write)
      : file_(std::move(file)), before_write_(std::move(before_write)) {}
  HostOpenFile() = default;

  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t> bytes) override;
  Transfer pread(std::span<std::uint8_t> bytes, std::uint64_t offset) override;
  Transfer pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) override;
  bool reads_whole() const override { return file_.is_regular(); }
  host::HostResult<std::uint64_t> available() override;
  host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override {
    return file_.seek(offset, whence);
  }
  host::OpenRights rights() const override { return file_.rights(); }
  host::HostResult<host::FileStatus> status() const override { return file_.status(); }
  host::HostIdentity identity() const override { return file_.identity(); }
  host::HostResult<Ok> truncate(std::uint64_t size) override { return file_.truncate(size); }
  host::HostResult<Ok> change_space(const host::SpaceChange& change) override {
    return file_.change_space(change);
  }
  void keep_content(host::KeptContent* content) override { file_.keep_content(content); }
  host::HostResult<Ok> set_append(bool append) override { return file_.set_append(append); }
  host::HostResult<Ok> keep_access_time(bool keep) override { return file_.keep_access_time(keep); }
  host::HostResult<Ok> sync() override { return file_.sync(); }
  host::HostResult<Ok> close_one(bool is_last) override { return file_.close_one(is_last); }
  host::HostResult<Ok> change_mode(std::uint32_t mode) override { return file_.change_mode(mode); }
  host::HostResult<Ok> set_times(const host::TimeChange& access,
                                 const host::TimeChange& modification) override {
    return file_.set_times(access, modification);
  }
  void owner_was_set() override { file_.owner_was_set(); }
  bool has_locks() const override { return file_.is_regular(); }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<HostOpenFile>(); }
  host::HostResult<std::shared_ptr<OpenFile>> open_again(const host::OpenOptions& options) override;

 private:
  host::HostFile file_;
  BeforeWrite before_write_;
};

// Reading null and consoles gives the end of the file; zero and full, zeros; random, bytes without
// visible order, the same for the same state. A write loses its bytes, which before_write has seen;
// full refuses them with no_space.
class SyntheticOpenFile final : public OpenFile {
 public:
  SyntheticOpenFile(host::OpenedSynthetic file, BeforeWrite before_write)
      : file_(std::move(file)), before_write_(std::move(before_write)) {}
  SyntheticOpenFile() = default;

  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t> bytes) override;
  Transfer pread(std::span<std::uint8_t> bytes, std::uint64_t offset) override;
  Transfer pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset) override;
  bool reads_whole() const override { return file_.text == nullptr && !file_.is_console(); }
  bool looks_at_writes() const override { return !reads_whole() || file_.is_random(); }
  bool takes_splices() const override { return !is(host::SpecialFile::full); }
  // Only a text has positions: for all others it is 0.
  host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override;
  host::OpenRights rights() const override { return file_.rights; }
  host::HostResult<host::FileStatus> status() const override { return file_.status; }
  host::HostResult<Ok> keep_access_time(bool keep) override;
  host::HostResult<Ok> sync() override { return Ok{}; }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<SyntheticOpenFile>(); }
  host::HostResult<std::shared_ptr<OpenFile>> open_again(const host::OpenOptions& options) override;

 private:
  bool is(host::SpecialFile device) const { return file_.status.special == device; }

  host::OpenedSynthetic file_;
  std::uint64_t position_ = 0;
  BeforeWrite before_write_;
};

std::shared_ptr<OpenFile> to_open_file(host::OpenedFile file, BeforeWrite before_write = nullptr);

// A directory open for reading its names, as GuestFiles opened it.
class DirectoryFile final : public OpenFile {
 public:
  DirectoryFile(std::shared_ptr<OpenFile> file, host::HeldDirectoryRef held)
      : file_(std::move(file)), directory_{std::move(held)} {}
  DirectoryFile() = default;

  // read(2) of a directory gives is_directory.
  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t>) override {
    return Failure{host::Error::bad_descriptor};
  }
  // Positions are numbers of entries. Seeking to the beginning reads the list anew. Programs do not
  // know the end, so that whence is invalid.
  host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override;
  host::OpenRights rights() const override { return file_->rights(); }
  host::HostResult<host::FileStatus> status() const override { return file_->status(); }
  host::HostResult<Ok> sync() override { return file_->sync(); }
  host::HostResult<Ok> change_mode(std::uint32_t mode) override { return file_->change_mode(mode); }
  host::HostResult<Ok> set_times(const host::TimeChange& access,
                                 const host::TimeChange& modification) override {
    return file_->set_times(access, modification);
  }
  void owner_was_set() override { file_->owner_was_set(); }
  Directory* directory() override { return &directory_; }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<DirectoryFile>(); }
  host::HeldDirectoryRef held_directory() const override { return directory_.held; }

 private:
  std::shared_ptr<OpenFile> file_;
  Directory directory_;
};

}  // namespace hardclock::posix
