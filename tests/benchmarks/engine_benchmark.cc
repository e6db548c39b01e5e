// How fast guests run: hardclock functional, with the timing of each processor and of whole
// machines, QEMU with and without -singlestep, all on the same program (tests/guests/bench.c: for
// MIPS the IRIX and the Linux build, for PA-RISC a Linux build), in one run. The rate is guest
// instructions per second of processor time, user and system, of the whole process, so compare rows
// of one run with each other: machines differ and are shared.
//
//   bazel run //tests/benchmarks:engine_benchmark
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>

#include "tests/benchmarks/timed_command.h"

namespace hardclock::benchmarks {
namespace {

constexpr const char* hardclock_program = "./hardclock";
constexpr const char* irix_guest = "tests/guests/bench";
constexpr const char* linux_guest = "tests/guests/bench_linux";
constexpr const char* irix_guest_that_misses = "tests/guests/bench_misses";
constexpr const char* linux_guest_that_misses = "tests/guests/bench_misses_linux";
constexpr const char* hppa_guest = "tests/guests/bench_hppa";
// About a million instructions each.
constexpr const char* rounds = "200";
constexpr const char* few_rounds = "20";  // for what is slow

// What hardclock counts; qemu runs the same instructions but for the system call stubs.
double instructions_of_guest(const std::string& guest, const std::string& rounds_of_guest) {
  static std::map<std::pair<std::string, std::string>, double> known;
  double& instructions = known[{guest, rounds_of_guest}];
  if (instructions == 0)
    instructions = instructions_of(hardclock_program, {guest, rounds_of_guest});
  return instructions;
}

void add_row(const std::string& name, const Command& command) {
  const std::string& program = command[command.size() - 2];
  const std::string guest = program == linux_guest               ? irix_guest
                            : program == linux_guest_that_misses ? irix_guest_that_misses
                                                                 : program;
  add(name, command, instructions_of_guest(guest, command.back()),
      "the command failed; is qemu-user installed?");
}

}  // namespace
}  // namespace hardclock::benchmarks

int main(int argc, char** argv) {
  using namespace hardclock::benchmarks;
  benchmark::Initialize(&argc, argv);
  add_row("hardclock_functional",
          {hardclock_program, "run", "--timing=functional", irix_guest, rounds});
  for (const char* const cpu : {"r2000", "r3000", "r4000", "r4400", "r4600", "r4700", "r5000",
                                "r8000", "r10000", "r12000"}) {
    const bool slow = std::string(cpu).size() > 5;  // out of order
    add_row(std::string("hardclock_") + cpu, {hardclock_program, "run", std::string("--cpu=") + cpu,
                                              irix_guest, slow ? few_rounds : rounds});
  }
  for (const char* const machine : {"indigo", "indigo2-r4400", "indy-r4600", "o2", "octane"}) {
    const bool slow = std::string(machine) == "octane";
    add_row(std::string("machine_") + machine,
            {hardclock_program, "run", std::string("--machine=") + machine, irix_guest,
             slow ? few_rounds : rounds});
  }
  for (const char* const machine : {"indigo2-r4400", "indy-r4600", "octane"}) {
    const bool slow = std::string(machine) == "octane";
    add_row(std::string("misses_") + machine,
            {hardclock_program, "run", std::string("--machine=") + machine, irix_guest_that_misses,
             slow ? few_rounds : rounds});
  }
  add_row("pa_risc_functional",
          {hardclock_program, "run", "--timing=functional", hppa_guest, rounds});
  for (const char* const cpu : {"pa7000", "pa7100", "pa7100lc", "pa7200", "pa7300lc"}) {
    add_row(std::string("hardclock_") + cpu,
            {hardclock_program, "run", std::string("--cpu=") + cpu, hppa_guest, rounds});
  }
  add_row("hardclock_pa8000", {hardclock_program, "run", "--cpu=pa8000", hppa_guest, few_rounds});
  add_row("machine_712-80", {hardclock_program, "run", "--machine=712-80", hppa_guest, rounds});
  add_row("machine_c180", {hardclock_program, "run", "--machine=c180", hppa_guest, few_rounds});
  add_row("qemu_hppa_singlestep", {"qemu-hppa", "-singlestep", hppa_guest, rounds});
  add_row("qemu_hppa", {"qemu-hppa", hppa_guest, rounds});
  add_row("qemu_singlestep", {"qemu-mips", "-singlestep", linux_guest, rounds});
  add_row("qemu", {"qemu-mips", linux_guest, rounds});
  add_row("qemu_misses", {"qemu-mips", linux_guest_that_misses, rounds});
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
