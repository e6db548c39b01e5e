#include "syscalls/host/scratch_directory.h"
#include "tests/unit/host/in_child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

namespace fs = std::filesystem;

constexpr ::uid_t nobody = 65534;

// So many directories in each other.
bool make_deep(const std::string& top, int levels) {
  int directory = ::open(top.c_str(), O_RDONLY | O_DIRECTORY);
  for (int level = 0; level < levels && directory >= 0; ++level) {
    if (::mkdirat(directory, "d", 0777) != 0) return false;
    ::close(::openat(directory, "f", O_WRONLY | O_CREAT, 0666));
    const int inner = ::openat(directory, "d", O_RDONLY | O_DIRECTORY);
    ::close(directory);
    directory = inner;
  }
  ::close(directory);
  return directory >= 0;
}

// From now on permissions hold for root, too.
bool give_up_privileges() {
  ::__user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  ::__user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  return ::syscall(SYS_capset, &header, &none) == 0;
}

class ScratchDirectoryTest : public ::testing::Test {
 protected:
  ScratchDirectoryTest() {
    ::chmod(tree_.path().c_str(), 0777);
    ::setenv("TMPDIR", tree_.directory("tmp").c_str(), 1);
    ::chmod(tree_.at("tmp").c_str(), 0777);
  }
  ~ScratchDirectoryTest() override { ::unsetenv("TMPDIR"); }

  bool is_clean() const { return fs::is_empty(tree_.at("tmp")); }
  // The directory of a run that was killed.
  std::string stale() const {
    EXPECT_EQ(in_child([] { return ScratchDirectory::create().release() != nullptr ? 0 : 1; }), 0);
    return fs::directory_iterator(tree_.at("tmp"))->path().string();
  }

  TempTree tree_;
};

TEST_F(ScratchDirectoryTest, GoesWithAllThatIsInIt) {
  auto scratch = ScratchDirectory::create();
  ASSERT_NE(scratch, nullptr);
  tree_.file("outside", "kept");
  fs::create_directories(scratch->path() + "/a/b/c");
  fs::create_directories(scratch->path() + "/0/x/1");
  std::ofstream(scratch->path() + "/a/b/file") << "text";
  fs::create_symlink(tree_.path(), scratch->path() + "/a/link");
  fs::create_symlink("nowhere", scratch->path() + "/dangling");
  EXPECT_EQ(scratch->remove(), std::nullopt);
  EXPECT_TRUE(is_clean());
  EXPECT_EQ(tree_.content("outside"), "kept");
}

TEST_F(ScratchDirectoryTest, GoesThoughItIsDeeperThanThereAreDescriptors) {
  EXPECT_EQ(in_child([] {
              const struct ::rlimit few = {32, 32};
              ::setrlimit(RLIMIT_NOFILE, &few);
              auto scratch = ScratchDirectory::create();
              if (scratch == nullptr || !make_deep(scratch->path(), 300)) return 1;
              return scratch->remove() ? 2 : 0;
            }),
            0);
  EXPECT_TRUE(is_clean());
}

TEST_F(ScratchDirectoryTest, GoesThoughTheGuestClosedItsDirectories) {
  EXPECT_EQ(in_child([] {
              if (!give_up_privileges()) return 1;
              auto scratch = ScratchDirectory::create();
              if (scratch == nullptr || !make_deep(scratch->path(), 5)) return 2;
              for (const char* closed : {"/d/d/d/d", "/d/d/d", "/d/d", "/d"}) {
                ::chmod((scratch->path() + closed).c_str(), 0);
              }
              return scratch->remove() ? 3 : 0;
            }),
            0);
  EXPECT_TRUE(is_clean());
}

TEST_F(ScratchDirectoryTest, OfAKilledRunGoesAtTheNextStart) {
  const std::string left = stale();
  ASSERT_TRUE(make_deep(left, 20));
  const auto scratch = ScratchDirectory::create();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(scratch->path()));
}

TEST_F(ScratchDirectoryTest, OfALiveRunStays) {
  const auto mine = ScratchDirectory::create();
  EXPECT_EQ(in_child([] { return ScratchDirectory::create() != nullptr ? 0 : 1; }), 0);
  EXPECT_TRUE(fs::exists(mine->path()));
}

TEST_F(ScratchDirectoryTest, OnlyWhatARunMadeIsTakenForStale) {
  const std::string left = stale();
  tree_.file("target/file", "kept");
  ::chmod(tree_.at("target").c_str(), 0700);
  const std::string link = left.substr(0, left.size() - 6) + "aaaaaa";
  const std::string open_to_all = left.substr(0, left.size() - 6) + "bbbbbb";
  const std::string longer = left + "-of-mine";
  fs::create_symlink(tree_.at("target"), link);
  fs::create_directories(open_to_all + "/kept");
  fs::create_directories(longer + "/kept");
  ::chmod(open_to_all.c_str(), 0755);
  ::chmod(longer.c_str(), 0700);
  ScratchDirectory::create();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(tree_.content("target/file"), "kept");
  EXPECT_TRUE(fs::exists(open_to_all + "/kept"));
  EXPECT_TRUE(fs::exists(longer + "/kept"));
}

TEST_F(ScratchDirectoryTest, OfAnotherUserStays) {
  const std::string left = stale();
  if (::chown(left.c_str(), nobody, nobody) != 0) {
    GTEST_SKIP() << "only root outside of a sandbox gets a directory of another user";
  }
  ScratchDirectory::create();
  EXPECT_TRUE(fs::exists(left));
}

}  // namespace
}  // namespace hardclock::host
