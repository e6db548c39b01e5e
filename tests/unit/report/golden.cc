#include "tests/unit/report/golden.h"

namespace hardclock::report {
namespace {

struct Contents {
  std::vector<Histogram> histograms;
  std::vector<CallCount> calls = {};
  std::vector<Arc> arcs = {};
};

Profile profile(Endian order, unsigned bits, std::uint64_t rate, const Contents& contents) {
  Profile profile;
  profile.byte_order = order;
  profile.address_bits = bits;
  profile.tick_rate = Hertz(rate);
  ProcessProfile& process = profile.processes.emplace_back();
  process.histograms = contents.histograms;
  process.calls = contents.calls;
  process.arcs = contents.arcs;
  return profile;
}

Histogram histogram(std::uint64_t low, std::uint64_t high, std::vector<std::uint64_t> counts) {
  return {GuestAddr(low), GuestAddr(high), std::move(counts)};
}
CallCount calls(std::uint64_t function, std::uint64_t n) {
  return {GuestAddr(function), n};
}
Arc arc(std::uint64_t from, std::uint64_t self, std::uint64_t n) {
  return {GuestAddr(from), GuestAddr(self), n};
}

Contents svr4_32() {
  return {{histogram(0x2000, 0x2040, {0, 1, 2, 3})}, {calls(0x2010, 5)}};
}

}  // namespace

const std::vector<Golden>& golden_files() {
  static const std::vector<Golden> files = {
      {"v7_mon", "v7", "20003000020022000100701128000000030001000000ffff0700",
       profile(Endian::little, 32, 0,
               {{histogram(32, 48, {1, 0, 65535, 7})}, {calls(34, 70000), calls(40, 3)}})},
      {"svr_mon_be32", "sysv", "00002000000020400000000100002010000000050000000100020003",
       profile(Endian::big, 32, 0, svr4_32())},
      {"", "sysv", "00200000402000000100000010200000050000000000010002000300",
       profile(Endian::little, 32, 0, svr4_32())},
      {"svr_mon_be64", "sysv",
       "400000000000100040000000000010400000000000000001400000000000101000000000000000050009",
       profile(Endian::big, 64, 0,
               {{histogram(0x4000000000001000, 0x4000000000001040, {9})},
                {calls(0x4000000000001010, 5)}})},
      {"bsd43_gmon_le32", "bsd43",
       "000000001000000014000000000004000000020002000000080000000b000000",
       profile(Endian::little, 32, 0, {{histogram(0, 16, {0, 4, 0, 2})}, {}, {arc(2, 8, 11)}})},
      {"bsd44_gmon_be32", "bsd44",
       "0000100000001010000000280005187900000064000000000000000000000000000000040000000200001002"
       "000010080000000b",
       profile(Endian::big, 32, 100,
               {{histogram(4096, 4112, {0, 4, 0, 2})}, {}, {arc(4098, 4104, 11)}})},
      {"bsd44_gmon_le64", "bsd44",
       "000040000000000010004000000000003000000079180500e80300000000000000000000000000000100020003"
       "000400",
       profile(Endian::little, 64, 1000, {{histogram(4194304, 4194320, {1, 2, 3, 4})}})},
      {"gnu_gmon_be32", "gnu",
       "676d6f6e0000000100000000000000000000000000004000000040001000000004000000647365636f6e6473"
       "00000000000000007300000004000000020100400002004000080000000b",
       profile(Endian::big, 32, 100,
               {{histogram(4194304, 4194320, {0, 4, 0, 2})}, {}, {arc(4194306, 4194312, 11)}})},
      {"gnu_gmon_le64_2hist", "gnu",
       "676d6f6e01000000000000000000000000000000000010400000000000081040000000000004000000e80300"
       "007365636f6e647300000000000000007301000200030004000000100000007f000004100000007f00000200"
       "0000e80300007365636f6e647300000000000000007305000600",
       profile(Endian::little, 64, 1000,
               {{histogram(4198400, 4198408, {1, 2, 3, 4}),
                 histogram(139637976731648, 139637976731652, {5, 6})}})},
  };
  return files;
}

}  // namespace hardclock::report
