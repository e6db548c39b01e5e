// Named pipes: what open(2) and mknod(2) do with them.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "syscalls/host/guest_files.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// The open end, or what the call answers instead: it waits for the other end, or an error.
using OpenedFifo = std::variant<std::shared_ptr<OpenFile>, CallResult>;

// Opens the FIFO at the path, or anew the pipe that a link leads to; nullopt: there is none, or
// something else. `is_patient`: without O_NONBLOCK. ENXIO: nobody has it open for reading; a socket
// is there.
std::optional<OpenedFifo> open_fifo(Call& call, const host::GuestPath& path,
                                    const std::optional<host::Node>& node,
                                    const host::OpenOptions& options, bool is_patient);

}  // namespace hardclock::posix
