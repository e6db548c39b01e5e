#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cli/answer.h"
#include "cli/files.h"
#include "tests/unit/cli/temporary_file.h"

namespace hardclock {
namespace {

using hardclock::testing::TemporaryFile;

std::string content_of(const std::string& path, std::uint64_t most = std::uint64_t{256} << 20) {
  const auto bytes = read_file(path, most);
  if (!bytes) return "error: " + bytes.error().message;
  return {bytes->begin(), bytes->end()};
}

TEST(ReadFile, ReadsAll) {
  const std::string large(1'000'000, 'x');
  EXPECT_EQ(content_of(TemporaryFile("").path()), "");
  EXPECT_EQ(content_of(TemporaryFile("abc\n").path()), "abc\n");
  EXPECT_EQ(content_of(TemporaryFile(large).path()), large);
}

TEST(ReadFile, ReadsWhatSaysItIsEmpty) {
  EXPECT_NE(content_of("/proc/self/status").find("Name:"), std::string::npos);
}

TEST(ReadFile, ReadsAPipe) {
  const TemporaryFile file("");
  const std::string pipe = file.path() + ".pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string sent(100'000, 'y');
  std::thread writer([&] {
    const int descriptor = ::open(pipe.c_str(), O_WRONLY);
    for (std::size_t at = 0; at < sent.size();) {
      const ssize_t count = ::write(descriptor, sent.data() + at, sent.size() - at);
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
    ::close(descriptor);
  });
  EXPECT_EQ(content_of(pipe), sent);
  writer.join();
  ::unlink(pipe.c_str());
}

// The middle part of each message is strerror's, POSIX.1-2017 <errno.h>.
TEST(ReadFile, ErrorsAreOneLine) {
  const TemporaryFile file("12345");
  EXPECT_EQ(content_of("/nonexistent/x"),
            "error: /nonexistent/x: No such file or directory; check the name");
  EXPECT_EQ(content_of(file.path() + "/x"),
            "error: " + file.path() + "/x: Not a directory; check the name");
  EXPECT_EQ(content_of("a\nb"), "error: a\\x0ab: No such file or directory; check the name");
  EXPECT_EQ(content_of("/"), "error: /: is a directory; name a file");
  EXPECT_EQ(content_of("/dev/zero"), "error: /dev/zero: is not a regular file; name a file");
  EXPECT_EQ(content_of(""), "error: : No such file or directory; check the name");
  if (::geteuid() != 0) {  // root may read everything
    ASSERT_EQ(::chmod(file.path().c_str(), 0), 0);
    EXPECT_EQ(content_of(file.path()),
              "error: " + file.path() + ": Permission denied; check its permissions");
  }
}

TEST(ReadFile, IsBounded) {
  const TemporaryFile file("12345");
  EXPECT_EQ(content_of(file.path(), 5), "12345");
  EXPECT_EQ(content_of(file.path(), 4),
            "error: " + file.path() + ": larger than 4 bytes; is that the right file?");
  // Grows while it is read: /proc files have size 0.
  EXPECT_EQ(content_of("/proc/self/status", 10),
            "error: /proc/self/status: larger than 10 bytes; is that the right file?");
}

TEST(ReadFile, RefusesHugeFilesBeforeReading) {
  const TemporaryFile file("");
  ASSERT_EQ(::truncate(file.path().c_str(), (off_t{256} << 20) + 1), 0);
  EXPECT_EQ(content_of(file.path()),
            "error: " + file.path() + ": larger than 256 MiB; is that the right file?");
}

// Standard output as `descriptor` for the life of the object.
class RedirectedOutput {
 public:
  explicit RedirectedOutput(int descriptor) : saved_(::dup(STDOUT_FILENO)) {
    if (descriptor >= 0) {
      ::dup2(descriptor, STDOUT_FILENO);
      ::close(descriptor);
    } else {
      ::close(STDOUT_FILENO);
    }
  }
  RedirectedOutput(const RedirectedOutput&) = delete;
  RedirectedOutput& operator=(const RedirectedOutput&) = delete;
  ~RedirectedOutput() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

// Answers `text` into `descriptor`; the exit status and what standard error said.
std::string answer_into(int descriptor, const std::string& text, int* status) {
  ::testing::internal::CaptureStderr();
  {
    const RedirectedOutput redirected(descriptor);
    *status = answer(text);
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(Answer, GoesToStandardOutput) {
  const std::string text(200'000, 'z');
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(answer(text), 0);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), text);
}

// 125 and one line: the manual page, "EXIT STATUS". The reasons are strerror's for EBADF and
// ENOSPC, which write(2) gives for these two outputs.
TEST(Answer, FailureIsTold) {
  std::signal(SIGPIPE, SIG_IGN);
  int status = 0;
  EXPECT_EQ(answer_into(-1, "text", &status),
            "hardclock: standard output: Bad file descriptor; the answer is incomplete\n");
  EXPECT_EQ(status, 125);
  EXPECT_EQ(answer_into(::open("/dev/full", O_WRONLY), "text", &status),
            "hardclock: standard output: No space left on device; the answer is incomplete\n");
  EXPECT_EQ(status, 125);
}

// As 'yes | head -1' does: 141 and no word.
TEST(Answer, ReaderMayLeave) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(answer_into(ends[1], std::string(100'000, 'x'), &status), "");
  EXPECT_EQ(status, 141);
}

TEST(Answer, ProducerMayStopAfterAFailure) {
  std::signal(SIGPIPE, SIG_IGN);
  ::testing::internal::CaptureStderr();
  {
    const RedirectedOutput redirected(-1);
    Answer lines;
    unsigned written = 0;
    while (written < 1'000'000 && lines.write("a line\n")) ++written;
    EXPECT_LT(written, 100'000U);
    EXPECT_EQ(lines.finish(), 125);
  }
  ::testing::internal::GetCapturedStderr();
}

TEST(Complain, IsALine) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(complain("x: wrong; mend it"), 125);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "hardclock: x: wrong; mend it\n");
}

}  // namespace
}  // namespace hardclock
