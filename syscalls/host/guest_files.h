// The guest's name space: which host file a guest path means, and what a guest may do with it.
//
// A path belongs to the bind with its longest guest prefix; else to the working directory, which is
// visible at its own host path; else, below /tmp, /var/tmp, /usr/tmp and /dev/shm, to the run's own
// directories; else to the first guest root that has it. Binds (unless ":ro"), the working
// directory and the run's own ones are writable, roots never. /dev/null and the other special files
// are ours, never the host's, like the tree of made files. If no root has the directories above a
// mount or above /dev/null, they exist read-only and contain nothing else. Nothing else exists:
// not_found.
//
// The host follows symbolic links inside their mount (see Mount::open). A link that leads out of
// it, to a place that a bind or the working directory covers, or to a file of ours, leads where the
// guest's own path does. Whatever is mounted on the host below one of these directories is
// not_found, unless it is bound itself.
//
// A guest root or a read-only bind that lies on the host below a writable directory stays read-only
// when reached through that directory, and keeps its name. The host's devices are visible, but
// cannot be opened, renamed, linked or removed. FIFOs and sockets are names like others, which
// guests make and remove; what guests send through them does not reach the host's programs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/host/error.h"
#include "syscalls/host/file_records.h"
#include "syscalls/host/file_space.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/held_directory.h"
#include "syscalls/host/held_file.h"
#include "syscalls/host/host_file.h"
#include "syscalls/host/host_use.h"
#include "syscalls/host/name_space.h"
#include "syscalls/host/special_files.h"
#include "syscalls/host/synthetic_files.h"

namespace hardclock::host {

struct AccessKinds {
  bool read = false;
  bool write = false;
  bool execute = false;
};

struct DirectoryEntry {
  std::string name;
  std::uint64_t inode = 0;  // the same as its FileStatus::inode
  FileType type = FileType::regular;
  friend bool operator==(const DirectoryEntry&, const DirectoryEntry&) = default;
  static constexpr std::size_t state_members = 3;
};

// What is opened otherwise than a file of the host: a FIFO or a socket, as a name for guests to
// meet by, or an object that a made link leads to.
struct Node {
  HostIdentity identity;
  FileStatus status;
  bool writable = false;                      // it lies in a writable mount
  std::shared_ptr<LinkedObject> object = {};  // null: a FIFO or a socket
};

// An open file that has no file of the host: a directory, a text to read, or a device. Which device
// it is FileStatus::special tells; without that it is like null.
struct OpenedSynthetic {
  FileStatus status = {};
  OpenRights rights = {};
  std::uint64_t random_state = 0;                // of a random device: what it gives next
  std::shared_ptr<const std::string> text = {};  // nullptr: it is no text
  bool is_directory() const { return status.type == FileType::directory; }
  bool is_random() const {
    return status.special == SpecialFile::random || status.special == SpecialFile::urandom;
  }
  // What is written there is for the user.
  bool is_console() const {
    return status.special == SpecialFile::terminal || status.special == SpecialFile::console;
  }
  static constexpr std::size_t state_members = 4;
};

using OpenedFile = std::variant<HostFile, OpenedSynthetic>;

class GuestFiles {
 public:
  // The error is one line for the user: what, where, next step.
  static Result<GuestFiles, std::string> create(const FileSpace& space);

  // What the user should know before the run, a line each.
  const std::vector<std::string>& notices() const { return space_.notices(); }
  // Where the guest's first process starts: the working directory, or "/" if it is not visible.
  const std::string& initial_directory() const { return initial_directory_; }
  // For messages: a clause that names the bind or working directory that hides a path of a guest
  // root, and the next step; nullopt if none does.
  std::optional<std::string> what_hides(const GuestPath& path) const;
  // Whether the path would be looked up in a guest root, which has the directory that contains it.
  bool belongs_to_roots(const GuestPath& path) const;
  // Shared with the standard streams.
  const std::shared_ptr<FileRecords>& records() const { return records_; }
  const std::shared_ptr<HostUse>& use() const { return use_; }

  // The guest has this tree in place of what a root has there, and can change nothing in it. Null:
  // there is none.
  void show(std::shared_ptr<const SyntheticFiles> made);
  // Where a path leads that goes to a file of ours or through links of that tree; any other stays
  // as it is.
  GuestPath without_synthetic_links(const GuestPath& path) const;
  // What a file that was opened by this path is called: an open file keeps its name when it is
  // opened by a link of that tree.
  std::string name_of(const GuestPath& path) const;

  // Only regular files, directories and our special files open; a device, socket or FIFO gives
  // access, at once: find_node() is for those. No terminal belongs to a guest: opening /dev/tty or
  // /dev/console for reading gives no_device (POSIX.1, open(), ENXIO); what is written there is for
  // the user. The limits of the FileSpace give too_many_open and no_space, as in every function
  // that makes a name.
  HostResult<OpenedFile> open(const GuestPath& path, const OpenOptions& options);
  HostResult<FileStatus> status(const GuestPath& path, Follow follow);
  // The FIFO, socket or linked object at the path; nullopt: something else is, or nothing.
  std::optional<Node> find_node(const GuestPath& path, Follow follow);
  HostResult<Ok> access(const GuestPath& path, AccessKinds kinds);
  HostResult<std::string> read_link(const GuestPath& path);
  // The directory's path without symbolic links, for chdir; access without search permission.
  HostResult<GuestPath> find_directory(const GuestPath& path);
  // The directory itself, as long as somebody has it; too_many_open.
  HostResult<HeldDirectoryRef> hold(const GuestPath& path);
  // The file itself, as long as somebody has it, without opening it; too_many_open.
  HostResult<HeldFileRef> hold_file(const GuestPath& path, Follow follow);
  // The initial one; a path alone if nobody can go there any more.
  HeldDirectoryRef hold_initial_directory();
  // The object, to tell it apart from others: one that we make is told by its number.
  HostResult<HostIdentity> identity(const GuestPath& path, Follow follow);
  // chown(2) changed nothing, but who watches the file hears of it.
  void owner_was_set(const GuestPath& path, Follow follow);
  // "." and "..", then all names in byte order: the host's order is a hash order. They can be
  // listed even where search permission is lacking, by which they could be used.
  HostResult<std::vector<DirectoryEntry>> list(const GuestPath& path);

  // Changes of the name space. Errors: read_only in roots, cross_device between mounts, busy for
  // mount points, the directories above them, and special files; not_permitted for the host's
  // devices. New directories get mode & 01777, and set-group-id from a directory that has it.
  HostResult<Ok> make_directory(const GuestPath& path, std::uint32_t mode);
  HostResult<Ok> make_symlink(std::string_view target, const GuestPath& path);
  // A FIFO or a socket, whose permissions are mode & 0777.
  HostResult<Node> make_node(const GuestPath& path, FileType type, std::uint32_t mode);
  HostResult<Ok> link(const GuestPath& existing, const GuestPath& created);
  HostResult<Ok> rename(const GuestPath& from, const GuestPath& to);
  HostResult<Ok> remove_file(const GuestPath& path);
  HostResult<Ok> remove_directory(const GuestPath& path);

  HostResult<Ok> truncate(const GuestPath& path, std::uint64_t size);
  // For a regular file or directory, through links; bits 07777.
  HostResult<Ok> change_mode(const GuestPath& path, std::uint32_t mode);
  HostResult<Ok> set_times(const GuestPath& path, const TimeChange& access,
                           const TimeChange& modification, Follow follow);

 private:
  GuestFiles(NameSpace space, FileTime start, HostUse::Limits limits)
      : space_(std::move(space)),
        records_(std::make_shared<FileRecords>(start)),
        use_(std::make_shared<HostUse>(limits)) {}

  HostResult<NameSpace::Place> place_for_new(const GuestPath& path) const;
  HostResult<NameSpace::Place> place_of_existing(const GuestPath& path, FileType& type) const;
  HostResult<NameSpace::Place> place_to_replace(const GuestPath& path) const;
  HostResult<Ok> may_lose_name(const NameSpace::Place& place, const NameSpace::Found& found) const;
  // What the host's directory itself tells of a name; nullopt: nothing.
  struct Named {
    HostIdentity identity;
    FileType type = FileType::regular;
  };
  using Names = std::map<std::string, std::optional<Named>>;
  static HostResult<Ok> collect_names(Descriptor directory, Names& names);
  HostResult<Names> names_in(const GuestPath& path) const;

  // Where a path leads that begins in the tree of made files or at a link into it: to one of them,
  // to the object of a link, or out of the tree by a link.
  struct Made {
    GuestPath path;
    std::optional<SyntheticFile> file;
    std::shared_ptr<LinkedObject> object = {};
  };
  std::optional<SpecialFile> find_special(const GuestPath& path) const {
    return space_.special_files().find(path);
  }
  bool is_below_special(const GuestPath& path) const;
  bool is_made(const GuestPath& path) const;
  const SyntheticLink* synthetic_link_above(const GuestPath& path) const;
  HostResult<Made> find_made(const GuestPath& path, Follow follow) const;
  HostResult<OpenedFile> open_made(const Made& made, const OpenOptions& options);
  FileStatus synthetic_status(const GuestPath& path, const SyntheticFile& file);
  HostResult<FileStatus> synthetic_status(const Made& made);
  static HostResult<Ok> access_made(const Made& made, AccessKinds kinds);
  std::vector<DirectoryEntry> list_made(const Made& directory);

  // What a path means: one of our special files, a made file, or what a mount has.
  struct Meaning {
    GuestPath path;  // of a special or made file: without the links that led there
    std::optional<SpecialFile> special = {};
    std::optional<Made> made = {};
    std::optional<NameSpace::Found> found = {};
  };
  HostResult<Meaning> meaning_of(const GuestPath& path, Follow follow) const;
  HostResult<FileStatus> status_of(const Meaning& meaning);
  HostResult<HeldDirectoryRef> hold_directory(Meaning meaning);
  static std::optional<Error> refusal_to_change(const Meaning& meaning);

  HostResult<OpenedFile> open_special(const GuestPath& path, SpecialFile special,
                                      const OpenOptions& options);
  HostResult<OpenedFile> open_quietly(const GuestPath& path, const OpenOptions& options);
  HostResult<OpenedFile> open_existing(const NameSpace::Found& found, const OpenOptions& options);
  HostResult<OpenedFile> open_held(const NameSpace::Found& found, const OpenOptions& options);
  HostResult<OpenedFile> open_new(const GuestPath& path, const OpenOptions& options);
  HostResult<OpenedFile> open_host(const Mount& mount, const GuestPath& path,
                                   const OpenOptions& options, int create_flags, bool writable);
  HostResult<OpenedFile> to_open_file(const std::function<HostResult<Descriptor>(int flags)>& open,
                                      int flags, const OpenOptions& options, const Mount& mount,
                                      bool writable);
  // Updates the records of files and the use of the host after a change of the name space.
  // `permissions` are those that the guest asked for; `removed` is the object that the name led to.
  void note_created(const NameSpace::Place& place, std::uint32_t permissions);
  void note_removed(const struct ::stat& removed);
  void tell_of_name(FileEvent::Kind kind, const NameSpace::Place& place, const struct ::stat& file);
  void note_names_changed(const Descriptor& directory);
  HostResult<Ok> may_move(const NameSpace::Place& from, const NameSpace::Place& to);
  void note_moved(const NameSpace::Place& from, const NameSpace::Place& to);
  FileStatus synthetic_status(const GuestPath& path, FileType type, std::uint32_t permissions);
  FileStatus special_status(const GuestPath& path, SpecialFile special);

  NameSpace space_;
  std::string initial_directory_ = "/";
  std::shared_ptr<FileRecords> records_;
  std::shared_ptr<HostUse> use_;
  std::shared_ptr<const SyntheticFiles> synthetic_;
  HeldDirectories held_;
};

}  // namespace hardclock::host
