// Layouts of structures, against the offsets that gcc 12.2 has for the same structures in the
// headers of Debian's linux-libc-dev (offsetof() with -mabi=32, -mabi=n32 and -mabi=64).
#include "syscalls/linux/record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace hardclock::gnu_linux {
namespace {

constexpr TypeSizes o32{4, 128}, n32 = o32, n64{8, 128};

constexpr GuestAddr place{0x10000};

std::unique_ptr<AddressSpace> memory_with(const Record& record, Endian endian) {
  auto memory = std::make_unique<AddressSpace>(
      std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), endian, GuestAddr(0x80000000));
  EXPECT_TRUE(memory->map(place, page_size, Permissions{.read = true, .write = true}, "test").ok());
  EXPECT_TRUE(memory->write_bytes(place, record.bytes()).ok());
  return memory;
}

// struct sigaction of the kernel: sa_flags at 0; sa_handler at 4, 4, 8; sa_mask at 8, 8, 16; 24, 24
// and 32 bytes.
TEST(Record, LaysOutSigaction) {
  struct Case {
    TypeSizes sizes;
    std::uint64_t handler, mask, size;
  };
  for (const Case& c : {Case{o32, 4, 8, 24}, Case{n32, 4, 8, 24}, Case{n64, 8, 16, 32}}) {
    Record record(c.sizes, Endian::little);
    record.word(1).word_long(2).signal_set(SignalSet(4));
    EXPECT_EQ(record.bytes().size(), c.size);
    EXPECT_EQ(record.bytes()[0], 1);
    EXPECT_EQ(record.bytes()[c.handler], 2);
    EXPECT_EQ(record.bytes()[c.mask], 4);
  }
}

// A member of 8 bytes is aligned to 8 in all three.
TEST(Record, AlignsWideMembers) {
  for (const TypeSizes& sizes : {o32, n32, n64}) {
    Record record(sizes, Endian::big);
    record.byte(1).wide(2).half(3).word(4);
    EXPECT_EQ(record.bytes(), (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                         0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 4}));
  }
}

// sigset_t is an array of longs, the first with signal 1 as its lowest bit: the same bytes in
// little-endian programs only.
TEST(Record, OrdersSignalSetsByLongs) {
  SignalSet set;
  set.set(33 - 1);
  const auto offset_of = [&](TypeSizes sizes, Endian endian) {
    Record record(sizes, endian);
    record.signal_set(set);
    EXPECT_EQ(record.bytes().size(), 16U);
    return std::ranges::find(record.bytes(), 1) - record.bytes().begin();
  };
  EXPECT_EQ(offset_of(o32, Endian::big), 7);
  EXPECT_EQ(offset_of(n32, Endian::big), 7);
  EXPECT_EQ(offset_of(n64, Endian::big), 3);
  EXPECT_EQ(offset_of(o32, Endian::little), 4);
  EXPECT_EQ(offset_of(n64, Endian::little), 4);
}

TEST(RecordReader, ReadsWhatARecordHolds) {
  SignalSet set;
  set.set(0).set(63).set(64).set(127);
  for (const Endian endian : {Endian::big, Endian::little}) {
    for (const TypeSizes& sizes : {o32, n32, n64}) {
      Record record(sizes, endian);
      record.word(7).word_long(~std::uint64_t{4}).wide(0x123456789a).signal_set(set);
      const auto memory = memory_with(record, endian);
      RecordReader reader(sizes, *memory, place);
      EXPECT_EQ(reader.word(), 7U);
      EXPECT_EQ(reader.signed_long(), -5);
      EXPECT_EQ(reader.wide(), 0x123456789aU);
      EXPECT_EQ(reader.signal_set(), set);
      EXPECT_TRUE(reader.ok());
    }
  }
}

TEST(RecordReader, SaysWhatCannotBeRead) {
  Record record(o32, Endian::big);
  record.word(1);
  const auto memory = memory_with(record, Endian::big);
  RecordReader reader(o32, *memory, place + (page_size - 4));
  EXPECT_EQ(reader.word(), 0U);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.word(), 0U);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace hardclock::gnu_linux
