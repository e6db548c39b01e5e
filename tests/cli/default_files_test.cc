// What a guest finds below /etc where its root has nothing.
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

class NamesOfTheNetwork : public CommandTest, public testing::WithParamInterface<std::string> {
 protected:
  Finished run_names(const std::vector<std::string>& options) const {
    std::vector<std::string> all = {"run", "--timing=functional"};
    all.insert(all.end(), options.begin(), options.end());
    all.push_back(cli_guest("names_" + GetParam()));
    return hardclock(all);
  }
};

TEST_P(NamesOfTheNetwork, AreKnownWithoutARoot) {
  const Finished run = run_names({});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out,
            "localhost: localhost is 127.0.0.1\n1 127.0.0.1 port 80\n"
            "hardclock: localhost is 127.0.0.1\n1 127.0.0.1 port 80\n"
            "elsewhere: nobody\nTemporary failure in name resolution\n"
            "localhost smtp\nsmtp is port 25\nport 520 is route\nudp is 17\n");
  EXPECT_EQ(run.err, "");
}

TEST_P(NamesOfTheNetwork, FollowTheRootAndTheMachinesName) {
  ASSERT_EQ(::mkdir(path("root").c_str(), 0777), 0);
  ASSERT_EQ(::mkdir(path("root/etc").c_str(), 0777), 0);
  write("root/etc/hosts", "127.0.0.1 localhost\n127.0.0.9 elsewhere other\n127.0.0.7 crimson\n");
  write("root/etc/services", "web 8080/tcp http\nletters 25/tcp mail\n");
  const Finished run = run_names({"--cwd=none", "--hostname=crimson", "-L", path("root")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out,
            "localhost: localhost is 127.0.0.1\n1 127.0.0.1 port 8080\n"
            "crimson: crimson is 127.0.0.7\n1 127.0.0.7 port 8080\n"
            "elsewhere: elsewhere is 127.0.0.9\n1 127.0.0.9 port 8080\n"
            "localhost letters\nletters is port 25\nudp is 17\n");
}

INSTANTIATE_TEST_SUITE_P(Abi, NamesOfTheNetwork, testing::Values("o32", "o32el", "n64", "hppa"),
                         [](const auto& abi) { return abi.param; });

}  // namespace
}  // namespace hardclock::cli_test
