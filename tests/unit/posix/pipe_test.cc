// Pipes by the rules of POSIX.1 read() and write() on "a pipe or FIFO".
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "syscalls/posix/open_file.h"

namespace hardclock::posix {
namespace {

using Bytes = std::vector<std::uint8_t>;

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
  EXPECT_FALSE(pipe.reader->readable());
  pipe.writer.reset();
  EXPECT_TRUE(pipe.reader->readable());
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
  EXPECT_EQ(moved(pipe.writer->write(Bytes(Pipe::capacity - 10))), Pipe::capacity - 10);
  EXPECT_TRUE(waits(pipe.writer->write(Bytes(11))));
  EXPECT_FALSE(pipe.writer->writable(11));
  EXPECT_TRUE(pipe.writer->writable(10));
  EXPECT_EQ(moved(pipe.writer->write(Bytes(10))), 10u);
}

TEST(Pipe, ALongWriteGoesInPieces) {
  PipeEnds pipe = make_pipe();
  EXPECT_EQ(moved(pipe.writer->write(Bytes(Pipe::capacity + 1))), Pipe::capacity);
  EXPECT_FALSE(pipe.writer->writable(Pipe::capacity + 1));
  Bytes buffer(1);
  EXPECT_EQ(moved(pipe.reader->read(buffer)), 1u);
  EXPECT_TRUE(pipe.writer->writable(Pipe::capacity + 1));
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
