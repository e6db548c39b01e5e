#include "syscalls/irix/share_group.h"

#include <utility>

#include "sim/state/archive.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/thread_numbers.h"

namespace hardclock::irix {
namespace {

SharedValues values_of(const Process& process) {
  const posix::ProcessState& state = posix::state_of(process);
  const posix::PathContext& paths = posix::paths_of(process);
  return {paths.directory, paths.umask, state.limits, state.credentials};
}

// Takes the shared values over from the group.
void take_values(const SharedValues& values, std::uint32_t mask, Process& process) {
  posix::ProcessState& state = posix::state_of(process);
  posix::PathContext& paths = posix::paths_of(process);
  if ((mask & pr_sdir) != 0) paths.directory = values.directory;
  if ((mask & pr_sumask) != 0) paths.umask = values.umask;
  if ((mask & pr_sulimit) != 0) state.limits = values.limits;
  if ((mask & pr_sid) != 0) state.credentials = values.credentials;
}

// Gives the shared values to the group.
void give_values(const Process& process, std::uint32_t mask, SharedValues& values) {
  const SharedValues own = values_of(process);
  if ((mask & pr_sdir) != 0) values.directory = own.directory;
  if ((mask & pr_sumask) != 0) values.umask = own.umask;
  if ((mask & pr_sulimit) != 0) values.limits = own.limits;
  if ((mask & pr_sid) != 0) values.credentials = own.credentials;
}

bool is_member(Process* process, const std::shared_ptr<ShareGroup>& group) {
  return process != nullptr && !process->exit_status && irix_state_of(*process).group == group;
}

// PR_SETEXITSIG: all members of the share group are signaled if any one of them leaves;
// PR_SETABORTSIG: if it ends by a signal (prctl(2)).
void leave_group(Process& process) {
  IrixState& own = irix_state_of(process);
  if (const auto areas = std::exchange(own.data_areas, nullptr)) areas->remove_process(process.pid);
  const auto group = std::exchange(own.group, nullptr);
  if (group == nullptr) return;
  if (group->running == process.pid) {
    give_values(process, own.mask, group->values);
  }
  own.mask = 0;
  const bool is_abort = process.exit_status && process.exit_status->by_signal;
  for (Process* const other : process.os->simulation().processes()) {
    if (!is_member(other, group)) continue;
    auto& os = static_cast<posix::Kernel&>(*other->os);
    if (group->exit_signal != 0) os.signals().post(*other, group->exit_signal);
    if (is_abort && group->abort_signal != 0) os.signals().post(*other, group->abort_signal);
  }
}

// PR_UNBLKONEXEC: the process is unblocked when the caller execs or exits.
void unblock_waiting(Process& process) {
  const int pid = std::exchange(irix_state_of(process).unblocks_on_exec, 0);
  Process* const blocked = pid == 0 ? nullptr : process.os->simulation().find(pid);
  if (blocked != nullptr && !blocked->exit_status)
    set_block_count(*blocked, irix_state_of(*blocked).block_count + 1);
}

}  // namespace

IrixState& irix_state_of(Process& process) {
  auto& own = posix::state_of(process).own;
  if (own == nullptr) own = std::make_unique<IrixState>();
  return static_cast<IrixState&>(*own);
}

void set_block_count(Process& process, int count) {
  irix_state_of(process).block_count = count;
  process.blocked = count < 0;
}

// The share mask is ANDed with the calling process's (sproc(2)).
std::uint32_t shared_with(Process& parent, std::uint32_t mask) {
  const IrixState& own = irix_state_of(parent);
  return own.group == nullptr ? mask & pr_sall : mask & own.mask;
}

void join_group(Process& parent, Process& child, std::uint32_t mask) {
  IrixState& first = irix_state_of(parent);
  if (first.group == nullptr) {
    first.group = std::make_shared<ShareGroup>();
    first.group->exit_signal = first.exit_signal;
    first.group->abort_signal = first.abort_signal;
    first.mask = pr_sall;
  }
  first.group->running = parent.pid;
  IrixState& own = irix_state_of(child);
  own.group = first.group;
  own.mask = mask;
  if ((mask & pr_saddr) != 0) own.data_areas = share_memory(parent, child.pid);
}

// The copy of the parent's data area gets the child's pid.
void after_fork(Process& parent, Process& child) {
  if (child.memory != parent.memory) name_data_area(*child.memory, child.pid);
}

std::shared_ptr<DataAreas> share_memory(Process& process, int number) {
  auto& areas = irix_state_of(process).data_areas;
  if (areas == nullptr) areas = std::make_shared<DataAreas>(process.pid);
  areas->add(number);
  return areas;
}

// The calling process is removed from the share group (exec(2)).
void before_exec(Process& process) {
  unblock_waiting(process);
  leave_group(process);
  irix_state_of(process).ends_with_parent = false;
  irix_state_of(process).has_threads = false;
  for (const auto& thread : process.threads) posix::thread_state_of(*thread).unaligned.reset();
}

// PR_TERMCHILD: the child is sent SIGHUP when its parent exits (prctl(2)).
void before_exit(Process& process) {
  unblock_waiting(process);
  leave_group(process);
  for (Process* const child : process.os->simulation().children_of(process)) {
    if (child->exit_status || !irix_state_of(*child).ends_with_parent) continue;
    static_cast<posix::Kernel&>(*child->os).signals().post(*child, posix::sighup);
  }
}

// A member gets the processor: it takes over the previous member's changes, and its data area
// replaces that member's in the shared memory.
void switch_to(Thread& thread) {
  Process& process = thread.process;
  const IrixState& own = irix_state_of(process);
  if (own.group != nullptr && own.group->running != process.pid) {
    ShareGroup& group = *own.group;
    Process* const before =
        process.os->simulation().find(std::exchange(group.running, process.pid));
    if (is_member(before, own.group)) {
      give_values(*before, irix_state_of(*before).mask, group.values);
    }
    take_values(group.values, own.mask, process);
  }
  if (own.data_areas != nullptr) {
    own.data_areas->switch_to(*process.memory, posix::thread_number(thread));
  }
}

void IrixState::archive(Archive& to) {
  auto& [its_group, areas, uses_threads, shared, at_exit, at_abort, ends_with, unblocks, count,
         stack, importance] = *this;
  to.state(its_group, areas, uses_threads, shared, at_exit, at_abort, ends_with, unblocks, count,
           stack, importance);
}

}  // namespace hardclock::irix
