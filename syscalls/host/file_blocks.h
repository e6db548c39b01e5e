// What of a regular file is stored, in blocks: the rest are its holes, which read as zeros and take
// no room on the disk (lseek(2), fallocate(2)).
//
// The count follows only from what guests do. All of a file that a run finds is stored; from then
// on a write stores the blocks that it touches, and what a file grows by without being written is a
// hole. The host's file systems differ in what they store, and when.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "sim/state/archive.h"

namespace hardclock::host {

// Disjoint ranges of bytes.
class Ranges {
 public:
  bool empty() const { return ranges_.empty(); }
  void add(std::uint64_t begin, std::uint64_t end);
  void remove(std::uint64_t begin, std::uint64_t end);
  // How many bytes between these are in one of them.
  std::uint64_t count(std::uint64_t begin, std::uint64_t end) const;
  // The first position, from this one on, that is in a range or in none. nullopt: no range follows.
  std::optional<std::uint64_t> next_inside(std::uint64_t at) const;
  std::uint64_t next_outside(std::uint64_t at) const;
  friend auto operator<=>(const Ranges&, const Ranges&) = default;
  void archive(Archive& to);

 private:
  using Map = std::map<std::uint64_t, std::uint64_t>;  // begin -> end
  // The first range that ends behind `at`.
  Map::const_iterator first_behind(std::uint64_t at) const;

  Map ranges_;
};

// The blocks of one file; its size is kept elsewhere.
class FileBlocks {
 public:
  static constexpr std::uint64_t block_bytes = 4096;

  // How many bytes of a file of this size are stored: the last block counts up to the file's end.
  std::uint64_t stored(std::uint64_t size) const;
  // The same after a change of its size, by which no hole is written.
  std::uint64_t stored_after_resize(std::uint64_t from, std::uint64_t to) const;
  // The same in whole blocks, counted in units of 512 bytes (st_blocks).
  std::uint64_t sectors(std::uint64_t size) const;
  // How many more bytes are stored after a write of so many bytes at this offset, at least one.
  std::uint64_t added_by_write(std::uint64_t size, std::uint64_t offset, std::uint64_t count) const;
  // SEEK_DATA, SEEK_HOLE: from an offset before the end on. nullopt: no data follows. A hole begins
  // at the end.
  std::optional<std::uint64_t> next_data(std::uint64_t size, std::uint64_t offset) const;
  std::uint64_t next_hole(std::uint64_t size, std::uint64_t offset) const;
  // Every block is data.
  bool is_dense() const { return unwritten_.empty(); }

  // `size` is the file's before the change.
  void write(std::uint64_t size, std::uint64_t offset, std::uint64_t count);
  void resize(std::uint64_t from, std::uint64_t to);
  // Whole blocks between these become holes. The end of the file may be inside its last block.
  void punch(std::uint64_t size, std::uint64_t begin, std::uint64_t end);
  // The blocks get room: they are still no data if they were none.
  void reserve(std::uint64_t begin, std::uint64_t end);
  friend auto operator<=>(const FileBlocks&, const FileBlocks&) = default;
  void archive(Archive& to);

 private:
  // Both from a block's start to a block's end, at most that of the file's last one.
  Ranges unwritten_;  // reads as zeros; no data
  Ranges unstored_;   // those of them that take no room
};

}  // namespace hardclock::host
