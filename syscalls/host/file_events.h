// What guests do with files, told to those who watch them: Linux's inotify(7).
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "syscalls/host/descriptor.h"
#include "syscalls/host/file_status.h"

namespace hardclock::host {

struct FileEvent {
  enum class Kind : std::uint8_t {
    accessed,
    modified,
    attributes_changed,
    closed_after_writing,
    closed,
    opened,
    moved_from,
    moved_to,
    created,
    deleted,
    deleted_itself,  // the file has no name, and nobody has it open
    moved_itself,
  };
  Kind kind = Kind::accessed;
  bool is_directory = false;  // the file is one
  // The file, for who watches that; and the directory that has it by this name, for who watches
  // that.
  std::optional<HostIdentity> file = {};
  std::optional<HostIdentity> directory = {};
  std::string name = {};
  bool has_lost_name = false;  // the directory had it by this name, when it was opened
  std::uint32_t cookie = 0;    // of both moved_from and moved_to
};

class FileWatcher {
 public:
  virtual ~FileWatcher() = default;
  virtual void hear(const FileEvent& event) = 0;
};

class FileEvents {
 public:
  using Kind = FileEvent::Kind;

  void add(FileWatcher& watcher) { watchers_.push_back(&watcher); }
  void remove(FileWatcher& watcher) { std::erase(watchers_, &watcher); }

  // ---- Without a watcher these do nothing.
  // To an open file. Its directory and its name there are the host's: they may have changed since.
  void happened(Kind kind, int descriptor);
  // To the file alone.
  void happened(Kind kind, const struct ::stat& file);
  // To a name in a directory. `file` is what it led to.
  void happened(Kind kind, const Descriptor& directory, const std::string& name,
                const struct ::stat& file);
  struct Name {
    const Descriptor& directory;
    const std::string& name;
  };
  void moved(const Name& from, const Name& to, const struct ::stat& file,
             const std::optional<struct ::stat>& replaced);
  // To an open file by utime(2) and its relatives (Linux, include/linux/fsnotify.h,
  // fsnotify_change()).
  void times_set(int descriptor, const TimeChange& access, const TimeChange& modification);

 private:
  void tell(const FileEvent& event);
  FileEvent name_event(Kind kind, const Name& name, const struct ::stat& file) const;

  std::vector<FileWatcher*> watchers_;
  std::uint32_t last_cookie_ = 0;
};

}  // namespace hardclock::host
