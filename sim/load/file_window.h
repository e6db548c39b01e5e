// A program file of which only the wanted parts are read: a file may be sparse and much larger than
// the parts that matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace hardclock {

// The largest program file that is read, in bytes: nothing larger ran on these systems.
inline constexpr std::uint64_t largest_program_file = std::uint64_t{256} << 20;

class FileWindow {
 public:
  using Bytes = std::span<const std::uint8_t>;
  // Fills `bytes` from `offset` of the file on. Returns false if the file does not, or no longer,
  // have all of them, or if the host cannot read them.
  using Read = std::function<bool(std::uint64_t offset, std::span<std::uint8_t> bytes)>;

  // The largest part, in bytes: a table that a file describes its code with.
  static constexpr std::uint64_t largest_part = std::uint64_t{16} << 20;

  // A file of `size` bytes, at most 2^47. Throws std::bad_alloc.
  FileWindow(std::uint64_t size, Read read);
  // A file in memory, which outlives this.
  explicit FileWindow(Bytes file);
  ~FileWindow();
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;

  std::uint64_t size() const { return size_; }
  // Whether the file has these bytes.
  bool has(std::uint64_t offset, std::uint64_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }
  // A part, which is read once and lives as long as the window. Nullopt if it is not all in the
  // file or larger than largest_part.
  std::optional<Bytes> part(std::uint64_t offset, std::uint64_t size);
  // Reads a part of any size, which the window does not keep.
  bool copy(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
    return has(offset, bytes.size()) && read_(offset, bytes);
  }
  // The file as one piece of memory, zeros where no part was read. Changes do not reach the file.
  std::span<char> memory() const { return {reinterpret_cast<char*>(memory_), size_}; }

 private:
  // Pages [first, end) of the memory.
  bool read_pages(std::uint64_t first, std::uint64_t end);

  std::uint64_t size_;
  Read read_;
  std::uint8_t* memory_ = nullptr;
  std::vector<bool> present_;  // by page
};

}  // namespace hardclock
