// Sockets of AF_NETLINK with NETLINK_ROUTE, as far as programs ask which network interfaces there
// are (netlink(7), rtnetlink(7); net/netlink/af_netlink.c, net/core/rtnetlink.c): `lo` and, where
// the guests reach the host's network, the machine's own address there as `eth0`. What changes
// interfaces is the superuser's; other questions are EOPNOTSUPP.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "sim/memory/page.h"
#include "syscalls/host/file_records.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::gnu_linux {

struct NetworkInterface {
  std::uint32_t index;
  std::string name;
  std::uint32_t address, broadcast;  // as a number; broadcast 0: it has none
  std::uint8_t prefix_bits;
};

class NetlinkSocket final : public posix::OpenFile {
 public:
  NetlinkSocket(host::FileRecords& records, std::shared_ptr<MemoryBudget> budget,
                std::vector<NetworkInterface> interfaces, Endian endian, unsigned eopnotsupp);

  // Answers the requests that these bytes are; no_memory: there is none for that.
  host::HostResult<Ok> ask(std::span<const std::uint8_t> bytes);
  bool has_answer() const { return !answers_.empty(); }
  const std::vector<std::uint8_t>& first_answer() const { return answers_.front(); }
  void drop_first_answer();

  posix::Transfer read(std::span<std::uint8_t> bytes) override;
  posix::Transfer write(std::span<const std::uint8_t> bytes) override;
  bool readable(const Thread* /*asker*/) const override { return has_answer(); }
  std::uint64_t activity(const Thread* /*asker*/) const override { return arrivals_; }
  host::HostResult<std::uint64_t> available() override {
    return has_answer() ? first_answer().size() : 0;
  }
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }
  host::OpenRights rights() const override { return {.read = true, .write = true}; }
  host::HostResult<host::FileStatus> status() const override { return status_; }

  void archive(Archive& to) override;

  std::uint32_t port = 0;  // nl_pid; 0: not bound

 private:
  struct Header;
  class Message;
  void answer(const Header& header, std::span<const std::uint8_t> request);
  void tell_interfaces(const Header& header, std::uint32_t wanted);
  void tell_addresses(const Header& header, std::uint8_t family);
  void tell_error(const Header& header, std::int32_t error, std::span<const std::uint8_t> request);
  void finish_dump(const Header& header);
  void add(std::vector<std::uint8_t> answer);

  host::FileStatus status_;
  MemoryCharge charge_;
  std::vector<NetworkInterface> interfaces_;
  Endian endian_;
  unsigned eopnotsupp_;  // its number
  std::deque<std::vector<std::uint8_t>> answers_;
  std::uint64_t arrivals_ = 0;
  bool is_out_of_memory_ = false;
};

}  // namespace hardclock::gnu_linux
