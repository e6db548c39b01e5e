#include "syscalls/linux/linux.h"

#include "syscalls/linux/ports.h"

namespace hardclock::gnu_linux {

const posix::UnixSystem* linux_system(hardclock::Architecture architecture) {
  switch (architecture) {
    case hardclock::Architecture::mips:
      return &mips_system();
    case hardclock::Architecture::pa_risc:
      return &pa_risc_system();
    case hardclock::Architecture::ia64:
      break;
  }
  return nullptr;
}

}  // namespace hardclock::gnu_linux
