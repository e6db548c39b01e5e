#include "sim/load/file_window.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace hardclock {
namespace {

constexpr std::uint64_t page_bytes = 4096;

bool copy_from(FileWindow::Bytes file, std::uint64_t offset, std::span<std::uint8_t> bytes) {
  std::ranges::copy(file.subspan(offset, bytes.size()), bytes.begin());
  return true;
}

}  // namespace

FileWindow::FileWindow(std::uint64_t size, Read read)
    : size_(size), read_(std::move(read)), present_((size + page_bytes - 1) / page_bytes) {
  if (size == 0) return;
  // Memory that nothing touches costs nothing.
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::uint8_t*>(memory);
}

FileWindow::FileWindow(Bytes file)
    : FileWindow(file.size(), [file](std::uint64_t offset, std::span<std::uint8_t> bytes) {
        return copy_from(file, offset, bytes);
      }) {}

FileWindow::~FileWindow() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

std::optional<FileWindow::Bytes> FileWindow::part(std::uint64_t offset, std::uint64_t size) {
  if (!has(offset, size) || size > largest_part) return std::nullopt;
  const std::uint64_t end = (offset + size + page_bytes - 1) / page_bytes;
  std::uint64_t page = offset / page_bytes;
  while (size != 0 && page < end) {
    std::uint64_t next = page;
    while (next < end && present_[next] == present_[page]) ++next;
    if (!present_[page] && !read_pages(page, next)) return std::nullopt;
    page = next;
  }
  return Bytes(memory_ + offset, size);
}

bool FileWindow::read_pages(std::uint64_t first, std::uint64_t end) {
  const std::uint64_t start = first * page_bytes;
  const std::uint64_t size = std::min(end * page_bytes, size_) - start;
  if (!read_(start, {memory_ + start, size})) return false;
  std::fill(present_.begin() + static_cast<std::ptrdiff_t>(first),
            present_.begin() + static_cast<std::ptrdiff_t>(end), true);
  return true;
}

}  // namespace hardclock
