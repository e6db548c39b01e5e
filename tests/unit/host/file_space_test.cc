#include "syscalls/host/file_space.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

std::string create_error(const FileSpace& space) {
  const auto files = GuestFiles::create(space);
  return files ? "ok" : files.error();
}

TEST(Creation, SaysWhatWhereAndNextStep) {
  const TempTree tree;
  EXPECT_EQ(create_error({.roots = {"/nonexistent/root"}}),
            "guest root /nonexistent/root: no such directory; pass -L an existing directory");
  EXPECT_EQ(create_error({.roots = {tree.file("f", "")}}),
            "guest root " + tree.at("f") + ": not a directory; pass -L an existing directory");
  EXPECT_EQ(create_error({.binds = {{"/nonexistent", "/x"}}}),
            "bind /nonexistent:/x: no such file or directory; pass --bind an existing directory or "
            "regular file");
  EXPECT_EQ(create_error({.binds = {{"/dev/null", "/x"}}}),
            "bind /dev/null:/x: neither a directory nor a regular file; pass --bind an existing "
            "directory or regular file");
  EXPECT_EQ(create_error({.working_directory = tree.at("gone")}),
            "working directory " + tree.at("gone") +
                ": no such directory; start hardclock from a directory you can read");
}

TEST(Creation, RefusesDangerousOrAmbiguousSpaces) {
  const TempTree tree;
  const auto refused = [](const FileSpace& space, const std::string& words) {
    return create_error(space).find(words) != std::string::npos;
  };
  EXPECT_TRUE(refused({.working_directory = "/"}, "would show the whole host"));
  EXPECT_TRUE(refused({.working_directory = "tmp"}, "not absolute"));
  EXPECT_TRUE(refused({.binds = {{"/proc", "/proc"}}}, "a kernel file system"));
  EXPECT_TRUE(refused({.binds = {{"/proc/version", "/version"}}}, "a kernel file system"));
  EXPECT_TRUE(refused({.roots = {"/sys"}}, "a kernel file system"));
  EXPECT_TRUE(refused({.binds = {{tree.path(), "/a"}, {tree.path(), "/a"}}}, "bound already"));
  EXPECT_TRUE(refused({.binds = {{tree.path(), "/dev/null"}}}, "provides that file itself"));
}

TEST(Creation, RefusesAnUnreadableRoot) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const TempTree tree;
  const std::string root = tree.directory("r");
  std::filesystem::permissions(root, std::filesystem::perms::none);
  EXPECT_NE(create_error({.roots = {root}}).find("permission denied"), std::string::npos);
  std::filesystem::permissions(root, std::filesystem::perms::owner_all);
}

TEST(WorkingDirectory, IsThatOfTheProcess) {
  EXPECT_EQ(current_working_directory().value(), std::filesystem::current_path().string());
}

}  // namespace
}  // namespace hardclock::host
