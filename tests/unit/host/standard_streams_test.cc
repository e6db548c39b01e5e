#include "syscalls/host/standard_streams.h"
#include "tests/unit/host/in_child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

Result<StandardStreams, std::string> open_streams() {
  return open_standard_streams(std::make_shared<FileRecords>(), std::make_shared<HostUse>());
}

HostFile& stream(Result<StandardStreams, std::string>& streams, std::size_t number) {
  return std::get<HostFile>(*(*streams)[number]);
}

TEST(StandardStreams, ClosingInTheGuestKeepsOursOpen) {
  EXPECT_EQ(in_child([] {
              auto streams = open_streams();
              if (!streams || !(*streams)[1] || !(*streams)[2]) return 1;
              for (auto& stream : *streams) stream.reset();
              return ::fcntl(1, F_GETFD) >= 0 && ::fcntl(2, F_GETFD) >= 0 ? 0 : 2;
            }),
            0);
}

TEST(StandardStreams, CarryBytesInTheirDirection) {
  int in[2];
  int out[2];
  ASSERT_EQ(::pipe(in), 0);
  ASSERT_EQ(::pipe(out), 0);
  ASSERT_EQ(::write(in[1], "typed\n", 6), 6);
  EXPECT_EQ(in_child([&] {
              ::dup2(in[0], 0);
              ::dup2(out[1], 1);
              auto streams = open_streams();
              std::uint8_t buffer[64];
              const auto size = stream(streams, 0).read(buffer);
              if (!size || *size != 6) return 1;
              if (stream(streams, 0).write(buffer).ok()) return 2;
              if (!stream(streams, 1).write(std::span(buffer).first(5)).ok()) return 3;
              if (stream(streams, 1).read(buffer).ok()) return 4;
              return stream(streams, 1).is_terminal() ? 5 : 0;
            }),
            0);
  char back[8] = {};
  EXPECT_EQ(::read(out[0], back, sizeof back), 5);
  EXPECT_STREQ(back, "typed");
  for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
}

TEST(StandardStreams, AClosedPipeIsAnErrorAndNoSignal) {
  EXPECT_EQ(in_child([] {
              int ends[2];
              if (::pipe(ends) != 0) return 1;
              ::dup2(ends[1], 1);
              ::close(ends[1]);
              ::close(ends[0]);
              auto streams = open_streams();
              const auto written = stream(streams, 1).write(bytes_of("x"));
              return !written && written.error() == Error::broken_pipe ? 0 : 2;
            }),
            0);
}

TEST(StandardStreams, AClosedStreamIsAbsentAndItsNumberIsNeverReused) {
  EXPECT_EQ(in_child([] {
              ::close(0);
              ::close(2);
              auto streams = open_streams();
              if (!streams || (*streams)[0] || !(*streams)[1] || (*streams)[2]) return 1;
              return ::open("/dev/null", O_RDONLY) > 2 ? 0 : 2;
            }),
            0);
}

TEST(StandardStreams, ModeTimesAndFlagsOfARedirectedFileAreOutOfReach) {
  const TempTree tree;
  const std::string path = tree.file("out", "");
  EXPECT_EQ(in_child([&] {
              ::dup2(::open(path.c_str(), O_WRONLY), 1);
              auto streams = open_streams();
              auto& out = stream(streams, 1);
              if (out.change_mode(0).ok() || out.set_times(FileTime{}, FileTime{}).ok()) return 1;
              if (!out.set_append(true).ok()) return 2;
              return (::fcntl(1, F_GETFL) & O_APPEND) != 0 ? 3 : 0;
            }),
            0);
}

// prog >> history
TEST(StandardStreams, WhatAFileThatIsAppendedToHeldBeforeStays) {
  const TempTree tree;
  const std::string path = tree.file("out", "history\n");
  EXPECT_EQ(in_child([&] {
              ::dup2(::open(path.c_str(), O_WRONLY | O_APPEND), 1);
              auto streams = open_streams();
              HostFile& out = stream(streams, 1);
              const auto is_refused = [](const HostResult<Ok>& result) {
                return !result && result.error() == Error::not_permitted;
              };
              if (!is_refused(out.truncate(0)) || !is_refused(out.truncate(7))) return 1;
              if (!out.write(bytes_of("new text\n")).ok()) return 2;
              if (!out.truncate(12).ok() || !out.seek(0, Whence::set).ok()) return 3;
              return out.write(bytes_of("s\n")).ok() ? 0 : 4;
            }),
            0);
  EXPECT_EQ(tree.content("out"), "history\nnew s\n");
}

// (echo header; prog) > file
TEST(StandardStreams, WhatLiesInFrontOfTheStartStays) {
  const TempTree tree;
  const std::string path = tree.file("out", "");
  EXPECT_EQ(in_child([&] {
              ::dup2(::open(path.c_str(), O_WRONLY), 1);
              if (::write(1, "header\n", 7) != 7) return 1;
              auto streams = open_streams();
              HostFile& out = stream(streams, 1);
              if (!out.write(bytes_of("text")).ok() || !out.seek(3, Whence::set).ok()) return 2;
              if (out.write(bytes_of("x")).ok() || out.pwrite(bytes_of("x"), 6).ok()) return 3;
              if (out.truncate(6).ok() || !out.truncate(7).ok()) return 4;
              return out.pwrite(bytes_of("Text"), 7).ok() ? 0 : 5;
            }),
            0);
  EXPECT_EQ(tree.content("out"), "header\nText");
}

}  // namespace
}  // namespace hardclock::host
