// Source: fcntl(2), and Linux 6.1, fs/fcntl.c.
#include "syscalls/linux/file_owners.h"

#include <algorithm>
#include <limits>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket.h"

namespace hardclock::gnu_linux {
namespace {

using posix::AsyncFile;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::FileOwner;
using posix::GuestReader;
using posix::GuestStruct;
using Kind = FileOwner::Kind;

// include/uapi/asm-generic/fcntl.h: the same on all architectures; and the types of f_owner_ex.
constexpr std::uint32_t f_setown_ex = 15, f_getown_ex = 16;
enum OwnerType : std::uint32_t { f_owner_tid, f_owner_pid, f_owner_pgrp };

AsyncFile& file_of(Call& call) {
  return call.os.async_files().at(posix::file_at(call));
}

FileOwner& owner_of(Call& call) {
  return call.os.async_files().owner_of(posix::file_at(call));
}

CallResult set_owner(Call& call, Kind kind, int id, int thread = 0) {
  owner_of(call) = {kind, id, thread, call.state.credentials};
  return CallResult::value(0);
}

bool has_group(Simulation& simulation, int group) {
  return std::ranges::any_of(simulation.processes(),
                             [&](const Process* process) { return process->group == group; });
}

CallResult set_process(Call& call, std::int32_t pid) {
  if (call.simulation().find(pid) == nullptr) return CallResult::failure(Errno::esrch);
  return set_owner(call, Kind::process, pid);
}

CallResult set_group(Call& call, std::int32_t group) {
  if (!has_group(call.simulation(), group)) return CallResult::failure(Errno::esrch);
  return set_owner(call, Kind::group, group);
}

CallResult set_thread(Call& call, std::int32_t tid) {
  for (const Process* const process : call.simulation().processes()) {
    const Thread* const thread = find_thread(*process, tid);
    if (thread == nullptr) continue;
    return set_owner(call, Kind::thread, process->pid, thread->id);
  }
  return CallResult::failure(Errno::esrch);
}

// A process, a group below 0, or nobody.
CallResult set_by_number(Call& call, std::int32_t number) {
  if (number == std::numeric_limits<std::int32_t>::min()) {
    return CallResult::failure(Errno::einval);
  }
  if (number == 0) return set_owner(call, Kind::nobody, 0);
  return number < 0 ? set_group(call, -number) : set_process(call, number);
}

// The number of the process, the group or the thread; 0 of nobody.
std::int32_t number_of(const FileOwner& owner) {
  return owner.kind == Kind::thread ? owner.id + (owner.thread - 1) * between_threads : owner.id;
}

std::int32_t signed_number_of(const FileOwner& owner) {
  return owner.kind == Kind::thread ? number_of(owner) : owner.number();
}

CallResult set_by_structure(Call& call) {
  GuestReader members(call, call.address(2));
  const auto type = static_cast<std::uint32_t>(members.word());
  const auto number = static_cast<std::int32_t>(members.word());
  if (!members.ok()) return CallResult::failure(Errno::efault);
  if (type > f_owner_pgrp) return CallResult::failure(Errno::einval);
  if (number == 0) return set_owner(call, Kind::nobody, 0);
  if (type == f_owner_tid) return set_thread(call, number);
  return type == f_owner_pid ? set_process(call, number) : set_group(call, number);
}

CallResult write_structure(Call& call, const FileOwner& owner) {
  const OwnerType type = owner.kind == Kind::thread  ? f_owner_tid
                         : owner.kind == Kind::group ? f_owner_pgrp
                                                     : f_owner_pid;
  const auto number = static_cast<std::uint32_t>(number_of(owner));
  return GuestStruct(call).word(type).word(number).store(call, call.address(2));
}

CallResult set_signal(Call& call) {
  const std::uint64_t signal = call.arguments[2];
  if (signal > call.system.signals.last) return CallResult::failure(Errno::einval);
  file_of(call).signal = static_cast<unsigned>(signal);
  return CallResult::value(0);
}

CallResult as_value(std::int32_t number) {
  return CallResult::value(static_cast<std::uint32_t>(number));
}

}  // namespace

std::optional<CallResult> owner_command(Call& call, std::uint32_t command) {
  const OwnerCommands& known = uapi_of(call.system).owner_commands;
  if (command == known.set) return set_by_number(call, call.signed_argument(2));
  if (command == known.get) return as_value(signed_number_of(owner_of(call)));
  if (command == known.set_signal) return set_signal(call);
  if (command == known.get_signal) return CallResult::value(file_of(call).signal);
  if (command == f_setown_ex) return set_by_structure(call);
  if (command == f_getown_ex) return write_structure(call, owner_of(call));
  return std::nullopt;
}

std::optional<CallResult> owner_request(Call& call, std::uint32_t request) {
  const IoctlRequests& known = uapi_of(call.system).ioctl_requests;
  if (posix::file_at(call)->socket() == nullptr) return std::nullopt;
  if (std::ranges::find(known.get_owner, request) != known.get_owner.end()) {
    const auto number = static_cast<std::uint32_t>(signed_number_of(owner_of(call)));
    return GuestStruct(call).word(number).store(call, call.address(2));
  }
  if (std::ranges::find(known.set_owner, request) == known.set_owner.end()) return std::nullopt;
  const auto number = call.memory.read<std::uint32_t>(call.address(2));
  if (!number) return CallResult::failure(Errno::efault);
  return set_by_number(call, static_cast<std::int32_t>(*number));
}

}  // namespace hardclock::gnu_linux
