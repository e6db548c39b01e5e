// Sockets of IRIX: System V.4's kinds, BSD's options and access rights (socket(2), send(2),
// recv(2), getsockopt(2); sys/socket.h as irix-abi.md has it).
#include <gtest/gtest.h>

#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace irix_sockets {
namespace {

constexpr std::uint32_t af_unix = 1, af_inet = 2, af_inet6 = 24;
constexpr std::uint32_t sock_dgram = 1, sock_stream = 2;
constexpr std::uint32_t pair_at = own_data, buffer = own_data + 0x40, address = own_data + 0x60,
                        length = own_data + 0x80, header = own_data + 0xa0,
                        vector = own_data + 0xc0, rights = own_data + 0xd0,
                        option = own_data + 0xe0;

// An address of 127.0.0.1, whose port is 0x1e61, 7777.
void store_internet_address(Program& program) {
  program.data(address, 0x00021e61);
  program.data(address + 4, 0x7f000001);
  program.data(length, 16);
}

TEST(IrixSockets, APairCarriesBytesBothWays) {
  Program program = program_for("irix");
  program.data(buffer, 0x68690a00);
  const auto made = program.call("socketpair", {af_unix, sock_stream, 0, pair_at});
  const auto sent = program.call("send", {word_at(pair_at), buffer, 3, 0});
  const auto got = program.call("recv", {word_at(pair_at + 4), buffer + 8, 8, 0});
  const auto back = program.call("write", {word_at(pair_at + 4), buffer, 2});
  const auto read = program.call("read", {word_at(pair_at), buffer + 16, 8});
  program.call("close", {word_at(pair_at)});
  const auto end = program.call("read", {word_at(pair_at + 4), buffer + 16, 8});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(made), std::nullopt);
  EXPECT_EQ(guest.value(sent), 3U);
  EXPECT_EQ(guest.value(got), 3U);
  EXPECT_EQ(guest.word(buffer + 8), 0x68690a00U);
  EXPECT_EQ(guest.value(back), 2U);
  EXPECT_EQ(guest.value(read), 2U);
  EXPECT_EQ(guest.value(end), 0U);
  EXPECT_TRUE(guest.notices.empty());
}

TEST(IrixSockets, KindsAreSystemVs) {
  Program program = program_for("irix");
  program.data(length, 4);
  const auto made = program.call("socket", {af_inet, sock_dgram, 0});
  constexpr std::uint32_t sol_socket = 0xffff, so_type = 0x1008;
  const auto asked = program.call(
      "getsockopt", {word_at(Program::result(made)), sol_socket, so_type, option, length});
  const auto udp = program.call("socket", {af_inet, sock_dgram, 17});
  const auto mixed = program.call("socket", {af_inet, sock_stream, 17});
  const auto family = program.call("socket", {af_inet6, sock_stream, 0});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(asked), std::nullopt);
  EXPECT_EQ(guest.word(option), sock_dgram);
  EXPECT_EQ(guest.error(udp), std::nullopt);
  EXPECT_EQ(guest.error(mixed), Errno::eprotonosupport);
  EXPECT_EQ(guest.error(family), Errno::eafnosupport);
  EXPECT_TRUE(guest.notices.empty());
}

TEST(IrixSockets, DatagramsHaveTheirSendersAddress) {
  Program program = program_for("irix");
  store_internet_address(program);
  const auto server = program.call("socket", {af_inet, sock_dgram, 0});
  const Argument file = word_at(Program::result(server));
  const auto bound = program.call("bind", {file, address, 16});
  const auto taken = program.call("bind", {file, address, 16});
  const auto sent = program.call("sendto", {file, buffer, 4, 0, address, 16});
  const auto got = program.call("recvfrom", {file, buffer + 8, 8, 0, buffer + 0x10, length});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(bound), std::nullopt);
  EXPECT_EQ(guest.error(taken), Errno::einval);
  EXPECT_EQ(guest.value(sent), 4U);
  EXPECT_EQ(guest.value(got), 4U);
  EXPECT_EQ(guest.word(buffer + 0x10), 0x00021e61U);
  EXPECT_EQ(guest.word(buffer + 0x14), 0x7f000001U);
  EXPECT_EQ(guest.word(length), 16U);
}

// connect(2): ECONNREFUSED, ENETUNREACH; the errors' numbers are those of sys/errno.h.
TEST(IrixSockets, NobodyIsThereAndNothingIsOutside) {
  Program program = program_for("irix");
  store_internet_address(program);
  program.data(buffer, 0x00021e61);
  program.data(buffer + 4, 0x08080808);
  const auto made = program.call("socket", {af_inet, sock_stream, 0});
  const Argument file = word_at(Program::result(made));
  const auto refused = program.call("connect", {file, address, 16});
  const auto outside = program.call("connect", {file, buffer, 16});
  const auto not_one = program.call("listen", {1, 1});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(refused), Errno::econnrefused);
  EXPECT_EQ(guest.value(refused), 146U);
  EXPECT_EQ(guest.error(outside), Errno::enetunreach);
  EXPECT_EQ(guest.value(outside), 128U);
  EXPECT_EQ(guest.error(not_one), Errno::ebadf);
}

// struct msghdr {caddr_t msg_name; int msg_namelen; struct iovec *msg_iov; int msg_iovlen; caddr_t
// msg_accrights; int msg_accrightslen}
TEST(IrixSockets, AccessRightsAreDescriptors) {
  Program program = program_for("irix");
  program.data(header + 8, vector);
  program.data(header + 12, 1);
  program.data(header + 16, rights);
  program.data(header + 20, 4);
  program.data(vector, buffer);
  program.data(vector + 4, 1);
  program.call("socketpair", {af_unix, sock_stream, 0, pair_at});
  program.store(rights, word_at(pair_at));
  const auto sent = program.call("sendmsg", {word_at(pair_at), header, 0});
  const auto got = program.call("recvmsg", {word_at(pair_at + 4), header, 0});
  const auto through = program.call("write", {word_at(rights), buffer, 2});
  const auto read = program.call("read", {word_at(pair_at + 4), buffer, 8});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.value(sent), 1U);
  EXPECT_EQ(guest.value(got), 1U);
  EXPECT_EQ(guest.word(header + 20), 4U);
  EXPECT_NE(guest.word(rights), guest.word(pair_at));
  EXPECT_EQ(guest.value(through), 2U);
  EXPECT_EQ(guest.value(read), 2U);
}

// MSG_OOB, SO_OOBINLINE and the requests of 4.3BSD (send(2); sys/ioctl.h: _IOR('s', 7, int) and
// _IOW('s', 8, int)), fcntl(2)'s F_SETOWN and F_GETOWN.
TEST(IrixSockets, AStreamHasAnUrgentByte) {
  constexpr std::uint32_t out_of_band = 1, siocatmark = 0x40047307, siocspgrp = 0x80047308;
  constexpr std::uint32_t f_getown = 23, first_pid = 100;
  Program program = program_for("irix");
  store_internet_address(program);
  program.data(buffer, 0x6162632a);
  program.data(option, first_pid);
  const auto listener = program.call("socket", {af_inet, sock_stream, 0});
  const Argument listens = word_at(Program::result(listener));
  program.call("bind", {listens, address, 16});
  program.call("listen", {listens, 1});
  const auto made = program.call("socket", {af_inet, sock_stream, 0});
  const Argument writer = word_at(Program::result(made));
  program.call("connect", {writer, address, 16});
  const auto accepted = program.call("accept", {listens, 0, 0});
  const Argument reader = word_at(Program::result(accepted));
  const auto owned = program.call("ioctl", {reader, siocspgrp, option});
  const auto owner = program.call("fcntl", {reader, f_getown, 0});
  const auto sent = program.call("send", {writer, buffer, 4, out_of_band});
  const auto before = program.call("ioctl", {reader, siocatmark, buffer + 8});
  const auto ordinary = program.call("recv", {reader, buffer + 0x10, 8, 0});
  const auto at_mark = program.call("ioctl", {reader, siocatmark, buffer + 12});
  const auto urgent = program.call("recv", {reader, buffer + 0x14, 4, out_of_band});
  const auto again = program.call("recv", {reader, buffer + 0x18, 4, out_of_band});
  program.call("exit", {5});
  Guest guest(program);
  EXPECT_EQ(guest.run().status.code, 5U);
  EXPECT_EQ(guest.error(owned), std::nullopt);
  EXPECT_EQ(guest.value(owner), first_pid);
  EXPECT_EQ(guest.value(sent), 4U);
  EXPECT_EQ(guest.error(before), std::nullopt);
  EXPECT_EQ(guest.word(buffer + 8), 0U);
  EXPECT_EQ(guest.value(ordinary), 3U);
  EXPECT_EQ(guest.error(at_mark), std::nullopt);
  EXPECT_EQ(guest.word(buffer + 12), 1U);
  EXPECT_EQ(guest.value(urgent), 1U);
  EXPECT_EQ(guest.word(buffer + 0x14) >> 24, std::uint32_t{'*'});
  EXPECT_EQ(guest.error(again), Errno::einval);
}

}  // namespace
}  // namespace irix_sockets
}  // namespace hardclock::posix::testing
