// System V's IPC as IRIX shows it to its programs. Sources:
// msgop(2), semop(2), shmop(2) and their likes; FreeBSD, sys/compat/svr4/svr4_ipc.h, for the
// structures; IRIX Admin, "System Configuration and Operation", appendix A, for the limits.
#include "syscalls/irix/irix.h"
#include "syscalls/posix/ipc/ipc.h"

namespace hardclock::irix {
namespace {

using posix::GuestTypes;
using posix::IpcForms;
using posix::IpcPermission;
using posix::make_ipc_forms;
using posix::QueueStatus;
using posix::SegmentStatus;
using posix::SetStatus;

// What only the kernel knows: pointers to its own structures, 0 for programs.
constexpr std::uint64_t nothing = 0;

void lay_out_permission(auto& io, IpcPermission& permission) {
  io.word(permission.user)
      .word(permission.group)
      .word(permission.creator)
      .word(permission.creator_group)
      .word(permission.mode)
      .word_long(permission.sequence)
      .word(permission.key)
      .skip_longs(4);
}

// A time_t and a long that is kept for a wider one.
void lay_out_time(auto& io, std::uint64_t& time, const GuestTypes& types) {
  io.member(types.times_are_int ? 4 : types.long_bytes, time).skip_longs(1);
}

constexpr auto queue = [](auto& io, QueueStatus& status, const GuestTypes& types) {
  lay_out_permission(io, status.permission);
  io.skip_longs(2);  // msg_first, msg_last
  io.word_long(status.bytes).word_long(status.count).word_long(status.limit);
  io.word(status.last_sender).word(status.last_receiver);
  lay_out_time(io, status.sent, types);
  lay_out_time(io, status.received, types);
  lay_out_time(io, status.changed, types);
  io.skip_longs(4);
};

constexpr auto set = [](auto& io, SetStatus& status, const GuestTypes& types) {
  lay_out_permission(io, status.permission);
  io.skip_longs(1).half(status.count);  // sem_base
  lay_out_time(io, status.operated, types);
  lay_out_time(io, status.changed, types);
  io.skip_longs(4);
};

constexpr auto segment = [](auto& io, SegmentStatus& status, const GuestTypes& types) {
  std::uint64_t locks = nothing;
  lay_out_permission(io, status.permission);
  io.word(status.size).skip_longs(1).half(locks);  // shm_amp
  io.word(status.last).word(status.creator);
  io.word_long(status.attachments).word_long(status.attachments);
  lay_out_time(io, status.attached, types);
  lay_out_time(io, status.detached, types);
  lay_out_time(io, status.changed, types);
  io.skip_longs(4);
};

constexpr IpcForms forms = make_ipc_forms<queue, set, segment>();

}  // namespace

constinit const posix::IpcInterface ipc_interface = {
    .limits = {.messages = {.bytes = 16384, .queue_bytes = 32768, .queues = 50, .messages = 40},
               .semaphores = {.sets = 10,
                              .all = 60,
                              .of_set = 25,
                              .operations = 10,
                              .of_one = {.value = 32767, .adjustment = 16384},
                              .undo_of_process = 10},
               .segments = {.bytes = std::uint64_t{512} << 20, .segments = 100, .of_process = 100}},
    .commands = {.remove = 10,
                 .set = 11,
                 .status = 12,
                 .waiting_for_rise = 3,
                 .last_pid = 4,
                 .value = 5,
                 .all_values = 6,
                 .waiting_for_zero = 7,
                 .set_value = 8,
                 .set_all_values = 9,
                 .lock = 3,
                 .unlock = 4},
    .forms = forms,
    .wide_forms = forms};

}  // namespace hardclock::irix
