// A pipe or socket as a guest reads it: a line at a time, as from a terminal, so that what a read
// gives follows from the bytes alone and not from when they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "syscalls/host/error.h"

namespace hardclock::host {

class LineInput {
 public:
  // Reads up to so many bytes from the host, which may give fewer; 0 at the end of the input.
  using Source = std::function<HostResult<std::size_t>(std::span<std::uint8_t>)>;

  // As many bytes as fit, but none behind a newline; fewer only at the end of the input. Never asks
  // the source for more than fits: what follows is another program's that has the same pipe. An
  // error of the source loses nothing: what came before it comes first.
  HostResult<std::size_t> read(std::span<std::uint8_t> bytes, const Source& source);

 private:
  // How much of what was read can be given to a reader with this much room; 0: it has to wait.
  std::size_t ready(std::size_t room);
  std::size_t give(std::span<std::uint8_t> bytes);
  HostResult<std::size_t> fill(std::size_t room, const Source& source);

  std::vector<std::uint8_t> ahead_;  // read, but not given
  std::size_t given_ = 0;            // of ahead_, from its start
  std::size_t searched_ = 0;         // of ahead_, without a newline
};

}  // namespace hardclock::host
