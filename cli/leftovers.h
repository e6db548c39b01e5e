// Files that must not stay on the host when hardclock ends in the middle: a half-written output,
// the guest's scratch directory.
#pragma once

#include <cstdint>
#include <string>

namespace hardclock {

// While it exists, remove_leftovers() removes the name. It removes nothing itself.
class Leftover {
 public:
  enum class Kind : std::uint8_t { file, tree };

  // `directory` is AT_FDCWD or stays open. Construct it before making the file, so that the file is
  // covered at every moment.
  Leftover(int directory, std::string name, Kind kind);
  ~Leftover();
  // May be filled in with other letters before there is such a file.
  char* name() { return name_.data(); }
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

 private:
  std::string name_;
  unsigned place_ = 0;
};

// Removes the files, and the trees with everything in them; links are never followed. A signal
// handler may call it. Whatever cannot be removed stays.
void remove_leftovers();

}  // namespace hardclock
