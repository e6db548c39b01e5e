// What of a file is stored, against a file of single bytes that remembers which blocks were
// written.
#include "syscalls/host/file_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hardclock::host {
namespace {

constexpr std::uint64_t block = FileBlocks::block_bytes;

// A block at a time, without ranges.
struct Model {
  enum class State : std::uint8_t { hole, reserved, data };
  std::vector<State> blocks;
  std::uint64_t size = 0;

  static std::uint64_t blocks_for(std::uint64_t bytes) { return (bytes + block - 1) / block; }
  void resize(std::uint64_t to) {
    size = to;
    blocks.resize(blocks_for(to), State::hole);
  }
  void write(std::uint64_t offset, std::uint64_t count) {
    resize(std::max(size, offset + count));
    for (auto i = offset / block; i < blocks_for(offset + count); ++i) blocks[i] = State::data;
  }
  void punch(std::uint64_t begin, std::uint64_t end) {
    const auto last = end >= size ? blocks.size() : end / block;
    for (auto i = blocks_for(begin); i < last; ++i) blocks[i] = State::hole;
  }
  void reserve(std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin / block; i < std::min<std::uint64_t>(blocks_for(end), blocks.size()); ++i) {
      if (blocks[i] == State::hole) blocks[i] = State::reserved;
    }
  }
  std::uint64_t stored() const {
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i] != State::hole) bytes += std::min(block, size - i * block);
    }
    return bytes;
  }
  bool is_data(std::uint64_t offset) const { return blocks[offset / block] == State::data; }
};

void compare(const FileBlocks& found, const Model& model) {
  RC_ASSERT(found.stored(model.size) == model.stored());
  const auto holes = std::count(model.blocks.begin(), model.blocks.end(), Model::State::hole);
  RC_ASSERT(found.sectors(model.size) ==
            (model.blocks.size() - static_cast<std::uint64_t>(holes)) * block / 512);
  for (std::uint64_t at = 0; at < model.size; at += block / 2) {
    std::uint64_t data = at, hole = at;
    while (data < model.size && !model.is_data(data)) data = (data / block + 1) * block;
    while (hole < model.size && model.is_data(hole)) hole = (hole / block + 1) * block;
    const auto next = found.next_data(model.size, at);
    RC_ASSERT(next.has_value() == (data < model.size));
    if (next) RC_ASSERT(*next == data);
    RC_ASSERT(found.next_hole(model.size, at) == std::min(hole, model.size));
  }
}

RC_GTEST_PROP(FileBlocks, FollowEveryChange, ()) {
  FileBlocks found;
  Model model;
  const int changes = *rc::gen::inRange(1, 30);
  for (int i = 0; i < changes; ++i) {
    const std::uint64_t begin = *rc::gen::inRange<std::uint64_t>(0, 20 * block);
    const std::uint64_t count = *rc::gen::inRange<std::uint64_t>(1, 5 * block);
    const std::uint64_t before = model.stored(), size = model.size;
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        const std::uint64_t added = found.added_by_write(size, begin, count);
        model.write(begin, count);
        found.write(size, begin, count);
        RC_ASSERT(added == model.stored() - before);
        break;
      }
      case 1: {
        const std::uint64_t stored = found.stored_after_resize(size, begin);
        model.resize(begin);
        found.resize(size, begin);
        RC_ASSERT(stored == model.stored());
        break;
      }
      case 2:
        model.punch(begin, begin + count);
        found.punch(size, begin, begin + count);
        break;
      default:
        if (begin >= size) break;
        model.reserve(begin, std::min(begin + count, size));
        found.reserve(begin, std::min(begin + count, size));
        break;
    }
    compare(found, model);
  }
}

TEST(FileBlocks, ATerabyteOfHoleIsNothing) {
  constexpr std::uint64_t terabyte = std::uint64_t{1} << 40;
  FileBlocks blocks;
  EXPECT_EQ(blocks.stored_after_resize(0, terabyte), 0U);
  blocks.resize(0, terabyte);
  EXPECT_EQ(blocks.stored(terabyte), 0U);
  EXPECT_EQ(blocks.added_by_write(terabyte, terabyte - 1, 1), block);
  blocks.write(terabyte, terabyte - 1, 1);
  EXPECT_EQ(blocks.sectors(terabyte), 8U);
  EXPECT_EQ(blocks.next_data(terabyte, 5), terabyte - block);
}

TEST(FileBlocks, WhatARunFindsIsStored) {
  const FileBlocks blocks;
  EXPECT_TRUE(blocks.is_dense());
  EXPECT_EQ(blocks.stored(10'000), 10'000U);
  EXPECT_EQ(blocks.sectors(10'000), 24U);
  EXPECT_EQ(blocks.sectors(0), 0U);
  EXPECT_EQ(blocks.next_hole(10'000, 5), 10'000U);
}

}  // namespace
}  // namespace hardclock::host
