// Ten thousand damaged programs, each run as `hardclock run` runs it: it says in a line what is
// wrong, or the program runs and ends as programs do; never a crash, never without end.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>
#include <random>
#include <tuple>

#include "cli/commands.h"
#include "tests/cli/command_test.h"
#include "tests/fuzz/elf_seeds.h"
#include "tests/fuzz/program_damage.h"

namespace hardclock::cli_test {
namespace {

constexpr int mutants_of_each = 1700;
constexpr int chunks = 10;
constexpr unsigned longest_mutant = 60;  // seconds; a guard against hanging only

struct Base {
  const char* name;
  const char* file;  // below tests/guests; null: what linked_program() makes
};
constexpr Base bases[] = {
    {"Mips", "spin"},           {"MipsN64", "abis_n64"},
    {"LinkedMips", nullptr},    {"PaRiscLinux", "bench_hppa"},
    {"Som", "hppa/hpux/hello"}, {"PaRisc64", "hppa/prebuilt/hello_64"},
};

// //tests/fuzz:programs
std::string kept_programs() {
  return guest("../fuzz/corpus/programs");
}

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view linker_path = "/lib/rld";

Bytes linked_program() {
  return fuzzing::make_elf({.base = 0x400000, .interpreter = linker_path});
}
Bytes linker() {
  return fuzzing::make_elf({.shared = true, .base = 0x0fb60000});
}

void write_to(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// As main() does. What else is thrown ends the process.
int run_as_main(const std::vector<std::string>& arguments) noexcept {
  try {
    return run_command(arguments);
  } catch (const std::bad_alloc&) {
    return own_failure;
  }
}

std::string content_of(int file) {
  std::string text(4096, '\0');
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return text;
}

// `hardclock run` in a copy of this process.
Finished run_here(const std::string& directory, const std::vector<std::string>& arguments) {
  const int output = ::memfd_create("errors", 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const struct rlimit no_core = {0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::dup2(output, STDERR_FILENO);
    if (::chdir(directory.c_str()) != 0 || std::freopen("/dev/null", "w", stdout) == nullptr) {
      ::_exit(1);
    }
    ::alarm(longest_mutant);
    ::_exit(run_as_main(arguments));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Finished run;
  run.crashed = WIFSIGNALED(status);
  run.status = run.crashed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  run.err = content_of(output);
  ::close(output);
  return run;
}

class Mutants : public CommandTest, public ::testing::WithParamInterface<std::tuple<Base, int>> {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(path("root/lib"));
    write_to(path("root/lib/rld"), linker());
    const Base& base = std::get<0>(GetParam());
    if (base.file == nullptr) {
      sound_ = linked_program();
      return;
    }
    const std::string bytes = read_file(guest(base.file));
    sound_.assign(bytes.begin(), bytes.end());
  }

  // Of a program with a dynamic linker that is damaged in its place every second time.
  void write_mutant(std::minstd_rand& random) const {
    const bool has_linker = std::get<0>(GetParam()).file == nullptr;
    const bool damage_linker = has_linker && random() % 2 == 0;
    Bytes program = sound_, its_linker = linker();
    fuzzing::damage_program(damage_linker ? its_linker : program, random);
    write_to(path("mutant"), program);
    if (has_linker) write_to(path("root/lib/rld"), its_linker);
  }

  std::vector<std::string> arguments(std::minstd_rand& random) const {
    std::vector<std::string> all = {"--max-instructions=1000", "--max-memory=16M", "-L", "root"};
    constexpr const char* choices[] = {
        nullptr,       nullptr,        "--os=irix",        "--os=linux",         "--os=hpux",
        "--cpu=r3000", "--cpu=r10000", "--machine=712-80", "--timing=functional"};
    if (const char* const choice = choices[random() % std::size(choices)]) all.emplace_back(choice);
    all.emplace_back("mutant");
    return all;
  }

  Bytes sound_;
};

std::string name_of(const ::testing::TestParamInfo<std::tuple<Base, int>>& info) {
  return std::get<0>(info.param).name + std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Programs, Mutants,
                         ::testing::Combine(::testing::ValuesIn(bases),
                                            ::testing::Range(0, chunks)),
                         name_of);

// Neither a crash nor a hang; what a program that cannot run says of itself.
void expect_an_ending(const Finished& run) {
  expect_sound(run);
  EXPECT_FALSE(contains(run.err, "internal error")) << run.err;
  if (run.status != own_failure) return;
  EXPECT_TRUE(run.err.starts_with("hardclock: ")) << run.err;
  EXPECT_TRUE(run.err.ends_with("\n")) << run.err;
  EXPECT_LE(lines_of(run.err).size(), 3U) << run.err;
}

TEST_P(Mutants, EndWithAStatus) {
  const int first = std::get<1>(GetParam()) * mutants_of_each / chunks;
  const int behind = (std::get<1>(GetParam()) + 1) * mutants_of_each / chunks;
  for (int seed = first; seed < behind; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::minstd_rand random(static_cast<unsigned>(seed + 1));
    random.discard(10);
    write_mutant(random);
    const std::vector<std::string> words = arguments(random);
    expect_an_ending(run_here(folder(), words));
  }
}

// Those that once did worse.
TEST_F(CommandTest, KeptProgramsEndWithAStatus) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(kept_programs())) {
    SCOPED_TRACE(file.path().filename().string());
    write("mutant", read_file(file.path().string()));
    for (const char* const os : {"--os=irix", "--os=linux", "--os=hpux"}) {
      expect_an_ending(
          run_here(folder(), {"--max-instructions=1000", "--max-memory=16M", os, "mutant"}));
    }
    ++count;
  }
  EXPECT_GE(count, 15);
}

}  // namespace
}  // namespace hardclock::cli_test
