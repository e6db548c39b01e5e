// A part of the kernel: an object with one duty, which reaches the others through the kernel.
#pragma once

#include <string>

namespace hardclock {
class Simulation;
}

namespace hardclock::posix {

class Kernel;
struct UnixSystem;

class KernelPart {
 public:
  explicit KernelPart(Kernel& kernel) : kernel_(kernel) {}
  KernelPart(const KernelPart&) = delete;
  KernelPart& operator=(const KernelPart&) = delete;

 protected:
  Simulation& simulation() const;
  const UnixSystem& system() const;
  void notice(const std::string& line) const;  // for the user, without newline

  Kernel& kernel_;
};

}  // namespace hardclock::posix
