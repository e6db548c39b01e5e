// Content of a file that somebody keeps in memory, as mappings do. There is one content: what is
// written to the file shows in memory, and what was stored in memory shows to whoever reads the
// file.
#pragma once

#include <cstdint>

namespace hardclock::host {

class KeptContent {
 public:
  virtual ~KeptContent() = default;
  // These bytes of the file are about to be read: what was stored in memory goes there.
  virtual void before_read(std::uint64_t offset, std::uint64_t size) = 0;
  // The file has other bytes there, or has become shorter: memory follows.
  virtual void file_changed(std::uint64_t offset, std::uint64_t size) = 0;
};

}  // namespace hardclock::host
