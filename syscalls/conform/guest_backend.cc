#include "syscalls/conform/guest_backend.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "syscalls/conform/guest_machine.h"
#include "syscalls/posix/ucontext.h"
#include "syscalls/systems.h"

namespace hardclock::conform {

// The agent's files for exec, in a directory of their own that goes with the backend.
class GuestBackend::AgentFiles {
 public:
  ~AgentFiles() {
    std::error_code ignored;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  }

  // The host path of the agent that lies there. The error is one line.
  Result<std::string, std::string> path_of(const AgentLayout& layout) {
    std::string& path = paths_[layout.code.value()];
    if (!path.empty()) return path;
    if (directory_.empty() && !make_directory()) return Failure{no_room()};
    const std::string name = fmt::format("{}/agent-{:x}", directory_, layout.code.value());
    const auto bytes = agent_file(layout);
    std::ofstream file(name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file || ::chmod(name.c_str(), 0755) != 0) return Failure{no_room()};
    return path = name;
  }

 private:
  static std::string parent() {
    const char* const wanted = std::getenv("TMPDIR");
    return wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
  }
  static std::string no_room() {
    return "guest: cannot write to " + parent() + "; set TMPDIR to a writable directory";
  }
  bool make_directory() {
    std::string name = parent() + "/hardclock-conform-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return false;
    directory_ = name;
    return true;
  }

  std::string directory_;
  std::map<std::uint64_t, std::string> paths_;  // by the agent's address
};

namespace {

// Where things lie in the agent's data, in bytes.
constexpr std::uint64_t path_at = 0, timeval_at = 64, lwp_at = 80, dev_zero_at = 96,
                        missing_at = 112;
constexpr std::uint64_t context_at = 2048, prof_at = 2560;
constexpr std::size_t prof_room = AgentLayout::data_size - prof_at;
constexpr std::uint64_t pr_saddr = 0x40;
constexpr std::uint64_t map_private = 2;

std::vector<std::uint8_t> c_string(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.push_back(0);
  return bytes;
}

// All pages that the case's addresses lie in: its memory, and where its ticks hit.
std::set<std::uint64_t> pages_of(const Case& of) {
  std::set<std::uint64_t> pages;
  const auto add = [&](std::uint64_t first, std::uint64_t size) {
    const std::uint64_t last = first + (size == 0 ? 0 : size - 1);
    for (std::uint64_t page = first >> page_shift; page <= last >> page_shift; ++page) {
      pages.insert(page);
    }
  };
  for (const MemoryObject& object : of.memory) add(object.address.value(), object.size);
  for (const Event& event : of.events) {
    if (const auto* const tick = std::get_if<TickEvent>(&event.what)) {
      add(tick->pc.value() - 4, 16);
    } else if (const auto* const run = std::get_if<RunEvent>(&event.what)) {
      add(run->pc.value(), 8);
    } else if (const auto* const memory = std::get_if<MemoryEvent>(&event.what)) {
      add(memory->address.value(), memory->size);
    }
  }
  return pages;
}

// Two free pages for the agent, below the system's stack. None: the case fills the address space.
std::optional<AgentLayout> place_agent(const Case& of, const posix::UnixSystem& system) {
  const std::set<std::uint64_t> taken = pages_of(of);
  const std::uint64_t last = (system.layout.stack_top.value() >> page_shift) - 8;
  for (std::uint64_t page = 1; page + 1 <= last; ++page) {
    if (!taken.contains(page) && !taken.contains(page + 1)) {
      return AgentLayout{GuestAddr(page << page_shift)};
    }
  }
  return std::nullopt;
}

Permissions permissions_of(const Protection& protection) {
  return {protection.read, protection.write, protection.execute};
}

std::uint64_t prot_of(const Protection& protection) {
  return (protection.read ? 1U : 0U) | (protection.write ? 2U : 0U) |
         (protection.execute ? 4U : 0U);
}

// One case on one machine.
class Performance {
 public:
  Performance(const Case& of, GuestMachine& machine)
      : case_(of), machine_(machine), is_wide_(of.variant->address_bits == 64) {
    pids_[1] = machine.first().pid;
  }

  Observation perform();

 private:
  void map_memory();
  void put_presets(const MemoryObject& object);
  void make_call(const Call& call);
  CallResult answer_to(const ProfilCall& call);
  CallResult answer_to(const SprofilCall& call);
  CallResult answer_to(const PcsampleCall& call);
  std::uint64_t store_entries(const SprofilCall& call);
  void act(const TickEvent& tick);
  void act(const RunEvent& run);
  void act(const CallStep& step) { make_call(step.call); }
  void act(const ForkEvent& fork);
  void act(const ExecEvent& exec);
  void act(const ThreadCreateEvent&) { thread(); }
  void act(const MemoryEvent& event);
  void act(const PokeEvent& poke);
  void map_by_call(const MemoryEvent& event);
  void observe();
  Elements elements_of(AddressSpace& memory, const MemoryObject& object);

  Process* process();
  Thread* thread();
  std::optional<Answer> call(std::string_view name, std::vector<std::uint64_t> arguments);
  CallResult result_of(const std::optional<Answer>& answer) const;
  void fail(const std::string& why) {
    if (observation_.error.empty()) observation_.error = why;
  }
  // Whether the call succeeded; if not, the case cannot be performed.
  bool succeeded(const std::optional<Answer>& answer, std::string_view what);
  GuestAddr charged(GuestAddr pc) const { return GuestAddr(pc.value() & case_.variant->pc_mask); }

  const Case& case_;
  GuestMachine& machine_;
  bool is_wide_;
  std::map<int, int> pids_;                        // the case's -> the machine's
  std::map<std::pair<int, int>, int> thread_ids_;  // the case's pid and tid -> the LWP's id
  int pid_ = 1;                                    // who acts
  int tid_ = 1;
  Observation observation_;
};

Process* Performance::process() {
  Process* const found = machine_.find(static_cast<std::uint64_t>(pids_.at(pid_)));
  if (found == nullptr || found->exit_status) {
    fail(fmt::format("process {} has ended", pid_));
    return nullptr;
  }
  return found;
}

// The acting thread; threads but the first begin with their first event.
Thread* Performance::thread() {
  Process* const owner = process();
  if (owner == nullptr) return nullptr;
  if (tid_ == 1) return &owner->main_thread();
  const auto known = thread_ids_.find({pid_, tid_});
  if (known != thread_ids_.end()) {
    for (const auto& each : owner->threads) {
      if (each->id == known->second) return each.get();
    }
  }
  if (!machine_.has_call("lwp_create")) {
    fail(fmt::format("{} has no threads", machine_.system().title));
    return nullptr;
  }
  Thread& creator = owner->main_thread();
  machine_.store(creator, context_at, posix::saved_ucontext(creator, SignalSet()));
  const auto created = machine_.call(creator, "lwp_create",
                                     std::array{machine_.data(context_at).value(), std::uint64_t{0},
                                                machine_.data(lwp_at).value()});
  if (!succeeded(created, "lwp_create")) return nullptr;
  Thread* const fresh = owner->threads.back().get();
  thread_ids_[{pid_, tid_}] = fresh->id;
  return fresh;
}

std::optional<Answer> Performance::call(std::string_view name,
                                        std::vector<std::uint64_t> arguments) {
  Thread* const caller = thread();
  if (caller == nullptr) return std::nullopt;
  if (!machine_.has_call(name)) {
    fail(fmt::format("{} has no {}()", machine_.system().title, name));
    return std::nullopt;
  }
  return machine_.call(*caller, name, arguments);
}

bool Performance::succeeded(const std::optional<Answer>& answer, std::string_view what) {
  if (answer && !answer->error) return true;
  fail(fmt::format("{}: {}", what, answer ? posix::errno_name(*answer->error) : "did not return"));
  return false;
}

CallResult Performance::result_of(const std::optional<Answer>& answer) const {
  CallResult result;
  if (!answer) return result;
  if (answer->error) {
    result.ret = -1;
    result.errno_name = posix::errno_name(*answer->error);
  } else {
    result.ret = is_wide_ ? static_cast<std::int64_t>(answer->value)
                          : static_cast<std::int32_t>(answer->value);
  }
  return result;
}

Observation Performance::perform() {
  map_memory();
  if (observation_.error.empty()) make_call(case_.first.call);
  for (const Event& event : case_.events) {
    if (!observation_.error.empty()) return std::move(observation_);
    pid_ = event.pid;
    tid_ = event.tid;
    std::visit([&](const auto& what) { act(what); }, event.what);
  }
  if (observation_.error.empty()) observe();
  return std::move(observation_);
}

// ---- Memory.

// Whole pages: what a page holds besides an object can be touched, as on any machine.
void Performance::map_memory() {
  AddressSpace& memory = *machine_.first().memory;
  std::map<std::uint64_t, Protection> pages;
  for (const MemoryObject& object : case_.memory) {
    const std::uint64_t first = object.address.value() >> page_shift;
    const std::uint64_t last = (object.address.value() + object.size - 1) >> page_shift;
    for (std::uint64_t page = first; page <= last; ++page) {
      const auto [at, is_new] = pages.emplace(page, object.protection);
      if (!is_new && at->second != object.protection) {
        return fail(
            fmt::format("{}: shares a page of {} bytes with an object of another protection",
                        object.name, page_size));
      }
    }
  }
  for (const auto& [page, protection] : pages) {
    const auto mapped =
        memory.map(GuestAddr(page << page_shift), page_size, permissions_of(protection), "case");
    if (!mapped) {
      return fail(fmt::format("no memory at {:#x} on the guest's machine", page << page_shift));
    }
  }
  for (const MemoryObject& object : case_.memory) put_presets(object);
}

void Performance::put_presets(const MemoryObject& object) {
  for (const MemoryObject::Preset& preset : object.presets) {
    std::array<std::uint8_t, 8> bytes;
    store_bytes(bytes.data(), preset.value, Endian::big);
    const auto low = std::span(bytes).subspan(bytes.size() - preset.width);
    CHECK(machine_.first()
              .memory->initialize(object.address + preset.index * preset.width, low)
              .ok());
  }
}

void Performance::act(const MemoryEvent& event) {
  if (event.kind == MemoryEvent::Kind::evict) return;  // the machine pages nothing out
  Process* const owner = process();
  if (owner == nullptr) return;
  AddressSpace& memory = *owner->memory;
  const GuestAddr page(event.address.value() & ~page_mask);
  const std::uint64_t size = round_up_to_page(event.address.value() + event.size) - page.value();
  switch (event.kind) {
    case MemoryEvent::Kind::mmap:
      if (machine_.has_call("mmap")) return map_by_call(event);
      CHECK(memory.unmap(page, size).ok());
      CHECK(memory.map(page, size, permissions_of(event.protection), "case").ok());
      return;
    case MemoryEvent::Kind::munmap:
      if (!machine_.has_call("munmap")) {
        CHECK(memory.unmap(page, size).ok());
        return;
      }
      succeeded(call("munmap", {page.value(), size}), "munmap");
      return;
    case MemoryEvent::Kind::mprotect:
      if (!machine_.has_call("mprotect")) {
        CHECK(memory.protect(page, size, permissions_of(event.protection)).ok());
        return;
      }
      succeeded(call("mprotect", {page.value(), size, prot_of(event.protection)}), "mprotect");
      return;
    case MemoryEvent::Kind::evict:
      return;
  }
}

// Anonymous memory by the system's own means: a flag, or a mapping of /dev/zero.
void Performance::map_by_call(const MemoryEvent& event) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  const posix::MapFlags& flags = machine_.system().map_flags;
  const std::uint64_t page = event.address.value() & ~page_mask;
  const std::uint64_t size = round_up_to_page(event.address.value() + event.size) - page;
  std::uint64_t file = ~std::uint64_t{0};
  if (flags.anonymous == 0) {
    machine_.store(*caller, dev_zero_at, c_string("/dev/zero"));
    const auto opened = call("open", {machine_.data(dev_zero_at).value(), 2});
    if (!succeeded(opened, "open /dev/zero")) return;
    file = opened->value;
  }
  // The offset is 0 in the sixth slot, and in 4.4BSD's form in all of the last three.
  const auto mapped = call("mmap", {page, size, prot_of(event.protection),
                                    map_private | flags.fixed | flags.anonymous, file, 0, 0, 0});
  if (!succeeded(mapped, "mmap")) return;
  if (flags.anonymous == 0) succeeded(call("close", {file}), "close");
}

void Performance::act(const PokeEvent& poke) {
  Process* const owner = process();
  if (owner == nullptr) return;
  std::array<std::uint8_t, 8> bytes;
  store_bytes(bytes.data(), poke.value, Endian::big);
  const auto low = std::span(bytes).subspan(bytes.size() - poke.width);
  if (!owner->memory->write_bytes(poke.address, low)) {
    fail(fmt::format("poke: process {} cannot write at {:#x}", pid_, poke.address.value()));
  }
}

// ---- The profiling calls.

void Performance::make_call(const Call& call) {
  if (thread() == nullptr) return;
  observation_.calls.push_back(
      std::visit([&](const auto& arguments) { return answer_to(arguments); }, call));
}

CallResult Performance::answer_to(const ProfilCall& profil) {
  return result_of(call("profil", {profil.buff.value.value(), profil.bufsiz,
                                   profil.offset.value.value(), profil.scale}));
}

CallResult Performance::answer_to(const PcsampleCall& pcsample) {
  return result_of(call(
      "pcsample", {pcsample.samples.value.value(), static_cast<std::uint64_t>(pcsample.nsamples)}));
}

// Puts the array of struct prof at the end of the agent's data, so that what follows it cannot be
// read. Returns its address.
std::uint64_t Performance::store_entries(const SprofilCall& sprofil) {
  const std::size_t slot = is_wide_ ? 8 : 4;
  std::vector<std::uint8_t> bytes(4 * slot * sprofil.entries.size());
  for (std::size_t i = 0; i < sprofil.entries.size(); ++i) {
    const ProfEntry& entry = sprofil.entries[i];
    const std::uint64_t fields[] = {entry.base.value.value(), entry.size,
                                    entry.offset.value.value(), entry.scale};
    for (std::size_t field = 0; field < 4; ++field) {
      std::uint8_t* const at = &bytes[(4 * i + field) * slot];
      const bool is_pointer = field % 2 == 0;
      if (is_wide_ && is_pointer) {
        store_bytes(at, fields[field], Endian::big);
      } else {
        store_bytes(at, static_cast<std::uint32_t>(fields[field]), Endian::big);
      }
    }
  }
  const std::uint64_t at = AgentLayout::data_size - bytes.size();
  machine_.store(*thread(), at, bytes);
  return machine_.data(at).value();
}

CallResult Performance::answer_to(const SprofilCall& sprofil) {
  using Pointer = SprofilCall::Pointer;
  const std::uint64_t bad = case_.variant->highest_address() & ~page_mask;
  std::uint64_t profp = sprofil.profp == Pointer::bad ? bad : 0;
  if (sprofil.profp == Pointer::valid) {
    if (sprofil.entries.size() * 4 * (is_wide_ ? 8 : 4) > prof_room) {
      fail("more regions than the agent's memory holds");
      return {};
    }
    profp = store_entries(sprofil);
  }
  const std::uint64_t tvp = sprofil.tvp == Pointer::valid ? machine_.data(timeval_at).value()
                            : sprofil.tvp == Pointer::bad ? bad
                                                          : 0;
  CallResult result =
      result_of(call("sprofil", {profp, static_cast<std::uint64_t>(std::int64_t{sprofil.profcnt}),
                                 tvp, sprofil.flags}));
  if (sprofil.tvp == Pointer::valid && result.ret == 0) {
    const std::size_t slot = is_wide_ ? 8 : 4;
    const auto bytes = machine_.load(*thread(), timeval_at, 2 * slot);
    const auto field = [&](std::size_t index) {
      const std::uint8_t* const at = &bytes[index * slot];
      return is_wide_ ? load_bytes<std::uint64_t>(at, Endian::big)
                      : std::uint64_t{load_bytes<std::uint32_t>(at, Endian::big)};
    };
    result.tv = TimeValue{static_cast<std::int64_t>(field(0)), static_cast<std::int64_t>(field(1))};
  }
  return result;
}

// ---- Ticks.

void Performance::act(const TickEvent& tick) {
  Thread* const hit = thread();
  if (hit == nullptr) return;
  const profil::SystemTicks charging = case_.variant->system->system_ticks;
  switch (tick.mode) {
    case TickEvent::Mode::user:
      machine_.tick(*hit, charged(tick.pc), tick.n);
      return;
    case TickEvent::Mode::owed:
      // A kernel comes to owe several ticks when they find it in the kernel.
      if (charging == profil::SystemTicks::none) {
        return fail(fmt::format("{} never owes a tick", machine_.system().title));
      }
      machine_.tick_in_kernel(*hit, charged(tick.pc), tick.n);
      return;
    case TickEvent::Mode::system:
      machine_.tick_in_kernel(*hit, charged(tick.pc), tick.n);
      return;
  }
}

void Performance::act(const RunEvent& run) {
  constexpr std::uint64_t milliseconds = 1000;
  Thread* const runner = thread();
  if (runner == nullptr) return;
  const profil::System& system = *case_.variant->system;
  const bool fast = machine_.kernel().profiling_of(*runner).fast;
  const Hertz rate = fast ? system.fast_tick_rate : system.tick_rate;
  machine_.tick(*runner, charged(run.pc), run.milliseconds * rate.value() / milliseconds);
}

// ---- Processes.

void Performance::act(const ForkEvent& fork) {
  std::optional<Answer> answer;
  switch (fork.kind) {
    case ForkEvent::Kind::fork:
      answer = call("fork", {});
      break;
    case ForkEvent::Kind::vfork:
      answer = call("vfork", {});
      break;
    case ForkEvent::Kind::sproc_shared:
    case ForkEvent::Kind::sproc_copied: {
      const AgentLayout agent{machine_.data(0) - AgentLayout::data_size};
      const std::uint64_t share = fork.kind == ForkEvent::Kind::sproc_shared ? pr_saddr : 0;
      answer = call("sproc", {agent.rest().value(), share, 0});
      break;
    }
  }
  if (!succeeded(answer, "fork")) return;
  pids_[fork.child] = static_cast<int>(answer->value);
}

void Performance::act(const ExecEvent& exec) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  if (exec.ok && is_wide_) return fail("64-bit programs cannot be loaded yet");
  const std::uint64_t path_offset = exec.ok ? path_at : missing_at;
  machine_.store(*caller, path_offset, c_string(exec.ok ? "/agent" : "/missing"));
  Process& owner = caller->process;
  const auto answer = call("execve", {machine_.data(path_offset).value(), 0, 0});
  if (!exec.ok) {
    if (answer && !answer->error) fail("exec of a missing program succeeded");
    return;
  }
  if (answer) {
    succeeded(answer, "execve");
    return;
  }
  std::erase_if(thread_ids_, [&](const auto& entry) { return entry.first.first == pid_; });
  machine_.strip(owner);
}

// ---- What is to be seen.

void Performance::observe() {
  for (const auto& [number, pid] : pids_) {
    ProcessObservation& seen = observation_.processes[number];
    Process* const owner = machine_.find(static_cast<std::uint64_t>(pid));
    if (owner == nullptr || owner->exit_status) continue;
    seen.profiling = std::ranges::any_of(owner->threads, [&](const auto& each) {
      return machine_.kernel().profiling_of(*each).on();
    });
    for (const MemoryObject& object : case_.memory) {
      const std::uint64_t end = object.address.value() + object.size;
      bool is_mapped = true;
      for (std::uint64_t at = object.address.value(); at < end;
           at = (at & ~page_mask) + page_size) {
        is_mapped = is_mapped && owner->memory->region_at(GuestAddr(at)) != nullptr;
      }
      if (is_mapped) seen.counters[object.name] = elements_of(*owner->memory, object);
    }
  }
}

// The bytes of a partial element at the end belong to no element.
Elements Performance::elements_of(AddressSpace& memory, const MemoryObject& object) {
  const GuestAddr page(object.address.value() & ~page_mask);
  const std::uint64_t size = round_up_to_page(object.address.value() + object.size) - page.value();
  // Whatever its protection: nothing runs any more.
  CHECK(memory.protect(page, size, Permissions{.read = true}).ok());
  std::vector<std::uint8_t> bytes(object.size);
  CHECK(memory.read_bytes(object.address, bytes).ok());
  Elements elements;
  for (std::uint64_t index = 0; index < object.size / object.width; ++index) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < object.width; ++i)
      value = value << 8 | bytes[index * object.width + i];
    if (value != 0) elements[index] = value;
  }
  return elements;
}

Observation cannot(std::string why) {
  Observation observation;
  observation.error = std::move(why);
  return observation;
}

}  // namespace

GuestBackend::GuestBackend(posix::MakeCpu make_cpu)
    : make_cpu_(std::move(make_cpu)), files_(std::make_unique<AgentFiles>()) {}

GuestBackend::~GuestBackend() = default;

Observation GuestBackend::run(const Case& of) {
  const posix::UnixSystem* const system = find_unix_system(of.variant->system->name);
  if (system == nullptr) return cannot("no guest can run under this system");
  const auto agent = place_agent(of, *system);
  if (!agent) return cannot("the case leaves the guest's own program no room");
  const auto path = files_->path_of(*agent);
  if (!path) return cannot(path.error());
  MachineOptions options;
  options.system = system;
  options.address_bits = of.variant->address_bits == 64 ? 64 : 32;
  options.agent = *agent;
  options.agent_path = *path;
  options.make_cpu = make_cpu_;
  auto machine = GuestMachine::create(options);
  if (!machine) return cannot(machine.error());
  return Performance(of, **machine).perform();
}

}  // namespace hardclock::conform
