#include "syscalls/linux/linux.h"

#include "syscalls/linux/ports.h"

namespace hardclock::gnu_linux {

const posix::UnixSystem* linux_system(Machine machine) {
  switch (machine) {
    case Machine::mips:
      return &mips_system();
    case Machine::pa_risc:
      return &pa_risc_system();
    case Machine::ia64:
      break;
  }
  return nullptr;
}

}  // namespace hardclock::gnu_linux
