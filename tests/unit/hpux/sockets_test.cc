// Sockets of HP-UX: kinds and options of BSD, its own error numbers (socket(2), connect(2),
// getsockopt(2); sys/errno.h as hppa-hpux-abi.md has it).
#include <gtest/gtest.h>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::Machine;

constexpr unsigned bind_call = 276, connect_call = 277, getsockname_call = 279,
                   getsockopt_call = 280, recv_call = 282, send_call = 285, socket_call = 290,
                   socketpair_call = 291;
constexpr unsigned eprotonosupport = 221, eafnosupport = 225, eaddrinuse = 226, enetunreach = 229,
                   enotconn = 235, econnrefused = 239;
constexpr std::uint64_t af_unix = 1, af_inet = 2, sock_stream = 1, sock_dgram = 2;

class HpuxSockets : public ::testing::Test {
 protected:
  void store(std::uint64_t at, std::uint32_t word) {
    ASSERT_TRUE(machine.memory().write(GuestAddr(at), word).ok());
  }
  void store_address(std::uint32_t host) {
    store(data, 0x00021e61);
    store(data + 4, host);
  }
  std::uint64_t made(std::uint64_t type) {
    EXPECT_EQ(machine.call(socket_call, {af_inet, type, 0}), std::nullopt);
    return machine.gpr(28);
  }

  Machine machine;
};

TEST_F(HpuxSockets, APairCarriesBytes) {
  ASSERT_EQ(machine.call(socketpair_call, {af_unix, sock_stream, 0, data}), std::nullopt);
  const std::uint32_t first = machine.word(data), second = machine.word(data + 4);
  store(data + 0x10, 0x61626364);
  ASSERT_EQ(machine.call(send_call, {first, data + 0x10, 4, 0}), std::nullopt);
  ASSERT_EQ(machine.call(recv_call, {second, data + 0x20, 8, 0}), std::nullopt);
  EXPECT_EQ(machine.gpr(28), 4u);
  EXPECT_EQ(machine.word(data + 0x20), 0x61626364u);
}

TEST_F(HpuxSockets, ErrorsHaveItsNumbers) {
  EXPECT_EQ(machine.call(socket_call, {22, sock_stream, 0}), eafnosupport);
  EXPECT_EQ(machine.call(socket_call, {af_inet, sock_dgram, 6}), eprotonosupport);
  const std::uint64_t stream = made(sock_stream);
  store_address(0x7f000001);
  EXPECT_EQ(machine.call(connect_call, {stream, data, 16}), econnrefused);
  store_address(0x0a000001);
  EXPECT_EQ(machine.call(connect_call, {stream, data, 16}), enetunreach);
  EXPECT_EQ(machine.call(recv_call, {stream, data, 1, 0}), enotconn);
}

TEST_F(HpuxSockets, APortBelongsToOne) {
  store_address(0x7f000001);
  const std::uint64_t first = made(sock_dgram), second = made(sock_dgram);
  EXPECT_EQ(machine.call(bind_call, {first, data, 16}), std::nullopt);
  EXPECT_EQ(machine.call(bind_call, {second, data, 16}), eaddrinuse);
  store(data + 0x20, 16);
  EXPECT_EQ(machine.call(getsockname_call, {first, data + 0x30, data + 0x20}), std::nullopt);
  EXPECT_EQ(machine.word(data + 0x30), 0x00021e61u);
  EXPECT_EQ(machine.word(data + 0x20), 16u);
}

TEST_F(HpuxSockets, KindsAreBsds) {
  constexpr std::uint64_t sol_socket = 0xffff, so_type = 0x1008;
  const std::uint64_t file = made(sock_dgram);
  store(data + 0x20, 4);
  EXPECT_EQ(machine.call(getsockopt_call, {file, sol_socket, so_type, data, data + 0x20}),
            std::nullopt);
  EXPECT_EQ(machine.word(data), sock_dgram);
}

}  // namespace
}  // namespace hardclock::hpux
