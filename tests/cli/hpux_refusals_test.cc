// Programs for HP-UX that cannot be run: each is refused with one line that says what and what
// next. Places in SOM files: binutils, include/som/aout.h.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

constexpr std::size_t system_id = 0, version_id = 4, aux_headers = 28, subspace_total = 56,
                      checksum = 124;

// A working SOM program, to be spoiled.
class HpuxRefusal : public CommandTest {
 protected:
  std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<std::uint8_t>(som_[at + i]);
    return value;
  }
  void put_word(std::size_t at, std::uint32_t value) {
    for (std::size_t i = 4; i-- > 0; value >>= 8) som_[at + i] = static_cast<char>(value);
  }
  // The checksum makes the exclusive or of the header's words zero.
  Finished run_it(const std::vector<std::string>& options = {}) {
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at < checksum; at += 4) sum ^= word(at);
    put_word(checksum, sum);
    write("program", som_);
    std::filesystem::permissions(path("program"), std::filesystem::perms::owner_all);
    return run_program("program", options);
  }
  Finished run_program(const std::string& program, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"run"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(program);
    return hardclock(arguments);
  }
  // $SHLIB_INFO$, at the start of the text where no subspace says more, begins with a dynamic
  // loader header of this version: the program's start code maps /usr/lib/dld.sl.
  void make_dynamic() {
    constexpr std::uint32_t loader_header_version = 93092112;
    constexpr std::size_t exec_tfile = 16;
    const std::size_t exec = word(aux_headers);
    ASSERT_EQ(word(exec) & 0xffff, 4u) << "type 4: the exec auxiliary header";
    put_word(word(exec + exec_tfile), loader_header_version);
    put_word(subspace_total, 0);
  }

  std::string som_ = read_file(guest("hppa/hpux/hello"));
};

TEST_F(HpuxRefusal, OnlyWhatIsSpoiled) {
  EXPECT_EQ(run_it().status, 0);
}

// Ours is written to a temporary folder; without one there is none.
TEST_F(HpuxRefusal, TheDynamicLoaderIsAbsent) {
  make_dynamic();
  run_it();  // writes the program
  const Surroundings without_temporary = {.directory = folder(),
                                          .environment = {"PATH=/usr/bin:/bin", "TMPDIR=/nowhere"}};
  expect_complaint(hardclock({"run", "program"}, without_temporary),
                   {"program", "/usr/lib/dld.sl", "guest root", "-L DIR"});
  std::filesystem::copy_file(guest("hppa/prebuilt/wide"), path("wide"));
  expect_complaint(hardclock({"run", "wide"}, without_temporary),
                   {"wide", "/usr/lib/pa20_64/dld.sl", "guest root", "-L DIR"});
}

// 0x20c: HP-UX on the 68020.
TEST_F(HpuxRefusal, TheSystemIdIsAnothers) {
  for (const std::uint32_t id : {0x20cu, 0x999u}) {
    SCOPED_TRACE(id);
    put_word(system_id, id << 16 | (word(system_id) & 0xffff));
    expect_complaint(run_it(), {"program"});
  }
  put_word(system_id, 0x215u << 16 | (word(system_id) & 0xffff));
  expect_complaint(run_it(), {"program", "system id 0x215", "0x20b, 0x210, 0x211 and 0x214"});
}

TEST_F(HpuxRefusal, TheFileIsDamaged) {
  put_word(version_id, 1);
  expect_complaint(run_it(), {"program", "version 1"});
}

// The file and --os disagree: 32-bit ELF files are Linux's, 64-bit ones HP-UX's.
TEST_F(HpuxRefusal, TheFileIsAnotherSystems) {
  constexpr std::size_t os_abi = 7;  // EI_OSABI: GNU ld says Linux
  std::string unmarked = read_file(guest("hppa/hpux/hello.elf"));
  expect_complaint(run_program(guest("hppa/hpux/hello.elf"), {"--os=hpux"}),
                   {"--os=hpux", "hello.elf", "for Linux", "leave --os out"});
  unmarked[os_abi] = 0;
  write("unmarked", unmarked);
  expect_complaint(run_program("unmarked", {"--os=hpux"}),
                   {"unmarked", "32-bit ELF", "PA-RISC", "HP-UX does not run", "--os=linux"});
  expect_complaint(run_program(guest("hppa/prebuilt/hello_64"), {"--os=linux"}),
                   {"hello_64", "64-bit ELF", "PA-RISC", "does not run", "--os=hpux"});
  expect_complaint(run_program(guest("hppa/hpux/hello"), {"--os=linux"}),
                   {"--os=linux", "hello", "SOM", "leave --os out"});
  expect_complaint(run_program(guest("hppa/hpux/hello"), {"--os=irix"}), {"'irix'", "hpux, linux"});
}

TEST_F(HpuxRefusal, TheProcessorIsTooOld) {
  for (const char* program : {"hppa/hpux/hello_20", "hppa/prebuilt/hello_64"}) {
    for (const char* cpu : {"pa1_1", "pa7000", "pa7100", "pa7300lc"}) {
      SCOPED_TRACE(cpu);
      expect_complaint(run_program(guest(program), {std::string("--cpu=") + cpu}),
                       {"PA-RISC 2.0", cpu, "--cpu"});
    }
    expect_complaint(run_program(guest(program), {"--machine=712-80"}),
                     {"PA-RISC 2.0", "pa7100lc"});
    expect_complaint(run_program(guest(program), {"--cpu=r3000"}), {"PA-RISC", "r3000"});
  }
}

}  // namespace
}  // namespace hardclock::cli_test
