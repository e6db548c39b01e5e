// The FIFOs that guests have open. Their names are in the guest's files; their bytes are here, as
// those of pipes are.
#pragma once

#include <map>
#include <memory>

#include "syscalls/host/file_status.h"
#include "syscalls/posix/files/pipe.h"

namespace hardclock::posix {

class Fifos {
 public:
  // What the ends of this FIFO share; nullptr if the budget has no memory for it.
  std::shared_ptr<Pipe> open(const host::HostIdentity& file,
                             const std::shared_ptr<host::FileRecords>& records,
                             const std::shared_ptr<MemoryBudget>& budget, const PipeSizes& sizes) {
    std::erase_if(open_, [](const auto& entry) { return entry.second.expired(); });
    auto pipe = open_[file].lock();
    if (pipe == nullptr) open_[file] = pipe = make_pipe_buffer(records, budget, sizes);
    return pipe;
  }
  // The host has given this identity to a new file.
  void forget(const host::HostIdentity& file) { open_.erase(file); }
  void archive(Archive& to);

 private:
  std::map<host::HostIdentity, std::weak_ptr<Pipe>> open_;
};

}  // namespace hardclock::posix
