#include "syscalls/host/guest_files.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/host/in_child.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

// Two roots, a working directory w, a writable bind /data, a read-only bind /ro and a single file
// bind /etc/motd. Expected errors are open(2)'s, rename(2)'s... of the Linux manual pages.
class GuestFilesTest : public ::testing::Test {
 protected:
  GuestFilesTest() {
    tree_.file("r1/etc/one", "r1 one");
    tree_.file("r1/etc/motd", "r1 motd");
    tree_.file("r1/bin", "a file");
    tree_.file("r2/etc/one", "r2 one");
    tree_.file("r2/etc/two", "r2 two");
    tree_.file("r2/bin/ls", "r2 ls");
    tree_.file("w/mine", "w mine");
    tree_.file("d/x", "d x");
    tree_.file("ro/y", "ro y");
    tree_.file("motd", "bound motd");
    files_.emplace(open_space({
        .roots = {tree_.at("r1"), tree_.at("r2")},
        .binds = {{tree_.at("d"), "/data"},
                  {tree_.at("ro"), "/ro", false},
                  {tree_.at("motd"), "/etc/motd"}},
        .working_directory = tree_.at("w"),
    }));
  }
  std::string read(const std::string& path) { return read_all(*files_, path); }
  std::string open(const std::string& path, const OpenOptions& options) {
    return outcome(files_->open(guest_path(path), options));
  }
  std::string work(const std::string& below) const { return tree_.at("w/" + below); }

  TempTree tree_;
  std::optional<GuestFiles> files_;
};

TEST_F(GuestFilesTest, TheFirstRootThatHasThePathWins) {
  EXPECT_EQ(read("/etc/one"), "r1 one");
  EXPECT_EQ(read("/etc/two"), "r2 two");
  EXPECT_EQ(read("/bin"), "a file");
  EXPECT_EQ(read("/bin/ls"), "r2 ls");
  EXPECT_EQ(read("/etc/three"), "<no such file or directory>");
}

TEST_F(GuestFilesTest, BindsWinOverWorkingDirectoryOverRoots) {
  EXPECT_EQ(read("/etc/motd"), "bound motd");
  EXPECT_EQ(read("/data/x"), "d x");
  EXPECT_EQ(read("/ro/y"), "ro y");
  EXPECT_EQ(read(work("mine")), "w mine");
  EXPECT_EQ(files_->initial_directory(), tree_.at("w"));
  EXPECT_EQ(read("/data/../etc/one"), "r1 one");
  EXPECT_EQ(read("/etc/motd/x"), "<not a directory>");
  EXPECT_EQ(read(tree_.at("d/x")), "<no such file or directory>");
}

TEST_F(GuestFilesTest, TheLongestGuestPrefixWins) {
  tree_.file("inner/z", "inner z");
  GuestFiles files = open_space(
      {.binds = {{tree_.at("d"), "/a"}, {tree_.at("inner"), "/a/b"}, {tree_.at("ro"), "/ab"}}});
  EXPECT_EQ(read_all(files, "/a/x"), "d x");
  EXPECT_EQ(read_all(files, "/a/b/z"), "inner z");
  EXPECT_EQ(read_all(files, "/ab/y"), "ro y");
  EXPECT_EQ(files.initial_directory(), "/");
}

TEST_F(GuestFilesTest, RootsAreReadOnly) {
  EXPECT_EQ(open("/etc/one", {.write = true}), "read-only");
  EXPECT_EQ(open("/etc/one", {.read = true, .create = true}), "ok");
  EXPECT_EQ(open("/etc/one", {.write = true, .create = true, .exclusive = true}), "already exists");
  EXPECT_EQ(open("/etc/new", {.write = true, .create = true}), "read-only");
  EXPECT_EQ(open("/none/new", {.write = true, .create = true}), "no such file or directory");
  EXPECT_EQ(open("/etc", {.write = true}), "is a directory");
  EXPECT_EQ(outcome(files_->make_directory(guest_path("/etc/d"), 0777)), "read-only");
  EXPECT_EQ(outcome(files_->make_directory(guest_path("/etc"), 0777)), "already exists");
  EXPECT_EQ(outcome(files_->make_symlink("one", guest_path("/etc/l"))), "read-only");
  EXPECT_EQ(outcome(files_->link(guest_path("/etc/one"), guest_path("/etc/l"))), "read-only");
  EXPECT_EQ(outcome(files_->link(guest_path("/etc/two"), guest_path("/etc/l"))), "read-only");
  EXPECT_EQ(outcome(files_->rename(guest_path("/etc/one"), guest_path("/etc/l"))), "read-only");
  EXPECT_EQ(outcome(files_->remove_file(guest_path("/etc/one"))), "read-only");
  EXPECT_EQ(outcome(files_->remove_file(guest_path("/etc/none"))), "no such file or directory");
  EXPECT_EQ(outcome(files_->truncate(guest_path("/etc/one"), 0)), "read-only");
  EXPECT_EQ(outcome(files_->change_mode(guest_path("/etc/one"), 0)), "read-only");
  EXPECT_EQ(outcome(files_->set_times(guest_path("/etc/one"), FileTime{}, FileTime{}, Follow::yes)),
            "read-only");
  EXPECT_EQ(outcome(files_->access(guest_path("/etc/one"), {.write = true})), "read-only");
  EXPECT_EQ(outcome(files_->access(guest_path("/etc/one"), {.read = true})), "ok");
  auto file = open_host_file(*files_, guest_path("/etc/one"), {.read = true, .truncate = true});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(outcome(file->change_mode(0)), "read-only");
  EXPECT_EQ(outcome(file->set_times(FileTime{}, FileTime{})), "read-only");
  EXPECT_EQ(tree_.content("r1/etc/one"), "r1 one");
}

TEST_F(GuestFilesTest, AReadOnlyBindIsReadOnly) {
  EXPECT_EQ(open("/ro/y", {.write = true}), "read-only");
  EXPECT_EQ(open("/ro/new", {.write = true, .create = true}), "read-only");
  EXPECT_EQ(outcome(files_->remove_file(guest_path("/ro/y"))), "read-only");
  EXPECT_EQ(outcome(files_->make_directory(guest_path("/ro/d"), 0777)), "read-only");
}

TEST_F(GuestFilesTest, CreatesWritesAndRemovesInTheWorkingDirectory) {
  EXPECT_EQ(outcome(files_->make_directory(guest_path(work("sub")), 07700)), "ok");
  {
    auto file = open_host_file(*files_, guest_path(work("sub/f")),
                               {.write = true, .create = true, .exclusive = true, .mode = 06755});
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(outcome(file->write(bytes_of("text"))), "ok");
    EXPECT_EQ(file->status()->permissions & ~0777u, 0u);
  }
  EXPECT_EQ(tree_.content("w/sub/f"), "text");
  struct ::stat status;
  ASSERT_EQ(::stat(work("sub/f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07000, 0u);
  EXPECT_EQ(open(work("sub/f"), {.write = true, .create = true, .exclusive = true}),
            "already exists");
  EXPECT_EQ(outcome(files_->truncate(guest_path(work("sub/f")), 2)), "ok");
  EXPECT_EQ(read(work("sub/f")), "te");
  EXPECT_EQ(open(work("sub/f"), {.write = true, .truncate = true}), "ok");
  EXPECT_EQ(read(work("sub/f")), "");
  EXPECT_EQ(outcome(files_->change_mode(guest_path(work("sub/f")), 07640)), "ok");
  EXPECT_EQ(files_->status(guest_path(work("sub/f")), Follow::yes)->permissions, 07640u);
  ASSERT_EQ(::stat(work("sub/f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u) << "set-id bits do not get to the host's file";
  EXPECT_EQ(outcome(files_->truncate(guest_path(work("sub/f")), 1)), "ok");
  EXPECT_EQ(files_->status(guest_path(work("sub/f")), Follow::yes)->permissions, 03640u)
      << "a change ends set-user-id";
  EXPECT_EQ(outcome(files_->change_mode(guest_path(work("sub")), 03755)), "ok");
  EXPECT_EQ(outcome(files_->make_directory(guest_path(work("sub/d")), 0700)), "ok");
  EXPECT_EQ(files_->status(guest_path(work("sub/d")), Follow::yes)->permissions, 02700u);
  EXPECT_EQ(outcome(files_->remove_directory(guest_path(work("sub/d")))), "ok");
  EXPECT_EQ(outcome(files_->set_times(guest_path(work("sub/f")), FileTime{1, 2}, FileTime{3, 4},
                                      Follow::no)),
            "ok");
  EXPECT_EQ(files_->status(guest_path(work("sub/f")), Follow::yes)->times.modification,
            (FileTime{3, 4}));
  EXPECT_EQ(outcome(files_->link(guest_path(work("sub/f")), guest_path(work("sub/g")))), "ok");
  EXPECT_EQ(files_->status(guest_path(work("sub/g")), Follow::no)->links, 2u);
  EXPECT_EQ(outcome(files_->remove_directory(guest_path(work("sub")))), "directory not empty");
  EXPECT_EQ(outcome(files_->remove_file(guest_path(work("sub")))), "is a directory");
  EXPECT_EQ(outcome(files_->remove_directory(guest_path(work("sub/f")))), "not a directory");
  EXPECT_EQ(outcome(files_->remove_file(guest_path(work("sub/f")))), "ok");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("sub/g")), guest_path(work("g")))), "ok");
  EXPECT_EQ(outcome(files_->remove_directory(guest_path(work("sub/.")))), "invalid argument");
  EXPECT_EQ(outcome(files_->remove_directory(guest_path(work("sub/")))), "ok");
}

TEST_F(GuestFilesTest, MountsAreDevicesOfTheirOwn) {
  const GuestPath mine = guest_path(work("mine"));
  EXPECT_EQ(outcome(files_->rename(mine, guest_path("/data/m"))), "on another device");
  EXPECT_EQ(outcome(files_->rename(mine, guest_path("/etc/m"))), "on another device");
  EXPECT_EQ(outcome(files_->rename(guest_path("/etc/one"), mine)), "on another device");
  EXPECT_EQ(outcome(files_->link(mine, guest_path("/data/m"))), "on another device");
  EXPECT_EQ(outcome(files_->link(guest_path("/data/x"), guest_path("/none/x"))),
            "no such file or directory");
  GuestFiles no_roots =
      open_space({.binds = {{tree_.at("d"), "/data"}}, .working_directory = tree_.at("w")});
  EXPECT_EQ(outcome(no_roots.link(guest_path("/data/x"), guest_path("/x"))), "on another device");
  EXPECT_EQ(outcome(no_roots.rename(guest_path("/data/x"), guest_path("/x"))), "on another device");
}

TEST_F(GuestFilesTest, MountPointsAndWhatIsAboveThemStay) {
  for (const std::string& path : {std::string("/"), std::string("/data"), std::string("/etc/motd"),
                                  tree_.at("w"), tree_.path(), std::string("/dev")}) {
    EXPECT_EQ(outcome(files_->rename(guest_path(path), guest_path(work("m")))), "busy") << path;
    EXPECT_EQ(outcome(files_->remove_file(guest_path(path))), "busy") << path;
    EXPECT_EQ(outcome(files_->remove_directory(guest_path(path))), "busy") << path;
    EXPECT_EQ(outcome(files_->make_directory(guest_path(path), 0777)), "already exists") << path;
  }
  EXPECT_EQ(outcome(files_->rename(guest_path(work("mine")), guest_path("/data"))), "busy");
}

TEST_F(GuestFilesTest, DirectoriesAboveAMountExistAndAreReadOnly) {
  const std::string above = tree_.path();
  EXPECT_EQ(files_->status(guest_path(above), Follow::yes)->type, FileType::directory);
  EXPECT_EQ(open(above, {.read = true}), "ok");
  EXPECT_EQ(open(above, {.write = true}), "is a directory");
  EXPECT_EQ(open(above + "/new", {.write = true, .create = true}), "read-only");
  EXPECT_EQ(outcome(files_->access(guest_path(above), {.read = true, .execute = true})), "ok");
  const auto entries = files_->list(guest_path(above));
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[2].name, "w");
  EXPECT_EQ((*entries)[2].inode, files_->status(guest_path(tree_.at("w")), Follow::no)->inode);
}

// The superuser's rights end here: permissions count for the owner, too.
bool become_ordinary() {
  ::__user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<::__user_cap_data_struct, 2> none = {};
  return ::syscall(SYS_capset, &header, none.data()) == 0;
}

// Reading a directory asks for read permission alone (readdir(3), path_resolution(7)).
TEST_F(GuestFilesTest, ListsWhatMayNotBeSearched) {
  tree_.file("w/closed/file", "");
  tree_.directory("w/closed/directory");
  ASSERT_EQ(::chmod(tree_.at("w/closed").c_str(), 0444), 0);
  EXPECT_EQ(in_child([&] {
              if (!become_ordinary()) return 1;
              if (files_->status(guest_path(work("closed/file")), Follow::no).ok()) return 2;
              if (outcome(files_->status(guest_path(work("closed")), Follow::no)) != "ok") return 7;
              if (files_->status(guest_path(work("closed/.")), Follow::no).ok()) return 8;
              const auto entries = files_->list(guest_path(work("closed")));
              if (!entries || entries->size() != 4) return 3;
              const DirectoryEntry &directory = (*entries)[2], &file = (*entries)[3];
              if (directory.name != "directory" || directory.type != FileType::directory) return 4;
              if (file.name != "file" || file.type != FileType::regular) return 5;
              return file.inode != 0 && file.inode != directory.inode ? 0 : 6;
            }),
            0);
  ASSERT_EQ(::chmod(tree_.at("w/closed").c_str(), 0755), 0);
}

TEST_F(GuestFilesTest, ListsWhatLookupFindsInByteOrder) {
  std::vector<std::string> names;
  const auto entries = files_->list(guest_path("/"));
  ASSERT_TRUE(entries.ok());
  for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
  const std::string top = tree_.path().substr(1, tree_.path().find('/', 1) - 1);
  std::vector<std::string> expected = {"bin", "data", "dev", "etc", "ro", top};
  std::sort(expected.begin(), expected.end());
  expected.insert(expected.begin(), {".", ".."});
  EXPECT_EQ(names, expected);
  names.clear();
  const auto etc = files_->list(guest_path("/etc"));
  for (const DirectoryEntry& entry : *etc) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{".", "..", "motd", "one", "two"}));
  EXPECT_EQ(outcome(files_->list(guest_path("/etc/one"))), "not a directory");
  EXPECT_EQ(outcome(files_->list(guest_path("/none"))), "no such file or directory");
}

TEST_F(GuestFilesTest, InodesAreStableAndInOrderOfFirstSight) {
  const auto first = files_->status(guest_path("/etc/two"), Follow::yes);
  const auto second = files_->status(guest_path("/etc/one"), Follow::yes);
  EXPECT_EQ(first->inode, 1u);
  EXPECT_EQ(second->inode, 2u);
  EXPECT_EQ(first->device, 1u);
  EXPECT_EQ(files_->status(guest_path("/etc/two"), Follow::yes)->inode, 1u);
  // A file made anew is a new file, whether or not the host reuses the inode.
  std::uint64_t last = 2;
  for (int round = 0; round < 3; ++round) {
    auto file = open_host_file(*files_, guest_path(work("t")), {.write = true, .create = true});
    EXPECT_EQ(file->status()->inode, ++last);
    EXPECT_EQ(outcome(files_->remove_file(guest_path(work("t")))), "ok");
  }
}

TEST_F(GuestFilesTest, SpecialFilesAreOurs) {
  for (const char* root_file : {"r1/dev/null", "r1/dev/zero", "r1/dev/tty", "r1/dev/console"}) {
    tree_.file(root_file, "the host's");
  }
  const auto special = [&](const char* path, const OpenOptions& options) {
    return std::get<OpenedSynthetic>(files_->open(guest_path(path), options).value());
  };
  EXPECT_EQ(special("/dev/zero", {.read = true}).status.special, SpecialFile::zero);
  const auto random = special("/dev/urandom", {.read = true});
  EXPECT_EQ(random.status.special, SpecialFile::urandom);
  EXPECT_NE(random.random_state, special("/dev/random", {.read = true}).random_state);
  for (const char* terminal : {"/dev/tty", "/dev/console"}) {
    EXPECT_EQ(open(terminal, {.read = true}), "no such device");
    EXPECT_EQ(open(terminal, {.read = true, .write = true}), "no such device");
    EXPECT_TRUE(special(terminal, {.write = true}).is_console());
  }
  EXPECT_EQ(open("/dev/null/", {.read = true}), "not a directory");
  const auto null = special("/dev/../dev/null", {.write = true, .truncate = true});
  EXPECT_EQ(null.status.special, SpecialFile::null);
  EXPECT_EQ(null.status.type, FileType::character_device);
  EXPECT_TRUE(null.rights.write && !null.rights.read);
  EXPECT_EQ(files_->status(guest_path("/dev/tty"), Follow::yes)->type, FileType::character_device);
  EXPECT_EQ(outcome(files_->remove_file(guest_path("/dev/null"))), "busy");
  EXPECT_EQ(outcome(files_->change_mode(guest_path("/dev/null"), 0)), "read-only");
  EXPECT_EQ(outcome(files_->access(guest_path("/dev/null"), {.write = true})), "ok");
  EXPECT_EQ(outcome(files_->read_link(guest_path("/dev/null"))), "invalid argument");
  EXPECT_EQ(outcome(files_->list(guest_path("/dev"))), "ok");
}

TEST_F(GuestFilesTest, SlashesAtTheEndMeanADirectory) {
  EXPECT_EQ(read(work("mine/")), "<not a directory>");
  EXPECT_EQ(read(work("mine/.")), "<not a directory>");
  EXPECT_EQ(open(work("new/"), {.write = true, .create = true}), "is a directory");
  EXPECT_EQ(outcome(files_->make_directory(guest_path(work("d/")), 0777)), "ok");
  EXPECT_EQ(outcome(files_->status(guest_path(work("d//")), Follow::no)), "ok");
  EXPECT_EQ(outcome(files_->make_symlink("mine", guest_path(work("l/")))),
            "no such file or directory");
  EXPECT_EQ(outcome(files_->link(guest_path(work("mine")), guest_path(work("l/")))),
            "no such file or directory");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("mine")), guest_path(work("n/")))),
            "not a directory");
  EXPECT_EQ(outcome(files_->rename(guest_path(work("d/")), guest_path(work("e/")))), "ok");
  EXPECT_EQ(outcome(files_->remove_file(guest_path(work("mine/")))), "not a directory");
}

TEST_F(GuestFilesTest, LinksAreReadMadeAndFollowed) {
  EXPECT_EQ(outcome(files_->make_symlink("mine", guest_path(work("l")))), "ok");
  EXPECT_EQ(read(work("l")), "w mine");
  EXPECT_EQ(files_->read_link(guest_path(work("l"))).value(), "mine");
  EXPECT_EQ(files_->status(guest_path(work("l")), Follow::no)->type, FileType::symlink);
  EXPECT_EQ(files_->status(guest_path(work("l")), Follow::yes)->type, FileType::regular);
  EXPECT_EQ(open(work("l"), {.read = true, .no_follow = true}), "too many symbolic links");
  EXPECT_EQ(outcome(files_->read_link(guest_path(work("mine")))), "invalid argument");
  EXPECT_EQ(outcome(files_->make_symlink("", guest_path(work("m")))), "no such file or directory");
  EXPECT_EQ(outcome(files_->make_symlink(std::string(5000, 'x'), guest_path(work("m")))),
            "name too long");
  // Creating through a dangling link makes its target; O_EXCL does not (open(2)).
  EXPECT_EQ(outcome(files_->make_symlink("sub/../made", guest_path(work("dangling")))), "ok");
  EXPECT_EQ(open(work("dangling"), {.write = true, .create = true, .exclusive = true}),
            "already exists");
  EXPECT_EQ(open(work("dangling"), {.write = true, .create = true}), "ok");
  EXPECT_TRUE(std::filesystem::is_regular_file(work("made")));
  // unlink takes the link, not its target (unlink(2)).
  EXPECT_EQ(outcome(files_->remove_file(guest_path(work("l")))), "ok");
  EXPECT_EQ(read(work("mine")), "w mine");
}

TEST_F(GuestFilesTest, BoundSingleFilesAreWritable) {
  EXPECT_EQ(open("/etc/motd", {.write = true, .truncate = true}), "ok");
  EXPECT_EQ(tree_.content("motd"), "");
  EXPECT_EQ(tree_.content("r1/etc/motd"), "r1 motd");
}

// getcwd(3), POSIX.1: the working directory's name has no symbolic link in it.
TEST_F(GuestFilesTest, FindsADirectoryWithoutItsLinks) {
  tree_.directory("w/real/inner");
  tree_.link("w/short", "real/inner");
  const auto found = files_->find_directory(guest_path(work("short")));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->text(), work("real/inner"));
  EXPECT_EQ(files_->find_directory(guest_path("/etc/../data"))->text(), "/data");
  EXPECT_EQ(files_->find_directory(guest_path("/dev"))->text(), "/dev");
  EXPECT_EQ(outcome(files_->find_directory(guest_path("/data/x"))), "not a directory");
  EXPECT_EQ(outcome(files_->find_directory(guest_path("/dev/null"))), "not a directory");
  EXPECT_EQ(outcome(files_->find_directory(guest_path("/none"))), "no such file or directory");
}

TEST_F(GuestFilesTest, AnOpenFileKnowsWhatItIs) {
  const auto file = open_host_file(*files_, guest_path("/data/x"), {.read = true, .write = true});
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->is_regular());
  EXPECT_FALSE(file->is_directory());
  EXPECT_TRUE(file->rights().read && file->rights().write);
  for (const char* path : {"/data", "/dev"}) {
    const auto directory = files_->open(guest_path(path), {.read = true});
    ASSERT_TRUE(directory.ok()) << path;
    const auto is_directory = [](const auto& opened) { return opened.is_directory(); };
    EXPECT_TRUE(std::visit(is_directory, *directory)) << path;
  }
}

// stat(2): a file belongs to the user that made it, who runs this test.
TEST_F(GuestFilesTest, StatusTellsTheHostUsersOwnFiles) {
  const auto status = files_->status(guest_path("/data/x"), Follow::yes);
  ASSERT_TRUE(status.ok());
  EXPECT_TRUE(status->is_own_owner);
  const auto device = files_->status(guest_path("/dev/null"), Follow::yes);
  ASSERT_TRUE(device.ok());
  EXPECT_FALSE(device->is_own_owner);
}

TEST(FileRecords, UnnamedObjectsHaveNumbersOfTheirOwn) {
  FileRecords numbers;
  const std::uint64_t first = numbers.number(HostIdentity{1, 1});
  const std::uint64_t pipe = numbers.unnamed();
  EXPECT_NE(pipe, first);
  EXPECT_NE(numbers.unnamed(), pipe);
  EXPECT_EQ(numbers.number(HostIdentity{1, 1}), first);
}

// Without a tree of made files, too.
TEST(GuestFilesLinks, OfTheWorkingDirectoryLeadToDevices) {
  TempTree tree;
  tree.link("w/nothing", "/dev/null");
  GuestFiles files =
      open_space({.working_directory = tree.at("w"), .working_directory_writable = true});
  const auto status = files.status(guest_path(tree.at("w/nothing")), Follow::yes);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(status->type, FileType::character_device);
  EXPECT_TRUE(files.open(guest_path(tree.at("w/nothing")), {.write = true}));
}

}  // namespace
}  // namespace hardclock::host
