// run --reasons: the reasons of cycles against what the caches, the TLB and the write buffer
// counted, and against the manuals' cycles.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// As profiles have it.
std::string hexadecimal(std::uint32_t address) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", address);
  return text;
}

class Reasons : public CommandTest {
 protected:
  // Runs a program with --reasons; the options come first.
  void run(Words options, const Words& program) {
    const Words files = {"--reasons", "--profile=p.json", "--stats=s.json"};
    options.insert(options.begin(), files.begin(), files.end());
    options.insert(options.begin(), "run");
    options.insert(options.end(), program.begin(), program.end());
    const Finished finished = hardclock(options);
    EXPECT_EQ(finished.err, "");
    stats_ = Json::parse(read("s.json"));
    process_ = Json::parse(read("p.json")).at("processes")[0];
  }
  std::uint64_t at(const std::string& reason, const std::string& pc) const {
    const auto pcs = process_.at("reasons").find(reason);
    if (pcs == process_.at("reasons").end()) return 0;
    return pcs->value(pc, std::uint64_t{0});
  }
  std::uint64_t sum(const std::string& reason) const {
    const auto pcs = process_.at("reasons").find(reason);
    std::uint64_t cycles = 0;
    if (pcs == process_.at("reasons").end()) return 0;
    for (const auto& [pc, count] : pcs->items()) cycles += count.get<std::uint64_t>();
    return cycles;
  }
  // Of each pc they are its cycles, and of all pcs those that the program took.
  void expect_exact() const {
    std::uint64_t all = 0;
    for (const auto& [pc, cycles] : process_.at("cycles").items()) {
      std::uint64_t of_pc = 0;
      for (const auto& [reason, pcs] : process_.at("reasons").items()) {
        if (reason != "kernel") of_pc += pcs.value(pc, std::uint64_t{0});
      }
      EXPECT_EQ(of_pc, cycles.get<std::uint64_t>()) << pc;
      all += of_pc;
    }
    EXPECT_EQ(all, stats_.at("programs")[0].at("cycles").get<std::uint64_t>());
  }
  std::uint64_t memory(const std::string& level, const std::string& what) const {
    return stats_.at("memory").at(level).at(what).get<std::uint64_t>();
  }

  Json stats_, process_;
};

// The R3000's TLB takes 14 cycles for a refill; its write buffer counts its own waits. Without a
// second level, what misses comes from memory.
TEST_F(Reasons, OfAnR3000AreWhatItsMemoryCounted) {
  run({"--machine=indigo"}, {guest("bench"), "1"});
  expect_exact();
  EXPECT_EQ(sum("tlb"), 14 * stats_.at("memory").at("tlb_misses").get<std::uint64_t>());
  EXPECT_EQ(sum("write buffer"),
            stats_.at("memory").at("write_buffer_stalls").get<std::uint64_t>());
  EXPECT_GT(sum("write buffer"), 0u);
  EXPECT_GT(sum("data miss"), 0u);
  EXPECT_EQ(sum("second level"), 0u);
}

TEST_F(Reasons, OfAnR4400AreWhatItsMemoryCounted) {
  run({"--machine=indigo2-r4400"}, {guest("bench"), "1"});
  expect_exact();
  EXPECT_EQ(sum("tlb"), 24 * stats_.at("memory").at("tlb_misses").get<std::uint64_t>());
  EXPECT_GT(sum("tlb"), 0u);
  EXPECT_EQ(sum("write buffer"), 0u);
  EXPECT_GT(sum("data miss"), 0u);
  EXPECT_GT(sum("second level"), 0u);
  EXPECT_GT(memory("l2", "misses"), 0u);
}

TEST_F(Reasons, OfAnOutOfOrderCoreAddUp) {
  for (const char* const machine : {"--machine=octane", "--machine=origin2000"}) {
    run({machine}, {guest("bench"), "1"});
    expect_exact();
    EXPECT_GT(sum("data miss") + sum("second level"), 0u);
    EXPECT_GT(sum("branch"), 0u);
  }
}

// 65,536 loops of a branch and its slot: on an R4000 a taken branch loses two cycles behind its
// slot (H&P), which are those of the instruction at the target.
TEST_F(Reasons, ATakenBranchOfAnR4000LosesTwoCycles) {
  run({"--cpu=r4000"}, {guest("pace75")});
  expect_exact();
  const auto symbols = parse_nm(other_program({"mips-linux-gnu-nm", guest("pace75")}).out);
  const std::string six = hexadecimal(symbols.at("six"));
  const std::uint64_t loops = at("issue", six);
  EXPECT_GT(loops, 1'000'000u);
  EXPECT_EQ(at("branch", six), 2 * (loops - 1));
}

// Each of the program's calls is paid for at the instruction that makes it; they are not its own.
TEST_F(Reasons, TheKernelsPricesStandBesideTheProgramsCycles) {
  run({"--cpu=r3000"}, {guest("compute")});
  EXPECT_EQ(sum("kernel"), 0u);
  const std::uint64_t without = stats_.at("programs")[0].at("cycles").get<std::uint64_t>();
  run({"--cpu=r3000", "--syscall-cycles=700"}, {guest("compute")});
  expect_exact();
  EXPECT_EQ(stats_.at("programs")[0].at("cycles").get<std::uint64_t>(), without);
  EXPECT_GT(sum("kernel"), 0u);
  for (const auto& [pc, cycles] : process_.at("reasons").at("kernel").items())
    EXPECT_EQ(cycles.get<std::uint64_t>() % 700, 0u) << pc;
  EXPECT_EQ(sum("kernel"), stats_.at("elapsed_cycles").get<std::uint64_t>() - without);
}

TEST_F(Reasons, ChangeNothing) {
  hardclock({"run", "--machine=indigo2-r4400", "--profile=a.json", guest("split75")});
  run({"--machine=indigo2-r4400"}, {guest("split75")});
  Json without = Json::parse(read("a.json")).at("processes")[0];
  process_.erase("reasons");
  EXPECT_EQ(process_, without);
}

TEST_F(Reasons, AreForAProfile) {
  const Finished run = hardclock({"run", "--reasons", guest("compute")});
  EXPECT_TRUE(contains(run.err, "--reasons is for a profile; give --profile=FILE as well"))
      << run.err;
  EXPECT_EQ(run.status, own_failure);
}

}  // namespace
}  // namespace hardclock::cli_test
