// How fast whole programs run, which one small loop does not tell: they have much code, many
// processes and many misses. The rate is guest instructions per second of processor time, so
// compare rows of one run with each other.
//
//   bazel run -c opt //tests/benchmarks:whole_programs_benchmark
//
// SGI's compiler is looked for in $HARDCLOCK_IDO, a guest root with IDO 5.3 (default:
// ../shared/irix/ido5.3 beside the checkout), GCC's in $HARDCLOCK_CC1, a folder that fetch-cc1 has
// made. Without them their rows are skipped.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/benchmarks/timed_command.h"

namespace hardclock::benchmarks {
namespace {

// A file of this benchmark, by its name among the runfiles; valid wherever it is run.
std::string file(const std::string& name) {
  static const std::filesystem::path folder = std::filesystem::current_path();
  return folder / name;
}

// The commands run in it. Called before anything else.
bool enter_empty_folder() {
  file("");
  char name[] = "/tmp/whole_programs.XXXXXX";
  if (mkdtemp(name) == nullptr) return false;
  std::filesystem::current_path(name);
  return true;
}

void copy_here(const std::string& from) {
  std::error_code missing;  // the row that needs it says so
  std::filesystem::copy_file(from, std::filesystem::path(from).filename(), missing);
}

std::string environment(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

std::string beside_the_checkout(const std::string& path) {
  return environment("BUILD_WORKSPACE_DIRECTORY", ".") + "/../" + path;
}

Command with(const Command& first, const Command& then) {
  Command both = first;
  both.insert(both.end(), then.begin(), then.end());
  return both;
}

// One row for each of `options`, and one for `peer` if it is not empty.
void add_program(const std::string& name, const std::vector<Command>& options,
                 const Command& program, const Command& peer, const std::string& reason) {
  const Command functional = with({"--timing=functional"}, program);
  const double instructions = instructions_of(file("hardclock"), functional);
  const auto add_row = [&](const std::string& row, const Command& command) {
    add(name + "/" + row, command, instructions, reason);
  };
  for (const Command& some : options) {
    add_row(some.front().substr(some.front().find('=') + 1),
            with(with({file("hardclock"), "run"}, some), program));
  }
  if (!peer.empty()) add_row("qemu", peer);
}

const std::vector<Command> timings = {{"--timing=functional"},
                                      {"--cpu=r4400"},
                                      {"--machine=indigo2-r4400"},
                                      {"--machine=indy-r4600"}};

void add_large_program() {
  const std::string program = file("tests/benchmarks/large_program");
  add_program("large_program", timings, {program}, {"qemu-mips", program},
              "the program does not run; is qemu-user installed?");
}

// SGI's cc -O2 of a thousand lines: five processes.
void add_sgi_compiler() {
  const std::string root = environment("HARDCLOCK_IDO", beside_the_checkout("shared/irix/ido5.3"));
  const std::string source = beside_the_checkout("shared/irix/src/t1000.c");
  const Command compile = {"-L",          root,  "--cwd=rw", "--env",  "PATH=/usr/bin",
                           "/usr/bin/cc", "-O2", "-c",       "t1000.c"};
  copy_here(source);
  add_program("sgi_cc", timings, compile, {}, "no IDO 5.3; set HARDCLOCK_IDO to its guest root");
}

// GCC's compiler proper, for MIPS64 release 2, of which no processor here has a pipeline.
void add_gcc() {
  const std::string root = environment("HARDCLOCK_CC1", "");
  const std::string cc1 = "/usr/lib/gcc/mips64el-linux-gnuabi64/12/cc1";
  const Command options = {"-quiet", "-fpreprocessed", "-O2", "cc1_input.i", "-o", "/dev/null"};
  copy_here(file("tests/benchmarks/cc1_input.i"));
  add_program("gcc_cc1", {{"--timing=functional"}}, with({"-L", root, "--cwd=ro", cc1}, options),
              with({"qemu-mips64el", "-L", root, root + cc1}, options),
              "no cc1; run tests/benchmarks/fetch-cc1 FOLDER and set HARDCLOCK_CC1 to FOLDER");
}

}  // namespace
}  // namespace hardclock::benchmarks

int main(int argc, char** argv) {
  using namespace hardclock::benchmarks;
  benchmark::Initialize(&argc, argv);
  if (!enter_empty_folder()) return 1;
  add_large_program();
  add_sgi_compiler();
  add_gcc();
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(std::filesystem::current_path());
  return 0;
}
