// What a guest is told of files beside what the host knows: their inode numbers, and when they were
// used and changed, in the guest's own time.
//
// The rule of times. What this run creates, writes, changes or reads carries the time at which the
// guest did so, by the guest's clock. What it has only found was last modified when the host says,
// but not after the run's start, and was last used and changed then, too: the host's own two times
// are the host's doing. So no file comes from the future, nothing that this run wrote seems older
// than what it wrote before, and the host's clock shows nowhere. On the host, files keep the host's
// times, so that make works there; but those that a guest sets with utime(2) are set there, too.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "syscalls/host/file_status.h"

namespace hardclock::host {

class FileRecords {
 public:
  explicit FileRecords(FileTime start = {}) : start_(start) {}

  // The guest's time of day at the start of the run, and now: until a clock is set, and after it
  // was taken away with nullptr, it is the start always.
  FileTime start() const { return start_; }
  FileTime now() const { return clock_ ? clock_() : start_; }
  void use_clock(std::function<FileTime()> clock) { clock_ = std::move(clock); }

  // Inode numbers count from 1 in order of first sight.
  std::uint64_t number(HostIdentity file);
  // For files that exist only in the guest's name space, by guest path.
  std::uint64_t number(const std::string& guest_path);
  // For an object that no name leads to, such as a pipe: seen for the first time.
  std::uint64_t unnamed() { return ++last_; }

  // What the guest is told. A file's times are those of the first sight, until the guest changes
  // them.
  FileTimes times(const struct ::stat& status);

  // 0..0777: the host's, and what the user's umask took from those that a guest asked for. The
  // umask is for who else uses the host, and no guest is to see it.
  std::uint32_t permissions(const struct ::stat& status) const;

  // The guest has just created the file and asked for these permissions. It is seen for the first
  // time even when the host reuses the inode of a deleted one; whether it does differs between host
  // file systems.
  void created(const struct ::stat& status, std::uint32_t permissions);
  // The user, or hardclock for the user, made it for this run.
  void made_for_run(const struct ::stat& status);
  // It is gone: no name leads to it, and nobody has it open.
  void forget(HostIdentity file);
  void was_read(const struct ::stat& status) { seen(status).access = now(); }
  // Its content: of a directory, the names in it.
  void was_written(const struct ::stat& status);
  void set_permissions(const struct ::stat& status);
  // Owner, number of links.
  void was_changed(const struct ::stat& status) { seen(status).change = now(); }
  void set_times(const struct ::stat& status, const TimeChange& access,
                 const TimeChange& modification);

 private:
  FileTimes& seen(const struct ::stat& status);
  void change(FileTime& time, const TimeChange& change) const;

  FileTime start_;
  std::function<FileTime()> clock_;
  std::uint64_t last_ = 0;
  std::map<HostIdentity, std::uint64_t> files_;
  std::map<std::string, std::uint64_t> paths_;
  std::map<HostIdentity, FileTimes> times_;
  std::map<HostIdentity, std::uint32_t> withheld_;  // permissions; where there are any
};

}  // namespace hardclock::host
