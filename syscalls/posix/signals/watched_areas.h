// The areas of a process's memory whose accesses stop it: the watchpoints of /proc. Sources:
// proc(4) of System V.4's heirs; Etnus TotalView, Users Guide, "Architectures": IRIX 6 has about
// 100 of them, of any size and alignment, which must not overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/recording/memory_access.h"
#include "sim/state/archive.h"
#include "syscalls/posix/errno.h"

namespace hardclock::posix {

struct WatchedArea {
  GuestAddr start;
  std::uint64_t size = 0;
  bool reads = false, writes = false, executes = false;

  bool has(GuestAddr address, std::uint64_t bytes) const;
  static constexpr std::size_t state_members = 5;
};

class WatchedAreas {
 public:
  // TotalView's Users Guide says so of IRIX.
  static constexpr std::size_t most = 100;

  const std::vector<WatchedArea>& all() const { return areas_; }
  bool empty() const { return areas_.empty(); }
  // Error: one too many (E2BIG), or it overlaps another one or ends beyond all addresses (EINVAL).
  Result<Ok, Errno> add(const WatchedArea& area);
  // The one that starts there; ESRCH: there is none.
  Result<Ok, Errno> remove(GuestAddr start);
  void clear() { areas_.clear(); }
  void archive(Archive& to);
  // The address that the instruction accesses, or its own, if it touches a watched area.
  std::optional<GuestAddr> touched_by(const NextInstruction& instruction) const;

 private:
  std::vector<WatchedArea> areas_;
};

}  // namespace hardclock::posix
