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

const std::string& hardclock_program() {
  static const std::string program = std::filesystem::absolute("hardclock");
  return program;
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
  const double instructions = instructions_of(hardclock_program(), functional);
  const auto add_row = [&](const std::string& row, const Command& command) {
    add(name + "/" + row, command, instructions, reason);
  };
  for (const Command& some : options) {
    add_row(some.front().substr(some.front().find('=') + 1),
            with(with({hardclock_program(), "run"}, some), program));
  }
  if (!peer.empty()) add_row("qemu", peer);
}

const std::vector<Command> timings = {{"--timing=functional"},
                                      {"--cpu=r4400"},
                                      {"--machine=indigo2-r4400"},
                                      {"--machine=indy-r4600"}};

void add_large_program() {
  const std::string program = std::filesystem::absolute("tests/benchmarks/large_program");
  add_program("large_program", timings, {program}, {"qemu-mips", program},
              "the program does not run; is qemu-user installed?");
}

// SGI's cc -O2 of a thousand lines: five processes.
void add_sgi_compiler() {
  const std::string root = environment("HARDCLOCK_IDO", beside_the_checkout("shared/irix/ido5.3"));
  const std::string source = beside_the_checkout("shared/irix/src/t1000.c");
  const Command compile = {"-L",          root,  "--cwd=rw", "--env",  "PATH=/usr/bin",
                           "/usr/bin/cc", "-O2", "-c",       "t1000.c"};
  std::error_code missing;
  std::filesystem::copy_file(source, "t1000.c", std::filesystem::copy_options::overwrite_existing,
                             missing);
  add_program("sgi_cc", timings, compile, {}, "no IDO 5.3; set HARDCLOCK_IDO to its guest root");
}

// GCC's compiler proper, for MIPS64 release 2, of which no processor here has a pipeline.
void add_gcc() {
  const std::string root = environment("HARDCLOCK_CC1", "");
  const std::string cc1 = "/usr/lib/gcc/mips64el-linux-gnuabi64/12/cc1";
  const Command options = {"-quiet", "-fpreprocessed", "-O2", "cc1_input.i", "-o", "/dev/null"};
  std::filesystem::current_path("tests/benchmarks");
  add_program("gcc_cc1", {{"--timing=functional"}}, with({"-L", root, "--cwd=ro", cc1}, options),
              with({"qemu-mips64el", "-L", root, root + cc1}, options),
              "no cc1; run tests/benchmarks/fetch-cc1 FOLDER and set HARDCLOCK_CC1 to FOLDER");
}

}  // namespace
}  // namespace hardclock::benchmarks

int main(int argc, char** argv) {
  using namespace hardclock::benchmarks;
  benchmark::Initialize(&argc, argv);
  add_large_program();
  add_sgi_compiler();
  add_gcc();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
