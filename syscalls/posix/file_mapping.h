// Files in memory: what mmap(2) shows of an open file, and how stores to a shared mapping reach it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/memory/address_space.h"
#include "syscalls/host/error.h"
#include "syscalls/posix/open_file.h"

namespace hardclock::posix {

// Pages are read from the file when they are touched for the first time.
class FilePages final : public PageSource {
 public:
  explicit FilePages(std::shared_ptr<OpenFile> file) : file_(std::move(file)) {}
  bool fill(std::uint64_t offset, std::span<std::uint8_t, page_size> page) override;

 private:
  std::shared_ptr<OpenFile> file_;
};

// The pages of all MAP_SHARED mappings of one file. What was stored reaches the file at sync(), and
// when the last mapping goes; until then read(2) does not see it. Only bytes that changed are
// written, and none beyond the end of the file unless it grows.
class SharedFilePages final : public SharedPages, public PageSource {
 public:
  explicit SharedFilePages(std::shared_ptr<OpenFile> file) : file_(std::move(file)) {}
  ~SharedFilePages() override { (void)sync(); }

  bool fill(std::uint64_t offset, std::span<std::uint8_t, page_size> page) override;
  // A mapping through which stores may come; `grows` extends the file to what is stored behind its
  // end (IRIX's MAP_AUTOGROW).
  void allow_writing(std::shared_ptr<OpenFile> file, bool grows);
  // Writes what changed since the last time. The error is the file's.
  host::HostResult<Ok> sync();

 private:
  host::HostResult<Ok> write_changes(std::uint64_t offset, std::span<const std::uint8_t> page,
                                     std::vector<std::uint8_t>& written, std::uint64_t file_size);

  std::shared_ptr<OpenFile> file_;
  std::shared_ptr<OpenFile> writable_;  // null: nobody may store
  bool grows_ = false;
  std::map<std::uint64_t, std::vector<std::uint8_t>> written_;  // by page: as the file has it
};

// Tells `memory` what code now lies in [start, start + size). Nothing where it may not run.
void note_code(AddressSpace& memory, GuestAddr start, std::uint64_t size, Permissions permissions,
               const OpenFile& file, std::uint64_t offset);

// The files of a machine that are mapped shared, by what they are on the host: every process that
// maps one gets the same pages.
class SharedFiles {
 public:
  std::shared_ptr<SharedFilePages> pages_of(const std::shared_ptr<OpenFile>& file);

 private:
  std::map<host::HostIdentity, std::weak_ptr<SharedFilePages>> files_;
};

}  // namespace hardclock::posix
