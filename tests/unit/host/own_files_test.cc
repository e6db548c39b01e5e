// The files that one system's guests have and others' have not: /dev/full and /dev/shm.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

class OwnFilesTest : public ::testing::Test {
 protected:
  OwnFilesTest() {
    for (const char* name : {"r", "tmp", "shm", "w"}) tree_.directory(name);
    tree_.file("r/dev/shm/of_root", "the root's");
    tree_.file("w/mine", "mine");
  }

  FileSpace space() const {
    return {.roots = {tree_.at("r")},
            .working_directory = tree_.at("w"),
            .scratch = OwnDirectory::at(tree_.at("tmp")),
            .shared_memory = OwnDirectory::at(tree_.at("shm")),
            .has_full_device = true};
  }
  static std::vector<std::string> names(GuestFiles& files, const char* path) {
    std::vector<std::string> names;
    const auto entries = files.list(guest_path(path));
    if (!entries) return {describe(entries.error())};
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }
  static std::uint64_t device(GuestFiles& files, const std::string& path) {
    const auto status = files.status(guest_path(path), Follow::no);
    return status ? status->device : 0;
  }
  std::string work(const std::string& name) const { return tree_.at("w/" + name); }

  TempTree tree_;
};

TEST_F(OwnFilesTest, TheFullDeviceIsThere) {
  GuestFiles files = open_space(space());
  const auto full = files.open(guest_path("/dev/full"), {.read = true, .write = true});
  ASSERT_TRUE(full.ok());
  EXPECT_EQ(std::get<OpenedSynthetic>(*full).status.special, SpecialFile::full);
  const auto listed = names(files, "/dev");
  EXPECT_EQ(std::ranges::count(listed, "full"), 1);
}

TEST_F(OwnFilesTest, NoneIsThereWithoutBeingAskedFor) {
  GuestFiles files = open_space({.roots = {tree_.at("r")}});
  EXPECT_EQ(read_all(files, "/dev/full"), "<no such file or directory>");
  const auto listed = names(files, "/dev");
  EXPECT_EQ(std::ranges::count(listed, "full"), 0);
  EXPECT_EQ(read_all(files, "/dev/shm/of_root"), "the root's");
  EXPECT_EQ(device(files, "/dev/shm"), common_device);
}

TEST_F(OwnFilesTest, SharedMemoryIsAFileSystemOfItsOwn) {
  GuestFiles files = open_space(space());
  EXPECT_EQ(names(files, "/dev/shm"), (std::vector<std::string>{".", ".."}));
  EXPECT_EQ(device(files, "/dev/shm"), shared_memory_device);
  EXPECT_EQ(device(files, "/dev"), common_device);
  EXPECT_EQ(device(files, "/tmp"), common_device);
  auto file = open_host_file(files, guest_path("/dev/shm/f"), create_it);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->status()->device, shared_memory_device);
  EXPECT_EQ(outcome(file->write(bytes_of("text"))), "ok");
  EXPECT_EQ(file->open_again({.read = true}).value()->status()->device, shared_memory_device);
  EXPECT_EQ(outcome(files.make_directory(guest_path("/dev/shm/d"), 0755)), "ok");
  EXPECT_EQ(outcome(files.make_node(guest_path("/dev/shm/d/fifo"), FileType::fifo, 0600)), "ok");
  EXPECT_EQ(files.find_node(guest_path("/dev/shm/d/fifo"), Follow::no)->status.device,
            shared_memory_device);
  EXPECT_EQ(tree_.content("shm/f"), "text");
}

TEST_F(OwnFilesTest, NoNameCrossesItsBorder) {
  GuestFiles files = open_space(space());
  EXPECT_EQ(outcome(files.open(guest_path("/dev/shm/f"), create_it)), "ok");
  for (const std::string& outside : {work("new"), std::string("/tmp/new")}) {
    EXPECT_EQ(outcome(files.rename(guest_path("/dev/shm/f"), guest_path(outside))),
              "on another device");
    EXPECT_EQ(outcome(files.link(guest_path("/dev/shm/f"), guest_path(outside))),
              "on another device");
  }
  EXPECT_EQ(outcome(files.rename(guest_path(work("mine")), guest_path("/dev/shm/g"))),
            "on another device");
  EXPECT_EQ(outcome(files.link(guest_path(work("mine")), guest_path("/dev/shm/g"))),
            "on another device");
  EXPECT_EQ(outcome(files.rename(guest_path("/dev/shm/f"), guest_path("/dev/shm/g"))), "ok");
  EXPECT_EQ(outcome(files.make_symlink("/dev/shm/g", guest_path(work("link")))), "ok");
  EXPECT_EQ(outcome(files.open(guest_path(work("link")), {.read = true})), "ok");
  EXPECT_EQ(outcome(files.remove_directory(guest_path("/dev/shm"))), "busy");
}

TEST_F(OwnFilesTest, ABindOrTheWorkingDirectoryCoversIt) {
  tree_.file("bound/b", "bound");
  FileSpace with_bind = space();
  with_bind.binds = {{tree_.at("bound"), "/dev/shm"}};
  GuestFiles files = open_space(with_bind);
  EXPECT_EQ(read_all(files, "/dev/shm/b"), "bound");
  EXPECT_EQ(device(files, "/dev/shm"), common_device);
  with_bind.binds = {{tree_.at("bound"), "/dev/shm/below"}};
  GuestFiles below = open_space(with_bind);
  EXPECT_EQ(read_all(below, "/dev/shm/below/b"), "bound");
  EXPECT_EQ(outcome(below.open(guest_path("/dev/shm/f"), create_it)), "ok");
  EXPECT_EQ(names(below, "/dev/shm"), (std::vector<std::string>{".", "..", "below", "f"}));
  with_bind.binds = {{tree_.at("bound"), "/dev/full"}};
  const auto refused = GuestFiles::create(with_bind);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().find("provides that file itself"), std::string::npos);
}

TEST_F(OwnFilesTest, TheLimitOfTheDiskCountsIt) {
  FileSpace small = space();
  small.limits.disk = 4096 * 3;
  GuestFiles files = open_space(small);
  auto file = open_host_file(files, guest_path("/dev/shm/f"), create_it);
  ASSERT_TRUE(file.ok());
  const std::vector<std::uint8_t> block(4096);
  EXPECT_EQ(outcome(file->write(block)), "ok");
  EXPECT_EQ(outcome(file->write(block)), "ok");
  EXPECT_EQ(outcome(file->write(block)), "no space left");
}

}  // namespace
}  // namespace hardclock::host
