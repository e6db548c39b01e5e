// tools/viewers-check: every viewer of docs/profiles.md opens the profiles of four programs and has
// the table's cycles. Viewers that are not installed are skipped; `tools/viewers-check --install
// DIR` installs them, and --test_env=HARDCLOCK_VIEWERS=DIR says where npm's are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr int not_there = 77;  // the tool's exit status

class ViewersOpened : public CommandTest {
 protected:
  Finished check(const std::string& viewer, const std::string& simulator,
                 const std::vector<std::string>& report_options = {}) const {
    const char* const npm = std::getenv("HARDCLOCK_VIEWERS");
    std::vector<std::string> command = {fs::absolute("tools/viewers-check").string(),
                                        "--viewer=" + viewer,
                                        "--hardclock=" + simulator,
                                        "--folder=" + std::string(npm != nullptr ? npm : ""),
                                        "p.json",
                                        "program",
                                        "--"};
    command.insert(command.end(), report_options.begin(), report_options.end());
    return other_program(command);
  }
  void profile(std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", "--profile=p.json"});
    options.insert(options.end(), {"./program", "1000"});
    EXPECT_EQ(hardclock(options).status, 0);
  }
  void make_gcc() const { fs::copy_file(guest("split75"), path("program")); }
  void make_stripped() const {
    EXPECT_EQ(
        other_program({"mips-linux-gnu-strip", "-o", path("program"), guest("split75")}).status, 0);
  }
};

class AViewer : public ViewersOpened,
                public testing::WithParamInterface<std::tuple<const char*, const char*>> {};

TEST_P(AViewer, HasTheTablesCycles) {
  const auto& [viewer, kind] = GetParam();
  const std::string made = kind;
  std::vector<std::string> report_options;
  if (made == "gcc") make_gcc();
  if (made == "stripped") make_stripped();
  if (made == "hpux") fs::copy_file("tests/guests/hppa/hpux/split75", path("program"));
  if (made == "sgi") {
    const fs::path own = fs::canonical("syscalls/irix/syscalls.master");
    const fs::path root = (own.parent_path() / "../../../shared/irix/ido5.3").lexically_normal();
    if (!fs::exists(root)) GTEST_SKIP() << "no ../shared/irix beside the source tree";
    write("shares.c", read_file("docs/examples/irix/shares.c"));
    report_options = {"-L", root.string()};
    ASSERT_EQ(hardclock({"run", "-L", root.string(), "--env", "PATH=/usr/bin", "/usr/bin/cc", "-O2",
                         "-o", "program", "shares.c"})
                  .status,
              0);
  }
  std::vector<std::string> run_options = report_options;
  // On HP-UX, code that is jumped to has a row of its own, and none among the calls.
  if (made != "hpux") run_options.push_back("--calls");
  profile(run_options);
  const Finished run = check(viewer, hardclock_path(), report_options);
  if (run.status == not_there) GTEST_SKIP() << run.out;
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, " functions as in the table")) << run.out;
}

INSTANTIATE_TEST_SUITE_P(All, AViewer,
                         testing::Combine(testing::Values("callgrind_annotate", "kcachegrind",
                                                          "pprof", "gprof", "speedscope", "firefox",
                                                          "flamegraph", "gprof2dot"),
                                          testing::Values("gcc", "sgi", "hpux", "stripped")),
                         [](const auto& each) {
                           return std::string(std::get<0>(each.param)) + "_" +
                                  std::get<1>(each.param);
                         });

// A check that read nothing, or compared nothing, would find no difference.
TEST_F(ViewersOpened, OtherNamesAreFound) {
  make_gcc();
  profile({});
  write("simulator", "#!/bin/sh\n" + hardclock_path() +
                         " \"$@\" || exit\nfor word; do case $word in\n"
                         "--output=*.out.1) sed -i 's/fn=hot/fn=cold/' ${word#*=};;\nesac; done\n");
  fs::permissions(path("simulator"), fs::perms::owner_all);
  const Finished run = check("callgrind_annotate", path("simulator"));
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "\n  cold: 0 in the table, ")) << run.out;
}

TEST_F(ViewersOpened, AMissingProfileIsSaid) {
  const Finished run = check("callgrind_annotate", hardclock_path());
  EXPECT_EQ(run.status, 2) << run.out;
  EXPECT_TRUE(contains(run.err, "tools/viewers-check: ")) << run.err;
  EXPECT_TRUE(contains(run.err, "p.json")) << run.err;
}

}  // namespace
}  // namespace hardclock::cli_test
