// What IRIX says about itself and its files: syssgi(2), sysmp(2), sysinfo(2), uname(2),
// pathconf(2).
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t bad_address = 0x10;

std::string text_at(const Guest& guest, std::uint32_t address) {
  return guest.memory->read_string(GuestAddr(address), 64).value();
}

// The numbers of the names are those of IRIX <unistd.h> (NetBSD, sys/compat/irix/irix_syssgi.h);
// the values, which irix-abi.md has from SGI's programs and QEMU's IRIX fork: 100 ticks a second,
// pages of 4096 bytes, one processor.
TEST(IrixSystem, Sysconf) {
  struct Known {
    std::uint32_t name, value;
  };
  for (const Known& known :
       {Known{3, 100}, Known{5, 200}, Known{6, 1}, Known{7, 1}, Known{8, 199009}, Known{11, 4096},
        Known{14, 1}, Known{15, 1}, Known{25, 0}, Known{30, 0}, Known{31, 32}}) {
    Program program = program_for("irix");
    const auto asked = program.call("sysconf", {known.name});
    const auto unknown = program.call("sysconf", {9999});
    program.call("exit", {5});
    Guest guest(program);
    EXPECT_EQ(guest.run().status.code, 5U);
    EXPECT_EQ(guest.error(asked), std::nullopt) << known.name;
    EXPECT_EQ(guest.value(asked), known.value) << known.name;
    EXPECT_EQ(guest.error(unknown), Errno::einval);
  }
}

// fd(4): "If file descriptor n is open, these two system calls have the same effect": open() of
// /dev/fd/n and dup(n); "creat(2) is equivalent to open, and mode is ignored"; EBADF.
TEST(IrixSystem, OpeningADescriptorByNameIsDup) {
  Program program = program_for("irix");
  program.data(own_data, 0x2f646576);      // "/dev/fd/0"
  program.data(own_data + 4, 0x2f66642f);  //
  program.data(own_data + 8, 0x30000000);
  program.data(own_data + 16, 0x78000000);
  const auto closed = program.call("open", {own_data, 0});
  const auto pipe = program.call("pipe");
  const auto again = program.call("open", {own_data, 1});
  const auto created = program.call("creat", {own_data, 0});
  const auto written = program.call("write", {1, own_data + 16, 1});
  const auto read = program.call("read", {word_at(Program::result(again)), own_data + 20, 8});
  const auto refused = program.call("write", {word_at(Program::result(created)), own_data, 1});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(closed), Errno::ebadf);
  EXPECT_EQ(guest.value(pipe), 0U);
  EXPECT_EQ(guest.value(again), 2U);
  EXPECT_EQ(guest.value(created), 3U);
  EXPECT_EQ(guest.value(written), 1U);
  EXPECT_EQ(guest.value(read), 1U);
  EXPECT_EQ(guest.error(refused), Errno::ebadf);
}

// POSIX.1's minimums hold, and its errors: ENOENT, EBADF, EINVAL.
TEST(IrixSystem, Pathconf) {
  constexpr std::uint32_t name_max = 4, path_max = 5, pipe_buf = 6, by_path = 1, by_file = 2;
  Program program = program_for("irix");
  program.data(own_data, 0x2f73656c);  // "/self"
  program.data(own_data + 4, 0x66000000);
  program.data(own_data + 8, 0x2f6e6f00);  // "/no"
  const auto name = program.call("pathconf", {own_data, name_max, by_path});
  const auto path = program.call("pathconf", {own_data, path_max, by_path});
  const auto pipe = program.call("pipe");
  const auto buffer = program.call("pathconf", {word_at(Program::result(pipe)), pipe_buf, by_file});
  const auto missing = program.call("pathconf", {own_data + 8, name_max, by_path});
  const auto closed = program.call("pathconf", {99, name_max, by_file});
  const auto unknown = program.call("pathconf", {own_data, 99, by_path});
  const auto how = program.call("pathconf", {own_data, name_max, 3});
  const auto nowhere = program.call("pathconf", {bad_address, name_max, by_path});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_GE(guest.value(name), 14U);
  EXPECT_GE(guest.value(path), 255U);
  EXPECT_GE(guest.value(buffer), 512U);
  EXPECT_EQ(guest.error(missing), Errno::enoent);
  EXPECT_EQ(guest.error(closed), Errno::ebadf);
  EXPECT_EQ(guest.error(unknown), Errno::einval);
  EXPECT_EQ(guest.error(how), Errno::einval);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
}

// sysinfo(2): "Upon successful completion, the value returned indicates the buffer size in bytes
// required to hold the complete value and the terminating null character"; EINVAL, EPERM.
TEST(IrixSystem, Sysinfo) {
  Program program = program_for("irix");
  const auto system = program.call("sysinfo", {1, own_data, 64});
  const auto cut = program.call("sysinfo", {1, own_data + 0x40, 3});
  const auto size = program.call("sysinfo", {1, 0, 0});
  const auto unknown = program.call("sysinfo", {106, own_data, 64});
  const auto set = program.call("sysinfo", {258, own_data, 4});
  const auto nowhere = program.call("sysinfo", {1, bad_address, 64});
  const auto negative = program.call("sysinfo", {1, own_data, 0xffffffff});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(system), 5U);
  EXPECT_EQ(text_at(guest, own_data), "IRIX");
  EXPECT_EQ(guest.value(cut), 5U);
  EXPECT_EQ(text_at(guest, own_data + 0x40), "IR");
  EXPECT_EQ(guest.value(size), 5U);
  EXPECT_EQ(guest.error(unknown), Errno::einval);
  EXPECT_EQ(guest.error(set), Errno::eperm);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.error(negative), Errno::einval);
}

// uname(2) of System V.3 has fields of nine characters; gethostname(2) ends its name if there is
// room.
TEST(IrixSystem, Names) {
  Program program = program_for("irix");
  program.call("uname", {own_data});
  const auto host = program.call("gethostname", {own_data + 0x40, 32});
  const auto cut = program.call("gethostname", {own_data + 0x60, 4});
  const auto domain = program.call("getdomainname", {own_data + 0x80, 8});
  const auto negative = program.call("gethostname", {own_data, 0xffffffff});
  const auto rename = program.call("sethostname", {own_data, 4});
  const auto nowhere = program.call("uname", {bad_address});
  const auto device = program.call("ustat", {own_data + 0xa0, 1});
  program.data(own_data + 0x64, 0x78000000);
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(text_at(guest, own_data), "IRIX");
  EXPECT_EQ(text_at(guest, own_data + 9), "hardcloc");
  EXPECT_EQ(guest.error(host), std::nullopt);
  EXPECT_EQ(text_at(guest, own_data + 0x40), "hardclock");
  EXPECT_EQ(guest.error(cut), std::nullopt);
  EXPECT_EQ(text_at(guest, own_data + 0x60), "hardx");
  EXPECT_EQ(guest.error(domain), std::nullopt);
  EXPECT_EQ(text_at(guest, own_data + 0x80), "");
  EXPECT_EQ(guest.error(negative), Errno::einval);
  EXPECT_EQ(guest.error(rename), Errno::eperm);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.error(device), Errno::einval);
}

// What libc and rld ask at start-up (irix-abi.md, 4.1, from their disassembly): sproc() wants the
// size of an inventory entry, 24 bytes; getdtablehi(3) is one above the highest descriptor; an
// error keeps libc on sigprocmask().
TEST(IrixSystem, Startup) {
  Program program = program_for("irix");
  const auto entry = program.call("sgi_invent", {1, 0, 0});
  const auto table = program.call("sgi_invent", {2, own_data, 0x100});
  const auto first = program.call("sgi_invent", {2, own_data + 0x100, 47});
  const auto nothing = program.call("sgi_invent", {3, own_data, 0});
  const auto closed = program.call("sgi_fdhi");
  const auto pipe = program.call("pipe");
  const auto open = program.call("sgi_fdhi");
  const auto saved = program.call("sgi_tosstsave");
  const auto mask = program.call("sgi_procmask_location", {1});
  const auto processors = program.call("nprocs");
  const auto clock = program.call("clock", {0});
  const auto activity = program.call("saget", {1, own_data, 4});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(entry), 24U);
  EXPECT_EQ(guest.value(table) % 24, 0U);
  EXPECT_NE(guest.value(table), 0U);
  EXPECT_EQ(guest.value(first), 24U);
  EXPECT_EQ(guest.error(nothing), Errno::einval);
  EXPECT_EQ(guest.value(closed), 0U);
  EXPECT_EQ(guest.value(open), guest.second_value(pipe) + 1);
  EXPECT_EQ(guest.value(saved), 0U);
  EXPECT_EQ(guest.error(mask), Errno::einval);
  EXPECT_EQ(guest.value(processors), 1U);
  EXPECT_EQ(guest.error(clock), Errno::eperm);
  EXPECT_EQ(guest.error(activity), Errno::einval);
}

// Linux 2.4, asm-mips/inventory.h: class INV_PROCESSOR 1 with types INV_CPUBOARD 1, INV_CPUCHIP 2
// and INV_FPUCHIP 3, "states for cpu and fpu chips are revision numbers"; class INV_MEMORY 3 with
// type INV_MAIN 1, "the states for class memory are sizes in bytes". The board's controller is its
// frequency in MHz, which prof(1) of IRIX 5.3 prints. An R3000A has revision 0x230 (MAME,
// mips1.cpp), the R3010 implementation 3 (NetBSD, mips/cpuregs.h).
TEST(IrixSystem, InventoryOfTheMachine) {
  Program program = program_for("irix");
  const auto table = program.call("sgi_invent", {2, own_data, 0x100});
  program.call("exit", {0});
  SimulationOptions options;
  options.cpu_clock = Hertz(133'300'000);
  Guest guest(program, options);
  guest.run();
  std::vector<std::vector<std::uint32_t>> entries;
  for (std::uint32_t at = own_data; at < own_data + guest.value(table); at += 24) {
    entries.emplace_back();
    for (std::uint32_t word = 4; word < 24; word += 4) {
      entries.back().push_back(guest.word(at + word));
    }
  }
  ASSERT_EQ(entries.size(), 4U);
  using Words = std::vector<std::uint32_t>;
  EXPECT_EQ(entries[0], (Words{1, 1, 133, 0, 0}));
  EXPECT_EQ(entries[1][1], 3U);
  EXPECT_EQ(entries[1][4] >> 8, 3U);
  EXPECT_EQ(entries[2], (Words{1, 2, 0, 0, 0x230}));
  EXPECT_EQ(entries[3][0], 3U);
  EXPECT_EQ(entries[3][1], 1U);
  EXPECT_GE(entries[3][4], 1U << 20);
}

// cacheflush(2): "EINVAL: cache parameter is not one of ICACHE, DCACHE, or BCACHE; EFAULT";
// cachectl(2): "EINVAL: the address or size is not a multiple of the page size".
TEST(IrixSystem, Caches) {
  Program program = program_for("irix");
  const auto both = program.call("cacheflush", {text_base, 64, 3});
  const auto none = program.call("cacheflush", {text_base, 64, 0});
  const auto more = program.call("cacheflush", {text_base, 64, 4});
  const auto nowhere = program.call("cacheflush", {bad_address, 64, 1});
  const auto page = program.call("cachectl", {data_base, 4096, 1});
  const auto part = program.call("cachectl", {data_base, 100, 1});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(both), std::nullopt);
  EXPECT_EQ(guest.error(none), Errno::einval);
  EXPECT_EQ(guest.error(more), Errno::einval);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.error(page), std::nullopt);
  EXPECT_EQ(guest.error(part), Errno::einval);
}

// nice(2) and sched_setscheduler(3): what needs the superuser.
TEST(IrixSystem, Priorities) {
  Program program = program_for("irix");
  const auto lower = program.call("nice", {5});
  const auto raise = program.call("nice", {0xffffffff});
  const auto policy = program.call("sched_getscheduler", {0});
  program.data(own_data, 10);
  const auto real_time = program.call("sched_setscheduler", {0, 1, own_data});
  const auto set = program.call("sched_setparam", {0, own_data});
  const auto got = program.call("sched_getparam", {0, own_data + 4});
  const auto nobody = program.call("sched_getparam", {99999, own_data + 4});
  const auto turn = program.call("sched_rr_get_interval", {0, own_data + 8});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(lower), 5U);
  EXPECT_EQ(guest.error(raise), Errno::eperm);
  EXPECT_EQ(guest.value(policy), 3U);
  EXPECT_EQ(guest.error(real_time), Errno::eperm);
  EXPECT_EQ(guest.error(set), std::nullopt);
  EXPECT_EQ(guest.error(got), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 4), 10U);
  EXPECT_EQ(guest.error(nobody), Errno::esrch);
  EXPECT_EQ(guest.error(turn), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 12), 100'000'000U);
}

}  // namespace
}  // namespace hardclock::posix::testing
