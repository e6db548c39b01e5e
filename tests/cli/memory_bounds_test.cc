// --max-memory bounds what a guest costs the host: its pages, and all that hardclock keeps beside
// them. Each program asks for much more; it is told so (ENOMEM, EAGAIN), or gets what it wants at
// no cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

std::string bounds_guest(std::string_view name) {
  return guest("bounds/" + std::string(name));
}

// tests/guests/bounds/bounds.h
constexpr int all_given = 0;
constexpr int refused = 3;
// By SIGKILL: a page that it had mapped could not be had.
constexpr int killed = 137;

struct Greed {
  const char* name;
  const char* program;
  std::vector<std::string> arguments;
  std::uint64_t limit;  // MiB
  std::vector<int> endings;
  std::uint64_t beside = 256;  // MiB that hardclock may take beside 1.5 times the limit
};

std::ostream& operator<<(std::ostream& out, const Greed& greed) {
  return out << greed.program;
}

const Greed greedy_programs[] = {
    {"CodeInManyProcesses", "long_code", {"1024", "10"}, 16, {all_given, refused}},
    // What hardclock takes of the host's addresses for each is limited, too.
    {"LoopsInManyProcesses", "looping_children", {"250"}, 16, {all_given}},
    {"LongCode", "long_code", {"8192", "1"}, 16, {all_given, refused}},
    {"CodeAtManyAddresses", "moving_code", {"2000"}, 16, {all_given}},
    {"ManyPrograms", "fork_exec", {"400", "child"}, 16, {all_given}},
    {"ManyProgramsInOneProcess", "exec_self", {"200"}, 16, {all_given}},
    {"ManyRegions", "map_pages", {"2500000"}, 16, {refused}},
    {"RegionsOfManyProcesses", "fork_regions", {"40000", "100"}, 256, {all_given, refused}},
    {"PagesOfManyProcesses", "fork_pages", {"200", "250"}, 256, {all_given, refused}},
    {"FullPipes", "full_pipes", {"120"}, 16, {all_given, refused}, 80},
    {"OpenDirectories", "open_directories", {"2000", "1"}, 16, {all_given, refused}, 128},
    {"MappedFiles", "shared_file", {"8", "20"}, 16, {refused, killed}},
    {"UndoneSemaphores", "undo_semaphores", {"8", "60"}, 16, {refused}},
    {"DeepNamesOfFiles", "deep_names", {"file", "4000"}, 16, {all_given, refused}},
    {"DeepNamesOfFolders", "deep_names", {"folder", "4000"}, 16, {all_given, refused}},
    // Calls that could last for hours; the harness ends the run after two minutes.
    {"PermissionsOfMuchMemory", "protect_loop", {"400", "1000"}, 16, {all_given}},
    {"SynchronizedRegions", "sync_loop", {"8000", "8000"}, 64, {all_given}},
};

class MemoryBounds : public CommandTest {};
class MemoryBoundsOf : public MemoryBounds, public ::testing::WithParamInterface<Greed> {};

std::string name_of(const ::testing::TestParamInfo<Greed>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Guests, MemoryBoundsOf, ::testing::ValuesIn(greedy_programs), name_of);

TEST_P(MemoryBoundsOf, Guest) {
  const Greed& greed = GetParam();
  // What a guest can start lies in its working directory.
  std::filesystem::copy_file(bounds_guest("fork_wait"), path("child"));
  std::filesystem::copy_file(bounds_guest(greed.program), path("program"));
  std::vector<std::string> arguments = {"run", "--max-memory=" + std::to_string(greed.limit) + "M",
                                        "program"};
  arguments.insert(arguments.end(), greed.arguments.begin(), greed.arguments.end());
  const Finished finished = hardclock(arguments);
  EXPECT_THAT(greed.endings, ::testing::Contains(finished.status)) << finished.err;
  const std::uint64_t limit = greed.limit << 20;
  EXPECT_LE(finished.peak_bytes, limit + limit / 2 + (greed.beside << 20));
}

// What a kernel keeps for its programs, kind by kind.
TEST_F(MemoryBounds, KernelObjects) {
  const Finished listed = hardclock({"run", bounds_guest("kernel_objects")});
  std::istringstream kinds(listed.out);
  unsigned count = 0;
  for (std::string kind; std::getline(kinds, kind); ++count) {
    const Finished finished =
        hardclock({"run", "--max-memory=16M", bounds_guest("kernel_objects"), kind});
    EXPECT_THAT(finished.status, ::testing::AnyOf(all_given, refused, killed))
        << kind << ": " << finished.err;
    EXPECT_LE(finished.peak_bytes, (std::uint64_t{16 + 8 + 256} << 20)) << kind;
  }
  EXPECT_GE(count, 60u) << listed.err;
}

// setrlimit(2), RLIMIT_AS, as batch systems and shared hosts set it: what hardclock cannot have is
// no reason to crash, whoever asks for it, and what has run is not lost (docs/manual.md, "Exit
// status").
class HostMemory : public MemoryBounds, public ::testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Engines, HostMemory,
                         ::testing::Values("interpreter", "translator", "machine"));

TEST_P(HostMemory, EndsInOrder) {
  const std::string engine = GetParam();
  for (const int kib : {500'000, 700'000, 900'000}) {
    std::filesystem::create_directory(path("tmp"));
    const Finished finished = other_program(
        {"sh", "-c",
         "ulimit -v " + std::to_string(kib) + "; TMPDIR=" + path("tmp") + " exec " +
             hardclock_path() + " run --stats=" + path("s.json") + " --profile=" + path("p.json") +
             (engine == "machine" ? " --isa=any --machine=indigo2-r4400 "
                                  : " --engine=" + engine + " ") +
             " --max-memory=2G " + bounds_guest("fill_memory") + " 1100"});
    expect_sound(finished);
    EXPECT_EQ(finished.status, own_failure);
    EXPECT_TRUE(contains(finished.err, "out of memory")) << finished.err;
    EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
    const auto stats = nlohmann::json::parse(read("s.json"));
    EXPECT_EQ(stats["outcome"], "out of memory");
    EXPECT_GT(stats["instructions"].get<std::uint64_t>(), 50'000u);
    EXPECT_EQ(hardclock({"report", path("p.json"), bounds_guest("fill_memory")}).status, 0);
    std::filesystem::remove(path("s.json"));
    std::filesystem::remove(path("p.json"));
  }
}

// A build of a thousand files starts a thousand programs: what one leaves behind is next to
// nothing.
TEST_F(MemoryBounds, EndedProcessesLeaveNothing) {
  const auto peak = [&](const char* count) {
    const Finished finished =
        hardclock({"run", "--max-memory=16M", bounds_guest("fork_wait"), count});
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished.peak_bytes;
  };
  const std::uint64_t few = peak("1000"), many = peak("9000");
  EXPECT_LE(many, few + (std::uint64_t{16} << 20));
}

// A profile takes 16 bytes for each reason of an instruction, and nothing larger on the way to it.
TEST_F(MemoryBounds, ReasonsOfMuchCode) {
  const Finished finished =
      hardclock({"run", "--max-memory=1G", "--isa=any", "--machine=indigo2-r4400", "--reasons",
                 "--profile=" + path("p.json"), bounds_guest("long_code"), "16384", "1"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_LE(finished.peak_bytes, std::uint64_t{720} << 20);
}

// Statistics list ten thousand programs that ended and lose nothing of the others.
TEST_F(MemoryBounds, LaterRunsAreSummedUp) {
  constexpr std::uint64_t children = 10'050;
  const Finished finished = hardclock({"run", "--max-memory=16M", "--stats=" + path("s.json"),
                                       bounds_guest("fork_wait"), std::to_string(children)});
  ASSERT_EQ(finished.status, 0) << finished.err;
  std::ifstream file(path("s.json"));
  const auto stats = nlohmann::json::parse(file);
  std::uint64_t runs = 0, instructions = 0;
  for (const auto& program : stats["programs"]) {
    runs += program.value("runs", std::uint64_t{1});
    instructions += program["instructions"].get<std::uint64_t>();
  }
  EXPECT_EQ(runs, children + 1);
  EXPECT_EQ(instructions, stats["instructions"].get<std::uint64_t>());
  EXPECT_LE(stats["programs"].size(), 10'001u);
}

}  // namespace
}  // namespace hardclock::cli_test
