#include "syscalls/linux/linux.h"

#include "syscalls/linux/ports.h"

namespace hardclock::gnu_linux {

const posix::UnixSystem* linux_system(Architecture architecture) {
  switch (architecture) {
    case Architecture::mips:
      return &mips_system();
    case Architecture::pa_risc:
      return &pa_risc_system();
    case Architecture::ia64:
      return &ia64_system();
  }
  return nullptr;
}

}  // namespace hardclock::gnu_linux
