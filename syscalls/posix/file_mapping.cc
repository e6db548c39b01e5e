#include "syscalls/posix/file_mapping.h"

#include <algorithm>
#include <array>

namespace hardclock::posix {
namespace {

// Reads a page of the file; the part after its end does not change. Returns false if nothing was
// read.
bool read_page(OpenFile& file, std::uint64_t offset, std::span<std::uint8_t> page) {
  std::size_t done = 0;
  while (done < page.size()) {
    const Transfer part = file.pread(page.subspan(done), offset + done);
    if (!part || !*part || **part == 0) break;
    done += **part;
  }
  return done != 0;
}

// The part of a program's page that lies behind the end of its file is zeros.
bool begins_in_file(OpenFile& file, std::uint64_t offset, std::uint64_t page_bytes) {
  std::array<std::uint8_t, 1> byte{};
  return page_bytes > page_size && read_page(file, offset & ~(page_bytes - 1), byte);
}

}  // namespace

void note_code(AddressSpace& memory, GuestAddr start, std::uint64_t size, Permissions permissions,
               const OpenFile& file, std::uint64_t offset) {
  if (!permissions.execute || file.path.empty()) return;
  memory.code_files().add({.start = start, .size = size, .file = file.path, .offset = offset});
}

std::optional<Fault::Kind> FilePages::fill(std::uint64_t offset,
                                           std::span<std::uint8_t, page_size> page) {
  const bool is_there =
      read_page(*file_, offset, page) || begins_in_file(*file_, offset, page_bytes_);
  if (!is_there) return Fault::Kind::no_object;
  return std::nullopt;
}

std::optional<Fault::Kind> SharedFilePages::fill(std::uint64_t offset,
                                                 std::span<std::uint8_t, page_size> page) {
  const bool is_there =
      read_page(*file_, offset, page) || grows_ || begins_in_file(*file_, offset, page_bytes_);
  if (!is_there) return Fault::Kind::no_object;
  if (writable_ != nullptr && !note_written(offset >> page_shift, page)) {
    return Fault::Kind::out_of_memory;
  }
  return std::nullopt;
}

bool SharedFilePages::note_written(std::uint64_t index,
                                   std::span<const std::uint8_t, page_size> page) {
  std::shared_ptr<Frame>& written = written_[index];
  if (written == nullptr) written = Frame::allocate(budget_);
  if (written == nullptr) {
    written_.erase(index);
    return false;
  }
  std::copy(page.begin(), page.end(), written->bytes());
  return true;
}

bool SharedFilePages::allow_writing(std::shared_ptr<OpenFile> file, bool grows) {
  if (writable_ == nullptr) {
    for (const auto& [index, frame] : frames) {
      if (!note_written(index, frame->content())) return false;
    }
  }
  writable_ = std::move(file);
  grows_ = grows_ || grows;
  return true;
}

host::HostResult<Ok> SharedFilePages::write_changes(std::uint64_t offset,
                                                    std::span<const std::uint8_t> page,
                                                    std::span<std::uint8_t> written,
                                                    std::uint64_t file_size) {
  const std::size_t end =
      grows_ ? page.size() : std::min<std::uint64_t>(page.size(), file_size - offset);
  for (std::size_t at = 0; at < end;) {
    if (page[at] == written[at]) {
      ++at;
      continue;
    }
    std::size_t stop = at + 1;
    while (stop < end && page[stop] != written[stop]) ++stop;
    const Transfer moved = writable_->pwrite(page.subspan(at, stop - at), offset + at);
    if (!moved) return Failure{moved.error()};
    if (!*moved || **moved == 0) return Failure{host::Error::io};
    std::copy_n(page.begin() + at, **moved, written.begin() + at);
    at += **moved;
  }
  return Ok{};
}

host::HostResult<Ok> SharedFilePages::sync() {
  if (writable_ == nullptr) return Ok{};
  const auto status = writable_->status();
  if (!status) return Failure{status.error()};
  for (const auto& [index, frame] : frames) {
    const std::uint64_t offset = index << page_shift;
    if (offset >= status->size && !grows_) continue;
    const auto done =
        write_changes(offset, frame->content(), written_.at(index)->content(), status->size);
    if (!done) return done;
  }
  return Ok{};
}

std::shared_ptr<SharedFilePages> SharedFiles::pages_of(const std::shared_ptr<OpenFile>& file,
                                                       const std::shared_ptr<MemoryBudget>& budget,
                                                       std::uint64_t page_bytes) {
  forget_unmapped();
  std::weak_ptr<SharedFilePages>& known = files_[file->identity()];
  std::shared_ptr<SharedFilePages> pages = known.lock();
  if (pages == nullptr) {
    pages = std::make_shared<SharedFilePages>(file, budget, page_bytes);
    known = pages;
  }
  return pages;
}

void SharedFiles::forget_unmapped() {
  if (files_.size() < most_files_) return;
  std::erase_if(files_, [](const auto& entry) { return entry.second.expired(); });
  most_files_ = std::max(most_files_, 2 * files_.size());
}

}  // namespace hardclock::posix
