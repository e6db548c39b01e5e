// System V's IPC as HP-UX has it. Sources: msgop(2), semop(2), shmctl(2) of the HP-UX Reference;
// NetBSD, sys/compat/hpux/hpux_ipc.h, for the structures of programs with longs of 32 bits. For
// 64-bit programs they are a guess: the same members, with times, sizes and pointers of 64 bits, as
// glossary(9) declares them (time_t, size_t); no program was found that reads them. The limits are
// the defaults of HP-UX 11i version 2 (msgmax(5), semmns(5), shmmax(5) and their likes; semop(2)).
#include "syscalls/posix/ipc/ipc_calls.h"
#include "syscalls/hpux/calls.h"
#include "syscalls/hpux/hpux.h"

namespace hardclock::hpux {
namespace {

using posix::GuestTypes;
using posix::IpcForms;
using posix::IpcPermission;
using posix::make_ipc_forms;
using posix::QueueStatus;
using posix::SegmentStatus;
using posix::SetStatus;

void lay_out_new_permission(auto& io, IpcPermission& permission) {
  io.word(permission.user)
      .word(permission.group)
      .word(permission.creator)
      .word(permission.creator_group)
      .half(permission.mode)
      .half(permission.sequence)
      .word(permission.key)
      .skip(20);
}

// Before release 8.
void lay_out_old_permission(auto& io, IpcPermission& permission) {
  io.half(permission.user)
      .half(permission.group)
      .half(permission.creator)
      .half(permission.creator_group)
      .half(permission.mode)
      .half(permission.sequence)
      .word(permission.key);
}

constexpr auto new_queue = [](auto& io, QueueStatus& status, const GuestTypes&) {
  lay_out_new_permission(io, status.permission);
  io.skip_longs(2);  // msg_first, msg_last
  io.half(status.count).half(status.limit);
  io.word(status.last_sender).word(status.last_receiver);
  io.word_long(status.sent).word_long(status.received).word_long(status.changed);
  io.half(status.bytes).skip(22);
};

constexpr auto old_queue = [](auto& io, QueueStatus& status, const GuestTypes&) {
  lay_out_old_permission(io, status.permission);
  io.skip_longs(2);
  io.half(status.bytes).half(status.count).half(status.limit);
  io.half(status.last_sender).half(status.last_receiver);
  io.word(status.sent).word(status.received).word(status.changed);
};

constexpr auto new_set = [](auto& io, SetStatus& status, const GuestTypes&) {
  lay_out_new_permission(io, status.permission);
  io.skip_longs(1);  // sem_base
  io.word_long(status.operated).word_long(status.changed).half(status.count).skip(22);
};

constexpr auto old_set = [](auto& io, SetStatus& status, const GuestTypes&) {
  lay_out_old_permission(io, status.permission);
  io.skip_longs(1).half(status.count).word(status.operated).word(status.changed);
};

constexpr auto new_segment = [](auto& io, SegmentStatus& status, const GuestTypes&) {
  lay_out_new_permission(io, status.permission);
  io.word_long(status.size).skip_longs(1);  // shm_vas
  io.word(status.last).word(status.creator);
  io.half(status.attachments).half(status.attachments);
  io.word_long(status.attached).word_long(status.detached).word_long(status.changed).skip(24);
};

constexpr auto old_segment = [](auto& io, SegmentStatus& status, const GuestTypes&) {
  lay_out_old_permission(io, status.permission);
  io.word(status.size).skip_longs(1);
  io.half(status.last).half(status.creator);
  io.half(status.attachments).half(status.attachments);
  io.word(status.attached).word(status.detached).word(status.changed).skip(60);
};

constexpr IpcForms old_forms = make_ipc_forms<old_queue, old_set, old_segment>();
constexpr IpcForms new_forms = make_ipc_forms<new_queue, new_set, new_segment>();

}  // namespace

constinit const posix::IpcInterface ipc_interface = {
    .limits = {.messages = {.bytes = 8192, .queue_bytes = 16384, .queues = 512, .messages = 1024},
               .semaphores = {.sets = 2048,
                              .all = 4096,
                              .of_set = 2048,
                              .operations = 500,
                              .of_one = {.value = 32767, .adjustment = 16384},
                              .undo_of_process = 100},
               .segments = {.bytes = std::uint64_t{1} << 30, .segments = 400, .of_process = 300}},
    .commands = {.remove = 0,
                 .set = 1,
                 .status = 2,
                 .waiting_for_rise = 3,
                 .last_pid = 4,
                 .value = 5,
                 .all_values = 6,
                 .waiting_for_zero = 7,
                 .set_value = 8,
                 .set_all_values = 9,
                 .lock = 3,
                 .unlock = 4},
    .removed_segment_stays = true,
    .forms = new_forms,
    .wide_forms = new_forms};

namespace calls {

CallResult omsgctl(Call& call) {
  return posix::msgctl_with(call, old_forms);
}

CallResult osemctl(Call& call) {
  return posix::semctl_with(call, old_forms);
}

CallResult oshmctl(Call& call) {
  return posix::shmctl_with(call, old_forms);
}

}  // namespace calls
}  // namespace hardclock::hpux
