// Users, groups and limits. The guest is one user, not the superuser: the manual pages setuid(2),
// setreuid(2), getgroups(2), setrlimit(2) and ulimit(2) say what that user may do.
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t user = 1000, root = 0, unchanged = 0xffffffff;

TEST(Identity, OnlyTheSuperuserBecomesAnother) {
  Program program = program_for("irix");
  const auto as_root = program.call("setuid", {root});
  const auto as_self = program.call("setuid", {user});
  const auto group = program.call("setgid", {root});
  const auto effective = program.call("setreuid", {unchanged, root});
  const auto real = program.call("setreuid", {root, unchanged});
  const auto same = program.call("setreuid", {user, user});
  const auto groups = program.call("setregid", {root, root});
  const auto strange = program.call("setuid", {0x80000000});
  const auto uid = program.call("getuid");
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(as_root), Errno::eperm);
  EXPECT_EQ(guest.error(as_self), std::nullopt);
  EXPECT_EQ(guest.error(group), Errno::eperm);
  EXPECT_EQ(guest.error(effective), Errno::eperm);
  EXPECT_EQ(guest.error(real), Errno::eperm);
  EXPECT_EQ(guest.error(same), std::nullopt);
  EXPECT_EQ(guest.error(groups), Errno::eperm);
  EXPECT_EQ(guest.error(strange), Errno::einval);
  EXPECT_EQ(guest.value(uid), user);
  EXPECT_EQ(guest.second_value(uid), user);
}

TEST(Identity, SupplementaryGroups) {
  Program program = program_for("irix");
  const auto count = program.call("getgroups", {0, 0});
  const auto all = program.call("getgroups", {16, own_data});
  const auto negative = program.call("getgroups", {0xffffffff, own_data});
  const auto nowhere = program.call("getgroups", {16, 0x10});
  const auto set = program.call("setgroups", {1, own_data});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(count), 1U);
  EXPECT_EQ(guest.value(all), 1U);
  EXPECT_EQ(guest.word(own_data), user);
  EXPECT_EQ(guest.error(negative), Errno::einval);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
  EXPECT_EQ(guest.error(set), Errno::eperm);
}

// setrlimit(2): EINVAL: the current limit exceeds the maximum, EPERM: the maximum would be
// raised and the caller is not the superuser. RLIM_INFINITY is 0x7fffffff, and of 64 bits the
// same.
TEST(Limits, MayBeLowered) {
  constexpr std::uint32_t core = 4, infinity = 0x7fffffff;
  Program program = program_for("irix");
  program.data(own_data + 0x10, 100);  // current
  program.data(own_data + 0x14, 200);  // maximum
  program.data(own_data + 0x18, 100);
  program.data(own_data + 0x1c, 201);
  program.data(own_data + 0x20, 2);
  program.data(own_data + 0x24, 1);
  const auto before = program.call("getrlimit", {core, own_data});
  const auto wide = program.call("getrlimit64", {core, own_data + 0x40});
  const auto lowered = program.call("setrlimit", {core, own_data + 0x10});
  const auto raised = program.call("setrlimit", {core, own_data + 0x18});
  const auto crossed = program.call("setrlimit", {core, own_data + 0x20});
  program.call("getrlimit", {core, own_data + 8});
  const auto unknown = program.call("getrlimit", {9, own_data});
  const auto nowhere = program.call("getrlimit", {core, 0x10});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(before), std::nullopt);
  EXPECT_EQ(guest.word(own_data), infinity);
  EXPECT_EQ(guest.error(wide), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 0x40), infinity);
  EXPECT_EQ(guest.word(own_data + 0x44), 0xffffffffU);
  EXPECT_EQ(guest.error(lowered), std::nullopt);
  EXPECT_EQ(guest.error(raised), Errno::eperm);
  EXPECT_EQ(guest.error(crossed), Errno::einval);
  EXPECT_EQ(guest.word(own_data + 8), 100U);
  EXPECT_EQ(guest.word(own_data + 12), 200U);
  EXPECT_EQ(guest.error(unknown), Errno::einval);
  EXPECT_EQ(guest.error(nowhere), Errno::efault);
}

// ulimit(2): blocks of 512 bytes, lowered by anybody and raised by the superuser.
TEST(Limits, Ulimit) {
  Program program = program_for("irix");
  const auto lowered = program.call("ulimit", {2, 100});
  const auto raised = program.call("ulimit", {2, 101});
  const auto now = program.call("ulimit", {1, 0});
  const auto files = program.call("ulimit", {4, 0});
  const auto unknown = program.call("ulimit", {5, 0});
  program.call("getrlimit", {1, own_data});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(lowered), 100U);
  EXPECT_EQ(guest.error(raised), Errno::eperm);
  EXPECT_EQ(guest.value(now), 100U);
  EXPECT_EQ(guest.value(files), 200U);
  EXPECT_EQ(guest.error(unknown), Errno::einval);
  EXPECT_EQ(guest.word(own_data), 51200U);
}

}  // namespace
}  // namespace hardclock::posix::testing
