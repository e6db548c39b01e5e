// What a hostile guest tries. The rule is the design's: nothing outside of the configured trees
// exists, and read-only trees stay as they are.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <optional>
#include <string>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

constexpr const char* missing = "<no such file or directory>";

class ConfinementTest : public ::testing::Test {
 protected:
  ConfinementTest() {
    tree_.file("secret", "secret");
    tree_.file("r/etc/passwd", "guest passwd");
    tree_.file("w/mine", "mine");
    tree_.file("w/data/kept", "kept");
    files_.emplace(open_space({.roots = {tree_.at("r")},
                               .binds = {{tree_.at("w/data"), tree_.at("w/data"), false}},
                               .working_directory = tree_.at("w")}));
  }
  std::string read(const std::string& path) { return read_all(*files_, path); }
  std::string open(const std::string& path, const OpenOptions& options) {
    return outcome(files_->open(guest_path(path), options));
  }
  std::string work(const std::string& below) const { return tree_.at("w/" + below); }

  TempTree tree_;
  std::optional<GuestFiles> files_;
};

TEST_F(ConfinementTest, DotsStayAtTheRoot) {
  EXPECT_EQ(read("/../../etc/passwd"), "guest passwd");
  std::string up;
  while (up.size() < 300) up += "../";
  EXPECT_EQ(guest_path(up + "etc/passwd", tree_.at("w")).text(), "/etc/passwd");
  EXPECT_EQ(read(work("../secret")), missing);
  EXPECT_EQ(read(tree_.at("secret")), missing);
}

TEST_F(ConfinementTest, LinksOutOfTheWorkingDirectoryDoNotReachTheHost) {
  tree_.link("w/relative", "../secret");
  tree_.link("w/absolute", tree_.at("secret"));
  tree_.link("w/chain1", "chain2");
  tree_.link("w/chain2", "relative");
  tree_.link("w/up", "..");
  for (const char* name : {"absolute", "relative", "chain1", "up/secret"}) {
    EXPECT_EQ(read(work(name)), missing) << name;
    EXPECT_EQ(outcome(files_->truncate(guest_path(work(name)), 0)), "no such file or directory");
    EXPECT_EQ(outcome(files_->change_mode(guest_path(work(name)), 0)), "no such file or directory");
  }
  EXPECT_EQ(open(work("up/new"), {.write = true, .create = true}), "read-only");
  EXPECT_EQ(outcome(files_->remove_file(guest_path(work("up/secret")))),
            "no such file or directory");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("mine")), guest_path(work("up/x")))),
            "on another device");
  EXPECT_EQ(outcome(files_->make_directory(guest_path(work("up/d")), 0777)), "read-only");
  EXPECT_EQ(tree_.content("secret"), "secret");
}

// An absolute link begins at the guest's root (path_resolution(7)).
TEST_F(ConfinementTest, LinksOutOfTheWorkingDirectoryReachWhatTheGuestHasThere) {
  tree_.link("w/absolute", "/etc/passwd");
  tree_.link("w/etc", "/etc");
  tree_.link("w/chain", "etc/passwd");
  tree_.link("w/inside", "../w/mine");
  tree_.link("w/made", tree_.at("w/new"));
  tree_.link("w/round", work("about"));
  tree_.link("w/about", work("round"));
  for (const char* name : {"absolute", "etc/passwd", "chain", "etc/../etc/passwd"}) {
    EXPECT_EQ(read(work(name)), "guest passwd") << name;
    EXPECT_EQ(open(work(name), {.write = true}), "read-only");
    EXPECT_EQ(outcome(files_->change_mode(guest_path(work(name)), 0)), "read-only");
  }
  EXPECT_EQ(open(work("etc/new"), {.write = true, .create = true}), "read-only");
  EXPECT_EQ(read(work("inside")), "mine");
  EXPECT_EQ(read(work("round")), "<too many symbolic links>");
  EXPECT_EQ(files_->find_directory(guest_path(work("etc"))).value().text(), "/etc");
  EXPECT_EQ(files_->status(guest_path(work("etc")), Follow::no)->type, FileType::symlink);
  EXPECT_EQ(open(work("made"), {.write = true, .create = true}), "ok");
  EXPECT_TRUE(std::filesystem::exists(tree_.at("w/new")));
}

TEST_F(ConfinementTest, CreatingThroughALinkOutMakesNothing) {
  tree_.link("w/absolute", tree_.at("made"));
  tree_.link("w/relative", "../made");
  tree_.link("w/loop", "loop");
  const OpenOptions create{.write = true, .create = true};
  EXPECT_EQ(open(work("absolute"), create), "read-only");
  EXPECT_EQ(open(work("relative"), create), "read-only");
  EXPECT_EQ(open(work("loop"), create), "too many symbolic links");
  EXPECT_FALSE(std::filesystem::exists(tree_.at("made")));
}

TEST_F(ConfinementTest, LinksInARootStayInThatRoot) {
  tree_.link("r/absolute", "/etc/passwd");
  tree_.link("r/outside", tree_.at("secret"));
  tree_.link("r/up", "../../../..");
  tree_.link("r/etc/up", "..");
  EXPECT_EQ(read("/absolute"), "guest passwd");
  EXPECT_EQ(read("/outside"), missing);
  EXPECT_EQ(read("/up/etc/passwd"), "guest passwd");
  EXPECT_EQ(read("/etc/up/etc/passwd"), "guest passwd");
}

TEST_F(ConfinementTest, MagicLinksAreNotFollowed) {
  tree_.link("w/magic", "/proc/self/root");
  tree_.link("r/magic", "/proc/self/cwd");
  EXPECT_EQ(read(work("magic/etc/passwd")), missing);
  EXPECT_EQ(read("/magic"), missing);
}

TEST_F(ConfinementTest, WhatIsMountedBelowARootIsMissing) {
  GuestFiles everything = open_space({.roots = {"/"}});
  EXPECT_EQ(read_all(everything, "/proc/self/mem"), missing);
  EXPECT_EQ(read_all(everything, "/proc/self/cwd"), missing);
  EXPECT_FALSE(everything.status(guest_path("/proc/self/root/etc"), Follow::yes).ok());
  EXPECT_EQ(read_all(everything, "/dev/../sys/kernel/uevent_seqnum"), missing);
}

TEST_F(ConfinementTest, RenamingALinkUpwardDoesNotLetItOut) {
  tree_.directory("w/a/b/c");
  tree_.link("w/a/b/c/l", "../../../mine");
  EXPECT_EQ(read(work("a/b/c/l")), "mine");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("a/b/c")), guest_path(work("c")))), "ok");
  EXPECT_EQ(read(work("c/l")), missing);
  tree_.file("mine", "outside");
  EXPECT_EQ(read(work("c/l")), missing);
}

// The read-only bind covers a directory of the writable working directory.
TEST_F(ConfinementTest, LinksAroundAReadOnlyBindReachTheBind) {
  tree_.link("w/around", "data");
  tree_.link("w/file", "data/kept");
  tree_.link("w/new", "data/new");
  tree_.link("w/self", ".");
  const OpenOptions create{.write = true, .create = true};
  EXPECT_EQ(read(work("around/kept")), "kept");
  EXPECT_EQ(open(work("around/kept"), {.write = true}), "read-only");
  EXPECT_EQ(open(work("file"), {.write = true}), "read-only");
  EXPECT_EQ(open(work("new"), create), "read-only");
  EXPECT_EQ(open(work("around/new"), create), "read-only");
  EXPECT_EQ(open(work("self/data/kept"), {.write = true}), "read-only");
  EXPECT_EQ(outcome(files_->remove_file(guest_path(work("around/kept")))), "read-only");
  EXPECT_EQ(outcome(files_->make_directory(guest_path(work("around/d")), 0777)), "read-only");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("around/kept")), guest_path(work("k")))),
            "on another device");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("self/data")), guest_path(work("k")))), "busy");
  EXPECT_EQ(outcome(files_->link(guest_path(work("around/kept")), guest_path(work("k")))),
            "on another device");
  EXPECT_EQ(outcome(files_->change_mode(guest_path(work("file")), 0)), "read-only");
  EXPECT_EQ(tree_.content("w/data/kept"), "kept");
}

TEST_F(ConfinementTest, ADirectoryAboveACoverCannotBeMovedThroughALink) {
  tree_.file("w/mid/ro/kept", "kept");
  tree_.link("w/self", ".");
  GuestFiles files = open_space({.binds = {{tree_.at("w/mid/ro"), tree_.at("w/mid/ro"), false}},
                                 .working_directory = tree_.at("w")});
  EXPECT_EQ(outcome(files.rename(guest_path(work("self/mid")), guest_path(work("m")))), "busy");
  EXPECT_EQ(outcome(files.rename(guest_path(work("mid")), guest_path(work("self/m")))), "busy");
}

TEST_F(ConfinementTest, LinksInARootReachABind) {
  tree_.directory("r/var/tmp");
  tree_.link("r/usr/tmp", "../var/tmp");
  tree_.file("scratch/deep/f", "scratch");
  GuestFiles files =
      open_space({.roots = {tree_.at("r")}, .binds = {{tree_.at("scratch"), "/var/tmp"}}});
  EXPECT_EQ(read_all(files, "/usr/tmp/deep/f"), "scratch");
  EXPECT_EQ(outcome(files.open(guest_path("/usr/tmp/new"), {.write = true, .create = true})), "ok");
  EXPECT_EQ(outcome(files.open(guest_path("/usr/tmp/deep/n"), {.write = true, .create = true})),
            "ok");
  EXPECT_TRUE(std::filesystem::exists(tree_.at("scratch/deep/n")));
  EXPECT_FALSE(std::filesystem::exists(tree_.at("r/var/tmp/new")));
}

TEST_F(ConfinementTest, OnlyFilesAndDirectoriesOpenAndNothingBlocks) {
  ASSERT_EQ(::mkfifo(work("fifo").c_str(), 0666), 0);
  ASSERT_EQ(::mknod(work("s").c_str(), S_IFSOCK | 0666, 0), 0);
  tree_.link("w/to_fifo", "fifo");
  for (const char* name : {"fifo", "s", "to_fifo"}) {
    EXPECT_EQ(open(work(name), {.read = true}), "permission denied") << name;
    EXPECT_EQ(open(work(name), {.write = true}), "permission denied") << name;
    EXPECT_EQ(open(work(name), {.write = true, .create = true}), "permission denied") << name;
    EXPECT_EQ(outcome(files_->truncate(guest_path(work(name)), 0)), "permission denied") << name;
  }
  EXPECT_EQ(files_->status(guest_path(work("fifo")), Follow::no)->type, FileType::fifo);
}

// A guest makes such names itself: it may remove them, as it may remove files.
TEST_F(ConfinementTest, FifosAndSocketsAreNamesLikeOthers) {
  for (const auto& [name, type] :
       {std::pair("fifo", FileType::fifo), std::pair("socket", FileType::socket)}) {
    const GuestPath path = guest_path(work(name));
    const auto node = files_->make_node(path, type, 0640);
    ASSERT_TRUE(node.ok()) << name;
    EXPECT_EQ(node->status.type, type);
    EXPECT_EQ(node->status.permissions, 0640u);
    EXPECT_EQ(files_->make_node(path, type, 0640).error(), Error::exists);
    EXPECT_EQ(files_->find_node(path, Follow::no)->identity, node->identity);
    EXPECT_EQ(outcome(files_->change_mode(path, 0600)), "ok");
    EXPECT_EQ(outcome(files_->set_times(path, FileTime{1, 2}, FileTime{3, 4}, Follow::no)), "ok");
    const GuestPath moved = guest_path(work("moved"));
    EXPECT_EQ(outcome(files_->rename(path, moved)), "ok") << name;
    EXPECT_EQ(files_->find_node(moved, Follow::yes)->status.permissions, 0600u);
    EXPECT_EQ(outcome(files_->remove_file(moved)), "ok") << name;
    EXPECT_FALSE(std::filesystem::exists(work("moved")));
  }
  EXPECT_FALSE(files_->find_node(guest_path(work("mine")), Follow::yes).has_value());
}

TEST_F(ConfinementTest, NoFifoIsMadeWhereNothingMayBeWritten) {
  EXPECT_EQ(files_->make_node(guest_path("/etc/fifo"), FileType::fifo, 0600).error(),
            Error::read_only);
}

TEST_F(ConfinementTest, DevicesDoNotOpen) {
  GuestFiles files = open_space({.binds = {{"/dev", "/host_dev"}}});
  for (const char* path : {"/host_dev/null", "/host_dev/zero", "/host_dev/tty"}) {
    EXPECT_EQ(read_all(files, path), "<permission denied>") << path;
  }
  if (::mknod(work("device").c_str(), S_IFCHR | 0666, ::makedev(1, 3)) == 0) {
    EXPECT_EQ(open(work("device"), {.write = true}), "permission denied");
  }
}

TEST_F(ConfinementTest, BadPathsAreErrors) {
  EXPECT_EQ(GuestPath::parse("/", "").error(), Error::not_found);
  EXPECT_EQ(GuestPath::parse("/", std::string_view("a\0b", 3)).error(), Error::invalid);
  EXPECT_EQ(GuestPath::parse("/", std::string(5000, 'x')).error(), Error::name_too_long);
  EXPECT_EQ(GuestPath::parse("/", std::string(256, 'x')).error(), Error::name_too_long);
  EXPECT_TRUE(GuestPath::parse("/", std::string(255, 'x')).ok());
  std::string deep;
  while (deep.size() < 4094) deep += "/a";
  EXPECT_EQ(read(deep), missing);
  EXPECT_EQ(read(deep + "/"), missing);
  EXPECT_EQ(GuestPath::parse("/", deep + "/b").error(), Error::name_too_long);
  EXPECT_TRUE(GuestPath::parse(deep, "bb").ok()) << "only what a guest says is limited";
  std::string deepest(GuestPath::max_whole_length, '/');
  for (std::size_t i = 1; i < deepest.size(); i += 2) deepest[i] = 'a';
  EXPECT_TRUE(GuestPath::parse(deepest, ".").ok());
  EXPECT_EQ(GuestPath::parse(deepest, "b").error(), Error::name_too_long);
  EXPECT_EQ(GuestPath::parse(deep, "..").value().text(), deep.substr(0, deep.size() - 2));
  EXPECT_EQ(read("////etc//./passwd"), "guest passwd");
}

TEST_F(ConfinementTest, AnUnreadableDirectoryStaysClosed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  tree_.file("w/closed/f", "f");
  std::filesystem::permissions(work("closed"), std::filesystem::perms::none);
  EXPECT_EQ(read(work("closed/f")), "<permission denied>");
  EXPECT_EQ(outcome(files_->list(guest_path(work("closed")))), "permission denied");
  EXPECT_EQ(outcome(files_->access(guest_path(work("closed")), {.read = true})),
            "permission denied");
  std::filesystem::permissions(work("closed"), std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace hardclock::host
