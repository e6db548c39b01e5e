// A guest may have prepared the folder that hardclock's own output goes to.
#include "cli/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/unit/cli/temporary_file.h"

namespace hardclock {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;

// In a working directory of its own: what is below it may be a guest's.
class Output : public ::testing::Test {
 protected:
  Output() : before_(fs::current_path()) {
    fs::create_directories(here_.at("work"));
    fs::create_directories(here_.at("outside"));
    fs::current_path(here_.at("work"));
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~Output() override { fs::current_path(before_); }

  static void put(const std::string& path, const std::string& content) {
    std::ofstream(path) << content;
  }
  static std::string content_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static ::mode_t mode_of(const std::string& path) {
    struct ::stat status = {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777;
  }
  static std::set<std::string> names() {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(".")) all.insert(entry.path().filename());
    return all;
  }
  // Writes as statistics are written; "" or the error.
  static std::string replace(const std::string& path, const std::string& content) {
    auto file = OutputFile::find(path);
    if (!file) return file.error();
    if (auto prepared = file->prepare(); !prepared) return prepared.error();
    const auto written = file->replace(content);
    return written ? "" : written.error();
  }
  // Writes as logs are written.
  static std::string log(const std::string& path, const std::string& content) {
    auto file = OutputFile::find(path);
    if (!file) return file.error();
    auto stream = file->begin();
    if (!stream) return stream.error();
    **stream << content;
    const int error = (*stream)->finish();
    return error == 0 ? "" : file->write_error(error);
  }
  static std::string error_of(const std::string& path) {
    const auto file = OutputFile::find(path);
    return file ? "" : file.error();
  }
  std::string outside(const std::string& name) const { return here_.at("outside/" + name); }

 private:
  TemporaryDirectory here_;
  fs::path before_;
};

TEST_F(Output, IsWrittenWhole) {
  EXPECT_EQ(replace("s", "first"), "");
  EXPECT_EQ(content_of("s"), "first");
  EXPECT_EQ(replace("s", std::string(100'000, 'x')), "");
  EXPECT_EQ(content_of("s"), std::string(100'000, 'x'));
  EXPECT_EQ(log("l", "a line\n"), "");
  EXPECT_EQ(content_of("l"), "a line\n");
  EXPECT_EQ(names(), (std::set<std::string>{"l", "s"}));
}

TEST_F(Output, LinksAreReplaced) {
  put(outside("file"), "the user's");
  for (const char* name : {"s", "l"}) fs::create_symlink(outside("file"), name);
  fs::create_symlink(outside("new"), "dangling");
  EXPECT_EQ(replace("s", "statistics"), "");
  EXPECT_EQ(log("l", "log"), "");
  EXPECT_EQ(replace("dangling", "more"), "");
  EXPECT_EQ(content_of(outside("file")), "the user's");
  EXPECT_FALSE(fs::exists(outside("new")));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status("s")));
  EXPECT_EQ(content_of("l"), "log");
  EXPECT_EQ(content_of("dangling"), "more");
}

TEST_F(Output, LinkedFoldersDoNotLeadOutOfTheWorkingDirectory) {
  fs::create_directories("folder");
  fs::create_symlink(fs::path(outside("")), "out");
  fs::create_symlink("folder", "in");
  const std::string absolute = fs::current_path() / "out/s";
  for (const std::string& path : {std::string("out/s"), absolute}) {
    EXPECT_THAT(error_of(path), HasSubstr("a link out of the working directory")) << path;
  }
  EXPECT_EQ(replace("in/s", "text"), "");
  EXPECT_EQ(content_of("folder/s"), "text");
  // Whoever names a place elsewhere means it.
  EXPECT_EQ(replace("../outside/s", "text"), "");
  EXPECT_EQ(replace(outside("t"), "text"), "");
  EXPECT_EQ(content_of(outside("t")), "text");
}

// A link that comes while the guest runs.
TEST_F(Output, FolderIsTheOneThatWasThereAtFirst) {
  fs::create_directory("folder");
  auto file = OutputFile::find("folder/s");
  ASSERT_TRUE(file.ok());
  fs::rename("folder", "moved");
  fs::create_symlink(fs::path(outside("")), "folder");
  EXPECT_TRUE(file->replace("text").ok());
  EXPECT_EQ(content_of("moved/s"), "text");
  EXPECT_FALSE(fs::exists(outside("s")));
}

TEST_F(Output, HasTheModeOfTheOldFileOrTheUmasks) {
  const ::mode_t umask = ::umask(027);
  replace("new", "");
  EXPECT_EQ(mode_of("new"), 0640U);
  put("old", "");
  ASSERT_EQ(::chmod("old", 0604), 0);
  replace("old", "");
  EXPECT_EQ(mode_of("old"), 0604U);
  log("old", "");
  EXPECT_EQ(mode_of("old"), 0604U);
  ::umask(umask);
}

TEST_F(Output, GoesToDevicesAndPipes) {
  EXPECT_EQ(replace("/dev/null", "text"), "");
  EXPECT_EQ(log("/dev/null", "text"), "");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string number = std::to_string(ends[1]);
  EXPECT_EQ(replace("/dev/fd/" + number, "one "), "");
  EXPECT_EQ(log("/proc/self/fd/" + number, "two"), "");
  char text[7];
  ASSERT_EQ(::read(ends[0], text, sizeof text), 7);
  EXPECT_EQ(std::string(text, 7), "one two");
  EXPECT_THAT(replace("/dev/fd/" + std::to_string(ends[0]), "x"), HasSubstr("Bad file descriptor"));
  ::close(ends[0]);
  EXPECT_THAT(log("/dev/fd/" + number, "x"), HasSubstr("writing failed: Broken pipe"));
  ::close(ends[1]);
}

// The shell has opened it: /dev/fd/N goes on where that stands.
TEST_F(Output, GoesOnInDescriptorsOfTheUsers) {
  put("log", "before ");
  const int descriptor = ::open("log", O_WRONLY | O_APPEND);
  EXPECT_EQ(replace("/dev/fd/" + std::to_string(descriptor), "after"), "");
  EXPECT_EQ(content_of("log"), "before after");
  ::close(descriptor);
}

TEST_F(Output, FifoIsWrittenTo) {
  ASSERT_EQ(::mkfifo("fifo", 0600), 0);
  const int reader = ::open("fifo", O_RDWR);
  EXPECT_EQ(log("fifo", "text"), "");
  char text[4];
  EXPECT_EQ(::read(reader, text, sizeof text), 4);
  ::close(reader);
  EXPECT_EQ(names(), std::set<std::string>{"fifo"});
}

TEST_F(Output, FailureLeavesTheOldFile) {
  put("s", "old");
  const struct ::rlimit small = {.rlim_cur = 10, .rlim_max = RLIM_INFINITY};
  const struct ::rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string error = replace("s", std::string(20'000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  EXPECT_THAT(error, HasSubstr("s: writing failed: File too large; "));
  EXPECT_EQ(content_of("s"), "old");
  EXPECT_EQ(names(), std::set<std::string>{"s"});
  // A folder took the name in the meantime.
  auto file = OutputFile::find("t");
  ASSERT_TRUE(file.ok());
  fs::create_directory("t");
  EXPECT_FALSE(file->replace("text").ok());
  EXPECT_EQ(names(), (std::set<std::string>{"s", "t"}));
}

TEST_F(Output, ErrorsAreOneLine) {
  fs::create_directory("folder");
  put("file", "");
  EXPECT_EQ(error_of("."), ".: Is a directory; name another file");
  EXPECT_EQ(error_of("folder"), "folder: Is a directory; name another file");
  EXPECT_EQ(error_of("folder/"), "folder/: Is a directory; name another file");
  EXPECT_EQ(error_of("nowhere/s"), "nowhere/s: No such file or directory; name another file");
  EXPECT_EQ(error_of("file/s"), "file/s: Not a directory; name another file");
  EXPECT_EQ(replace("/dev/full", "x"),
            "/dev/full: writing failed: No space left on device; make room or name another file");
}

TEST_F(Output, WhatMayNotBeWrittenIsNotReplaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  put("file", "old");
  ASSERT_EQ(::chmod("file", 0444), 0);
  EXPECT_EQ(error_of("file"), "file: Permission denied; name another file");
  // A file in a folder that is not the user's is written in its place.
  fs::create_directory("folder");
  put("folder/s", "old content");
  ASSERT_EQ(::chmod("folder", 0555), 0);
  EXPECT_EQ(replace("folder/s", "new"), "");
  EXPECT_EQ(content_of("folder/s"), "new");
  EXPECT_THAT(replace("folder/t", "new"), HasSubstr("Permission denied"));
  ASSERT_EQ(::chmod("folder", 0755), 0);
}

TEST_F(Output, SameFilesAreKnownByWhatTheyAre) {
  fs::create_directory("folder");
  fs::create_symlink("folder", "link");
  put("file", "");
  fs::create_hard_link("file", "hard");
  fs::create_symlink("file", "soft");
  const auto same = [](const std::string& a, const std::string& b) {
    return OutputFile::find(a)->is_same(*OutputFile::find(b));
  };
  EXPECT_TRUE(same("s", "./s"));
  EXPECT_TRUE(same("s", fs::current_path() / "s"));
  EXPECT_TRUE(same("folder/s", "link/s"));
  EXPECT_TRUE(same("file", "hard"));
  EXPECT_FALSE(same("file", "soft")) << "the link is replaced";
  EXPECT_FALSE(same("s", "folder/s"));
  EXPECT_FALSE(same("s", "t"));
  EXPECT_FALSE(same("/dev/null", "/dev/null"));
  struct ::stat status;
  ASSERT_EQ(::stat("file", &status), 0);
  EXPECT_TRUE(OutputFile::find("hard")->is_file(status.st_dev, status.st_ino));
  EXPECT_FALSE(OutputFile::find("s")->is_file(status.st_dev, status.st_ino));
}

}  // namespace
}  // namespace hardclock
