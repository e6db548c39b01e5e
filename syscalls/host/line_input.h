// Reads a pipe or socket for a guest one line at a time, as from a terminal, so that the result of
// a read follows only from the bytes and not from when they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/state/archive.h"
#include "syscalls/host/error.h"

namespace hardclock::host {

class LineInput {
 public:
  // Reads bytes from the host, perhaps fewer than fit; 0 at the end of the input.
  using Source = std::function<HostResult<std::size_t>(std::span<std::uint8_t>)>;

  // As many bytes as fit, but none after a newline; fewer only at the end of the input. Never asks
  // the source for more than fits: the rest may belong to another program with the same pipe. An
  // error of the source loses nothing: the bytes before it are delivered first.
  HostResult<std::size_t> read(std::span<std::uint8_t> bytes, const Source& source);

  void archive(Archive& to);

 private:
  // How many of the bytes read so far can go to a reader with this much room; 0: it must wait.
  std::size_t ready(std::size_t room);
  std::size_t give(std::span<std::uint8_t> bytes);
  HostResult<std::size_t> fill(std::size_t room, const Source& source);

  std::vector<std::uint8_t> ahead_;  // read, but not delivered
  std::size_t given_ = 0;            // of ahead_, from its start
  std::size_t searched_ = 0;         // of ahead_, without a newline
};

}  // namespace hardclock::host
