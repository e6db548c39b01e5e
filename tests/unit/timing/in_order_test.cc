// In-order pipelines against cycle counts that others worked out. GCC is GCC 12's gcc/config/mips:
// the R3000 and R3010 in 3000.md (mult 12, div 35, fadd 2, fmul.d 5, fdiv.d 19 cycles), each FP
// unit busy until its result. H&P is Hennessy and Patterson, "Computer Architecture".
#include "sim/timing/in_order.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sim/timing/cpu_description.h"
#include "tests/unit/timing/issued_program.h"

namespace hardclock {
namespace {

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

}  // namespace
}  // namespace hardclock
