// System V's IPC as HP-UX shows it. The structures are those of NetBSD's
// sys/compat/hpux/hpux_ipc.h, the commands and errors those of section 2 of the HP-UX Reference.
#include <gtest/gtest.h>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::Machine;
using testing::program_image;

constexpr unsigned semget_call = 156, old_semctl_call = 157, semop_call = 158, msgget_call = 159,
                   old_msgctl_call = 160, msgsnd_call = 161, msgrcv_call = 162, shmget_call = 163,
                   shmat_call = 165, shmdt_call = 166, semctl_call = 312, msgctl_call = 313,
                   shmctl_call = 314;
constexpr std::uint64_t ipc_rmid = 0, ipc_set = 1, ipc_stat = 2, ipc_nowait = 04000;
constexpr unsigned eagain = 11, einval = 22, enomsg = 35;

std::uint32_t word(Machine& machine, std::uint64_t address) {
  return *machine.memory().read<std::uint32_t>(GuestAddr(address));
}
std::uint32_t half(Machine& machine, std::uint64_t address) {
  return *machine.memory().read<std::uint16_t>(GuestAddr(address));
}
// The call's result.
std::uint64_t made(Machine& machine, unsigned number,
                   std::initializer_list<std::uint64_t> arguments) {
  EXPECT_EQ(machine.call(number, arguments), std::nullopt);
  return machine.gpr(28);
}

TEST(HpuxIpc, AMessageIsSentAndReceived) {
  Machine machine;
  const std::uint64_t queue = made(machine, msgget_call, {0, 0600});
  EXPECT_TRUE(machine.memory().write(GuestAddr(data), std::uint32_t{7}));
  EXPECT_TRUE(machine.memory().write(GuestAddr(data + 4), std::uint32_t{0x61626364}));
  made(machine, msgsnd_call, {queue, data, 4, 0});
  constexpr std::uint64_t status = data + 0x100;
  made(machine, msgctl_call, {queue, ipc_stat, status});
  EXPECT_EQ(word(machine, status), posix::first_user);
  EXPECT_EQ(half(machine, status + 16), 0600u) << "msg_perm.mode";
  EXPECT_EQ(half(machine, status + 52), 1u) << "msg_qnum";
  EXPECT_EQ(half(machine, status + 54), 16384u) << "msg_qbytes";
  EXPECT_EQ(word(machine, status + 56), static_cast<std::uint32_t>(machine.process->pid));
  EXPECT_EQ(half(machine, status + 76), 4u) << "msg_cbytes";
  made(machine, old_msgctl_call, {queue, ipc_stat, status});
  EXPECT_EQ(half(machine, status + 8), 0600u) << "msg_perm.mode";
  EXPECT_EQ(half(machine, status + 24), 4u) << "msg_cbytes";
  EXPECT_EQ(half(machine, status + 26), 1u) << "msg_qnum";
  EXPECT_EQ(machine.call(msgrcv_call, {queue, data, 4, 6, ipc_nowait}), enomsg);
  EXPECT_EQ(made(machine, msgrcv_call, {queue, data + 0x80, 4, 7, ipc_nowait}), 4u);
  EXPECT_EQ(word(machine, data + 0x84), 0x61626364u);
  made(machine, msgctl_call, {queue, ipc_rmid, 0});
  EXPECT_EQ(machine.call(msgctl_call, {queue, ipc_rmid, 0}), einval);
}

TEST(HpuxIpc, SemaphoresHaveSystemVsCommands) {
  constexpr std::uint64_t getval = 5, setval = 8;
  Machine machine;
  const std::uint64_t set = made(machine, semget_call, {0, 3, 0600});
  made(machine, semctl_call, {set, 1, setval, 5});
  EXPECT_TRUE(machine.memory().write(GuestAddr(data), std::uint32_t{0x0001fffe}));  // 1, -2
  EXPECT_TRUE(machine.memory().write(GuestAddr(data + 4), std::uint16_t{ipc_nowait}));
  made(machine, semop_call, {set, data, 1});
  EXPECT_EQ(made(machine, semctl_call, {set, 1, getval, 0}), 3u);
  made(machine, semop_call, {set, data, 1});
  EXPECT_EQ(machine.call(semop_call, {set, data, 1}), eagain);
  constexpr std::uint64_t status = data + 0x100;
  made(machine, semctl_call, {set, 0, ipc_stat, status});
  EXPECT_EQ(half(machine, status + 56), 3u) << "sem_nsems";
  made(machine, old_semctl_call, {set, 0, ipc_stat, status});
  EXPECT_EQ(half(machine, status + 20), 3u) << "sem_nsems";
}

TEST(HpuxIpc, ASegmentIsAttached) {
  Machine machine;
  const std::uint64_t segment = made(machine, shmget_call, {0, 5000, 0600});
  const std::uint64_t at = made(machine, shmat_call, {segment, 0, 0});
  EXPECT_TRUE(machine.memory().write(GuestAddr(at + 4996), std::uint32_t{1}));
  constexpr std::uint64_t status = data + 0x100;
  made(machine, shmctl_call, {segment, ipc_stat, status});
  EXPECT_EQ(word(machine, status + 44), 5000u) << "shm_segsz";
  EXPECT_EQ(half(machine, status + 60), 1u) << "shm_nattch";
  made(machine, shmdt_call, {at});
  EXPECT_FALSE(machine.memory().read<std::uint32_t>(GuestAddr(at)));
}

// By the order of the 32-bit members, with C's alignment of pointers, times and sizes of 64 bits.
TEST(HpuxIpc, The64BitStructuresHaveWiderMembers) {
  Machine machine(program_image(64));
  const std::uint64_t segment = made(machine, shmget_call, {0, 5000, 0600});
  constexpr std::uint64_t status = data + 0x100;
  made(machine, shmctl_call, {segment, ipc_stat, status});
  EXPECT_EQ(half(machine, status + 16), 0600u) << "shm_perm.mode";
  EXPECT_EQ(word(machine, status + 48), 0u) << "shm_segsz";
  EXPECT_EQ(word(machine, status + 52), 5000u) << "shm_segsz";
  EXPECT_EQ(word(machine, status + 68), static_cast<std::uint32_t>(machine.process->pid));
  const std::uint64_t queue = made(machine, msgget_call, {0, 0600});
  made(machine, msgctl_call, {queue, ipc_stat, status});
  EXPECT_EQ(half(machine, status + 66), 16384u) << "msg_qbytes";
  EXPECT_TRUE(machine.memory().write(GuestAddr(status + 66), std::uint16_t{1000}));
  made(machine, msgctl_call, {queue, ipc_set, status});
  EXPECT_TRUE(machine.memory().write(GuestAddr(status + 66), std::uint16_t{1}));
  made(machine, msgctl_call, {queue, ipc_stat, status});
  EXPECT_EQ(half(machine, status + 66), 1000u) << "msg_qbytes";
}

}  // namespace
}  // namespace hardclock::hpux
