// Pipes by the rules of POSIX.1 read() and write() on "a pipe or FIFO".
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "syscalls/posix/files/pipe.h"

namespace hardclock::posix {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t capacity = PipeSizes{}.capacity;

std::size_t moved(const Transfer& transfer) {
  return transfer.value().value();
}
bool waits(const Transfer& transfer) {
  return !transfer.value().has_value();
}

TEST(Pipe, DeliversBytesInOrder) {
  PipeEnds pipe = make_pipe();
  Bytes sent(300);
  std::iota(sent.begin(), sent.end(), std::uint8_t{0});
  EXPECT_EQ(moved(pipe.writer->write(sent)), 300u);
  Bytes first(100), rest(1000);
  EXPECT_EQ(moved(pipe.reader->read(first)), 100u);
  EXPECT_EQ(moved(pipe.reader->read(rest)), 200u);
  rest.resize(200);
  first.insert(first.end(), rest.begin(), rest.end());
  EXPECT_EQ(first, sent);
}

TEST(Pipe, ReaderWaitsForBytesAndSeesTheEndWhenNoWriterIsLeft) {
  PipeEnds pipe = make_pipe();
  Bytes buffer(4);
  EXPECT_TRUE(waits(pipe.reader->read(buffer)));
  EXPECT_FALSE(pipe.reader->readable(nullptr));
  pipe.writer.reset();
  EXPECT_TRUE(pipe.reader->readable(nullptr));
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 0u);
}

TEST(Pipe, BytesOutliveTheWriter) {
  PipeEnds pipe = make_pipe();
  ASSERT_TRUE(pipe.writer->write(Bytes(3)).ok());
  pipe.writer.reset();
  Bytes buffer(8);
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 3u);
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 0u);
}

TEST(Pipe, WritingWithoutAReaderIsABrokenPipe) {
  PipeEnds pipe = make_pipe();
  pipe.reader.reset();
  EXPECT_TRUE(pipe.writer->writable(1));
  EXPECT_EQ(pipe.writer->write(Bytes(1)).error(), host::Error::broken_pipe);
}

// "Write requests of {PIPE_BUF} bytes or less shall not be interleaved": all of it or a wait.
TEST(Pipe, AShortWriteWaitsUntilAllOfItFits) {
  PipeEnds pipe = make_pipe();
  EXPECT_EQ(moved(pipe.writer->write(Bytes(capacity - 10))), capacity - 10);
  EXPECT_TRUE(waits(pipe.writer->write(Bytes(11))));
  EXPECT_FALSE(pipe.writer->writable(11));
  EXPECT_TRUE(pipe.writer->writable(10));
  EXPECT_EQ(moved(pipe.writer->write(Bytes(10))), 10u);
}

TEST(Pipe, ALongWriteGoesInPieces) {
  PipeEnds pipe = make_pipe();
  EXPECT_EQ(moved(pipe.writer->write(Bytes(capacity + 1))), capacity);
  EXPECT_FALSE(pipe.writer->writable(capacity + 1));
  Bytes buffer(1);
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 1u);
  EXPECT_TRUE(pipe.writer->writable(capacity + 1));
}

constexpr PipeSizes of_pages = {.capacity = 4 * 4096, .atomic = 4096, .page = 4096};

// pipe(7): more than PIPE_BUF bytes can be buffered, and those of a long write may be interleaved.
TEST(Pipe, AShortWriteWaitsThoughALongerOneWouldNot) {
  PipeEnds pipe = make_pipe({.capacity = 10000, .atomic = 100});
  EXPECT_EQ(moved(pipe.writer->write(Bytes(9950))), 9950u);
  EXPECT_TRUE(waits(pipe.writer->write(Bytes(100))));
  EXPECT_EQ(moved(pipe.writer->write(Bytes(101))), 50u);
}

// What Linux 6 does, as tests/linux/pipes.c shows on the host: of 3000 bytes a page takes one
// write.
TEST(Pipe, OfPagesIsFullWithFewerBytes) {
  PipeEnds pipe = make_pipe(of_pages);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(moved(pipe.writer->write(Bytes(3000))), 3000u);
  EXPECT_TRUE(waits(pipe.writer->write(Bytes(3000))));
  EXPECT_FALSE(pipe.writer->takes_more());
  EXPECT_EQ(moved(pipe.writer->write(Bytes(1000))), 1000u);
  Bytes buffer(2999);
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 2999u);
  EXPECT_FALSE(pipe.writer->takes_more());
  buffer.resize(1);
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 1u);
  EXPECT_TRUE(pipe.writer->takes_more());
  EXPECT_EQ(moved(pipe.writer->write(Bytes(5000))), 4096u);
}

TEST(Pipe, GrowsAndShrinksDownToWhatItHolds) {
  PipeEnds ends = make_pipe(of_pages);
  Pipe& pipe = *std::dynamic_pointer_cast<PipeEnd>(ends.reader)->pipe();
  EXPECT_EQ(moved(ends.writer->write(Bytes(20000))), 16384u);
  EXPECT_FALSE(pipe.resize(2 * 4096));
  EXPECT_TRUE(pipe.resize(8 * 4096));
  EXPECT_EQ(moved(ends.writer->write(Bytes(20000))), 16384u);
  Bytes buffer(7 * 4096);
  EXPECT_EQ(moved(ends.reader->read(buffer)), buffer.size());
  EXPECT_TRUE(pipe.resize(4096));
  EXPECT_EQ(pipe.room(), 0u);
}

TEST(Pipe, ChargesItsCapacity) {
  const auto budget = std::make_shared<MemoryBudget>(0);  // and 8 MiB for tables
  PipeEnds ends = make_pipe({.capacity = 65536, .atomic = 4096, .page = 4096},
                            std::make_shared<host::FileRecords>(), budget);
  ASSERT_NE(ends.reader, nullptr);
  Pipe& pipe = *std::dynamic_pointer_cast<PipeEnd>(ends.reader)->pipe();
  EXPECT_FALSE(pipe.resize(8 << 20));
  EXPECT_EQ(pipe.capacity(), 65536u);
  EXPECT_EQ(make_pipe({8 << 20, 4096}, std::make_shared<host::FileRecords>(), budget).reader,
            nullptr);
}

TEST(Pipe, EachEndHasOneDirectionAndNoPosition) {
  PipeEnds pipe = make_pipe();
  Bytes buffer(1);
  EXPECT_EQ(pipe.reader->write(buffer).error(), host::Error::bad_descriptor);
  EXPECT_EQ(pipe.writer->read(buffer).error(), host::Error::bad_descriptor);
  EXPECT_EQ(pipe.reader->seek(0, host::Whence::set).error(), host::Error::not_seekable);
}

}  // namespace
}  // namespace hardclock::posix
