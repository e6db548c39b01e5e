// What the host has mounted below a directory that a guest sees, and a host without /proc.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/own_mounts.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

constexpr const char* no_mounts = "unshare(2) and mount(2) are not allowed here";
constexpr const char* missing = "<no such file or directory>";

class HostMounts : public ::testing::Test {
 protected:
  HostMounts() {
    tree_.file("w/mine", "mine");
    tree_.directory("w/mounted");
    tree_.directory("r/mounted");
    tree_.file("other/secret", "secret");
  }
  void mount_other_at(const char* below) const {
    EXPECT_EQ(
        ::mount(tree_.at("other").c_str(), tree_.at(below).c_str(), nullptr, MS_BIND, nullptr), 0);
  }
  GuestPath work(const std::string& below) const { return guest_path(tree_.at("w/" + below)); }

  TempTree tree_;
};

TEST_F(HostMounts, AreMissing) {
  const bool done = with_own_mounts([&] {
    mount_other_at("w/mounted");
    mount_other_at("r/mounted");
    tree_.link("w/link", "mounted/secret");
    GuestFiles files = open_space({.roots = {tree_.at("r")}, .working_directory = tree_.at("w")});
    EXPECT_EQ(read_all(files, tree_.at("w/mounted/secret")), missing);
    EXPECT_EQ(read_all(files, tree_.at("w/link")), missing);
    EXPECT_EQ(read_all(files, "/mounted/secret"), missing);
    EXPECT_EQ(outcome(files.open(work("mounted/new"), create_it)), "no such file or directory");
    EXPECT_EQ(outcome(files.remove_directory(work("mounted"))), "no such file or directory");
    const auto entries = files.list(guest_path(tree_.at("w")));
    ASSERT_TRUE(entries.ok());
    for (const DirectoryEntry& entry : *entries) EXPECT_NE(entry.name, "mounted");
    EXPECT_FALSE(std::filesystem::exists(tree_.at("other/new")));
  });
  if (!done) GTEST_SKIP() << no_mounts;
}

TEST_F(HostMounts, AreVisibleWhenBound) {
  const bool done = with_own_mounts([&] {
    mount_other_at("w/mounted");
    GuestFiles files = open_space({.binds = {{tree_.at("w/mounted"), tree_.at("w/mounted")}},
                                   .working_directory = tree_.at("w")});
    EXPECT_EQ(read_all(files, tree_.at("w/mounted/secret")), "secret");
    EXPECT_EQ(outcome(files.open(work("mounted/new"), create_it)), "ok");
  });
  if (!done) GTEST_SKIP() << no_mounts;
}

// As in a container, where the program or one of its files is a volume of its own.
TEST_F(HostMounts, ASingleFileIsVisibleWhenBound) {
  const bool done = with_own_mounts([&] {
    EXPECT_EQ(::mount(tree_.at("other/secret").c_str(), tree_.at("w/mine").c_str(), nullptr,
                      MS_BIND, nullptr),
              0);
    GuestFiles files = open_space({.binds = {{tree_.at("w/mine"), "/file", false}}});
    EXPECT_EQ(read_all(files, "/file"), "secret");
  });
  if (!done) GTEST_SKIP() << no_mounts;
}

TEST_F(HostMounts, OfTheKernelAreNoRoots) {
  const bool done = with_own_mounts([&] {
    EXPECT_EQ(::mount("none", tree_.at("w/mounted").c_str(), "mqueue", 0, nullptr), 0)
        << "errno " << errno;
    const auto files = GuestFiles::create({.roots = {tree_.at("w/mounted")}});
    ASSERT_FALSE(files.ok());
    EXPECT_NE(files.error().find("a kernel file system"), std::string::npos) << files.error();
  });
  if (!done) GTEST_SKIP() << no_mounts;
}

// A root under another name of the host: the same directory, mounted elsewhere.
TEST_F(HostMounts, ARootStaysReadOnlyUnderItsOtherName) {
  const bool done = with_own_mounts([&] {
    tree_.file("other/root/etc/passwd", "root's");
    mount_other_at("w/mounted");
    GuestFiles files =
        open_space({.roots = {tree_.at("other/root")}, .working_directory = tree_.at("w/mounted")});
    EXPECT_EQ(outcome(files.open(work("mounted/root/etc/passwd"), {.write = true})), "read-only");
    EXPECT_EQ(outcome(files.rename(work("mounted/root"), work("mounted/moved"))), "busy");
  });
  if (!done) GTEST_SKIP() << no_mounts;
}

bool has_fchmodat2() {
  return ::syscall(452, -1, "", 0, 0) != 0 && errno != ENOSYS;
}

// The scratch directory is seen at /tmp, and the working directory covers a part of that.
TEST_F(HostMounts, WithoutProcMostThingsWork) {
  const bool done = with_own_mounts([&] {
    tree_.directory("scratch");
    tree_.directory("w/sub");
    tree_.link("w/link", "sub");
    EXPECT_EQ(::mount("none", "/proc", "tmpfs", 0, nullptr), 0);
    GuestFiles files = open_space({.binds = {{tree_.at("w/sub"), "/tmp/below"}},
                                   .working_directory = tree_.at("w"),
                                   .scratch = OwnDirectory::at(tree_.at("scratch"))});
    EXPECT_EQ(outcome(files.open(guest_path("/tmp/new"), create_it)), "ok");
    EXPECT_EQ(outcome(files.make_directory(guest_path("/tmp/d"), 0777)), "ok");
    EXPECT_EQ(outcome(files.find_directory(guest_path("/tmp/d"))), "ok");
    EXPECT_EQ(outcome(files.find_directory(work("sub"))), "ok");
    EXPECT_EQ(read_all(files, tree_.at("w/mine")), "mine");
    if (has_fchmodat2()) {
      EXPECT_EQ(outcome(files.change_mode(work("mine"), 0600)), "ok");
    }
    ASSERT_EQ(files.notices().size(), 1u);
    EXPECT_NE(files.notices()[0].find("/proc"), std::string::npos) << files.notices()[0];
  });
  if (!done) GTEST_SKIP() << no_mounts;
}

}  // namespace
}  // namespace hardclock::host
