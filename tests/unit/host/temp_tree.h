// Real directories below a fresh temporary directory, for tests of the host door.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "syscalls/host/guest_files.h"

namespace hardclock::host {

class TempTree {
 public:
  TempTree() {
    std::string name = ::testing::TempDir() + "/hardclock-host-XXXXXX";
    // The real path: a working directory is visible at the path by which the kernel knows it.
    path_ = std::filesystem::canonical(::mkdtemp(name.data())).string();
  }
  TempTree(const TempTree&) = delete;
  ~TempTree() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string at(std::string_view below) const { return path_ + "/" + std::string(below); }
  std::string directory(std::string_view below) const {
    std::filesystem::create_directories(at(below));
    return at(below);
  }
  std::string file(std::string_view below, std::string_view content) const {
    std::filesystem::create_directories(std::filesystem::path(at(below)).parent_path());
    std::ofstream(at(below), std::ios::binary) << content;
    return at(below);
  }
  std::string link(std::string_view below, const std::string& target) const {
    std::filesystem::create_directories(std::filesystem::path(at(below)).parent_path());
    std::filesystem::create_symlink(target, at(below));
    return at(below);
  }
  std::string content(std::string_view below) const {
    std::ifstream file(at(below), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::string path_;
};

inline GuestPath guest_path(std::string_view path, std::string_view directory = "/") {
  return GuestPath::parse(directory, path).value();
}

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// "ok", or the words for the error: what a failed expectation prints.
template <class T>
std::string outcome(const HostResult<T>& result) {
  return result ? "ok" : describe(result.error());
}

// For a path that means a file of the host.
inline HostResult<HostFile> open_host_file(GuestFiles& files, const GuestPath& path,
                                           const OpenOptions& options) {
  auto file = files.open(path, options);
  if (!file) return Failure{file.error()};
  return std::get<HostFile>(*std::move(file));
}

// What the guest reads from a file of the host or of text, or the words for the error in angle
// brackets.
inline std::string read_all(GuestFiles& files, std::string_view path) {
  auto file = files.open(guest_path(path), {.read = true});
  if (!file) return std::string("<") + describe(file.error()) + ">";
  if (const auto* const synthetic = std::get_if<OpenedSynthetic>(&*file)) return *synthetic->text;
  std::uint8_t buffer[4096];
  const auto size = std::get<HostFile>(*file).read(buffer);
  if (!size) return std::string("<") + describe(size.error()) + ">";
  return {reinterpret_cast<const char*>(buffer), *size};
}

inline constexpr OpenOptions create_it{.write = true, .create = true};

inline GuestFiles open_space(const FileSpace& space) {
  auto files = GuestFiles::create(space);
  if (!files) ADD_FAILURE() << files.error();
  return std::move(files).value();
}

}  // namespace hardclock::host
