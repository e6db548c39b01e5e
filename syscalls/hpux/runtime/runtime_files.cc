#include "syscalls/hpux/runtime/runtime_files.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace hardclock::hpux {
namespace {

constexpr std::uint8_t som_loader[] = {
#include "guest/hpux/built/som/dld.sl.inc"
};
constexpr std::uint8_t som_library[] = {
#include "guest/hpux/built/som/libc.1.inc"
};
constexpr std::uint8_t som_math[] = {
#include "guest/hpux/built/som/libm.1.inc"
};
constexpr std::uint8_t pa20_64_loader[] = {
#include "guest/hpux/built/pa20_64/dld.sl.inc"
};
constexpr std::uint8_t pa20_64_library[] = {
#include "guest/hpux/built/pa20_64/libc.2.inc"
};
constexpr std::uint8_t pa20_64_math[] = {
#include "guest/hpux/built/pa20_64/libm.2.inc"
};
constexpr std::uint8_t hpux32_loader[] = {
#include "guest/hpux/built/hpux32/uld.so.inc"
};
constexpr std::uint8_t hpux32_library[] = {
#include "guest/hpux/built/hpux32/libc.so.1.inc"
};
constexpr std::uint8_t hpux32_math[] = {
#include "guest/hpux/built/hpux32/libm.so.1.inc"
};
constexpr std::uint8_t hpux64_loader[] = {
#include "guest/hpux/built/hpux64/uld.so.inc"
};
constexpr std::uint8_t hpux64_library[] = {
#include "guest/hpux/built/hpux64/libc.so.1.inc"
};
constexpr std::uint8_t hpux64_math[] = {
#include "guest/hpux/built/hpux64/libm.so.1.inc"
};

// HP-UX 9 has them in /lib; there are versions of libc and libm by number (shl_load(3X)). On IA-64
// the kernel maps uld.so, which maps dld.so; ours does without that.
constexpr host::BuiltInFile files[] = {
    {.path = "usr/lib/dld.sl", .program = som_loader},
    {.path = "usr/lib/libc.1", .program = som_library},
    {.path = "usr/lib/libc.2", .link = "libc.1"},
    {.path = "usr/lib/libc.sl", .link = "libc.1"},
    {.path = "usr/lib/libm.1", .program = som_math},
    {.path = "usr/lib/libm.2", .link = "libm.1"},
    {.path = "usr/lib/libm.sl", .link = "libm.1"},
    {.path = "lib/dld.sl", .link = "../usr/lib/dld.sl"},
    {.path = "lib/libc.1", .link = "../usr/lib/libc.1"},
    {.path = "lib/libc.sl", .link = "../usr/lib/libc.1"},
    {.path = "lib/libm.1", .link = "../usr/lib/libm.1"},
    {.path = "lib/libm.sl", .link = "../usr/lib/libm.1"},
    {.path = "usr/lib/pa20_64/dld.sl", .program = pa20_64_loader},
    {.path = "usr/lib/pa20_64/libc.2", .program = pa20_64_library},
    {.path = "usr/lib/pa20_64/libc.sl", .link = "libc.2"},
    {.path = "usr/lib/pa20_64/libm.2", .program = pa20_64_math},
    {.path = "usr/lib/pa20_64/libm.sl", .link = "libm.2"},
    {.path = "usr/lib/hpux32/uld.so", .program = hpux32_loader},
    {.path = "usr/lib/hpux32/dld.so", .link = "uld.so"},
    {.path = "usr/lib/hpux32/libc.so.1", .program = hpux32_library},
    {.path = "usr/lib/hpux32/libc.so", .link = "libc.so.1"},
    {.path = "usr/lib/hpux32/libm.so.1", .program = hpux32_math},
    {.path = "usr/lib/hpux32/libm.so", .link = "libm.so.1"},
    {.path = "usr/lib/hpux64/uld.so", .program = hpux64_loader},
    {.path = "usr/lib/hpux64/dld.so", .link = "uld.so"},
    {.path = "usr/lib/hpux64/libc.so.1", .program = hpux64_library},
    {.path = "usr/lib/hpux64/libc.so", .link = "libc.so.1"},
    {.path = "usr/lib/hpux64/libm.so.1", .program = hpux64_math},
    {.path = "usr/lib/hpux64/libm.so", .link = "libm.so.1"},
};

// The system id of PA-RISC 1.0, 1.1, 1.2 or 2.0 (sim/load/som.cc).
bool is_som(std::span<const std::uint8_t> front) {
  if (front.size() < 2 || front[0] != 0x02) return false;
  return front[1] == 0x0b || front[1] == 0x10 || front[1] == 0x11 || front[1] == 0x14;
}

// Big-endian, of HP-UX (EI_DATA, EI_OSABI).
bool is_elf_of_hpux(std::span<const std::uint8_t> front) {
  constexpr std::array<std::uint8_t, 4> magic = {0x7f, 'E', 'L', 'F'};
  return front.size() >= bytes_to_know_program && std::ranges::equal(front.first(4), magic) &&
         front[5] == 2 && front[7] == 1;
}

}  // namespace

std::span<const host::BuiltInFile> runtime_files() {
  return files;
}

std::span<const std::uint8_t> runtime_file(std::string_view path) {
  std::filesystem::path name = std::filesystem::path(path).relative_path();
  for (int links = 0; links < 2; ++links) {  // none leads to another
    const auto* const found =
        std::ranges::find(files, std::string_view(name.native()), &host::BuiltInFile::path);
    if (found == std::end(files)) break;
    if (found->link.empty()) return found->program;
    name = (name.parent_path() / found->link).lexically_normal();
  }
  return {};
}

std::optional<RuntimePaths> runtime_paths(const Image& program) {
  constexpr std::uint8_t os_abi_hpux = 1;
  constexpr RuntimePaths som{"usr/lib/dld.sl", "usr/lib/libc.1"};
  constexpr RuntimePaths pa20_64{"usr/lib/pa20_64/dld.sl", "usr/lib/pa20_64/libc.2"};
  constexpr RuntimePaths hpux32{"usr/lib/hpux32/uld.so", "usr/lib/hpux32/libc.so.1"};
  constexpr RuntimePaths hpux64{"usr/lib/hpux64/uld.so", "usr/lib/hpux64/libc.so.1"};
  if (program.format == FileFormat::som) return som;
  if (program.os_abi != os_abi_hpux || program.endian != Endian::big) return std::nullopt;
  if (program.architecture == Architecture::ia64) {
    return program.address_bits == 32 ? hpux32 : hpux64;
  }
  const bool is_wide = program.architecture == Architecture::pa_risc && program.address_bits == 64;
  return is_wide ? std::optional(pa20_64) : std::nullopt;
}

bool may_need_runtime(std::span<const std::uint8_t> front) {
  return is_som(front) || is_elf_of_hpux(front);
}

}  // namespace hardclock::hpux
