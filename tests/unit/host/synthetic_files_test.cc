#include "syscalls/host/synthetic_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

// What has no path of its own.
class Unnamed final : public LinkedObject {
 public:
  HostResult<FileStatus> status() const override {
    FileStatus status;
    status.type = FileType::fifo;
    status.permissions = 0600;
    status.is_own_owner = true;
    return status;
  }
};

class FewFiles final : public SyntheticFiles {
 public:
  std::string_view root() const override { return "/made"; }
  std::optional<SyntheticFile> find(std::string_view path) const override {
    const auto link = [](std::string to) {
      return SyntheticFile{FileType::symlink, 0777, std::move(to)};
    };
    if (path.empty()) return SyntheticFile{FileType::directory, 0555, {}, {"d", "out", "text"}};
    if (path == "text") return SyntheticFile{.content = "made " + std::to_string(++looks_)};
    if (path == "d") return SyntheticFile{FileType::directory, 0555, {}, {"up"}};
    if (path == "d/up") return link("../text");
    if (path == "out") return link("/etc");
    if (path == "loop") return link("loop");
    if (path == "object") {
      return SyntheticFile{.type = FileType::symlink, .content = "fifo:[1]", .object = object};
    }
    return std::nullopt;
  }
  std::span<const SyntheticLink> links() const override {
    static constexpr SyntheticLink all[] = {{"/etc/up", "/made/d/up"}, {"/etc/d", "../made/d"}};
    return all;
  }
  std::shared_ptr<const std::string> keep(std::string content) const override {
    return has_memory ? std::make_shared<const std::string>(std::move(content)) : nullptr;
  }

  bool has_memory = true;
  std::shared_ptr<LinkedObject> object = std::make_shared<Unnamed>();

 private:
  mutable int looks_ = 0;
};

// The tree in place of what a root has there.
class SyntheticFilesTest : public ::testing::Test {
 protected:
  SyntheticFilesTest() {
    tree_.file("r/made/hidden", "the root's");
    tree_.file("r/etc/one", "one");
    files_.emplace(open_space({.roots = {tree_.at("r")}}));
    files_->show(std::make_shared<FewFiles>());
  }
  std::string read(const std::string& path) { return read_all(*files_, path); }

  TempTree tree_;
  std::optional<GuestFiles> files_;
};

TEST_F(SyntheticFilesTest, HidesTheRootsFilesAndIsMadeAtEachOpening) {
  EXPECT_EQ(read("/made/text"), "made 1");
  EXPECT_EQ(read("/made/text"), "made 2");
  EXPECT_EQ(files_->status(guest_path("/made/hidden"), Follow::yes).error(), Error::not_found);
  files_->show(nullptr);
  EXPECT_EQ(read("/made/hidden"), "the root's");
}

TEST_F(SyntheticFilesTest, LinksLeadAroundInItAndOutOfIt) {
  EXPECT_EQ(read("/made/d/up").substr(0, 4), "made");
  EXPECT_EQ(read("/made/out/one"), "one");
  EXPECT_EQ(*files_->read_link(guest_path("/made/out")), "/etc");
  EXPECT_EQ(files_->find_directory(guest_path("/made/out"))->text(), "/etc");
  EXPECT_EQ(files_->without_synthetic_links(guest_path("/made/out/one")).text(), "/etc/one");
  EXPECT_EQ(files_->without_synthetic_links(guest_path("/etc/one")).text(), "/etc/one");
  EXPECT_EQ(files_->status(guest_path("/made/loop"), Follow::yes).error(), Error::loop);
  EXPECT_EQ(files_->status(guest_path("/made/loop"), Follow::no)->type, FileType::symlink);
}

// proc(5), /proc/PID/fd: links that lead to open files, whatever their text says.
TEST_F(SyntheticFilesTest, ALinkLeadsToAnObjectWithoutAPath) {
  const GuestPath path = guest_path("/made/object");
  EXPECT_EQ(files_->status(path, Follow::no)->type, FileType::symlink);
  EXPECT_EQ(files_->status(path, Follow::yes)->type, FileType::fifo);
  EXPECT_EQ(*files_->read_link(path), "fifo:[1]");
  EXPECT_NE(files_->find_node(path, Follow::yes)->object, nullptr);
  EXPECT_FALSE(files_->find_node(path, Follow::no));
  EXPECT_TRUE(files_->access(path, {.read = true, .write = true}));
  EXPECT_EQ(files_->access(path, {.execute = true}).error(), Error::access);
  EXPECT_EQ(files_->open(path, {.read = true}).error(), Error::no_device);
  EXPECT_EQ(files_->find_directory(path).error(), Error::not_directory);
  EXPECT_EQ(files_->status(guest_path("/made/object/"), Follow::yes).error(), Error::not_directory);
}

// Links of every guest, as Linux's /dev/fd is one.
TEST_F(SyntheticFilesTest, LinksLeadIntoItFromOutside) {
  EXPECT_EQ(read("/etc/up").substr(0, 4), "made");
  EXPECT_EQ(read("/etc/d/up").substr(0, 4), "made");
  EXPECT_EQ(read("/etc/one"), "one");
  EXPECT_EQ(*files_->read_link(guest_path("/etc/d")), "../made/d");
  EXPECT_EQ(files_->status(guest_path("/etc/d"), Follow::no)->type, FileType::symlink);
  EXPECT_EQ(files_->status(guest_path("/etc/d/"), Follow::no)->type, FileType::directory);
  EXPECT_EQ(files_->remove_file(guest_path("/etc/d")).error(), Error::not_permitted);
  const auto entries = files_->list(guest_path("/etc"));
  ASSERT_TRUE(entries.ok());
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{".", "..", "d", "one", "up"}));
}

// path_resolution(7): a link leads where its text says, also to what no mount has.
TEST_F(SyntheticFilesTest, LinksOfAMountLeadToFilesOfOurs) {
  tree_.file("w/file", "");
  tree_.link("w/nothing", "/dev/null");
  tree_.link("w/chain", "nothing");
  tree_.link("w/devices", "/dev");
  tree_.link("w/text", "/made/d/up");
  tree_.link("w/made", "/made");
  tree_.file("r/dev/null", "the root's");
  tree_.link("r/etc/nothing", "/dev/null");
  files_.emplace(open_space({.roots = {tree_.at("r")},
                             .working_directory = tree_.at("w"),
                             .working_directory_writable = true}));
  files_->show(std::make_shared<FewFiles>());
  for (const std::string name : {"w/nothing", "w/chain", "w/devices/null"}) {
    const GuestPath path = guest_path(tree_.at(name));
    EXPECT_EQ(files_->status(path, Follow::yes)->type, FileType::character_device) << name;
    EXPECT_TRUE(files_->open(path, {.write = true, .create = true, .truncate = true})) << name;
    EXPECT_EQ(files_->change_mode(path, 0).error(), Error::read_only) << name;
  }
  const auto type = [&](const std::string& path) {
    return files_->status(guest_path(path), Follow::yes)->type;
  };
  EXPECT_EQ(type("/etc/nothing"), FileType::character_device);
  EXPECT_EQ(read(tree_.at("w/text")).substr(0, 4), "made");
  EXPECT_EQ(read(tree_.at("w/made/text")).substr(0, 4), "made");
  const GuestPath inside = guest_path(tree_.at("w/made/new"));
  EXPECT_EQ(files_->make_directory(inside, 0777).error(), Error::not_found);
  EXPECT_EQ(files_->status(guest_path(tree_.at("w/nothing/")), Follow::yes).error(),
            Error::not_directory);
  EXPECT_TRUE(files_->remove_file(guest_path(tree_.at("w/nothing"))));
}

TEST_F(SyntheticFilesTest, IsListed) {
  const auto names = [&](const std::string& path) {
    std::vector<std::string> all;
    const auto entries = files_->list(guest_path(path));
    EXPECT_TRUE(entries.ok());
    if (!entries.ok()) return all;
    for (const DirectoryEntry& entry : *entries) all.push_back(entry.name);
    return all;
  };
  EXPECT_EQ(names("/made"), (std::vector<std::string>{".", "..", "d", "out", "text"}));
  const auto root = names("/");
  EXPECT_EQ(std::ranges::count(root, "made"), 1);
  tree_.file("s/x", "");
  files_.emplace(open_space({.roots = {tree_.at("s")}}));
  files_->show(std::make_shared<FewFiles>());
  EXPECT_EQ(std::ranges::count(names("/"), "made"), 1);  // a root without it
}

TEST_F(SyntheticFilesTest, IsForReadingAlone) {
  const auto open = [&](const std::string& path, const OpenOptions& options) {
    return files_->open(guest_path(path), options).error();
  };
  EXPECT_EQ(open("/made/text", {.read = true, .write = true}), Error::access);
  EXPECT_EQ(open("/made/d", {.write = true}), Error::is_directory);
  EXPECT_EQ(open("/made/new", {.write = true, .create = true}), Error::not_found);
  EXPECT_EQ(open("/made/text", {.read = true, .create = true, .exclusive = true}), Error::exists);
  EXPECT_EQ(open("/made/text", {.read = true, .directory = true}), Error::not_directory);
  EXPECT_EQ(open("/made/d/up", {.read = true, .no_follow = true}), Error::loop);
  EXPECT_EQ(open("/made/text/x", {.read = true}), Error::not_directory);
  EXPECT_EQ(files_->make_directory(guest_path("/made/new"), 0777).error(), Error::not_found);
  EXPECT_EQ(files_->make_directory(guest_path("/made/d"), 0777).error(), Error::exists);
  EXPECT_EQ(files_->remove_file(guest_path("/made/text")).error(), Error::not_permitted);
  EXPECT_EQ(files_->change_mode(guest_path("/made/text"), 0777).error(), Error::not_permitted);
  EXPECT_TRUE(files_->access(guest_path("/made/text"), {.read = true}));
  EXPECT_EQ(files_->access(guest_path("/made/text"), {.write = true}).error(), Error::access);
}

TEST_F(SyntheticFilesTest, OpensOnlyWhatThereIsMemoryFor) {
  auto few = std::make_shared<FewFiles>();
  few->has_memory = false;
  files_->show(few);
  EXPECT_EQ(files_->open(guest_path("/made/text"), {.read = true}).error(), Error::no_memory);
  EXPECT_TRUE(files_->status(guest_path("/made/text"), Follow::yes));
}

}  // namespace
}  // namespace hardclock::host
