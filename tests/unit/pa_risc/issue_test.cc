// The cycles in which short sequences issue, as published: cpu(4) is NetBSD,
// share/man/man4/man4.hppa/cpu.4, the table and the restrictions of its section "Superscalar
// Execution". GCC is GCC 12, gcc/config/pa/pa.md, by the names of its reservations, and
// pa_adjust_cost() of pa.cc.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/pa_risc/instruction_sequences.h"

namespace hardclock::pa_risc {
namespace {

void expect_issues(const std::vector<const char*>& cpus, const std::vector<Sequence>& sequences) {
  expect_cycles(cpus, issue_of, sequences);
}

constexpr const char* table = "cpu(4), the table";
constexpr const char* restrictions = "cpu(4), the restrictions";

TEST(TwoAluBundles, FollowTheTable) {
  expect_issues({"pa7100lc", "pa7200", "pa7300lc"},
                {{" fadd,dbl %fr8,%fr9,%fr10\n ldw 0(%r21),%r3", {0, 0}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n or %r4,%r5,%r6", {0, 0}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n extru %r4,7,8,%r6", {0, 0}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n or,= %r4,%r5,%r6\n nop", {0, 0, 1}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n bv %r0(%r22)\n nop", {0, 0, 1}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n b .+8\n nop", {0, 0, 1}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr8,%fr9,%fr11", {0, 1}, table},
                 {" fadd,dbl %fr8,%fr9,%fr10\n ftest\n nop", {0, 1, 2}, table},
                 {" ldw 0(%r21),%r3\n fadd,dbl %fr8,%fr9,%fr10", {0, 0}, table},
                 {" ldw 0(%r21),%r3\n add %r4,%r5,%r6", {0, 0}, table},
                 {" ldw 0(%r21),%r3\n dep %r4,7,8,%r6", {0, 0}, table},
                 {" ldw 0(%r21),%r3\n comclr,<> %r4,%r5,%r6\n nop", {0, 0, 1}, table},
                 {" ldw 0(%r21),%r3\n b .+8\n nop", {0, 0, 1}, table},
                 {" ldw 0(%r21),%r3\n bv %r0(%r22)\n nop", {0, 1, 2}, table},
                 {" or %r4,%r5,%r6\n fadd,dbl %fr8,%fr9,%fr10", {0, 0}, table},
                 {" or %r4,%r5,%r6\n stw %r3,0(%r21)", {0, 0}, table},
                 {" or %r4,%r5,%r6\n or %r4,%r5,%r7\n or %r4,%r5,%r8", {0, 0, 1}, table},
                 {" or %r4,%r5,%r6\n extru %r4,7,8,%r7", {0, 0}, table},
                 {" or %r4,%r5,%r6\n extru,<> %r4,7,8,%r7\n nop", {0, 0, 1}, table},
                 {" or %r4,%r5,%r6\n addib,<> 1,%r7,.+8\n nop", {0, 0, 1}, table},
                 {" or %r4,%r5,%r6\n bv %r0(%r22)\n nop", {0, 1, 2}, table},
                 {" or %r4,%r5,%r6\n ftest\n nop", {0, 0, 1}, table},
                 {" extru %r4,7,8,%r6\n fadd,dbl %fr8,%fr9,%fr10", {0, 0}, table},
                 {" extru %r4,7,8,%r6\n ldw 0(%r21),%r3", {0, 0}, table},
                 {" extru %r4,7,8,%r6\n or %r4,%r5,%r7", {0, 0}, table},
                 {" extru %r4,7,8,%r6\n extru %r4,7,8,%r7", {0, 1}, table},
                 {" extru %r4,7,8,%r6\n or,= %r4,%r5,%r7\n nop", {0, 1, 2}, table},
                 {" extru %r4,7,8,%r6\n b .+8\n nop", {0, 1, 2}, table},
                 {" mtsar %r4\n or %r4,%r5,%r6", {0, 1}, table},
                 {" or %r4,%r5,%r6\n mtsar %r4", {0, 1}, table}});
}

TEST(TwoAluBundles, KeepTheRestrictions) {
  expect_issues(
      {"pa7100lc", "pa7200", "pa7300lc"},
      {{" or %r4,%r5,%r6\n or %r6,%r5,%r7", {0, 1}, restrictions},
       {" or %r4,%r5,%r6\n or %r7,%r5,%r4", {0, 1}, restrictions},
       {" fadd,dbl %fr8,%fr9,%fr10\n fstd %fr10,0(%r21)", {0, 0}, restrictions},
       {" fadd,sgl %fr8r,%fr9r,%fr10r\n fstw %fr10r,0(%r21)", {0, 0}, restrictions},
       {" fldw 0(%r21),%fr8l\n fadd,sgl %fr8r,%fr9,%fr10", {0, 1}, restrictions},
       {" fadd,sgl %fr8r,%fr9,%fr10\n fldw 0(%r21),%fr8l", {0, 1}, restrictions},
       {" fldw 0(%r21),%fr7l\n fadd,sgl %fr8r,%fr9,%fr10", {0, 0}, restrictions},
       {" fldd 0(%r21),%fr10\n fadd,dbl %fr8,%fr9,%fr10", {0, 1}, restrictions},
       {" add %r4,%r5,%r6\n addc %r4,%r5,%r7", {0, 1}, restrictions},
       {" add %r4,%r5,%r6\n sub %r4,%r5,%r7", {0, 0}, restrictions},
       {" or %r4,%r5,%r6\n b .+12\n or %r4,%r5,%r7\n nop\n or %r4,%r5,%r8\n or %r4,%r5,%r9",
        {0, 0, 1, 2, 2},
        restrictions},
       {" or %r4,%r5,%r6\n addib,= 1,%r7,.+16\n or %r4,%r5,%r8\n or %r4,%r5,%r9\n nop",
        {0, 0, 1, 2, 2},
        restrictions},
       {" b .+12\n nop\n nop\n or %r4,%r5,%r6\n or %r4,%r5,%r8\n or %r4,%r5,%r9",
        {0, 1, 2, 3, 3},
        restrictions},
       {" or,= %r4,%r5,%r6\n or %r4,%r5,%r7", {0, 1}, restrictions},
       {" or,= %r4,%r5,%r6\n fadd,dbl %fr8,%fr9,%fr10", {0, 0}, restrictions},
       {" ldw 0(%r21),%r4\n ldw 4(%r21),%r5", {0, 0}, table},
       {" ldw 4(%r21),%r4\n ldw 8(%r21),%r5", {0, 1}, "cpu(4): double word load/store"},
       {" ldw 0(%r21),%r4\n ldw 4(%r20),%r5", {0, 1}, "cpu(4): double word load/store"}});
}

TEST(TwoAluLatencies, ArePublished) {
  expect_issues(
      {"pa7100lc", "pa7200", "pa7300lc"},
      {{" ldw 0(%r21),%r3\n or %r3,%r5,%r6", {0, 2}, "GCC Y2 2"},
       {" fldd 0(%r21),%fr8\n fadd,dbl %fr8,%fr9,%fr10", {0, 2}, "GCC Y3 2"},
       {" fldd 0(%r21),%fr8\n fstd %fr8,8(%r21)", {0, 3}, "GCC anti-bypass Y3"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr10,%fr9,%fr11", {0, 2}, "GCC Y0 2"},
       {" fmpy,sgl %fr8,%fr9,%fr10\n or %r4,%r5,%r6\n or %r4,%r5,%r7", {0, 0, 1}, "GCC Y0"},
       {" fmpy,dbl %fr8,%fr9,%fr10\n or %r4,%r5,%r6\n or %r4,%r5,%r7",
        {0, 0, 2},
        "GCC comment: locks the processor for one cycle"},
       {" fmpy,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr10,%fr9,%fr11", {0, 3}, "GCC comment: 3"},
       {" fdiv,sgl %fr8,%fr9,%fr10\n or %r4,%r5,%r6\n or %r4,%r5,%r7",
        {0, 0, 8},
        "GCC comment: locks the processor for 7 cycles"},
       {" fsqrt,dbl %fr8,%fr10\n or %r4,%r5,%r6\n or %r4,%r5,%r7",
        {0, 0, 15},
        "GCC comment: locks the processor for 14 cycles"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fldd 0(%r21),%fr10", {0, 3}, "GCC pa_adjust_cost, comment"}});
}

TEST(TwoAluStores, KeepTheCacheBusy) {
  const char* const store_store = " stw %r3,0(%r21)\n stw %r3,8(%r21)";
  const char* const store_load = " stw %r3,0(%r21)\n ldw 8(%r21),%r4";
  expect_issues({"pa7100lc"}, {{store_store, {0, 2}, "GCC Y4"}, {store_load, {0, 2}, "GCC Y4"}});
  expect_issues({"pa7200"}, {{store_store, {0, 1}, "GCC Y10"}, {store_load, {0, 2}, "GCC Y10"}});
  expect_issues({"pa7300lc"}, {{store_store, {0, 1}, "GCC Y14"}, {store_load, {0, 1}, "GCC Y14"}});
}

TEST(Pa7100, BundlesOneFloatingPointOperation) {
  const char* const units = "GCC X0 to X9: f_7100 and i_7100; cpu(4)";
  expect_issues({"pa7100"},
                {{" fadd,dbl %fr8,%fr9,%fr10\n ldw 0(%r21),%r3", {0, 0}, units},
                 {" ldw 0(%r21),%r3\n fadd,dbl %fr8,%fr9,%fr10", {0, 0}, units},
                 {" extru %r4,7,8,%r6\n fadd,dbl %fr8,%fr9,%fr10", {0, 0}, units},
                 {" fadd,dbl %fr8,%fr9,%fr10\n addib,<> 1,%r7,.+8\n nop", {0, 0, 1}, units},
                 {" or %r4,%r5,%r6\n or %r4,%r5,%r7", {0, 1}, units},
                 {" ldw 0(%r21),%r4\n or %r4,%r5,%r7", {0, 2}, "GCC X3 2"},
                 {" ldw 0(%r21),%r4\n ldw 4(%r21),%r5", {0, 1}, units},
                 {" fadd,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr8,%fr9,%fr11", {0, 1}, units}});
}

TEST(Pa7100, HasThePublishedLatencies) {
  expect_issues(
      {"pa7100"},
      {{" stw %r3,0(%r21)\n ldw 8(%r21),%r4", {0, 2}, "GCC X5"},
       {" stw %r3,0(%r21)\n stw %r3,8(%r21)", {0, 2}, "GCC X5"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fstd %fr10,0(%r21)", {0, 1}, "GCC bypass X0 1"},
       {" xmpyu %fr8,%fr9,%fr10\n fstw %fr10,0(%r21)", {0, 2}, "GCC: no bypass between sizes"},
       {" fdiv,sgl %fr8,%fr9,%fr10\n fstw %fr10,0(%r21)", {0, 7}, "GCC bypass X1 7"},
       {" fdiv,dbl %fr8,%fr9,%fr10\n fstd %fr10,0(%r21)", {0, 14}, "GCC bypass X2 14"},
       {" fsqrt,dbl %fr8,%fr10\n fdiv,dbl %fr8,%fr9,%fr11", {0, 15}, "GCC X2, fpdivsqrt*15"},
       {" fldd 0(%r21),%fr8\n fstd %fr8,8(%r21)", {0, 3}, "GCC anti-bypass X4 3"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fldd 0(%r21),%fr8", {0, 1}, "GCC pa_adjust_cost, anti"},
       {" fdiv,dbl %fr8,%fr9,%fr10\n fldd 0(%r21),%fr8", {0, 14}, "GCC pa_adjust_cost, anti"},
       {" fdiv,dbl %fr8,%fr9,%fr10\n fldd 0(%r21),%fr10", {0, 14}, "GCC pa_adjust_cost, output"},
       {" fdiv,sgl %fr8,%fr9,%fr10\n fadd,sgl %fr9,%fr9,%fr8", {0, 6}, "GCC pa_adjust_cost, anti"},
       {" fdiv,sgl %fr8,%fr9,%fr10\n fadd,sgl %fr9,%fr9,%fr11", {0, 1}, "GCC X0, X1"}});
}

TEST(Pa7000, HasThePublishedLatencies) {
  expect_issues(
      {"pa7000"},
      {{" or %r4,%r5,%r6\n fadd,dbl %fr8,%fr9,%fr10", {0, 1}, "GCC pa_issue_rate 1"},
       {" ldw 0(%r21),%r4\n or %r4,%r5,%r7", {0, 2}, "GCC W7 2"},
       {" stw %r3,0(%r21)\n ldw 8(%r21),%r4", {0, 3}, "GCC W9, mem*3"},
       {" stw %r3,0(%r21)\n or %r4,%r5,%r7\n or %r4,%r5,%r7\n ldw 8(%r21),%r4",
        {0, 1, 2, 3},
        "GCC W9, mem*3"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr8,%fr9,%fr11", {0, 2}, "GCC W1, fpalu*2"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fmpy,dbl %fr8,%fr9,%fr11", {0, 1}, "GCC W1, W2"},
       {" fmpy,dbl %fr8,%fr9,%fr10\n fmpy,dbl %fr8,%fr9,%fr11", {0, 2}, "GCC W2, fpmpy*2"},
       {" fmpy,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr10,%fr9,%fr11", {0, 3}, "GCC W2 3"},
       {" fmpyadd,dbl %fr8,%fr9,%fr10,%fr11,%fr12\n fmpy,dbl %fr8,%fr9,%fr13",
        {0, 2},
        "GCC comment: ALU and MPY"},
       {" fmpyadd,dbl %fr8,%fr9,%fr10,%fr11,%fr12\n fadd,dbl %fr8,%fr9,%fr13",
        {0, 2},
        "GCC comment: ALU and MPY"},
       {" fcmp,dbl,< %fr8,%fr9\n ftest\n nop", {0, 4, 5}, "GCC W0 4"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fstd %fr10,0(%r21)", {0, 2}, "GCC bypass W1 2"},
       {" fdiv,sgl %fr8,%fr9,%fr10\n fstw %fr10,0(%r21)", {0, 9}, "GCC bypass W3 9"},
       {" fdiv,dbl %fr8,%fr9,%fr10\n fstd %fr10,0(%r21)", {0, 11}, "GCC bypass W4 11"},
       {" fsqrt,sgl %fr8,%fr10\n fstw %fr10,0(%r21)", {0, 13}, "GCC bypass W5 13"},
       {" fsqrt,dbl %fr8,%fr10\n fstd %fr10,0(%r21)", {0, 17}, "GCC bypass W6 17"},
       {" fldd 0(%r21),%fr8\n fstd %fr8,8(%r21)", {0, 4}, "GCC anti-bypass W8 4"},
       {" fsqrt,dbl %fr8,%fr10\n fldd 0(%r21),%fr8", {0, 17}, "GCC pa_adjust_cost, anti"},
       {" fsqrt,dbl %fr8,%fr10\n fadd,dbl %fr9,%fr9,%fr8", {0, 16}, "GCC pa_adjust_cost, anti"}});
}

}  // namespace
}  // namespace hardclock::pa_risc
