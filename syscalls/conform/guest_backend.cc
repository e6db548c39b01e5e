#include "syscalls/conform/guest_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/endian.h"
#include "syscalls/conform/guest_agent.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/conform/guest_machine.h"
#include "syscalls/conform/guest_place.h"
#include "syscalls/host/temporary_file.h"
#include "syscalls/systems.h"

namespace hardclock::conform {
namespace {

// Where things lie in the agent's data, in bytes.
constexpr std::uint64_t path_at = 0, timeval_at = 64, timeval_room = 16, lwp_at = 80,
                        dev_zero_at = 96, missing_at = 112;
constexpr std::uint64_t context_at = 2048, prof_at = page_size;
static_assert(kObservedPage == page_size);
constexpr std::uint64_t elements_at_once = 65536;  // that are read from the guest
// What the bytes of a struct timeval hold that a call leaves alone.
constexpr std::uint8_t untouched = 0xa5;
constexpr std::uint64_t pr_saddr = 0x40;
constexpr std::uint64_t map_private = 2;

std::vector<std::uint8_t> c_string(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.push_back(0);
  return bytes;
}

Permissions permissions_of(const Protection& protection) {
  // As mmap(2) of the guest's kernel: memory that can be written can be read.
  return {protection.read || protection.write, protection.write, protection.execute};
}

std::uint64_t prot_of(const Protection& protection) {
  return (protection.read ? 1U : 0U) | (protection.write ? 2U : 0U) |
         (protection.execute ? 4U : 0U);
}

bool is_exec(const Event& event) {
  const auto* const exec = std::get_if<ExecEvent>(&event.what);
  return exec != nullptr && exec->ok;
}

// One case on one machine.
class Performance {
 public:
  Performance(const Case& of, GuestMachine& machine, const AgentLayout& agent)
      : case_(of), machine_(machine), agent_(agent), is_wide_(of.variant->address_bits == 64) {
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
  void act_late(Thread& hit, const TickEvent& tick);
  void act(const RunEvent& run);
  void act(const CallStep& step) { make_call(step.call); }
  void act(const ForkEvent& fork);
  void act(const ExecEvent& exec);
  void act(const ThreadCreateEvent&) { thread(); }
  void act(const MemoryEvent& event);
  void act(const PokeEvent& poke);
  void change_directly(AddressSpace& memory, const MemoryEvent& event, const Pages& pages);
  void map_by_call(const Pages& pages, const Protection& protection);
  void run_program(Thread& caller);
  void observe();
  void observe(Process& process, ProcessObservation& seen);
  std::optional<Pages> pages_of(GuestAddr address, std::uint64_t size);
  std::optional<Elements> elements_of(AddressSpace& memory, const MemoryObject& object);
  void read_elements(AddressSpace& memory, const MemoryObject& object, const Pages& in,
                     Elements& elements);
  void check_page(AddressSpace& memory, GuestAddr page);
  std::uint64_t store_timeval(const SprofilCall& sprofil, std::uint64_t bad);
  std::optional<TimeValue> load_timeval();
  bool check_machine();
  void leave_kernel();
  int case_thread(int pid, const Thread& thread) const;

  Process* process();
  Thread* thread();
  std::optional<Answer> call(std::string_view name, std::vector<std::uint64_t> arguments);
  CallResult result_of(const std::optional<Answer>& answer);
  void fail(const std::string& why) {
    if (observation_.error.empty()) observation_.error = why;
  }
  // Whether the call succeeded; if not, the case cannot be performed.
  bool succeeded(const std::optional<Answer>& answer, std::string_view what);
  GuestAddr charged(GuestAddr pc) const { return GuestAddr(pc.value() & case_.variant->pc_mask); }

  const Case& case_;
  GuestMachine& machine_;
  AgentLayout agent_;
  bool is_wide_;
  std::map<int, int> pids_;                        // the case's -> the machine's
  std::map<std::pair<int, int>, int> thread_ids_;  // the case's pid and tid -> the LWP's id
  int pid_ = 1;                                    // who acts
  int tid_ = 1;
  std::size_t next_event_ = 0;
  Observation observation_;
};

Process* Performance::process() {
  Process* const found = machine_.find(static_cast<std::uint64_t>(pids_.at(pid_)));
  if (found == nullptr || found->exit_status) {
    fail(fmt::format("process {} has ended", pid_));
    return nullptr;
  }
  if (machine_.sleeps(found->main_thread())) {
    fail(fmt::format("process {} sleeps in vfork", pid_));
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
  machine_.store(creator, context_at, machine_.code().context(creator));
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
  machine_.leave_unseen(*caller);
  if (!machine_.has_call(name)) {
    fail(fmt::format("{} has no {}()", machine_.system().title, name));
    return std::nullopt;
  }
  return machine_.call(*caller, name, arguments);
}

bool Performance::succeeded(const std::optional<Answer>& answer, std::string_view what) {
  const bool is_back = answer && !answer->hangs;
  if (is_back && !answer->error) return true;
  fail(fmt::format("{}: {}", what, is_back ? posix::errno_name(*answer->error) : "did not return"));
  return false;
}

CallResult Performance::result_of(const std::optional<Answer>& answer) {
  CallResult result;
  if (!answer || answer->hangs) {
    fail("the case's call did not return");
    return result;
  }
  if (answer->error) {
    result.ret = -1;
    result.errno_name = posix::errno_name(*answer->error);
  } else {
    result.ret = is_wide_ ? static_cast<std::int64_t>(answer->value)
                          : static_cast<std::int32_t>(answer->value);
  }
  return result;
}

bool Performance::check_machine() {
  if (!machine_.failure().empty()) fail(machine_.failure());
  return observation_.error.empty();
}

Observation Performance::perform() {
  map_memory();
  if (check_machine()) make_call(case_.first.call);
  leave_kernel();
  for (const Event& event : case_.events) {
    if (!check_machine()) return std::move(observation_);
    pid_ = event.pid;
    tid_ = event.tid;
    ++next_event_;
    std::visit([&](const auto& what) { act(what); }, event.what);
    leave_kernel();
  }
  if (check_machine()) observe();
  return std::move(observation_);
}

// The processes that the event brought into the kernel go on.
void Performance::leave_kernel() {
  for (const auto& [number, pid] : pids_) {
    Process* const owner = machine_.find(static_cast<std::uint64_t>(pid));
    if (owner == nullptr || owner->exit_status) continue;
    for (const auto& each : owner->threads) {
      if (machine_.sleeps(*each)) continue;
      const int tid = case_thread(number, *each);
      machine_.leave_kernel(*each, charged(resume_pc(case_, next_event_, number, tid)));
    }
  }
}

// The case's number of a thread.
int Performance::case_thread(int pid, const Thread& thread) const {
  for (const auto& [name, id] : thread_ids_) {
    if (name.first == pid && id == thread.id) return name.second;
  }
  return 1;
}

// ---- Memory.

std::optional<Pages> Performance::pages_of(GuestAddr address, std::uint64_t size) {
  const GuestAddr end = machine_.first().memory->user_end();
  const auto pages = conform::pages_of(address, size, end);
  if (!pages) {
    fail(fmt::format("{:#x} bytes at {:#x}: the guest's machine has addresses below {:#x} only",
                     size, address.value(), end.value()));
  }
  return pages;
}

// Whole pages: what a page holds besides an object can be touched, as on any machine.
void Performance::map_memory() {
  AddressSpace& memory = *machine_.first().memory;
  std::map<std::uint64_t, Protection> protections;
  for (const MemoryObject& object : case_.memory) {
    const auto pages = conform::pages_of(object.address, object.size, memory.user_end());
    if (!pages || pages->size > memory.budget()->free_bytes()) {
      return fail(fmt::format("{}: no room for it on the guest's machine", object.name));
    }
    for (std::uint64_t at = 0; at < pages->size; at += page_size) {
      const GuestAddr page = pages->start + at;
      const auto [known, is_new] = protections.emplace(page.value(), object.protection);
      if (!is_new && known->second != object.protection) {
        return fail(
            fmt::format("{}: shares a page of {} bytes with an object of another protection",
                        object.name, page_size));
      }
      if (is_new && !memory.map(page, page_size, permissions_of(object.protection), "case")) {
        return fail(fmt::format("{}: no room for it on the guest's machine", object.name));
      }
    }
    put_presets(object);
  }
}

void Performance::put_presets(const MemoryObject& object) {
  for (const MemoryObject::Preset& preset : object.presets) {
    std::array<std::uint8_t, 8> bytes;
    store_bytes(bytes.data(), preset.value, Endian::big);
    const auto low = std::span(bytes).subspan(bytes.size() - preset.width);
    const GuestAddr at = object.address + preset.index * preset.width;
    if (!machine_.first().memory->initialize(at, low)) {
      return fail(fmt::format("{}: the guest's machine has no memory left", object.name));
    }
  }
}

void Performance::act(const MemoryEvent& event) {
  Process* const owner = process();
  if (owner == nullptr || event.kind == MemoryEvent::Kind::evict) {
    return;  // the machine pages nothing out
  }
  const auto pages = pages_of(event.address, event.size);
  if (!pages) return;
  const std::uint64_t start = pages->start.value();
  if (event.kind == MemoryEvent::Kind::mmap && machine_.has_call("mmap")) {
    map_by_call(*pages, event.protection);
  } else if (event.kind == MemoryEvent::Kind::munmap && machine_.has_call("munmap")) {
    succeeded(call("munmap", {start, pages->size}), "munmap");
  } else if (event.kind == MemoryEvent::Kind::mprotect && machine_.has_call("mprotect")) {
    succeeded(call("mprotect", {start, pages->size, prot_of(event.protection)}), "mprotect");
  } else {
    change_directly(*owner->memory, event, *pages);
    if (Thread* const caller = thread()) caller->in_kernel = true;
  }
}

// What the system has no call for.
void Performance::change_directly(AddressSpace& memory, const MemoryEvent& event,
                                  const Pages& pages) {
  const Permissions permissions = permissions_of(event.protection);
  bool is_done = true;
  if (event.kind == MemoryEvent::Kind::mprotect) {
    is_done = memory.protect(pages.start, pages.size, permissions).ok();
    if (!is_done) return fail("mprotect: there is no memory in a part of the range");
  } else {
    is_done = memory.unmap(pages.start, pages.size).ok();
  }
  if (event.kind == MemoryEvent::Kind::mmap) {
    is_done = is_done && memory.map(pages.start, pages.size, permissions, "case").ok();
  }
  if (!is_done) fail("the guest's machine has no room for the memory of an event");
}

// Anonymous memory by the system's own means: a flag, or a mapping of /dev/zero.
void Performance::map_by_call(const Pages& pages, const Protection& protection) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  const posix::MapFlags& flags = machine_.system().map_flags;
  std::uint64_t file = ~std::uint64_t{0};
  if (flags.anonymous == 0) {
    machine_.store(*caller, dev_zero_at, c_string("/dev/zero"));
    const auto opened = call("open", {machine_.data(dev_zero_at).value(), 2});
    if (!succeeded(opened, "open /dev/zero")) return;
    file = opened->value;
  }
  // The offset is 0 in the sixth slot, and in 4.4BSD's form in all of the last three.
  const auto mapped = call("mmap", {pages.start.value(), pages.size, prot_of(protection),
                                    map_private | flags.fixed | flags.anonymous, file, 0, 0, 0});
  if (!succeeded(mapped, "mmap")) return;
  if (flags.anonymous != 0) return;
  succeeded(call("close", {file}), "close");
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
  const std::uint64_t at = agent_.data_size - bytes.size();
  machine_.store(*thread(), at, bytes);
  return machine_.data(at).value();
}

// Returns the address to pass.
std::uint64_t Performance::store_timeval(const SprofilCall& sprofil, std::uint64_t bad) {
  if (sprofil.tvp == SprofilCall::Pointer::null) return 0;
  if (sprofil.tvp == SprofilCall::Pointer::bad) return bad;
  machine_.store(*thread(), timeval_at, std::vector<std::uint8_t>(timeval_room, untouched));
  return machine_.data(timeval_at).value();
}

// Nothing: the call left it alone.
std::optional<TimeValue> Performance::load_timeval() {
  const std::size_t slot = is_wide_ ? 8 : 4;
  const auto bytes = machine_.load(*thread(), timeval_at, 2 * slot);
  if (std::ranges::count(bytes, untouched) == std::ssize(bytes)) return std::nullopt;
  const auto field = [&](std::size_t index) {
    const std::uint8_t* const at = &bytes[index * slot];
    return is_wide_ ? load_bytes<std::uint64_t>(at, Endian::big)
                    : std::uint64_t{load_bytes<std::uint32_t>(at, Endian::big)};
  };
  return TimeValue{static_cast<std::int64_t>(field(0)), static_cast<std::int64_t>(field(1))};
}

CallResult Performance::answer_to(const SprofilCall& sprofil) {
  using Pointer = SprofilCall::Pointer;
  const std::uint64_t bad = case_.variant->highest_address() & ~page_mask;
  std::uint64_t profp = sprofil.profp == Pointer::bad ? bad : 0;
  if (sprofil.profp == Pointer::valid) {
    if (sprofil.entries.size() * 4 * (is_wide_ ? 8 : 4) > agent_.data_size - prof_at) {
      fail("more regions than the agent's memory holds");
      return {};
    }
    profp = store_entries(sprofil);
  }
  const std::uint64_t tvp = store_timeval(sprofil, bad);
  CallResult result =
      result_of(call("sprofil", {profp, static_cast<std::uint64_t>(std::int64_t{sprofil.profcnt}),
                                 tvp, sprofil.flags}));
  const bool is_set = observation_.error.empty() && result.ret == 0;
  if (is_set && sprofil.tvp == Pointer::valid) result.tv = load_timeval();
  return result;
}

// ---- Ticks.

void Performance::act(const TickEvent& tick) {
  Thread* const hit = thread();
  if (hit == nullptr) return;
  switch (tick.mode) {
    case TickEvent::Mode::user:
      machine_.tick(*hit, charged(tick.pc), tick.n);
      return;
    case TickEvent::Mode::owed:
      act_late(*hit, tick);
      return;
    case TickEvent::Mode::system:
      machine_.tick_in_kernel(*hit, charged(tick.pc), tick.n);
      return;
  }
}

// Kernels that do not mark a process come to owe it several ticks when they find it in the kernel.
void Performance::act_late(Thread& hit, const TickEvent& tick) {
  using profil::UserTicks;
  const profil::System& system = *case_.variant->system;
  if (system.user_ticks == UserTicks::as_one || system.user_ticks == UserTicks::as_one_at_resume) {
    machine_.tick_late(hit, charged(tick.pc), tick.n);
  } else if (system.system_ticks != profil::SystemTicks::none) {
    machine_.tick_in_kernel(hit, charged(tick.pc), tick.n);
  } else {
    fail(fmt::format("{} never owes a tick", machine_.system().title));
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
  Thread* const caller = thread();
  if (caller == nullptr) return;
  Process& parent = caller->process;
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
      const std::uint64_t share = fork.kind == ForkEvent::Kind::sproc_shared ? pr_saddr : 0;
      answer = call("sproc", {agent_.rest().value(), share, 0});
      break;
    }
  }
  if (!succeeded(answer, "fork")) return;
  pids_[fork.child] = static_cast<int>(answer->value);
  const bool is_sproc =
      fork.kind == ForkEvent::Kind::sproc_shared || fork.kind == ForkEvent::Kind::sproc_copied;
  Process* const child = machine_.find(answer->value);
  if (is_sproc && child != nullptr) machine_.drop_stack(*child, parent);
}

void Performance::act(const ExecEvent& exec) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  if (exec.ok) return run_program(*caller);
  machine_.store(*caller, missing_at, c_string("/missing"));
  const auto answer = call("execve", {machine_.data(missing_at).value(), 0, 0});
  if (!answer || !answer->error) fail("exec of a missing program did not fail");
}

void Performance::run_program(Thread& caller) {
  const auto file =
      host::TemporaryFile::create(machine_.exec_directory(), agent_file(agent_, machine_.code()));
  if (!file) return fail("guest: " + file.error());
  machine_.store(caller, path_at, c_string("/exec/" + (*file)->name()));
  const auto answer = call("execve", {machine_.data(path_at).value(), 0, 0});
  if (answer) {
    succeeded(answer, "execve");
    return;
  }
  std::erase_if(thread_ids_, [&](const auto& entry) { return entry.first.first == pid_; });
  Process* const fresh = process();
  if (fresh != nullptr) machine_.strip(*fresh);
}

// ---- What is to be seen.

void Performance::observe() {
  for (const auto& [number, pid] : pids_) {
    ProcessObservation& seen = observation_.processes[number];
    Process* const owner = machine_.find(static_cast<std::uint64_t>(pid));
    if (owner != nullptr && !owner->exit_status) observe(*owner, seen);
  }
}

void Performance::observe(Process& process, ProcessObservation& seen) {
  for (const auto& each : process.threads) machine_.charge_waiting(*each);
  seen.profiling = std::ranges::any_of(process.threads, [&](const auto& each) {
    return machine_.kernel().profiling_of(*each).on();
  });
  for (const MemoryObject& object : case_.memory) {
    auto elements = elements_of(*process.memory, object);
    if (elements) seen.counters[object.name] = *std::move(elements);
  }
}

// Whatever the page's protection: nothing runs any more.
bool is_mapped(AddressSpace& memory, GuestAddr start, std::uint64_t size) {
  return memory.protect(start, size, Permissions{.read = true}).ok();
}

// The runs of pages that are mapped.
std::vector<Pages> mapped_runs(AddressSpace& memory, const Pages& pages) {
  if (is_mapped(memory, pages.start, pages.size)) return {pages};
  std::vector<Pages> runs;
  for (std::uint64_t at = 0; at < pages.size; at += page_size) {
    const GuestAddr page = pages.start + at;
    if (!is_mapped(memory, page, page_size)) continue;
    const bool goes_on = !runs.empty() && runs.back().start + runs.back().size == page;
    if (goes_on) {
      runs.back().size += page_size;
    } else {
      runs.push_back({page, page_size});
    }
  }
  return runs;
}

// Nothing: no page of the object is mapped. The bytes of a partial element at the end belong to no
// element, nor do those of elements that are not mapped whole.
std::optional<Elements> Performance::elements_of(AddressSpace& memory, const MemoryObject& object) {
  const auto pages = conform::pages_of(object.address, object.size, memory.user_end());
  if (!pages) return std::nullopt;
  const std::vector<Pages> runs = mapped_runs(memory, *pages);
  if (runs.empty()) return std::nullopt;
  Elements elements;
  for (const Pages& run : runs) {
    if (run.start == pages->start) check_page(memory, run.start);
    const GuestAddr last_page = pages->start + (pages->size - page_size);
    if (run.start + (run.size - page_size) == last_page) check_page(memory, last_page);
    read_elements(memory, object, run, elements);
  }
  return elements;
}

// Those that lie in the pages as a whole.
void Performance::read_elements(AddressSpace& memory, const MemoryObject& object, const Pages& in,
                                Elements& elements) {
  const std::uint64_t width = object.width;
  const std::uint64_t skipped = in.start > object.address ? in.start - object.address : 0;
  const std::uint64_t end = std::min(object.size, in.start + in.size - object.address);
  std::vector<std::uint8_t> bytes;
  std::uint64_t at = 0;  // in `bytes`
  for (std::uint64_t index = (skipped + width - 1) / width; index < end / width; ++index) {
    if (at == bytes.size()) {
      at = 0;
      bytes.resize(std::min(elements_at_once, end / width - index) * width);
      if (!memory.read_bytes(object.address + index * width, bytes)) {
        return fail("the guest's machine has no memory left");
      }
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 8 | bytes[at + i];
    if (value != 0) elements[index] = value;
    at += width;
  }
}

// Nothing was stored behind or in front of the objects in it.
void Performance::check_page(AddressSpace& memory, GuestAddr page) {
  std::array<std::uint8_t, page_size> bytes{};
  if (!memory.read_bytes(page, bytes)) return fail("the guest's machine has no memory left");
  for (std::uint64_t i = 0; i < page_size; ++i) {
    if (bytes[i] == 0 || is_in_case(case_, page + i)) continue;
    return fail(fmt::format("a counter at {:#x} is in no object of the case, but in a page of one",
                            (page + i).value()));
  }
}

Observation cannot(std::string why) {
  Observation observation;
  observation.error = std::move(why);
  return observation;
}

// No kernel of hardclock's has what a library's profil() needs: signals and timers of the guest's
// own would have to carry it, and the library itself would be the guest.
Observation skip(const profil::System& library) {
  Observation observation;
  observation.skipped = fmt::format(
      "{} is no kernel: its profil() is a library's; --emit-c makes a program for a real one",
      library.name);
  return observation;
}

}  // namespace

Observation GuestBackend::run(const Case& of) {
  if (of.variant->system->library != nullptr) return skip(*of.variant->system);
  const GuestCode& code = guest_code_of(*of.variant);
  const posix::UnixSystem* const system =
      find_unix_system(of.variant->system->name, code.kind.machine);
  if (system == nullptr) return cannot("no guest can run under this system");
  const auto agent = place_agent(of, *system, code);
  if (!agent) return cannot("the case leaves the guest's own program no room");
  MachineOptions options;
  options.system = system;
  options.code = &code;
  options.agent = *agent;
  options.make_cpu = make_cpu_;
  if (std::ranges::any_of(of.events, is_exec)) {
    auto directory = host::temporary_directory();
    if (!directory) return cannot("guest: " + directory.error());
    options.exec_directory = *std::move(directory);
  }
  auto machine = GuestMachine::create(options);
  if (!machine) return cannot(machine.error());
  return Performance(of, **machine, *agent).perform();
}

}  // namespace hardclock::conform
