// Random paths never reach an object outside of the configured trees. The oracle is the set of all
// (st_dev, st_ino) below those trees, collected with std::filesystem and lstat(2).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

void collect(const std::string& path, std::set<HostIdentity>& identities) {
  struct ::stat status;
  if (::lstat(path.c_str(), &status) != 0) return;
  identities.insert({status.st_dev, status.st_ino});
  if (!S_ISDIR(status.st_mode)) return;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    collect(entry.path().string(), identities);
  }
}

// The same names inside and outside, and links of every kind at every level.
struct World {
  World() {
    for (const std::string at : {"", "r1/", "r2/", "w/", "w/a/", "w/b/", "bound/", "r1/b/", "c/"}) {
      tree.file(at + "a/b/c/f", "f");
      tree.file(at + "b/a/f", "f");
      tree.file(at + "f", "f");
      tree.link(at + "up", "..");
      tree.link(at + "to_b", "b");
      tree.link(at + "far", "../../../../../..");
      tree.link(at + "root", "/");
      tree.link(at + "out", tree.at("f"));
      tree.link(at + "down", "a/b");
      tree.link(at + "a/around", "../b");
      tree.link(at + "a/chain", "around/../up");
      tree.link(at + "b/proc", "/proc/self/root");
      tree.link(at + "b/new", "../../../made");
    }
    space = {.roots = {tree.at("r1"), tree.at("r2")},
             .binds = {{tree.at("bound"), "/c"},
                       {tree.at("w/b"), tree.at("w/b"), false},
                       {tree.at("w/a/b"), "/a/b", false}},
             .working_directory = tree.at("w")};
    for (const char* name : {"r1", "r2", "w", "bound"}) collect(tree.at(name), inside);
    collect(tree.at("w/b"), read_only);
    collect(tree.at("w/a/b"), read_only);
    collect(tree.at("r1"), read_only);
    collect(tree.at("r2"), read_only);
  }

  TempTree tree;
  FileSpace space;
  std::set<HostIdentity> inside;
  std::set<HostIdentity> read_only;
};

World& world() {
  static World instance;
  return instance;
}

rc::Gen<std::string> any_path() {
  // The frequent names exist in every tree, so that many paths lead somewhere.
  const auto part = rc::gen::weightedOneOf<std::string>(
      {{4, rc::gen::element<std::string>("a", "b", "f", "..", "up", "down", "around", "to_b")},
       {1, rc::gen::element<std::string>("c", ".", "", "far", "root", "out", "chain", "proc", "new",
                                         "w", "dev", "null", "made")}});
  return rc::gen::map(
      rc::gen::pair(rc::gen::arbitrary<bool>(),
                    rc::gen::resize(8, rc::gen::container<std::vector<std::string>>(part))),
      [](const std::pair<bool, std::vector<std::string>>& parts) {
        std::string path = parts.first ? "/" : "";
        for (const std::string& name : parts.second) path += name + "/";
        if (!parts.second.empty() && !parts.second.back().empty()) path.pop_back();
        return path;
      });
}

// Twenty of them, as a guest in its initial directory would write them.
std::vector<GuestPath> any_paths(const GuestFiles& files) {
  std::vector<GuestPath> paths;
  for (const std::string& text : *rc::gen::container<std::vector<std::string>>(20, any_path())) {
    const auto path = GuestPath::parse(files.initial_directory(), text);
    if (path) paths.push_back(*path);
  }
  return paths;
}

RC_GTEST_PROP(Confinement, NoPathOpensAnythingOutside, ()) {
  GuestFiles files = open_space(world().space);
  for (const GuestPath& path : any_paths(files)) {
    const auto opened = files.open(path, {.read = true});
    const auto* const file = opened ? std::get_if<HostFile>(&*opened) : nullptr;
    if (file == nullptr) continue;
    RC_ASSERT(world().inside.contains(file->identity()));
  }
}

RC_GTEST_PROP(Confinement, NoPathOpensAReadOnlyFileForWriting, ()) {
  GuestFiles files = open_space(world().space);
  for (const GuestPath& path : any_paths(files)) {
    const auto opened = files.open(path, {.write = true});
    const auto* const file = opened ? std::get_if<HostFile>(&*opened) : nullptr;
    if (file == nullptr) continue;
    RC_ASSERT(world().inside.contains(file->identity()));
    RC_ASSERT(!world().read_only.contains(file->identity()));
  }
}

// A guest that has seen every file inside gives a new number only to a file outside.
RC_GTEST_PROP(Confinement, NoPathShowsTheStatusOfAnythingOutside, ()) {
  GuestFiles files = open_space(world().space);
  std::uint64_t last = 0;
  for (const HostIdentity& identity : world().inside) {
    last = files.records()->number(identity);
  }
  for (const GuestPath& path : any_paths(files)) {
    for (const Follow follow : {Follow::no, Follow::yes}) {
      const auto status = files.status(path, follow);
      if (!status || status->inode <= last) continue;
      // Directories above mounts and special files have no host object: numbered by path, which
      // links may lead to.
      const auto real = files.find_directory(path);
      RC_ASSERT(status->inode == files.records()->number(path.text()) ||
                (real && status->inode == files.records()->number(real->text())));
    }
  }
}

// The path and type of everything outside of the writable trees.
std::vector<std::string> inventory(const TempTree& tree) {
  std::vector<std::string> all;
  for (const auto& top : std::filesystem::directory_iterator(tree.path())) {
    all.push_back(top.path().string());
  }
  for (const char* below : {"a", "b", "c", "r1", "r2", "w/b", "w/a/b"}) {
    all.push_back(tree.at(below));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree.at(below))) {
      all.push_back(entry.path().string());
      if (entry.is_symlink()) all.back() += " -> " + std::filesystem::read_symlink(entry).string();
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

void change_something(GuestFiles& files, const GuestPath& path, const GuestPath& other,
                      const std::string& target) {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      (void)files.open(path, {.write = true, .create = true});
      break;
    case 1:
      (void)files.make_directory(path, 0777);
      break;
    case 2:
      (void)files.rename(path, other);
      break;
    case 3:
      (void)files.link(path, other);
      break;
    case 4:
      (void)files.make_symlink(target, path);
      break;
    case 5:
      (void)files.remove_directory(path);
      break;
    default:
      (void)files.remove_file(path);
      break;
  }
}

// Whatever the guest does, no name appears or vanishes outside or in the read-only trees. A fresh
// world each time, so that a counterexample can be repeated and shrunk.
RC_GTEST_PROP(Confinement, NoOperationsChangeAnythingOutside, ()) {
  const World changed;
  const std::vector<std::string> before = inventory(changed.tree);
  GuestFiles files = open_space(changed.space);
  const int operations = *rc::gen::inRange(1, 40);
  for (int i = 0; i < operations; ++i) {
    const std::string target = *any_path();
    const auto path = GuestPath::parse(files.initial_directory(), *any_path());
    const auto other = GuestPath::parse(files.initial_directory(), target);
    if (path && other) change_something(files, *path, *other, target);
  }
  RC_ASSERT(inventory(changed.tree) == before);
}

}  // namespace
}  // namespace hardclock::host
