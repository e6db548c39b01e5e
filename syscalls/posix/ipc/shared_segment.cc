#include "syscalls/posix/ipc/shared_segment.h"

#include <algorithm>

#include "sim/state/archive.h"

namespace hardclock::posix {

SharedSegment::SharedSegment(const IpcPermission& its, std::uint64_t size, int pid,
                             std::uint64_t now)
    : size_(size), kept_(std::make_shared<SharedPages>()), changed_(now), creator_(pid) {
  permission = its;
  pages_ = kept_.object();
}

// Every region is an owner.
std::uint64_t SharedSegment::attachments() const {
  const auto shown = pages();
  return shown == nullptr ? 0 : shown->owners() - (kept_ == nullptr ? 0 : 1);
}

SegmentStatus SharedSegment::status() const {
  return {.permission = permission,
          .size = size_,
          .attached = attached_,
          .detached = detached_,
          .changed = changed_,
          .creator = static_cast<std::uint64_t>(creator_),
          .last = static_cast<std::uint64_t>(last_),
          .attachments = attachments()};
}

bool SharedSegment::is_shown_by(const Region& region) const {
  const auto shown = pages();
  return shown != nullptr && region.backing.shared.get() == shown.get();
}

// Places of old are dropped, so that a program cannot fill the host's memory with them.
void SharedSegment::note_attach(GuestAddr address, int pid, std::uint64_t now) {
  constexpr std::size_t most_places = 4096;
  const bool is_only_one = attachments() == 1;
  if (is_only_one) places_.clear();
  if (places_.size() == most_places) places_.erase(places_.begin());
  places_.insert(address.value());
  last_ = pid;
  attached_ = now;
}

void SharedSegment::note_detach(int pid, std::uint64_t now) {
  last_ = pid;
  detached_ = now;
}

std::uint64_t SharedSegment::attachments_in(const AddressSpace& memory) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(places_, [&](std::uint64_t place) {
    const Region* const region = memory.region_at(GuestAddr(place));
    return region != nullptr && is_shown_by(*region);
  }));
}

void SharedSegment::archive(Archive& to) {
  const Archive::Part part(to, StatePart::memory);
  IpcObject::archive(to);
  auto shown = pages();
  to.state(size_, shown, places_, attached_, detached_, changed_, creator_, last_);
  const bool stays = to.value(kept_ != nullptr);
  if (!to.loads()) return;
  pages_ = shown;
  if (stays) kept_ = shown;
}

}  // namespace hardclock::posix
