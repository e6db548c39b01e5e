// Files in memory: the content of mmap(2)'s mappings, and how stores to a shared one reach the
// file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sim/memory/address_space.h"
#include "syscalls/host/error.h"
#include "syscalls/host/kept_content.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// Reads pages from the file when they are first touched. Behind the file's end they are zeros, up
// to the end of the page as programs know it, which has `page_bytes`.
class FilePages final : public PageSource {
 public:
  explicit FilePages(std::shared_ptr<OpenFile> file = {}, std::uint64_t page_bytes = page_size)
      : file_(std::move(file)), page_bytes_(page_bytes) {}
  std::optional<Fault::Kind> fill(std::uint64_t offset,
                                  std::span<std::uint8_t, page_size> page) override;
  void archive(Archive& to) override;
  Blank<MappedObject> blank() const override { return blank_of<FilePages>(); }

 private:
  std::shared_ptr<OpenFile> file_;
  std::uint64_t page_bytes_;
};

// The pages of all MAP_SHARED mappings of one file. Stores reach the file at sync(), when somebody
// reads it and when the last mapping goes; what is written to the file shows at once. Only changed
// bytes are written, and none beyond the end of the file unless it grows.
class SharedFilePages final : public SharedPages, public PageSource, public host::KeptContent {
 public:
  // Pages of a file that may be stored to are kept twice, and `budget` is charged for both.
  SharedFilePages(std::shared_ptr<OpenFile> file, std::shared_ptr<MemoryBudget> budget,
                  std::uint64_t page_bytes)
      : file_(std::move(file)), budget_(std::move(budget)), page_bytes_(page_bytes) {
    file_->keep_content(this);
  }
  explicit SharedFilePages(Archive& from)
      : budget_(from.provided<std::shared_ptr<MemoryBudget>>()), page_bytes_(page_size) {}
  ~SharedFilePages() override {
    if (!has_ended()) leave_file();
  }
  void end() override {
    leave_file();
    SharedPages::end();
    written_.clear();
  }

  std::optional<Fault::Kind> fill(std::uint64_t offset,
                                  std::span<std::uint8_t, page_size> page) override;
  // Allows a mapping to store; `grows` extends the file to what is stored after its end (IRIX's
  // MAP_AUTOGROW). Returns false if there is no memory for that.
  bool allow_writing(std::shared_ptr<OpenFile> file, bool grows);
  // Writes the changes since the last call. The error is the file's.
  host::HostResult<Ok> sync();

  void archive(Archive& to) override;
  Blank<MappedObject> blank() const override { return blank_of<SharedFilePages>(); }

  void before_read(std::uint64_t offset, std::uint64_t size) override;
  void file_changed(std::uint64_t offset, std::uint64_t size) override;

 private:
  void leave_file() {
    (void)sync();
    file_->keep_content(nullptr);
  }
  // Those that have a byte of [offset, offset + size).
  using Frames = std::map<std::uint64_t, Owner<Frame>>;
  std::pair<Frames::iterator, Frames::iterator> frames_of(std::uint64_t offset, std::uint64_t size);
  host::HostResult<Ok> sync(Frames::iterator begin, Frames::iterator end);
  host::HostResult<Ok> write_changes(std::uint64_t offset, std::span<const std::uint8_t> page,
                                     std::span<std::uint8_t> written, std::uint64_t file_size);
  // Notes that the file has these bytes. Returns false if there is no memory.
  bool note_written(std::uint64_t index, std::span<const std::uint8_t, page_size> page);

  std::shared_ptr<OpenFile> file_;
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t page_bytes_;
  std::shared_ptr<OpenFile> writable_;  // nullptr: nobody may store
  bool grows_ = false;
  bool moves_bytes_ = false;  // between memory and the file: what the file tells is known
  // By page, the file's content; empty while nobody may store.
  std::map<std::uint64_t, Owner<Frame>> written_;
};

// Records in `memory` which code lies in [start, start + size), if it may run.
void note_code(AddressSpace& memory, GuestAddr start, std::uint64_t size, Permissions permissions,
               const OpenFile& file, std::uint64_t offset);

// A machine's files that are mapped shared, by their host identity: every process that maps one
// gets the same pages.
class SharedFiles {
 public:
  std::shared_ptr<SharedFilePages> pages_of(const std::shared_ptr<OpenFile>& file,
                                            const std::shared_ptr<MemoryBudget>& budget,
                                            std::uint64_t page_bytes = page_size);
  // Whether some process maps this file shared.
  bool is_mapped(const host::HostIdentity& file) const;
  void archive(Archive& to);

 private:
  void forget_unmapped();

  std::size_t most_files_ = 64;  // above it, files that are no longer mapped are dropped
  std::map<host::HostIdentity, std::weak_ptr<SharedFilePages>> files_;
};

}  // namespace hardclock::posix
