// The flame graph and the page: xmllint finds them well-formed. Figures are sorting.h's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "sim/report/viewers/flame_graph.h"
#include "sim/report/viewers/page.h"
#include "tests/support/mips_tools.h"
#include "tests/unit/report/viewers/sorting.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Not;

void expect_well_formed(const std::string& markup) {
  const support::TemporaryFolder folder;
  const std::string file = folder.path() + "/m.xml";
  std::ofstream(file, std::ios::binary) << markup;
  EXPECT_EQ(std::system(("xmllint --nonet --noout --huge '" + file + "'").c_str()), 0);
}

std::string page_of(const Profile& profile) {
  return to_page(graph_of_sorting(profile),
                 flat(profile, symbols_of_sorting(), &profile, {.name = "s"}));
}

// XML has other rules for what these contain.
std::string without_style_and_script(std::string page) {
  for (const std::string name : {"style", "script"}) {
    const std::size_t begin = page.find("<" + name + ">");
    const std::size_t end = page.find("</" + name + ">");
    EXPECT_LT(begin, end);
    page.erase(begin + name.size() + 2, end - begin - name.size() - 2);
  }
  return page;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// 90 of 104 cycles are 86.538 %. The innermost sort, with 55, begins where its caller's does; the
// less of the outer one behind it, at 52.885 %.
TEST(FlameGraph, BoxesAreAsWideAsTheirShares) {
  const std::string svg = to_flame_graph(graph_of_sorting());
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("<svg x=\"0.000%\" y=\"36\" width=\"86.538%\" height=\"17\"><title>"
                             "sort&lt;a;b&gt;: 90 cycles, 9 ticks, 86.54 %, 1 call</title>"));
  EXPECT_THAT(svg, HasSubstr("<svg x=\"52.885%\" y=\"54\" width=\"14.423%\" height=\"17\"><title>"
                             "less: 15 cycles, 1 tick, 14.42 %, 7 calls</title>"));
  EXPECT_THAT(svg, HasSubstr("s &quot;1&quot;: 104 cycles"));
}

// Two functions with less than a thousandth are one grey box, and are counted.
TEST(FlameGraph, NarrowBoxesAreMergedAndCounted) {
  Profile profile = profile_of_sorting();
  ProcessProfile& process = profile.processes[0];
  process.call_tree[0].cycles = process.cycles[GuestAddr(0x1000)] = 1'000'000;
  const std::string svg = to_flame_graph(graph_of_sorting(profile));
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("<title>(5 small): 94 cycles, 9 ticks, 0.01 %</title>"));
  EXPECT_THAT(svg, HasSubstr("Grey boxes stand for 5 paths"));
}

// Rows of 18 px: 256 calls, the program, and the sum of what is deeper.
TEST(FlameGraph, DeepCallsAreSummed) {
  const std::string svg = to_flame_graph(graph_of_sorting(deep_profile(1000)));
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("<title>(744 small): 744 cycles"));
  EXPECT_THAT(svg, HasSubstr("height=\"" + std::to_string(258 * 18) + "\""));
}

// 5 of 10 ticks where 50 of 104 cycles say 4.81: as near as whole ticks can be. Both tails have
// more than a half (Python's fractions).
TEST(Page, TableHasBothShares) {
  const std::string page = page_of(profile_of_sorting());
  expect_well_formed(without_style_and_script(page));
  EXPECT_THAT(page, HasSubstr("sort&lt;a;b&gt;</th><td>48.08 %</td><td>50.00 %</td><td>5</td>"
                              "<td>4.8</td><td>100 %</td><td>50</td><td>86.54 %</td>"
                              "<td>2</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<dd>33 MHz</dd>"));
  EXPECT_THAT(page, HasSubstr("<dd>0.000003 s</dd>"));
}

// Of less: 24 of 40 cycles issue, 16 are data misses. The kernel's 9 are on top of main's 10.
TEST(Page, ReasonsAreBars) {
  const std::string page = page_of(with_reasons(profile_of_sorting()));
  expect_well_formed(without_style_and_script(page));
  EXPECT_THAT(page,
              HasSubstr("<span class=\"stack\" role=\"img\" aria-label=\"issue 60.0 %, data miss "
                        "40.0 %\" title=\"issue 60.0 %, data miss 40.0 %\">"
                        "<i style=\"--w:60.00%;--c:var(--r0)\"></i>"
                        "<i style=\"--w:40.00%;--c:var(--r5)\"></i></span>"));
  EXPECT_THAT(page, HasSubstr("<li><i style=\"--c:var(--r5)\"></i><span>data miss</span>16"
                              "<b>40.0 %</b></li>"));
  // Of all 104: 34 that issue.
  EXPECT_THAT(page, HasSubstr("<h2 id=\"reasons\">Cycles by reason</h2>\n<div class=\"legend\">"
                              "<span class=\"stack\" role=\"img\" aria-label=\"issue 32.7 %, "));
  EXPECT_EQ(count_of(page, "<span>kernel, on top</span>9<b></b>"), 2);
  EXPECT_EQ(count_of(page, "<td class=\"why\">"), 4);
  for (int reason = 0; reason < 10; ++reason) {
    EXPECT_THAT(page, HasSubstr("--r" + std::to_string(reason) + ": #"));
  }
}

TEST(Page, WithoutReasonsNothingIsSaidOfThem) {
  const std::string page = page_of(profile_of_sorting());
  EXPECT_THAT(page, Not(HasSubstr("<h2 id=\"reasons\"")));
  EXPECT_THAT(page, Not(HasSubstr("<td class=\"why\">")));
}

TEST(Page, TreeFoldsOpen) {
  const std::string page = page_of(profile_of_sorting());
  EXPECT_THAT(page,
              HasSubstr("<details open=\"\"><summary><b>100.00 %</b><span class=\"name\">main"));
  EXPECT_THAT(page, HasSubstr("<div class=\"leaf\"><b>24.04 %</b><span class=\"name\">less</span>"
                              "<span class=\"soft\"> 9 calls</span></div>"));
}

TEST(Page, WithoutCallsThereIsNoTree) {
  const std::string page = page_of(flat_profile_of_sorting());
  expect_well_formed(without_style_and_script(page));
  EXPECT_THAT(page, Not(HasSubstr("<h2>Calls</h2>")));
  EXPECT_THAT(page, HasSubstr("The profile has no calls, only functions."));
}

// Nothing is loaded, and what a name says is no markup.
TEST(Page, NeedsNothingElse) {
  Profile profile = profile_of_sorting();
  profile.command = "</title><script src=http://x/>";
  const std::string page = page_of(profile);
  expect_well_formed(without_style_and_script(page));
  EXPECT_EQ(count_of(page, "<script"), 1);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=\"|url\\(|@import")));
}

// A hundred functions within each other, and 900 more in one sum.
TEST(Page, DeepCallsAreSummed) {
  const std::string page = page_of(deep_profile(1000));
  expect_well_formed(without_style_and_script(page));
  EXPECT_EQ(count_of(page, "<details"), 100);
  EXPECT_THAT(page, HasSubstr("(900 small)"));
}

// 2100 functions: the page has 2000, and says what the others have.
TEST(Page, ManyFunctions) {
  std::vector<Symbol> functions;
  Profile profile = flat_profile_of_sorting();
  profile.processes[0].mappings.clear();
  profile.processes[0].cycles.clear();
  profile.processes[0].samples.clear();
  for (std::uint64_t i = 0; i < 2100; ++i) {
    functions.push_back({GuestAddr(0x1000 + 4 * i), 4, "f" + std::to_string(i)});
    profile.processes[0].cycles[GuestAddr(0x1000 + 4 * i)] = 3;
  }
  const SymbolTable symbols(functions, GuestAddr(0x10000));
  const std::string page =
      to_page(call_graph(profile, symbols, &profile), flat(profile, symbols, &profile));
  expect_well_formed(without_style_and_script(page));
  EXPECT_EQ(count_of(page, "<tr><th scope=\"row\""), 2000);
  EXPECT_THAT(page, HasSubstr("100 more functions have 0 ticks and 300 cycles together"));
}

}  // namespace
}  // namespace hardclock::report
