// Linux on PA-RISC: how a program starts and calls the kernel. Sources are Linux's, as each test
// says; offsets in structures are those that hppa-linux-gnu-gcc 12.2 has for the structures of
// Debian's linux-libc-dev-hppa-cross and libc6-dev-hppa-cross (a program of offsetof()s, compiled
// with -static and run by qemu-hppa).
#include <gtest/gtest.h>

#include "tests/unit/linux/pa_risc_guest.h"

namespace hardclock::gnu_linux {
namespace {

using testing::data_base;
using testing::Guest;
using testing::text_base;

class PaRiscLinux : public ::testing::Test {
 protected:
  static constexpr std::uint64_t light_weight = 0xb0, thread_pointer = 0xe0;
  static constexpr std::uint32_t nowhere = 0x30000000;  // not mapped

  std::uint32_t error() { return static_cast<std::uint32_t>(guest.registers().gpr[21]); }

  Guest guest{::testing::TempDir()};
};

std::uint32_t negated(std::uint32_t error) {
  return 0U - error;
}

// arch/parisc/include/asm/processor.h, start_thread(): argc in r25, argv in r24, 0 in r23, a stack
// pointer aligned to 64 bytes above all that. fs/binfmt_elf.c, create_elf_tables(): argc lies in
// front of argv, envp behind it, the auxiliary vector behind that.
TEST_F(PaRiscLinux, StartsAProgram) {
  const pa_risc::Registers& registers = guest.registers();
  EXPECT_EQ(registers.pc, text_base + 0x10);
  EXPECT_EQ(registers.gpr[25], 2U);
  EXPECT_EQ(registers.gpr[23], 0U);
  const std::uint64_t argv = registers.gpr[24];
  EXPECT_EQ(guest.word(argv - 4), 2U);
  EXPECT_EQ(guest.text(guest.word(argv)), "self");
  EXPECT_EQ(guest.text(guest.word(argv + 4)), "x");
  EXPECT_EQ(guest.word(argv + 8), 0U);
  EXPECT_EQ(guest.text(guest.word(argv + 12)), "A=b");
  EXPECT_EQ(guest.word(argv + 16), 0U);
  constexpr std::uint32_t at_null = 0, at_pagesz = 6, at_platform = 15;
  std::uint64_t at = argv + 20;
  EXPECT_EQ(guest.word(at), at_platform);
  EXPECT_EQ(guest.text(guest.word(at + 4)), "PARISC");
  std::uint32_t page_bytes = 0;
  for (; guest.word(at) != at_null; at += 8) {
    if (guest.word(at) == at_pagesz) page_bytes = guest.word(at + 4);
  }
  EXPECT_EQ(page_bytes, 4096U);
  EXPECT_EQ(registers.gpr[30] % 64, 0U);
  EXPECT_GT(registers.gpr[30], at + 8);
  EXPECT_TRUE(guest.memory().probe(GuestAddr(registers.gpr[30]), 4096, Access::write).ok());
}

// arch/parisc/kernel/syscall.S: data access to the gateway page is not allowed; each entry begins
// with a GATE (here as hppa-linux-gnu-as has "b,gate .+8,%r0").
TEST_F(PaRiscLinux, HasAGatewayPageAtZero) {
  for (const std::uint64_t entry : {0xb0, 0xe0, 0x100}) {
    EXPECT_EQ(guest.memory().fetch<4>(GuestAddr(entry), Access::execute).value(),
              (std::array<std::uint8_t, 4>{0xe8, 0x00, 0x20, 0x00}));
    EXPECT_FALSE(guest.memory().read<std::uint32_t>(GuestAddr(entry)).ok());
    EXPECT_FALSE(guest.memory().write<std::uint32_t>(GuestAddr(entry), 0).ok());
  }
}

// An error is its number negated, in the result's register, of uapi/asm/errno.h; the program goes
// on where r31 says.
TEST_F(PaRiscLinux, AnswersCalls) {
  constexpr std::uint32_t close = 6, getpid = 20, mkdir = 39, ebadf = 9, enosys = 251;
  EXPECT_EQ(guest.call(close, {99}), negated(ebadf));
  EXPECT_EQ(guest.registers().pc, Guest::return_address);
  EXPECT_EQ(guest.call(getpid, {}), static_cast<std::uint32_t>(guest.process->pid));
  EXPECT_EQ(guest.call(400, {}), negated(enosys));
  EXPECT_EQ(guest.notices.size(), 1U);
  guest.store_text(data_base, std::string(300, 'n'));
  EXPECT_EQ(guest.call(mkdir, {data_base, 0755}), negated(248));  // ENAMETOOLONG
}

// An int64 lies in two registers, the high half first: arch/parisc/kernel/sys_parisc.c,
// parisc_pread64(fd, buffer, count, high, low).
TEST_F(PaRiscLinux, TakesWideArguments) {
  constexpr std::uint32_t open = 5, pread64 = 108, einval = 22;
  guest.store_text(data_base, "/self");
  const std::uint32_t file = guest.call(open, {data_base, 0, 0});
  ASSERT_LT(file, 100U);
  EXPECT_EQ(guest.call(pread64, {file, data_base + 64, 100, 0, 2}), 5U);
  EXPECT_EQ(guest.text(data_base + 64), "ven b");
  EXPECT_EQ(guest.call(pread64, {file, data_base + 64, 100, 1, 0}), 0U);
  EXPECT_EQ(guest.call(pread64, {file, data_base + 64, 100, 0x80000000, 0}), negated(einval));
}

// uapi/asm/stat.h.
TEST_F(PaRiscLinux, TellsOfFiles) {
  constexpr std::uint32_t stat = 18, stat64 = 101, regular = 0100000;
  constexpr std::uint32_t at = data_base + 0x100;
  guest.store_text(data_base, "/self");
  ASSERT_EQ(guest.call(stat, {data_base, at}), 0U);
  EXPECT_EQ(guest.half(at + 8) & 0170000, regular);
  EXPECT_EQ(guest.half(at + 10), 1U);  // st_nlink
  EXPECT_EQ(guest.word(at + 20), 7U);  // st_size
  const std::uint32_t inode = guest.word(at + 4), modified = guest.word(at + 32);
  const std::uint32_t blocks = guest.word(at + 52), owner = guest.word(at + 84);
  EXPECT_NE(modified, 0U);
  EXPECT_EQ(blocks, 8U);  // of 512 bytes: files have pages
  ASSERT_EQ(guest.call(stat64, {data_base, at}), 0U);
  EXPECT_EQ(guest.word(at + 16) & 0170000, regular);
  EXPECT_EQ(guest.word(at + 20), 1U);
  EXPECT_EQ(guest.word(at + 24), owner);
  EXPECT_EQ(guest.doubleword(at + 48), 7U);
  EXPECT_EQ(guest.doubleword(at + 64), blocks);
  EXPECT_EQ(guest.word(at + 80), modified);
  EXPECT_EQ(guest.doubleword(at + 96), inode);
}

// What `uname -m` prints under qemu-hppa.
TEST_F(PaRiscLinux, IsAParisc) {
  constexpr std::uint32_t uname = 59;
  ASSERT_EQ(guest.call(uname, {data_base}), 0U);
  EXPECT_EQ(guest.text(data_base), "Linux");
  EXPECT_EQ(guest.text(data_base + 4 * 65), "parisc");
}

// uapi/asm/resource.h is the generic one: RLIMIT_STACK 3, RLIMIT_NOFILE 7, RLIM_INFINITY ~0.
TEST_F(PaRiscLinux, NumbersItsLimits) {
  constexpr std::uint32_t getrlimit = 76, stack = 3, files = 7, address_space = 9;
  ASSERT_EQ(guest.call(getrlimit, {stack, data_base}), 0U);
  EXPECT_EQ(guest.word(data_base), 8U << 20);
  ASSERT_EQ(guest.call(getrlimit, {files, data_base}), 0U);
  EXPECT_EQ(guest.word(data_base), 1024U);  // include/uapi/linux/fs.h, INR_OPEN_CUR
  ASSERT_EQ(guest.call(getrlimit, {address_space, data_base}), 0U);
  EXPECT_EQ(guest.word(data_base), 0xffffffffU);
}

// arch/parisc/kernel/sys_parisc.c, FIX_O_NONBLOCK(): programs from before Linux 5.10 have
// O_NONBLOCK with a second bit, which these calls pass over. F_GETFL 3.
TEST_F(PaRiscLinux, TakesTheFormerNonBlock) {
  constexpr std::uint32_t fcntl = 55, timerfd_create = 306, eventfd2 = 310, pipe2 = 313,
                          inotify_init1 = 314;
  constexpr std::uint32_t former = 000200004, non_block = 000200000, einval = 22;
  ASSERT_EQ(guest.call(pipe2, {data_base, former}), 0U);
  EXPECT_EQ(guest.call(fcntl, {guest.word(data_base), 3}) & former, non_block);
  for (const std::uint32_t file :
       {guest.call(eventfd2, {0, former}), guest.call(timerfd_create, {1, former}),
        guest.call(inotify_init1, {former})}) {
    EXPECT_LT(file, 100U);
    EXPECT_EQ(guest.call(fcntl, {file, 3}) & former, non_block);
  }
  EXPECT_EQ(guest.call(pipe2, {data_base, former | 2}), -einval);
}

// ---- arch/parisc/kernel/syscall.S, "32/64-bit Light-Weight-Syscall ABI".

TEST_F(PaRiscLinux, ComparesAndSwapsAWord) {
  constexpr std::uint32_t cas = 0, efault = 14;
  guest.store(data_base, 5);
  EXPECT_EQ(guest.enter(light_weight, cas, {data_base, 5, 6}), 5U);
  EXPECT_EQ(error(), 0U);
  EXPECT_EQ(guest.word(data_base), 6U);
  EXPECT_EQ(guest.registers().pc, Guest::return_address);
  EXPECT_EQ(guest.enter(light_weight, cas, {data_base, 5, 7}), 6U);
  EXPECT_EQ(error(), 0U);
  EXPECT_EQ(guest.word(data_base), 6U);
  for (const std::uint32_t bad : {nowhere, data_base + 2, text_base, 0U}) {
    guest.enter(light_weight, cas, {bad, 0, 7});
    EXPECT_EQ(error(), negated(efault)) << bad;
  }
}

TEST_F(PaRiscLinux, ComparesAndSwapsAnySize) {
  constexpr std::uint32_t cas2 = 2, old = data_base, wanted = data_base + 8, at = data_base + 16;
  constexpr std::uint32_t efault = 14, enosys = 251;
  for (const std::uint32_t size : {0, 1, 2, 3}) {
    for (const std::uint32_t place : {old, at}) {
      guest.store(place, 0x11223344);
      guest.store(place + 4, 0x55667788);
    }
    guest.store(wanted, 0xaabbccdd);
    guest.store(wanted + 4, 0xeeff0011);
    EXPECT_EQ(guest.enter(light_weight, cas2, {at, old, wanted, size}), 0U);
    EXPECT_EQ(error(), 0U);
    constexpr std::uint64_t expected[] = {0xaa22334455667788, 0xaabb334455667788,
                                          0xaabbccdd55667788, 0xaabbccddeeff0011};
    EXPECT_EQ(guest.doubleword(at), expected[size]);
    EXPECT_EQ(guest.enter(light_weight, cas2, {at, old, wanted, size}), 1U);
    EXPECT_EQ(error(), 0U);
    EXPECT_EQ(guest.doubleword(at), expected[size]);
  }
  guest.enter(light_weight, cas2, {at, old, wanted, 4});
  EXPECT_EQ(error(), negated(enosys));
  guest.enter(light_weight, cas2, {at, nowhere, wanted, 2});
  EXPECT_EQ(error(), negated(efault));
}

TEST_F(PaRiscLinux, ExchangesAndStores) {
  constexpr std::uint32_t exchange = 3, store = 4, efault = 14, enosys = 251;
  constexpr std::uint32_t at = data_base, wanted = data_base + 8, old = data_base + 16;
  guest.store(at, 1);
  guest.store(wanted, 2);
  EXPECT_EQ(guest.enter(light_weight, exchange, {at, 2, wanted, old}), 0U);
  EXPECT_EQ(guest.word(at), 2U);
  EXPECT_EQ(guest.word(old), 1U);
  guest.store(wanted, 3);
  EXPECT_EQ(guest.enter(light_weight, store, {at, 2, wanted}), 0U);
  EXPECT_EQ(guest.word(at), 3U);
  guest.enter(light_weight, store, {nowhere, 2, wanted});
  EXPECT_EQ(error(), negated(efault));
  guest.enter(light_weight, 5, {});
  EXPECT_EQ(error(), negated(enosys));
}

// The entry at 0xe0: r26 to control register 27, which nothing but mtctl does to registers.
TEST_F(PaRiscLinux, SetsTheThreadPointer) {
  guest.registers().gpr[28] = 1234;
  guest.enter(thread_pointer, 0, {0x12345678});
  EXPECT_EQ(guest.registers().temporary[3], 0x12345678U);
  EXPECT_EQ(guest.registers().gpr[28], 1234U);
  EXPECT_EQ(guest.registers().pc, Guest::return_address);
}

}  // namespace
}  // namespace hardclock::gnu_linux
