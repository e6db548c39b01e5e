// A process's files of /proc. Source: proc(5), and Linux 6.1, fs/proc/array.c and task_mmu.c.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <initializer_list>
#include <iterator>

#include "sim/memory/page.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/process_files.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/posix/process_memory.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using host::SyntheticFile;
using posix::ProcessState;
using posix::state_of;

constexpr std::uint64_t bytes_per_kilobyte = 1024;

std::string hexadecimal(std::uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

// ---- Memory.

struct Named {
  std::string name;
  std::uint64_t offset = 0;
};

// The file that a region shows, or what it is for.
Named name_of(const Process& process, const Region& region) {
  if (region.name == "stack") return {"[stack]"};
  if (region.name == "vdso") return {"[vdso]"};
  const posix::Heap& heap = *state_of(process).heap;
  if (region.start >= heap.start.value() && region.start < heap.end.value()) return {"[heap]"};
  if (process.image != nullptr) {
    for (const Segment& segment : process.image->segments) {
      const std::uint64_t first = segment.address.value() & ~page_mask;
      if (region.start < first || region.start >= segment.address.value() + segment.memory_size) {
        continue;
      }
      return {process.program, (segment.file_offset & ~page_mask) + (region.start - first)};
    }
  }
  const FileRange file = process.memory->code_files().at(GuestAddr(region.start));
  if (file.file.empty() || !region.permissions.execute) return {};
  return {file.file, file.offset + (region.start - file.start.value())};
}

std::string map_line(const Process& process, const Region& region) {
  constexpr int digits = 8;  // at least: fs/proc/task_mmu.c, show_vma_header_prefix()
  const Named named = name_of(process, region);
  const Permissions& may = region.permissions;
  std::string line = hexadecimal(region.start, digits) + "-" + hexadecimal(region.end, digits);
  line += std::string(" ") + (may.read ? 'r' : '-') + (may.write ? 'w' : '-');
  line += std::string(1, may.execute ? 'x' : '-') + (region.backing.shared != nullptr ? 's' : 'p');
  const bool is_file = named.name.starts_with('/');
  line += " " + hexadecimal(named.offset, 8) + (is_file ? " 00:01 1" : " 00:00 0");
  if (named.name.empty()) return line + " \n";
  constexpr std::size_t name_column = 73;
  line.resize(std::max(line.size() + 1, name_column), ' ');
  return line + named.name + "\n";
}

// ---- Times, in units of 1/100 s.

std::uint64_t in_clock_ticks(const Simulation& simulation, Ticks ticks) {
  return ticks.value() * clock_ticks / simulation.clock().tick_rate().value();
}

// ---- States.

// The letter and the word for it.
std::pair<char, const char*> state_of_thread(const Process& process, const Thread* thread) {
  if (process.exit_status) return {'Z', "zombie"};
  if (thread != nullptr && thread->traced_stop != 0) return {'t', "tracing stop"};
  const bool is_traced = thread != nullptr && thread->tracer;
  if (process.stopped_by != 0 && !is_traced) return {'T', "stopped"};
  if (thread != nullptr && (thread->waiting() || process.blocked)) return {'S', "sleeping"};
  return {'R', "running"};
}

// As many digits as the system has signals.
std::string digits_of(const SignalSet& signals) {
  const auto low = (signals & SignalSet(~0ull)).to_ullong();
  const auto high = (signals >> 64).to_ullong();
  return hexadecimal(high, 16) + hexadecimal(low, 16);
}

struct SignalSets {
  SignalSet ignored, caught;
};

SignalSets actions_of(const Process& process) {
  SignalSets sets;
  for (std::size_t i = 0; i < process.signals.actions.size(); ++i) {
    const SignalAction::Kind kind = process.signals.actions[i].kind;
    sets.ignored.set(i, kind == SignalAction::Kind::ignore);
    sets.caught.set(i, kind == SignalAction::Kind::handler);
  }
  return sets;
}

// The low 31 bits, in decimal: obsolete, as proc(5) says.
std::string low_signals(const SignalSet& signals) {
  return std::to_string((signals & SignalSet(0x7fffffff)).to_ullong());
}

std::string joined(const std::vector<std::string>& words, char separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::uint64_t resident_pages(const Process& process) {
  return process.memory == nullptr ? 0 : process.memory->resident_pages();
}

// ---- The files.

std::string number(auto value) {
  return std::to_string(value);
}

using Fields = std::vector<std::string>;

// Fields 1 to 13: who it is; no faults are counted.
Fields identity_fields(const Process& process, const Thread* thread) {
  const int id = thread != nullptr ? tid_of(*thread) : process.pid;
  const std::string name = thread_name(process, thread != nullptr ? thread->id : 1);
  const char letter = state_of_thread(process, thread).first;
  return {number(id),
          "(" + name + ")",
          std::string(1, letter),
          number(process.parent),
          number(process.group),
          number(process.session),
          "0",
          "-1",
          "0",
          "0",
          "0",
          "0",
          "0"};
}

// 14 to 24: times, priority, threads, memory.
Fields usage_fields(const Simulation& simulation, const Process& process) {
  constexpr int priority_of_nice = 20;
  const ProcessState& state = state_of(process);
  const auto time = [&](Ticks ticks) { return number(in_clock_ticks(simulation, ticks)); };
  return {time(process.time.user),
          time(process.time.system),
          time(process.children_time.user),
          time(process.children_time.system),
          number(priority_of_nice + state.nice),
          number(state.nice),
          number(process.threads.size()),
          "0",
          time(state.start),
          number(mapped_bytes(process)),
          number(resident_pages(process))};
}

// 25 to 44: the limit of memory, places of which only the stack pointer shows, signals, and zeros.
Fields place_fields(const Process& process, const Thread* thread, unsigned end_signal) {
  const SignalSets actions = actions_of(process);
  const SignalSet blocked = thread != nullptr ? thread->blocked_signals : SignalSet();
  const std::uint64_t stack =
      thread != nullptr ? posix::abi_of(process).stack_pointer(*thread->cpu).value() : 0;
  const bool waits = thread != nullptr && thread->waiting();
  return {number(~std::uint64_t{0}),
          "0",
          "0",
          "0",
          number(stack),
          "0",
          low_signals(process.signals.pending),
          low_signals(blocked),
          low_signals(actions.ignored),
          low_signals(actions.caught),
          waits ? "1" : "0",
          "0",
          "0",
          number(end_signal),
          "0",
          "0",
          "0",
          "0",
          "0",
          "0"};
}

// 45 to 52: where data, heap, arguments and environment lie, of which the heap shows, and the end.
Fields end_fields(const Process& process) {
  const std::uint64_t heap = process.exit_status ? 0 : state_of(process).heap->start.value();
  unsigned code = 0;
  if (process.exit_status) {
    code = process.exit_status->code;
    if (!process.exit_status->by_signal) code <<= 8;
  }
  return {"0", "0", number(heap), "0", "0", "0", "0", number(code)};
}

std::string stat_line(const posix::Kernel& kernel, const Process& process, const Thread* thread) {
  Fields fields = identity_fields(process, thread);
  for (const Fields& more :
       {usage_fields(kernel.simulation(), process),
        place_fields(process, thread, kernel.system().signals.child), end_fields(process)}) {
    fields.insert(fields.end(), more.begin(), more.end());
  }
  return joined(fields, ' ') + "\n";
}

std::string statm_line(const Process& process) {
  const std::uint64_t size = mapped_bytes(process) >> page_shift;
  std::uint64_t text = 0, data = 0;
  if (process.memory != nullptr) {
    posix::for_each_region(*process.memory, [&](const Region& region) {
      const std::uint64_t pages = (region.end - region.start) >> page_shift;
      if (region.permissions.execute && !region.permissions.write) text += pages;
      if (region.permissions.write) data += pages;
    });
  }
  std::string line;
  for (const std::uint64_t value :
       {size, resident_pages(process), std::uint64_t{0}, text, std::uint64_t{0}, data}) {
    line += std::to_string(value) + " ";
  }
  return line + "0\n";
}

std::string ids_line(const posix::Ids& ids) {
  const std::string file_system = std::to_string(ids.effective);
  return std::to_string(ids.real) + "\t" + std::to_string(ids.effective) + "\t" +
         std::to_string(ids.saved) + "\t" + file_system;
}

class StatusText {
 public:
  StatusText& line(const std::string& name, const std::string& value) {
    text_ += name + ":\t" + value + "\n";
    return *this;
  }
  StatusText& number(const std::string& name, std::uint64_t value) {
    return line(name, std::to_string(value));
  }
  StatusText& kilobytes(const std::string& name, std::uint64_t bytes) {
    char value[40];
    std::snprintf(value, sizeof value, "%8llu kB",
                  static_cast<unsigned long long>(bytes / bytes_per_kilobyte));
    return line(name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Of the table of descriptors (fs/file.c, alloc_fdtable()).
std::uint64_t table_size(const posix::Descriptors& descriptors) {
  constexpr std::size_t least = 64;
  return std::bit_ceil(std::max(least, descriptors.end()));
}

// 0: there is none.
std::uint64_t tracer_number(const Simulation& simulation, const Tracer& tracer) {
  const Process* const process = simulation.find(tracer.pid);
  if (process == nullptr) return 0;
  return static_cast<std::uint64_t>(posix::thread_number(*process, tracer.thread));
}

void add_identity(StatusText& text, const Simulation& simulation, const Process& process,
                  const Thread* thread) {
  const ProcessState& state = state_of(process);
  const auto [letter, word] = state_of_thread(process, thread);
  text.line("Name", thread_name(process, thread != nullptr ? thread->id : 1));
  const posix::ThreadState* own = nullptr;  // a zombie has no files and no umask
  if (!process.threads.empty()) {
    const int id = thread != nullptr ? thread->id : process.threads.front()->id;
    own = &posix::thread_state_of(*process.thread(id));
    char umask[8];
    std::snprintf(umask, sizeof umask, "%04o", own->paths->umask & 0777u);
    text.line("Umask", umask);
  }
  text.line("State", std::string(1, letter) + " (" + word + ")");
  const auto pid = static_cast<std::uint64_t>(process.pid);
  text.number("Tgid", pid).number("Ngid", 0);
  text.number("Pid", thread != nullptr ? static_cast<std::uint64_t>(tid_of(*thread)) : pid);
  text.number("PPid", static_cast<std::uint64_t>(process.parent));
  text.number("TracerPid",
              tracer_number(simulation, thread != nullptr ? thread->tracer : process.tracer()));
  text.line("Uid", ids_line(state.credentials.user));
  text.line("Gid", ids_line(state.credentials.group));
  text.number("FDSize", own == nullptr ? 0 : table_size(*own->descriptors));
  std::string groups;
  for (const std::uint32_t group : state.credentials.groups) groups += std::to_string(group) + " ";
  text.line("Groups", groups);
}

void add_memory(StatusText& text, const Process& process) {
  if (process.memory == nullptr) return;
  const std::uint64_t resident = resident_pages(process) << page_shift;
  std::uint64_t data = 0, stack = 0, code = 0;
  posix::for_each_region(*process.memory, [&](const Region& region) {
    const std::uint64_t bytes = region.end - region.start;
    if (region.name == "stack") {
      stack += bytes;
    } else if (region.permissions.write) {
      data += bytes;
    } else if (region.permissions.execute) {
      code += bytes;
    }
  });
  text.kilobytes("VmPeak", mapped_bytes(process)).kilobytes("VmSize", mapped_bytes(process));
  text.kilobytes("VmLck", 0).kilobytes("VmPin", 0);
  text.kilobytes("VmHWM", resident).kilobytes("VmRSS", resident);
  text.kilobytes("VmData", data).kilobytes("VmStk", stack).kilobytes("VmExe", code);
  text.kilobytes("VmLib", 0).kilobytes("VmSwap", 0);
}

std::string status_text(const Simulation& simulation, const Process& process,
                        const Thread* thread) {
  StatusText text;
  add_identity(text, simulation, process, thread);
  add_memory(text, process);
  const SignalSets actions = actions_of(process);
  const SignalSet none;
  text.number("Threads", std::max<std::size_t>(process.threads.size(), 1));
  text.line("SigPnd", digits_of(thread != nullptr ? thread->pending_signals : none));
  text.line("ShdPnd", digits_of(process.signals.pending));
  text.line("SigBlk", digits_of(thread != nullptr ? thread->blocked_signals : none));
  text.line("SigIgn", digits_of(actions.ignored)).line("SigCgt", digits_of(actions.caught));
  for (const char* const set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
    text.line(set, hexadecimal(0, 16));
  }
  text.number("NoNewPrivs", 0).number("Seccomp", 0);
  text.line("Cpus_allowed", "1").line("Cpus_allowed_list", "0");
  return text.text();
}

std::string with_ends(const std::vector<std::string>& strings) {
  std::string text;
  for (const std::string& each : strings) text += each + '\0';
  return text;
}

// The pairs of words that exec left, up to AT_NULL.
std::string auxiliary_vector_of(const Process& process) {
  const std::size_t pair = 2 * posix::abi_of(process).long_bytes();
  constexpr std::size_t most_pairs = 64;
  std::string text;
  std::vector<std::uint8_t> bytes(pair);
  GuestAddr at = state_of(process).started->behind;
  for (std::size_t i = 0; i < most_pairs; ++i, at = at + pair) {
    if (!process.memory->read_bytes(at, bytes)) break;
    text.append(bytes.begin(), bytes.end());
    const auto type = std::span(bytes).first(pair / 2);
    if (std::ranges::all_of(type, [](std::uint8_t byte) { return byte == 0; })) break;
  }
  return text;
}

// The file systems that statfs(2) tells of, the root by the name that a kernel without an initial
// RAM disk has for it, as mounts and mountinfo have them (proc(5)).
struct MountedFileSystem {
  std::string_view source, directory, type, options;
  std::uint64_t device = 0;  // FileStatus::device
};
constexpr MountedFileSystem always_mounted[] = {
    {"/dev/root", "/", "ext2", "rw", host::common_device},
    {"proc", "/proc", "proc", "rw,nosuid,nodev,noexec,relatime", host::synthetic_files_device}};
constexpr MountedFileSystem shared_memory = {"tmpfs", "/dev/shm", "tmpfs", "rw,nosuid,nodev",
                                             host::shared_memory_device};

std::vector<MountedFileSystem> mounted(const posix::Kernel& kernel) {
  std::vector<MountedFileSystem> all(std::begin(always_mounted), std::end(always_mounted));
  const auto path = host::GuestPath::parse("/", shared_memory.directory);
  const auto status = kernel.files().status(*path, host::Follow::yes);
  if (status && status->device == shared_memory.device) all.push_back(shared_memory);
  return all;
}

std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text.append(word) += ' ';
  text.back() = '\n';
  return text;
}

std::string mounts(const posix::Kernel& kernel) {
  std::string text;
  for (const MountedFileSystem& each : mounted(kernel)) {
    text += joined({each.source, each.directory, each.type, each.options, "0", "0"});
  }
  return text;
}

std::string mount_info(const posix::Kernel& kernel) {
  std::string text;
  int number = 0;
  for (const MountedFileSystem& each : mounted(kernel)) {
    const std::string device = "0:" + std::to_string(each.device);
    text += joined({std::to_string(++number), "1", device, "/", each.directory, each.options, "-",
                    each.type, each.source, "rw"});
  }
  return text;
}

constexpr std::uint32_t owners = 0400, owners_to_change = 0600;

}  // namespace

std::string memory_map(const Process& process) {
  std::string text;
  if (process.memory == nullptr) return text;
  posix::for_each_region(*process.memory,
                         [&](const Region& region) { text += map_line(process, region); });
  return text;
}

std::uint64_t mapped_bytes(const Process& process) {
  std::uint64_t bytes = 0;
  if (process.memory == nullptr) return bytes;
  posix::for_each_region(*process.memory,
                         [&](const Region& region) { bytes += region.end - region.start; });
  return bytes;
}

std::vector<std::string> process_file_names() {
  return {"auxv",      "cmdline", "comm", "environ", "maps",  "mem",
          "mountinfo", "mounts",  "stat", "statm",   "status"};
}

std::optional<SyntheticFile> process_file(const posix::Kernel& kernel, Process& process,
                                          Thread* thread, std::string_view name) {
  const auto text = [](std::string content, std::uint32_t permissions = 0444) {
    return SyntheticFile{host::FileType::regular, permissions, std::move(content)};
  };
  const posix::StartText& started = *state_of(process).started;
  const bool has_ended = process.memory == nullptr;
  if (name == "auxv") return text(has_ended ? "" : auxiliary_vector_of(process), owners);
  if (name == "cmdline") return text(has_ended ? "" : with_ends(started.arguments));
  if (name == "environ") return text(has_ended ? "" : with_ends(started.environment), owners);
  if (name == "comm") {
    return text(thread_name(process, thread != nullptr ? thread->id : 1) + "\n", 0644);
  }
  if (name == "maps") return text(memory_map(process));
  if (name == "mem") return text("", owners_to_change);  // open() knows it (process_memory.h)
  if (name == "mountinfo") return text(mount_info(kernel));
  if (name == "mounts") return text(mounts(kernel));
  if (name == "stat") return text(stat_line(kernel, process, thread));
  if (name == "statm") return text(statm_line(process));
  if (name == "status") return text(status_text(kernel.simulation(), process, thread));
  return std::nullopt;
}

}  // namespace hardclock::gnu_linux
