// Files in memory: what mmap(2) shows of an open file, and how stores to a shared mapping reach it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "sim/memory/address_space.h"
#include "syscalls/host/error.h"
#include "syscalls/posix/open_file.h"

namespace hardclock::posix {

// Pages are read from the file when they are touched for the first time.
class FilePages final : public PageSource {
 public:
  explicit FilePages(std::shared_ptr<OpenFile> file) : file_(std::move(file)) {}
  std::optional<Fault::Kind> fill(std::uint64_t offset,
                                  std::span<std::uint8_t, page_size> page) override;

 private:
  std::shared_ptr<OpenFile> file_;
};

// The pages of all MAP_SHARED mappings of one file. What was stored reaches the file at sync(), and
// when the last mapping goes; until then read(2) does not see it. Only bytes that changed are
// written, and none beyond the end of the file unless it grows.
class SharedFilePages final : public SharedPages, public PageSource {
 public:
  // What was read from a file that may be stored to is kept twice, and `budget` is charged for
  // both.
  SharedFilePages(std::shared_ptr<OpenFile> file, std::shared_ptr<MemoryBudget> budget)
      : file_(std::move(file)), budget_(std::move(budget)) {}
  ~SharedFilePages() override { (void)sync(); }

  std::optional<Fault::Kind> fill(std::uint64_t offset,
                                  std::span<std::uint8_t, page_size> page) override;
  // A mapping through which stores may come; `grows` extends the file to what is stored behind its
  // end (IRIX's MAP_AUTOGROW). False: there is no memory for that.
  bool allow_writing(std::shared_ptr<OpenFile> file, bool grows);
  // Writes what changed since the last time. The error is the file's.
  host::HostResult<Ok> sync();

 private:
  host::HostResult<Ok> write_changes(std::uint64_t offset, std::span<const std::uint8_t> page,
                                     std::span<std::uint8_t> written, std::uint64_t file_size);
  // Notes that the file has these bytes. False: no memory.
  bool note_written(std::uint64_t index, std::span<const std::uint8_t, page_size> page);

  std::shared_ptr<OpenFile> file_;
  std::shared_ptr<MemoryBudget> budget_;
  std::shared_ptr<OpenFile> writable_;  // null: nobody may store
  bool grows_ = false;
  // By page, as the file has it; empty as long as nobody may store.
  std::map<std::uint64_t, std::shared_ptr<Frame>> written_;
};

// Tells `memory` what code now lies in [start, start + size). Nothing where it may not run.
void note_code(AddressSpace& memory, GuestAddr start, std::uint64_t size, Permissions permissions,
               const OpenFile& file, std::uint64_t offset);

// The files of a machine that are mapped shared, by what they are on the host: every process that
// maps one gets the same pages.
class SharedFiles {
 public:
  std::shared_ptr<SharedFilePages> pages_of(const std::shared_ptr<OpenFile>& file,
                                            const std::shared_ptr<MemoryBudget>& budget);

 private:
  void forget_unmapped();

  std::size_t most_files_ = 64;  // before it is looked which of them are not mapped any more
  std::map<host::HostIdentity, std::weak_ptr<SharedFilePages>> files_;
};

}  // namespace hardclock::posix
