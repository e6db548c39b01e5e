// ioctl(2) of terminals, and the rules by which a background process may use one.
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// ioctl(file, request, argument) of an open descriptor: what UnixSystem::terminal knows, of a
// terminal. ENOTTY for everything else.
CallResult terminal_request(Call& call);

// change: settings, or the foreground process group.
enum class TerminalUse : std::uint8_t { read, write, change };
// What becomes of a call that would use the file, if that is a terminal that the process may not
// use now: EIO, or the wait that the signal to its group ends. nullopt: it may.
std::optional<CallResult> keep_from_terminal(Call& call, const OpenFile& file, TerminalUse use);

}  // namespace hardclock::posix
