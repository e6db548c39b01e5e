#include "syscalls/posix/files/file_mapping.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock::posix {
namespace {

// True while this lives.
class Flag {
 public:
  explicit Flag(bool& flag) : flag_(flag), before_(std::exchange(flag, true)) {}
  ~Flag() { flag_ = before_; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  bool& flag_;
  bool before_;
};

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
  const Flag moves(moves_bytes_);
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
  Owner<Frame>& written = written_[index];
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
  return sync(frames.begin(), frames.end());
}

host::HostResult<Ok> SharedFilePages::sync(Frames::iterator begin, Frames::iterator end) {
  if (writable_ == nullptr) return Ok{};
  const Flag moves(moves_bytes_);
  const auto status = writable_->status();
  if (!status) return Failure{status.error()};
  for (auto page = begin; page != end; ++page) {
    const auto& [index, frame] = *page;
    const std::uint64_t offset = index << page_shift;
    if (offset >= status->size && !grows_) continue;
    const auto done =
        write_changes(offset, frame->content(), written_.at(index)->content(), status->size);
    if (!done) return done;
  }
  return Ok{};
}

std::pair<SharedFilePages::Frames::iterator, SharedFilePages::Frames::iterator>
SharedFilePages::frames_of(std::uint64_t offset, std::uint64_t size) {
  const auto begin = frames.lower_bound(offset >> page_shift);
  const std::uint64_t last = size == 0 ? offset : offset + (size - 1);
  return {begin, size == 0 ? begin : frames.upper_bound(last >> page_shift)};
}

void SharedFilePages::before_read(std::uint64_t offset, std::uint64_t size) {
  if (moves_bytes_) return;
  const auto [begin, end] = frames_of(offset, size);
  (void)sync(begin, end);  // as at the end of the last mapping: the reader has no use for the error
}

void SharedFilePages::file_changed(std::uint64_t offset, std::uint64_t size) {
  if (moves_bytes_) return;
  const Flag moves(moves_bytes_);
  const auto [begin, end] = frames_of(offset, size);
  for (auto page = begin; page != end; ++page) {
    const std::uint64_t start = page->first << page_shift;
    const std::uint64_t from = std::max(offset, start);
    const std::uint64_t to = std::min(offset + (size - 1), start + page_mask) + 1;
    const auto part = page->second->content().subspan(from - start, to - from);
    std::ranges::fill(part, 0);  // what lies behind the file's end
    read_page(*file_, from, part);
    if (writable_ != nullptr) {
      std::ranges::copy(part, written_.at(page->first)->bytes() + (from - start));
    }
  }
}

std::shared_ptr<SharedFilePages> SharedFiles::pages_of(const std::shared_ptr<OpenFile>& file,
                                                       const std::shared_ptr<MemoryBudget>& budget,
                                                       std::uint64_t page_bytes) {
  forget_unmapped();
  std::weak_ptr<SharedFilePages>& known = files_[file->identity()];
  std::shared_ptr<SharedFilePages> pages = lock_unended(known);
  if (pages == nullptr) {
    pages = std::make_shared<SharedFilePages>(file, budget, page_bytes);
    known = pages;
  }
  return pages;
}

bool SharedFiles::is_mapped(const host::HostIdentity& file) const {
  const auto known = files_.find(file);
  return known != files_.end() && lock_unended(known->second) != nullptr;
}

void SharedFiles::forget_unmapped() {
  if (files_.size() < most_files_) return;
  std::erase_if(files_, [](const auto& entry) { return lock_unended(entry.second) == nullptr; });
  most_files_ = std::max(most_files_, 2 * files_.size());
}

void FilePages::archive(Archive& to) {
  auto& [file, size] = *this;
  to.state(file, size);
}

void SharedFilePages::archive(Archive& to) {
  SharedPages::archive(to);
  to.state(file_, page_bytes_, writable_, grows_, written_);
  to.derived(moves_bytes_);
  to.wiring(budget_);
  if (to.loads()) file_->keep_content(this);
}

void SharedFiles::archive(Archive& to) {
  to.saved(most_files_, files_);
}

}  // namespace hardclock::posix
