#include "syscalls/shell/shell_files.h"

#include <algorithm>
#include <array>

namespace hardclock::shell {
namespace {

constexpr std::uint8_t linux_mips[] = {
#include "guest/shell/linux-mips.inc"
};
constexpr std::uint8_t linux_mipsel[] = {
#include "guest/shell/linux-mipsel.inc"
};
constexpr std::uint8_t linux_hppa[] = {
#include "guest/shell/linux-hppa.inc"
};
constexpr std::uint8_t linux_ia64[] = {
#include "guest/shell/linux-ia64.inc"
};
constexpr std::uint8_t irix_mips[] = {
#include "guest/shell/irix-mips.inc"
};
constexpr std::uint8_t hpux_hppa[] = {
#include "guest/shell/hpux-hppa.inc"
};
constexpr std::uint8_t hpux_ia64[] = {
#include "guest/shell/hpux-ia64.inc"
};

// IRIX has /sbin/sh, HP-UX /usr/bin/sh; other systems' programs call it by one of these names, too.
using Files = std::array<host::BuiltInFile, 3>;

struct Shell {
  std::string_view os;
  Architecture architecture;
  Endian endian;
  Files files;
};

constexpr Files with_names(std::span<const std::uint8_t> program) {
  return {{
      {.path = "bin/sh", .program = program},
      {.path = "sbin/sh", .link = "../bin/sh"},
      {.path = "usr/bin/sh", .link = "../../bin/sh"},
  }};
}

constexpr Shell shells[] = {
    {"linux", Architecture::mips, Endian::big, with_names(linux_mips)},
    {"linux", Architecture::mips, Endian::little, with_names(linux_mipsel)},
    {"linux", Architecture::pa_risc, Endian::big, with_names(linux_hppa)},
    {"linux", Architecture::ia64, Endian::little, with_names(linux_ia64)},
    {"irix", Architecture::mips, Endian::big, with_names(irix_mips)},
    {"hpux", Architecture::pa_risc, Endian::big, with_names(hpux_hppa)},
    {"hpux", Architecture::ia64, Endian::big, with_names(hpux_ia64)},
};

}  // namespace

std::span<const host::BuiltInFile> shell_files(std::string_view os, const Image& image) {
  for (const Shell& shell : shells) {
    if (shell.os == os && shell.architecture == image.architecture &&
        shell.endian == image.endian) {
      return shell.files;
    }
  }
  return {};
}

std::span<const std::string_view> files_that_tell_system() {
  static constexpr std::string_view files[] = {
      "/lib/rld",      "/usr/lib/libc.so.1",      "/usr/lib/dld.sl",
      "/lib/ld.so.1",  "/lib/ld-linux-ia64.so.2", "/lib32/ld.so.1",
      "/lib64/ld.so.1"};
  return files;
}

bool is_shell(std::span<const std::uint8_t> program) {
  return std::ranges::any_of(shells, [&](const Shell& shell) {
    return std::ranges::equal(shell.files[0].program, program);
  });
}

}  // namespace hardclock::shell
