// An open file of the host: the only object through which guest data moves to and from it.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "sim/state/archive.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"
#include "syscalls/host/file_records.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/host_use.h"
#include "syscalls/host/line_input.h"

namespace hardclock::host {

enum class Whence : std::uint8_t {
  set,
  current,
  end,
  data,  // the first data, or the first hole, from an offset on (lseek(2), SEEK_DATA and SEEK_HOLE)
  hole
};

// fallocate(2) for a part of a file.
struct SpaceChange {
  enum class Kind : std::uint8_t {
    reserve,  // blocks for it
    zero,     // the same, and its bytes become zeros
    punch     // its blocks become holes, its bytes zeros
  };
  Kind kind = Kind::reserve;
  bool keep_size = false;    // the file does not grow
  std::uint64_t offset = 0;  // bytes
  std::uint64_t length = 0;
};

struct OpenOptions {
  bool read = false;
  bool write = false;
  bool append = false;
  bool create = false;
  bool exclusive = false;         // with create: the name must be new, even as a link
  bool truncate = false;          // without write: no effect
  bool directory = false;         // anything else gives not_directory
  bool no_follow = false;         // a link at the end gives loop
  bool keep_access_time = false;  // not_permitted for another user's file
  std::uint32_t mode = 0666;      // of a created file: & 0777; on the host minus the user's umask
};

// The permitted uses of an open file.
struct OpenRights {
  bool read = false;
  bool write = false;
  bool attributes = false;  // mode and times may change: the file lies in a writable mount
  static constexpr std::size_t state_members = 3;
};

// After this, a call that waits for the host ends with `again`, at the signal whose handler calls
// this or a second later: the user wants the run to end (Ctrl-C). A signal handler may call it.
// Uses SIGALRM.
void stop_waiting();
// Whether that was called. A call that can move much asks between its pieces, and ends with what it
// has moved.
bool has_stopped_waiting();

// Movable; closes its host descriptor when destroyed. Several guest descriptors share one (dup,
// fork) through a shared_ptr. Every call blocks until the host is done: EINTR and EAGAIN never
// reach the caller, except after stop_waiting(). A file that is not open for the direction gives
// bad_descriptor.
class HostFile {
 public:
  // The most bytes in one host call; longer transfers loop.
  static constexpr std::size_t max_transfer = std::size_t{1} << 20;
  // In bytes; also the largest size.
  static constexpr std::uint64_t max_offset = std::numeric_limits<std::int64_t>::max();

  // Takes over an open descriptor. `use` counts the file and what is written to it.
  static HostFile of_host(Descriptor descriptor, OpenRights rights,
                          std::shared_ptr<FileRecords> records,
                          std::shared_ptr<HostUse> use = std::make_shared<HostUse>());

  // The number of bytes moved: fewer than requested at the end of a file, from a terminal, or when
  // an error follows some bytes. 0 from a read is the end of the file. A pipe or socket gives one
  // line at a time (LineInput).
  HostResult<std::size_t> read(std::span<std::uint8_t> bytes);
  HostResult<std::size_t> write(std::span<const std::uint8_t> bytes);
  // The same at `offset`, which is invalid beyond max_offset; the file position does not change.
  HostResult<std::size_t> pread(std::span<std::uint8_t> bytes, std::uint64_t offset);
  HostResult<std::size_t> pwrite(std::span<const std::uint8_t> bytes, std::uint64_t offset);

  // Our side of open(2): the flags of the host's. O_NONBLOCK so that even a file that another host
  // process has just replaced by a FIFO cannot block us.
  static int host_flags(const OpenOptions& options);
  // A file of ours that was just opened with these, on this FileStatus::device.
  static HostResult<HostFile> of_opened(Descriptor descriptor, OpenRights rights,
                                        const OpenOptions& options, std::uint64_t device,
                                        std::shared_ptr<FileRecords> records,
                                        std::shared_ptr<HostUse> use);
  // The same object with a position and rights of its own. nullopt: this file serves once more, as
  // a standard stream does, in which the user gave no other rights. access, read_only: not with
  // these rights.
  HostResult<std::optional<HostFile>> open_again(const OpenOptions& options) const;

  // A guest has opened the file: who watches hears of that, and of its closing.
  void announce();

  // After this, the first `bytes` of a regular file can neither be truncated nor overwritten:
  // not_permitted.
  void keep_start(std::uint64_t bytes) { kept_ = bytes; }
  // The file was just opened, and nobody outside shares its position, so the host need not be
  // asked.
  void own_position() { position_ = 0; }

  // The new position, from the start of the file. not_seekable for pipes and terminals.
  HostResult<std::uint64_t> seek(std::int64_t offset, Whence whence);
  HostResult<Ok> truncate(std::uint64_t size);
  // not_supported: blocks behind the end of a file that keeps its size.
  HostResult<Ok> change_space(const SpaceChange& change);
  // fcntl F_SETFL, O_APPEND. No effect on standard streams, whose flags the user's shell shares.
  HostResult<Ok> set_append(bool append);
  // After this reading leaves the time of use. not_permitted: the file is another user's.
  HostResult<Ok> keep_access_time(bool keep);
  HostResult<Ok> sync();
  // A guest's descriptor closes: what did not reach the file is told by this, as NFS and quotas may
  // only do now. After the last one only destruction is allowed.
  HostResult<Ok> close_one(bool is_last);

  HostResult<FileStatus> status() const;
  // Sets bits 07777 of `mode`; read_only if the file lies in a read-only mount.
  HostResult<Ok> change_mode(std::uint32_t mode);
  HostResult<Ok> set_times(const TimeChange& access, const TimeChange& modification);

  // See FileRecords::keep_content().
  void keep_content(KeptContent* content);

  // chown(2) changed nothing, but who watches the file hears of it.
  void owner_was_set();

  const OpenRights& rights() const { return rights_; }
  bool is_terminal() const;
  bool is_regular() const { return S_ISREG(opened_.st_mode); }
  bool is_directory() const { return S_ISDIR(opened_.st_mode); }
  // All zero if the host does not tell. Never shown to a guest.
  HostIdentity identity() const;
  // A file that is to be loaded.
  HostFile() = default;
  // What is in the file is the host's.
  void archive(Archive& to);

  // Counts an open file; the last close forgets a file that has no name left.
  class Opened {
   public:
    Opened(int descriptor, std::shared_ptr<FileRecords> records, std::shared_ptr<HostUse> use,
           const struct ::stat& status);
    ~Opened();
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    // See HostUse::opened().
    std::uint64_t& size() { return size_; }
    std::optional<FileEvent::Kind> told_at_close() const { return told_at_close_; }
    // What who watches the file hears when it is closed.
    void tell_at_close(FileEvent::Kind kind) { told_at_close_ = kind; }

   private:
    int descriptor_;
    std::shared_ptr<FileRecords> records_;
    std::shared_ptr<HostUse> use_;
    HostIdentity identity_;
    std::uint64_t& size_;
    std::optional<FileEvent::Kind> told_at_close_;
  };

 private:
  // The same object, position and flags of the host, not counted. Without a descriptor: the host
  // has none left.
  HostFile twin() const;
  void archive_whole(Archive& to);

  // One host call that moves up to `size` bytes from `done` on; the result is that of read(2).
  using Step = std::function<::ssize_t(std::size_t done, std::size_t size)>;
  HostResult<std::size_t> transfer(std::size_t size, short events, const Step& step);
  HostResult<std::uint64_t> seek_blocks(std::int64_t offset, Whence whence);
  HostResult<HostFile> reopen_regular(const OpenOptions& options) const;
  HostResult<std::size_t> read_what_is_there(std::span<std::uint8_t> bytes);
  HostResult<std::size_t> read_with(std::span<std::uint8_t> bytes, const Step& step);
  HostResult<std::size_t> write_with(std::span<const std::uint8_t> bytes, const Step& step);
  // The same for a regular file, at `offset`: as much as the limit on the disk allows.
  HostResult<std::size_t> write_regular(std::span<const std::uint8_t> bytes, std::uint64_t offset,
                                        const Step& step);
  HostResult<std::uint64_t> size();
  HostResult<Ok> resize(std::uint64_t from, std::uint64_t to);
  // Parts of a file of this size; reserving may make it longer.
  HostResult<Ok> zero(std::uint64_t begin, std::uint64_t end);
  HostResult<Ok> reserve(std::uint64_t size, std::uint64_t begin, std::uint64_t end);
  HostResult<Ok> punch(std::uint64_t size, std::uint64_t begin, std::uint64_t end);
  void move_on(const HostResult<std::size_t>& moved);
  // What is kept in memory of a regular file; nullptr: nothing.
  KeptContent* kept_content() const;
  void tell_of_change(std::uint64_t offset, std::uint64_t size);
  void tell(FileEvent::Kind kind);

  OpenRights rights_;
  Descriptor descriptor_;
  std::shared_ptr<FileRecords> records_;
  std::shared_ptr<HostUse> use_;
  std::unique_ptr<Opened> counted_;
  struct ::stat opened_ = {};             // its status when it was opened; zero: not known
  std::uint64_t device_ = common_device;  // FileStatus::device
  bool appends_ = false;                  // O_APPEND
  bool keeps_access_time_ = false;
  // Of the next byte, if nobody outside moves it.
  std::optional<std::uint64_t> position_;
  std::uint64_t kept_ = 0;          // bytes at the start of a regular file
  std::optional<LineInput> lines_;  // of a pipe or socket
};

}  // namespace hardclock::host
