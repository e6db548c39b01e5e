#include "syscalls/posix/ipc/ipc.h"

#include <memory>
#include <vector>

namespace hardclock::posix {

void Ipc::end_process(int pid, const AddressSpace* memory, std::uint64_t now) {
  for (const auto& [place, queue] : queues.all()) queue->end_process(pid);
  for (const auto& [place, set] : sets.all()) set->end_process(pid, now);
  if (memory == nullptr) return;
  for (const auto& [place, segment] : segments.all()) {
    if (segment->attachments_in(*memory) != 0) segment->note_detach(pid, now);
  }
}

void Ipc::undo(const UndoList& list, std::uint64_t now) {
  for (const auto& [place, set] : sets.all()) set->undo(list, now);
}

void Ipc::admit_senders(std::uint64_t now) {
  for (const auto& [place, queue] : queues.all()) queue->admit_senders(now);
}

void Ipc::forget_gone_segments() {
  std::vector<std::shared_ptr<SharedSegment>> gone;
  for (const auto& [place, segment] : segments.all()) {
    if (segment->is_gone()) gone.push_back(segment);
  }
  for (const auto& segment : gone) segments.remove(*segment);
}

void Ipc::archive(Archive& to) {
  auto& [total, all_queues, all_sets, all_segments] = *this;
  to.provide(total);
  to.state(total, all_queues, all_sets, all_segments);
}

}  // namespace hardclock::posix
