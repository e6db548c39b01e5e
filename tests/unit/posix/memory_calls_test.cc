// brk(2) and mmap(2), and who shares what they do. The expectations are the manual pages' and, for
// vfork(), the kernels'.
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t far_away = 0x10000000;

// brk(2) of V7 and 2.11BSD: ENOMEM for data that does not fit below the stack.
// The stack, and the code behind it, stay.
TEST(Brk, MeetsTheEndsOfAPdp11sAddressSpace) {
  for (const char* const os : {"v7", "2.11bsd"}) {
    SCOPED_TRACE(os);
    Program program = program_for(os);
    const std::string_view brk = os == std::string_view("v7") ? "brk" : "sbrk";
    const auto same = program.call(brk, {heap_base});
    const auto grown = program.call(brk, {0x9001});
    program.store(0x9ffc, 7);
    const auto into_stack = program.call(brk, {0xe800});
    const auto stack = program.call(brk, {0xf000});
    const auto behind = program.call(brk, {0x10000});
    const auto wrapped = program.call(brk, {0xffffffff});
    const auto below = program.call(brk, {data_base - 1});
    const auto back = program.call(brk, {heap_base});
    program.call("exit", {5});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(same), std::nullopt);
    EXPECT_EQ(guest.error(grown), std::nullopt);
    for (const auto refused : {into_stack, stack, behind, wrapped, below}) {
      EXPECT_EQ(guest.error(refused), Errno::enomem);
    }
    EXPECT_EQ(guest.error(back), std::nullopt);
    EXPECT_EQ(guest.memory->region_at(GuestAddr(heap_base)), nullptr);
  }
}

// What is in the way stays, and so does the break.
TEST(Brk, DoesNotReplaceMappings) {
  Program program = program_for("irix");
  const auto zero = program.call("open", {own_data, 2});
  program.data(own_data, 0x2f646576);
  program.data(own_data + 4, 0x2f7a6572);
  program.data(own_data + 8, 0x6f000000);
  const auto mapped = program.call(
      "mmap", {heap_base + 0x2000, 0x1000, 3, 0x12, word_at(Program::result(zero)), 0});
  program.store(heap_base + 0x2000, 7);
  const auto over = program.call("brk", {heap_base + 0x4000});
  const auto up_to = program.call("brk", {heap_base + 0x2000});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(mapped), heap_base + 0x2000);
  EXPECT_EQ(guest.error(over), Errno::enomem);
  EXPECT_EQ(guest.error(up_to), std::nullopt);
  EXPECT_EQ(guest.word(heap_base + 0x2000), 7U);
}

// 4.3BSD kern_fork.c vpassvm() hands the sizes of the data back with the memory: what the child of
// a vfork allocated, the parent has.
TEST(Brk, OfAVforkChildIsItsParents) {
  for (const char* const os : {"4.1bsd", "4.3bsd", "solaris"}) {
    SCOPED_TRACE(os);
    Program program = program_for(os);
    const Label parent = program.label();
    const auto vfork = program.call("vfork");
    program.jump_if_zero(Program::second_result(vfork), parent);
    program.call("brk", {heap_base + 0x1000});
    program.call("exit", {0});
    program.place(parent);
    const auto further = program.call("brk", {heap_base + 0x2000});
    program.store(heap_base + 0x1ffc, 7);
    program.call("exit", {5});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(further), std::nullopt);
  }
}

// sproc(2) of IRIX: with PR_SADDR parent and child have one address space, hence one heap.
TEST(Brk, IsSharedAfterSprocWithTheAddressSpace) {
  constexpr std::uint32_t pr_saddr = 0x40;
  Program program = program_for("irix");
  const Label child = program.label(), wait = program.label();
  program.call("sproc", {child, pr_saddr, 0});
  program.place(wait);
  program.jump_if_zero(own_data, wait);
  const auto further = program.call("brk", {heap_base + 0x2000});
  program.call("exit", {5});
  program.place(child);
  const auto first = program.call("brk", {heap_base + 0x1000});
  program.store(own_data, 1);
  program.call("exit", {0});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(first), std::nullopt);
  EXPECT_EQ(guest.error(further), std::nullopt);
}

// A copy of the memory is another heap.
TEST(Brk, OfAForkedChildIsItsOwn) {
  Program program = program_for("4.3bsd");
  const Label parent = program.label();
  const auto fork = program.call("fork");
  program.jump_if_zero(Program::second_result(fork), parent);
  program.call("brk", {heap_base + 0x3000});
  program.call("exit", {0});
  program.place(parent);
  program.call("wait");
  const auto own = program.call("brk", {heap_base + 0x1000});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(own), std::nullopt);
  EXPECT_NE(guest.memory->region_at(GuestAddr(heap_base)), nullptr);
  EXPECT_EQ(guest.memory->region_at(GuestAddr(heap_base + 0x1000)), nullptr);
}

// Memory for writing alone: 4.4BSD's vm_map_lookup() and illumos's segvn_fault() ask for the
// permission to read at the first access; what was stored to can be read. IRIX mmap(2) has
// PROT_WRITE as PROT_READ|PROT_WRITE: "true for all SGI implementations".
TEST(Mmap, ForWritingAlone) {
  constexpr std::uint32_t write_alone = 2, private_fixed = 0x12, anonymous = 0x1000;
  constexpr std::uint32_t page = heap_base + 0x2000;
  for (const std::string os : {"4.4bsd", "solaris", "irix"}) {
    for (const bool stores : {false, true}) {
      SCOPED_TRACE(os + (stores ? " after a store" : ""));
      Program program = program_for(os);
      program.data(own_data, 0x2f646576);  // "/dev/zero"
      program.data(own_data + 4, 0x2f7a6572);
      program.data(own_data + 8, 0x6f000000);
      const auto zero = program.call("open", {own_data, 2});
      const bool is_bsd = os == "4.4bsd";
      const std::uint32_t flags = is_bsd ? private_fixed | anonymous : private_fixed;
      const Argument file = is_bsd ? Argument(0xffffffff) : word_at(Program::result(zero));
      const auto mapped = program.call("mmap", {page, 0x1000, write_alone, flags, file, 0, 0, 0});
      if (stores) program.store(page + 8, 7);
      program.store(own_data, word_at(page));
      program.call("exit", {5});
      Guest guest(program);
      const SimulationEnd outcome = guest.run();
      EXPECT_EQ(guest.value(mapped), page);
      EXPECT_EQ(outcome.status.by_signal, !stores && os != "irix");
    }
  }
}

// mmap(2) of 4.4BSD: the address is a hint, a length or an address that does not fit is an error.
TEST(Mmap, AtTheEnds) {
  constexpr std::uint32_t anonymous = 0x1002, fixed = 0x10, read_write = 3;
  Program program = program_for("4.4bsd");
  const auto map = [&](std::uint32_t address, std::uint32_t size, std::uint32_t flags) {
    return program.call("mmap", {address, size, read_write, flags, 0xffffffff, 0, 0, 0});
  };
  const auto hint = map(far_away, 1, anonymous);
  const auto low_hint = map(16, 1, anonymous);
  const auto last = map(0x7ffff000, 0x1000, anonymous | fixed);  // over the handlers' way back
  const auto beyond = map(0x7ffff000, 0x1001, anonymous | fixed);
  const auto kernel = map(0x80000000, 0x1000, anonymous | fixed);
  const auto top = map(0xfffff000, 0x1000, anonymous | fixed);
  const auto top_hint = map(0xfffff000, 0x1000, anonymous);
  const auto huge = map(0, 0xffffffff, anonymous);
  const auto empty = map(0, 0, anonymous);
  const auto odd = map(far_away + 1, 0x1000, anonymous | fixed);
  const auto unmap_odd = program.call("munmap", {far_away + 1, 0x1000});
  const auto unmap_beyond = program.call("munmap", {0x7ffff000, 0x2000});
  const auto protect_hole = program.call("mprotect", {far_away, 0x2000, 1});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(hint), far_away);
  EXPECT_NE(guest.value(low_hint), 0U);  // NULL is nobody's memory
  EXPECT_EQ(guest.error(last), std::nullopt);
  for (const auto refused : {beyond, kernel, top, empty, odd, unmap_odd, unmap_beyond}) {
    EXPECT_EQ(guest.error(refused), Errno::einval) << refused;
  }
  EXPECT_EQ(guest.error(top_hint), std::nullopt);
  EXPECT_LT(guest.value(top_hint), 0x80000000U);
  EXPECT_EQ(guest.error(huge), Errno::enomem);
  EXPECT_EQ(guest.error(protect_hole), Errno::enomem);
}

// The program's own stack may go, and the code to which handlers return: what then needs it ends
// with SIGSEGV.
TEST(Munmap, OfTheStackAndOfTheHandlersWayBack) {
  constexpr std::uint32_t sigusr1 = 30, stack_top = 0x7ffff000;
  struct Hole {
    std::uint32_t start, size;
    const char* notice;
  };
  for (const Hole& hole : {Hole{stack_top - 0x20000, 0x20000, "no room on its stack"},
                           Hole{stack_top, 0x1000, "fetch at 0x7ffff000: not mapped"}}) {
    Program program = program_for("4.4bsd");
    const Label handler = program.label();
    program.data(own_data, handler);
    program.call("sigaction", {sigusr1, own_data, 0});
    const auto unmapped = program.call("munmap", {hole.start, hole.size});
    const auto pid = program.call("getpid");
    program.call("kill", {word_at(Program::result(pid)), sigusr1});
    program.call("exit", {0});
    program.place(handler);
    program.return_to_caller();
    Guest guest(program);
    const SimulationEnd outcome = guest.run();
    EXPECT_EQ(guest.error(unmapped), std::nullopt);
    EXPECT_TRUE(outcome.status.by_signal);
    EXPECT_EQ(outcome.status.code, sigsegv);
    ASSERT_EQ(guest.notices.size(), 1U);
    EXPECT_NE(guest.notices[0].find(hole.notice), std::string::npos) << guest.notices[0];
  }
}

}  // namespace
}  // namespace hardclock::posix::testing
