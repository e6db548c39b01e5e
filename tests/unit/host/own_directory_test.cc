// What a run has besides the user's files is on the host only if a guest looks for it.
#include "syscalls/host/own_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

namespace fs = std::filesystem;

constexpr std::uint8_t program[] = {1, 2, 3};
constexpr std::array<BuiltInFile, 5> files_of_root = {{
    {.path = "etc/passwd", .text = "root"},
    {.path = "etc/group", .text = "wheel"},
    {.path = "bin/sh", .program = program},
    {.path = "sbin/sh", .link = "../bin/sh"},
    {.path = "usr/lib/libc.1", .text = "library"},
}};

class OwnDirectoryTest : public ::testing::Test {
 protected:
  OwnDirectoryTest() {
    tree_.directory("own");
    tree_.file("r/usr/user", "the user's");
    tree_.file("w/mine", "mine");
  }

  std::shared_ptr<OwnDirectory> own(const std::string& name, OwnDirectory::Kind kind) const {
    auto parent = std::make_shared<const Descriptor>(
        ::open(tree_.at("own").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return std::make_shared<OwnDirectory>(std::move(parent), name, kind);
  }
  FileSpace space() const {
    FileSpace space{.roots = {tree_.at("r")},
                    .working_directory = tree_.at("w"),
                    .scratch = own("tmp", OwnDirectory::Kind::for_all),
                    .shared_memory = own("shm", OwnDirectory::Kind::for_all),
                    .built_in = own("root", OwnDirectory::Kind::built_in)};
    space.built_in->add(files_of_root);
    return space;
  }
  // On the host.
  std::vector<std::string> made() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(tree_.at("own"))) {
      names.push_back(fs::relative(entry.path(), tree_.at("own")).string());
    }
    std::ranges::sort(names);
    return names;
  }
  static std::vector<std::string> names(GuestFiles& files, const char* path) {
    std::vector<std::string> names;
    const auto entries = files.list(guest_path(path));
    if (!entries) return {describe(entries.error())};
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }
  using Names = std::vector<std::string>;

  TempTree tree_;
};

TEST_F(OwnDirectoryTest, NothingIsMadeForWhoLooksElsewhere) {
  GuestFiles files = open_space(space());
  EXPECT_EQ(read_all(files, "/usr/user"), "the user's");
  EXPECT_EQ(read_all(files, tree_.at("w/mine")), "mine");
  EXPECT_EQ(read_all(files, "/usr/lib/libc.so.1"), "<no such file or directory>");
  EXPECT_EQ(read_all(files, "/etcetera"), "<no such file or directory>");
  EXPECT_EQ(outcome(files.status(guest_path("/"), Follow::yes)), "ok");
  EXPECT_EQ(made(), Names());
}

TEST_F(OwnDirectoryTest, ALookMakesWhatItFinds) {
  GuestFiles files = open_space(space());
  EXPECT_EQ(read_all(files, "/etc/passwd"), "root");
  EXPECT_EQ(made(), (Names{"root", "root/etc", "root/etc/passwd"}));
  EXPECT_EQ(outcome(files.status(guest_path("/var/tmp/x"), Follow::yes)),
            "no such file or directory");
  EXPECT_EQ(made(), (Names{"root", "root/etc", "root/etc/passwd", "tmp"}));
  EXPECT_EQ(read_all(files, "/etc/passwd/x"), "<not a directory>");
  EXPECT_EQ(read_all(files, "/etc/group/x"), "<not a directory>");
  EXPECT_EQ(outcome(files.status(guest_path("/dev/shm"), Follow::yes)), "ok");
  EXPECT_TRUE(fs::exists(tree_.at("own/shm")));
}

TEST_F(OwnDirectoryTest, ALinkBringsWhatItLeadsTo) {
  GuestFiles files = open_space(space());
  EXPECT_EQ(read_all(files, "/sbin/sh"), "\1\2\3");
  EXPECT_EQ(*files.read_link(guest_path("/sbin/sh")), "../bin/sh");
  EXPECT_EQ(files.status(guest_path("/sbin/sh"), Follow::yes)->permissions, 0555u);
}

TEST_F(OwnDirectoryTest, AListIsWhole) {
  GuestFiles files = open_space(space());
  EXPECT_EQ(read_all(files, "/etc/passwd"), "root");
  EXPECT_EQ(names(files, "/etc"), (Names{".", "..", "group", "passwd"}));
  const Names all = names(files, "/");
  for (const char* const each : {"bin", "etc", "sbin", "usr"}) {
    EXPECT_EQ(std::ranges::count(all, each), 1) << each;
  }
}

TEST_F(OwnDirectoryTest, AllIsOf1970AndReadOnly) {
  GuestFiles files = open_space(space());
  for (const char* const path : {"/etc/passwd", "/etc/group", "/etc", "/bin/sh", "/sbin/sh"}) {
    const auto status = files.status(guest_path(path), Follow::no);
    ASSERT_TRUE(status.ok()) << path;
    EXPECT_EQ(status->times.modification.seconds, 0) << path;
  }
  EXPECT_EQ(outcome(files.remove_file(guest_path("/etc/group"))), "read-only");
  EXPECT_EQ(outcome(files.open(guest_path("/etc/passwd"), {.write = true})), "read-only");
}

// A guest whose working directory is the one around them cannot choose what they are.
TEST_F(OwnDirectoryTest, WhatAGuestPutsInTheirPlaceIsNotTaken) {
  FileSpace around = space();
  around.working_directory = tree_.path();
  GuestFiles files = open_space(around);
  tree_.directory("outside");
  EXPECT_EQ(outcome(files.rename(guest_path(tree_.at("own")), guest_path(tree_.at("other")))),
            "busy");
  EXPECT_EQ(outcome(files.remove_directory(guest_path(tree_.at("own")))), "busy");
  fs::create_symlink(tree_.at("outside"), tree_.at("own/tmp"));
  fs::create_symlink(tree_.at("outside"), tree_.at("own/root"));
  EXPECT_NE(outcome(files.make_directory(guest_path("/var/tmp/d"), 0777)), "ok");
  EXPECT_NE(outcome(files.open(guest_path("/etc/passwd"), {.read = true})), "ok");
  EXPECT_TRUE(fs::is_empty(tree_.at("outside")));
}

TEST_F(OwnDirectoryTest, BuiltInFilesKeepTheirBytesFromBeside) {
  FileSpace around = space();
  around.working_directory = tree_.path();
  GuestFiles files = open_space(around);
  EXPECT_EQ(read_all(files, "/etc/passwd"), "root");
  EXPECT_EQ(outcome(files.open(guest_path(tree_.at("own/root/etc/new")),
                               {.write = true, .create = true})),
            "read-only");
  EXPECT_EQ(outcome(files.remove_file(guest_path(tree_.at("own/root/etc/passwd")))), "read-only");
}

// A full disk is for the user to know, once, and the next look may succeed.
TEST_F(OwnDirectoryTest, WhatTheHostRefusesIsTold) {
  GuestFiles files = open_space(space());
  std::vector<HostUse::Limit> told;
  files.use()->on_limit([&told](HostUse::Limit limit) { told.push_back(limit); });
  tree_.file("own/root", "in the way");
  EXPECT_EQ(outcome(files.open(guest_path("/etc/passwd"), {.read = true})), "already exists");
  EXPECT_EQ(outcome(files.open(guest_path("/etc/passwd"), {.read = true})), "already exists");
  EXPECT_EQ(told, std::vector<HostUse::Limit>{HostUse::Limit::own_directories});
  fs::remove(tree_.at("own/root"));
  EXPECT_EQ(read_all(files, "/etc/passwd"), "root");
}

}  // namespace
}  // namespace hardclock::host
