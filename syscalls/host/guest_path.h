// A guest's path name, made absolute and normalised.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "syscalls/host/error.h"

namespace hardclock::host {

class HeldDirectory;

// Normalising is lexical: "a/.." disappears whether or not a exists or is a symbolic link, and ".."
// at the root stays at the root. That differs from a kernel only where a is missing, is not a
// directory, or is a link to a directory elsewhere; it makes the choice of the mount independent of
// the files' contents.
class GuestPath {
 public:
  static constexpr std::size_t max_length =
      4095;  // bytes of a guest's words, Linux PATH_MAX minus its NUL
  // Of a path from the root, as relative paths of that length add up to: what it takes is memory.
  static constexpr std::size_t max_whole_length = 128 << 10;
  static constexpr std::size_t max_name_length = 255;  // bytes in one component

  GuestPath() = default;  // "/"

  // `path` relative to `directory`, which is absolute. An empty path is not_found (POSIX.1 4.13,
  // Pathname Resolution); a path with a NUL in it is invalid.
  static HostResult<GuestPath> parse(std::string_view directory, std::string_view path);
  // The same for a path that may be as long as a whole one.
  static HostResult<GuestPath> parse_long(std::string_view directory, std::string_view path);
  // `path` relative to a directory that is held, which is not nullptr: unless the path leads out of
  // it, it is looked up from there, not from the root.
  static HostResult<GuestPath> parse(const std::shared_ptr<const HeldDirectory>& directory,
                                     std::string_view path);
  // The directory itself, without asking whether it can be searched.
  static GuestPath of_held(std::shared_ptr<const HeldDirectory> directory);

  // Absolute, "/" or without a slash at its end; no "." or "..", no empty component.
  const std::string& text() const { return text_; }
  // The path ends in a slash, "." or "..": it names a directory or nothing.
  bool directory_required() const { return directory_required_; }
  // The path ends in "." or "..": rename and rmdir refuse it.
  bool ends_in_dots() const { return ends_in_dots_; }

  std::string_view name() const;  // the last component; empty for "/"
  GuestPath parent() const;
  GuestPath child(std::string_view name) const;
  void require_directory() { directory_required_ = true; }
  // The directory from which it is looked up, and the path from there, empty for the directory
  // itself. nullptr: it is looked up from the root.
  const HeldDirectory* held() const { return held_.get(); }
  std::string_view from_held() const;

 private:
  HostResult<Ok> append(std::string_view path);
  HostResult<Ok> append_last(std::string_view path);

  std::string text_ = "/";
  bool directory_required_ = false;
  bool ends_in_dots_ = false;
  std::shared_ptr<const HeldDirectory> held_;
  std::size_t held_size_ = 0;  // of the directory's part of the text
};

// Whether the normalised path `inner` is `outer` or below it.
bool is_at_or_below(std::string_view inner, std::string_view outer);

// `inner` relative to `outer`, which it is at or below: "" if they are the same.
std::string_view relative_to(std::string_view inner, std::string_view outer);

}  // namespace hardclock::host
