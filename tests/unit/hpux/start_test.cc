// What HP-UX gives a program on PA-RISC at its start, and how calls enter and leave the kernel.
// Expectations: the registers of aeriebsd's hpux_setregs() (sys/arch/hppa) and of Linux's
// start_thread_som(), and what the start code of HP-UX programs reads; the calls' registers as in
// Linux, arch/parisc/hpux (gate.S, wrappers.S).
#include <gtest/gtest.h>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::gateway;
using testing::Machine;
using testing::program_image;
using testing::text;

constexpr std::uint32_t gate = 0xe8002000;  // GNU as: b,gate .+8,%r0

TEST(Start, PassesArgumentsInRegisters) {
  Machine machine;
  ASSERT_EQ(machine.failure, "");
  EXPECT_EQ(machine.registers().pc, text + 0x10);
  EXPECT_EQ(machine.gpr(26), 2u);
  const std::uint64_t argv = machine.gpr(25), envp = machine.gpr(24);
  const auto string = [&](std::uint64_t at) {
    return machine.memory().read_string(GuestAddr(machine.word(at)), 20).value();
  };
  EXPECT_EQ(string(argv), "prog");
  EXPECT_EQ(string(argv + 4), "x");
  EXPECT_EQ(machine.word(argv + 8), 0u);
  EXPECT_EQ(string(envp), "A=b");
  EXPECT_EQ(string(envp + 4), "C=d");
  EXPECT_EQ(machine.word(envp + 8), 0u);
}

// The start code uses the keybits if envp <= r23 <= sp.
TEST(Start, DescribesTheProcessor) {
  Machine machine;
  const std::uint64_t keybits = machine.gpr(23);
  EXPECT_GE(keybits, machine.gpr(24));
  EXPECT_LE(keybits, machine.gpr(30));
  EXPECT_EQ(machine.word(keybits), 0x210u);
  EXPECT_EQ(machine.word(keybits + 8), 1u);  // words that follow
}

TEST(Start, TheStackGrowsUp) {
  Machine machine;
  const std::uint64_t sp = machine.gpr(30);
  EXPECT_EQ(sp % 64, 0u);
  EXPECT_GT(sp, machine.gpr(25));
  // A frame marker and the homes of four arguments below the stack pointer are free.
  EXPECT_GE(sp - 48, machine.gpr(23) + 20);
  AddressSpace& memory = machine.memory();
  const std::uint32_t value = 7;
  EXPECT_TRUE(memory.write(GuestAddr(sp + (1 << 20)), value).ok());
  EXPECT_TRUE(memory.write(GuestAddr(sp + (7 << 20)), value).ok());
  EXPECT_FALSE(memory.write(GuestAddr(sp + (8 << 20)), value).ok());  // maxssiz
  EXPECT_EQ(memory.region_at(GuestAddr(sp))->end, ((sp + (7 << 20)) & ~page_mask) + page_size);
}

// Also where it has grown; what the file says decides (sim/load/image.h).
TEST(Start, TheStackHoldsCodeUnlessTheFileSaysNo) {
  for (const bool execute : {false, true}) {
    Image image = program_image();
    image.executable_stack = execute;
    Machine machine(image);
    for (const std::uint64_t at : {machine.gpr(30), machine.gpr(30) + (1 << 20)}) {
      ASSERT_TRUE(machine.memory().write(GuestAddr(at), gate).ok());
      EXPECT_EQ(machine.memory().fetch<4>(GuestAddr(at), Access::execute).ok(), execute);
    }
  }
}

TEST(Start, TheGatewayPageIsThere) {
  Machine machine;
  EXPECT_EQ(machine.word(gateway), gate);
  EXPECT_EQ(machine.word(gateway + 4), gate);
  EXPECT_FALSE(machine.memory().write(GuestAddr(gateway), gate).ok());
  EXPECT_TRUE(machine.memory().fetch<4>(GuestAddr(gateway + 4), Access::execute).ok());
}

TEST(Start, AddressZeroReadsAsZeroUnlessTheProgramSaysNo) {
  Machine machine;
  EXPECT_EQ(machine.word(0), 0u);
  EXPECT_FALSE(machine.memory().write(GuestAddr(0), gate).ok());
  Image image = program_image();
  image.page_zero_reads_zero = false;
  Machine strict(image);
  EXPECT_FALSE(strict.memory().read<std::uint32_t>(GuestAddr(0)).ok());
}

// r22: load information, at whose +0x10 is the system-call entry table of the C library.
TEST(Start, A64BitProgramGetsTheEntryTable) {
  Machine machine(program_image(64));
  ASSERT_EQ(machine.failure, "");
  EXPECT_EQ(machine.gpr(26), 2u);
  EXPECT_EQ(machine.gpr(30) % 16, 0u);
  EXPECT_EQ(machine.gpr(29), machine.gpr(30) - 16);
  const std::uint64_t argv = machine.gpr(25);
  EXPECT_EQ(machine.memory().read_string(GuestAddr(machine.doubleword(argv)), 9).value(), "prog");
  EXPECT_EQ(machine.doubleword(argv + 16), 0u);
  EXPECT_EQ(machine.word(machine.gpr(23)), 0x214u);
  const std::uint64_t table = machine.doubleword(machine.gpr(22) + 0x10);
  for (const unsigned number : {1u, 4u, 540u}) {
    EXPECT_EQ(machine.doubleword(table + 8 * number), gateway + 4) << number;
  }
}

TEST(Start, AProgramOverTheGatewayIsRefused) {
  Image image = program_image();
  image.segments.push_back({GuestAddr(gateway), 16, {.read = true}, {}});
  EXPECT_NE(Machine(image).failure.find("gateway page"), std::string::npos);
}

// ---- Calls.

TEST(Calls, AResultClearsTheErrorRegister) {
  Machine machine;
  machine.enter(20);  // getpid, with the parent's as second result
  EXPECT_EQ(machine.gpr(22), 0u);
  EXPECT_EQ(machine.gpr(28), static_cast<std::uint64_t>(machine.process->pid));
  EXPECT_EQ(machine.gpr(29), static_cast<std::uint64_t>(machine.process->parent));
  EXPECT_EQ(machine.registers().pc, text + 0x20);
}

TEST(Calls, EnterTheGatewayAtItsBeginningToo) {
  Machine machine;
  machine.enter(20, 0);
  EXPECT_EQ(machine.gpr(28), static_cast<std::uint64_t>(machine.process->pid));
}

TEST(Calls, AnErrorsNumberIsHpuxs) {
  Machine machine;
  EXPECT_EQ(machine.call(6, {55}), 9u);  // close: EBADF
  EXPECT_EQ(machine.gpr(22), 1u);
  EXPECT_EQ(machine.registers().pc, text + 0x20);
  EXPECT_EQ(machine.call(999, {}), 251u);  // ENOSYS
}

TEST(Calls, OtherEntriesOfTheGatewayAreSaid) {
  Machine machine;
  machine.enter(20, 0x40);
  EXPECT_EQ(machine.gpr(22), 1u);
  EXPECT_EQ(machine.gpr(28), 251u);
  ASSERT_EQ(machine.notices.size(), 1u);
  EXPECT_NE(machine.notices[0].find("lightweight call at 0xc0000040"), std::string::npos);
}

// mmap(address, length, protection, flags, fd, offset) with MAP_PRIVATE and MAP_ANONYMOUS: the
// fifth argument is at -52(sp).
TEST(Calls, TheFifthArgumentIsOnTheStack) {
  Machine machine;
  EXPECT_EQ(machine.call(71, {0, 8192, 3, 2, 99, 0}), 9u);  // no descriptor 99
  EXPECT_EQ(machine.call(71, {0, 8192, 3, 0x12, 0xffffffff, 0}), std::nullopt);
  EXPECT_EQ(machine.word(machine.gpr(28) + 8188), 0u);
}

// The child of a fork has its parent's number and 1, the parent the child's and 0.
TEST(Calls, ForkHasTwoResults) {
  Machine machine;
  EXPECT_EQ(machine.call(2, {}), std::nullopt);
  EXPECT_EQ(machine.gpr(29), 0u);
  Process* const child = machine.simulation.find(static_cast<int>(machine.gpr(28)));
  ASSERT_NE(child, nullptr);
  const pa_risc::Registers& registers = pa_risc::registers_of(*child->main_thread().cpu);
  EXPECT_EQ(registers.gpr[28], static_cast<std::uint64_t>(machine.process->pid));
  EXPECT_EQ(registers.gpr[29], 1u);
  EXPECT_EQ(registers.gpr[22], 0u);
  EXPECT_EQ(registers.pc, text + 0x20);
}

TEST(Calls, PipeHasTwoResultsAndIn64BitsStoresThem) {
  Machine machine;
  EXPECT_EQ(machine.call(42, {}), std::nullopt);
  EXPECT_EQ(machine.gpr(29), machine.gpr(28) + 1);
  Machine wide(program_image(64));
  EXPECT_EQ(wide.call(42, {data}), std::nullopt);
  EXPECT_EQ(wide.word(data), wide.gpr(28));
  EXPECT_EQ(wide.word(data + 4), wide.gpr(29));
  EXPECT_EQ(wide.call(42, {0x30000000}), 14u);  // EFAULT
}

// All eight arguments of a 64-bit program are in registers; addresses are whole.
TEST(Calls, A64BitProgramPassesEightArguments) {
  Machine machine(program_image(64));
  EXPECT_EQ(machine.call(71, {0, 8192, 3, 0x12, 0xffffffffffffffff, 0}), std::nullopt);
  EXPECT_EQ(machine.doubleword(machine.gpr(28)), 0u);
  const std::uint64_t stack = machine.gpr(30);
  EXPECT_EQ(machine.call(116, {stack, 0}), std::nullopt);  // gettimeofday
}

// struct tms is four words in both (Ski, src/lp64struct.h: clock_t is a uint32_t).
TEST(Calls, TimesAreWords) {
  for (const unsigned bits : {32u, 64u}) {
    Machine machine(program_image(bits));
    machine.process->time.user = Ticks(5);
    machine.process->children_time.system = Ticks(7);
    EXPECT_TRUE(machine.memory().write<std::uint32_t>(GuestAddr(data + 16), 99).ok());
    EXPECT_EQ(machine.call(43, {data}), std::nullopt);
    EXPECT_EQ(machine.word(data), 5u);
    EXPECT_EQ(machine.word(data + 4), 0u);
    EXPECT_EQ(machine.word(data + 12), 7u);
    EXPECT_EQ(machine.word(data + 16), 99u);
  }
}

// HP-UX's numbers end with RLIMIT_RSS 5 and RLIMIT_NOFILE 6.
TEST(Calls, ResourcesHaveHpuxsNumbers) {
  Machine machine;
  EXPECT_EQ(machine.call(144, {6, data}), std::nullopt);
  EXPECT_EQ(machine.word(data), posix::open_max);
  EXPECT_EQ(machine.call(144, {3, data}), std::nullopt);
  EXPECT_EQ(machine.word(data), 8u << 20);
  EXPECT_EQ(machine.call(144, {7, data}), 22u);  // EINVAL
}

// struct hpux_utsname of aeriebsd: 9, 9, 9, 9, 9 and 15 characters.
TEST(Calls, UnameHasSixFields) {
  Machine machine;
  EXPECT_EQ(machine.call(57, {data, 0, 0}), std::nullopt);
  const auto field = [&](std::uint64_t at) {
    return machine.memory().read_string(GuestAddr(data + at), 16).value();
  };
  EXPECT_EQ(field(0), "HP-UX");
  EXPECT_EQ(field(9), "hardcloc");
  EXPECT_EQ(field(18), "B.11.11");
  EXPECT_EQ(field(36), "9000/785");
  EXPECT_EQ(machine.call(57, {data, 0, 1}), 14u);
}

// The page that holds the new end is the program's (Linux, hpux_brk()).
TEST(Calls, BrkMapsThePageOfTheEnd) {
  Machine machine;
  const std::uint64_t end = data + 3 * page_size;
  EXPECT_EQ(machine.call(17, {end}), std::nullopt);
  EXPECT_EQ(machine.word(end), 0u);
  EXPECT_FALSE(machine.memory().read<std::uint32_t>(GuestAddr(end + page_size)).ok());
}

}  // namespace
}  // namespace hardclock::hpux
