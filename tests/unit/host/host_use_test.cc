// What guests may use of the host: the count follows from what they do.
#include "syscalls/host/host_use.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "syscalls/host/descriptor_limit.h"
#include "syscalls/host/standard_streams.h"
#include "tests/unit/host/in_child.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

constexpr std::uint64_t name = HostUse::name_bytes;
constexpr std::uint64_t disk = 10 * name;

class HostUseTest : public ::testing::Test {
 protected:
  HostUseTest() {
    files_.use()->on_limit([this](HostUse::Limit limit) { told_.push_back(limit); });
  }

  GuestPath at(const std::string& file) const { return guest_path(file, tree_.path()); }
  HostResult<HostFile> open(const std::string& file, OpenOptions options) {
    return open_host_file(files_, at(file), options);
  }
  HostFile make(const std::string& file) {
    return open(file, {.read = true, .write = true, .create = true}).value();
  }
  // Of bytes, from the position on; how many were written.
  static std::uint64_t write(HostFile& file, std::uint64_t size) {
    const auto written = file.write(std::vector<std::uint8_t>(size));
    return written ? *written : 0;
  }
  std::uint64_t used() const { return files_.use()->disk_used(); }

  TempTree tree_;
  GuestFiles files_ =
      open_space({.working_directory = tree_.path(), .limits = {.disk = disk, .open_files = 3}});
  std::vector<HostUse::Limit> told_;
};

TEST_F(HostUseTest, CountsWhatFilesGrow) {
  tree_.file("old", "0123456789");
  HostFile old = open("old", {.write = true}).value();
  EXPECT_EQ(write(old, 8), 8U);
  EXPECT_EQ(used(), 0U);
  EXPECT_EQ(write(old, 8), 8U);
  EXPECT_EQ(used(), 6U);
  EXPECT_EQ(old.pwrite(bytes_of("abc"), 20).value(), 3U) << "a part of a block counts";
  EXPECT_EQ(used(), 13U);
  EXPECT_TRUE(old.truncate(100).ok());
  EXPECT_EQ(used(), 90U);
  EXPECT_TRUE(old.truncate(15).ok());
  EXPECT_EQ(used(), 5U);
  EXPECT_TRUE(files_.truncate(at("old"), 1).ok()) << "less than it had before";
  EXPECT_EQ(used(), 0U);
  HostFile appending = open("old", {.write = true, .append = true}).value();
  EXPECT_EQ(appending.seek(0, Whence::set).value(), 0U);
  EXPECT_EQ(write(appending, 7), 7U);
  EXPECT_EQ(used(), 7U);
}

TEST_F(HostUseTest, AFullDiskTakesNothing) {
  HostFile file = make("f");
  EXPECT_EQ(used(), name);
  EXPECT_EQ(write(file, 20 * name), 9 * name) << "as much as there is room for";
  EXPECT_TRUE(told_.empty());
  EXPECT_EQ(file.write(bytes_of("x")).error(), Error::no_space);
  EXPECT_EQ(file.pwrite(bytes_of("x"), 1 << 30).error(), Error::no_space);
  EXPECT_TRUE(file.truncate(std::uint64_t{1} << 40).ok()) << "a hole takes nothing";
  EXPECT_EQ(file.pwrite(bytes_of("x"), std::uint64_t{1} << 39).error(), Error::no_space);
  EXPECT_TRUE(file.truncate(9 * name).ok());
  EXPECT_EQ(open("g", {.write = true, .create = true}).error(), Error::no_space);
  EXPECT_EQ(files_.make_directory(at("d"), 0777).error(), Error::no_space);
  EXPECT_EQ(files_.make_symlink("f", at("l")).error(), Error::no_space);
  EXPECT_EQ(files_.link(at("f"), at("h")).error(), Error::no_space);
  EXPECT_EQ(told_, std::vector{HostUse::Limit::disk}) << "once";
  EXPECT_EQ(file.pwrite(bytes_of("over"), 5).value(), 4U) << "what is there may change";
  EXPECT_TRUE(file.write({}).ok());
  EXPECT_EQ(used(), disk);
}

TEST_F(HostUseTest, HolesDoNotCount) {
  HostFile file = make("f");
  EXPECT_EQ(file.pwrite(bytes_of("abc"), 100 * name).value(), 3U);
  EXPECT_EQ(used(), name + 3);
  EXPECT_EQ(write(file, 10), 10U) << "the first block of the hole";
  EXPECT_EQ(used(), 2 * name + 3);
  EXPECT_EQ(file.pwrite(std::vector<std::uint8_t>(20 * name), 10 * name).value(), 7 * name)
      << "as much as there is room for";
  EXPECT_TRUE(file.change_space({SpaceChange::Kind::punch, true, 10 * name, 20 * name}).ok());
  EXPECT_EQ(used(), 2 * name + 3);
  EXPECT_EQ(file.change_space({SpaceChange::Kind::reserve, true, 10 * name, 20 * name}).error(),
            Error::no_space);
  EXPECT_TRUE(file.change_space({SpaceChange::Kind::reserve, true, 10 * name, 5 * name}).ok());
  EXPECT_EQ(used(), 7 * name + 3);
  EXPECT_EQ(file.status()->blocks, 7U * 8);
  EXPECT_TRUE(files_.remove_file(at("f")).ok());
  file = make("g");
  EXPECT_EQ(used(), name);
}

TEST_F(HostUseTest, NamesCountAndComeBack) {
  (void)make("f");
  EXPECT_TRUE(files_.make_directory(at("d"), 0777).ok());
  EXPECT_TRUE(files_.make_symlink("f", at("l")).ok());
  EXPECT_TRUE(files_.link(at("f"), at("h")).ok());
  EXPECT_EQ(used(), 4 * name);
  EXPECT_TRUE(files_.rename(at("h"), at("f")).ok()) << "two names of one file stay";
  EXPECT_EQ(used(), 4 * name);
  EXPECT_TRUE(files_.rename(at("l"), at("h")).ok());
  EXPECT_EQ(used(), 3 * name);
  EXPECT_TRUE(files_.remove_directory(at("d")).ok());
  EXPECT_TRUE(files_.remove_file(at("h")).ok());
  EXPECT_TRUE(files_.remove_file(at("f")).ok());
  EXPECT_EQ(used(), 0U);
}

TEST_F(HostUseTest, AFileComesBackWithItsLastNameAndItsLastUser) {
  {
    HostFile file = make("f");
    EXPECT_EQ(write(file, 1000), 1000U);
    EXPECT_TRUE(files_.link(at("f"), at("g")).ok());
    EXPECT_TRUE(files_.remove_file(at("f")).ok());
    EXPECT_EQ(used(), name + 1000);
    HostFile again = open("g", {.read = true}).value();
    EXPECT_TRUE(files_.remove_file(at("g")).ok());
    EXPECT_EQ(used(), 1000U);
    EXPECT_EQ(write(file, 24), 24U);
    EXPECT_EQ(used(), 1024U);
  }
  EXPECT_EQ(used(), 0U);
  HostFile from = make("from");
  HostFile to = make("to");
  EXPECT_EQ(write(to, 500), 500U);
  to = make("other");
  EXPECT_TRUE(files_.rename(at("from"), at("to")).ok());
  EXPECT_EQ(used(), 2 * name);
}

TEST_F(HostUseTest, OpenFilesHaveALimit) {
  const HostFile first = make("f");
  const HostFile second = open("f", {.read = true}).value();
  {
    const HostFile third = open(".", {.read = true, .directory = true}).value();
    EXPECT_EQ(open("f", {.read = true}).error(), Error::too_many_open);
    EXPECT_EQ(open("new", {.write = true, .create = true}).error(), Error::too_many_open);
    EXPECT_FALSE(files_.status(at("new"), Follow::no).ok());
    EXPECT_EQ(told_, std::vector{HostUse::Limit::open_files});
  }
  EXPECT_TRUE(open("f", {.read = true}).ok());
}

// However many names a directory is held by, its path counts once, and as long as it is now.
TEST_F(HostUseTest, PathsOfWhatIsHeldHaveALimit) {
  const std::string shorter = at("a").text(), longer = at("a-longer-name").text();
  GuestFiles files = open_space({.working_directory = tree_.path(),
                                 .limits = {.held_paths = shorter.size() + longer.size() - 1}});
  ASSERT_TRUE(files.make_directory(at("a"), 0777).ok());
  ASSERT_TRUE(files.make_directory(at("b"), 0777).ok());
  auto held = files.hold(at("a"));
  ASSERT_TRUE(held.ok());
  EXPECT_TRUE(files.hold_file(at("a"), Follow::yes).ok());
  EXPECT_TRUE(files.hold(at("b")).ok()) << "and is let go";
  tree_.file("a-longer-name", "");
  EXPECT_EQ(files.hold_file(at("a-longer-name"), Follow::yes).error(), Error::no_memory);
  auto second = files.hold(at("b"));
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(outcome(files.rename(at("b"), at("a-longer-dir-name"))), "out of memory");
  EXPECT_TRUE(files.rename(at("b"), at("c")).ok());
  held = files.hold(at("c"));
  EXPECT_EQ(second.value(), held.value()) << "it is the same";
  EXPECT_TRUE(files.rename(at("c"), at("a-longer")).ok()) << "the first is let go";
}

TEST_F(HostUseTest, NumbersAndTimesOfWhatIsGoneAreForgotten) {
  (void)make("f");
  struct ::stat status;
  ASSERT_EQ(::stat(tree_.at("f").c_str(), &status), 0);
  const std::uint64_t first = files_.records()->number(identity_of(status));
  EXPECT_TRUE(files_.remove_file(at("f")).ok());
  EXPECT_NE(files_.records()->number(identity_of(status)), first);
}

TEST_F(HostUseTest, StandardOutputCountsWhereItIsAFile) {
  const std::string path = tree_.file("out", "before\n");
  EXPECT_EQ(in_child([&] {
              ::dup2(::open(path.c_str(), O_WRONLY | O_APPEND), 1);
              auto streams = open_standard_streams(files_.records(), files_.use());
              auto& out = std::get<HostFile>(*(*streams)[1]);
              if (write(out, 100) != 100 || used() != 100) return 1;
              return write(out, 2 * disk) == disk - 100 ? 0 : 2;
            }),
            0);
}

TEST(MakeRoomForFiles, RaisesTheSoftLimitAsFarAsTheHardOneAllows) {
  EXPECT_EQ(in_child([] {
              struct ::rlimit limit = {100, 1000};
              if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
              if (make_room_for_files(500) != 500) return 2;
              if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= 500) return 3;
              const std::uint64_t most = make_room_for_files(5000);
              return most > 500 && most < 1000 ? 0 : 4;
            }),
            0);
}

}  // namespace
}  // namespace hardclock::host
