// The pipeline of the Itanium, where it differs from that of the Itanium 2 (pipeline_test.cc).
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/ia64/issued_bundles.h"

namespace hardclock::ia64 {
namespace {

std::uint32_t merced_cycles(const std::vector<BundleText>& bundles) {
  return Groups("merced")(bundles);
}

// KAPI: cluster0Cutports: two ports M, two I. Intel's note on porting: of MII MII four at once.
TEST(ItaniumDispersal, TwoMemoryAndTwoIntegerPorts) {
  EXPECT_EQ(merced_cycles({{"mfi", {load, {fmac}, add}}, {"mfi;", {load, {fmac}, add}}}), 1u);
  EXPECT_EQ(merced_cycles({{"mmi", {load, store, add}}, {"mmi;", {nop('m'), store, add}}}), 2u);
  EXPECT_EQ(merced_cycles({{"mii", {load, add, add}}, {"mii;", {load, add, add}}}), 2u);
}

// GCC: "M and I instruction is dispersed to the lowest numbered M or I unit not already in use. An
// I slot in the 3rd position of 2nd bundle is always dispersed to I1"; 1_not_um1, 1_not_ui1,
// 1_not_uf1. KAPI: the masks of the ports.
TEST(ItaniumDispersal, PortsOfFewerInstructions) {
  EXPECT_EQ(merced_cycles({{"mmi;", {{frfr}, load, add}}}), 1u);
  EXPECT_EQ(merced_cycles({{"mmi;", {load, {frfr}, add}}}), 2u);
  EXPECT_EQ(merced_cycles({{"mii;", {load, extract, add}}}), 1u);
  EXPECT_EQ(merced_cycles({{"mii;", {load, add, extract}}}), 2u);
  const BundleText no_integers = {"mfb", {load, {fmac}, nop('b')}};
  EXPECT_EQ(merced_cycles({no_integers, {"mfi;", {load, {fmac}, add}}}), 1u);
  EXPECT_EQ(merced_cycles({no_integers, {"mfi;", {load, {fmac}, extract}}}), 2u);
  EXPECT_EQ(merced_cycles({no_integers, {"mib;", {load, extract, nop('b')}}}), 1u);
  EXPECT_EQ(merced_cycles({{"mfi;", {load, {fcmp}, add}}}), 1u);
  EXPECT_EQ(merced_cycles({no_integers, {"mfi;", {load, {fcmp}, add}}}), 2u);
}

// KAPI: IMPLICIT_STOP_BEFORE and IMPLICIT_STOP_AFTER bidMMF.
TEST(ItaniumDispersal, TwoLoadsAndAnOperationStandAlone) {
  const BundleText mmf = {"mmf", {load, nop('m'), {fmac}}};
  EXPECT_EQ(merced_cycles({mmf}), 1u);
  EXPECT_EQ(merced_cycles({{"mfi", {nop('m'), nop('f'), add}}, mmf}), 2u);
  EXPECT_EQ(merced_cycles({mmf, {"mfi", {nop('m'), nop('f'), add}}}), 2u);
}

// GCC and KAPI alike, but where KAPI alone is named.
TEST(ItaniumLatencies, AsGccAndKapiHaveThem) {
  const struct {
    TimingClass producer;
    TimingClass consumer;
    std::uint32_t cycles;
  } pairs[] = {{ialu, ialu, 1},   {ilog, ialu, 1},    {xtd, ialu, 1},    {ld, ialu, 2},
               {ld, mmshf, 3},    {fld, fmac, 9},     {fldp, fmac, 9},   {fmac, fmac, 5},
               {fmac, fmisc, 7},  {fmac, xma, 7},     {fmac, stf, 8},    {fmac, frfr, 8},
               {xma, fmac, 7},    {xma, stf, 8},      {fcvtfx, fmac, 7}, {fmisc, fmac, 5},
               {fcmp, ialu, 2},   {fcmp, br, 1},      {frfr, ialu, 2},   {tofr, fmac, 9},
               {frbr, ialu, 2},   {frpr, ialu, 2},    {ialu, mmshf, 3},  {ilog, mmmul, 3},
               {mmshf, mmshf, 2}, {frar_ccv, ialu, 6}};  // to getf: GCC 7, OpenSSL's ia64.S 8
  for (const auto& [producer, consumer, cycles] : pairs) {
    EXPECT_EQ(latency(producer, consumer, false, "merced"), cycles)
        << timing_class_name(producer) << " to " << timing_class_name(consumer);
  }
  EXPECT_EQ(latency(ld, ld, true, "merced"), 3u);
  EXPECT_EQ(latency(ld, st, true, "merced"), 3u);
  EXPECT_EQ(latency(ilog, ld, true, "merced"), 2u);
  EXPECT_EQ(latency(ilog, st, true, "merced"), 2u);
  EXPECT_EQ(latency(ilog, st, false, "merced"), 1u);
}

// KAPI: INTRACLUSTER fuIALU/primary/cportI0; of M0 there is no such row.
TEST(ItaniumLatencies, AddressesFromIntegerSlotsAreLate) {
  const Slot address = {ialu, {r(1)}};
  const Slot use = {ld, {r(2)}, {r(1)}, {r(1)}};
  EXPECT_EQ(merced_cycles({{"mii;", {address, add, add}}, {"mii;", {use, add, add}}}), 2u);
  EXPECT_EQ(merced_cycles({{"mii;", {nop('m'), address, add}}, {"mii;", {use, add, add}}}), 3u);
}

// GCC: "if scheduled < 4 cycle then latency is 10 cycles", and GMP's README the same.
TEST(ItaniumLatencies, WhoUsesMultimediaTooEarlyPaysForIt) {
  const auto waits = [](unsigned groups_between) {
    Groups run("merced");
    run({{"mii;", {nop('m'), {mmshf, {r(1)}}, add}}});
    for (unsigned i = 0; i < groups_between; ++i) run({{"mii;", {nop('m'), add, add}}});
    return run({{"mii;", {nop('m'), {ialu, {}, {r(1)}}, add}}}) + groups_between;
  };
  EXPECT_EQ(waits(0), 10u);
  EXPECT_EQ(waits(2), 10u);
  EXPECT_EQ(waits(3), 4u);
  EXPECT_EQ(waits(5), 6u);
}

// In the steady state, cycles of two turns of a loop that ends with a bundle for its branch.
std::uint32_t two_turns(const std::vector<BundleText>& body) {
  Groups run("merced");
  std::uint32_t cycles = 0;
  for (unsigned turn = 0; turn < 22; ++turn) {
    if (turn == 20) cycles = 0;
    cycles += run(body);
    std::vector<InstructionTiming> last = timings_of({"mib;", {nop('m'), nop('i'), {br}}});
    last.back().predicted_taken = true;
    for (const InstructionTiming& timing : last) cycles += run.issue(timing);
    run.redirect(br, true);
  }
  return cycles;
}

// GMP: "taken cloop branches seem to insert a bubble into the pipeline most of the time". Two
// bundles are fetched in a cycle; a loop that does not need them so fast hides it, as nine of GMP's
// do.
TEST(ItaniumBranches, ABubbleWhenTakenUnlessTheFetchIsAhead) {
  const BundleText pair = {"mfi", {nop('m'), nop('f'), nop('i')}};
  const BundleText alone = {"mfi;", {nop('m'), nop('f'), nop('i')}};
  EXPECT_EQ(two_turns({}), 4u);                             // 1 and 1
  EXPECT_EQ(two_turns({alone}), 4u);                        // 2, and the bubble hidden
  EXPECT_EQ(two_turns({alone, alone}), 6u);                 // 3: two fetches and a bubble
  EXPECT_EQ(two_turns({pair, pair, pair}), 6u);             // 2 and 1
  EXPECT_EQ(two_turns({pair, alone, pair}), 6u);            // likewise
  EXPECT_EQ(two_turns({pair, pair, alone, pair}), 8u);      // five: three fetches
  EXPECT_EQ(two_turns({alone, alone, alone, alone}), 10u);  // 5
}

TEST(ItaniumBranches, NineCyclesWhenMispredicted) {
  const auto after = [](bool predicted, bool taken) {
    Groups run("merced");
    run.issue(branch(br, predicted));
    run.redirect(br, taken);
    return run({{"mii;", {load, add, add}}});
  };
  EXPECT_EQ(after(false, false), 1u);
  EXPECT_EQ(after(true, true), 1u);  // hidden, as below
  EXPECT_EQ(after(true, false), 10u);
  EXPECT_EQ(after(false, true), 10u);
}

}  // namespace
}  // namespace hardclock::ia64
