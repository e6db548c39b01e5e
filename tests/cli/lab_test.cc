// hardclock lab: what it shows is what a run does, whatever way one goes through it. What a run
// does say --trace, --explain and --pipeline.
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/command_test.h"
#include "tests/cli/happens.h"
#include "tests/cli/on_terminal.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// The screens of a script, one for each key and that at the start.
std::vector<std::string> screens_of(const std::string& out) {
  std::vector<std::string> screens(1);
  for (const std::string& line : lines_of(out)) {
    if (line.starts_with("> ")) {
      screens.emplace_back();
    } else {
      screens.back() += line + "\n";
    }
  }
  return screens;
}

std::string matched(const std::string& text, const std::string& pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? found[1].str() : "";
}

class Lab : public CommandTest {
 protected:
  std::vector<std::string> screens(const Words& options, const std::string& keys,
                                   const Words& program) {
    Words words = {"lab", "--keys=" + keys};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), program.begin(), program.end());
    const Finished run = hardclock(words);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    return screens_of(run.out);
  }
  std::vector<std::string> log_of(const std::string& option, const Words& options,
                                  const Words& program) {
    Words words = {"run", option + "=log"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), program.begin(), program.end());
    hardclock(words);
    return lines_of(read("log"));
  }
  std::string split75() const { return guest("split75"); }
};

// On each processor the lab's instructions are those of the trace, with their texts.
TEST_F(Lab, StepsThroughTheInstructionsOfTheTrace) {
  for (const Words& options : {Words{"--cpu=r3000"}, Words{"--cpu=r4400"}, Words{"--cpu=r10000"},
                               Words{"--machine=indigo"}, Words{"--timing=functional"}}) {
    const std::vector<std::string> trace =
        log_of("--trace", options, {"--max-instructions=300", split75(), "1"});
    std::string keys;
    for (int i = 1; i < 300; ++i) keys += "s ";
    const std::vector<std::string> shown = screens(options, keys, {split75(), "1"});
    ASSERT_EQ(shown.size(), 300U);
    ASSERT_GE(trace.size(), 300U);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::string pc = matched(trace[i], "^ *[0-9]+  ([0-9a-f]+):");
      std::string text = matched(trace[i], ": [0-9a-f]{8} (.*)$");
      text = replace(text, "\t", " ");
      EXPECT_TRUE(
          contains(shown[i], "instruction " + std::to_string(i + 1) + ": " + text + "   at " + pc))
          << trace[i] << shown[i];
    }
  }
}

// A miss of all caches, or what the kernel does for a tick, takes hundreds of cycles: the
// instructions before it stay in sight, and a line says what was waited for.
TEST_F(Lab, ALongWaitLeavesThePipelineInSight) {
  const Words options = {"--machine=indigo2-r4400", "--profil=text", "--size=80x40"};
  const auto shown = screens(options, "t", {guest("pace75")});
  EXPECT_TRUE(contains(shown[0], "IF .. -")) << shown[0];
  EXPECT_TRUE(contains(shown[0], "second level ")) << shown[0];
  EXPECT_TRUE(std::regex_search(shown[1], std::regex("kernel [0-9]+ \\(cycles\\)"))) << shown[1];
  std::size_t rows_in_sight = 0;
  constexpr std::size_t behind_label = 33;
  for (const std::string& line : lines_of(shown[1])) {
    if (!std::regex_search(line, std::regex("^[0-9a-f]{8} "))) continue;
    if (line.size() > behind_label && line.substr(behind_label).find("WB") != std::string::npos)
      ++rows_in_sight;
  }
  EXPECT_GE(rows_in_sight, 6U) << shown[1];
}

// Every tick finds the pc and the counter of --explain, and the counter has its value.
TEST_F(Lab, TicksAreThoseOfTheRun) {
  for (const Words& options : {Words{"--cpu=r3000"}, Words{"--machine=indigo2-r4400"},
                               Words{"--cpu=r3000", "--hz=1000"}, Words{"--cpu=r10000"}}) {
    const std::vector<std::string> ticks = log_of("--explain", options, {split75(), "500"});
    ASSERT_GE(ticks.size(), 3U);
    const std::size_t most = std::min<std::size_t>(ticks.size(), 12);
    std::string keys = "2";
    for (std::size_t i = 0; i < most; ++i) keys += " t";
    const std::vector<std::string> shown = screens(options, keys, {split75(), "500"});
    ASSERT_EQ(shown.size(), most + 2);
    for (std::size_t i = 0; i < most; ++i) {
      const std::string& screen = shown[i + 2];
      EXPECT_TRUE(contains(screen, "a tick found " + matched(ticks[i], "<([^>]*)>") + "\n"))
          << ticks[i] << screen;
      EXPECT_TRUE(contains(screen, " = " + matched(ticks[i], "counter at (0x[0-9a-f]+)")))
          << ticks[i] << screen;
      EXPECT_TRUE(contains(screen, "  " + matched(ticks[i], ": ([0-9]+ -> [0-9]+)$") + "\n"))
          << ticks[i] << screen;
    }
  }
}

// However one comes to an instruction, its screen is the same: by steps, back, from the start
// again, over ticks.
TEST_F(Lab, AllWaysLeadToTheSameScreen) {
  for (const Words& options : {Words{"--cpu=r3000"}, Words{"--machine=indigo"}}) {
    const auto by_steps = screens(options, "s40 s60", {split75(), "9"});
    const auto and_back = screens(options, "s300 b200", {split75(), "9"});
    EXPECT_EQ(by_steps.back(), and_back.back());
    // 5000 steps are more than it keeps: it runs the program anew.
    const auto far_back = screens(options, "s5300 b5200", {split75(), "9"});
    EXPECT_EQ(by_steps.back(), far_back.back());
    const auto over_a_tick = screens(options, "t s9 b9", {split75(), "99"});
    EXPECT_EQ(over_a_tick[1], over_a_tick[3]);
    // Beyond what is kept before a tick.
    const auto before_tick = screens(options, "t b3000 s3000 3", {split75(), "99"});
    const auto at_tick = screens(options, "t 3", {split75(), "99"});
    EXPECT_EQ(before_tick.back(), at_tick.back());
  }
}

// t7 looks at what is before the seventh tick, seven times t at what is before each: signals,
// system calls, processes that wait and end, ticks close together.
TEST_F(Lab, ManyTicksAtOnceAreThatManyTicks) {
  for (const Words& options :
       {Words{"--cpu=r3000"}, Words{"--machine=indigo2-r4400"}, Words{"--machine=octane"},
        Words{"--cpu=r3000", "--hz=10000"}, Words{"--machine=indy-r4600", "--hz=4000"}}) {
    for (const Words& program :
         {Words{split75(), "500"}, Words{guest("sigprof")}, Words{guest("forkprof")}}) {
      SCOPED_TRACE(options.back() + " " + program.front());
      for (const unsigned ticks : {3U, 17U}) {
        std::string keys;
        for (unsigned i = 0; i < ticks; ++i) keys += "t ";
        EXPECT_EQ(screens(options, "t" + std::to_string(ticks), program).back(),
                  screens(options, keys, program).back())
            << keys;
      }
    }
  }
}

// split75 calls hot and warm once a round.
TEST_F(Lab, RunsToTheNthTime) {
  const auto trace = log_of("--trace", {"--cpu=r3000"}, {split75(), "3"});
  std::vector<std::size_t> calls;
  const std::string warm =
      matched(screens({"--cpu=r3000"}, "r warm", {split75(), "3"}).back(), "at ([0-9a-f]+) <warm>");
  ASSERT_NE(warm, "");
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (contains(trace[i], "  " + warm + ": ")) calls.push_back(i + 1);
  }
  ASSERT_EQ(calls.size(), 3U);
  for (std::size_t n = 1; n <= 3; ++n) {
    const auto shown =
        screens({"--cpu=r3000"}, "r warm@" + std::to_string(n) + " 3", {split75(), "3"});
    std::string number = matched(shown[1], "instruction ([0-9,]+):");
    EXPECT_EQ(replace(number, ",", ""), std::to_string(calls[n - 1]));
  }
  EXPECT_TRUE(
      contains(screens({}, "r warm@4", {split75(), "3"}).back(), "the program ends before that"));
}

TEST_F(Lab, JudgesGuesses) {
  const auto asked = screens({"--cpu=r3000"}, "2 t", {split75(), "99"});
  const std::string counter = matched(asked.back(), ": counter ([0-9]+)");
  ASSERT_NE(counter, "");
  EXPECT_TRUE(contains(screens({"--cpu=r3000"}, "g " + counter, {split75(), "99"}).back(),
                       "guesses: 1 of 1 right"));
  EXPECT_TRUE(contains(screens({"--cpu=r3000"}, "g 4000", {split75(), "99"}).back(),
                       "Wrong, you said counter 4000"));
}

// A loop of eight cycles, and a period that is a multiple of eight: all ticks find one pc
// (pace75.S). The lab's buffer has a counter for each instruction of `six`.
TEST_F(Lab, ProfilesAProgramThatDoesNot) {
  const auto shown = screens({"--cpu=r3000", "--profil=six"}, "4 t3", {guest("pace75")}).back();
  EXPECT_TRUE(std::regex_search(shown, std::regex(R"( +[0-5] +3  six(\+0x[0-9a-f]+)?\n)")))
      << shown;
  const auto off = screens({"--cpu=r3000"}, "t", {guest("pace75")}).back();
  EXPECT_TRUE(contains(off, "profiling is off: never started")) << off;
  const auto half = screens({"--cpu=r3000", "--profil=text,0x4000"}, "2 t", {guest("pace75")});
  EXPECT_TRUE(contains(half.back(), "scale 0x4000")) << half.back();
}

// The true counters are the program's own; the broken ones count beside them. "byte" is right until
// 255, "late" counts the next instruction's.
TEST_F(Lab, CountsWithABrokenRule) {
  const auto shown = screens({"--cpu=r3000", "--hz=1000", "--profil=six", "--size=80x40"},
                             "t300 x byte 4", {guest("pace75")});
  EXPECT_TRUE(std::regex_search(shown.back(), std::regex(" +300 +44  six"))) << shown.back();
}

TEST_F(Lab, ShowsOtherSystems) {
  const auto shown = screens({"--cpu=r3000"}, "5 t", {split75(), "99"}).back();
  for (const std::string& line : lines_of(hardclock({"systems"}).out)) {
    if (!contains(line, " Hz  ")) continue;
    EXPECT_TRUE(contains(shown, "\n" + line.substr(0, line.find(' ')) + " ")) << line << shown;
  }
}

TEST_F(Lab, ShowsOtherProcessors) {
  const auto hppa = screens({}, "3 t 1", {guest("bench_hppa"), "1"});
  EXPECT_TRUE(contains(hppa[1], "  sp ")) << hppa[1];
  EXPECT_TRUE(contains(hppa[3], "A TICK came")) << hppa[2];
}

// The program's writing is refused, and said, not done: it may be gone through again and again.
TEST_F(Lab, TheProgramWritesNoFile) {
  const auto shown = screens({}, "s1000000", {split75(), "1"});
  EXPECT_TRUE(contains(shown.back(), "THE END: exit status 1")) << shown.back();
  EXPECT_NE(::access(path("mon.out").c_str(), F_OK), 0);
  hardclock({"lab", "--cwd=rw", "--keys=s1000000", split75(), "1"});
  EXPECT_EQ(::access(path("mon.out").c_str(), F_OK), 0);
}

TEST_F(Lab, Refuses) {
  const std::string program = split75();
  expect_complaint(hardclock({"lab", program}), {"terminal", "--format=html", "--keys"});
  expect_complaint(hardclock({"lab", "--keys=z", program}), {"--keys", "'z'"});
  expect_complaint(hardclock({"lab", "--keys=r nowhere", program}), {"--keys", "nowhere"});
  expect_complaint(hardclock({"lab", "--keys=s", "--script=f", program}), {"--script", "--keys"});
  expect_complaint(hardclock({"lab", "--script=missing", program}), {"missing"});
  expect_complaint(hardclock({"lab", "--profil=nowhere", "--keys=s", program}),
                   {"--profil", "nowhere"});
  expect_complaint(hardclock({"lab", "--profil=0x2-0x1", "--keys=s", program}), {"--profil"});
  expect_complaint(hardclock({"lab", "--profil=hot,x", "--keys=s", program}), {"--profil"});
  expect_complaint(hardclock({"lab", "--size=3x4", "--keys=s", program}), {"--size"});
  expect_complaint(hardclock({"lab", "--frames=9", "--format=html", program}), {"--frames"});
  expect_complaint(hardclock({"lab", "--format=html", "--keys=s", program}), {"--keys"});
  expect_complaint(hardclock({"lab", "--output=x", program}), {"--output"});
  expect_complaint(hardclock({"lab", "--stats", "--keys=s", program}), {"--stats"});
  expect_complaint(hardclock({"lab", "--keys=s", "missing"}), {"missing"});
  write("text", "no program");
  expect_complaint(hardclock({"lab", "--keys=s", "text"}), {"text"});
}

TEST_F(Lab, ReadsAScript) {
  write("f", "s # one\ns2\n");
  const Finished run = hardclock({"lab", "--script=f", split75(), "1"});
  EXPECT_EQ(screens_of(run.out).size(), 3U);
  EXPECT_EQ(run.out, hardclock({"lab", "--keys=s s2", split75(), "1"}).out);
  hardclock({"lab", "--keys=s s2", "--output=screens", split75(), "1"});
  EXPECT_EQ(read("screens"), run.out);
}

// ---- The terminal.

TEST_F(Lab, WorksOnATerminal) {
  OnTerminal lab({hardclock_path(), "lab", split75(), "99"}, folder(), {"TERM=xterm-256color"});
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "quit"); }));
  lab.type("t");
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "TICK"); }));
  lab.type("g5000\r");
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "Wrong"); }));
  lab.resize(44, 14);
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "1-6"); }));
  lab.type("q");
  EXPECT_EQ(lab.wait(), 0);
  EXPECT_TRUE(contains(lab.text(), "\x1b[?1049l")) << "the terminal has its old screen again";
  EXPECT_TRUE(contains(lab.text(), "\x1b[3")) << "colours";
}

TEST_F(Lab, HasNoColoursWhereNobodyWantsThem) {
  OnTerminal lab({hardclock_path(), "lab", split75(), "99"}, folder(),
                 {"TERM=xterm-256color", "NO_COLOR=1"});
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "quit"); }));
  lab.type("tq");
  EXPECT_EQ(lab.wait(), 0);
  EXPECT_FALSE(std::regex_search(lab.text(), std::regex("\x1b\\[(3[0-7]|38;5;[0-9]+)m")));
}

TEST_F(Lab, ControlCLeavesTheTerminalInOrder) {
  OnTerminal lab({hardclock_path(), "lab", split75(), "99"}, folder(), {"TERM=xterm"});
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "quit"); }));
  EXPECT_FALSE(lab.echoes());
  lab.type("\x03");
  EXPECT_EQ(lab.wait(), 128 + SIGINT);
  EXPECT_TRUE(contains(lab.text(), "\x1b[?1049l"));
  EXPECT_TRUE(lab.echoes());
}

// main is not called again, and so many rounds take hours.
TEST_F(Lab, ControlCStopsASearch) {
  OnTerminal lab({hardclock_path(), "lab", split75(), "2000000000"}, folder(), {"TERM=xterm"});
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "quit"); }));
  lab.type("rmain\r");
  ASSERT_TRUE(happens([&] { return contains(lab.text(), "<main>"); }));
  const std::size_t before = lab.text().size();
  lab.type("rmain\r");
  ASSERT_TRUE(happens([&] { return contains(lab.text().substr(before), "Ctrl-C stops it"); }));
  lab.type("s\x03");
  ASSERT_TRUE(happens([&] { return contains(lab.text().substr(before), "stopped"); }));
  ASSERT_TRUE(happens([&] { return contains(lab.text().substr(before), "<main+0x4>"); }))
      << "what was typed meanwhile is done where it was";
  lab.type("q");
  EXPECT_EQ(lab.wait(), 0);
}

TEST_F(Lab, RefusesAnUnknownTerminal) {
  OnTerminal lab({hardclock_path(), "lab", split75(), "99"}, folder(), {"TERM=nonsense"});
  EXPECT_EQ(lab.wait(), own_failure);
  EXPECT_TRUE(contains(lab.text(), "TERM")) << lab.text();
}

// ---- The page.

Json data_of(const std::string& page) {
  constexpr std::string_view begin = "id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST_F(Lab, ThePageIsTheSameEachTimeAndNeedsNoNetwork) {
  for (const std::string name : {"a.html", "b.html"})
    EXPECT_EQ(hardclock({"lab", "--output=" + name, split75(), "999"}).status, 0);
  EXPECT_EQ(read("a.html"), read("b.html"));
  EXPECT_FALSE(
      std::regex_search(read("a.html"), std::regex("(src|href)=|https?://|@import|url\\(")));
  EXPECT_EQ(data_of(read("a.html")).at("frames").size(), 2000U);
  EXPECT_EQ(hardclock({"lab", "--format=html", split75(), "999"}).out, read("a.html"));
}

TEST_F(Lab, ThePageHasTheTicksOfTheRun) {
  const auto ticks = log_of("--explain", {"--cpu=r3000"}, {split75(), "500"});
  hardclock({"lab", "--cpu=r3000", "--output=a.html", "--frames=1000", split75(), "500"});
  const Json data = data_of(read("a.html"));
  std::size_t tick = 0;
  for (const Json& frame : data.at("frames")) {
    if (frame[13].is_null()) continue;
    const Json& charge = frame[13][2][0];
    EXPECT_EQ(data.at("texts")[charge[0].get<std::size_t>()], matched(ticks[tick], "<([^>]*)>"));
    ++tick;
  }
  EXPECT_GE(tick, 5U);
}

// In a browser, if there is one: buttons and keys.
TEST_F(Lab, ThePageWorksInABrowser) {
  if (!has_browser()) GTEST_SKIP() << "no chromium";
  hardclock({"lab", "--cpu=r3000", "--output=a.html", split75(), "99"});
  const std::vector<std::string> seen = seen_in_browser(read("a.html"), R"(
const note = () => seen.push(element('where').textContent + ' | ' + element('says').textContent);
const press = key => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
for (const id of ['step', 'step', 'back', 'back', 'back', 'tick']) { element(id).click(); note(); }
press('s'); note(); press('b'); note(); press('t'); note();
element('guess').value = '4000';
element('guess').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })); note();
select.value = 3; select.dispatchEvent(new Event('change')); note();
seen.push(element('broken').textContent);)");
  ASSERT_EQ(seen.size(), 12U);
  EXPECT_TRUE(seen[0].starts_with("instruction 2: "));
  EXPECT_TRUE(seen[1].starts_with("instruction 3: "));
  EXPECT_TRUE(seen[2].starts_with("instruction 2: "));
  EXPECT_TRUE(seen[3].starts_with("instruction 1: "));
  EXPECT_TRUE(contains(seen[4], "this is the first instruction of the page"));
  EXPECT_TRUE(seen[5].starts_with("instruction 330,00")) << seen[5];
  EXPECT_NE(seen[6], seen[5]);
  EXPECT_EQ(seen[7], seen[5]);
  EXPECT_TRUE(seen[8].starts_with("instruction 660,00")) << seen[8];
  EXPECT_TRUE(contains(seen[9], "Wrong, you said counter 4000")) << seen[9];
  EXPECT_TRUE(contains(seen[10], "broken: takes the byte offset")) << seen[10];
  EXPECT_TRUE(contains(seen[11], "pc - offset")) << seen[11];
}

}  // namespace
}  // namespace hardclock::cli_test
