// Under which system a program runs, and which of its ports: the one place where the file and --os
// are compared.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock {

struct SystemChoice {
  const posix::UnixSystem* system;
  const posix::Port* port;
};

// Why programs of a file run under no system, one line: a machine that is not simulated. Nullopt:
// there are systems for it.
std::optional<std::string> not_simulated(const Image& image);

// `os` is as --os has it; nothing: the file decides. `program` is how the error calls the file. The
// error is one line for the user: a machine that is not simulated, a name that no system of the
// machine has, or a file that is another system's.
Result<SystemChoice, std::string> choose_system(const Image& image,
                                                const std::optional<std::string>& os,
                                                std::string_view program);

}  // namespace hardclock
