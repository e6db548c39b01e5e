// The pipelines of the Itanium 2 and the Itanium against what others say of them, bundle by bundle.
// KAPI is Intel's description for compilers (Open64, osprey/common/ipfec_targ_info,
// mckinley_knobsfile.knb and v26-itanium-41-external.knb), GCC is gcc/config/ia64/itanium2.md and
// itanium1.md, whose words on dispersal are quoted from Intel's manuals of the processors.
#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "tests/unit/ia64/issued_bundles.h"

namespace hardclock::ia64 {
namespace {

// ---- Dispersal.
// KAPI: cluster0MaxBundleIssue 2, four ports M, two I.
TEST(Itanium2Dispersal, SixInACycle) {
  EXPECT_EQ(cycles({{"mmi", {load, load, add}}, {"mmi;", {store, store, add}}}), 1u);
  EXPECT_EQ(cycles({{"mfi", {load, {fmac}, add}}, {"mfi;", {load, {fmac}, add}}}), 1u);
}

// Intel's note on porting from the Itanium: MII MII in one cycle, since integer instructions in the
// second bundle's slots I may take ports M.
TEST(Itanium2Dispersal, IntegersInIntegerSlotsMayTakeMemoryPorts) {
  EXPECT_EQ(cycles({{"mii", {load, add, add}}, {"mii;", {load, add, add}}}), 1u);
  // But what is for ports I alone may not.
  EXPECT_EQ(cycles({{"mii", {load, add, add}}, {"mii;", {load, add, {xtd}}}}), 2u);
  EXPECT_EQ(cycles({{"mii", {load, add, add}}, {"mii;", {load, nop('i'), add}}}), 2u);
}

TEST(Itanium2Dispersal, NoMoreThanTwoBundles) {
  const BundleText bundle = {"mfb", {nop('m'), nop('f'), nop('b')}};
  EXPECT_EQ(cycles({bundle, bundle}), 1u);
  EXPECT_EQ(cycles({bundle, bundle, bundle}), 2u);
}

// KAPI: the masks of the ports M, and "can take loads and stores in any order and still get them to
// the right port".
TEST(Itanium2Dispersal, TwoLoadsAndTwoStoresInAnyOrder) {
  EXPECT_EQ(cycles({{"mmi", {store, load, add}}, {"mmi;", {load, store, add}}}), 1u);
  EXPECT_EQ(cycles({{"mmi", {add, add, add}}, {"mmi;", {load, load, add}}}), 1u);
  EXPECT_EQ(cycles({{"mmi", {load, load, add}}, {"mmi;", {load, nop('m'), add}}}), 2u);
  EXPECT_EQ(cycles({{"mmi", {store, store, add}}, {"mmi;", {store, nop('m'), add}}}), 2u);
  // Loads of floating-point registers may take all four; pairs of them, two.
  EXPECT_EQ(cycles({{"mmf", {{fld}, {fld}, {fmac}}}, {"mmf;", {{fld}, {fld}, {fmac}}}}), 1u);
  EXPECT_EQ(cycles({{"mmf", {{fldp}, {fldp}, {fmac}}}, {"mmf;", {{fldp}, {fld}, {fmac}}}}), 2u);
}

TEST(Itanium2Dispersal, SomeHaveOnePort) {
  for (const TimingClass only_m2 : {frfr, frar_ccv, toar_ccv, alloc}) {
    EXPECT_EQ(cycles({{"mmi;", {{only_m2}, store, add}}}), 1u) << timing_class_name(only_m2);
    EXPECT_EQ(cycles({{"mmi;", {{only_m2}, {only_m2}, add}}}), 2u) << timing_class_name(only_m2);
  }
}

// GCC: "I instruction is dispersed to the lowest numbered I unit not already in use": one that can
// use I0 alone splits the group when it is the second.
TEST(Itanium2Dispersal, TheFirstIntegerSlotGetsI0) {
  for (const TimingClass only_i0 : {ishf, tbit, mmmul, tobr, frbr, topr, frpr, toar_i, frar_i}) {
    EXPECT_EQ(cycles({{"mii;", {load, {only_i0}, add}}}), 1u) << timing_class_name(only_i0);
    EXPECT_EQ(cycles({{"mii;", {load, add, {only_i0}}}}), 2u) << timing_class_name(only_i0);
  }
  EXPECT_EQ(cycles({{"mii;", {load, add, {mmshf}}}}), 1u);
}

TEST(Itanium2Dispersal, Stops) {
  EXPECT_EQ(cycles({{"mi;i;", {load, add, add}}}), 2u);
  EXPECT_EQ(cycles({{"m;mi;", {load, add, add}}}), 2u);
  EXPECT_EQ(cycles({{"mii;", {load, add, add}}, {"mii;", {load, add, add}}}), 2u);
  EXPECT_EQ(cycles({{"mlx;", {load, {long_i}, {nop_x}}}, {"mii;", {load, add, add}}}), 2u);
}

// A group may begin within a bundle, and takes the next one in, too.
TEST(Itanium2Dispersal, TheRestOfABundleGoesWithTheNext) {
  EXPECT_EQ(cycles({{"mi;i", {load, add, add}}, {"mii;", {load, add, add}}}), 2u);
  EXPECT_EQ(cycles({{"mi;i", {load, add, add}},
                    {"mfb", {load, nop('f'), nop('b')}},
                    {"mfb;", {load, nop('f'), nop('b')}}}),
            3u);
}

// GCC: "MLX bundle uses ports equivalent to MFI bundles"; KAPI: "no issue with MLX despite MLX
// using an F port".
TEST(Itanium2Dispersal, LongImmediates) {
  const BundleText movl = {"mlx", {load, {long_i}, {nop_x}}};
  EXPECT_EQ(cycles({movl, {"mlx;", {load, {long_i}, {nop_x}}}}), 1u);
  EXPECT_EQ(cycles({movl, {"mfi;", {load, {fmac}, add}}}), 1u);
  EXPECT_EQ(cycles({{"mii", {load, add, add}}, movl}), 2u);
}

// GCC: "MIB/MFB/MMB: splits issue after any of these bundles unless the B-slot contains a nop.b or
// a brp instruction"; "BBB/MBB: always splits issue after either of these bundles"; "MIB BBB: split
// issue after the first bundle in this pair". KAPI: IMPLICIT_STOP_AFTER.
TEST(Itanium2Dispersal, BranchesSplit) {
  const BundleText next = {"mii", {load, add, add}};
  for (const std::string_view units : {"mib", "mmb", "mfb"}) {
    const Slot middle = units == "mib" ? add : units == "mmb" ? store : Slot{fmac};
    EXPECT_EQ(cycles({{units, {load, middle, {br}}}, next}), 2u) << units;
    EXPECT_EQ(cycles({{units, {load, middle, {br_b2}}}, next}), 2u) << units;
    EXPECT_EQ(cycles({{units, {load, middle, {nop_b}}}, next}), 1u) << units;
    EXPECT_EQ(cycles({{units, {load, middle, {brp}}}, next}), 1u) << units;
  }
  const Slot b = {nop_b};
  EXPECT_EQ(cycles({{"mbb", {load, b, b}}, next}), 2u);
  EXPECT_EQ(cycles({{"bbb", {b, b, b}}, next}), 2u);
  EXPECT_EQ(cycles({{"mib", {load, add, b}}, {"bbb", {b, b, b}}}), 2u);
  EXPECT_EQ(cycles({{"mmb", {load, store, b}}, {"bbb", {b, b, b}}}), 1u);
}

// KAPI: IMPLICIT_STOP_AFTER fuSEM, invala.
TEST(Itanium2Dispersal, SemaphoresSplit) {
  EXPECT_EQ(cycles({{"mmi;", {{sem}, load, add}}}), 2u);
  EXPECT_EQ(cycles({{"mmi;", {load, {sem}, add}}}), 2u);
  EXPECT_EQ(cycles({{"mmi;", {{syst_m}, load, add}}}), 2u);
}

// KAPI: "SIMD ops take both F ports".
TEST(Itanium2Dispersal, ParallelFloatingPointTakesBothPorts) {
  EXPECT_EQ(cycles({{"mfi", {load, {sfmac}, add}}, {"mfi;", {load, {fmac}, add}}}), 2u);
  EXPECT_EQ(cycles({{"mfi", {load, {fmac}, add}}, {"mfi;", {load, {sfmac}, add}}}), 2u);
  EXPECT_EQ(cycles({{"mfi", {load, {sfmac}, add}}, {"mii;", {load, add, add}}}), 1u);
}

// ---- Operands.
// GCC's define_insn_reservation and define_bypass, where KAPI says the same.
TEST(Itanium2Latencies, AsGccHasThem) {
  const struct {
    TimingClass producer;
    TimingClass consumer;
    std::uint32_t cycles;
  } pairs[] = {{ialu, ialu, 1},   {ilog, ialu, 1},     {ishf, ialu, 1},     {xtd, ialu, 1},
               {long_i, ialu, 1}, {icmp, ialu, 1},     {tbit, ialu, 1},     {ld, ialu, 1},
               {fld, fmac, 6},    {fldp, fmac, 6},     {flda, fmac, 6},     {fmac, fmac, 4},
               {fmisc, fmac, 4},  {fcvtfx, fmac, 4},   {xma, xma, 4},       {fcmp, fmac, 2},
               {fcmp, br, 1},     {frfr, ialu, 5},     {tofr, fmac, 5},     {frbr, ialu, 2},
               {frpr, ialu, 2},   {frar_ccv, ialu, 6}, {mmalu_a, mmmul, 2}, {mmmul, mmshf, 2},
               {mmshf, mmshf, 2}, {mmalu_a, ialu, 3},  {mmmul, ilog, 3},    {mmshf, ishf, 3},
               {mmshf, st, 3},    {mmalu_a, ld, 3},    {tofr, frfr, 6},     {tofr, stf, 6},
               {ld, mmalu_a, 2},  {ld, mmmul, 2},      {ld, mmshf, 2}};
  for (const auto& [producer, consumer, cycles] : pairs) {
    EXPECT_EQ(latency(producer, consumer), cycles)
        << timing_class_name(producer) << " to " << timing_class_name(consumer);
  }
  EXPECT_EQ(latency(ld, ld, true), 2u);  // ia64_ld_address_bypass_p
  EXPECT_EQ(latency(ld, st, true), 2u);  // ia64_st_address_bypass_p
  EXPECT_EQ(latency(ld, st), 1u);
}

// Where they differ, KAPI holds: "reviewed by McK design".
TEST(Itanium2Latencies, AsKapiHasThem) {
  EXPECT_EQ(latency(ialu, mmalu_a), 2u);  // GCC: 3
  EXPECT_EQ(latency(ilog, mmshf), 2u);    // GCC: 3
  EXPECT_EQ(latency(fmac, stf), 4u);      // GCC: 7; KAPI, to fuST: 5; what GMP measured needs 4
  EXPECT_EQ(latency(fmac, frfr), 4u);     // GCC: 7; OpenSSL's ia64.S: xma to getf 4
  EXPECT_EQ(latency(fld, frfr), 7u);
  EXPECT_EQ(latency(ld, tofr), 2u);
  EXPECT_EQ(latency(mmalu_i, mmalu_i), 2u);
}

TEST(Itanium2Latencies, MadisonHasThem) {
  for (const TimingClass producer : {ialu, ld, fld, fmac, mmshf, frfr, tofr}) {
    EXPECT_EQ(latency(producer, ialu, false, "madison"), latency(producer, ialu));
  }
}

// GCC bypass 0: a compare and the branch on it in one cycle; KAPI: not other consumers.
TEST(Itanium2Latencies, ABranchMayShareTheCycleOfItsCompare) {
  const Slot compare = {icmp, {p(6), p(7)}};
  EXPECT_EQ(cycles({{"mib;", {nop('m'), compare, {br, {}, {p(6)}}}}}), 1u);
  EXPECT_EQ(cycles({{"mib;", {nop('m'), {tbit, {p(6)}}, {br, {}, {p(6)}}}}}), 1u);
  EXPECT_EQ(cycles({{"mi;i;", {nop('m'), compare, {ialu, {}, {p(6)}}}}}), 2u);
  // To a branch register or ar.pfs, likewise.
  EXPECT_EQ(cycles({{"mib;", {nop('m'), {tobr, {br_resource(0)}}, {br, {}, {br_resource(0)}}}}}),
            1u);
  EXPECT_EQ(cycles({{"mib;", {nop('m'), {toar_i, {pfs_resource}}, {br, {}, {pfs_resource}}}}}), 1u);
}

// No stop where the architecture wants one: the reader begins a group.
TEST(Itanium2Latencies, AReaderOfItsOwnGroupBeginsAnother) {
  EXPECT_EQ(cycles({{"mii;", {{ialu, {r(1)}}, {ialu, {r(2)}, {r(1)}}, add}}}), 2u);
  EXPECT_EQ(cycles({{"mii;", {{ld, {r(1)}}, add, {mmshf, {r(2)}, {r(1)}}}}}), 3u);
}

// Of two that depend on each other without a stop, one is off (SDM 1, 3.4), if it has a predicate.
TEST(Itanium2Latencies, WhoMayBeOffMayReadItsOwnGroup) {
  const Slot write = {ialu, {r(1)}, {}, {}, {}, p(6)}, read = {ialu, {r(2)}, {r(1)}, {}, {}, p(7)};
  EXPECT_EQ(cycles({{"mii;", {write, read, add}}}), 1u);
  EXPECT_EQ(cycles({{"mii;", {{ialu, {r(1)}}, read, add}}}), 1u);
  EXPECT_EQ(cycles({{"mii;", {write, {ialu, {r(2)}, {r(1)}}, add}}}), 1u);
  // The predicate itself is read in any case.
  EXPECT_EQ(cycles({{"mii;", {{icmp, {p(6)}}, write, add}}}), 2u);
  // In another group it is an operand as any.
  EXPECT_EQ(cycles({{"mfi;", {nop('m'), {xma, {f(8)}, {}, {}, {}, p(6)}, add}},
                    {"mfi;", {nop('m'), {xma, {}, {f(8)}, {}, {}, p(7)}, add}}}),
            5u);
}

// GMP's gcd_11: its shift by a register, when it is off, does not wait for what is shifted; who
// reads the result waits.
TEST(Itanium2Latencies, WhatIsOffWaitsForItsPredicateAlone) {
  const auto after = [](const BundleText& producer, bool is_off) {
    Slot shift = {mmshf, {r(2)}, {r(1)}, {}, {}, p(6)};
    shift.is_off = is_off;
    Groups run;
    run({producer});
    return run({{"mii;", {nop('m'), shift, add}}});
  };
  const BundleText part = {"mii;", {nop('m'), {ishf, {r(1)}}, add}};
  EXPECT_EQ(after(part, false), 2u);
  EXPECT_EQ(after(part, true), 1u);
  EXPECT_EQ(after({"mii;", {nop('m'), {mmmul, {r(1)}}, add}}, true), 1u);
  EXPECT_EQ(after({"mfi;", {nop('m'), {fcmp, {p(6)}}, add}}, true), 2u);

  Slot shift = {mmshf, {r(2)}, {r(1)}, {}, {}, p(6)};
  shift.is_off = true;
  EXPECT_EQ(cycles({{"mii;", {nop('m'), shift, add}}, {"mii;", {{ialu, {}, {r(2)}}, add, add}}}),
            4u);
  // Nor for an older result: the later of the two counts.
  EXPECT_EQ(cycles({{"mfi;", {nop('m'), {xma, {f(8)}}, add}},
                    {"mfi;", {nop('m'), {fother, {f(8)}, {}, {}, {}, p(6), true}, add}},
                    {"mfi;", {nop('m'), {xma, {}, {f(8)}}, add}}}),
            5u);
}

// Whichever of the two it is, the register is there when both are over.
TEST(Itanium2Latencies, TwoOfAGroupMayWriteOneRegister) {
  const Slot shift = {mmshf, {r(1)}, {}, {}, {}, p(6)}, sum = {ialu, {r(1)}, {}, {}, {}, p(7)};
  const BundleText reader = {"mii;", {{ialu, {}, {r(1)}}, add, add}};
  EXPECT_EQ(cycles({{"mii;", {nop('m'), sum, shift}}, reader}), 4u);
  EXPECT_EQ(cycles({{"mii;", {nop('m'), shift, sum}}, reader}), 4u);
}

// KAPI: LATENCY addr 1: the base register does not wait for the data.
TEST(Itanium2Latencies, TheBaseRegisterIsReadyInTheNextCycle) {
  const Slot load_f = {fld, {f(8), r(1)}, {r(1)}, {r(1)}, r(1)};
  EXPECT_EQ(cycles({{"mmi;", {load_f, nop('m'), add}},
                    {"mmi;", {{ld, {r(2)}, {r(1)}, {r(1)}}, nop('m'), add}}}),
            2u);
  // To multimedia it is as late as any integer's; a store's is not.
  EXPECT_EQ(cycles({{"mii;", {load_f, add, add}}, {"mii;", {nop('m'), {mmshf, {}, {r(1)}}, add}}}),
            3u);
  const Slot store_f = {stf, {r(1)}, {f(8), r(1)}, {r(1)}, r(1)};
  EXPECT_EQ(cycles({{"mii;", {store_f, add, add}}, {"mii;", {nop('m'), {mmshf, {}, {r(1)}}, add}}}),
            2u);
}

// KAPI: LATENCY fuFMISC/predicate 1.
TEST(Itanium2Latencies, ThePredicateOfAnApproximationComesFirst) {
  const Slot frcpa = {fmisc, {f(8), p(6)}, {}, {}, p(6)};
  EXPECT_EQ(
      cycles({{"mfi;", {nop('m'), frcpa, add}}, {"mfi;", {nop('m'), {fmac, {}, {p(6)}}, add}}}),
      2u);
  EXPECT_EQ(
      cycles({{"mfi;", {nop('m'), frcpa, add}}, {"mfi;", {nop('m'), {fmac, {}, {f(8)}}, add}}}),
      5u);
}

// The groups stay together: when a later member waits, what the first ones make comes later, too.
TEST(Itanium2Latencies, AGroupWaitsAsAWhole) {
  Groups run;
  EXPECT_EQ(run({{"mmf;", {{fld, {f(8)}}, nop('m'), nop('f')}}}), 1u);
  EXPECT_EQ(run({{"mfi", {nop('m'), {fmac, {f(10)}}, add}}}), 1u);           // goes first...
  EXPECT_EQ(run({{"mfi;", {nop('m'), {fmac, {f(11)}, {f(8)}}, add}}}), 5u);  // ...waits with this
  EXPECT_EQ(run({{"mfi;", {nop('m'), {fmac, {}, {f(10)}}, add}}}), 4u);
}

TEST(Itanium2Latencies, ALaterResultWaitsForAnOlderOne) {
  EXPECT_EQ(cycles({{"mmf;", {{fld, {f(8)}}, nop('m'), nop('f')}},
                    {"mmf;", {nop('m'), nop('m'), {fmac, {f(8)}}}}}),
            3u);  // 6 less 4 later
}

// ---- Transfers of control.
TEST(Itanium2Branches, CostNothingWhenPredicted) {
  for (const bool taken : {false, true}) {
    Groups run;
    run({{"mib", {load, add, nop('b')}}});
    EXPECT_EQ(run.issue(branch(br, taken)), 0u);
    run.redirect(br, taken);
    EXPECT_EQ(run({{"mii;", {load, add, add}}}), 1u);
  }
}

TEST(Itanium2Branches, CostSixCyclesWhenMispredicted) {
  for (const bool taken : {false, true}) {
    Groups run;
    run.issue(branch(br, !taken));
    run.redirect(br, taken);
    EXPECT_EQ(run({{"mii;", {load, add, add}}}), 1u + 6u);
  }
}

// What a wrong prediction does to all that follows, if it does nothing else.
std::optional<std::uint32_t> lost_by(std::string_view cpu, bool taken, const BundleText& before) {
  Groups right(cpu), wrong(cpu);
  for (Groups* const each : {&right, &wrong}) {
    (*each)({before});
    each->issue(branch(br, taken == (each == &right)));
    each->redirect(br, taken);
  }
  return right.delay_of(wrong);
}

TEST(Itanium2Branches, AWrongPredictionMayOnlyDelay) {
  const BundleText sum = {"mii;", {nop('m'), add, nop('i')}};
  for (const bool taken : {false, true}) {
    EXPECT_EQ(lost_by("mckinley", taken, sum), 6u);
    // What is in flight is there when the lost cycles are over, and not without them.
    EXPECT_EQ(lost_by("mckinley", taken, {"mmf;", {{fld, {f(4)}}, nop('m'), nop('f')}}),
              std::nullopt);
  }
  EXPECT_EQ(lost_by("merced", false, sum), 9u);
  EXPECT_EQ(lost_by("merced", true, sum), 9u);
}

// A check goes on when it succeeds.
TEST(Itanium2Branches, ChecksArePredictedToSucceed) {
  Groups run;
  EXPECT_EQ(run({{"mmi", {{chk_m}, load, add}}}), 1u);
  run.redirect(chk_m, false);
  EXPECT_EQ(run({{"mib;", {load, add, nop('b')}}}), 1u);
  run({{"mmi", {{chk_m}, load, add}}});
  run.redirect(chk_m, true);
  EXPECT_EQ(run({{"mib;", {load, add, nop('b')}}}), 7u);
}

TEST(Itanium2Branches, RotationRenamesWhatIsInFlight) {
  static constexpr std::array ranges = {Renaming::Range{fr_resource(32), 96}};
  const Renaming rotation{ranges, Renaming::To::next, true};
  const auto waits = [&](bool taken, unsigned loaded, unsigned used) {
    Groups run;
    run({{"mmf;", {{fld, {f(loaded)}}, nop('m'), nop('f')}}});
    run.issue(branch(br_b2, taken, &rotation));
    run.redirect(br_b2, taken);
    return run({{"mfi;", {nop('m'), {fmac, {}, {f(used)}}, add}}});
  };
  EXPECT_EQ(waits(true, 40, 41), 5u);
  EXPECT_EQ(waits(true, 40, 40), 1u);
  EXPECT_EQ(waits(true, 127, 32), 5u);
  EXPECT_EQ(waits(true, 8, 8), 5u);
  EXPECT_EQ(waits(false, 40, 40), 5u);
}

TEST(Itanium2Branches, ACallForgetsTheFrame) {
  static constexpr std::array ranges = {Renaming::Range{gr_resource(32), 96}};
  const Renaming call{ranges, Renaming::To::nowhere, true};
  const auto waits = [&](unsigned number) {
    Groups run;
    run({{"mii;", {{frfr, {r(number)}}, add, add}}});
    run.issue(branch(br, true, &call));
    run.redirect(br, true);
    return run({{"mii;", {nop('m'), {ialu, {}, {r(number)}}, add}}});
  };
  EXPECT_EQ(waits(40), 1u);
  EXPECT_EQ(waits(8), 4u);
}

}  // namespace
}  // namespace hardclock::ia64
