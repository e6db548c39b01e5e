// Share groups: the processes that sproc(2) made, and what they share. Sources: sproc(2), prctl(2)
// and blockproc(2) of IRIX; NetBSD, sys/compat/irix/irix_prctl.c.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/process/simulation.h"
#include "sim/state/archive.h"
#include "syscalls/irix/data_areas.h"
#include "syscalls/posix/state.h"

namespace hardclock::irix {

// The share mask (IRIX <sys/prctl.h>). PR_SPROC and the bits above PR_SALL say how, not what.
inline constexpr std::uint32_t pr_sfds = 2, pr_sdir = 4, pr_sumask = 8, pr_sulimit = 0x10,
                               pr_sid = 0x20, pr_saddr = 0x40, pr_sall = 0x7f, pr_threads = 0x80,
                               pr_block = 0x01000000, pr_nolibc = 0x02000000;

// What the members have in common besides memory and descriptors, which are shared directly. Only
// the running member can change it: the next one takes it over when it gets the processor.
struct SharedValues {
  host::HeldDirectoryRef directory;
  std::uint32_t umask = 0;
  posix::Limits limits;
  posix::Credentials credentials;
  static constexpr std::size_t state_members = 4;
};

struct ShareGroup {
  int running = 0;  // the pid of the member that ran last: its values are current
  SharedValues values;
  unsigned exit_signal = 0;   // sent to all members when one leaves; 0: none
  unsigned abort_signal = 0;  // sent to all members when a signal ends one; 0: none
  static constexpr std::size_t state_members = 4;
};

// What only IRIX keeps of a process.
class IrixState final : public posix::SystemState {
 public:
  // The state of a child by fork(2), which is in no group.
  std::unique_ptr<posix::SystemState> fork() const override {
    auto child = std::make_unique<IrixState>();
    child->stack_size = stack_size;
    child->priority = priority;
    return child;
  }
  Blank<SystemState> blank() const override { return blank_of<IrixState>(); }
  void archive(Archive& to) override;

  std::shared_ptr<ShareGroup> group;  // nullptr: none
  // Of those who share the process's memory; nullptr: nobody does.
  std::shared_ptr<DataAreas> data_areas;
  bool has_threads = false;       // PR_INIT_THREADS was asked for
  std::uint32_t mask = 0;         // what the process shares with it
  unsigned exit_signal = 0;       // of the group that the process may begin
  unsigned abort_signal = 0;      // likewise
  bool ends_with_parent = false;  // PR_TERMCHILD
  int unblocks_on_exec = 0;       // the process that an exec or the end unblocks; 0: none
  int block_count = 0;            // below 0: the process is blocked
  std::uint64_t stack_size = 0;   // of the children's stacks, in bytes; 0: the usual one
  std::int32_t priority = 0;      // as sched_setparam() set it
};

IrixState& irix_state_of(Process& process);

// blockproc(2): while the count is below 0, the process does not run.
void set_block_count(Process& process, int count);
// The mask that a child gets if it asks for this one: it shares no more than its parent does.
std::uint32_t shared_with(Process& parent, std::uint32_t mask);
// Adds the child, whose memory and state are complete, to the parent's group, or to a new one.
void join_group(Process& parent, Process& child, std::uint32_t mask);

// Somebody new, whose number this is, will run in the process's memory, with a data area of his
// own.
std::shared_ptr<DataAreas> share_memory(Process& process, int number);

// Hooks of UnixSystem.
void after_fork(Process& parent, Process& child);
void before_exec(Process& process);
void before_exit(Process& process);
void switch_to(Thread& thread);

}  // namespace hardclock::irix
