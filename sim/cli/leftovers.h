// What must not stay behind on the host when hardclock ends in the middle: a half-written output,
// the guest's scratch directory.
#pragma once

#include <cstdint>
#include <string>

namespace hardclock {

// For its lifetime, the name is one that remove_leftovers() removes. It removes nothing itself.
class Leftover {
 public:
  enum class Kind : std::uint8_t { file, tree };

  // `directory` is AT_FDCWD or stays open. May come before the file is made: then no moment is
  // without it.
  Leftover(int directory, std::string name, Kind kind);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

 private:
  std::string name_;
  unsigned place_ = 0;
};

// Removes the files, and the trees with all that is in them; links are never followed. It may be
// called in a signal handler. What cannot be removed stays.
void remove_leftovers();

}  // namespace hardclock
