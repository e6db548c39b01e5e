// When a function is entered, for exact calls, --pipeline and the lab: at its
// symbol, or behind the words with which MIPS code finds its data
// (inner_entries.S says how often each is called).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;

const std::map<std::string, std::uint64_t> true_calls = {
    {"main", 1}, {"fib", 177}, {"spins", 4}, {"door", 2}, {"room", 2}};

class FunctionEntries : public CommandTest {
 protected:
  // By the JSON's address of where it begins.
  static std::map<std::string, std::uint64_t> calls_in(const Json& profile) {
    std::map<std::string, std::uint64_t> calls;
    for (const Json& node : profile.at("processes").at(0).at("call_tree"))
      calls[node[1].get<std::string>()] += node[2].get<std::uint64_t>();
    return calls;
  }
  // By the address in an arc.
  static std::map<std::string, std::uint64_t> arcs_in(const Json& profile) {
    std::map<std::string, std::uint64_t> calls;
    for (const Json& arc : profile.at("processes").at(0).at("call_arcs"))
      calls[arc[1].get<std::string>()] += arc[2].get<std::uint64_t>();
    return calls;
  }
  // As hardclock's own listing has it: "004000b0 <fib>:".
  std::string address_of(const std::string& name, const std::string& program) const {
    const std::string listing = hardclock({"disasm", program}).out;
    const std::size_t at = listing.find(" <" + name + ">:");
    return at == std::string::npos ? "" : "0x" + listing.substr(at - 8, 8);
  }
  std::string lab(const std::string& keys, const std::string& program) const {
    const Finished shown = hardclock({"lab", "--keys=" + keys, program});
    EXPECT_EQ(shown.err, "");
    return shown.out.substr(shown.out.rfind("\n> "));
  }
};

TEST_F(FunctionEntries, ExactCallsCountEachOnce) {
  for (const auto order : both_byte_orders) {
    const std::string program = guest("inner_entries" + std::string(order));
    for (const char* const engine : {"--engine=interpreter", "--engine=translator,0"}) {
      SCOPED_TRACE(engine);
      ASSERT_EQ(hardclock({"run", engine, "--calls", "--profile=p.json", program}).status, 0);
      const Json profile = Json::parse(read("p.json"));
      auto calls = calls_in(profile), arcs = arcs_in(profile);
      for (const auto& [name, times] : true_calls) {
        const std::string address = address_of(name, program);
        EXPECT_EQ(calls[address], times) << name;
        EXPECT_EQ(arcs[address], times) << name;
      }
    }
  }
}

// The same from each file that others read: callgrind's "calls=N address" lines
// by function, and the recursion as levels of a path.
TEST_F(FunctionEntries, ViewersGetThem) {
  const std::string program = guest("inner_entries");
  ASSERT_EQ(hardclock({"run", "--calls", "--profile=p.json", program}).status, 0);
  hardclock({"report", "p.json", program, "--format=folded", "--output=folded"});
  EXPECT_TRUE(contains(read("folded"), ";main;fib;fib ")) << read("folded");
  hardclock({"report", "p.json", program, "--output=callgrind.out"});
  std::uint64_t calls = 0;
  bool is_of_fib = false;
  for (const std::string& line : lines_of(read("callgrind.out"))) {
    if (line.starts_with("cfn=")) is_of_fib = line == "cfn=fib";
    if (line.starts_with("calls=") && is_of_fib) calls += std::stoull(line.substr(6));
  }
  EXPECT_EQ(calls, true_calls.at("fib")) << read("callgrind.out");
}

// Who is reached by a jump alone has its own row and its own path, with symbols and without.
TEST_F(FunctionEntries, AStrippedProgramHasThoseThatAreJumpedTo) {
  for (const auto order : both_byte_orders) {
    const std::string program = guest("tail_jumps" + std::string(order));
    const std::string stripped = path("stripped");
    ASSERT_EQ(other_program({"mips-linux-gnu-strip", "-o", stripped, program}).status, 0);
    for (const char* const engine : {"--engine=interpreter", "--engine=translator,0"}) {
      SCOPED_TRACE(engine);
      std::string folded[2], json[2];
      for (const int i : {0, 1}) {
        const std::string& file = i == 0 ? program : stripped;
        ASSERT_EQ(hardclock({"run", engine, "--calls", "--profile=p.json", file}).status, 0);
        folded[i] = hardclock({"report", "p.json", file, "--format=folded"}).out;
        json[i] = hardclock({"report", "p.json", file, "--format=json"}).out;
      }
      for (const char* const name : {"_start", "_exit", "main", "first", "between", "last"}) {
        const std::string address = address_of(name, program);
        for (std::size_t at; (at = folded[0].find(name)) != std::string::npos;)
          folded[0].replace(at, std::string(name).size(), address);
      }
      EXPECT_EQ(lines_of(folded[1]), lines_of(folded[0]));
      const auto cycles_in = [](const std::string& text) {
        std::map<std::string, std::uint64_t> cycles;
        for (const Json& row : Json::parse(text).at("rows"))
          cycles[row.at("address").get<std::string>()] = row.at("cycles").get<std::uint64_t>();
        return cycles;
      };
      EXPECT_EQ(cycles_in(json[1]), cycles_in(json[0]));
    }
  }
}

TEST_F(FunctionEntries, ThePipelineBeginsThere) {
  const std::string program = guest("inner_entries");
  for (const auto& [name, times] : true_calls) {
    const std::string last = name + "@" + std::to_string(times) + "+1,p.txt";
    const Finished there = hardclock({"run", "--pipeline=" + last, program});
    EXPECT_EQ(there.err, "") << name;
    const Finished beyond = hardclock(
        {"run", "--pipeline=" + name + "@" + std::to_string(times + 1) + ",p.txt", program});
    EXPECT_TRUE(contains(beyond.err, "control reached '" + name + "' " + std::to_string(times)))
        << beyond.err;
  }
}

// What an address says is each time that the instruction there runs: spins
// loops five times in each of four calls.
TEST_F(FunctionEntries, AnAddressIsAnInstruction) {
  const std::string program = guest("inner_entries");
  const std::string spins = address_of("spins", program);
  ASSERT_NE(spins, "");
  const auto reached = [&](std::uint64_t offset) {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx",
                  static_cast<unsigned long long>(std::stoull(spins, nullptr, 16) + offset));
    return hardclock({"run", "--pipeline=" + std::string(text) + "@999,p.txt", program}).err;
  };
  EXPECT_TRUE(contains(reached(0), " 1 time,")) << reached(0);
  EXPECT_TRUE(contains(reached(12), " 20 times,")) << reached(12);
  EXPECT_TRUE(contains(reached(20), " 20 times,")) << "a delay slot" << reached(20);
}

TEST_F(FunctionEntries, TheLabGoesThere) {
  const std::string program = guest("inner_entries");
  EXPECT_TRUE(contains(lab("r main", program), "<main>"));
  EXPECT_TRUE(contains(lab("r fib", program), "<fib+0xc>"));
  EXPECT_TRUE(contains(lab("r spins@4", program), "<spins>")) << "at its symbol";
  EXPECT_TRUE(contains(lab("r spins@3", program), "<spins+0xc>"));
  EXPECT_TRUE(contains(lab("r spins@5", program), "the program ends before that: exit status 0"));
  EXPECT_TRUE(contains(lab("r fib@177", program), "<fib+0xc>"));
  // The next call is not the next time round.
  const std::string second = lab("r spins@2", program);
  EXPECT_EQ(second.substr(second.find("instruction ")), [&] {
    const std::string next = lab("r spins r spins", program);
    return next.substr(next.find("instruction "));
  }());
}

// As in gdb, less and vi.
TEST_F(FunctionEntries, ASearchThatFindsNothingChangesNothing) {
  const std::string program = guest("inner_entries");
  const std::string before = lab("s7", program);
  const std::string never = lab("s7 r never", program);
  EXPECT_TRUE(contains(never, "the program ends before that: exit status 0")) << never;
  const auto place = [](const std::string& screen) {
    const std::size_t at = screen.find("instruction ");
    return screen.substr(at, screen.find('\n', at) - at);
  };
  EXPECT_EQ(place(never), place(before));
  EXPECT_EQ(place(lab("s7 r 0x700000", program)), place(before));
  const Finished unknown = hardclock({"lab", "--keys=r nobody", program});
  EXPECT_TRUE(contains(unknown.err, "the program has no function 'nobody'")) << unknown.err;
}

}  // namespace
}  // namespace hardclock::cli_test
