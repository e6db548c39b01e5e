// Linux on IA-64: how a program starts and calls the kernel. Sources are Linux's, as each test
// says; offsets in structures are those that ia64-linux-gnu-gcc 12.2 has for the structures of
// glibc 2.36 and linux-libc-dev (a file of offsetof()s, compiled with -S).
#include <gtest/gtest.h>

#include "syscalls/posix/state.h"
#include "tests/unit/linux/ia64_guest.h"

namespace hardclock::gnu_linux {
namespace {

using testing::ia64_data;
using testing::ia64_text;
using testing::Ia64Guest;

constexpr std::uint64_t page = 0x4000;  // CONFIG_IA64_PAGE_SIZE_16KB
constexpr std::uint64_t ebadf = 9, efault = 14, einval = 22, enosys = 38;
constexpr std::uint64_t open_call = 1028, close_call = 1029, getpid_call = 1041, pipe_call = 1058,
                        brk_call = 1060, getrlimit_call = 1085, clone_call = 1128,
                        uname_call = 1130, pread_call = 1148, mmap_call = 1151, munmap_call = 1152,
                        mprotect_call = 1155, mmap2_call = 1172, stat_call = 1210,
                        clone2_call = 1213;

class Ia64Linux : public ::testing::Test {
 protected:
  Ia64Guest guest{::testing::TempDir()};
};

// arch/ia64/include/asm/processor.h, start_thread(): an empty frame, ar.rsc 0xf, the register stack
// 2 GiB below the end of the region (INIT_THREAD; mm/init.c, ia64_init_addr_space()), 16 bytes
// below argc for scratch. fs/binfmt_elf.c, create_elf_tables(): argc, argv, envp, the auxiliary
// vector.
TEST_F(Ia64Linux, StartsAProgram) {
  const ia64::Registers& registers = guest.registers();
  EXPECT_EQ(registers.pc, ia64_text + 0x10);
  EXPECT_EQ(registers.stack.marker(), ia64::FrameMarker{});
  EXPECT_EQ(registers.stack.rsc(), 0xfU);
  EXPECT_EQ(registers.stack.bsp(), 0x60000fffffffc000U - (1U << 31));
  EXPECT_EQ(registers.stack.bspstore(), registers.stack.bsp());
  EXPECT_EQ(registers.fpsr, 0x0009804c0270033fU);  // asm/fpu.h, FPSR_DEFAULT
  EXPECT_EQ(registers.user_mask, 0U);
  const std::uint64_t first = guest.gr(12) + 16;
  EXPECT_EQ(first % 16, 0U);
  EXPECT_EQ(guest.doubleword(first), 2U);
  EXPECT_EQ(guest.text(guest.doubleword(first + 8)), "self");
  EXPECT_EQ(guest.text(guest.doubleword(first + 16)), "x");
  EXPECT_EQ(guest.doubleword(first + 24), 0U);
  EXPECT_EQ(guest.text(guest.doubleword(first + 32)), "A=b");
  EXPECT_EQ(guest.doubleword(first + 40), 0U);
  constexpr std::uint64_t at_null = 0, at_pagesz = 6, at_sysinfo = 32, at_sysinfo_ehdr = 33;
  std::uint64_t page_bytes = 0;
  for (std::uint64_t at = first + 48; guest.doubleword(at) != at_null; at += 16) {
    const std::uint64_t type = guest.doubleword(at);
    if (type == at_pagesz) page_bytes = guest.doubleword(at + 8);
    // Then glibc makes its calls by break (sysdeps/unix/sysv/linux/ia64/dl-sysdep.h).
    EXPECT_TRUE(type != at_sysinfo && type != at_sysinfo_ehdr);
  }
  EXPECT_EQ(page_bytes, page);
}

// A register stack grows up when it is touched; nothing is below it. A plain access to page 0 is a
// fault (mm/init.c: "NaT-page at address zero").
TEST_F(Ia64Linux, HasStacks) {
  const std::uint64_t base = guest.stack().bsp();
  for (const std::uint64_t at : {base, base + 0x3fff8, base + (7U << 20)}) {
    EXPECT_TRUE(guest.memory().write<std::uint64_t>(GuestAddr(at), 1).ok()) << std::hex << at;
  }
  EXPECT_FALSE(guest.memory().write<std::uint64_t>(GuestAddr(base - 8), 1).ok());
  EXPECT_FALSE(guest.memory().read<std::uint64_t>(GuestAddr(0)).ok());
  EXPECT_TRUE(guest.memory().write<std::uint64_t>(GuestAddr(guest.gr(12) - 0x10000), 1).ok());
}

// arch/ia64/kernel/entry.S, ia64_ret_from_syscall: r8 is the result and r10 is 0, or r8 is the
// error and r10 is -1. The next slot follows. Numbers of errors are the generic ones.
TEST_F(Ia64Linux, AnswersCalls) {
  EXPECT_EQ(guest.call(close_call, {99}), ebadf);
  EXPECT_EQ(guest.gr(10), ~std::uint64_t{0});
  EXPECT_EQ(guest.registers().pc, Ia64Guest::return_address);
  EXPECT_EQ(guest.call(getpid_call, {}), static_cast<std::uint64_t>(guest.process->pid));
  EXPECT_EQ(guest.gr(10), 0U);
  EXPECT_EQ(guest.call(1500, {}), enosys);
  EXPECT_EQ(guest.notices.size(), 1U);
  guest.store_text(ia64_data, std::string(300, 'n'));
  EXPECT_EQ(guest.call(open_call, {ia64_data, 0, 0}), 36U);  // ENAMETOOLONG
}

// Arguments are the outputs of the frame, wherever it has them. A NaT is -1 (ivt.S,
// ia64_syscall_setup); r8 and r10 are no longer NaTs afterwards.
TEST_F(Ia64Linux, TakesArgumentsFromTheOutputs) {
  for (const unsigned locals : {0U, 5U, 90U}) {
    guest.alloc(locals + 3, locals);
    guest.store_text(ia64_data, "/self");
    guest.stack().write(32 + locals, ia64_data, false);
    guest.stack().write(33 + locals, 0, false);
    guest.stack().write(34 + locals, 0, false);
    const std::uint64_t file = guest.enter(open_call);
    EXPECT_FALSE(guest.failed()) << locals;
    guest.stack().write(32 + locals, file, false);
    EXPECT_EQ(guest.enter(close_call), 0U);
  }
  guest.alloc(1, 0);
  guest.stack().write(32, 3, true);
  guest.stack().write(8, 0, true);
  guest.stack().write(10, 0, true);
  EXPECT_EQ(guest.enter(close_call), ebadf);
  EXPECT_FALSE(guest.stack().nat(8));
  EXPECT_FALSE(guest.stack().nat(10));
}

// sys_ia64.c, sys_ia64_pipe(): the second descriptor is in r9.
TEST_F(Ia64Linux, ReturnsTwoDescriptors) {
  const std::uint64_t reader = guest.call(pipe_call, {});
  EXPECT_FALSE(guest.failed());
  EXPECT_EQ(guest.gr(9), reader + 1);
  EXPECT_EQ(guest.call(close_call, {reader + 1}), 0U);
}

// An offset of 64 bits is one argument.
TEST_F(Ia64Linux, TakesWideArguments) {
  guest.store_text(ia64_data, "/self");
  const std::uint64_t file = guest.call(open_call, {ia64_data, 0, 0});
  EXPECT_EQ(guest.call(pread_call, {file, ia64_data + 64, 100, 2}), 5U);
  EXPECT_EQ(guest.text(ia64_data + 64), "ven b");
  EXPECT_EQ(guest.call(pread_call, {file, ia64_data + 64, 100, std::uint64_t{1} << 32}), 0U);
}

// uapi/asm/stat.h.
TEST_F(Ia64Linux, TellsOfFiles) {
  constexpr std::uint64_t at = ia64_data + 0x100, behind = 144;
  guest.store_text(ia64_data, "/self");
  guest.store(at + behind, 0x1234);
  ASSERT_EQ(guest.call(stat_call, {ia64_data, at}), 0U);
  EXPECT_EQ(guest.doubleword(at + 16), 1U);  // st_nlink
  EXPECT_EQ(guest.word(at + 24) & 0170000, 0100000U);
  EXPECT_EQ(guest.doubleword(at + 48), 7U);  // st_size
  EXPECT_NE(guest.doubleword(at + 72), 0U);  // st_mtim
  EXPECT_NE(guest.doubleword(at + 104), 0U);
  EXPECT_EQ(guest.doubleword(at + 112), 8U);  // st_blocks, of 512 bytes: files have pages
  EXPECT_EQ(guest.doubleword(at + behind), 0x1234U);
}

TEST_F(Ia64Linux, IsAnIa64) {
  ASSERT_EQ(guest.call(uname_call, {ia64_data}), 0U);
  EXPECT_EQ(guest.text(ia64_data), "Linux");
  EXPECT_EQ(guest.text(ia64_data + 4 * 65), "ia64");
}

// uapi/asm-generic/resource.h: RLIMIT_STACK 3, RLIMIT_NOFILE 7, RLIMIT_AS 9, RLIM_INFINITY ~0.
TEST_F(Ia64Linux, NumbersItsLimits) {
  ASSERT_EQ(guest.call(getrlimit_call, {3, ia64_data}), 0U);
  EXPECT_EQ(guest.doubleword(ia64_data), 8U << 20);
  ASSERT_EQ(guest.call(getrlimit_call, {7, ia64_data}), 0U);
  EXPECT_EQ(guest.doubleword(ia64_data), 1024U);  // include/uapi/linux/fs.h, INR_OPEN_CUR
  ASSERT_EQ(guest.call(getrlimit_call, {9, ia64_data}), 0U);
  EXPECT_EQ(guest.doubleword(ia64_data), ~std::uint64_t{0});
}

// arch/ia64/kernel/sys_ia64.c, ia64_getpriority(): the priority itself, and no error where it is
// negative. A superuser's may be.
TEST_F(Ia64Linux, TellsThePriorityItself) {
  constexpr std::uint64_t getpriority_call = 1101, setpriority_call = 1102, eacces = 13;
  EXPECT_EQ(guest.call(getpriority_call, {0, 0}), 0U);
  EXPECT_FALSE(guest.failed());
  ASSERT_EQ(guest.call(setpriority_call, {0, 0, 5}), 0U);
  EXPECT_EQ(guest.call(getpriority_call, {0, 0}), 5U);
  EXPECT_EQ(guest.call(setpriority_call, {0, 0, ~std::uint64_t{0}}), eacces);
  EXPECT_TRUE(guest.failed());
  posix::state_of(guest.thread().process).nice = -20;
  EXPECT_EQ(static_cast<std::int64_t>(guest.call(getpriority_call, {0, 0})), -20);
  EXPECT_FALSE(guest.failed());
}

// ---- Pages of 16 KiB. asm-generic/mman.h: MAP_PRIVATE 2, MAP_FIXED 0x10, MAP_ANONYMOUS 0x20.

constexpr std::uint64_t read_write = 3, private_anonymous = 0x22, fixed = 0x10;
constexpr std::uint64_t nowhere = ~std::uint64_t{0};

TEST_F(Ia64Linux, MapsWholePages) {
  const std::uint64_t at = guest.call(mmap_call, {0, 1, read_write, private_anonymous, nowhere, 0});
  ASSERT_FALSE(guest.failed());
  EXPECT_EQ(at >> 61, 1U);  // region 1: asm/processor.h, DEFAULT_MAP_BASE
  EXPECT_EQ(at % page, 0U);
  EXPECT_TRUE(guest.memory().write<std::uint8_t>(GuestAddr(at + page - 1), 1).ok());
  EXPECT_FALSE(guest.memory().write<std::uint8_t>(GuestAddr(at + page), 1).ok());
  const std::uint64_t next =
      guest.call(mmap_call, {0, page + 1, read_write, private_anonymous, nowhere, 0});
  EXPECT_EQ(next, at + page);
  EXPECT_TRUE(guest.memory().write<std::uint8_t>(GuestAddr(next + 2 * page - 1), 1).ok());
  EXPECT_EQ(guest.call(munmap_call, {next + 0x1000, 1}), einval);
  EXPECT_EQ(guest.call(munmap_call, {next, 1}), 0U);
  EXPECT_FALSE(guest.memory().read<std::uint8_t>(GuestAddr(next + page - 1)).ok());
  EXPECT_TRUE(guest.memory().read<std::uint8_t>(GuestAddr(next + page)).ok());
  EXPECT_EQ(guest.call(mprotect_call, {next + page + 0x1000, 1, 1}), einval);
  EXPECT_EQ(guest.call(mprotect_call, {next + page, 1, 1}), 0U);
  EXPECT_FALSE(guest.memory().write<std::uint8_t>(GuestAddr(next + 2 * page - 1), 1).ok());
  guest.call(mmap_call, {at + 0x1000, 1, read_write, private_anonymous | fixed, nowhere, 0});
  EXPECT_EQ(guest.gr(8), einval);
  // Longer than any region.
  guest.call(mmap_call, {0, nowhere, read_write, private_anonymous, nowhere, 0});
  EXPECT_TRUE(guest.failed());
}

// sys_ia64.c: mmap2() counts in pages; mmap()'s offset is a multiple of one. Behind the file's end
// a page is zeros; the next page is none of the file's.
TEST_F(Ia64Linux, MapsFiles) {
  guest.store_text(ia64_data, "/self");
  const std::uint64_t file = guest.call(open_call, {ia64_data, 0, 0});
  const std::uint64_t at = guest.call(mmap2_call, {0, 2 * page, 1, 2, file, 0});
  ASSERT_FALSE(guest.failed());
  EXPECT_EQ(guest.text(at), "seven b");
  EXPECT_EQ(guest.doubleword(at + page - 8), 0U);
  EXPECT_EQ(guest.memory().read<std::uint64_t>(GuestAddr(at + page)).error().kind,
            Fault::Kind::no_object);
  EXPECT_EQ(guest.call(mmap_call, {0, page, 1, 2, file, 0x1000}), einval);
  const std::uint64_t behind = guest.call(mmap2_call, {0, page, 1, 2, file, 1});
  ASSERT_FALSE(guest.failed());
  EXPECT_FALSE(guest.memory().read<std::uint8_t>(GuestAddr(behind)).ok());
}

// The break starts at a page behind the program's data, and pages come whole; a break that cannot
// be is answered with the present one (sys_ia64.c, ia64_brk()).
TEST_F(Ia64Linux, MovesTheBreak) {
  const std::uint64_t start = guest.call(brk_call, {0});
  EXPECT_EQ(start, ia64_data + 2 * page);
  EXPECT_EQ(guest.call(brk_call, {start + 8}), start + 8);
  EXPECT_TRUE(guest.memory().write<std::uint8_t>(GuestAddr(start + page - 1), 1).ok());
  EXPECT_EQ(guest.call(brk_call, {8}), start + 8);
  EXPECT_FALSE(guest.failed());
}

// ---- Processes.

Process& child_of(Ia64Guest& guest, std::uint64_t pid) {
  Process* const child = guest.simulation.find(static_cast<int>(pid));
  CHECK(child != nullptr);
  return *child;
}

// fork() of glibc is clone2(SIGCHLD, 0, 0, ...): a copy of everything, with r8 = 0.
TEST_F(Ia64Linux, Forks) {
  constexpr std::uint64_t sigchld = 17;
  guest.alloc(10, 4);
  guest.stack().write(32, 0x77, true);
  guest.stack().call();  // a frame below, whose registers are not in memory
  guest.alloc(6, 0);
  for (unsigned r = 32; r < 38; ++r) guest.stack().write(r, 0, false);
  guest.stack().write(32, sigchld, false);
  const std::uint64_t pid = guest.enter(clone2_call);
  ASSERT_FALSE(guest.failed());
  ia64::Registers& child = ia64::registers_of(*child_of(guest, pid).main_thread().cpu);
  EXPECT_EQ(child.stack.value(8), 0U);
  EXPECT_EQ(child.stack.value(10), 0U);
  EXPECT_EQ(child.pc, guest.registers().pc);
  EXPECT_EQ(child.stack.dirty(), 4U);
  testing::NoStore none;
  ASSERT_EQ(child.stack.ret(ia64::pack_pfs({.sof = 10, .sol = 4}, 0, 3), none),
            ia64::StackResult::done);
  EXPECT_EQ(child.stack.value(32), 0x77U);
  EXPECT_TRUE(child.stack.nat(32));
}

// process.c, copy_thread(): the register stack starts at the base, sp is 16 below the end, r13 is
// the TLS. clone2.S of glibc reads its own arguments in the child: the frame has its values.
TEST_F(Ia64Linux, ClonesToAnotherStack) {
  constexpr std::uint64_t vm_vfork = 0x4100, settls = 0x80000, parent_settid = 0x100000;
  constexpr std::uint64_t base = ia64_data + 0x1000, size = 0x2000;
  guest.alloc(9, 3);
  guest.stack().write(32, 0x1111, false);
  guest.stack().write(34, 0x3333, true);
  const std::uint64_t arguments[] = {
      vm_vfork | settls | parent_settid, base, size, ia64_data, 0, 0x7700};
  for (unsigned i = 0; i < 6; ++i) guest.stack().write(35 + i, arguments[i], false);
  guest.enter(clone2_call);
  Process& process = child_of(guest, guest.word(ia64_data));
  ia64::Registers& child = ia64::registers_of(*process.main_thread().cpu);
  EXPECT_EQ(child.stack.bsp(), base);
  EXPECT_EQ(child.stack.bspstore(), base);
  EXPECT_EQ(child.stack.rsc(), guest.stack().rsc());
  EXPECT_EQ(child.stack.value(12), base + size - 16);
  EXPECT_EQ(child.stack.value(13), 0x7700U);
  EXPECT_EQ(child.stack.value(8), 0U);
  EXPECT_EQ(child.stack.value(32), 0x1111U);
  EXPECT_TRUE(child.stack.nat(34));
  EXPECT_EQ(child.pc, Ia64Guest::return_address);
}

// entry.S, sys_clone: (flags, stack, parent_tid, child_tid, tls), and a stack without a size, which
// is where the memory stack begins.
TEST_F(Ia64Linux, ClonesWithoutASize) {
  constexpr std::uint64_t flags = 0x4000 | 0x100 | 0x80000 | 0x1000000;  // and CLONE_CHILD_SETTID
  constexpr std::uint64_t stack = ia64_data + 0x2000;
  guest.call(clone_call, {flags, stack, 0, ia64_data + 8, 0x7700});
  Process& process = child_of(guest, guest.word(ia64_data + 8));
  ia64::Registers& child = ia64::registers_of(*process.main_thread().cpu);
  EXPECT_EQ(child.stack.value(12), stack);
  EXPECT_EQ(child.stack.bsp(), stack);
  EXPECT_EQ(child.stack.value(13), 0x7700U);
}

TEST_F(Ia64Linux, RefusesAddressesThatAreNotThere) {
  EXPECT_EQ(guest.call(stat_call, {0x100, ia64_data}), efault);
  EXPECT_EQ(guest.call(uname_call, {std::uint64_t{1} << 63}), efault);
}

}  // namespace
}  // namespace hardclock::gnu_linux
