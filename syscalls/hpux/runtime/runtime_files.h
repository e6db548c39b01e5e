// The files that stand in for HP's in a guest root without them: the dynamic loader and the C
// and mathematical libraries, guest code of our own (docs/manual.md, "HP-UX's own libraries").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/load/image.h"
#include "syscalls/host/built_in_files.h"

namespace hardclock::hpux {

// With their paths in the guest: /usr/lib/dld.sl, libc.1, libm.1 and their other names, and the
// same in /usr/lib/pa20_64, hpux32 and hpux64.
std::span<const host::BuiltInFile> runtime_files();

// The content of the one with that path in the guest, which begins with a slash; empty: there is
// none.
std::span<const std::uint8_t> runtime_file(std::string_view path);

// Where a program finds its loader and its C library, of those files; nullopt if it is not for
// HP-UX, or for no format of these.
struct RuntimePaths {
  std::string_view loader;
  std::string_view library;
};
std::optional<RuntimePaths> runtime_paths(const Image& program);

inline constexpr std::size_t bytes_to_know_program = 8;

// Whether a file that begins like this may be a program that needs them: a SOM file, or an ELF file
// for HP-UX.
bool may_need_runtime(std::span<const std::uint8_t> front);

}  // namespace hardclock::hpux
