// hardclock conform --emit-c on this very machine: the program of glibc's cases, compiled by the
// host's gcc as strict C89, passes, and fails when a case expects something else than the library's
// source.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/emitted_program.h"

namespace hardclock::cli_test {
namespace {

// The host's own glibc: what the library's source says is what the library does, natively. The
// machine may be busy: the program asks for its own time.
class EmitCOnHost : public EmittedProgram {
 protected:
  void SetUp() override {
#if !defined(__GLIBC__) || !defined(__x86_64__)
    GTEST_SKIP() << "the host is no glibc on x86-64";
#endif
    if (other_program({"gcc", "--version"}).status != 0) GTEST_SKIP() << "gcc is missing";
  }

  // The emitted program's answer.
  Finished run_on_host(const std::string& cases) const {
    const Finished emitted = hardclock({"conform", "--emit-c", "--os=glibc", cases});
    EXPECT_EQ(emitted.status, 0) << emitted.err;
    write("host.c", emitted.out);
    const Finished compiled = other_program({"gcc", "-std=c89", "-pedantic", "-Wall", "-Wextra",
                                             "-Werror", "-O2", "-o", path("host"), path("host.c")});
    EXPECT_EQ(compiled.status, 0) << compiled.err;
    return other_program({path("host")});
  }
};

TEST_F(EmitCOnHost, GlibcsCasesPass) {
  const std::string cases = std::filesystem::absolute("tests/conformance/glibc.json");
  // A case of 32 bits, and one whose first tick counts elsewhere.
  const std::set<std::string> skipped = {"G-016", "G-109"};
  std::vector<Verdict> expected;
  const auto file = nlohmann::json::parse(read_file(cases));
  for (const auto& each : file["cases"]) {
    const auto id = each["id"].get<std::string>();
    expected.push_back({true, id, skipped.contains(id)});
  }
  const Finished finished = run_on_host(cases);
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(verdicts_of(finished.out), expected) << finished.out;
}

TEST_F(EmitCOnHost, WrongExpectationsFail) {
  const std::string text = read_file(std::filesystem::absolute("tests/conformance/glibc.json"));
  auto file = nlohmann::json::parse(text);
  auto chosen = nlohmann::json::array();
  for (auto& each : file["cases"]) {
    if (each["id"] == "G-001") each["expect"]["counters"]["1"]["BUF"] = {{"9", 3}};
    if (each["id"] == "G-004") each["expect"]["counters"]["1"]["BUF"] = nlohmann::json::object();
    if (each["id"] == "G-009") each["expect"]["ended"]["1"] = "SIGABRT";
    if (each["id"] == "G-011") each["expect"]["counters"]["2"]["BUF"] = {{"8", 3}};
    if (each["id"] == "G-012") each["expect"]["ended"]["1"] = "SIGPROF";
    if (each["id"] == "G-013") each["expect"].erase("ended");
    if (each["id"] == "G-015") each["expect"]["counters"]["1"]["BUF"] = {{"1", 2000}};
    if (each["id"] == "G-101") each["expect"]["tv"]["tv_usec"] = 1000;
    const std::set<std::string> changed = {"G-001", "G-004", "G-009", "G-011",
                                           "G-012", "G-013", "G-015", "G-101"};
    if (changed.contains(each["id"].get<std::string>())) chosen.push_back(each);
  }
  file["cases"] = chosen;
  write("wrong.json", file.dump());
  const Finished finished = run_on_host("wrong.json");
  EXPECT_EQ(finished.status, 1);
  const auto verdicts = verdicts_of(finished.out);
  EXPECT_EQ(verdicts.size(), 8U);
  for (const Verdict& each : verdicts) EXPECT_FALSE(each.passed) << each.id << finished.out;
}

}  // namespace
}  // namespace hardclock::cli_test
