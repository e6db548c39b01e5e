// In-order pipelines against cycle counts that others worked out. GCC is GCC 12's gcc/config/mips:
// the R3000 and R3010 in 3000.md (mult 12, div 35, fadd 2, fmul.d 5, fdiv.d 19 cycles), each FP
// unit busy until its result. H&P is Hennessy and Patterson, "Computer Architecture", the section
// on the MIPS R4000's pipeline with its tables of the FPU's stages.
#include "sim/timing/in_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/timing/cpu_description.h"
#include "tests/unit/timing/made_in_order.h"

namespace hardclock {
namespace {

constexpr const char* class_names[] = {"alu",    "load",     "branch",   "mult",     "div",
                                       "fp_add", "fp_mul_d", "fp_div_d", "fp_store", "other"};
enum TestClass : std::uint8_t {
  alu,
  load,
  branch,
  mult,
  div,
  fp_add,
  fp_mul_d,
  fp_div_d,
  fp_store,
  other
};

constexpr const char* r3000 = R"(
cpu   r3000
clock 33                                            published: none, a test
class alu,load,branch,fp_store latency 1            published: H&P, GCC
class mult     latency 12 repeat 12 unit hilo       published: GCC r3k_imul
class div      latency 35 repeat 35 unit hilo       published: GCC r3k_idiv
class fp_add   latency 2  repeat 2  unit fpadd      published: GCC r3k_fadd
class fp_mul_d latency 5  repeat 5  unit fpmul      published: GCC r3k_fmul_double
class fp_div_d latency 19 repeat 19 unit fpdiv      published: GCC r3k_fdiv_double
class other    latency 3  repeat 7  unit other      unverified: none, a test
)";

// H&P's stages of the R4000's FPU: add U, S+A, A+R, R+S; multiply U, E+M, M, M, M, N, N+A, R;
// divide U, A, R, 27 D, D+A, D+R, D+A, D+R, A, R.
constexpr const char* r4000 = R"(
cpu   r4000
clock 100                                           published: none, a test
class alu,fp_store latency 1                        published: H&P
class load     latency 3                            published: H&P
class branch   latency 1                            published: H&P
class mult     latency 10 repeat 10 unit hilo       published: GCC r4k_imul
class div      latency 69 repeat 69 unit hilo       published: GCC r4k_idiv
class fp_add   latency 4  reserve U,S+A,A+R,R+S     published: H&P
class fp_mul_d latency 8  reserve U,E+M,M,M,M,N,N+A,R published: H&P
class fp_div_d latency 36 repeat 35 unit fpdiv \
               reserve U,A,R,D*27,D+A,D+R,D+A,D+R,A,R published: H&P
class other    latency 1                            unverified: none, a test
redirect branch taken 2                             published: H&P
)";

constexpr Resource hi = 64;
constexpr Resource lo = 65;
constexpr Resource f4 = 36;
constexpr Resource f6 = 38;
constexpr Resource f8 = 40;

std::shared_ptr<const Pipeline> made(const std::string& text) {
  return made_in_order(text, class_names);
}

// Issues instructions one after the other; the first in cycle 0.
class Program {
 public:
  explicit Program(const std::string& text = r3000) : pipeline_(made(text)) {}

  // Returns the cycle of the issue.
  std::uint32_t issue(TestClass timing_class, std::vector<Resource> reads,
                      std::vector<Resource> writes) {
    return issue({timing_class, std::move(reads), std::move(writes)});
  }
  std::uint32_t issue(const InstructionTiming& instruction) {
    passed_ += pipeline_->issue(state_, instruction);
    return passed_ - 1;
  }
  void idle(std::uint32_t instructions) {
    for (std::uint32_t i = 0; i < instructions; ++i) issue(alu, {}, {});
  }
  void take(TestClass branch_class) { pipeline_->redirect(state_, branch_class, true); }
  void pass(std::uint32_t cycles) {
    pipeline_->pass(state_, cycles);
    passed_ += cycles;
  }
  void freeze(std::uint32_t cycles) {
    pipeline_->freeze(state_, cycles);
    passed_ += cycles;
  }
  const PipelineState& state() const { return state_; }

 private:
  std::shared_ptr<const Pipeline> pipeline_;
  PipelineState state_;
  std::uint32_t passed_ = 0;
};

TEST(InOrderPipeline, IndependentInstructionsIssueEveryCycle) {
  Program program;
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(program.issue(alu, {1, 2}, {static_cast<Resource>(3 + i)}), i);
  }
  EXPECT_EQ(program.state(), PipelineState{});
}

TEST(InOrderPipeline, AResultOfLatencyOneIsThereInTheNextCycle) {
  Program program;
  EXPECT_EQ(program.issue(alu, {}, {1}), 0u);
  EXPECT_EQ(program.issue(alu, {1}, {1}), 1u);
  EXPECT_EQ(program.issue(alu, {1}, {1}), 2u);
}

TEST(InOrderPipeline, AReaderWaitsForTheProduct) {
  Program program;
  EXPECT_EQ(program.issue(mult, {1, 2}, {hi, lo}), 0u);
  EXPECT_EQ(program.issue(alu, {lo}, {3}), 12u);
  EXPECT_EQ(program.issue(alu, {hi}, {3}), 13u);
}

// Kernel r3k_mult_overlap of the published kernels: eleven instructions hide the multiplication.
TEST(InOrderPipeline, ElevenInstructionsHideAMultiplication) {
  for (const std::uint32_t between : {11u, 10u, 0u}) {
    Program program;
    program.issue(mult, {1, 2}, {hi, lo});
    program.idle(between);
    EXPECT_EQ(program.issue(alu, {lo}, {3}), 12u) << between;
  }
}

TEST(InOrderPipeline, AUnitIsBusyUntilItsResult) {
  Program program;
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f4}), 0u);
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f8}), 5u) << "no dependence, same unit";
  EXPECT_EQ(program.issue(fp_add, {f6}, {10}), 6u) << "the adder is another unit";
  EXPECT_EQ(program.issue(fp_add, {f6}, {11}), 8u);
}

TEST(InOrderPipeline, MultiplierAndDividerAreOneUnit) {
  Program program;
  EXPECT_EQ(program.issue(mult, {1, 2}, {hi, lo}), 0u);
  EXPECT_EQ(program.issue(div, {1, 2}, {hi, lo}), 12u);
  EXPECT_EQ(program.issue(alu, {hi}, {3}), 47u);
}

TEST(InOrderPipeline, UnitsOverlap) {
  Program program;
  EXPECT_EQ(program.issue(fp_div_d, {f6}, {f4}), 0u);
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f8}), 1u);
  EXPECT_EQ(program.issue(fp_add, {f8}, {10}), 6u);
  EXPECT_EQ(program.issue(fp_add, {f4}, {10}), 19u);
}

TEST(InOrderPipeline, AResultDoesNotOvertakeAnOlderOne) {
  Program program;
  EXPECT_EQ(program.issue(fp_div_d, {f6}, {f4}), 0u);   // $f4 in cycle 19
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f4}), 14u);  // its own in 14 + 5
  EXPECT_EQ(program.issue(fp_add, {f4}, {f8}), 19u);
}

TEST(InOrderPipeline, TheUnitMayStayBusyLongerThanTheResultTakes) {
  Program program;
  EXPECT_EQ(program.issue(other, {}, {1}), 0u);
  EXPECT_EQ(program.issue(alu, {1}, {2}), 3u);
  EXPECT_EQ(program.issue(other, {}, {3}), 7u);
}

TEST(InOrderPipeline, TheLongestWaitCounts) {
  Program program;
  program.issue(fp_div_d, {f6}, {f4});
  program.issue(fp_mul_d, {f6}, {f8});
  EXPECT_EQ(program.issue(fp_add, {f8, f4}, {10}), 19u);
}

TEST(InOrderPipeline, ANullifiedSlotTakesOneCycle) {
  EXPECT_EQ(made(r3000)->nullified_cycles(), 1u);
}

// ---- The R4000.

// H&P: two cycles of delay after a load.
TEST(R4000Pipeline, ALoadIsUsableInTheThirdCycle) {
  for (const std::uint32_t between : {0u, 1u, 2u}) {
    Program program(r4000);
    program.issue(load, {4}, {9});
    program.idle(between);
    EXPECT_EQ(program.issue(alu, {9}, {10}), 3u) << between;
  }
}

// H&P: a taken branch has one delay slot and two idle cycles; one that is not taken only the slot.
TEST(R4000Pipeline, ATakenBranchLosesTwoCyclesAfterItsSlot) {
  for (const bool taken : {true, false}) {
    Program program(r4000);
    EXPECT_EQ(program.issue(branch, {8}, {}), 0u);
    EXPECT_EQ(program.issue(alu, {}, {}), 1u);
    if (taken) program.take(branch);
    EXPECT_EQ(program.issue(alu, {}, {}), taken ? 4u : 2u);
  }
}

// The cycle in which `second` issues when it is the instruction `distance` places after `first`.
std::uint32_t second_issues(TestClass first, TestClass second, std::uint32_t distance) {
  Program program(r4000);
  program.issue(first, {f6}, {f4});
  program.idle(distance - 1);
  return program.issue(second, {f6}, {f8});
}

// H&P, table "A FP multiply issued at clock cycle 0 followed by a single FP add issued between
// clock cycles 1 and 7": the adds of cycles 4 and 5 stall, for two cycles and one.
TEST(R4000Pipeline, AnAddAfterAMultiplyStallsAtDistanceFourAndFive) {
  const std::map<std::uint32_t, std::uint32_t> stalls = {{1, 0}, {2, 0}, {3, 0}, {4, 2},
                                                         {5, 1}, {6, 0}, {7, 0}};
  for (const auto& [distance, stall] : stalls) {
    EXPECT_EQ(second_issues(fp_mul_d, fp_add, distance), distance + stall) << distance;
  }
}

// H&P, table "A FP add issued at cycle 0 followed by a multiply": never a stall, since the shorter
// operation clears the shared stages before the longer reaches them.
TEST(R4000Pipeline, AMultiplyAfterAnAddNeverStalls) {
  for (std::uint32_t distance = 1; distance <= 8; ++distance) {
    EXPECT_EQ(second_issues(fp_add, fp_mul_d, distance), distance);
  }
}

// H&P, table "A FP divide can cause a stall for an add that starts near the end of the divide": the
// adds that would start in cycles 28 to 33.
TEST(R4000Pipeline, AnAddNearTheEndOfADivideStalls) {
  for (std::uint32_t distance = 3; distance <= 40; ++distance) {
    const bool stalls = distance >= 28 && distance <= 33;
    EXPECT_EQ(second_issues(fp_div_d, fp_add, distance), stalls ? 34 : distance) << distance;
  }
}

// H&P, table "A double-precision add is followed by a double-precision divide": if the divide
// starts one cycle after the add, it stalls; later ones do not.
TEST(R4000Pipeline, ADivideStallsRightAfterAnAdd) {
  EXPECT_EQ(second_issues(fp_add, fp_div_d, 1), 2u);
  for (std::uint32_t distance = 2; distance <= 8; ++distance) {
    EXPECT_EQ(second_issues(fp_add, fp_div_d, distance), distance);
  }
}

// H&P, table of latencies and initiation intervals: add 4 and 3, multiply 8 and 4, divide 36
// and 35.
TEST(R4000Pipeline, HasThePublishedLatenciesAndIntervals) {
  const struct {
    TestClass timing_class;
    std::uint32_t latency;
    std::uint32_t interval;
  } published[] = {{fp_add, 4, 3}, {fp_mul_d, 8, 4}, {fp_div_d, 36, 35}};
  for (const auto& [timing_class, latency, interval] : published) {
    Program dependent(r4000);
    dependent.issue(timing_class, {f6}, {f4});
    EXPECT_EQ(dependent.issue(alu, {f4}, {}), latency);
    EXPECT_EQ(second_issues(timing_class, timing_class, 1), interval);
  }
}

// An add that is issued `distance` after a multiply that is `between` after a divide, worked out
// with H&P's strings by a table of which stage is busy in which cycle.
TEST(R4000Pipeline, AgreesWithATableOfStages) {
  using Stages = std::vector<std::string>;
  const Stages add = {"U", "SA", "AR", "RS"};
  const Stages multiply = {"U", "EM", "M", "M", "M", "N", "NA", "R"};
  Stages divide = {"U", "A", "R"};
  divide.insert(divide.end(), 27, "D");
  for (const char* const last : {"DA", "DR", "DA", "DR", "A", "R"}) divide.emplace_back(last);
  const auto place = [](std::map<char, std::vector<bool>>& busy, const Stages& stages,
                        std::uint32_t from) {
    const auto free_at = [&](std::uint32_t cycle) {
      for (std::size_t i = 0; i < stages.size(); ++i) {
        for (const char stage : stages[i]) {
          std::vector<bool>& cycles = busy[stage];
          cycles.resize(400);
          if (cycles[cycle + i]) return false;
        }
      }
      return true;
    };
    while (!free_at(from)) ++from;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      for (const char stage : stages[i]) busy[stage][from + i] = true;
    }
    return from;
  };
  for (std::uint32_t between = 1; between < 40; ++between) {
    for (std::uint32_t distance = 1; distance < 10; ++distance) {
      std::map<char, std::vector<bool>> busy;
      const std::uint32_t divided = place(busy, divide, 0);
      const std::uint32_t multiplied = place(busy, multiply, divided + between);
      const std::uint32_t added = place(busy, add, multiplied + distance);
      Program program(r4000);
      program.issue(fp_div_d, {f6}, {f4});
      program.idle(between - 1);
      EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f8}), multiplied) << between;
      program.idle(distance - 1);
      EXPECT_EQ(program.issue(fp_add, {f6}, {10}), added) << between << " " << distance;
    }
  }
}

// ---- What no single processor shows.

constexpr const char* dual = R"(
cpu   dual
clock 150                                           published: none, a test
issue 2                                             unverified: none, a test
pair fp_add,fp_mul_d with alu,load,branch,fp_store  unverified: none, a test
class alu,branch,mult,div,fp_store,other latency 1  unverified: none, a test
class load     latency 2                            unverified: none, a test
class fp_add   latency 4                            unverified: none, a test
class fp_mul_d latency 5 repeat 2 unit fpmul        unverified: none, a test
class fp_div_d latency 36 repeat 36 unit fpdiv      unverified: none, a test
bypass fp_add to fp_store latency 3                 unverified: none, a test
bypass fp_mul_d to fp_store latency 7               unverified: none, a test
continues fp_div_d in stalls                        unverified: none, a test
)";

// The rule that the R5000's data sheets give: an FP arithmetic instruction and one of another kind
// in one cycle.
TEST(DualIssue, TwoOfAPairShareACycleInEitherOrder) {
  Program program(dual);
  EXPECT_EQ(program.issue(alu, {}, {1}), 0u);
  EXPECT_EQ(program.issue(fp_add, {}, {f4}), 0u);
  EXPECT_EQ(program.issue(fp_add, {}, {f6}), 1u) << "two in a cycle are all";
  EXPECT_EQ(program.issue(alu, {}, {1}), 1u);
  EXPECT_EQ(program.issue(alu, {}, {1}), 2u);
  EXPECT_EQ(program.issue(alu, {}, {1}), 3u) << "no pair";
}

TEST(DualIssue, NeedsBothReadyInThatCycle) {
  Program dependent(dual);
  EXPECT_EQ(dependent.issue(fp_add, {}, {f4}), 0u);
  EXPECT_EQ(dependent.issue(fp_store, {f4}, {}), 3u) << "bypass to the store";
  Program busy(dual);
  EXPECT_EQ(busy.issue(fp_mul_d, {}, {f4}), 0u);
  EXPECT_EQ(busy.issue(alu, {}, {1}), 0u);
  EXPECT_EQ(busy.issue(alu, {}, {1}), 1u);
  EXPECT_EQ(busy.issue(fp_mul_d, {}, {f6}), 2u) << "the multiplier takes one every other cycle";
  Program loaded(dual);
  EXPECT_EQ(loaded.issue(load, {}, {1}), 0u);
  EXPECT_EQ(loaded.issue(fp_add, {}, {f4}), 0u);
  EXPECT_EQ(loaded.issue(fp_add, {}, {f6}), 1u);
  EXPECT_EQ(loaded.issue(alu, {1}, {}), 2u) << "ready one cycle too late to join";
}

TEST(DualIssue, TimeThatPassesClosesTheCycle) {
  Program taken(dual);
  taken.issue(branch, {}, {});
  taken.take(branch);
  EXPECT_EQ(taken.issue(fp_add, {}, {f4}), 1u);
  Program waited(dual);
  waited.issue(alu, {}, {});
  waited.pass(3);
  EXPECT_EQ(waited.issue(fp_add, {}, {f4}), 4u);
}

TEST(Bypasses, ShortenOrLengthenALatency) {
  Program program(dual);
  program.issue(fp_mul_d, {}, {f4});
  EXPECT_EQ(program.issue(fp_store, {f4}, {}), 7u);
  Program plain(dual);
  plain.issue(fp_mul_d, {}, {f4});
  EXPECT_EQ(plain.issue(fp_add, {f4}, {}), 5u);
}

// SGI's pixstats: CFC1 waits 2 cycles after an addition of the R3010, 5 after a multiplication, 19
// after a division.
constexpr const char* waiting = R"(
cpu   r3000
clock 33                                            published: none, a test
class alu,load,branch,fp_store,mult,other latency 1 published: none, a test
class fp_add   latency 2  repeat 2  unit fpadd      published: GCC r3k_fadd
class fp_mul_d latency 5  repeat 5  unit fpmul      published: GCC r3k_fmul_double
class fp_div_d latency 19 repeat 19 unit fpdiv      published: GCC r3k_fdiv_double
class div      latency 35 repeat 35 unit hilo       published: GCC r3k_idiv
waits other for fp_add,fp_mul_d,fp_div_d            vendor's table: pixstats
continues fp_div_d in stalls                        unverified: none, a test
)";

TEST(Waiting, LastsUntilTheResultOfAnOperation) {
  const std::pair<TestClass, std::uint32_t> operations[] = {
      {fp_add, 2}, {fp_mul_d, 5}, {fp_div_d, 19}, {div, 1}};
  for (const auto& [operation, latency] : operations) {
    Program program(waiting);
    program.issue(operation, {}, {f4});
    EXPECT_EQ(program.issue(other, {}, {1}), latency) << int{operation};
  }
}

TEST(Waiting, LastsUntilTheLatestResult) {
  Program program(waiting);
  program.issue(fp_mul_d, {}, {f4});
  program.issue(fp_add, {}, {f6});
  EXPECT_EQ(program.issue(alu, {}, {}), 2u) << "waits for nothing";
  EXPECT_EQ(program.issue(other, {}, {1}), 5u);
  EXPECT_EQ(program.issue(other, {}, {1}), 6u) << "once";
}

TEST(Waiting, GoesOnInAStallForWhatContinues) {
  Program program(waiting);
  program.issue(fp_div_d, {}, {f4});
  program.issue(fp_mul_d, {}, {f6});
  program.freeze(10);
  EXPECT_EQ(program.issue(other, {}, {1}), 19u) << "the multiplication is out 16 cycles in";
  Program frozen(waiting);
  frozen.issue(fp_mul_d, {}, {f6});
  frozen.freeze(10);
  EXPECT_EQ(frozen.issue(other, {}, {1}), 15u);
}

// SGI's prof and pixstats: on an R4000, LWR right after LWL of its register. On an R8000 an address
// is there a cycle later than an operand of the ALU, and data to store as early as that.
constexpr const char* uses = R"(
cpu   both
clock 100                                           published: none, a test
class alu,branch,mult,div,fp_add,fp_mul_d,fp_div_d,other latency 1 published: none, a test
class load,fp_store latency 3                       published: H&P
bypass load to load latency 1 as data               vendor's table: prof, pixstats
bypass alu to fp_store latency 2 as address         vendor's table: prof
)";

InstructionTiming access(TestClass timing_class, std::vector<Resource> reads,
                         std::vector<Resource> writes, Resource base) {
  InstructionTiming timing{timing_class, std::move(reads), std::move(writes)};
  timing.addresses = {base};
  return timing;
}

TEST(Bypasses, MayBeForDataAlone) {
  Program program(uses);
  program.issue(access(load, {1, 4}, {4}, 1));
  EXPECT_EQ(program.issue(access(load, {1, 4}, {4}, 1)), 1u) << "LWL, LWR";
  EXPECT_EQ(program.issue(alu, {4}, {5}), 4u) << "the second load's latency";
  Program chase(uses);
  chase.issue(access(load, {1, 4}, {4}, 1));
  EXPECT_EQ(chase.issue(access(load, {4, 5}, {5}, 4)), 3u) << "an address";
  Program same(uses);
  same.issue(access(load, {1, 4}, {4}, 1));
  EXPECT_EQ(same.issue(access(load, {4}, {4}, 4)), 3u) << "both: an address";
}

TEST(Bypasses, MayBeForAddressesAlone) {
  Program address(uses);
  address.issue(alu, {}, {1});
  EXPECT_EQ(address.issue(access(fp_store, {1, 2}, {}, 1)), 2u);
  Program data(uses);
  data.issue(alu, {}, {2});
  EXPECT_EQ(data.issue(access(fp_store, {1, 2}, {}, 1)), 1u);
}

TEST(Freezing, HoldsEverythingButWhatContinues) {
  Program program(dual);
  program.issue(fp_div_d, {}, {f4});
  program.issue(fp_mul_d, {}, {f6});
  program.freeze(10);
  EXPECT_EQ(program.issue(fp_add, {f6}, {f8}), 1u + 10 + 5);
  EXPECT_EQ(program.issue(fp_add, {f4}, {f8}), 36u);
}

TEST(Freezing, EndsWhatWouldHaveBeenReady) {
  Program program(dual);
  program.issue(fp_div_d, {}, {f4});
  program.freeze(50);
  EXPECT_EQ(program.issue(fp_add, {f4}, {f8}), 51u);
}

// Two instructions a cycle are those of pair rows.
TEST(MakeInOrder, WidthAndPairsGoTogether) {
  const std::string classes =
      "class alu,load,branch,mult,div,fp_add,fp_mul_d,fp_div_d,fp_store,other latency 1 exact: x\n";
  const std::string pair = "pair alu with load exact: x\n";
  const std::pair<std::string, const char*> cases[] = {
      {"issue 1 exact: x\n", ""},
      {"issue 2 exact: x\n" + pair, ""},
      {"issue 2 exact: x\n", "x: issue 2 needs a pair row"},
      {"issue 1 exact: x\n" + pair, "x: issue 1 has no use for pair rows"}};
  for (const auto& [rows, message] : cases) {
    const auto cpu = parse_cpu_description("cpu x\nclock 1 exact: x\n" + classes + rows);
    ASSERT_TRUE(cpu.ok()) << cpu.error();
    const auto pipeline = make_in_order(*cpu, class_names);
    EXPECT_EQ(pipeline.ok() ? "" : pipeline.error(), message) << rows;
  }
}

TEST(MakeInOrder, NamesTheMistake) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"class alu repeat 2 unit u exact: x", "class alu needs latency"},
      {"class alu latency 0 exact: x", "latency needs a number from 1 to 1000, not '0'"},
      {"class alu latency 1001 exact: x", "latency needs a number from 1 to 1000"},
      {"class alu latency 99999999999999999999 exact: x", "latency needs a number"},
      {"class alu latency one exact: x", "latency needs a number"},
      {"class alu latency 1 repeat 2 exact: x", "repeat without a unit"},
      {"class alu latency 1 colour red exact: x", "unknown word 'colour' in a class row"},
      {"class nonsense latency 1 exact: x", "unknown timing class nonsense"},
      {"class alu latency 1 reserve A*0x exact: x", "'*0x' in reserve"},
      {"class alu latency 1 reserve A*129 exact: x", "reserve is longer than 128"},
      {"class alu,load latency 1 exact: x\nclass load latency 2 exact: x",
       "line 4: a second row for class load"},
      {"pair alu exact: x", "pair alu needs with"},
      {"bypass alu to load exact: x", "bypass alu needs latency"},
      {"bypass alu to load latency 1 as fact exact: x", "unknown as 'fact'"},
      {"waits alu exact: x", "waits alu needs for"},
      {"waits alu for nonsense exact: x", "unknown timing class nonsense"},
      {"redirect alu exact: x", "redirect alu needs taken"},
      {"continues alu in storms exact: x", "unknown in 'storms'"},
      {"class load latency 1 exact: x", "no row for timing class alu"},
      {"issue 3 exact: x", "line 3: issue needs 1 or 2 instructions a cycle, not '3'"},
      {"issue 1 wide 2 exact: x", "line 3: unknown word 'wide' in a issue row"},
  };
  for (const auto& [row, message] : mistakes) {
    const auto cpu = parse_cpu_description("cpu x\nclock 1 exact: x\n" + std::string(row));
    ASSERT_TRUE(cpu.ok()) << row << ": " << cpu.error();
    const auto pipeline = make_in_order(*cpu, class_names);
    ASSERT_FALSE(pipeline.ok()) << row;
    EXPECT_NE(pipeline.error().find(message), std::string::npos) << row << ": " << pipeline.error();
  }
}

TEST(FunctionalPipeline, IsOneInstructionACycle) {
  const FunctionalPipeline pipeline;
  PipelineState state;
  EXPECT_EQ(pipeline.issue(state, {div, {1, 2}, {hi, lo}}), 1u);
  EXPECT_EQ(pipeline.issue(state, {alu, {lo}, {3}}), 1u);
  EXPECT_EQ(state, PipelineState{});
  EXPECT_EQ(pipeline.nullified_cycles(), 0u);
}

// ---- States.

PipelineState busy(std::initializer_list<std::pair<Resource, std::uint16_t>> resources) {
  PipelineState state;
  for (const auto& [resource, cycles] : resources) state.set({resource, cycles, 0, false});
  return state;
}

TEST(PipelineState, ForgetsWhatIsReady) {
  PipelineState state = busy({{5, 3}, {2, 1}});
  EXPECT_EQ(state.find(5)->cycles, 3u);
  EXPECT_EQ(state.find(4), nullptr);
  state.advance(1);
  EXPECT_EQ(state.find(5)->cycles, 2u);
  EXPECT_EQ(state.find(2), nullptr);
  state.advance(100);
  EXPECT_EQ(state, PipelineState{});
}

TEST(PipelineState, DoesNotDependOnTheOrderOfEvents) {
  EXPECT_EQ(busy({{7, 2}, {3, 9}, {5, 4}}), busy({{5, 1}, {3, 9}, {5, 4}, {7, 2}}));
}

TEST(PipelineState, EqualMomentsAfterDifferentPastsAreEqual) {
  PipelineState a = busy({{3, 9}});
  BusyCycles cycles;
  cycles.set(3);
  a.reserve(2, cycles);
  a.advance(4);
  EXPECT_EQ(a, busy({{3, 5}}));
}

TEST(BusyCycles, ShiftAcrossWords) {
  BusyCycles late;
  late.set(127);
  for (unsigned passed = 0; passed < 127; ++passed) {
    BusyCycles one;
    one.set(127 - passed);
    BusyCycles shifted = late;
    shifted.advance(passed);
    EXPECT_EQ(shifted, one) << passed;
    BusyCycles first;
    first.set(0);
    EXPECT_TRUE(first.collides(late, 127));
    EXPECT_FALSE(first.collides(late, passed));
  }
  late.advance(128);
  EXPECT_TRUE(late.none());
}

TEST(PipelineStates, NumberEqualStatesEqually) {
  PipelineStates states;
  EXPECT_EQ(states.intern(PipelineState{}), 0u);
  const PipelineStates::Id id = states.intern(busy({{1, 2}}));
  EXPECT_NE(id, 0u);
  EXPECT_EQ(states.intern(busy({{1, 2}})), id);
  for (std::uint16_t i = 3; i < 200; ++i) states.intern(busy({{1, i}}));
  EXPECT_EQ(states[id], busy({{1, 2}})) << "a number keeps its state";
  EXPECT_EQ(states[0], PipelineState{});
}

}  // namespace
}  // namespace hardclock
