#include "syscalls/posix/signals/watched_areas.h"

#include <algorithm>
#include <limits>

#include "sim/state/archive.h"

namespace hardclock::posix {

bool WatchedArea::has(GuestAddr address, std::uint64_t bytes) const {
  const std::uint64_t at = address.value(), from = start.value();
  return at < from ? from - at < bytes : at - from < size;
}

Result<Ok, Errno> WatchedAreas::add(const WatchedArea& area) {
  const std::uint64_t left = std::numeric_limits<std::uint64_t>::max() - area.start.value();
  const bool overlaps = std::ranges::any_of(
      areas_, [&](const WatchedArea& other) { return other.has(area.start, area.size); });
  if (overlaps || area.size > left) return Failure{Errno::einval};
  if (areas_.size() == most) return Failure{Errno::e2big};
  areas_.push_back(area);
  return Ok{};
}

Result<Ok, Errno> WatchedAreas::remove(GuestAddr start) {
  const auto removed =
      std::erase_if(areas_, [&](const WatchedArea& area) { return area.start == start; });
  if (removed == 0) return Failure{Errno::esrch};
  return Ok{};
}

std::optional<GuestAddr> WatchedAreas::touched_by(const NextInstruction& instruction) const {
  constexpr std::uint64_t first_byte = 1;
  for (const WatchedArea& area : areas_) {
    if (area.executes && area.has(instruction.pc, first_byte)) return instruction.pc;
    const std::optional<MemoryAccess>& access = instruction.access;
    if (!access || !area.has(access->address, access->size)) continue;
    if (access->writes ? area.writes : area.reads) return access->address;
  }
  return std::nullopt;
}

void WatchedAreas::archive(Archive& to) {
  to.state(areas_);
}

}  // namespace hardclock::posix
