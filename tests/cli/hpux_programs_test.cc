// Programs for HP-UX that check themselves (tests/guests/hppa/hpux, tests/guests/ia64/hpux): SOM
// files for PA-RISC 1.1 and 2.0, 64-bit ELF files for PA-RISC, and ELF files of both widths for
// IA-64. Their sources name what each check goes by.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"

namespace hardclock::cli_test {
namespace {

struct Case {
  std::string program;  // below tests/guests
  std::string option;
};

// Slow processors, whose ticks take fewer cycles.
constexpr const char *cpu_1_1 = "--cpu=pa7000@20", *cpu_2_0 = "--cpu=pa2_0@20",
                     *ia64 = "--cpu=ia64@20";

class HpuxGuest : public CommandTest, public ::testing::WithParamInterface<Case> {};

TEST_P(HpuxGuest, EveryCheckPasses) {
  // forkexec finds itself by the path that it was started with.
  const std::string name = "program";
  std::filesystem::copy_file(guest(GetParam().program), path(name));
  const Finished run = hardclock({"run", "--os=hpux", GetParam().option, name});
  EXPECT_EQ(run.status, 0) << run.err;
  const Tap tap = parse_tap(run.out);
  EXPECT_EQ(tap.wrong, "") << run.out;
  EXPECT_GT(tap.checks, 0);
  EXPECT_EQ(tap.checks, tap.plan) << run.out << run.err;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string name : {"files", "forkexec", "hello", "signals", "split75", "sprofil"}) {
    for (const char* option : {"--timing=cycle", "--timing=functional", cpu_1_1}) {
      all.push_back({"hppa/hpux/" + name, option});
    }
    for (const char* option : {"--timing=cycle", cpu_2_0}) {
      all.push_back({"hppa/hpux/" + name + "_20", option});
      all.push_back({"hppa/prebuilt/" + name + "_64", option});
    }
    for (const char* option : {"--timing=cycle", ia64}) {
      all.push_back({"ia64/prebuilt/" + name + "_32", option});
      all.push_back({"ia64/prebuilt/" + name + "_64", option});
    }
  }
  return all;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.program + info.param.option;
  for (const char* mark : {"/", "--", "=", "@"}) name = replace(name, mark, "_");
  return name;
}

INSTANTIATE_TEST_SUITE_P(Guests, HpuxGuest, ::testing::ValuesIn(cases()), name_of);

class HpuxProgram : public CommandTest {};

TEST_F(HpuxProgram, GetsItsArguments) {
  for (const char* program :
       {"hppa/hpux/hello", "hppa/prebuilt/hello_64", "ia64/prebuilt/hello_64"}) {
    const Finished run = hardclock({"run", guest(program), "a", "b c"});
    EXPECT_TRUE(contains(run.out, "# hello a b c\n")) << run.out;
  }
}

// In 64 bits the stack is in the third quadrant, and so are the buffers that write(2) gets.
TEST_F(HpuxProgram, StraceShowsWholeAddresses) {
  const Finished narrow = hardclock({"run", "--strace", guest("hppa/hpux/signals")});
  EXPECT_TRUE(contains(narrow.err, "sigvector(SIGUSR1, 0x7f")) << narrow.err;
  const Finished wide = hardclock({"run", "--strace", guest("hppa/prebuilt/signals_64")});
  EXPECT_TRUE(contains(wide.err, "sigvector(SIGUSR1, 0x8000")) << wide.err;
  EXPECT_TRUE(contains(wide.err, "write(1, \"ok 1 - sigvector\\n\", 17) = 17")) << wide.err;
  const Finished files = hardclock({"run", "--strace", guest("hppa/prebuilt/files_64")});
  EXPECT_TRUE(contains(files.err, "open(\"file\", 0x502, 0644) = 3")) << files.err;
  EXPECT_TRUE(contains(files.err, "lseek(3, -4, 2) = 6")) << files.err;
  EXPECT_TRUE(contains(files.err, "lseek64(3, 4294967299, 0) = 4294967299")) << files.err;
}

// A call that nobody knows and an entry of the gateway page that is no call's are said, once each.
TEST_F(HpuxProgram, MissingCallsAreSaid) {
  const Finished run = hardclock({"run", guest("hppa/hpux/hello")});
  EXPECT_TRUE(contains(run.err, "call 999 is not implemented: answered with ENOSYS")) << run.err;
  EXPECT_TRUE(contains(run.err, "lightweight call at 0xc0000040 in the gateway page")) << run.err;
}

}  // namespace
}  // namespace hardclock::cli_test
