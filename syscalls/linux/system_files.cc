// The system's files of /proc. Source: proc(5).
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <string_view>

#include "isa/ia64/abi.h"
#include "isa/mips/abi.h"
#include "isa/pa_risc/abi.h"
#include "sim/memory/page.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/pipe_calls.h"
#include "syscalls/linux/process_files.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using host::FileType;
using host::SyntheticFile;

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

// "120.000000", with as many digits.
std::string megahertz(Hertz clock, int digits) {
  constexpr std::uint64_t per_megahertz = 1'000'000;
  char text[40];
  std::snprintf(text, sizeof text, "%llu.%06llu",
                static_cast<unsigned long long>(clock.value() / per_megahertz),
                static_cast<unsigned long long>(clock.value() % per_megahertz));
  constexpr int most_digits = 6;
  return std::string(text, std::string_view(text).size() - (most_digits - digits));
}

std::string mips_cpuinfo(Cpu& cpu, Hertz clock) {
  const std::string model = mips_model(mips::registers_of(cpu));
  return "system type\t\t: hardclock\nprocessor\t\t: 0\n" +
         (model.empty() ? "" : "cpu model\t\t: " + model + "\n") +
         "cpu MHz\t\t\t: " + megahertz(clock, 2) + "\n\n";
}

// Linux 6.1, arch/parisc/kernel/hardware.c, cpu_name_version[].
struct PaRiscModel {
  pa_risc::Chip chip;
  std::string_view family, name;
};
constexpr PaRiscModel pa_risc_models[] = {
    {pa_risc::Chip::pa7000, "1.1a", "PA7000 (PCX-S)"},
    {pa_risc::Chip::pa7100, "1.1b", "PA7100 (PCX-T)"},
    {pa_risc::Chip::pa7200, "1.1c", "PA7200 (PCX-T')"},
    {pa_risc::Chip::pa7100lc, "1.1d", "PA7100LC (PCX-L)"},
    {pa_risc::Chip::pa7300lc, "1.1e", "PA7300LC (PCX-L2)"},
    {pa_risc::Chip::pa8000, "2.0", "PA8000 (PCX-U)"},
    {pa_risc::Chip::pa8200, "2.0", "PA8200 (PCX-U+)"},
    {pa_risc::Chip::pa8500, "2.0", "PA8500 (PCX-W)"},
    {pa_risc::Chip::pa8600, "2.0", "PA8600 (PCX-W+)"},
    {pa_risc::Chip::pa8700, "2.0", "PA8700 (PCX-W2)"},
};

// processor.c there, show_cpuinfo(). What the firmware tells of the machine is not known.
std::string pa_risc_cpuinfo(Cpu& cpu, Hertz clock) {
  std::string text = "processor\t: 0\n";
  const auto found =
      std::ranges::find(pa_risc_models, pa_risc::registers_of(cpu).chip, &PaRiscModel::chip);
  if (found != std::end(pa_risc_models)) {
    text += "cpu family\t: PA-RISC " + std::string(found->family) +
            "\ncpu\t\t: " + std::string(found->name) + "\n";
  }
  return text + "cpu MHz\t\t: " + megahertz(clock, 6) + "\n\n";
}

// The first three bits of CPUID[4] have names. Without one of them the text stays as it begins.
std::string ia64_features(std::uint64_t features) {
  constexpr std::string_view names[] = {"branchlong", "spontaneous deferral", "16-byte atomic ops"};
  std::string text;
  const auto add = [&text](std::string_view name) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  };
  for (const std::string_view name : names) {
    if ((features & 1) != 0) add(name);
    features >>= 1;
  }
  features <<= std::size(names);
  if (features != 0) {
    char rest[20];
    std::snprintf(rest, sizeof rest, "0x%llx", static_cast<unsigned long long>(features));
    add(rest);
  }
  return text.empty() ? "standard" : text;
}

// Linux 6.1, arch/ia64/kernel/setup.c, show_cpuinfo() and identify_cpu(): CPUID[3] has bytes.
// "model name" is left out: CPUID does not tell a Madison from a McKinley here.
std::string ia64_cpuinfo(Cpu& cpu, Hertz clock) {
  const ia64::Registers& registers = ia64::registers_of(cpu);
  const auto byte = [&registers](unsigned n) {
    return std::to_string(registers.processor_version >> (8 * n) & 0xff) + "\n";
  };
  return "processor  : 0\nvendor     : GenuineIntel\narch       : IA-64\nfamily     : " + byte(3) +
         "model      : " + byte(2) + "revision   : " + byte(1) + "archrev    : " + byte(4) +
         "features   : " + ia64_features(registers.processor_features) +
         "\ncpu number : 0\ncpu regs   : " + byte(0) + "cpu MHz    : " + megahertz(clock, 3) +
         "\nitc MHz    : " + megahertz(clock, 6) + "\n\n";
}

std::string cpuinfo(const posix::Kernel& kernel) {
  const Process* const caller = kernel.simulation().find(kernel.caller());
  const Hertz clock = kernel.simulation().options().cpu_clock;
  Cpu& cpu = *caller->threads.front()->cpu;
  switch (caller->image->architecture) {
    case Architecture::mips:
      return mips_cpuinfo(cpu, clock);
    case Architecture::pa_risc:
      return pa_risc_cpuinfo(cpu, clock);
    case Architecture::ia64:
      break;
  }
  return ia64_cpuinfo(cpu, clock);
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
std::optional<std::string> top_file(const posix::Kernel& kernel, std::string_view name) {
  if (name == "cpuinfo") return cpuinfo(kernel);
  if (name == "filesystems") return "\text2\nnodev\tproc\n";
  if (name == "loadavg") return loadavg(kernel.simulation());
  if (name == "meminfo") return meminfo(kernel.simulation());
  if (name == "stat") return stat(kernel.simulation());
  if (name == "uptime") return uptime(kernel.simulation());
  if (name == "version") return "Linux version " + std::string(release) + " (hardclock) #1\n";
  return std::nullopt;
}

// /proc/sys, without "sys/".
std::optional<std::string> setting(const posix::Kernel& kernel, std::string_view path) {
  const auto line = [](const auto& value) { return std::to_string(value) + "\n"; };
  constexpr std::uint64_t largest_pid = 1 << 15;
  if (path == "fs/file-max")
    return line(open_files.maximum * kernel.simulation().options().max_processes);
  if (path == "fs/pipe-max-size") return line(largest_pipe);
  if (path == "kernel/hostname") return kernel.host_name() + "\n";
  if (path == "kernel/ngroups_max") return line(posix::groups_max);
  if (path == "kernel/osrelease") return std::string(release) + "\n";
  if (path == "kernel/ostype") return "Linux\n";
  if (path == "kernel/pid_max") return line(largest_pid);
  if (path == "kernel/threads-max") return line(kernel.simulation().options().max_threads);
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

std::optional<SyntheticFile> system_file(const posix::Kernel& kernel, std::string_view path) {
  if (const auto found = directories().find(path); found != directories().end()) {
    return SyntheticFile{FileType::directory, 0555, {}, found->second};
  }
  constexpr std::string_view settings = "sys/";
  auto content = path.starts_with(settings) ? setting(kernel, path.substr(settings.size()))
                                            : top_file(kernel, path);
  if (!content) return std::nullopt;
  return SyntheticFile{FileType::regular, 0444, *std::move(content)};
}

}  // namespace hardclock::gnu_linux
