// SGI's own `cc -p` and prof, which are not part of the project (../shared/irix): a program that
// SGI's compiler made for profiling, and whose libprof profiles it by sprofil(2), shows in SGI's
// prof the shares and the seconds that it took. That three quarters are hot()'s is in the source.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr double hot_share = 0.75;
constexpr const char* program = "docs/examples/irix/shares.c";

struct Procedure {
  unsigned samples = 0;
  double seconds = 0;
};

// What prof prints.
struct Listing {
  std::string text;

  // "107   1.1s( 74.3)  1.1s( 74.3)   hot (./pp:p.c)"
  Procedure procedure(const std::string& name) const {
    Procedure found;
    for (const std::string& line : lines_of(text)) {
      if (!contains(line, " " + name + " (") && !contains(line, " TOTAL")) continue;
      if (contains(line, " TOTAL") != (name == "TOTAL")) continue;
      std::sscanf(line.c_str(), "%u %lf", &found.samples, &found.seconds);
    }
    return found;
  }
  bool has_interval_of(const std::string& interval) const { return contains(text, interval); }
};

class SgiProf : public CommandTest {
 protected:
  void SetUp() override {
    std::error_code error;
    const fs::path own = fs::canonical("syscalls/irix/syscalls.master", error);
    irix_ = (own.parent_path() / "../../../shared/irix").lexically_normal();
    if (!fs::exists(irix_)) GTEST_SKIP() << "no ../shared/irix beside the source tree";
    fs::create_directories(path("extra/usr/lib"));
    fs::create_directories(path("extra/usr/bin"));
    fs::copy_file(irix_ / "cc-p/mcrt1.o", path("extra/usr/lib/mcrt1.o"));
    fs::copy_file(irix_ / "cc-p/libprof.a", path("extra/usr/lib/libprof.a"));
    fs::copy_file(irix_ / "cc-p/prof", path("extra/usr/bin/prof"));
  }

  std::string roots() const { return (irix_ / "ido5.3").string() + ":" + path("extra"); }
  // Of all processes, by the JSON's address of the function.
  std::map<std::string, std::uint64_t> calls_in(const std::string& file) const {
    std::map<std::string, std::uint64_t> calls;
    const nlohmann::json profile = nlohmann::json::parse(read(file));
    for (const auto& process : profile.at("processes")) {
      for (const auto& node : process.at("call_tree"))
        calls[node[1].get<std::string>()] += node[2].get<std::uint64_t>();
    }
    return calls;
  }
  // By hardclock's listing: "004000b0 <fib>:".
  std::string address_of(const std::string& name, const std::string& file) const {
    const std::string listing = hardclock({"disasm", file}).out;
    const std::size_t at = listing.find(" <" + name + ">:");
    return at == std::string::npos ? "" : "0x" + listing.substr(at - 8, 8);
  }
  Finished run(const std::vector<std::string>& words) const {
    std::vector<std::string> arguments = {
        "run", "-L", roots(), "--env", "PATH=/usr/bin", "--env", "LD_LIBRARY_PATH=."};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return hardclock(arguments);
  }
  void compile(std::vector<std::string> words) const {
    words.insert(words.begin(), "/usr/bin/cc");
    const Finished finished = run(words);
    ASSERT_EQ(finished.status, 0) << finished.err;
  }

  // Runs ./pp, and prof on the default processor: 5.3's prof knows none that came after it ("cpu
  // type 0x2300 not supported", on an O2). `seconds`: what the run took.
  Listing profile(const std::vector<std::string>& options, double& seconds) const {
    fs::remove(path("mon.out"));
    std::vector<std::string> words = options;
    words.insert(words.end(), {"--stats", "./pp"});
    const Finished finished = run(words);
    EXPECT_EQ(finished.status, 0) << finished.err;
    for (const std::string& line : lines_of(finished.err)) {
      std::sscanf(line.c_str(), "time %lf s simulated", &seconds);
    }
    const Finished listed = run({"/usr/bin/prof", "pp", "mon.out"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    return {listed.out};
  }

  // Shares within three and a half standard deviations of so many samples, and seconds within a
  // fiftieth and what prof rounds off.
  static void expect_truth(const Listing& listing, double seconds, double interval) {
    const Procedure hot = listing.procedure("hot"), warm = listing.procedure("warm");
    const Procedure total = listing.procedure("TOTAL");
    ASSERT_GT(total.samples, 80U) << listing.text;
    const double samples = hot.samples + warm.samples;
    const double deviation = std::sqrt(hot_share * (1 - hot_share) / samples);
    EXPECT_NEAR(hot.samples / samples, hot_share, 3.5 * deviation) << listing.text;
    EXPECT_GT(samples / total.samples, 0.95) << listing.text;
    EXPECT_NEAR(total.samples * interval, seconds, 0.02 * seconds + 2 * interval) << listing.text;
    EXPECT_NEAR(total.seconds, seconds, 0.05 + 0.02 * seconds) << listing.text;
  }

 private:
  fs::path irix_;
};

// Exact calls of code whose link editor has calls within a program enter behind the gp prologue:
// fib(n) makes 2 fib(n + 1) - 1 of them, f(10) eleven, if the optimiser makes it no loop.
TEST_F(SgiProf, CallsWithinAProgramAreCounted) {
  write("calls.c",
        "int f(n) int n; { return n ? f(n - 1) : 0; }\n"
        "int fib(n) int n; { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
        "int main() { return f(10) + fib(20) != 6765; }\n");
  for (const char* const level : {"-O0", "-O2", "-g"}) {
    SCOPED_TRACE(level);
    const bool is_loop = std::string(level) == "-O2";
    const std::map<std::string, std::uint64_t> expected = {
        {"f", is_loop ? 1 : 11}, {"fib", 21891}, {"main", 1}};
    compile({level, "-o", "calls", "calls.c"});
    ASSERT_EQ(run({"--calls", "--profile=p.json", "./calls"}).status, 0);
    auto calls = calls_in("p.json");
    for (const auto& [name, times] : expected) {
      EXPECT_EQ(calls[address_of(name, "calls")], times) << name;
      const std::string beyond = "--pipeline=" + name + "@99999,p.txt";
      EXPECT_TRUE(contains(run({beyond, "./calls"}).err, " " + std::to_string(times) + " time"));
    }
    EXPECT_EQ(hardclock({"report", "p.json", "calls", "--format=folded", "--output=paths"}).status,
              0);
    EXPECT_TRUE(contains(read("paths"), ";main;fib;fib ")) << read("paths");
  }
}

// What the lab is asked for it looks for as fast as a run: this took more than a minute.
TEST_F(SgiProf, TheLabGoesToMain) {
  write("shares.c", read_file(program));
  compile({"-O0", "-p", "-o", "pp", "shares.c"});
  const Finished shown = hardclock({"lab", "-L", roots(), "--keys=r main r hot@2 r main", "./pp"});
  EXPECT_EQ(shown.err, "");
  EXPECT_TRUE(contains(shown.out, "<main+0xc>")) << "behind the prologue";
  EXPECT_TRUE(contains(shown.out, "<hot>")) << "static: its address is worked out";
  EXPECT_TRUE(
      contains(shown.out, "the program ends before that: exit status 1; it may write no file"));
}

// SGI's compiler, which SGI compiled: what is called has calls, but for static functions that have
// no symbol and lie behind one that has, and functions that share their ends.
TEST_F(SgiProf, TheCompilersFunctionsHaveCalls) {
  write("shares.c", read_file(program));
  ASSERT_EQ(run({"--calls", "--profile=p.json", "/usr/bin/cc", "-O2", "-c", "shares.c"}).status, 0);
  std::uint64_t places = 0, without = 0;
  const nlohmann::json profile = nlohmann::json::parse(read("p.json"));
  for (const auto& process : profile.at("processes")) {
    for (const auto& node : process.at("call_tree")) {
      ++places;
      without += node[2] == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(places, 3000U);
  EXPECT_LT(without, places / 20);
}

TEST_F(SgiProf, ShowsSharesAndSeconds) {
  write("shares.c", read_file(program));
  compile({"-O0", "-p", "-o", "pp", "shares.c"});
  const std::vector<std::string> everything[] = {
      {},
      {"--machine=indigo"},
      {"--machine=indigo2-r4400"},
      {"--machine=indy-r4600"},
      {"--machine=o2"},
  };
  for (const auto& options : everything) {
    SCOPED_TRACE(options.empty() ? "default processor" : options.front());
    double seconds = 0;
    const Listing listing = profile(options, seconds);
    EXPECT_TRUE(listing.has_interval_of(" 10.0ms ")) << listing.text;
    expect_truth(listing, seconds, 0.010);
  }
}

// PROF_FAST, as libprof asks for it; and 16-bit counters.
TEST_F(SgiProf, AtAMillisecondAndInSixteenBits) {
  write("shares.c", read_file(program));
  compile({"-O0", "-p", "-o", "pp", "shares.c"});
  double seconds = 0;
  const Listing fast = profile({"--machine=indigo", "--env", "PROF_SAMPLING=1"}, seconds);
  EXPECT_TRUE(fast.has_interval_of(" 1.0ms ")) << fast.text;
  expect_truth(fast, seconds, 0.001);
  const Listing narrow = profile({"--machine=indigo", "--env", "PROF_COUNTSIZE=2"}, seconds);
  expect_truth(narrow, seconds, 0.010);
}

// Both functions in a shared object, for which libprof has a region of its own.
TEST_F(SgiProf, ShowsASharedObject) {
  const std::string source = read_file(program);
  const std::size_t main_at = source.find("int main()");
  ASSERT_NE(main_at, std::string::npos);
  write("work.c", replace(source.substr(0, main_at), "static void", "void"));
  write("main.c", "int printf();\nextern double total;\nextern void hot(), warm();\n" +
                      source.substr(main_at));
  compile({"-O0", "-shared", "-o", "libwork.so", "work.c"});
  compile({"-O0", "-p", "-o", "pp", "main.c", "-L.", "-lwork"});
  for (const char* machine : {"--machine=indigo", "--machine=indigo2-r4400"}) {
    SCOPED_TRACE(machine);
    double seconds = 0;
    const Listing listing = profile({machine}, seconds);
    EXPECT_TRUE(contains(listing.text, "libwork.so")) << listing.text;
    expect_truth(listing, seconds, 0.010);
  }
}

}  // namespace
}  // namespace hardclock::cli_test
