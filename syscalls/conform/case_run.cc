// The course of a case: who acts, its ticks and its processes.
#include "syscalls/conform/case_run.h"

#include <fmt/format.h>

#include <array>
#include <variant>

#include "syscalls/conform/agent_data.h"
#include "syscalls/conform/guest_place.h"
#include "syscalls/host/temporary_file.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t pr_saddr = 0x40;

}  // namespace

Process* CaseRun::process() {
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
Thread* CaseRun::thread() {
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

std::optional<Answer> CaseRun::call(std::string_view name, std::vector<std::uint64_t> arguments) {
  Thread* const caller = thread();
  if (caller == nullptr) return std::nullopt;
  machine_.leave_unseen(*caller);
  if (!machine_.has_call(name)) {
    fail(fmt::format("{} has no {}()", machine_.system().title, name));
    return std::nullopt;
  }
  const auto answer = machine_.call(*caller, name, arguments);
  (void)check_machine();
  return answer;
}

bool CaseRun::succeeded(const std::optional<Answer>& answer, std::string_view what) {
  const bool is_back = answer && !answer->hangs;
  if (is_back && !answer->error) return true;
  fail(fmt::format("{}: {}", what, is_back ? posix::errno_name(*answer->error) : "did not return"));
  return false;
}

CallResult CaseRun::result_of(const std::optional<Answer>& answer) {
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

bool CaseRun::check_machine() {
  if (!machine_.failure().empty()) fail(machine_.failure());
  return observation_.error.empty();
}

Observation CaseRun::perform() {
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
void CaseRun::leave_kernel() {
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
int CaseRun::case_thread(int pid, const Thread& thread) const {
  for (const auto& [name, id] : thread_ids_) {
    if (name.first == pid && id == thread.id) return name.second;
  }
  return 1;
}

// ---- Ticks.

void CaseRun::act(const TickEvent& tick) {
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
void CaseRun::act_late(Thread& hit, const TickEvent& tick) {
  using profil::UserTicks;
  const profil::SystemRules& system = *case_.variant->system;
  if (system.user_ticks == UserTicks::as_one || system.user_ticks == UserTicks::as_one_at_resume) {
    machine_.tick_late(hit, charged(tick.pc), tick.n);
  } else if (system.system_ticks != profil::SystemTicks::none) {
    machine_.tick_in_kernel(hit, charged(tick.pc), tick.n);
  } else {
    fail(fmt::format("{} never owes a tick", machine_.system().title));
  }
}

void CaseRun::act(const RunEvent& run) {
  constexpr std::uint64_t milliseconds = 1000;
  Thread* const runner = thread();
  if (runner == nullptr) return;
  const profil::SystemRules& system = *case_.variant->system;
  const bool fast = machine_.kernel().profiling().of(*runner).fast;
  const Hertz rate = fast ? system.fast_tick_rate : system.tick_rate;
  machine_.tick(*runner, charged(run.pc), run.milliseconds * rate.value() / milliseconds);
}

void CaseRun::act(const SignalEvent& signal) {
  if (Thread* const hit = thread()) machine_.send_signal(*hit, charged(signal.handler));
}

// ---- Processes.

void CaseRun::act(const ForkEvent& fork) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  Process& parent = caller->process;
  std::optional<Answer> answer;
  switch (fork.kind) {
    case ForkEvent::Kind::fork:
      answer = call("fork", {});
      break;
    case ForkEvent::Kind::vfork: {
      const bool is_fork = case_.variant->system->vfork == profil::Vfork::fork;
      answer = call(is_fork ? "fork" : "vfork", {});
      break;
    }
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

void CaseRun::act(const ExecEvent& exec) {
  Thread* const caller = thread();
  if (caller == nullptr) return;
  if (exec.ok) return run_program(*caller);
  machine_.store(*caller, missing_at, c_string("/missing"));
  const auto answer = call("execve", {machine_.data(missing_at).value(), 0, 0});
  if (!answer || !answer->error) fail("exec of a missing program did not fail");
}

void CaseRun::run_program(Thread& caller) {
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
  if (fresh == nullptr) return;
  machine_.drop_signals(*fresh);
  machine_.strip(*fresh);
}

}  // namespace hardclock::conform
