// Segments of System V's shared memory. Source: shmop(2), shmctl(2) of System V.4 and of Linux.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "sim/memory/address_space.h"
#include "syscalls/posix/ipc/ipc_objects.h"

namespace hardclock::posix {

// What IPC_STAT tells; times are in seconds since 1970.
struct SegmentStatus {
  IpcPermission permission;
  std::uint64_t size = 0;  // bytes
  std::uint64_t attached = 0, detached = 0, changed = 0;
  std::uint64_t creator = 0, last = 0;  // pids: of the maker, of the last shmat() or shmdt()
  std::uint64_t attachments = 0;
};

class SharedSegment final : public IpcObject {
 public:
  SharedSegment(const IpcPermission& its, std::uint64_t size, int pid, std::uint64_t now);

  SharedSegment() = default;

  std::uint64_t size() const { return size_; }
  SegmentStatus status() const;
  void note_change(std::uint64_t now) { changed_ = now; }

  // What a region shows that is attached. Null: the segment was removed, and nobody has it.
  std::shared_ptr<SharedPages> pages() const { return lock_unended(pages_); }
  // The regions that show it. One that is split counts for each part, as on Linux.
  std::uint64_t attachments() const;
  bool is_shown_by(const Region& region) const;

  void note_attach(GuestAddr address, int pid, std::uint64_t now);
  void note_detach(int pid, std::uint64_t now);
  // How often it is attached in this memory.
  std::uint64_t attachments_in(const AddressSpace& memory) const;

  // It goes with the last attachment.
  void let_go() { kept_ = nullptr; }
  void archive(Archive& to) override;
  bool is_gone() const { return pages() == nullptr; }

 private:
  std::uint64_t size_ = 0;
  std::weak_ptr<SharedPages> pages_;
  Owner<SharedPages> kept_;         // null once it is removed
  std::set<std::uint64_t> places_;  // where it has been attached, in any process
  std::uint64_t attached_ = 0, detached_ = 0, changed_ = 0;
  int creator_ = 0, last_ = 0;
};

}  // namespace hardclock::posix
