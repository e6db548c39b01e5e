// The structures of System V's IPC as Linux lays them out with IPC_64. Sources:
// arch/{mips,parisc,ia64}/include/uapi/asm/{ipc,msg,sem,shm}buf.h, include/uapi/asm-generic/ the
// same, arch/mips/include/asm/compat.h for n32.
#include "syscalls/linux/linux.h"
#include "syscalls/posix/ipc/ipc.h"

namespace hardclock::gnu_linux {
namespace {

using posix::GuestTypes;
using posix::IpcForms;
using posix::IpcInterface;
using posix::IpcPermission;
using posix::make_ipc_forms;
using posix::QueueStatus;
using posix::SegmentStatus;
using posix::SetStatus;

// asm-generic/ipcbuf.h
void lay_out_permission(auto& io, IpcPermission& permission) {
  io.word(permission.key)
      .word(permission.user)
      .word(permission.group)
      .word(permission.creator)
      .word(permission.creator_group)
      .word(permission.mode)
      .half(permission.sequence)
      .skip(2);
  std::uint64_t unused = 0;
  io.word_long(unused).word_long(unused);
}

// The first 32-bit kernels had room for half of a time only; its other half was put where padding
// was.
constexpr unsigned half_bits = 32;

// ---- MIPS with longs of 32 bits.

// Two words, in the order of the bytes.
void lay_out_mips_times(auto& io, std::uint64_t& time, const GuestTypes& types) {
  std::uint32_t low = static_cast<std::uint32_t>(time);
  std::uint32_t high = static_cast<std::uint32_t>(time >> half_bits);
  if (types.endian == Endian::big) {
    io.word(high).word(low);
  } else {
    io.word(low).word(high);
  }
  time = std::uint64_t{high} << half_bits | low;
}

constexpr auto mips_queue = [](auto& io, QueueStatus& status, const GuestTypes& types) {
  lay_out_permission(io, status.permission);
  lay_out_mips_times(io, status.sent, types);
  lay_out_mips_times(io, status.received, types);
  lay_out_mips_times(io, status.changed, types);
  io.word(status.bytes).word(status.count).word(status.limit);
  io.word(status.last_sender).word(status.last_receiver).skip(8);
};

constexpr auto mips_set = [](auto& io, SetStatus& status, const GuestTypes&) {
  lay_out_permission(io, status.permission);
  io.word(status.operated).word(status.changed).word(status.count).skip(8);
};

constexpr auto mips_segment = [](auto& io, SegmentStatus& status, const GuestTypes&) {
  lay_out_permission(io, status.permission);
  io.word(status.size).word(status.attached).word(status.detached).word(status.changed);
  io.word(status.creator).word(status.last).word(status.attachments).skip(8);
};

// ---- Longs of 64 bits: MIPS and IA-64 (asm-generic).
constexpr auto wide_queue = [](auto& io, QueueStatus& status, const GuestTypes&) {
  lay_out_permission(io, status.permission);
  io.wide(status.sent).wide(status.received).wide(status.changed);
  io.wide(status.bytes).wide(status.count).wide(status.limit);
  io.word(status.last_sender).word(status.last_receiver).skip(16);
};

constexpr auto wide_set = [](auto& io, SetStatus& status, const GuestTypes&) {
  lay_out_permission(io, status.permission);
  io.wide(status.operated).wide(status.changed).wide(status.count).skip(16);
};

constexpr auto wide_segment = [](auto& io, SegmentStatus& status, const GuestTypes&) {
  lay_out_permission(io, status.permission);
  io.wide(status.size).wide(status.attached).wide(status.detached).wide(status.changed);
  io.word(status.creator).word(status.last).wide(status.attachments).skip(16);
};

// ---- PA-RISC
void lay_out_pa_risc_permission(auto& io, IpcPermission& permission) {
  io.word(permission.key)
      .word(permission.user)
      .word(permission.group)
      .word(permission.creator)
      .word(permission.creator_group);
  io.skip(2).half(permission.mode).skip(2).half(permission.sequence).skip(4);
  std::uint64_t unused = 0;
  io.wide(unused).wide(unused);
}

constexpr auto pa_risc_queue = [](auto& io, QueueStatus& status, const GuestTypes&) {
  lay_out_pa_risc_permission(io, status.permission);
  io.wide(status.sent).wide(status.received).wide(status.changed);
  io.word(status.bytes).word(status.count).word(status.limit);
  io.word(status.last_sender).word(status.last_receiver).skip(8);
};

constexpr auto pa_risc_set = [](auto& io, SetStatus& status, const GuestTypes&) {
  lay_out_pa_risc_permission(io, status.permission);
  io.wide(status.operated).wide(status.changed).word(status.count).skip(8);
};

constexpr auto pa_risc_segment = [](auto& io, SegmentStatus& status, const GuestTypes&) {
  lay_out_pa_risc_permission(io, status.permission);
  io.wide(status.attached).wide(status.detached).wide(status.changed).skip(4);
  io.word(status.size).word(status.creator).word(status.last).word(status.attachments).skip(8);
};

constexpr IpcForms wide_forms = make_ipc_forms<wide_queue, wide_set, wide_segment>();

// include/uapi/linux/{ipc,msg,sem,shm}.h; SHMMAX is that of longs with 32 bits.
constexpr IpcInterface make_ipc(const IpcForms& forms, std::uint64_t unit) {
  constexpr std::uint32_t most_sets = 32000, of_set = 32000;
  return {.limits = {.messages = {.bytes = 8192, .queue_bytes = 16384, .queues = most_sets},
                     .semaphores = {.sets = most_sets,
                                    .all = std::uint64_t{of_set} * most_sets,
                                    .of_set = of_set,
                                    .operations = 500,
                                    .of_one = {.value = 32767, .adjustment = 32767}},
                     .segments = {.bytes = ~std::uint64_t{0} - (std::uint64_t{1} << 24),
                                  .segments = 4096,
                                  .unit = unit}},
          .commands = {.remove = 0,
                       .set = 1,
                       .status = 2,
                       .waiting_for_rise = 14,
                       .last_pid = 11,
                       .value = 12,
                       .all_values = 13,
                       .waiting_for_zero = 15,
                       .set_value = 16,
                       .set_all_values = 17,
                       .lock = 11,
                       .unlock = 12},
          .other_type = 020000,
          .copy = 040000,
          .removed_segment_stays = true,
          .forms = forms,
          .wide_forms = wide_forms};
}

}  // namespace

// SHMLBA of arch/mips/include/asm/shmparam.h, arch/parisc's and arch/ia64's.
constinit const IpcInterface mips_ipc =
    make_ipc(make_ipc_forms<mips_queue, mips_set, mips_segment>(), 0x40000);
constinit const IpcInterface pa_risc_ipc =
    make_ipc(make_ipc_forms<pa_risc_queue, pa_risc_set, pa_risc_segment>(), 4096);
constinit const IpcInterface ia64_ipc = make_ipc({}, std::uint64_t{1} << 20);

}  // namespace hardclock::gnu_linux
