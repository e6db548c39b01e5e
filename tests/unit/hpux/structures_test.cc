// HP-UX's structures in memory. Offsets: struct stat of aeriebsd (sys/compat/hpux/hpux.h) and Linux
// (arch/parisc/hpux/fs.c); stat64x, stat64 and flock64 of HP's simulator Ski (src/lp64struct.h).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::Machine;
using testing::program_image;

constexpr unsigned stat_call = 38, stat64_call = 369, open_call = 5, getdirentries_call = 195,
                   getdents_call = 356, fcntl_call = 62, fcntl64_call = 359, statfs_call = 196,
                   statvfs_call = 330, fstatvfs_call = 331, statvfs64_call = 475,
                   fstatvfs64_call = 476;
constexpr std::uint64_t name = data + 0x800;

class Structures : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "hpux_structures";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "d");
    std::ofstream(folder_ / "file") << "0123456789";
    std::ofstream(folder_ / "d" / "entry") << "";
    std::filesystem::permissions(folder_ / "file", std::filesystem::perms(0640));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  host::FileSpace files() const { return {.binds = {{folder_.string(), "/"}}}; }
  static void put_name(Machine& machine, const std::string& path) {
    const std::string text = path + '\0';
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    EXPECT_TRUE(machine.memory().write_bytes(GuestAddr(name), std::span(bytes, text.size())).ok());
  }

  std::filesystem::path folder_;
};

// 1996-01-01 00:00:00 UTC: what the host modified later was last modified when the run began.
constexpr std::uint32_t start_of_run = 820'454'400;

TEST_F(Structures, StatOf32Bits) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(stat_call, {name, data}), std::nullopt);
  EXPECT_NE(machine.word(data + 4), 0u);                  // st_ino
  EXPECT_EQ(machine.half(data + 8), 0100640u);            // st_mode
  EXPECT_EQ(machine.half(data + 10), 1u);                 // st_nlink
  EXPECT_EQ(machine.half(data + 12), posix::first_user);  // the old st_uid
  EXPECT_EQ(machine.word(data + 20), 10u);                // st_size
  EXPECT_EQ(machine.word(data + 32), start_of_run);       // st_mtime
  EXPECT_EQ(machine.word(data + 48), 4096u);              // st_blksize
  EXPECT_EQ(machine.word(data + 84), posix::first_user);  // st_uid
  EXPECT_EQ(machine.word(data + 88), posix::first_user);  // st_gid
}

TEST_F(Structures, StatOf32BitsWithA64BitSize) {
  std::filesystem::resize_file(folder_ / "file", std::uint64_t{5} << 30);
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  EXPECT_EQ(machine.call(stat_call, {name, data}), 72u);  // EOVERFLOW
  ASSERT_EQ(machine.call(stat64_call, {name, data}), std::nullopt);
  EXPECT_EQ(machine.half(data + 8), 0100640u);
  EXPECT_EQ(machine.doubleword(data + 24), std::uint64_t{5} << 30);
  EXPECT_EQ(machine.word(data + 40), start_of_run);
  EXPECT_EQ(machine.word(data + 56), 4096u);
  EXPECT_EQ(machine.word(data + 100), posix::first_user);
}

TEST_F(Structures, StatOf64Bits) {
  Machine machine(program_image(64), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(stat_call, {name, data}), std::nullopt);
  EXPECT_NE(machine.doubleword(data + 8), 0u);
  EXPECT_EQ(machine.half(data + 16), 0100640u);
  EXPECT_EQ(machine.doubleword(data + 32), 10u);
  EXPECT_EQ(machine.doubleword(data + 56), start_of_run);  // st_mtime
  EXPECT_EQ(machine.doubleword(data + 88), 4096u);
  EXPECT_EQ(machine.word(data + 136), posix::first_user);
}

// The names of d, and what the call stores as the position.
TEST_F(Structures, DirectoryEntries) {
  Machine machine(program_image(), files());
  put_name(machine, "/d");
  ASSERT_EQ(machine.call(open_call, {name, 0, 0}), std::nullopt);
  const std::uint64_t fd = machine.gpr(28);
  ASSERT_EQ(machine.call(getdirentries_call, {fd, data, 512, data + 0x700}), std::nullopt);
  const std::uint64_t bytes = machine.gpr(28);
  EXPECT_EQ(machine.word(data + 0x700), 0u);
  std::vector<std::string> names;
  for (std::uint64_t at = data; at < data + bytes; at += machine.half(at + 4)) {
    EXPECT_EQ(machine.half(at + 4) % 4, 0u);
    names.push_back(machine.memory().read_string(GuestAddr(at + 8), 50).value());
    EXPECT_EQ(machine.half(at + 6), names.back().size());
    EXPECT_NE(machine.word(at), 0u);
  }
  EXPECT_EQ(names, (std::vector<std::string>{".", "..", "entry"}));
  ASSERT_EQ(machine.call(getdirentries_call, {fd, data, 512, data + 0x700}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 0u);
  EXPECT_EQ(machine.word(data + 0x700), 3u);
}

// i64 off, u32 ino, i16 reclen, i16 namlen (Linux, arch/parisc/hpux/fs.c, hpux_dirent).
TEST_F(Structures, Getdents) {
  Machine machine(program_image(), files());
  put_name(machine, "/d");
  ASSERT_EQ(machine.call(open_call, {name, 0, 0}), std::nullopt);
  ASSERT_EQ(machine.call(getdents_call, {machine.gpr(28), data, 512}), std::nullopt);
  EXPECT_EQ(machine.doubleword(data), 1u);
  EXPECT_EQ(machine.half(data + 12), 20u);
  EXPECT_EQ(machine.half(data + 14), 1u);
  EXPECT_EQ(machine.memory().read_string(GuestAddr(data + 16), 9).value(), ".");
  EXPECT_EQ(machine.memory().read_string(GuestAddr(data + 36), 9).value(), "..");
}

// Nobody else has a lock: F_GETLK answers with the type F_UNLCK, 3.
TEST_F(Structures, Flock) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(open_call, {name, 2, 0}), std::nullopt);
  const std::uint64_t fd = machine.gpr(28);
  const auto write_lock = [&] {
    EXPECT_TRUE(machine.memory().write<std::uint32_t>(GuestAddr(data), 2u << 16).ok());
  };
  write_lock();
  EXPECT_EQ(machine.call(fcntl_call, {fd, 6, data}), std::nullopt);  // F_SETLK
  EXPECT_EQ(machine.call(fcntl_call, {fd, 5, data}), std::nullopt);  // F_GETLK
  EXPECT_EQ(machine.half(data), 3u);
  ASSERT_EQ(machine.call(2, {}), std::nullopt);  // fork
  Process* const child = machine.simulation.find(static_cast<int>(machine.gpr(28)));
  machine.process = child;
  write_lock();
  EXPECT_EQ(machine.call(fcntl_call, {fd, 5, data}), std::nullopt);
  EXPECT_EQ(machine.half(data), 2u);
  EXPECT_EQ(machine.word(data + 12), static_cast<std::uint32_t>(child->parent));  // l_pid
  write_lock();
  EXPECT_EQ(machine.call(fcntl64_call, {fd, 8, data}), std::nullopt);  // F_GETLK64
  EXPECT_EQ(machine.word(data + 24), static_cast<std::uint32_t>(child->parent));
  write_lock();
  EXPECT_EQ(machine.call(fcntl_call, {fd, 6, data}), 11u);  // EAGAIN
}

// A long long argument: its high half is in the register with the lower number (GCC,
// config/pa/pa.cc, pa_function_arg), and in r28 of a result.
TEST_F(Structures, AnOff64IsInAPairOfRegisters) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(open_call, {name, 0, 0}), std::nullopt);
  constexpr unsigned lseek64 = 365;
  EXPECT_EQ(machine.call(lseek64, {machine.gpr(28), 0, 3, 1, 0}), std::nullopt);  // 0x1'00000003
  EXPECT_EQ(machine.gpr(28), 1u);
  EXPECT_EQ(machine.gpr(29), 3u);
}

// long type, bsize, blocks, bfree, bavail, files, ffree (Linux, hpux_statfs).
TEST_F(Structures, Statfs) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(statfs_call, {name, data}), std::nullopt);
  EXPECT_EQ(machine.word(data + 4), 4096u);
  EXPECT_GT(machine.word(data + 8), machine.word(data + 12));
  EXPECT_EQ(machine.word(data + 12), machine.word(data + 16));
}

// The members in the order of the manual (statvfs(2) of 11i v1), each a long.
TEST_F(Structures, StatvfsOf32Bits) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(statfs_call, {name, data + 0x400}), std::nullopt);
  const std::uint32_t blocks = machine.word(data + 0x408), free = machine.word(data + 0x40c);
  ASSERT_EQ(machine.call(statvfs_call, {name, data}), std::nullopt);
  EXPECT_EQ(machine.word(data), 4096u);                         // f_bsize
  EXPECT_EQ(machine.word(data + 4), 4096u);                     // f_frsize
  EXPECT_EQ(machine.word(data + 8), blocks);                    // f_blocks
  EXPECT_EQ(machine.word(data + 12), blocks);                   // f_size
  EXPECT_EQ(machine.word(data + 16), free);                     // f_bfree
  EXPECT_EQ(machine.word(data + 20), free);                     // f_bavail
  EXPECT_GT(machine.word(data + 24), machine.word(data + 28));  // f_files, f_ffree
  EXPECT_EQ(machine.word(data + 28), machine.word(data + 32));  // f_favail
  ASSERT_EQ(machine.call(stat_call, {name, data + 0x400}), std::nullopt);
  EXPECT_EQ(machine.word(data + 36), machine.word(data + 0x400));  // f_fsid, st_dev
  EXPECT_EQ(machine.memory().read_string(GuestAddr(data + 40), 16).value(), "vxfs");
  EXPECT_EQ(machine.word(data + 60), 255u);  // f_namemax
}

TEST_F(Structures, StatvfsOf64Bits) {
  Machine machine(program_image(64), files());
  put_name(machine, "/file");
  for (const unsigned call : {statvfs_call, statvfs64_call}) {
    ASSERT_EQ(machine.call(call, {name, data}), std::nullopt);
    EXPECT_EQ(machine.doubleword(data + 8), 4096u);                           // f_frsize
    EXPECT_EQ(machine.doubleword(data + 16), machine.doubleword(data + 24));  // f_blocks, f_size
    EXPECT_GT(machine.doubleword(data + 24), machine.doubleword(data + 40));  // f_bavail
    EXPECT_EQ(machine.memory().read_string(GuestAddr(data + 80), 16).value(), "vxfs");
    EXPECT_EQ(machine.doubleword(data + 104), 255u);
  }
}

// The order of statvfs(2) of 11i v3: six counts of 64 bits, and longs.
TEST_F(Structures, Statvfs64Of32Bits) {
  Machine machine(program_image(), files());
  put_name(machine, "/file");
  ASSERT_EQ(machine.call(statvfs64_call, {name, data}), std::nullopt);
  EXPECT_EQ(machine.doubleword(data), std::uint64_t{machine.word(data + 56)});  // f_blocks, f_size
  EXPECT_EQ(machine.doubleword(data + 8), machine.doubleword(data + 16));       // f_bavail
  EXPECT_EQ(machine.word(data + 48), 4096u);                                    // f_bsize
  EXPECT_EQ(machine.word(data + 52), 4096u);                                    // f_frsize
  EXPECT_EQ(machine.memory().read_string(GuestAddr(data + 64), 16).value(), "vxfs");
  EXPECT_EQ(machine.word(data + 84), 255u);
}

// "fildes is not a valid open file descriptor", "The named file does not exist", "buf points to an
// invalid address" (statvfs(2)).
TEST_F(Structures, StatvfsFails) {
  Machine machine(program_image(), files());
  EXPECT_EQ(machine.call(fstatvfs_call, {77, data}), 9u);
  EXPECT_EQ(machine.call(fstatvfs64_call, {77, data}), 9u);
  put_name(machine, "/nothing");
  EXPECT_EQ(machine.call(statvfs_call, {name, data}), 2u);
  put_name(machine, "/file");
  EXPECT_EQ(machine.call(statvfs64_call, {name, 8}), 14u);
  ASSERT_EQ(machine.call(open_call, {name, 0, 0}), std::nullopt);
  EXPECT_EQ(machine.call(fstatvfs_call, {machine.gpr(28), data}), std::nullopt);
  EXPECT_EQ(machine.word(data + 4), 4096u);
}

}  // namespace
}  // namespace hardclock::hpux
