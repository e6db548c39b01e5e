#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {
namespace {

using host::Error;
using host::OpenedSynthetic;
using host::SpecialFile;
using host::Whence;

constexpr std::uint8_t four_bytes[] = {'t', 'e', 'x', 't'};

std::shared_ptr<OpenFile> open_device(std::optional<SpecialFile> special, std::uint64_t seed = 0) {
  OpenedSynthetic device{.rights = {.read = true, .write = true}, .random_state = seed};
  device.status.special = special;
  return to_open_file(std::move(device));
}

std::shared_ptr<OpenFile> open_text(std::string content) {
  return to_open_file(OpenedSynthetic{
      .rights = {.read = true}, .text = std::make_shared<const std::string>(std::move(content))});
}

// Of 1000 bytes.
std::vector<std::uint8_t> bytes_of(OpenFile& file) {
  std::vector<std::uint8_t> bytes(1000, 'x');
  bytes.resize(**file.read(bytes));
  return bytes;
}

TEST(SyntheticOpenFile, DevicesGiveNothingOrZerosAndLoseWhatIsWritten) {
  const std::vector<std::uint8_t> nothing, zeros(1000);
  for (const auto& special : {std::optional<SpecialFile>(), std::optional(SpecialFile::null),
                              std::optional(SpecialFile::zero)}) {
    const auto file = open_device(special);
    EXPECT_EQ(bytes_of(*file), special == SpecialFile::zero ? zeros : nothing);
    EXPECT_EQ(**file->write(four_bytes), 4u);
    EXPECT_EQ(**file->pwrite(four_bytes, 5), 4u);
    EXPECT_EQ(*file->seek(100, Whence::set), 0u);
    EXPECT_TRUE(file->reads_whole() && !file->looks_at_writes() && file->takes_splices());
    EXPECT_EQ(file->identity(), host::HostIdentity{});
    EXPECT_EQ(file->truncate(0).error(), Error::invalid);
    EXPECT_EQ(file->keep_access_time(true).error(), Error::not_permitted);
    EXPECT_TRUE(file->keep_access_time(false).ok() && file->sync().ok());
  }
}

TEST(SyntheticOpenFile, TheFullDeviceTakesNothing) {
  const auto full = open_device(SpecialFile::full);
  EXPECT_EQ(bytes_of(*full), std::vector<std::uint8_t>(1000));
  EXPECT_EQ(full->write(four_bytes).error(), Error::no_space);
  EXPECT_EQ(full->pwrite(four_bytes, 5).error(), Error::no_space);
  EXPECT_TRUE(!full->looks_at_writes() && !full->takes_splices());
}

TEST(SyntheticOpenFile, RandomBytesFollowFromTheSeed) {
  const auto random = open_device(SpecialFile::urandom, 5);
  const auto bytes = bytes_of(*random);
  EXPECT_GT(std::set<std::uint8_t>(bytes.begin(), bytes.end()).size(), 200u) << "nearly all values";
  EXPECT_NE(bytes_of(*random), bytes);
  EXPECT_EQ(bytes_of(*open_device(SpecialFile::random, 5)), bytes);
  EXPECT_NE(bytes_of(*open_device(SpecialFile::random, 6)), bytes);
  const auto again = open_device(SpecialFile::random, 5);
  const auto first = bytes_of(**again->open_again({.read = true}));
  const auto second = bytes_of(**again->open_again({.read = true}));
  EXPECT_EQ((std::set{bytes, first, second, bytes_of(*again)}).size(), 4u) << "as each opening";
  EXPECT_TRUE(random->reads_whole() && random->looks_at_writes());
}

TEST(SyntheticOpenFile, WhatIsWrittenIsShownFirst) {
  std::string seen;
  OpenedSynthetic device{.rights = {.write = true}};
  device.status.special = SpecialFile::console;
  const auto console = to_open_file(device, [&](std::span<const std::uint8_t> bytes) {
    seen.append(bytes.begin(), bytes.end());
  });
  EXPECT_EQ(**console->write(four_bytes), 4u);
  const auto again = console->open_again({.write = true}).value();
  EXPECT_EQ(**again->write(four_bytes), 4u);
  EXPECT_EQ(seen, "texttext");
  EXPECT_TRUE(!console->reads_whole() && console->looks_at_writes());
  EXPECT_EQ(console->read({}).error(), Error::bad_descriptor);
}

TEST(SyntheticOpenFile, RefusesHostileOffsets) {
  constexpr std::uint64_t beyond = std::uint64_t{1} << 63;
  std::uint8_t bytes[4];
  const auto zero = open_device(SpecialFile::zero);
  EXPECT_EQ(zero->pread(bytes, beyond).error(), Error::invalid);
  EXPECT_EQ(**zero->pread(bytes, beyond - 3), 2u);
  EXPECT_EQ(zero->pwrite(bytes, beyond).error(), Error::invalid);
  EXPECT_EQ(zero->pwrite(bytes, beyond - 3).error(), Error::too_large);
}

TEST(SyntheticOpenFile, ATextKeepsItsContentAndPosition) {
  const auto file = open_text("made 1");
  std::vector<std::uint8_t> bytes(4);
  EXPECT_EQ(**file->read(bytes), 4u);
  EXPECT_EQ(**file->read(bytes), 2u);
  EXPECT_EQ(**file->read(bytes), 0u);
  EXPECT_EQ(*file->seek(-1, Whence::end), 5u);
  EXPECT_EQ(**file->read(bytes), 1u);
  EXPECT_EQ(bytes[0], '1');
  EXPECT_EQ(file->seek(-7, Whence::current).error(), Error::invalid);
  EXPECT_EQ(**file->pread(bytes, 5), 1u);
  EXPECT_EQ(**file->pread(bytes, 100), 0u);
  EXPECT_EQ(*file->seek(0, Whence::current), 6u);
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(file->seek(largest, Whence::end).error(), Error::invalid);
  EXPECT_EQ(file->seek(-largest - 1, Whence::end).error(), Error::invalid);
  EXPECT_EQ(*file->seek(largest, Whence::set), static_cast<std::uint64_t>(largest));
  EXPECT_EQ(**file->read(bytes), 0u);
  EXPECT_EQ(file->write(bytes).error(), Error::bad_descriptor);
  EXPECT_FALSE(file->reads_whole());
}

TEST(SyntheticOpenFile, ATextIsAllData) {
  const auto file = open_text("made 1");
  EXPECT_EQ(*file->seek(2, Whence::data), 2u);
  EXPECT_EQ(*file->seek(2, Whence::hole), 6u);
  EXPECT_EQ(file->seek(6, Whence::data).error(), Error::no_device);
  EXPECT_EQ(file->seek(-1, Whence::hole).error(), Error::no_device);
  EXPECT_EQ(file->open_again({.write = true}).error(), Error::access);
  EXPECT_EQ(bytes_of(*file->open_again({.read = true}).value()).size(), 6u) << "from the start";
}

}  // namespace
}  // namespace hardclock::posix
