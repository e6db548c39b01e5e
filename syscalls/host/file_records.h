// What a guest sees of files that the host does not know: their inode numbers, when they were used
// and changed, in the guest's own time, and where their holes are.
//
// The rule of times. A file that this run creates, writes, changes or reads carries the time of
// that event by the guest's clock. A file that the run only found has the host's modification time,
// but not one after the run's start; that is also its time of use and of change, since the host's
// own two times are the host's doing. So no file comes from the future, nothing that this run wrote
// seems older than what it wrote before, and the host's clock shows nowhere. On the host, files
// keep the host's times, so that make works there; times that a guest sets with utime(2) are set
// there as well.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sim/state/archive.h"
#include "syscalls/host/file_blocks.h"
#include "syscalls/host/file_events.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/kept_content.h"

namespace hardclock::host {

class FileRecords {
 public:
  explicit FileRecords(FileTime start = {}) : start_(start) {}

  // The guest's time of day at the start of the run, and now. Without a clock (before one is set,
  // and after nullptr removed it) now() stays at the start.
  FileTime start() const { return start_; }
  FileTime now() const { return clock_ ? clock_() : start_; }
  void use_clock(std::function<FileTime()> clock) { clock_ = std::move(clock); }

  FileEvents& events() { return events_; }

  // Who keeps content of a file in memory, at most one at a time; nullptr: nobody. It tells before
  // it ends.
  void keep_content(HostIdentity file, KeptContent* content);
  KeptContent* kept_content(HostIdentity file) const {
    if (kept_contents_.empty()) return nullptr;
    const auto found = kept_contents_.find(file);
    return found == kept_contents_.end() ? nullptr : found->second;
  }

  // Inode numbers count from 1 in order of first sight.
  std::uint64_t number(HostIdentity file);
  // For files that exist only in the guest's name space, by guest path.
  std::uint64_t number(const std::string& guest_path);
  // For an object without a name, such as a pipe, at first sight.
  std::uint64_t unnamed() { return ++last_; }

  // The times that the guest sees. A file's times are those of the first sight, until the guest
  // changes them.
  FileTimes times(const struct ::stat& status);

  // The host's permissions, plus those that a guest asked for and the user's umask removed. The
  // umask protects against other users of the host; guests must not see it. A directory's set-id
  // and sticky bits are the host's, another file's those that a guest gave it: the host's file has
  // none.
  std::uint32_t permissions(const struct ::stat& status) const;

  // The guest has just created the file with these permissions. This counts as first sight even if
  // the host reuses the inode of a deleted file, which differs between host file systems.
  void created(const struct ::stat& status, std::uint32_t permissions);
  // What of a regular file is stored.
  const FileBlocks& blocks(HostIdentity file) const;
  void wrote_blocks(HostIdentity file, std::uint64_t size, std::uint64_t offset,
                    std::uint64_t count);
  void resized_blocks(HostIdentity file, std::uint64_t from, std::uint64_t to);
  void punched_blocks(HostIdentity file, std::uint64_t size, std::uint64_t begin,
                      std::uint64_t end);
  void reserved_blocks(HostIdentity file, std::uint64_t begin, std::uint64_t end);

  // The user, or hardclock on the user's behalf, made the file for this run.
  void made_for_run(const struct ::stat& status);
  // The file is gone: it has no name, and nobody has it open.
  void gone(const struct ::stat& status);
  // When the guests made the file in this run; nullopt: they did not.
  std::optional<FileTime> birth(const struct ::stat& status) const;
  void was_read(const struct ::stat& status) { seen(status).access = now(); }
  // The content changed; a directory's content is its names.
  void was_written(const struct ::stat& status);
  // To `mode`; `status` is that after the change.
  void set_permissions(const struct ::stat& status, std::uint32_t mode);
  // Owner or number of links changed.
  void was_changed(const struct ::stat& status) { seen(status).change = now(); }
  void set_times(const struct ::stat& status, const TimeChange& access,
                 const TimeChange& modification);

  // Files of the host have no order that two runs have in common: they come by the inode numbers
  // that guests know.
  void archive(Archive& to);

 private:
  FileTimes& seen(const struct ::stat& status);
  void forget(HostIdentity file);
  void change(FileTime& time, const TimeChange& change) const;
  void drop_set_ids(const struct ::stat& status);
  // Files without holes have no entry.
  void change_blocks(HostIdentity file, bool may_make_holes,
                     const std::function<void(FileBlocks&)>& change);

  FileEvents events_;
  FileTime start_;
  std::function<FileTime()> clock_;
  std::uint64_t last_ = 0;
  std::map<HostIdentity, std::uint64_t> files_;
  std::map<std::string, std::uint64_t> paths_;
  std::map<HostIdentity, FileTimes> times_;
  std::map<HostIdentity, FileTime> births_;
  std::map<HostIdentity, FileBlocks> with_holes_;
  std::map<HostIdentity, KeptContent*> kept_contents_;
  std::map<HostIdentity, std::uint32_t> added_;  // permissions that the host's file lacks, if any
};

}  // namespace hardclock::host
