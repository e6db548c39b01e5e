// The system's files of /proc. Source: proc(5).
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <string_view>

#include "isa/mips/abi.h"
#include "sim/memory/page.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/pipe_calls.h"
#include "syscalls/linux/process_files.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using host::FileType;
using host::MadeFile;

constexpr std::uint64_t microseconds_per_hundredth = 10'000, per_second = 100;

// "12.34", of hundredths of a second.
std::string seconds_text(std::uint64_t hundredths) {
  char text[40];
  std::snprintf(text, sizeof text, "%llu.%02llu",
                static_cast<unsigned long long>(hundredths / per_second),
                static_cast<unsigned long long>(hundredths % per_second));
  return text;
}

struct Usage {
  std::uint64_t total = 0, user = 0, system = 0;  // hundredths of a second
  std::uint64_t idle() const { return total - std::min(total, user + system); }
};

// Of the processes that there are; what ended before is in its parent's time.
Usage usage_of(Simulation& simulation) {
  Usage usage;
  usage.total = simulation.clock().microseconds() / microseconds_per_hundredth;
  const std::uint64_t rate = simulation.clock().tick_rate().value();
  CpuTime time;
  for (const Process* const process : simulation.processes()) {
    time += process->time;
    time += process->children_time;
  }
  usage.user = time.user.value() * clock_ticks / rate;
  usage.system = time.system.value() * clock_ticks / rate;
  return usage;
}

struct Threads {
  std::uint64_t all = 0, running = 0;
  int last_pid = 0;
};

Threads threads_of(Simulation& simulation) {
  Threads threads;
  for (const Process* const process : simulation.processes()) {
    threads.last_pid = std::max(threads.last_pid, process->pid);
    for (const auto& thread : process->threads) {
      ++threads.all;
      threads.running += thread->may_run() && !thread->waiting() ? 1 : 0;
    }
  }
  return threads;
}

// Linux 6.1, arch/mips/kernel/cpu-probe.c, cpu_probe_legacy() and cpu_probe_mips(): company and
// implementation, in PRId's bits 23 to 8.
struct MipsModel {
  std::uint32_t implementation;
  std::string_view name;
};
constexpr MipsModel mips_models[] = {
    {0x0001, "R2000"},    {0x0002, "R3000A"},   {0x0004, "R4400SC"},  {0x0009, "R10000"},
    {0x000e, "R12000"},   {0x0020, "R4600"},    {0x0021, "R4700"},    {0x0023, "R5000"},
    {0x0180, "MIPS 4Kc"}, {0x0181, "MIPS 5Kc"}, {0x0189, "MIPS 5KE"}, {0x0193, "MIPS 24Kc"},
};

// Revisions are two digits (proc.c there, show_cpuinfo()).
std::string mips_model(const mips::Registers& registers) {
  constexpr unsigned implementation_shift = 8, first_r4400 = 0x40;
  const std::uint32_t id = registers.processor_revision, fpu = registers.fpu_revision;
  const auto found =
      std::ranges::find(mips_models, id >> implementation_shift, &MipsModel::implementation);
  if (found == std::end(mips_models)) return {};
  const bool is_r4000 = found->name == "R4400SC" && (id & 0xff) < first_r4400;
  char revisions[60];
  std::snprintf(revisions, sizeof revisions, " V%u.%u  FPU V%u.%u", id >> 4 & 15, id & 15,
                fpu >> 4 & 15, fpu & 15);
  return std::string(is_r4000 ? "R4000SC" : found->name) + revisions;
}

std::string cpuinfo(const Simulation& simulation, const posix::Kernel& kernel) {
  const Process* const caller = simulation.find(kernel.caller());
  const bool is_mips = caller->image->architecture == Architecture::mips;
  constexpr std::uint64_t hertz_per_hundredth = 10'000;
  const std::string megahertz =
      seconds_text(simulation.options().cpu_clock.value() / hertz_per_hundredth);
  std::string text;
  if (is_mips) text += "system type\t\t: hardclock\n";
  text += is_mips ? "processor\t\t: 0\n" : "processor\t: 0\n";
  if (is_mips) {
    const std::string model = mips_model(mips::registers_of(*caller->threads.front()->cpu));
    if (!model.empty()) text += "cpu model\t\t: " + model + "\n";
  }
  text += is_mips ? "cpu MHz\t\t\t: " : "cpu MHz\t\t: ";
  return text + megahertz + "\n\n";
}

std::string meminfo(const Simulation& simulation) {
  const MemoryBudget& budget = *simulation.budget();
  const std::uint64_t total = budget.limit_bytes(), free = std::min(total, budget.free_bytes());
  const std::pair<const char*, std::uint64_t> lines[] = {
      {"MemTotal:", total}, {"MemFree:", free},  {"MemAvailable:", free}, {"Buffers:", 0},
      {"Cached:", 0},       {"SwapCached:", 0},  {"SwapTotal:", 0},       {"SwapFree:", 0},
      {"Shmem:", 0},        {"SReclaimable:", 0}};
  std::string text;
  for (const auto& [name, bytes] : lines) {
    char line[60];
    std::snprintf(line, sizeof line, "%-15s %8llu kB\n", name,
                  static_cast<unsigned long long>(bytes >> 10));
    text += line;
  }
  return text;
}

std::string stat(Simulation& simulation) {
  const Usage usage = usage_of(simulation);
  const Threads threads = threads_of(simulation);
  const std::string times = std::to_string(usage.user) + " 0 " + std::to_string(usage.system) +
                            " " + std::to_string(usage.idle()) + " 0 0 0 0 0 0\n";
  return "cpu  " + times + "cpu0 " + times + "intr " +
         std::to_string(simulation.clock().ticks().value()) + "\nctxt 0\nbtime " +
         std::to_string(simulation.options().boot_time) + "\nprocesses " +
         std::to_string(threads.last_pid) + "\nprocs_running " + std::to_string(threads.running) +
         "\nprocs_blocked 0\n";
}

std::string uptime(Simulation& simulation) {
  const Usage usage = usage_of(simulation);
  return seconds_text(usage.total) + " " + seconds_text(usage.idle()) + "\n";
}

std::string loadavg(Simulation& simulation) {
  const Threads threads = threads_of(simulation);
  return "0.00 0.00 0.00 " + std::to_string(threads.running) + "/" + std::to_string(threads.all) +
         " " + std::to_string(threads.last_pid) + "\n";
}

// What is directly below /proc and does not belong to a process.
std::optional<std::string> top_file(Simulation& simulation, const posix::Kernel& kernel,
                                    std::string_view name) {
  if (name == "cpuinfo") return cpuinfo(simulation, kernel);
  if (name == "filesystems") return "\text2\nnodev\tproc\n";
  if (name == "loadavg") return loadavg(simulation);
  if (name == "meminfo") return meminfo(simulation);
  if (name == "stat") return stat(simulation);
  if (name == "uptime") return uptime(simulation);
  if (name == "version") return "Linux version " + std::string(release) + " (hardclock) #1\n";
  return std::nullopt;
}

// /proc/sys, without "sys/".
std::optional<std::string> setting(const Simulation& simulation, const posix::Kernel& kernel,
                                   std::string_view path) {
  const auto line = [](const auto& value) { return std::to_string(value) + "\n"; };
  constexpr std::uint64_t largest_pid = 1 << 15;
  if (path == "fs/file-max") return line(open_files.maximum * simulation.options().max_processes);
  if (path == "fs/pipe-max-size") return line(largest_pipe);
  if (path == "kernel/hostname") return kernel.host_name() + "\n";
  if (path == "kernel/ngroups_max") return line(posix::groups_max);
  if (path == "kernel/osrelease") return std::string(release) + "\n";
  if (path == "kernel/ostype") return "Linux\n";
  if (path == "kernel/pid_max") return line(largest_pid);
  if (path == "kernel/threads-max") return line(simulation.options().max_threads);
  if (path == "kernel/version") return "#1\n";
  if (path == "vm/max_map_count") return line(most_regions);
  if (path == "vm/overcommit_memory") return "0\n";
  return std::nullopt;
}

const std::map<std::string_view, std::vector<std::string>>& directories() {
  static const std::map<std::string_view, std::vector<std::string>> all = {
      {"sys", {"fs", "kernel", "vm"}},
      {"sys/fs", {"file-max", "pipe-max-size"}},
      {"sys/kernel",
       {"hostname", "ngroups_max", "osrelease", "ostype", "pid_max", "threads-max", "version"}},
      {"sys/vm", {"max_map_count", "overcommit_memory"}},
  };
  return all;
}

}  // namespace

std::vector<std::string> system_file_names() {
  return {"cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version"};
}

std::optional<MadeFile> system_file(Simulation& simulation, const posix::Kernel& kernel,
                                    std::string_view path) {
  if (const auto found = directories().find(path); found != directories().end()) {
    return MadeFile{FileType::directory, 0555, {}, found->second};
  }
  constexpr std::string_view settings = "sys/";
  auto content = path.starts_with(settings)
                     ? setting(simulation, kernel, path.substr(settings.size()))
                     : top_file(simulation, kernel, path);
  if (!content) return std::nullopt;
  return MadeFile{FileType::regular, 0444, *std::move(content)};
}

}  // namespace hardclock::gnu_linux
