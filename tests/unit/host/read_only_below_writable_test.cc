// "-L: read-only" and "--bind HOST:GUEST:ro" (docs/manual.md, "Guest roots") also hold where the
// directory lies on the host below one that the guest may write to. Expected errors are those that
// Linux gives for read-only mounts and mount points.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

constexpr OpenOptions write_it{.write = true};

// In the working directory: a root at sys/root, a read-only bind at ro, and one of a single file.
class ReadOnlyBelowWritable : public ::testing::Test {
 protected:
  ReadOnlyBelowWritable() {
    tree_.file("w/sys/root/etc/passwd", "root's");
    tree_.file("w/ro/deep/kept", "kept");
    tree_.file("w/motd", "motd");
    tree_.file("w/mine", "mine");
    files_.emplace(open_space(
        {.roots = {tree_.at("w/sys/root")},
         .binds = {{tree_.at("w/ro"), "/data", false}, {tree_.at("w/motd"), "/etc/motd", false}},
         .working_directory = tree_.at("w")}));
  }
  GuestPath work(const std::string& below) const { return guest_path(tree_.at("w/" + below)); }
  std::string open(const std::string& below, const OpenOptions& options) {
    return outcome(files_->open(work(below), options));
  }
  void expect_untouched() const {
    EXPECT_EQ(tree_.content("w/sys/root/etc/passwd"), "root's");
    EXPECT_EQ(tree_.content("w/ro/deep/kept"), "kept");
    EXPECT_EQ(tree_.content("w/motd"), "motd");
  }

  TempTree tree_;
  std::optional<GuestFiles> files_;
};

TEST_F(ReadOnlyBelowWritable, CanBeReadButNotChanged) {
  EXPECT_EQ(read_all(*files_, work("sys/root/etc/passwd").text()), "root's");
  for (const char* name : {"sys/root/etc/passwd", "ro/deep/kept", "motd"}) {
    EXPECT_EQ(open(name, write_it), "read-only") << name;
    EXPECT_EQ(outcome(files_->truncate(work(name), 0)), "read-only") << name;
    EXPECT_EQ(outcome(files_->change_mode(work(name), 0)), "read-only") << name;
    EXPECT_EQ(outcome(files_->set_times(work(name), FileTime{}, FileTime{}, Follow::yes)),
              "read-only");
    EXPECT_EQ(outcome(files_->access(work(name), {.write = true})), "read-only") << name;
    auto file = open_host_file(*files_, work(name), {.read = true});
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(outcome(file->change_mode(0)), "read-only") << name;
  }
  for (const char* name : {"sys/root/etc/passwd", "ro/deep/kept"}) {
    EXPECT_EQ(outcome(files_->remove_file(work(name))), "read-only") << name;
    EXPECT_EQ(outcome(files_->rename(work("mine"), work(name))), "on another device") << name;
    EXPECT_EQ(outcome(files_->rename(work(name), work("stolen"))), "on another device") << name;
    EXPECT_EQ(outcome(files_->link(work(name), work("stolen"))), "on another device") << name;
  }
  for (const char* name : {"sys/root/new", "ro/new", "ro/deep/new"}) {
    EXPECT_EQ(open(name, create_it), "read-only") << name;
    EXPECT_EQ(outcome(files_->make_directory(work(name), 0777)), "read-only") << name;
    EXPECT_EQ(outcome(files_->make_symlink("mine", work(name))), "read-only") << name;
    EXPECT_EQ(outcome(files_->link(work("mine"), work(name))), "on another device") << name;
  }
  expect_untouched();
}

TEST_F(ReadOnlyBelowWritable, KeepsItsName) {
  for (const char* name : {"sys", "sys/root", "ro", "motd"}) {
    EXPECT_EQ(outcome(files_->rename(work(name), work("moved"))), "busy") << name;
  }
  EXPECT_EQ(outcome(files_->rename(work("mine"), work("motd"))), "busy");
  EXPECT_EQ(outcome(files_->remove_file(work("motd"))), "busy");
  EXPECT_EQ(outcome(files_->remove_directory(work("ro"))), "busy");
  expect_untouched();
}

TEST_F(ReadOnlyBelowWritable, LinksLeadToItAsItIs) {
  tree_.link("w/to_ro", "ro");
  tree_.link("w/to_kept", "ro/deep/kept");
  tree_.link("w/to_new", "ro/new");
  tree_.link("w/to_sys", "sys");
  tree_.link("w/self", ".");
  EXPECT_EQ(open("to_kept", write_it), "read-only");
  EXPECT_EQ(open("to_ro/deep/kept", write_it), "read-only");
  EXPECT_EQ(open("to_new", create_it), "read-only");
  EXPECT_EQ(open("to_ro/new", create_it), "read-only");
  EXPECT_EQ(outcome(files_->link(work("to_ro/deep/kept"), work("k"))), "on another device");
  EXPECT_EQ(outcome(files_->rename(work("self/sys"), work("moved"))), "busy");
  EXPECT_EQ(outcome(files_->rename(work("to_sys/root"), work("moved"))), "busy");
  EXPECT_EQ(outcome(files_->rename(work("to_ro"), work("renamed"))), "ok");
  EXPECT_EQ(open("renamed/deep/kept", write_it), "read-only");
  expect_untouched();
}

TEST_F(ReadOnlyBelowWritable, TheUserMayMoveItDuringTheRun) {
  std::filesystem::rename(tree_.at("w/sys"), tree_.at("w/moved"));
  EXPECT_EQ(open("moved/root/etc/passwd", write_it), "read-only");
}

// Another name that the host has for the single file: a hard link.
TEST_F(ReadOnlyBelowWritable, ASingleFileIsTheSameUnderEveryName) {
  std::filesystem::create_hard_link(tree_.at("w/motd"), tree_.at("w/other"));
  EXPECT_EQ(open("other", write_it), "read-only");
}

TEST_F(ReadOnlyBelowWritable, TheRestCanBeWritten) {
  EXPECT_EQ(open("mine", write_it), "ok");
  EXPECT_EQ(open("sys/new", create_it), "ok");
  EXPECT_EQ(outcome(files_->rename(work("sys/new"), work("new"))), "ok");
  EXPECT_EQ(outcome(files_->remove_file(work("new"))), "ok");
}

TEST_F(ReadOnlyBelowWritable, AWritableBindInsideStaysWritable) {
  GuestFiles files = open_space({.roots = {tree_.at("w/sys/root")},
                                 .binds = {{tree_.at("w/sys/root/etc"), "/etc"}},
                                 .working_directory = tree_.at("w")});
  EXPECT_EQ(outcome(files.open(guest_path("/etc/passwd"), write_it)), "ok");
  EXPECT_EQ(outcome(files.open(work("sys/root/etc/passwd"), write_it)), "read-only");
}

TEST_F(ReadOnlyBelowWritable, AlsoBelowAWritableBind) {
  GuestFiles files =
      open_space({.roots = {tree_.at("w/sys/root")}, .binds = {{tree_.at("w"), "/b"}}});
  EXPECT_EQ(outcome(files.open(guest_path("/b/sys/root/etc/passwd"), write_it)), "read-only");
  EXPECT_EQ(outcome(files.rename(guest_path("/b/sys"), guest_path("/b/moved"))), "busy");
  EXPECT_EQ(outcome(files.open(guest_path("/b/mine"), write_it)), "ok");
}

TEST_F(ReadOnlyBelowWritable, AWorkingDirectoryBelowARootCanBeWritten) {
  GuestFiles files = open_space({.roots = {tree_.at("w")}, .working_directory = tree_.at("w/sys")});
  EXPECT_EQ(outcome(files.open(work("sys/root/etc/passwd"), write_it)), "ok");
  EXPECT_TRUE(files.notices().empty());
}

TEST_F(ReadOnlyBelowWritable, AWorkingDirectoryThatIsARootIsReadOnly) {
  GuestFiles files = open_space({.roots = {tree_.at("w")}, .working_directory = tree_.at("w")});
  EXPECT_EQ(outcome(files.open(work("mine"), write_it)), "read-only");
  EXPECT_EQ(outcome(files.open(work("new"), create_it)), "read-only");
  ASSERT_EQ(files.notices().size(), 1u);
  EXPECT_NE(files.notices()[0].find("--bind"), std::string::npos) << files.notices()[0];
}

TEST_F(ReadOnlyBelowWritable, AWorkingDirectoryMayBeReadOnlyItself) {
  GuestFiles files =
      open_space({.working_directory = tree_.at("w"), .working_directory_writable = false});
  EXPECT_EQ(files.initial_directory(), tree_.at("w"));
  EXPECT_EQ(read_all(files, tree_.at("w/mine")), "mine");
  EXPECT_EQ(outcome(files.open(work("mine"), write_it)), "read-only");
  EXPECT_EQ(outcome(files.open(work("new"), create_it)), "read-only");
  EXPECT_EQ(outcome(files.remove_file(work("mine"))), "read-only");
}

}  // namespace
}  // namespace hardclock::host
