// A process's descriptor table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "syscalls/posix/open_file.h"
#include "syscalls/posix/record_locks.h"

namespace hardclock::posix {

class Descriptors {
 public:
  explicit Descriptors(std::size_t limit) : limit_(limit) {}
  // A child's table: the same files, of whose locks it has none (POSIX.1, fcntl()).
  Descriptors(const Descriptors& other)
      : limit_(other.limit_),
        table_(std::make_shared<Table>(Table{other.table_->entries, {}})),
        locks_(other.locks_) {}
  Descriptors& operator=(const Descriptors&) = delete;

  // The lowest free number at or above `lowest`, which is not negative; none when the table is
  // full. It stays open over exec.
  std::optional<int> add(std::shared_ptr<OpenFile> file, int lowest = 0);
  // Puts a file at a given number, which is closed before if it is open. It stays open over exec.
  void set(int number, std::shared_ptr<OpenFile> file);
  // Null when the number is not open.
  std::shared_ptr<OpenFile> get(std::int64_t number) const;
  bool close(std::int64_t number);
  // Closes what no other process shares with this one.
  void close_all();
  // From now on both have one table, with the other's files: sproc(2) with PR_SFDS.
  void share(const Descriptors& other) { table_ = other.table_; }
  // From now on this is a copy, if the table was shared.
  void unshare();
  // fcntl(F_SETFD): whether exec closes it. Of an open number.
  bool closes_on_exec(std::int64_t number) const;
  void set_close_on_exec(std::int64_t number, bool closes);
  // What exec does: closes those that are to be closed.
  void close_on_exec();
  std::size_t limit() const { return limit_; }

  // One for all tables that come from one first table. Whoever sets a lock says so here, so that
  // closing a descriptor of the file removes it.
  const std::shared_ptr<RecordLocks>& locks() const { return locks_; }
  void add_lock_owner(int pid) { table_->lock_owners.insert(pid); }

 private:
  struct Entry {
    std::shared_ptr<OpenFile> file;  // null: not open
    bool closes_on_exec = false;
  };

  struct Table {
    std::vector<Entry> entries;
    std::set<int> lock_owners;
  };

  std::size_t limit_;
  std::shared_ptr<Table> table_ = std::make_shared<Table>();
  std::shared_ptr<RecordLocks> locks_ = std::make_shared<RecordLocks>();
};

}  // namespace hardclock::posix
