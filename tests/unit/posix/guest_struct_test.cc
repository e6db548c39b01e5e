// Layouts of structures, against the offsets that gcc 12.2 has for the same structures in the
// headers of Debian's linux-libc-dev (offsetof() with -mabi=32, -mabi=n32 and -mabi=64).
#include "syscalls/posix/guest_struct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace hardclock::posix {
namespace {

constexpr std::size_t signals = 128;  // of a sigset_t of Linux

GuestTypes in_order(GuestTypes types, Endian endian) {
  types.endian = endian;
  return types;
}

constexpr GuestTypes o32{.long_bytes = 4}, n32 = o32,
                                           n64{.long_bytes = 8, .to_address = wide_pointer};

constexpr GuestAddr place{0x10000};

std::unique_ptr<AddressSpace> memory_with(const GuestStruct& members, Endian endian) {
  auto memory = std::make_unique<AddressSpace>(
      std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), endian, GuestAddr(0x80000000));
  EXPECT_TRUE(memory->map(place, page_size, Permissions{.read = true, .write = true}, "test").ok());
  EXPECT_TRUE(memory->write_bytes(place, members.bytes()).ok());
  return memory;
}

// struct sigaction of the kernel: sa_flags at 0; sa_handler at 4, 4, 8; sa_mask at 8, 8, 16; 24, 24
// and 32 bytes.
TEST(GuestStruct, LaysOutSigaction) {
  struct Case {
    GuestTypes types;
    std::uint64_t handler, mask, size;
  };
  for (const Case& c : {Case{o32, 4, 8, 24}, Case{n32, 4, 8, 24}, Case{n64, 8, 16, 32}}) {
    GuestStruct members(in_order(c.types, Endian::little));
    members.word(1).word_long(2).signal_longs(SignalSet(4), signals);
    EXPECT_EQ(members.bytes().size(), c.size);
    EXPECT_EQ(members.bytes()[0], 1);
    EXPECT_EQ(members.bytes()[c.handler], 2);
    EXPECT_EQ(members.bytes()[c.mask], 4);
  }
}

// A member of 8 bytes is aligned to 8 in all three.
TEST(GuestStruct, AlignsWideMembers) {
  for (const GuestTypes& types : {o32, n32, n64}) {
    GuestStruct members(in_order(types, Endian::big));
    members.byte(1).wide(2).half(3).word(4);
    EXPECT_EQ(members.bytes(), (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                          0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 4}));
  }
}

// sigset_t is an array of longs, the first with signal 1 as its lowest bit: the same bytes in
// little-endian programs only.
TEST(GuestStruct, OrdersSignalSetsByLongs) {
  SignalSet set;
  set.set(33 - 1);
  const auto offset_of = [&](GuestTypes types, Endian endian) {
    GuestStruct members(in_order(types, endian));
    members.signal_longs(set, signals);
    EXPECT_EQ(members.bytes().size(), 16U);
    return std::ranges::find(members.bytes(), 1) - members.bytes().begin();
  };
  EXPECT_EQ(offset_of(o32, Endian::big), 7);
  EXPECT_EQ(offset_of(n32, Endian::big), 7);
  EXPECT_EQ(offset_of(n64, Endian::big), 3);
  EXPECT_EQ(offset_of(o32, Endian::little), 4);
  EXPECT_EQ(offset_of(n64, Endian::little), 4);
}

// struct timeval where a time_t is an int and a long has 64 bits (NetBSD, sys/compat/irix/
// irix_types.h): the long is aligned.
TEST(GuestStruct, AlignsALongBehindATime) {
  GuestTypes types = n64;
  types.times_are_int = true;
  GuestStruct members(types);
  members.time(1).word_long(2);
  EXPECT_EQ(members.bytes(),
            (std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}));
  const auto memory = memory_with(GuestStruct(types).time(~std::uint64_t{0}), Endian::big);
  EXPECT_EQ(GuestReader(types, *memory, place).time(), -1);
}

TEST(GuestStruct, FillsTextUp) {
  GuestStruct members(o32);
  members.half(0x4142).text("abc", 5).text("defg", 2).align(4);
  const std::string bytes(members.bytes().begin(), members.bytes().end());
  EXPECT_EQ(bytes, std::string("ABabc\0\0de\0\0\0", 12));
}

TEST(GuestReader, ReadsWhatAStructHolds) {
  SignalSet set;
  set.set(0).set(63).set(64).set(127);
  for (const Endian endian : {Endian::big, Endian::little}) {
    for (const GuestTypes& types : {o32, n32, n64}) {
      GuestStruct members(in_order(types, endian));
      members.word(7).word_long(~std::uint64_t{4}).wide(0x123456789a).signal_longs(set, signals);
      const auto memory = memory_with(members, endian);
      GuestReader reader(in_order(types, endian), *memory, place);
      EXPECT_EQ(reader.word(), 7U);
      EXPECT_EQ(reader.signed_long(), -5);
      EXPECT_EQ(reader.wide(), 0x123456789aU);
      EXPECT_EQ(reader.signal_longs(signals), set);
      EXPECT_TRUE(reader.ok());
    }
  }
}

TEST(GuestReader, SaysWhatCannotBeRead) {
  GuestStruct members(in_order(o32, Endian::big));
  members.word(1);
  const auto memory = memory_with(members, Endian::big);
  GuestReader reader(o32, *memory, place + (page_size - 4));
  EXPECT_EQ(reader.word(), 0U);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.word(), 0U);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace hardclock::posix
