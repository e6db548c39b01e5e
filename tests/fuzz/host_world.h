// A fresh directory on the host for a fuzzed guest: what it may see of the host's files, and beside
// that what it must neither read nor change.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syscalls/host/file_space.h"

namespace hardclock::fuzzing {

// Ends the run, as a failed check does, with a line that says why.
[[noreturn]] void fail(const std::string& what);
// A file that may be executed.
void put_program(const std::string& path, std::string_view content);

class HostWorld {
 public:
  // In memory where the host has /dev/shm: a guest's fsync() waits for no disk then. Else in
  // TEST_TMPDIR, TMPDIR or /tmp.
  HostWorld();
  // Removes it with all that is in it.
  ~HostWorld();
  HostWorld(const HostWorld&) = delete;
  HostWorld& operator=(const HostWorld&) = delete;

  // A guest root, a writable working directory, a writable and a read-only bind at /b and /r, and
  // a /tmp. Files that are there: f, d/g; links: l to f, and up and abs to the secret.
  host::FileSpace space() const;
  // Puts everything back that a guest may change.
  void restore() const;
  // A descriptor of the host's that is opened from here on and not closed again is damage too. For
  // each input: libFuzzer opens some between them.
  void watch_descriptors();
  // What has changed, or has been read, of what no guest can reach or write; "" if nothing has.
  std::string damage() const;

  std::string at(std::string_view below) const { return path_ + "/" + std::string(below); }
  // Lies in no place that a guest sees.
  std::string secret_path() const { return at("outside/secret"); }
  static constexpr std::string_view secret = "No guest reads this, nor writes there. ";

 private:
  void make_tree(const std::string& below) const;
  void guard(const std::string& below, bool from_reading);

  struct Guarded {
    std::string path;
    bool from_reading;
    struct ::stat status;
  };
  std::string path_;
  std::vector<Guarded> guarded_;
  int next_descriptor_ = -1;
};

}  // namespace hardclock::fuzzing
