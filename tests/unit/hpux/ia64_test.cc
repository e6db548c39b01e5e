// What HP-UX gives a program on IA-64 at its start, and how calls enter and leave the kernel, in
// both data models. Expectations: HP's simulator Ski, src/hpux and src/load.c; GDB,
// gdb/ia64-hpux-tdep.c; the processes that HP shows in its handbook for 11i v3.
#include <gtest/gtest.h>

#include <initializer_list>

#include "sim/base/check.h"
#include "syscalls/hpux/hpux.h"
#include "tests/support/ia64_process.h"

namespace hardclock::hpux {
namespace {

constexpr std::uint64_t gateway = 0xe000000000000000;

struct Places {
  unsigned bits;
  std::uint64_t text, data, stack_end, word_bytes;
};
// A pointer of 0x40010000 is an address in region 1.
constexpr Places narrow{32, 0x04000000, 0x2000000040010000, 0x2000000080000000, 4};
constexpr Places wide{64, 0x4000000000000000, 0x6000000000010000, 0xa000000000000000, 8};

Image image_at(const Places& places) {
  Image image;
  image.architecture = Architecture::ia64;
  image.address_bits = places.bits;
  image.os_abi = 1;
  image.entry = GuestAddr(places.text + 0x10);
  image.page_zero_reads_zero = true;
  image.program_headers = GuestAddr(places.text + 0x40);
  image.segments = {
      {GuestAddr(places.text), 0x1000, Permissions{.read = true, .execute = true}, {}},
      {GuestAddr(places.data), 0x2000, Permissions{.read = true, .write = true}, {}}};
  return image;
}

class Guest : public support::Ia64Process {
 public:
  explicit Guest(const Places& places)
      : Ia64Process(
            hpux_system(), {},
            {"/prog", std::make_shared<const Image>(image_at(places)), {"prog", "x"}, {"A=b"}}),
        places_(places) {
    CHECK(failure.empty());
  }

  // A stub's br.call into the gateway: outputs alone. Returns r8.
  std::uint64_t call(std::uint64_t number, std::initializer_list<std::uint64_t> arguments) {
    stack().start(stack().bsp(), {.sof = 8});
    unsigned r = 32;
    for (const std::uint64_t argument : arguments) stack().write(r++, argument, false);
    stack().write(8, number, false);
    registers().set_pc(gateway);
    kernel->system_call(thread());
    return gr(8);
  }
  bool has_failed() { return (registers().predicates >> 14 & 1) != 0; }
  bool has_succeeded() { return (registers().predicates >> 15 & 1) != 0; }

  std::uint64_t pointer_at(std::uint64_t at) {
    return places_.bits == 64 ? doubleword(at) : word(at);
  }
  // By a pointer in memory.
  std::string string_at(std::uint64_t at) {
    std::uint64_t pointer = pointer_at(at);
    if (places_.bits == 32) pointer |= pointer >> 30 << 61;
    return memory().read_string(GuestAddr(pointer), 20).value();
  }

 private:
  const Places& places_;
};

class Ia64Hpux : public ::testing::TestWithParam<Places> {
 protected:
  Guest guest{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(BothModels, Ia64Hpux, ::testing::Values(narrow, wide),
                         [](const auto& info) { return std::to_string(info.param.bits); });

TEST_P(Ia64Hpux, PassesArgumentsInStackedRegisters) {
  const std::uint64_t word_bytes = GetParam().word_bytes;
  EXPECT_EQ(guest.registers().pc, GetParam().text + 0x10);
  EXPECT_EQ(guest.gr(32), 2u);
  const std::uint64_t argv = guest.gr(33), envp = guest.gr(34);
  EXPECT_EQ(guest.string_at(argv), "prog");
  EXPECT_EQ(guest.string_at(argv + word_bytes), "x");
  EXPECT_EQ(guest.pointer_at(argv + 2 * word_bytes), 0u);
  EXPECT_EQ(guest.string_at(envp), "A=b");
  EXPECT_EQ(guest.pointer_at(envp + word_bytes), 0u);
  EXPECT_TRUE(guest.stack().is_writable(35));
}

TEST_P(Ia64Hpux, DataAndTheRegisterStackAreBigEndian) {
  EXPECT_EQ(guest.registers().user_mask, ia64::um_be);
  EXPECT_EQ(guest.stack().rsc(), 0x1fu);  // eager, pl 3, be
}

// Sixteen bytes at the stack pointer are the program's to write; the register stack grows towards
// it, and both have the same room.
TEST_P(Ia64Hpux, HasTwoStacks) {
  const std::uint64_t sp = guest.gr(12), bsp = guest.stack().bsp();
  EXPECT_EQ(sp % 16, 0u);
  EXPECT_LE(sp + 16, guest.gr(33));
  EXPECT_LT(sp, GetParam().stack_end);
  EXPECT_GT(sp, GetParam().stack_end - 4096);
  EXPECT_EQ(bsp, GetParam().stack_end - 0x1001000);
  const std::uint64_t value = 7;
  EXPECT_TRUE(guest.memory().write(GuestAddr(bsp + (7 << 20)), value).ok());
  EXPECT_FALSE(guest.memory().write(GuestAddr(bsp + (8 << 20)), value).ok());
  EXPECT_TRUE(guest.memory().write(GuestAddr(sp - (7 << 20)), value).ok());
}

TEST_P(Ia64Hpux, HasLoadInformation) {
  const std::uint64_t info = guest.gr(35);
  EXPECT_EQ(info % 8, 0u);
  EXPECT_EQ(guest.doubleword(info), 1u);
  EXPECT_EQ(guest.doubleword(info + 8), 0x90u);
  const GuestAddr path(guest.doubleword(info + 0x18));
  EXPECT_EQ(guest.memory().read_string(path, 20).value(), "/prog");
  EXPECT_EQ(guest.doubleword(info + 0x20), GetParam().text);
  EXPECT_EQ(guest.doubleword(info + 0x28), GetParam().text + 0x40);
  EXPECT_EQ(guest.doubleword(info + 0x58), 0u);  // nobody traces the loader
  EXPECT_EQ(guest.doubleword(info + 0x78), guest.stack().bsp());
}

TEST_P(Ia64Hpux, ReadsZerosAtAddressZero) {
  EXPECT_EQ(guest.word(0), 0u);
  EXPECT_FALSE(guest.memory().write(GuestAddr(0), std::uint32_t{1}).ok());
}

// ar.k7 + 8 * number holds the address to call, where there is a break and the way back by b6.
TEST_P(Ia64Hpux, TheVectorLeadsToTheGateway) {
  const std::uint64_t vector = guest.registers().kernel[7];
  for (const std::uint64_t number : {1u, 44u, 540u, 1023u}) {
    EXPECT_EQ(guest.doubleword(vector + 8 * number), gateway);
  }
  // GNU as: { .mfb; break.m 0; nop.f 0; br.ret.sptk.few b6;; }
  EXPECT_EQ(guest.doubleword(gateway), 0x1d00000000000000u);
  EXPECT_EQ(guest.doubleword(gateway + 8), 0x0002008060008400u);
}

TEST_P(Ia64Hpux, ResultsAndErrorsAreToldByPredicates) {
  EXPECT_EQ(guest.call(20, {}), static_cast<std::uint64_t>(guest.process->pid));  // getpid
  EXPECT_TRUE(guest.has_succeeded());
  EXPECT_FALSE(guest.has_failed());
  EXPECT_EQ(guest.call(6, {77}), 9u);  // close: EBADF
  EXPECT_TRUE(guest.has_failed());
  EXPECT_FALSE(guest.has_succeeded());
  EXPECT_EQ(guest.registers().pc, gateway + 1);  // on the way to br.ret
}

// Two results: pipe()'s descriptors.
TEST_P(Ia64Hpux, ASecondResultIsInR9) {
  EXPECT_EQ(guest.call(42, {GetParam().data}), 0u);
  EXPECT_TRUE(guest.has_succeeded());
  EXPECT_EQ(guest.gr(9), 1u);
}

// The upper half of a pointer means nothing in 32 bits.
TEST(Ia64HpuxNarrow, PointersHaveThirtyTwoBits) {
  Guest guest(narrow);
  for (const std::uint64_t pointer : {0x40010000u, 0x40010000u}) {
    EXPECT_EQ(guest.call(57, {pointer | 0xdeadbeef00000000, 0, 0}), 0u);  // utssys: uname
  }
  EXPECT_EQ(guest.memory().read_string(GuestAddr(narrow.data), 9).value(), "HP-UX");
  EXPECT_EQ(guest.memory().read_string(GuestAddr(narrow.data + 18), 9).value(), "B.11.31");
  EXPECT_EQ(guest.call(57, {0x30000000, 0, 0}), 14u);  // EFAULT
}

// mmap(0, 4096, read and write, private and anonymous): a pointer in quadrant 1.
TEST(Ia64HpuxNarrow, MappingsAreInRegionOne) {
  Guest guest(narrow);
  const std::uint64_t pointer = guest.call(71, {0, 4096, 3, 0x12, ~std::uint64_t{0}, 0});
  EXPECT_EQ(pointer >> 30, 1u);
  EXPECT_TRUE(guest.memory().write(GuestAddr(pointer | std::uint64_t{1} << 61), pointer).ok());
  EXPECT_EQ(guest.call(73, {pointer, 4096}), 0u);
}

// brk(): the break is a pointer, too.
TEST(Ia64HpuxNarrow, TheBreakIsInRegionOne) {
  Guest guest(narrow);
  EXPECT_EQ(guest.call(17, {0x40014000}), 0u);
  EXPECT_TRUE(guest.memory().write(GuestAddr(0x2000000040013ff8), std::uint64_t{1}).ok());
}

// In one register, whatever the model; of an off_t of 32 bits the upper half means nothing.
TEST_P(Ia64Hpux, LongOffsets) {
  EXPECT_EQ(guest.call(42, {GetParam().data}), 0u);
  const std::uint64_t espipe = 29;
  EXPECT_EQ(guest.call(365, {0, 0x100000000, 0}), espipe);
  EXPECT_TRUE(guest.has_failed());
  EXPECT_EQ(guest.call(365, {0, 0, 7}), 22u);  // EINVAL: whence is the third argument
}

// lwp_getprivate() and lwp_setprivate() read and write r13 (Ski, src/hpux/syscall-hpux.c).
TEST_P(Ia64Hpux, AThreadsPrivatePointerIsInR13) {
  const std::uint64_t pointer = GetParam().bits == 64 ? GetParam().data + 0x10 : 0x40010010;
  EXPECT_EQ(guest.call(67, {}), 0u);
  EXPECT_EQ(guest.call(68, {pointer}), 0u);
  EXPECT_TRUE(guest.has_succeeded());
  EXPECT_EQ(guest.gr(13), pointer);
  guest.stack().write(13, pointer + 8, false);
  EXPECT_EQ(guest.call(67, {}), pointer + 8);
  EXPECT_TRUE(guest.has_succeeded());
}

// A tick at a pc of region 1 counts for the pointer that the program passed.
TEST(Ia64HpuxNarrow, ProfilesByPointers) {
  Guest guest(narrow);
  constexpr std::uint64_t offset = 0x80001000, pc = 0x4000000080001010;
  EXPECT_EQ(guest.call(44, {0x40010100, 256, offset, 0x8000}), 0u);  // a counter for four bytes
  guest.kernel->profile_tick(guest.thread(), GuestAddr(pc), ClockKind::clock, ProcessorMode::user);
  guest.kernel->leaving_kernel(guest.thread());
  EXPECT_EQ(guest.memory().read<std::uint16_t>(GuestAddr(narrow.data + 0x108)).value(), 1u);
}

}  // namespace
}  // namespace hardclock::hpux
