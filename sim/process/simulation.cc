#include "sim/process/simulation.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/load/text_hash.h"

namespace hardclock {
namespace {

void add_counts(const Thread& thread, ExecutionCounts& counts) {
  const ExecutionCounts own = thread.cpu->counts();
  counts.instructions += own.instructions;
  counts.cycles += own.cycles;
}

// Where a thread would go on; empty: nowhere.
std::string place_of(const Thread* thread) {
  if (thread == nullptr || thread->process.image == nullptr) return {};
  return describe(thread->process.image->symbols, thread->cpu->interrupted_pc());
}

}  // namespace

Simulation::Simulation(SimulationOptions options)
    : options_(options),
      clock_(options.cpu_clock, options.tick_rate, options.fast_tick_rate, options.tick_counter),
      budget_(std::make_shared<MemoryBudget>(options.max_memory)),
      next_pid_(options.first_pid),
      finished_(budget_, options.most_records) {
  CHECK(!error_in(options.kernel_costs, options.cpu_clock, options.tick_rate));
  if (!options_.sweep) return;
  CHECK(options_.keep_profiles);
  sweep_ = std::make_unique<ClockSweep>(*options_.sweep, options_.cpu_clock, options_.tick_counter,
                                        budget_);
}

Process& Simulation::create_process(int parent, Personality& os) {
  const int pid = next_pid_++;
  if (first_pid_ == 0) first_pid_ = pid;
  auto [at, is_new] = processes_.emplace(pid, std::make_unique<Process>(pid, parent, os));
  CHECK(is_new);
  Process& process = *at->second;
  os.attach(*this);
  process.ended_threads = EndedThreads(budget_);
  const Process* const creator = find(parent);
  process.group = creator != nullptr ? creator->group : pid;
  process.session = creator != nullptr ? creator->session : parent;
  return process;
}

Thread& Simulation::add_thread(Process& process, std::unique_ptr<Cpu> cpu) {
  int id = ++process.last_thread_id;
  while (Waitable{&process, id}.ended_tracee() != nullptr) id = ++process.last_thread_id;
  process.threads.push_back(std::make_unique<Thread>(process, id, std::move(cpu)));
  Thread& thread = *process.threads.back();
  if (sweep_ != nullptr) thread.cpu->sample_pcs(sweep_.get());
  ready_.push_back(&thread);
  return thread;
}

bool Simulation::at_thread_limit() const {
  std::uint64_t threads = 0;
  for (const auto& [pid, process] : processes_) threads += process->threads.size();
  return threads >= options_.max_threads;
}

void Simulation::retire_thread(std::unique_ptr<Thread> thread) {
  std::erase(ready_, thread.get());
  if (stopped_ == thread.get()) stopped_ = nullptr;
  retired_threads_.push_back(std::move(thread));
}

void Simulation::keep_for_tracer(const Thread& ended, ExitStatus status) {
  if (!ended.tracer) return;
  ended.process.ended_tracees.push_back({ended.id, ended.tracer, status});
}

// Where memory ends, all threads are still there, for who counts, and so is their memory.
void Simulation::retire_threads(Process& process) {
  retired_threads_.reserve(retired_threads_.size() + process.threads.size());
  retired_memory_.reserve(retired_memory_.size() + 1);
  for (auto& thread : process.threads) retire_thread(std::move(thread));
  process.threads.clear();
  process.last_thread_id = 0;
}

void Simulation::exit_thread(Thread& thread, ExitStatus if_last, ExitStatus own) {
  Process& process = thread.process;
  if (process.threads.size() == 1) {
    exit(process, if_last);
    return;
  }
  add_counts(thread, process.ended_threads.counts);
  if (options_.keep_profiles) {
    process.ended_threads.cycles.add(thread.cpu->reason_profile());
    process.ended_threads.calls.add(thread.cpu->calls());
  }
  const auto at = std::find_if(process.threads.begin(), process.threads.end(),
                               [&](const auto& owned) { return owned.get() == &thread; });
  CHECK(at != process.threads.end());
  keep_for_tracer(thread, own);
  retired_threads_.reserve(retired_threads_.size() + 1);
  retire_thread(std::move(*at));
  process.threads.erase(at);
  if (thread.tracer) process.os->tracee_ended(process, process.ended_tracees.back());
}

Thread& Simulation::replace_program(Thread& caller, Owner<AddressSpace> memory,
                                    std::unique_ptr<Cpu> cpu) {
  Process& process = caller.process;
  std::erase_if(process.ended_tracees, [](const EndedTracee& ended) { return ended.thread == 1; });
  for (const auto& thread : process.threads) {
    if (thread->id != 1 && thread.get() != &caller) keep_for_tracer(*thread, ExitStatus{});
  }
  retire_threads(process);
  retired_memory_.push_back(std::exchange(process.memory, std::move(memory)));
  process.vfork_parent = 0;
  Thread& thread = add_thread(process, std::move(cpu));
  thread.pending_signals = caller.pending_signals;
  thread.blocked_signals = caller.blocked_signals;
  thread.in_kernel = caller.in_kernel;
  thread.tracer = caller.tracer;
  thread.time = caller.time;
  thread.earlier_cycles = caller.earlier_cycles + caller.cpu->counts().cycles;
  return thread;
}

void Simulation::wait_for_vfork(Thread& thread, Process& child) {
  child.vfork_parent = thread.process.pid;
  thread.start_waiting(
      {.event = VforkEnd{child.pid}, .on_signal = Uninterruptible{}, .call = "vfork"});
}

const Process* Simulation::find(int pid) const {
  const auto at = processes_.find(pid);
  return at == processes_.end() ? nullptr : at->second.get();
}

std::vector<Process*> Simulation::children_of(const Process& parent) {
  std::vector<Process*> children;
  for (auto& [pid, process] : processes_) {
    if (process->parent == parent.pid) children.push_back(process.get());
  }
  return children;
}

std::vector<Process*> Simulation::processes() {
  std::vector<Process*> all;
  for (auto& [pid, process] : processes_) all.push_back(process.get());
  return all;
}

ProgramRecord Simulation::record_of(const Process& process) const {
  ProgramRecord record;
  record.pid = process.pid;
  record.parent = process.parent;
  record.program = process.program;
  record.time = process.time;
  record.profiled_ticks = process.profiled_ticks;
  record.exit_status = process.exit_status;
  record.counts = process.ended_threads.counts;
  for (const auto& thread : process.threads) add_counts(*thread, record.counts);
  if (options_.keep_profiles) record.profile = profile_of(process);
  // Times and ticks belong to the process; a record shows what this program added to them.
  const auto earlier = recorded_.find(process.pid);
  if (earlier != recorded_.end()) {
    record.time.user -= earlier->second.time.user;
    record.time.system -= earlier->second.time.system;
    record.profiled_ticks -= earlier->second.profiled_ticks;
  }
  return record;
}

ProfileRecord Simulation::profile_of(const Process& process) const {
  ProfileRecord profile;
  if (process.memory != nullptr) profile.code_files = process.memory->code_files().all();
  const auto samples = samples_.find(process.pid);
  if (samples != samples_.end()) profile.tick_samples = samples->second;
  profile.cycles = process.ended_threads.cycles;
  profile.calls = process.ended_threads.calls;
  for (const auto& thread : process.threads) {
    profile.cycles.add(thread->cpu->reason_profile());
    profile.calls.add(thread->cpu->calls());
  }
  if (process.image != nullptr) {
    profile.text_hash = text_hash(*process.image);
    profile.moved_by = process.image->moved_by;
  }
  return profile;
}

void Simulation::record_program(Process& process, std::optional<ExitStatus> status) {
  ProgramRecord record = record_of(process);
  record.exit_status = status;
  finished_instructions_ += record.counts.instructions;
  process.earlier_cycles += record.counts.cycles;
  recorded_[process.pid] = {process.time, process.profiled_ticks};
  samples_.erase(process.pid);
  if (sweep_ != nullptr) {
    SweepCounts counts = sweep_->take_counts_of(process.pid);
    if (record.profile) record.profile->sweep = std::move(counts);
  }
  process.ended_threads = EndedThreads(budget_);
  finished_.add(std::move(record));
}

std::vector<std::shared_ptr<const ProgramRecord>> Simulation::programs() const {
  std::vector<std::shared_ptr<const ProgramRecord>> all(finished_.all().begin(),
                                                        finished_.all().end());
  for (const auto& [pid, process] : processes_) {
    if (process->threads.empty()) continue;
    ProgramRecord record = record_of(*process);
    if (record.profile && sweep_ != nullptr) record.profile->sweep = sweep_->counts_of(pid);
    all.push_back(std::make_shared<const ProgramRecord>(std::move(record)));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->pid < b->pid; });
  return all;
}

Instructions Simulation::instructions() const {
  Instructions total = finished_instructions_;
  for (const auto& [pid, process] : processes_) {
    total += process->ended_threads.counts.instructions;
    for (const auto& thread : process->threads) total += thread->cpu->counts().instructions;
  }
  return total;
}

void Simulation::exit(Process& process, ExitStatus status) {
  const bool runs = running_ != nullptr && &running_->process == &process;
  charge(runs ? *running_ : process.main_thread(), options_.kernel_costs.exit);
  record_program(process, status);
  recorded_.erase(process.pid);
  process.exit_status = status;
  process.timers = {};
  process.os->release(process);
  for (const auto& thread : process.threads) keep_for_tracer(*thread, status);
  retire_threads(process);
  retired_memory_.push_back(std::move(process.memory));
  process.vfork_parent = 0;
  update_fast_clock();
  update_alarm();
  if (process.pid == first_pid_) first_status_ = status;
  for (Process* child : children_of(process)) {
    child->parent = 0;
    if (child->exit_status && child->ended_tracees.empty()) reap(*child);
  }
  if (process.ended_tracees.empty()) {
    tell_end(process);
    return;
  }
  for (const EndedTracee& tracee : std::vector(process.ended_tracees)) {
    process.os->tracee_ended(process, tracee);
  }
}

void Simulation::tell_end(Process& zombie) {
  Process* const parent = find(zombie.parent);
  if (parent == nullptr || parent->exit_status) {
    zombie.parent = 0;
    reap(zombie);
  } else {
    parent->os->child_exited(*parent, zombie);
  }
}

void Simulation::stop(Process& process, unsigned signal) {
  process.stopped_by = signal;
  process.stop_to_report = true;
  process.continue_to_report = false;
}

void Simulation::resume(Process& process) {
  process.stopped_by = 0;
  process.stop_to_report = false;
  process.continue_to_report = true;
}

void Simulation::reap(Process& zombie) {
  const auto at = processes_.find(zombie.pid);
  retired_processes_.push_back(std::move(at->second));
  processes_.erase(at);
}

void Simulation::update_fast_clock() {
  const bool wanted = std::any_of(processes_.begin(), processes_.end(), [](const auto& entry) {
    return !entry.second->exit_status && entry.second->os->wants_fast_clock(*entry.second);
  });
  clock_.enable_fast_clock(wanted);
}

void Simulation::update_alarm() {
  std::optional<Cycles> first;
  for (const auto& [pid, process] : processes_) {
    const auto next = process->exit_status ? std::nullopt : process->os->next_alarm(*process);
    if (next) first = std::min(first.value_or(*next), *next);
  }
  alarm_ = first.value_or(never);
}

Cycles Simulation::next_event() const {
  return std::min(clock_.next_event(), alarm_);
}

bool Simulation::alive(const Thread* thread) const {
  return std::none_of(retired_threads_.begin(), retired_threads_.end(),
                      [&](const auto& dead) { return dead.get() == thread; });
}

bool Simulation::can_go_on(const Thread& thread) const {
  return alive(&thread) && !thread.waiting() && thread.may_run();
}

Instructions Simulation::instructions_left() const {
  if (!options_.max_instructions) return Instructions(~std::uint64_t{0} >> 1);
  const Instructions used = instructions();
  return used >= *options_.max_instructions ? Instructions(0) : *options_.max_instructions - used;
}

// All are asked, even if one says stop: they may have work of their own.
bool Simulation::is_told_to_stop() {
  bool stops = false;
  for (const auto& poll : polls_) stops = !poll() || stops;
  is_behind_call_ = false;
  return stops;
}

std::optional<SimulationEnd> Simulation::reason_to_stop() {
  const Thread* const next = running_ != nullptr || ready_.empty() ? running_ : ready_.front();
  if (is_told_to_stop()) return SimulationEnd{SimulationEnd::Kind::interrupted, {}, {}};
  if (is_at_stop()) return SimulationEnd{SimulationEnd::Kind::interrupted, {}, {}};
  if (options_.max_cycles && clock_.now() >= *options_.max_cycles) {
    return SimulationEnd{SimulationEnd::Kind::cycle_limit, {}, place_of(next)};
  }
  if (instructions_left() == Instructions(0)) {
    return SimulationEnd{SimulationEnd::Kind::instruction_limit, {}, place_of(next)};
  }
  return std::nullopt;
}

std::optional<SimulationEnd> Simulation::run_until(Cycles time) {
  stop_at(time);
  SimulationEnd outcome = run();
  stop_at(std::nullopt);
  const bool has_come = outcome.kind == SimulationEnd::Kind::interrupted && clock_.now() >= time;
  return has_come ? std::nullopt : std::optional(std::move(outcome));
}

SimulationEnd Simulation::run() {
  while (!processes_.empty()) {
    if (const auto outcome = reason_to_stop()) return *outcome;
    Thread* const thread = next_thread();
    if (thread == nullptr) {
      if (!idle()) return stuck();
      continue;
    }
    running_ = thread;
    const auto outcome = run_thread(*thread);
    running_ = nullptr;
    if (outcome) {
      stopped_ = thread;
      ready_.push_front(thread);
    } else if (alive(thread)) {
      ready_.push_back(thread);
    }
    if (options_.leaves_last_processors && processes_.empty()) leave_processors();
    drop_retired();
    if (outcome) return *outcome;
  }
  return SimulationEnd{SimulationEnd::Kind::exited, first_status_, {}};
}

// Destroys what ended while a thread of it may still have been on the host's stack. Processors
// refer to memory, so they go first.
void Simulation::drop_retired() {
  retired_threads_.clear();
  retired_memory_.clear();
  retired_processes_.clear();
}

// What they refer to, they will not look at any more.
void Simulation::leave_processors() {
  for (const auto& thread : retired_threads_) (void)thread->cpu.release();
}

// The slice begins when the switch is over, so that a switch of any length leaves time to run. An
// exec may leave the thread its name, but the processor is a new one, with nothing in flight.
void Simulation::begin_time_slice(Thread& thread) {
  const std::pair name(thread.process.pid, thread.id);
  if (last_thread_ != name) thread.cpu->drain_pipeline();
  thread.process.os->switch_to(thread);
  if (last_thread_.value_or(name) != name) charge(thread, options_.kernel_costs.context_switch);
  last_thread_ = name;
  yield_ = false;
}

// Runs one thread until it waits, ends or has used its time slice. An outcome: the thread could go
// on, but the simulation has to stop.
std::optional<SimulationEnd> Simulation::run_thread(Thread& thread) {
  // Where it went on only because a stretch was long, its faults wait for the end of the next one.
  bool is_mid_stretch = std::exchange(stopped_, nullptr) == &thread;
  if (!is_mid_stretch) begin_time_slice(thread);
  if (thread.wait && thread.wait->stage == Wait::Stage::repeat) {
    make_call(thread);
    if (!can_go_on(thread)) return std::nullopt;
    is_mid_stretch = false;
  }
  for (bool asked = true;; asked = false) {  // run() has asked for reasons to stop
    if (!is_mid_stretch) charge_page_faults(thread);
    thread.process.os->deliver_signals(thread);
    if (!can_go_on(thread) || yield_) return std::nullopt;
    if (!asked) {
      if (auto outcome = reason_to_stop()) return outcome;
    } else if (is_at_stop()) {  // by the kernel's work for the thread
      return SimulationEnd{SimulationEnd::Kind::interrupted, {}, {}};
    }
    if (thread.in_kernel) leave_kernel(thread);
    const Cycles deadline = std::min(next_event(), options_.max_cycles.value_or(never));
    if (sweep_ != nullptr) sweep_->enter(thread.process.pid);
    const Stop stop = thread.cpu->run(clock_.now(), deadline, next_stretch(thread));
    is_mid_stretch = stop.reason == StopReason::limit;
    handle(thread, stop);
    if (!can_go_on(thread)) return std::nullopt;
  }
}

// However fast the clock, somebody who waits for a poll must not wait long. Before stop_at()'s time
// so many that they cannot pass it: a deadline would be an interrupt, which is no part of the run.
Instructions Simulation::next_stretch(const Thread& thread) const {
  Instructions stretch = std::min(instructions_left(), thread.steps ? Instructions(1) : stretch_);
  if (stop_at_) {
    const std::uint64_t most = (*stop_at_ - std::min(*stop_at_, clock_.now())).value() /
                               thread.cpu->longest_instruction().value();
    stretch = std::min(stretch, Instructions(std::max<std::uint64_t>(most, 1)));
  }
  return stretch;
}

// While the call runs, the thread has the wait before it. Unless the call waits again, it has
// ended.
void Simulation::make_call(Thread& thread) {
  thread.process.os->system_call(thread);
  if (!thread.waiting()) thread.wait.reset();
}

// "An ERET executed between a LL and SC also causes the SC to fail" (MIPS R4000 Microprocessor
// User's Manual, appendix A, ERET).
void Simulation::leave_kernel(Thread& thread) {
  thread.in_kernel = false;
  thread.cpu->interrupted();
  thread.process.os->leaving_kernel(thread);
}

// The faults of the stretch happened before what ended it, but a tick that ended it found the
// program running. Where a stretch ends because it is long, nothing happens: those who look at a
// run more often see the same one.
void Simulation::handle(Thread& thread, const Stop& stop) {
  if (stop.reason == StopReason::limit && instructions_left() != Instructions(0)) return;
  if (stop.reason == StopReason::deadline) {
    note_user_mode(thread);
    take_clock_events(&thread, ProcessorMode::user);
  }
  charge_page_faults(thread);
  if (stop.reason != StopReason::trap) return;
  thread.in_kernel = true;
  is_behind_call_ = stop.trap.kind == TrapKind::system_call;
  if (is_behind_call_) {
    spend_in_kernel(thread, options_.kernel_costs.system_call);
    make_call(thread);
  } else {
    charge(thread, options_.kernel_costs.trap);
    thread.process.os->trap(thread, stop.trap);
  }
}

// From one clock event to the next, so that each finds the clock at its own time.
void Simulation::spend_in_kernel(Thread& thread, Cycles cycles) {
  thread.in_kernel = true;
  thread.cpu->count_kernel(cycles);
  Cycles left = cycles;
  while (clock_.now() + left >= next_event()) {
    const Cycles event = std::max(clock_.now(), next_event());
    left -= event - clock_.now();
    clock_.advance_to(event);
    take_clock_events(&thread, ProcessorMode::system);
  }
  clock_.now() += left;
  note_kernel_mode(thread);
}

void Simulation::charge(Thread& thread, Cycles cost) {
  if (cost != Cycles(0)) spend_in_kernel(thread, cost);
}

void Simulation::charge_page_faults(Thread& thread) {
  const AddressSpace::PageFaults faults = thread.process.memory->take_page_faults();
  charge(thread, options_.kernel_costs.page_fault * faults.first_touches +
                     options_.kernel_costs.copy_on_write_fault * faults.copies);
}

// A tick's own kernel time may bring the next tick.
void Simulation::take_clock_events(Thread* current, ProcessorMode mode) {
  const Cycles cost = current == nullptr ? Cycles(0) : options_.kernel_costs.clock_tick;
  Ticks taken = take_due_events(current, mode);
  while (cost != Cycles(0) && taken != Ticks(0)) {
    current->in_kernel = true;
    current->cpu->count_kernel(cost * taken.value());
    clock_.now() += cost * taken.value();
    note_kernel_mode(*current);
    taken = take_due_events(current, ProcessorMode::system);
  }
}

// If it is due: after the ticks of the same cycle.
bool Simulation::take_alarm(Thread* current) {
  if (alarm_ > clock_.now()) return false;
  if (current != nullptr) current->cpu->interrupted();
  for (auto& [pid, process] : processes_) {
    if (!process->exit_status) process->os->alarm_came(*process);
  }
  update_alarm();
  return true;
}

// Returns how many clock ticks there were.
Ticks Simulation::take_due_events(Thread* current, ProcessorMode mode) {
  const Ticks before = clock_.ticks();
  while (true) {
    switch (clock_.take_event()) {
      case VirtualClock::Event::none:
        if (take_alarm(current)) break;
        return clock_.ticks() - before;
      case VirtualClock::Event::tick:
        if (current != nullptr) current->cpu->interrupted();
        hardclock(*this, current, mode);
        break;
      case VirtualClock::Event::fast_tick:
        if (current != nullptr) current->cpu->interrupted();
        fast_hardclock(current, mode);
        break;
    }
  }
}

}  // namespace hardclock
