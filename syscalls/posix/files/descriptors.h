// The descriptor table of a process, or of a thread that has its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "sim/base/owner.h"
#include "sim/state/archive.h"
#include "syscalls/posix/files/open_file.h"
#include "syscalls/posix/files/record_locks.h"

namespace hardclock::posix {

class Descriptors {
 public:
  explicit Descriptors(std::size_t limit = 0) : limit_(limit) {}
  // A child's table: the same files, without their locks (POSIX.1, fcntl()).
  Descriptors(const Descriptors& other)
      : limit_(other.limit_), table_(copy_of(*other.table_)), locks_(other.locks_) {}
  Descriptors& operator=(const Descriptors&) = delete;

  // Adds a file at the lowest free number at or above `lowest`, which is not negative; nullopt if
  // the table is full. The number stays open over exec.
  std::optional<int> add(std::shared_ptr<OpenFile> file, int lowest = 0);
  // Puts a file at a given number, and closes that first if it is open. It stays open over exec.
  void set(int number, std::shared_ptr<OpenFile> file);
  // Returns nullptr if the number is not open, or only names its file.
  std::shared_ptr<OpenFile> get(std::int64_t number) const;
  // The same, but also for a number that only names its file.
  std::shared_ptr<OpenFile> get_raw(std::int64_t number) const;
  bool close(std::int64_t number);
  // Closes every file that no other process shares with this one.
  void close_all();
  // After this, both have one table, with the other's files: sproc(2) with PR_SFDS.
  void share(const Descriptors& other) { table_ = other.table_; }
  bool shares(const Descriptors& other) const { return table_ == other.table_; }
  // Makes the table a copy of its own, if it was shared.
  void unshare();
  // fcntl(F_SETFD): whether exec closes this open number.
  bool closes_on_exec(std::int64_t number) const;
  void set_close_on_exec(std::int64_t number, bool closes);
  // For exec: closes the numbers marked for that.
  void close_on_exec();
  // The numbers that add() gives are below it. What is open above a lower one stays open.
  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t limit) { limit_ = limit; }
  // No number is open from here on.
  std::size_t end() const { return table_->entries.size(); }

  // One object for all tables that come from one first table. Whoever sets a lock records it here,
  // so that closing a descriptor of the file removes it.
  const std::shared_ptr<RecordLocks>& locks() const { return locks_; }
  void add_lock_owner(int pid) { table_->lock_owners.insert(pid); }

  void archive(Archive& to);

 private:
  struct Entry {
    std::shared_ptr<OpenFile> file;  // nullptr: not open
    bool closes_on_exec = false;
    static constexpr std::size_t state_members = 2;
  };

  struct Table : Owned {
    std::vector<Entry> entries;
    std::set<int> lock_owners;
    void archive(Archive& to);
  };
  // Without the locks.
  static std::shared_ptr<Table> copy_of(const Table& table) {
    auto copy = std::make_shared<Table>();
    copy->entries = table.entries;
    return copy;
  }

  std::size_t limit_;
  Owner<Table> table_ = std::make_shared<Table>();
  std::shared_ptr<RecordLocks> locks_ = std::make_shared<RecordLocks>();
};

}  // namespace hardclock::posix
