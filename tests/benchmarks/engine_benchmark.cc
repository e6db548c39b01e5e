// How fast guests run: hardclock functional, with the timing of each processor and of whole
// machines, QEMU with and without -singlestep, all on the same program (tests/guests/bench.c: for
// MIPS the IRIX and the Linux build, for PA-RISC a Linux build), in one run. The rate is guest
// instructions per second of processor time, user and system, of the whole process, so compare rows
// of one run with each other: machines differ and are shared.
//
//   bazel run //tests/benchmarks:engine_benchmark
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr const char* hardclock_program = "./hardclock";
constexpr const char* irix_guest = "tests/guests/bench";
constexpr const char* linux_guest = "tests/guests/bench_linux";
constexpr const char* hppa_guest = "tests/guests/bench_hppa";
// About a million instructions each.
constexpr const char* rounds = "200";
constexpr const char* few_rounds = "20";  // for what is slow

// Processor seconds of one run of the command, or a negative number when it fails.
double seconds_of(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What hardclock counts; qemu runs the same instructions but for the system call stubs.
double guest_instructions(const std::string& guest, const std::string& rounds_of_guest) {
  char name[] = "/tmp/engine_benchmark.XXXXXX.json";
  const int descriptor = mkstemps(name, 5);
  close(descriptor);
  const double seconds = seconds_of(
      {hardclock_program, "run", std::string("--stats=") + name, guest, rounds_of_guest});
  double instructions = 0;
  if (seconds >= 0) {
    instructions = nlohmann::json::parse(std::ifstream(name)).at("instructions").get<double>();
  }
  unlink(name);
  return instructions;
}

void run(benchmark::State& state, const std::vector<std::string>& command) {
  static std::map<std::pair<std::string, std::string>, double> known;  // by guest and rounds
  const std::string& program = command[command.size() - 2];
  const std::string guest = program == linux_guest ? irix_guest : program;
  double& instructions = known[{guest, command.back()}];
  if (instructions == 0) instructions = guest_instructions(guest, command.back());
  for (auto iteration : state) {
    const double seconds = seconds_of(command);
    if (seconds < 0 || instructions == 0) {
      state.SkipWithError("the command failed; is qemu-user installed?");
      break;
    }
    state.SetIterationTime(seconds);
  }
  state.counters["instructions/s"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsIterationInvariantRate);
}

void add(const std::string& name, const std::vector<std::string>& command) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [command](benchmark::State& state) { run(state, command); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(3)
      ->Repetitions(3)
      ->ReportAggregatesOnly();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  add("hardclock_functional",
      {hardclock_program, "run", "--timing=functional", irix_guest, rounds});
  for (const char* const cpu : {"r2000", "r3000", "r4000", "r4400", "r4600", "r4700", "r5000",
                                "r8000", "r10000", "r12000"}) {
    const bool slow = std::string(cpu).size() > 5;  // out of order
    add(std::string("hardclock_") + cpu, {hardclock_program, "run", std::string("--cpu=") + cpu,
                                          irix_guest, slow ? few_rounds : rounds});
  }
  for (const char* const machine : {"indigo", "indigo2-r4400", "indy-r4600", "o2", "octane"}) {
    const bool slow = std::string(machine) == "octane";
    add(std::string("machine_") + machine,
        {hardclock_program, "run", std::string("--machine=") + machine, irix_guest,
         slow ? few_rounds : rounds});
  }
  add("pa_risc_functional", {hardclock_program, "run", "--timing=functional", hppa_guest, rounds});
  for (const char* const cpu : {"pa7000", "pa7100", "pa7100lc", "pa7200", "pa7300lc"}) {
    add(std::string("hardclock_") + cpu,
        {hardclock_program, "run", std::string("--cpu=") + cpu, hppa_guest, rounds});
  }
  add("hardclock_pa8000", {hardclock_program, "run", "--cpu=pa8000", hppa_guest, few_rounds});
  add("machine_712-80", {hardclock_program, "run", "--machine=712-80", hppa_guest, rounds});
  add("machine_c180", {hardclock_program, "run", "--machine=c180", hppa_guest, few_rounds});
  add("qemu_hppa_singlestep", {"qemu-hppa", "-singlestep", hppa_guest, rounds});
  add("qemu_hppa", {"qemu-hppa", hppa_guest, rounds});
  add("qemu_singlestep", {"qemu-mips", "-singlestep", linux_guest, rounds});
  add("qemu", {"qemu-mips", linux_guest, rounds});
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
