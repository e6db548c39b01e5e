// The guest's descriptors 0, 1 and 2.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "syscalls/host/file_records.h"
#include "syscalls/host/guest_files.h"

namespace hardclock::host {

// The host's standard streams, each a HostFile, or what stands for them. Closing one in the guest
// never closes ours. A stream that was closed when hardclock started has no value. fsync, seek and
// truncate reach a redirected file, but its earlier content cannot be changed: all of it if the
// stream appends, else the part before the position (HostFile::keep_start()). Its mode and times
// are out of reach. A file that is open for writing counts as made for the run (FileRecords), and
// what is written to it as the guests' use of the host.
using StandardStreams = std::array<std::optional<OpenedFile>, 3>;

// Call it once, before anything else opens a file: a closed host descriptor 0, 1 or 2 is filled
// with /dev/null so that no file of ours or of the guest's ever gets that number. Also ignores
// SIGPIPE and SIGXFSZ in our process, so that writing to a closed pipe gives broken_pipe and
// writing past the user's file size limit gives too_large. The error is one line for the user.
Result<StandardStreams, std::string> open_standard_streams(std::shared_ptr<FileRecords> records,
                                                           std::shared_ptr<HostUse> use);

}  // namespace hardclock::host
