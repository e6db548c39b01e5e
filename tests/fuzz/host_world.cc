#include "tests/fuzz/host_world.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hardclock::fuzzing {
namespace {

namespace fs = std::filesystem;

constexpr std::array writable_places = {"work", "bound", "tmp"};
constexpr std::array read_only_places = {"root", "readonly"};

std::string temporary_folder() {
  constexpr const char* in_memory = "/dev/shm";
  if (::access(in_memory, W_OK | X_OK) == 0) return in_memory;
  for (const char* const name : {"TEST_TMPDIR", "TMPDIR"}) {
    if (const char* const value = std::getenv(name)) return value;
  }
  return "/tmp";
}

void put_file(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

// The lowest descriptor that is free.
int probe_descriptor() {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor;
}

bool same_time(const ::timespec& a, const ::timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool is_same(const struct ::stat& a, const struct ::stat& b, bool read_too) {
  return a.st_ino == b.st_ino && a.st_mode == b.st_mode && a.st_nlink == b.st_nlink &&
         a.st_uid == b.st_uid && a.st_gid == b.st_gid && a.st_size == b.st_size &&
         same_time(a.st_mtim, b.st_mtim) && same_time(a.st_ctim, b.st_ctim) &&
         (!read_too || same_time(a.st_atim, b.st_atim));
}

}  // namespace

void fail(const std::string& what) {
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void put_program(const std::string& path, std::string_view content) {
  put_file(path, content);
  fs::permissions(path, fs::perms::owner_all);
}

HostWorld::HostWorld() {
  std::string name = temporary_folder() + "/hardclock-fuzz-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) fail("no temporary directory " + name);
  // The real path: a working directory is visible at the path by which the kernel knows it.
  path_ = fs::canonical(name).string();
  fs::create_directories(at("outside/d"));
  put_file(secret_path(), secret);
  put_file(at("outside/d/f"), secret);
  for (const char* const place : writable_places) fs::create_directory(at(place));
  for (const char* const place : read_only_places) {
    fs::create_directory(at(place));
    make_tree(place);
  }
  guard(".", false);
  for (const char* const place : read_only_places) {
    for (const char* const below : {"", "/f", "/d", "/d/g", "/l", "/up", "/abs"}) {
      guard(place + std::string(below), false);
    }
  }
  for (const char* const below : {"outside", "outside/secret", "outside/d", "outside/d/f"}) {
    guard(below, true);
  }
  // The host's clock for files ticks a few hundred times a second.
  ::usleep(50'000);
}

HostWorld::~HostWorld() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

host::FileSpace HostWorld::space() const {
  return {.roots = {at("root")},
          .binds = {{at("bound"), "/b", true}, {at("readonly"), "/r", false}},
          .working_directory = at("work"),
          .scratch = host::OwnDirectory::at(at("tmp"))};
}

void HostWorld::make_tree(const std::string& below) const {
  const std::string top = at(below);
  put_file(top + "/f", "a file of the guest's\n");
  fs::create_directory(top + "/d");
  put_file(top + "/d/g", "another one\n");
  fs::create_symlink("f", top + "/l");
  fs::create_symlink("../outside/secret", top + "/up");
  fs::create_symlink(secret_path(), top + "/abs");
}

void HostWorld::restore() const {
  for (const char* const place : writable_places) {
    const std::string top = at(place);
    fs::permissions(top, fs::perms::owner_all);
    for (const auto& entry : fs::directory_iterator(top)) fs::remove_all(entry.path());
    make_tree(place);
  }
}

// A read changes the access time, unless the host does not keep it, where that is before the last
// change (mount(8), relatime).
void HostWorld::guard(const std::string& below, bool from_reading) {
  Guarded guarded{at(below), from_reading, {}};
  const std::array<::timespec, 2> times = {::timespec{1, 0}, ::timespec{0, UTIME_OMIT}};
  if (::utimensat(AT_FDCWD, guarded.path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0 ||
      ::lstat(guarded.path.c_str(), &guarded.status) != 0) {
    fail("cannot guard " + guarded.path);
  }
  guarded_.push_back(std::move(guarded));
}

void HostWorld::watch_descriptors() {
  next_descriptor_ = probe_descriptor();
}

std::string HostWorld::damage() const {
  for (const Guarded& guarded : guarded_) {
    struct ::stat status;
    if (::lstat(guarded.path.c_str(), &status) != 0 ||
        !is_same(guarded.status, status, guarded.from_reading)) {
      return "a guest changed or read " + guarded.path;
    }
  }
  return probe_descriptor() == next_descriptor_ ? "" : "host descriptors are left open";
}

}  // namespace hardclock::fuzzing
