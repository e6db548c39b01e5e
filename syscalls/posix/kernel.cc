#include "syscalls/posix/kernel.h"

#include "sim/base/check.h"
#include "sim/base/last_work.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::posix {

Simulation& KernelPart::simulation() const {
  return kernel_.simulation();
}

const UnixSystem& KernelPart::system() const {
  return kernel_.system();
}

void KernelPart::notice(const std::string& line) const {
  kernel_.options().notice(line);
}

std::pair<std::uint32_t, std::uint32_t> Kernel::time_of_day() const {
  const host::GuestTime now = date();
  return {static_cast<std::uint32_t>(now.seconds), now.nanoseconds / 1000};
}

Kernel::Kernel(const UnixSystem& system, Options options)
    : system_(system),
      options_(std::move(options)),
      jobs_(*this, options_.terminal == nullptr ? nullptr
                                                : std::make_shared<Terminal>(options_.terminal)) {}

// Files that are written to after this, as the last mapping of one goes, have nobody to see them.
Kernel::~Kernel() {
  options_.files->records()->use_clock(nullptr);
  options_.files->use()->on_limit(nullptr);
  do_last_work([this] { options_.files->show(nullptr); });
}

// ---- Programs.

std::shared_ptr<OpenFile> Kernel::stream_file(int number, host::OpenedFile file) const {
  BeforeWrite shown;
  if (options_.output) {
    shown = [this, number](std::span<const std::uint8_t> bytes) { options_.output(number, bytes); };
  }
  const auto& terminal = jobs_.terminal();
  if (terminal == nullptr || !host::Terminal::is_at(number)) {
    return to_open_file(std::move(file), std::move(shown));
  }
  return std::make_shared<TerminalFile>(std::get<host::HostFile>(std::move(file)), terminal,
                                        std::move(shown));
}

Result<Process*, std::string> Kernel::start(Simulation& simulation, const Program& program,
                                            host::StandardStreams streams) {
  constexpr int standard_error = 2;
  Process& process = simulation.create_process(1, *this);
  auto image = make_process_image(system_, simulation, program, process.pid, options_.make_cpu);
  if (!image) return Failure{image.error().message};
  options_.files->records()->use_clock([this] {
    const auto [seconds, microseconds] = time_of_day();
    return host::FileTime{seconds, microseconds * 1000};
  });
  options_.files->use()->on_limit([this](host::HostUse::Limit limit) { say_limit(limit); });
  caller_ = process.pid;
  jobs_.begin(process);
  if (system_.synthetic_files != nullptr) options_.files->show(system_.synthetic_files(*this));
  auto state = std::make_unique<ProcessState>();
  state->start_heap(image->heap_start);
  state->limits[rlimit_stack] = {image->port->layout.stack_limit, image->port->layout.stack_limit};
  state->port = image->port;
  state->started = image->started;
  process.os_state = std::move(state);
  process.program = program.path;
  process.image = std::move(image->image);
  process.memory = std::move(image->memory);
  ThreadState& first_thread =
      thread_state_of(simulation.add_thread(process, std::move(image->cpu)));
  for (std::size_t number = 0; number < streams.size(); ++number) {
    if (!streams[number]) continue;
    const auto stream = static_cast<int>(number);
    const auto file = stream_file(stream, *std::move(streams[number]));
    first_thread.descriptors->set(stream, file);
    if (stream == standard_error) console_ = file;
  }
  first_thread.paths->directory = options_.files->hold_initial_directory();
  for (const FirstLimit& first : system_.first_limits)
    set_limit(process, first.resource, first.limit);
  simulation.budget()->on_refusal([&simulation, notice = options_.notice] {
    notice("the guest has reached --max-memory, " +
           std::to_string(simulation.budget()->limit_bytes() >> 10) +
           "K: it is told that there is no memory left; raise the limit");
  });
  return &process;
}

Result<Ok, Errno> Kernel::replace_program(Thread& thread, Program program) {
  Process& process = thread.process;
  if (program.image->architecture != process.image->architecture) return Failure{Errno::enoexec};
  auto image = make_process_image(system_, simulation(), program, process.pid, options_.make_cpu);
  if (!image) {
    // The program is sound and found no processor: that is the user's to put right.
    if (image.error().error == Errno::enoexec) options_.notice(image.error().message);
    return Failure{image.error().error};
  }
  std::shared_ptr<PageCharge> charge =
      PageCharge::take(simulation().budget(), host_bytes_of(*image->image));
  if (charge == nullptr) return Failure{Errno::enomem};
  simulation().charge(thread, simulation().kernel_costs().exec);
  simulation().record_program(process, std::nullopt);
  if (system_.before_exec != nullptr) system_.before_exec(process);
  for (const auto& other : process.threads) {
    if (other.get() != &thread) leave_shared(*other);
  }
  // Who shares the table keeps it as it is (Linux, fs/exec.c, begin_new_exec()).
  ThreadState& own = thread_state_of(thread);
  own.descriptors->unshare();
  own.descriptors->close_on_exec();
  ProcessState& state = state_of(process);
  state.start_heap(image->heap_start);
  state.port = image->port;
  state.started = image->started;
  state.has_executed = true;
  state.timers.clear();
  profil::State profiling = system_.profiling->after_exec(profiling_.of(thread));
  // Caught signals fall back to their default; ignored ones stay ignored (exec(2)).
  for (SignalAction& action : process.signals.actions) {
    if (action.kind == SignalAction::Kind::handler) action = SignalAction{};
  }
  process.program = program.path;
  process.image = std::move(image->image);
  process.image_charge = std::move(charge);
  for (const auto& one : process.threads) ptrace_.join_stop(*one);
  process.is_clone = false;
  state.end_signal.reset();
  Thread& fresh =
      simulation().replace_program(thread, std::move(image->memory), std::move(image->cpu));
  ThreadState& of_fresh = thread_state_of(fresh);
  of_fresh.pending = std::move(own.pending);
  std::swap(of_fresh.descriptors, own.descriptors);
  of_fresh.paths = own.paths;
  of_fresh.undo_list = own.undo_list;
  profiling_.set(fresh, std::move(profiling));
  obey_stack_limit(process);
  ptrace_.trace_exec(thread, fresh);
  return Ok{};
}

Process& Kernel::fork(Thread& parent, ChildMemory memory) {
  Process& origin = parent.process;
  const bool shared = memory == ChildMemory::shared;
  const KernelCosts& costs = simulation().kernel_costs();
  const std::uint64_t copied_pages = shared ? 0 : origin.memory->resident_pages();
  simulation().charge(parent, costs.fork + costs.fork_per_page * copied_pages);
  Process& child = simulation().create_process(origin.pid, *this);
  child.parent_thread = parent.id;
  child.program = origin.program;
  child.image = origin.image;
  child.image_charge = origin.image_charge;
  child.memory = shared ? origin.memory : origin.memory->fork();
  CHECK(child.memory != nullptr);  // has_room_for_process() was asked
  auto state = shared ? state_of(origin).share() : state_of(origin).fork();
  state->has_executed = false;
  state->start = simulation().clock().ticks();
  state->profiling = system_.profiling->after_fork(state->profiling);
  const SyscallAbi& abi = *state->port->abi;
  child.os_state = std::move(state);
  child.signals.actions = origin.signals.actions;
  if (system_.after_fork != nullptr) system_.after_fork(origin, child);
  auto cpu = parent.cpu->fork(*child.memory);
  cpu->complete_system_call();
  if (system_.fork_returns_zero) {
    abi.set_result(*cpu, 0, 0);
  } else {
    abi.set_result(*cpu, static_cast<std::uint64_t>(origin.pid), 1);
  }
  Thread& thread = simulation().add_thread(child, std::move(cpu));
  thread.in_kernel = true;
  thread.blocked_signals = parent.blocked_signals;
  const ThreadState& own = thread_state_of(parent);
  ThreadState& of_child = thread_state_of(thread);
  of_child.profiling = system_.profiling->after_fork(own.profiling);
  of_child.alternate_stack = own.alternate_stack;
  of_child.unaligned = own.unaligned;
  of_child.descriptors = std::make_unique<Descriptors>(*own.descriptors);
  of_child.paths = std::make_shared<PathContext>(*own.paths);
  simulation().update_fast_clock();
  return child;
}

CallResult Kernel::vfork(Thread& parent) {
  const bool shares = system_.profiling->vfork == profil::Vfork::shares;
  const ChildMemory memory = shares ? ChildMemory::shared : ChildMemory::copied;
  if (!has_room_for_process(parent.process, memory)) {
    return CallResult::failure(Errno::eagain);
  }
  Process& child = fork(parent, memory);
  simulation().wait_for_vfork(parent, child);
  ptrace_.trace_child(parent, child.main_thread(), TraceEvent::vfork);
  return CallResult::value(static_cast<std::uint64_t>(child.pid), 0);
}

Result<Thread*, Errno> Kernel::create_thread(Thread& creator) {
  if (simulation().at_thread_limit() || !may_have_thread(simulation(), creator.process)) {
    return Failure{Errno::eagain};
  }
  Process& process = creator.process;
  Thread& thread = simulation().add_thread(process, creator.cpu->fork(*process.memory));
  thread.blocked_signals = creator.blocked_signals;
  const ThreadState& own = thread_state_of(creator);
  ThreadState& of_new = thread_state_of(thread);
  of_new.unaligned = own.unaligned;
  of_new.descriptors = std::make_unique<Descriptors>(*own.descriptors);
  of_new.descriptors->share(*own.descriptors);
  of_new.paths = own.paths;
  of_new.undo_list = own.undo_list;
  return &thread;
}

// The list is undone when nobody has it any more (Linux, ipc/sem.c, exit_sem()).
void Kernel::leave_undo_list(Thread& thread) {
  constexpr int none = -1;
  const int list = std::exchange(thread_state_of(thread).undo_list, none);
  const bool is_in_use = std::ranges::any_of(thread.process.threads, [&](const auto& other) {
    return thread_state_of(*other).undo_list == list;
  });
  if (!is_in_use) ipc_.undo({thread.process.pid, list}, time_of_day().first);
}

void Kernel::unshare_undo_list(Thread& thread) {
  leave_undo_list(thread);
  thread_state_of(thread).undo_list = ++state_of(thread.process).last_undo_list;
}

void Kernel::leave_shared(Thread& thread) {
  thread_state_of(thread).descriptors->close_all();
  leave_undo_list(thread);
}

void Kernel::switch_to(Thread& thread) {
  if (system_.switch_to != nullptr) system_.switch_to(thread);
}

void Kernel::release(Process& process) {
  if (system_.before_exit != nullptr) system_.before_exit(process);
  for (const auto& thread : process.threads) ptrace_.leave_tracees(*thread);
  if (jobs_.terminal() != nullptr) jobs_.leave_terminal(process);
  const bool leaves_memory = process.memory != nullptr && process.memory.is_only_one();
  ipc_.end_process(process.pid, leaves_memory ? process.memory.get() : nullptr,
                   time_of_day().first);
  for (const auto& thread : process.threads) thread_state_of(*thread).descriptors->close_all();
  ProcessState& state = state_of(process);
  state.control.end();
  state.profiling = profil::stopped(profil::State::Stop::by_exec);
}

void Kernel::child_exited(Process& parent, Process& child) {
  const unsigned signal = state_of(child).end_signal.value_or(system_.signals.child);
  if (signal == 0) return;
  signals_.post(parent, signal, signals_.end_info(child));
  const SignalAction& action = parent.signals.action(signal);
  const bool is_unwanted = action.discards_children || (system_.signals.ignoring_children_reaps &&
                                                        action.kind == SignalAction::Kind::ignore);
  if (is_unwanted && signal == system_.signals.child) simulation().reap(child);
}

void Kernel::end(Process& process, ExitStatus status) {
  for (EndedTracee& ended : process.ended_tracees) ended.status = status;
  if (!ptrace_.stops_before_end(process, status)) simulation().exit(process, status);
}

void Kernel::end_thread(Thread& thread, ExitStatus if_last, ExitStatus own) {
  ptrace_.join_stop(thread);
  ptrace_.leave_tracees(thread);
  if (thread.process.threads.size() > 1) leave_shared(thread);
  simulation().exit_thread(thread, if_last, own);
}

bool Kernel::has_room_for_process(const Process& parent, ChildMemory memory) {
  if (!may_have_thread(simulation(), parent)) return false;
  if (!simulation().at_process_limit()) {
    return memory == ChildMemory::shared || parent.memory->may_fork();
  }
  if (!has_said_full_) {
    options_.notice("the guest has " + std::to_string(simulation().options().max_processes) +
                    " processes, the most there may be: fork answers " +
                    std::string(answered(Errno::eagain).name) + " until one has ended");
  }
  has_said_full_ = true;
  return false;
}

std::string Kernel::describe_place(const Process& process, GuestAddr pc) const {
  const SymbolTable& known = process.image->symbols;
  if (names_functions() || !known.all().empty()) return describe(known, pc);
  return describe(read_symbols(files(), process.program, *process.image), pc);
}

void Kernel::say_limit(host::HostUse::Limit limit) const {
  switch (limit) {
    case host::HostUse::Limit::disk:
      options_.notice(
          "the guest has added to the host's disk what --max-disk allows: writing answers " +
          std::string(answered(Errno::enospc).name) + "; raise --max-disk");
      break;
    case host::HostUse::Limit::open_files:
      options_.notice("the guest has " +
                      std::to_string(options_.files->use()->limits().open_files) +
                      " files of the host open, the most there may be: open answers " +
                      std::string(answered(Errno::enfile).name) + " until one is closed");
      break;
    case host::HostUse::Limit::listed_names:
      options_.notice("the guest is reading directories of " +
                      std::to_string(options_.files->use()->limits().listed_names) +
                      " names, the most there may be: reading one answers " +
                      std::string(answered(Errno::enomem).name) + " until one is closed");
      break;
    case host::HostUse::Limit::held_paths:
      options_.notice("the guest has directories open whose paths have " +
                      std::to_string(options_.files->use()->limits().held_paths >> 20) +
                      " MiB, the most there may be: opening or moving one answers " +
                      std::string(answered(Errno::enomem).name) + " until one is closed");
      break;
    case host::HostUse::Limit::own_directories:
      options_.notice(
          "no room for the guest's /tmp, /etc or /bin/sh in TMPDIR or /tmp; make room there, or "
          "set TMPDIR");
      break;
  }
}

}  // namespace hardclock::posix
