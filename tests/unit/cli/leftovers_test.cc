#include "cli/leftovers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/cli/temporary_file.h"

namespace hardclock {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

void write(const std::string& path) {
  std::ofstream(path) << "text";
}

TEST(Leftovers, AreRemoved) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("tree/a/b"));
  write(here.at("file"));
  write(here.at("tree/a/b/file"));
  write(here.at("other"));
  const Leftover file(AT_FDCWD, here.at("file"), Leftover::Kind::file);
  const Leftover tree(AT_FDCWD, here.at("tree"), Leftover::Kind::tree);
  { const Leftover other(AT_FDCWD, here.at("other"), Leftover::Kind::file); }
  remove_leftovers();
  EXPECT_FALSE(fs::exists(here.at("file")));
  EXPECT_FALSE(fs::exists(here.at("tree")));
  EXPECT_TRUE(fs::exists(here.at("other"))) << "its object is gone";
}

TEST(Leftovers, LinksAreNotFollowed) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("outside"));
  fs::create_directory(here.at("tree"));
  write(here.at("outside/file"));
  ASSERT_EQ(::chmod(here.at("outside").c_str(), 0755), 0);
  fs::create_symlink(here.at("outside"), here.at("tree/link"));
  fs::create_symlink(here.at("outside"), here.at("link"));
  const Leftover tree(AT_FDCWD, here.at("tree"), Leftover::Kind::tree);
  const Leftover link(AT_FDCWD, here.at("link"), Leftover::Kind::tree);
  remove_leftovers();
  EXPECT_FALSE(fs::exists(here.at("tree")));
  EXPECT_TRUE(fs::exists(here.at("outside/file")));
  struct ::stat status;
  ASSERT_EQ(::stat(here.at("outside").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0755U);
}

// A guest makes directories that nobody may enter, and has names of ours.
TEST(Leftovers, ModesAndNamesDoNotMatter) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("tree/a/b/c"));
  fs::create_directories(here.at("tree/1/2"));
  write(here.at("tree/2"));
  write(here.at("tree/a/b/c/file"));
  for (const char* name : {"tree/a/b/c", "tree/a/b", "tree/a", "tree"}) {
    ASSERT_EQ(::chmod(here.at(name).c_str(), 0), 0);
  }
  const Leftover tree(AT_FDCWD, here.at("tree"), Leftover::Kind::tree);
  remove_leftovers();
  struct ::stat status;
  EXPECT_NE(::lstat(here.at("tree").c_str(), &status), 0);
}

// Deeper than descriptors and paths reach: PATH_MAX is 4096 bytes.
TEST(Leftovers, DepthDoesNotMatter) {
  const TemporaryDirectory here;
  constexpr int depth = 120;
  const std::string down(50, 'd');
  fs::create_directory(here.at("tree"));
  int directory = ::open(here.at("tree").c_str(), O_RDONLY | O_DIRECTORY);
  for (int level = 0; level < depth; ++level) {
    ASSERT_EQ(::mkdirat(directory, down.c_str(), 0755), 0);
    ASSERT_EQ(::mkdirat(directory, "beside", 0755), 0);
    const int below = ::openat(directory, down.c_str(), O_RDONLY | O_DIRECTORY);
    ::close(directory);
    directory = below;
  }
  ::close(directory);
  struct ::rlimit limit;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const ::rlim_t before = limit.rlim_cur;
  limit.rlim_cur = 64;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  const Leftover tree(AT_FDCWD, here.at("tree"), Leftover::Kind::tree);
  remove_leftovers();
  limit.rlim_cur = before;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_FALSE(fs::exists(here.at("tree")));
}

}  // namespace
}  // namespace hardclock
