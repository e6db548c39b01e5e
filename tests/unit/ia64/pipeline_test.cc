// The pipelines of the Itanium 2 and the Itanium against what others say of them, bundle by bundle.
// KAPI is Intel's description for compilers (Open64, osprey/common/ipfec_targ_info,
// mckinley_knobsfile.knb and v26-itanium-41-external.knb), GCC is gcc/config/ia64/itanium2.md and
// itanium1.md, whose words on dispersal are quoted from Intel's manuals of the processors.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ia64/cpu.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/resources.h"
#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/description_library.h"

namespace hardclock::ia64 {
namespace {

using enum TimingClass;

struct Slot {
  TimingClass timing;
  std::vector<Resource> writes{};
  std::vector<Resource> reads{};
  std::vector<Resource> addresses{};
  std::optional<Resource> second{};
  std::optional<Resource> predicate{};
  bool is_off = false;
};

struct BundleText {
  std::string_view units;  // with ';' behind a slot for a stop: "mi;i;"
  struct {
    Slot first, second, third;
  } slots;
};

constexpr Resource r(unsigned n) {
  return gr_resource(n);
}
constexpr Resource f(unsigned n) {
  return fr_resource(n);
}
constexpr Resource p(unsigned n) {
  return predicate_resource(n);
}

Slot nop(char unit) {
  return {unit == 'm'   ? nop_m
          : unit == 'i' ? nop_i
          : unit == 'f' ? nop_f
          : unit == 'b' ? nop_b
                        : nop_x};
}
const Slot add = {ialu};
const Slot load = {ld};
const Slot store = {st};
const Slot extract = {ishf};

BundleShape shape_of(const std::string& units) {
  using enum BundleShape;
  constexpr std::pair<std::string_view, BundleShape> shapes[] = {
      {"mii", mii}, {"mlx", mlx}, {"mmi", mmi}, {"mfi", mfi}, {"mmf", mmf},
      {"mib", mib}, {"mbb", mbb}, {"bbb", bbb}, {"mmb", mmb}, {"mfb", mfb}};
  for (const auto& [name, shape] : shapes) {
    if (name == units) return shape;
  }
  ADD_FAILURE() << units;
  return none;
}

std::vector<InstructionTiming> timings_of(const BundleText& bundle) {
  std::string units;
  std::array<bool, 3> stops{};
  for (const char c : bundle.units) {
    if (c == ';')
      stops[units.size() - 1] = true;
    else
      units += c;
  }
  std::vector<InstructionTiming> timings;
  const auto& [first, second, third] = bundle.slots;
  for (std::uint8_t i = 0; i < 3; ++i) {
    const Slot& slot = i == 0 ? first : i == 1 ? second : third;
    InstructionTiming timing;
    timing.timing_class = static_cast<std::uint8_t>(slot.timing);
    timing.writes = slot.writes;
    timing.reads = slot.reads;
    timing.addresses = slot.addresses;
    timing.modified_base = slot.second;
    timing.predicate = slot.predicate;
    if (slot.predicate) timing.reads.push_back(*slot.predicate);
    timing.place = {shape_of(units), i, stops[i]};
    timings.push_back(slot.is_off ? off(timing) : timing);
  }
  return timings;
}

std::vector<const char*> class_names() {
  std::vector<const char*> names;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  return names;
}

std::shared_ptr<const Pipeline> pipeline_of(std::string_view cpu) {
  auto pipeline = make_bundle_pipeline(*find_cpu(cpu), class_names());
  EXPECT_TRUE(pipeline.ok()) << pipeline.error();
  return *pipeline;
}

class Groups {
 public:
  explicit Groups(std::string_view cpu = "mckinley") : pipeline_(pipeline_of(cpu)) {}

  // Cycles until the last slot has issued, since the last one before.
  std::uint32_t operator()(const std::vector<BundleText>& bundles) {
    std::uint32_t cycles = 0;
    for (const BundleText& bundle : bundles) {
      for (const InstructionTiming& timing : timings_of(bundle)) cycles += issue(timing);
    }
    return cycles;
  }
  std::uint32_t issue(const InstructionTiming& timing) { return pipeline_->issue(state_, timing); }
  void redirect(TimingClass branch, bool taken) {
    pipeline_->redirect(state_, static_cast<std::uint8_t>(branch), taken);
  }
  std::optional<std::uint32_t> delay_of(const Groups& late) const {
    return pipeline_->delay(state_, late.state_);
  }

 private:
  std::shared_ptr<const Pipeline> pipeline_;
  PipelineState state_;
};

std::uint32_t cycles(const std::vector<BundleText>& bundles) {
  return Groups()(bundles);
}

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
// Cycles from a producer to what needs its result, each in a group of its own.
std::uint32_t latency(TimingClass producer, TimingClass consumer, bool as_address = false,
                      std::string_view cpu = "mckinley") {
  Groups run(cpu);
  InstructionTiming first, second;
  first.timing_class = static_cast<std::uint8_t>(producer);
  first.writes = {r(1)};
  first.place = {BundleShape::mii, 0, true};
  second.timing_class = static_cast<std::uint8_t>(consumer);
  second.reads = {r(1)};
  if (as_address) second.addresses = {r(1)};
  second.place = {BundleShape::mii, 0, true};
  run.issue(first);
  return run.issue(second);
}

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
InstructionTiming branch(TimingClass timing, bool predicted_taken,
                         const Renaming* renames = nullptr) {
  InstructionTiming branch = timings_of({"mib;", {nop('m'), nop('i'), {timing}}}).back();
  branch.predicted_taken = predicted_taken;
  branch.renames = renames;
  return branch;
}

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

// ---- The Itanium, where it differs.
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
