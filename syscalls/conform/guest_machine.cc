#include "syscalls/conform/guest_machine.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/load/load.h"
#include "syscalls/profil/system.h"

namespace hardclock::conform {
namespace {

// Every tick rate of the systems divides it, so that all periods are whole cycles.
constexpr Hertz cpu_clock{96'000};
// The agent is never closer to the next tick than this when it starts to make a call.
constexpr Cycles call_room{32};
// Time passes unseen up to this long before a tick that is to hit a loop: a few instructions.
constexpr Cycles approach{4};
constexpr Hertz default_fast_rate{1000};
// Of the machine: cases have a few buffers, and up to 64 processes.
constexpr std::uint64_t memory_bytes = std::uint64_t{256} << 20;
// In the agent's data, of its stack pointer: with room for a call's arguments on both sides.
constexpr std::uint64_t stack_offset = 1024;

SimulationOptions simulation_options(const posix::UnixSystem& system) {
  const profil::SystemRules& profiling = *system.profiling;
  SimulationOptions options;
  options.cpu_clock = cpu_clock;
  options.tick_rate = profiling.tick_rate;
  options.fast_tick_rate =
      profiling.fast_tick_rate == Hertz(0) ? default_fast_rate : profiling.fast_tick_rate;
  options.max_memory = memory_bytes;
  return options;
}

bool is_on_way_back(const GuestCode& code, Cpu& cpu) {
  return code.is_on_way_back != nullptr && code.is_on_way_back(cpu);
}

// The agent's code as the place that calls are made at. The thread is behind a call while it is
// still inside the kernel: the parent of a vfork() sleeps there, and is to be asked for its answer.
class AgentCallSite final : public debug::CallSite {
 public:
  AgentCallSite(const AgentLayout& agent, const GuestCode& code) : agent_(agent), code_(code) {}

  bool enter(Thread& thread, unsigned number, std::span<const std::uint64_t> arguments) override {
    Cpu& cpu = *thread.cpu;
    code_.abi->start_at(cpu, agent_.call(), agent_.data() + stack_offset);
    return code_.prepare_call(cpu, *thread.process.memory, number, arguments).ok();
  }
  bool has_returned(const Thread& thread) const override {
    const GuestAddr pc = thread.cpu->interrupted_pc();
    return is_on_way_back(code_, *thread.cpu) || (pc >= agent_.rest() && pc < agent_.data());
  }
  debug::CallAnswer answer(const Thread& thread) const override {
    const Reply reply = code_.reply(*thread.cpu);
    return {reply.failed, reply.value};
  }

 private:
  const AgentLayout& agent_;
  const GuestCode& code_;
};

std::string line_of(const std::string& text) {
  return "guest: " + text;
}

const CallInfo* find_by_name(const posix::UnixSystem& system, std::string_view name) {
  const auto found = std::ranges::find_if(system.calls, [&](const CallInfo& call) {
    return call.name == name && call.state != CallState::missing && !call.is_multiplexed();
  });
  return found == system.calls.end() ? nullptr : &*found;
}

}  // namespace

GuestMachine::GuestMachine(const MachineOptions& options)
    : options_(options), simulation_(simulation_options(*options.system)) {}

Result<std::unique_ptr<GuestMachine>, std::string> GuestMachine::create(
    const MachineOptions& options) {
  std::unique_ptr<GuestMachine> machine(new GuestMachine(options));
  const auto booted = machine->boot();
  if (!booted) return Failure{booted.error()};
  return machine;
}

Result<Ok, std::string> GuestMachine::boot() {
  host::FileSpace space;
  if (!options_.exec_directory.empty()) {
    space.binds.push_back({options_.exec_directory, "/exec", false});
  }
  auto files = host::GuestFiles::create(space);
  if (!files) return Failure{line_of(files.error())};
  auto image = load_image(agent_file(options_.agent, code()));
  if (!image) return Failure{line_of(image.error().message)};
  kernel_ = std::make_unique<posix::Kernel>(
      *options_.system,
      posix::Options{std::make_shared<host::GuestFiles>(*std::move(files)), host::TimeOfDay(),
                     options_.make_cpu, [](const std::string&) {}, nullptr});
  const auto started = kernel_->start(
      simulation_,
      posix::Program{"/agent", std::make_shared<const Image>(*std::move(image)), {"agent"}, {}},
      {});
  if (!started) return Failure{line_of(started.error())};
  first_ = *started;
  strip(*first_);
  return Ok{};
}

void GuestMachine::strip(Process& process) {
  AddressSpace& memory = *process.memory;
  const auto remove = [&memory](GuestAddr from, GuestAddr to) {
    if (from < to) CHECK(memory.unmap(from, to - from).ok());
  };
  const AgentLayout& agent = options_.agent;
  const Pages& kernel = code().kernel_pages;
  remove(GuestAddr(0), agent.code);
  if (kernel.size == 0) {
    remove(agent.code + agent.size(), memory.user_end());
  } else {
    remove(agent.code + agent.size(), kernel.start);
    remove(kernel.start + kernel.size, memory.user_end());
  }
}

void GuestMachine::drop_stack(Process& process, Process& creator) {
  const GuestAddr top = code().abi->stack_pointer(*process.main_thread().cpu);
  const Region* const stack = process.memory->region_at(top - 1);
  if (stack == nullptr) return;
  const GuestAddr start(stack->start);
  const std::uint64_t size = stack->end - stack->start;
  CHECK(process.memory->unmap(start, size).ok());
  CHECK(creator.memory->unmap(start, size).ok());
}

void GuestMachine::fail(const char* why) {
  if (failure_.empty()) failure_ = line_of(why);
}

// The agent's data is always mapped.
void GuestMachine::store(Thread& thread, std::uint64_t at, std::span<const std::uint8_t> bytes) {
  if (!thread.process.memory->initialize(data(at), bytes)) fail("the machine has no memory left");
}

std::vector<std::uint8_t> GuestMachine::load(Thread& thread, std::uint64_t at, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  if (!thread.process.memory->read_bytes(data(at), bytes)) fail("the machine has no memory left");
  return bytes;
}

// ---- One thread at a time.

bool GuestMachine::sleeps(const Thread& thread) const {
  return thread.waiting() && !simulation_.is_over(thread);
}

// A tick must not find room for its counter in the agent's own memory.
void GuestMachine::make_data_writable(Thread& thread, bool writable) {
  const Permissions permissions{.read = true, .write = writable};
  CHECK(thread.process.memory->protect(options_.agent.data(), options_.agent.data_size, permissions)
            .ok());
}

// ---- Calls.

bool GuestMachine::has_call(std::string_view name) const {
  return find_by_name(*options_.system, name) != nullptr;
}

std::optional<Answer> GuestMachine::call(Thread& thread, std::string_view name,
                                         std::span<const std::uint64_t> arguments) {
  const CallInfo* const info = find_by_name(*options_.system, name);
  CHECK(info != nullptr);
  std::vector<std::uint64_t> slots(arguments.begin(), arguments.end());
  if (info->subcode) slots.insert(slots.begin() + *info->selector, *info->subcode);
  step_over_near_ticks(false);
  step_over_near_ticks(true);
  make_data_writable(thread, true);
  AgentCallSite site(options_.agent, code());
  const debug::InjectedCall call = control_.inject(thread, site, info->number, slots);
  using End = debug::InjectedCall::End;
  switch (call.end) {
    case End::gone:
      return std::nullopt;
    case End::failed:
      fail("the machine has no memory left");
      return Answer{.hangs = true};
    case End::waits:
      return Answer{.hangs = true};
    case End::returned:
      break;
  }
  if (!call.answer.failed) return Answer{.value = call.answer.value};
  return Answer{.error = options_.system->errnos.error(static_cast<unsigned>(call.answer.value))};
}

// ---- Signals.

void GuestMachine::send_signal(Thread& thread, GuestAddr handler) {
  handlers_[{thread.process.pid, thread.id}] = handler;
}

void GuestMachine::drop_signals(const Process& process) {
  std::erase_if(handlers_, [&](const auto& each) { return each.first.first == process.pid; });
}

// From inside the kernel, at its pc or at a handler.
void GuestMachine::go_on(Thread& thread) {
  const auto signal = handlers_.extract({thread.process.pid, thread.id});
  if (!signal.empty()) deliver(thread, signal.mapped());
  control_.leave_kernel(thread);
}

// SIGALRM, whose number is 14 everywhere. Its frame lies in the agent's data, where an update of a
// counter could succeed meanwhile.
void GuestMachine::deliver(Thread& thread, GuestAddr handler) {
  code().abi->start_at(*thread.cpu, thread.cpu->interrupted_pc(), data(page_size));
  const SignalSet blocked = thread.blocked_signals;
  SignalAction& action = thread.process.signals.action(posix::sigalrm);
  action.kind = SignalAction::Kind::handler;
  action.handler = action.trampoline = handler;
  thread.pending_signals.set(posix::sigalrm - 1);
  make_data_writable(thread, true);
  kernel_->deliver_signals(thread);
  make_data_writable(thread, false);
  thread.blocked_signals = blocked;
}

// What waits brings the thread into the kernel.
void GuestMachine::catch_signal(Thread& thread, GuestAddr pc) {
  if (!handlers_.contains({thread.process.pid, thread.id})) return;
  enter_kernel(thread);
  leave_kernel(thread, pc);
}

// ---- Ticks.

bool GuestMachine::is_fast(Thread& thread) {
  return kernel_->profiling().of(thread).fast;
}

Cycles GuestMachine::period(bool fast) const {
  const VirtualClock& clock = simulation_.clock();
  const Hertz rate = fast ? clock.fast_rate() : clock.tick_rate();
  return Cycles(cpu_clock.value() / rate.value());
}

// Periods are whole cycles, so ticks come at their multiples.
Cycles GuestMachine::next_tick(bool fast) const {
  const std::uint64_t length = period(fast).value();
  return Cycles((simulation_.clock().now().value() / length + 1) * length);
}

// Lets a tick pass that would hit the agent's own code.
void GuestMachine::step_over_near_ticks(bool fast) {
  const Cycles due = next_tick(fast);
  VirtualClock& clock = simulation_.clock();
  if (due.value() - clock.now().value() > call_room.value()) return;
  clock.advance_to(due);
  while (clock.take_event() != VirtualClock::Event::none) {
  }
}

Pages GuestMachine::pages_of_loop(GuestAddr pc, bool behind_call) const {
  const std::uint64_t front = behind_call ? code().call_bytes() : 0;
  const std::uint64_t start = (pc.value() - front) & ~page_mask;
  return {GuestAddr(start), round_up_to_page(pc.value() + code().loop_bytes()) - start};
}

// The loop at `pc`, with a system call in front of it or not, in pages of its own. False: the
// processor cannot execute at this pc, or the program has memory there.
bool GuestMachine::place_loop(AddressSpace& memory, GuestAddr pc, bool behind_call) {
  const std::uint64_t front = behind_call ? code().call_bytes() : 0;
  const std::uint64_t last = pc.value() + code().loop_bytes() - 1;
  if (pc.value() % code().alignment != 0 || pc.value() < front || last < pc.value() ||
      last >= memory.user_end().value()) {
    return false;
  }
  const auto [start, size] = pages_of_loop(pc, behind_call);
  if (!memory.is_free(start, size)) return false;
  const auto mapped = memory.map(start, size, Permissions{.read = true, .execute = true}, "loop");
  if (!mapped) return false;
  if (memory.initialize(pc - front, code().loop_in_memory(behind_call))) return true;
  remove_loop(memory, pc, behind_call);
  return false;
}

void GuestMachine::remove_loop(AddressSpace& memory, GuestAddr pc, bool behind_call) {
  const auto [start, size] = pages_of_loop(pc, behind_call);
  CHECK(memory.unmap(start, size).ok());
}

void GuestMachine::go_to(Thread& thread, GuestAddr pc) {
  code().abi->start_at(*thread.cpu, pc, GuestAddr(0));
}

void GuestMachine::leave_kernel(Thread& thread, GuestAddr pc) {
  if (!thread.in_kernel) return;
  make_data_writable(thread, false);
  go_to(thread, pc);
  go_on(thread);
}

// Up to and with the next normal tick, which nobody sees.
void GuestMachine::step_to_tick() {
  VirtualClock& clock = simulation_.clock();
  clock.advance_to(next_tick(false));
  while (clock.take_event() != VirtualClock::Event::none) {
  }
}

// The clock interrupt as the processor takes it, also with a pc at which no program could run.
void GuestMachine::interrupt(Thread& thread, GuestAddr pc, ProcessorMode mode) {
  go_to(thread, pc);
  if (is_fast(thread) && mode == ProcessorMode::user) {
    fast_hardclock(&thread, mode);
  } else {
    hardclock::hardclock(simulation_, &thread, mode);
  }
}

void GuestMachine::interrupt_at(Thread& thread, GuestAddr pc, std::uint64_t count) {
  const std::uint64_t fast_ticks = options_.system->profiling->fast_ticks_a_tick;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const bool fetches = is_fast(thread) && i % fast_ticks == 0;
    interrupt(thread, pc, ProcessorMode::user);
    if (fetches) hardclock::hardclock(simulation_, &thread, ProcessorMode::user);
    if (i == count) break;
    go_to(thread, pc);
    control_.leave_kernel(thread);
  }
  leave_kernel(thread, pc);
  catch_signal(thread, pc);
}

void GuestMachine::tick_late(Thread& thread, GuestAddr pc, std::uint64_t count) {
  make_data_writable(thread, false);
  for (std::uint64_t i = 0; i < count; ++i) interrupt(thread, pc, ProcessorMode::user);
  enter_kernel(thread);
  leave_kernel(thread, pc);
}

// Fast ticks begin right after a normal one, which has fetched what waited.
void GuestMachine::tick(Thread& thread, GuestAddr pc, std::uint64_t count) {
  make_data_writable(thread, false);
  go_to(thread, pc);
  kernel_->profiling().charge_waiting(thread);
  if (count == 0) return catch_signal(thread, pc);
  const Owner<AddressSpace> memory = thread.process.memory;
  if (!place_loop(*memory, pc, false)) {
    interrupt_at(thread, pc, count);
    return;
  }
  if (is_fast(thread)) step_to_tick();
  const bool fast = is_fast(thread);
  step_over_near_ticks(false);
  const Cycles last(next_tick(fast).value() + (count - 1) * period(fast).value());
  VirtualClock& clock = simulation_.clock();
  control_.hold_all_but(thread);
  while (clock.now() < last) {
    const Cycles event = clock.next_event();
    clock.advance_to(Cycles(event.value() - approach.value()));
    control_.run_to(event);
    if (clock.now() < event) return fail("the program did not run at its pc");
  }
  leave_kernel(thread, pc);
  catch_signal(thread, pc);
  remove_loop(*memory, pc, false);
}

void GuestMachine::tick_in_kernel(Thread& thread, GuestAddr pc, std::uint64_t count) {
  make_data_writable(thread, false);
  const bool at_trap = options_.system->profiling->system_ticks == profil::SystemTicks::trap_pc;
  const Owner<AddressSpace> memory = thread.process.memory;
  const GuestAddr loop = at_trap ? pc + code().call_bytes() : pc;
  if (!place_loop(*memory, loop, true)) {
    for (std::uint64_t i = 0; i < count; ++i) interrupt(thread, pc, ProcessorMode::system);
    kernel_->enter_at(thread, pc);
    leave_kernel(thread, pc);
    return;
  }
  step_over_near_ticks(false);
  if (is_fast(thread)) step_over_near_ticks(true);
  const Cycles now = simulation_.clock().now();
  const Cycles spent(count == 0 ? 0
                                : next_tick(false).value() - now.value() +
                                      (count - 1) * period(false).value());
  const CallInfo* const harmless = find_by_name(*options_.system, "getpid");
  CHECK(harmless != nullptr);
  Cpu& cpu = *thread.cpu;
  CHECK(code().prepare_call(cpu, *memory, harmless->number, {}).ok());
  go_to(thread, loop - code().call_bytes());
  simulation_.set_system_call_cost(spent);
  const debug::ThreadName name = debug::name_of(thread);
  const auto is_gone = [&] { return control_.find(name) != &thread; };
  control_.hold_all_but(thread);
  const auto is_back = [&] { return cpu.interrupted_pc() == loop || is_on_way_back(code(), cpu); };
  control_.run_until([&] { return is_gone() || is_back(); });
  simulation_.set_system_call_cost(Cycles(0));
  if (is_gone() || !is_back()) {
    fail("the program did not come back from the kernel");
  } else {
    go_to(thread, loop);
    go_on(thread);
  }
  remove_loop(*memory, loop, true);
}

}  // namespace hardclock::conform
