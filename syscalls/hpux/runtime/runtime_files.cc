#include "syscalls/hpux/runtime/runtime_files.h"

namespace hardclock::hpux {
namespace {

constexpr std::uint8_t loader[] = {
#include "syscalls/hpux/runtime/dld.sl.inc"
};
constexpr std::uint8_t c_library[] = {
#include "syscalls/hpux/runtime/libc.1.inc"
};

// HP-UX 9 has them in /lib; there are versions of libc by number (shl_load(3X)).
constexpr host::BuiltInFile files[] = {
    {.path = "usr/lib/dld.sl", .program = loader},
    {.path = "usr/lib/libc.1", .program = c_library},
    {.path = "usr/lib/libc.2", .link = "libc.1"},
    {.path = "usr/lib/libc.sl", .link = "libc.1"},
    {.path = "lib/dld.sl", .link = "../usr/lib/dld.sl"},
    {.path = "lib/libc.1", .link = "../usr/lib/libc.1"},
    {.path = "lib/libc.sl", .link = "../usr/lib/libc.1"},
};

}  // namespace

std::span<const host::BuiltInFile> runtime_files() {
  return files;
}

// The system id of PA-RISC 1.0, 1.1, 1.2 or 2.0 (sim/load/som.cc).
bool may_need_runtime(std::span<const std::uint8_t> front) {
  if (front.size() < 2 || front[0] != 0x02) return false;
  return front[1] == 0x0b || front[1] == 0x10 || front[1] == 0x11 || front[1] == 0x14;
}

}  // namespace hardclock::hpux
