// What the original V7, 2.11BSD and 4.3BSD kernels did under SIMH, observation by observation:
// ../shared/conformance/real-kernels.json beside the source tree. Without it these tests are
// skipped.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "sim/base/bits.h"
#include "syscalls/profil/bsd211.h"
#include "syscalls/profil/bsd43.h"
#include "syscalls/profil/charge.h"
#include "syscalls/profil/v7.h"

namespace hardclock::profil {
namespace {

using nlohmann::json;

// The tree is found through this source file: Bazel's runfiles are links to it.
std::filesystem::path observations() {
  std::error_code error;
  const auto here = std::filesystem::canonical("tests/unit/profil/real_kernels_test.cc", error);
  return here.parent_path() / "../../../../shared/conformance/real-kernels.json";
}

const System& system_of(const std::string& name) {
  if (name == "v7_pdp11") return v7_system();
  if (name == "bsd211_pdp11") return bsd211_system();
  EXPECT_EQ(name, "bsd43_vax");
  return bsd43_system();
}

// All of memory, little-endian like both machines; bytes that were never written are 0.
class AllMemory : public CounterMemory {
 public:
  Endian endian() const override { return Endian::little; }
  bool is_accessible(GuestAddr, unsigned) override { return true; }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = bytes_[address.value() + i];
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes_[address.value() + i] = bytes[i];
  }

 private:
  std::map<std::uint64_t, std::uint8_t> bytes_;
};

class RealKernels : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(observations());
    if (!file) GTEST_SKIP() << "no ../shared/conformance/real-kernels.json beside the source tree";
    rows_ = json::parse(file).at("rows");
  }

  static State profile(const System& system, const json& row) {
    return system
        .profil(State{}, {row.at("buff"), row.at("bufsiz"), row.at("offset"), row.at("scale")}, 32)
        .value();
  }

  json rows_;
};

TEST_F(RealKernels, IncrementTheSameCounter) {
  std::map<std::string, unsigned> reproduced;
  for (const json& row : rows_) {
    SCOPED_TRACE(row.dump());
    const System& system = system_of(row.at("system"));
    State state = profile(system, row);
    AllMemory memory;
    const Charge one = charge(system, state, GuestAddr(row.at("pc")), Ticks(1), memory);
    const bool is_counted = one.outcome == Charge::Outcome::counted;
    EXPECT_EQ(is_counted, !row.at("observed_element").is_null());
    if (is_counted) {
      const std::uint64_t byte_offset = 2 * row.at("observed_element").get<std::uint64_t>();
      const std::uint64_t address = row.at("buff").get<std::uint64_t>() + byte_offset;
      EXPECT_EQ(std::get<Access>(one.lookup).byte_offset, byte_offset);
      EXPECT_EQ(std::get<Access>(one.lookup).address.value(),
                bit_field(address, 0, system.word_bits));
    }
    if (HasFailure()) return;
    ++reproduced[row.at("system")];
  }
  EXPECT_EQ(reproduced, (std::map<std::string, unsigned>{
                            {"v7_pdp11", 284}, {"bsd211_pdp11", 276}, {"bsd43_vax", 304}}));
}

// How many user ticks times(2) reports after so many clock ticks. The PDP-11s count the clock's;
// 4.3BSD's library turns getrusage(2)'s time into 60ths of a second (lib/libc/gen/times.c
// scale60()), while its clock ticks every 10 milliseconds. That the file's `ticks` are those of
// times(2) is inferred: it makes 23 of the 39 by which the counter of the one 4.3BSD row rose.
std::uint64_t reported_by_times(const System& system, std::uint64_t clock_ticks) {
  if (&system != &bsd43_system()) return clock_ticks;
  return clock_ticks * 10'000 / 16'667;
}

TEST_F(RealKernels, AddAndWrapAtSixteenBits) {
  unsigned reproduced = 0;
  for (const json& row : rows_) {
    if (!row.contains("preset")) continue;
    SCOPED_TRACE(row.dump());
    const System& system = system_of(row.at("system"));
    const std::uint64_t final_value = row.at("final");
    std::uint64_t clock_ticks = 0;
    for (std::uint64_t value = row.at("preset"); value != final_value; ++clock_ticks) {
      ASSERT_LT(clock_ticks, 100u);
      value = system.increment(value, 2, Ticks(1)).after;
    }
    EXPECT_EQ(reported_by_times(system, clock_ticks), row.at("ticks").get<std::uint64_t>());
    EXPECT_EQ(system.increment(row.at("preset"), 2, Ticks(clock_ticks)).after, final_value);
    ++reproduced;
  }
  EXPECT_EQ(reproduced, 3u);
}

}  // namespace
}  // namespace hardclock::profil
