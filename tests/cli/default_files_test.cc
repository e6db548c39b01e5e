// What a guest finds where its root has nothing: /etc/passwd and /etc/group.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class DefaultFiles : public CommandTest {
 protected:
  Finished run_users(const std::vector<std::string>& options) const {
    std::vector<std::string> all = {"run", "--timing=functional"};
    all.insert(all.end(), options.begin(), options.end());
    all.push_back(cli_guest("users"));
    return hardclock(all);
  }
};

TEST_F(DefaultFiles, NameTheUserWithoutARoot) {
  const Finished run = run_users({});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "user in /tmp by /bin/sh\nof user\n");
  EXPECT_EQ(run.err, "");
}

TEST_F(DefaultFiles, FillUpARootOneByOne) {
  ASSERT_EQ(::mkdir(path("root").c_str(), 0777), 0);
  ASSERT_EQ(::mkdir(path("root/etc").c_str(), 0777), 0);
  write("root/etc/passwd", "me::1000:1000::/home/me:/bin/csh\n");
  const Finished run = run_users({"--cwd=none", "-L", path("root")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "me in /home/me by /bin/csh\nof user\n");
}

}  // namespace
}  // namespace hardclock::cli_test
