// The rule of times in file_records.h: the guest's clock for what the guest does, the run's start
// as the latest for what it finds, and the host's own times on the host.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sim/state/digest.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/host/standard_streams.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

// date -u -d @820454400: 1996-01-01
constexpr FileTime start{820454400, 0};
constexpr std::int64_t year_1994 = 757382400, year_2001 = 978307200;

class FileTimesTest : public ::testing::Test {
 protected:
  FileTimesTest() {
    tree_.directory("work");
    tree_.directory("root");
    tree_.directory("scratch");
    files_ = std::make_unique<GuestFiles>(
        open_space({.roots = {tree_.at("root")},
                    .working_directory = tree_.at("work"),
                    .scratch = OwnDirectory::at(tree_.at("scratch"))}));
    files_->records()->use_clock([this] { return clock_; });
  }

  GuestPath work(const std::string& name) const { return guest_path(tree_.at("work/" + name)); }
  // A file that is there before the run, last used and modified at these seconds.
  void put(const std::string& name, std::int64_t access, std::int64_t modification) {
    const std::string path = tree_.file(name, "text");
    const struct ::timespec times[2] = {{access, 5}, {modification, 7}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  FileTimes times(const GuestPath& path) {
    const auto status = files_->status(path, Follow::no);
    EXPECT_TRUE(status.ok()) << outcome(status);
    return status->times;
  }
  std::int64_t host_modification(const std::string& name) {
    struct ::stat status;
    EXPECT_EQ(::stat(tree_.at(name).c_str(), &status), 0);
    return status.st_mtim.tv_sec;
  }

  TempTree tree_;
  std::unique_ptr<GuestFiles> files_;
  FileTime clock_ = {start.seconds + 10, 3000};
};

void expect_all(const FileTimes& times, const FileTime& time) {
  EXPECT_EQ(times.access, time);
  EXPECT_EQ(times.modification, time);
  EXPECT_EQ(times.change, time);
}

TEST_F(FileTimesTest, WhatWasThereIsNotNewerThanTheStart) {
  put("work/old", year_2001, year_1994);
  put("work/new", year_1994, year_2001);
  put("root/new", year_2001, year_2001);
  expect_all(times(work("old")), {year_1994, 7});
  expect_all(times(work("new")), start);
  expect_all(times(guest_path("/new")), start);
}

TEST_F(FileTimesTest, ALaterStartShowsTheFilesOwnTimes) {
  put("work/new", year_1994, year_2001);
  GuestFiles later =
      open_space({.working_directory = tree_.at("work"), .start = {.seconds = 2'000'000'000}});
  expect_all(later.status(work("new"), Follow::no)->times, {year_2001, 7});
}

TEST_F(FileTimesTest, TheGuestsFilesHaveItsTimeAndTheHostsOnTheHost) {
  const std::int64_t before = ::time(nullptr);
  auto file = open_host_file(*files_, work("f"), {.write = true, .create = true});
  ASSERT_TRUE(file.ok());
  expect_all(times(work("f")), clock_);
  const FileTime created = clock_;
  clock_ = {start.seconds + 20, 0};
  EXPECT_TRUE(file->write(bytes_of("text")).ok());
  EXPECT_EQ(times(work("f")).access, created);
  EXPECT_EQ(times(work("f")).modification, clock_);
  EXPECT_EQ(file->status()->times.change, clock_);
  EXPECT_GE(host_modification("work/f"), before);
}

TEST_F(FileTimesTest, AFileThatWasThereBecomesTheGuests) {
  put("work/f", year_1994, year_1994);
  auto file = open_host_file(*files_, work("f"), {.read = true, .write = true});
  ASSERT_TRUE(file.ok());
  std::uint8_t buffer[4];
  EXPECT_TRUE(file->read(buffer).ok());
  EXPECT_EQ(times(work("f")).access, clock_);
  EXPECT_EQ(times(work("f")).modification, (FileTime{year_1994, 7}));
  EXPECT_TRUE(file->truncate(0).ok());
  EXPECT_EQ(times(work("f")).modification, clock_);
}

// A root is read-only, as a file system that keeps no times of access.
TEST_F(FileTimesTest, ReadingInARootLeavesNoTrace) {
  put("root/f", year_1994, year_1994);
  EXPECT_EQ(read_all(*files_, "/f"), "text");
  expect_all(times(guest_path("/f")), {year_1994, 7});
}

TEST_F(FileTimesTest, SetTimesReachTheHost) {
  put("work/f", year_1994, year_1994);
  EXPECT_TRUE(files_->set_times(work("f"), FileTime{1, 2}, FileTime{3, 4}, Follow::yes).ok());
  EXPECT_EQ(times(work("f")).access, (FileTime{1, 2}));
  EXPECT_EQ(times(work("f")).modification, (FileTime{3, 4}));
  EXPECT_EQ(times(work("f")).change, clock_);
  EXPECT_EQ(host_modification("work/f"), 3);
  const std::int64_t before = ::time(nullptr);
  EXPECT_TRUE(
      files_->set_times(work("f"), TimeChange::keep(), TimeChange::now(), Follow::yes).ok());
  EXPECT_EQ(times(work("f")).access, (FileTime{1, 2}));
  EXPECT_EQ(times(work("f")).modification, clock_);
  EXPECT_GE(host_modification("work/f"), before);
}

TEST_F(FileTimesTest, ADeletedFilesTimesAreNotTheNextOnes) {
  for (int i = 0; i < 3; ++i) {
    clock_.seconds += 1;
    ASSERT_TRUE(files_->open(work("f"), {.write = true, .create = true}).ok());
    expect_all(times(work("f")), clock_);
    EXPECT_TRUE(files_->remove_file(work("f")).ok());
  }
}

TEST_F(FileTimesTest, WhatHardclockMakesIsAsOldAsTheRun) {
  GuestFiles late = open_space({.working_directory = tree_.at("work"),
                                .scratch = OwnDirectory::at(tree_.at("scratch")),
                                .start = {.seconds = 4'000'000'000}});
  for (const char* path : {"/tmp", "/var/tmp", "/usr/tmp", "/dev/null", "/dev"}) {
    expect_all(late.status(guest_path(path), Follow::yes)->times, {4'000'000'000, 0});
  }
}

// Whatever the shell did with the file that is our standard output before we started.
TEST_F(FileTimesTest, StandardOutputIsMadeForTheRun) {
  const int copy = ::dup(1);
  const std::string path = tree_.file("work/out", "");
  ASSERT_EQ(::dup2(::open(path.c_str(), O_WRONLY), 1), 1);
  GuestFiles late =
      open_space({.working_directory = tree_.at("work"), .start = {.seconds = 4'000'000'000}});
  auto streams = open_standard_streams(late.records(), late.use());
  ::dup2(copy, 1);
  ASSERT_TRUE(streams.ok());
  expect_all(late.status(work("out"), Follow::yes)->times, {4'000'000'000, 0});
  late.records()->use_clock([] { return FileTime{4'000'000'005, 0}; });
  EXPECT_TRUE(std::get<HostFile>(*(*streams)[1]).write(bytes_of("text")).ok());
  EXPECT_EQ(late.status(work("out"), Follow::yes)->times.modification.seconds, 4'000'000'005);
}

// Two runs that have seen the same have the same state, wherever their files are.
TEST_F(FileTimesTest, WhatGuestsHaveSeenIsState) {
  put("work/a", year_1994, year_1994);
  put("work/b", year_1994, year_1994);
  const auto seen = [&](const std::string& first, const std::string& second) {
    GuestFiles files = open_space({.working_directory = tree_.at("work")});
    files.records()->use_clock([this] { return clock_; });
    (void)files.status(work(first), Follow::no);
    const StateDigest one = digest_of(*files.records());
    (void)files.status(work(second), Follow::no);
    EXPECT_NE(digest_of(*files.records()), one) << "a number has been given";
    return digest_of(*files.records());
  };
  EXPECT_EQ(seen("a", "b"), seen("b", "a"));
  times(work("a"));
  const StateDigest before = digest_of(*files_->records());
  ASSERT_TRUE(files_->set_times(work("a"), FileTime{1, 2}, FileTime{3, 4}, Follow::no).ok());
  const StateDigest dense = digest_of(*files_->records());
  EXPECT_NE(dense, before);
  struct ::stat status;
  ASSERT_EQ(::stat(tree_.at("work/a").c_str(), &status), 0);
  files_->records()->resized_blocks(identity_of(status), 4, 100'000);
  EXPECT_NE(digest_of(*files_->records()), dense) << "a hole, which lseek(2) and st_blocks tell";
}

}  // namespace
}  // namespace hardclock::host
