#include "tests/benchmarks/timed_command.h"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hardclock::benchmarks {
namespace {

[[noreturn]] void execute(const Command& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  execvp(argv[0], argv.data());
  _exit(127);
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

}  // namespace

double seconds_of(const Command& command) {
  const pid_t child = fork();
  if (child == 0) execute(command);
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double instructions_of(const std::string& hardclock, const Command& options) {
  char name[] = "/tmp/benchmark.XXXXXX.json";
  const int descriptor = mkstemps(name, 5);
  if (descriptor < 0) return 0;
  close(descriptor);
  Command command{hardclock, "run", std::string("--stats=") + name};
  command.insert(command.end(), options.begin(), options.end());
  double instructions = 0;
  if (seconds_of(command) >= 0) {
    instructions = nlohmann::json::parse(std::ifstream(name)).at("instructions").get<double>();
  }
  unlink(name);
  return instructions;
}

void add(const std::string& name, const Command& command, double instructions,
         const std::string& reason) {
  const auto run = [command, instructions, reason](benchmark::State& state) {
    for (auto iteration : state) {
      const double taken = instructions == 0 ? -1 : seconds_of(command);
      if (taken < 0) {
        state.SkipWithError(reason.c_str());
        break;
      }
      state.SetIterationTime(taken);
    }
    state.counters["instructions/s"] =
        benchmark::Counter(instructions, benchmark::Counter::kIsIterationInvariantRate);
  };
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->Repetitions(5)
      ->ReportAggregatesOnly();
}

}  // namespace hardclock::benchmarks
