#include "syscalls/irix/proc_layouts.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "isa/mips/abi.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/process_memory.h"
#include "syscalls/posix/signals/siginfo.h"
#include "syscalls/posix/state.h"

namespace hardclock::irix {
namespace {

using mips_ports::Context;
using posix::GuestStruct;
using posix::ProcessControl;
using posix::StopCause;

constexpr std::size_t class_bytes = 8, name_bytes = 32, arguments_bytes = 80;
constexpr std::string_view scheduling_class = "TS";
constexpr std::uint64_t call_bytes = 4;

std::uint32_t sum_of(std::initializer_list<std::pair<bool, std::uint32_t>> flags) {
  std::uint32_t sum = 0;
  for (const auto& [is_set, flag] : flags) sum += is_set ? flag : 0;
  return sum;
}

// ---- Times.

constexpr std::uint64_t nanoseconds_in_second = 1'000'000'000;

void add_time(GuestStruct& members, const Simulation& simulation, Ticks ticks) {
  const std::uint64_t rate = simulation.clock().tick_rate().value();
  members.time(ticks.value() / rate);
  members.word_long(ticks.value() % rate * nanoseconds_in_second / rate);
}

// ---- Registers.

// The kernel has moved past a call when its program stands still there.
bool stands_at_call(Thread& thread) {
  return thread.wait || posix::thread_state_of(thread).traced_call == posix::TracedCall::at_entry;
}

std::uint64_t pc_of(Thread& thread) {
  return mips::registers_of(*thread.cpu).epc() + (stands_at_call(thread) ? call_bytes : 0);
}

Context seen(Thread& thread) {
  Context context = mips_ports::context_of(thread, {});
  const auto model = mips_ports::data_model_of(thread.process);
  context.pc = mips_ports::to_register(model, pc_of(thread));
  return context;
}

// The 32 general registers are followed by mdlo, mdhi, the cause and the pc; where they have 64
// bits, by the status, too.
void lay_out_general(auto& members, Context& context, std::size_t bytes) {
  context.lay_out_gprs(members, bytes);
  members.member(bytes, context.lo).member(bytes, context.hi).skip(bytes);
  members.member(bytes, context.pc);
  if (bytes == 8) members.skip(bytes);
}

// ---- Status.

std::uint32_t flags_of(const ProcessControl& control) {
  const Process& process = *control.process;
  return sum_of({{control.stands_still || process.stopped_by != 0, pr_stopped},
                 {control.is_directed, pr_dstop},
                 {control.stands_still, pr_istop},
                 {process.threads.front()->waiting(), pr_asleep},
                 {control.events.are_inherited, pr_fork},
                 {control.events.run_on_last_close, pr_rlc},
                 {control.is_stepping, pr_step},
                 {control.events.kill_on_last_close, pr_klc}});
}

// pr_why: the last stop's, unless a signal's default action is why the process stands still.
std::uint32_t why_of(const ProcessControl& control) {
  constexpr std::uint32_t pr_jobcontrol = 6;
  if (control.process->stopped_by != 0 && !control.stands_still) return pr_jobcontrol;
  return static_cast<std::uint32_t>(control.cause);
}

std::uint32_t what_of(const ProcessControl& control) {
  const unsigned stop = control.process->stopped_by;
  return stop != 0 && !control.stands_still ? stop : control.what;
}

// Number, counted from 1, count of arguments, errno, two results, arguments: of the call that it
// has entered.
void add_call(GuestStruct& members, const ProcessControl& control, Thread& thread) {
  constexpr unsigned slots = 6;
  const bool is_at_call =
      stands_at_call(thread) || (control.stands_still && control.cause == StopCause::call_exit);
  if (!is_at_call) {
    members.skip_longs(5 + slots);
    return;
  }
  const auto& abi = posix::abi_of(thread.process);
  const unsigned call =
      stands_at_call(thread) ? abi.call_number(*thread.cpu) - control.first_call : control.call;
  const auto& registers = mips::registers_of(*thread.cpu);
  const bool has_ended = control.cause == StopCause::call_exit && control.stands_still;
  const bool failed = has_ended && registers.gpr[mips::a3] != 0;
  members.word_long(call + 1).word_long(slots);
  members.word_long(failed ? registers.gpr[mips::v0] : 0);
  members.word_long(has_ended && !failed ? registers.gpr[mips::v0] : 0);
  members.word_long(has_ended && !failed ? registers.gpr[mips::v1] : 0);
  for (unsigned slot = 0; slot < slots; ++slot) {
    const auto value = abi.argument(*thread.cpu, *thread.process.memory, slot);
    members.word_long(value ? *value : 0);
  }
}

void add_identity(GuestStruct& members, const Process& process) {
  for (const int id : {process.pid, process.parent, process.group, process.session}) {
    members.word(static_cast<std::uint32_t>(id));
  }
}

std::uint32_t instruction_at(Thread& thread) {
  const GuestAddr pc(mips::registers_of(*thread.cpu).epc());
  const auto word = thread.process.memory->read<std::uint32_t>(pc);
  return word ? *word : 0;
}

// ---- Of a process.

// The arguments in one line.
std::string command_of(const posix::ProcessState& state) {
  std::string line;
  for (const std::string& word : state.started->arguments) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line.substr(0, arguments_bytes - 1);
}

std::string name_of(const Process& process) {
  return process.program.substr(process.program.rfind('/') + 1).substr(0, name_bytes - 1);
}

// State and letter.
std::pair<unsigned, char> run_state_of(const Process& process) {
  if (process.exit_status) return {3, 'Z'};
  if (process.stopped_by != 0 || process.threads.front()->traced_stop != 0) return {4, 'T'};
  const bool sleeps = process.blocked || process.threads.front()->waiting();
  return sleeps ? std::pair(1u, 'S') : std::pair(2u, 'R');
}

// prwatch_t's bits are the same.
enum MapFlag : std::uint32_t {
  ma_exec = 1,
  ma_write = 2,
  ma_read = 4,
  ma_shared = 8,
  ma_break = 0x10,
  ma_stack = 0x20,
};

std::uint32_t flags_of(const Process& process, const Region& region) {
  const posix::Heap& heap = *posix::state_of(process).heap;
  const bool is_heap = region.start >= heap.start.value() && region.start < heap.end.value();
  return sum_of({{region.permissions.execute, ma_exec},
                 {region.permissions.write, ma_write},
                 {region.permissions.read, ma_read},
                 {region.backing.shared != nullptr, ma_shared},
                 {is_heap, ma_break},
                 {region.name == "stack", ma_stack}});
}

std::uint64_t mapped_pages(const Process& process) {
  std::uint64_t bytes = 0;
  posix::for_each_region(*process.memory,
                         [&](const Region& region) { bytes += region.end - region.start; });
  return bytes >> page_shift;
}

}  // namespace

void add_action(GuestStruct& members, const SignalAction& action) {
  GuestAddr handler;
  if (action.kind == SignalAction::Kind::ignore) handler = GuestAddr(1);
  if (action.kind == SignalAction::Kind::handler) handler = action.handler;
  members.word(action.flags).pointer(handler);
  members.signal_words(action.mask, posix::sigset_words).skip(8);
}

GuestStruct status_of(const Simulation& simulation, const ProcessControl& control,
                      const ProcTypes& types) {
  Process& process = *control.process;
  Thread& thread = process.main_thread();
  const auto& stack = posix::thread_state_of(thread).alternate_stack;
  GuestStruct members(types.types);
  members.word_long(flags_of(control)).half(why_of(control)).half(what_of(control));
  const unsigned signal = control.is_at_fault ? 0 : control.signal;
  members.half(signal).half(0);
  members.signal_words(posix::pending_for(thread), posix::sigset_words);
  members.signal_words(thread.blocked_signals, posix::sigset_words);
  if (control.signal != 0) {
    members.append(posix::saved_siginfo(types.types, control.signal, control.info));
  } else {
    members.skip(posix::siginfo_size);
  }
  members.pointer(stack.base).word_long(stack.size);
  members.word(stack.enabled ? 0 : posix::ss_disable).align_long();
  add_action(members, signal == 0 ? SignalAction{} : process.signals.action(signal));
  add_call(members, control, thread);
  add_identity(members, process);
  for (const Ticks ticks : {process.time.user, process.time.system, process.children_time.user,
                            process.children_time.system}) {
    add_time(members, simulation, ticks);
  }
  members.text(scheduling_class, class_bytes).skip_longs(20).word(instruction_at(thread));
  return members.align(types.register_bytes).append(general_registers(thread, types));
}

// Where the class name lies nobody has been seen to read.
GuestStruct ps_info(const posix::Kernel& kernel, const Process& process, const ProcTypes& types) {
  constexpr std::uint32_t nice_zero = 20, usual_priority = 60, no_device = ~0u;
  constexpr std::size_t most_filler = 19;  // libmp's buffer has room for no more
  const posix::ProcessState& state = posix::state_of(process);
  const auto [number, letter] = run_state_of(process);
  const auto pages = [&](bool resident) -> std::uint64_t {
    if (process.memory == nullptr) return 0;
    return resident ? process.memory->resident_pages() : mapped_pages(process);
  };
  const auto [boot, microseconds] = kernel.time_of_day();
  const std::uint64_t rate = kernel.simulation().clock().tick_rate().value();
  const std::uint64_t age = (kernel.simulation().clock().ticks() - state.start).value() / rate;
  GuestStruct members(types.types);
  members.byte(number).byte(static_cast<unsigned char>(letter)).byte(process.exit_status ? 1 : 0);
  members.byte(static_cast<std::uint32_t>(state.nice) + nice_zero).word_long(0);
  members.word(state.credentials.user.real).word(state.credentials.group.real);
  add_identity(members, process);
  members.skip_longs(1).word_long(pages(false)).word_long(pages(true)).skip_longs(1);
  members.time(boot - age).word_long(0);
  add_time(members, kernel.simulation(), process.time.user + process.time.system);
  members.word_long(usual_priority).byte(0).byte(0).word(no_device);
  members.text(scheduling_class, class_bytes).skip(4);
  members.text(name_of(process), name_bytes).text(command_of(state), arguments_bytes);
  return members.align_long().skip_longs(most_filler);
}

GuestStruct memory_map(const Process& process, const ProcTypes& types) {
  GuestStruct members(types.types);
  posix::for_each_region(*process.memory, [&](const Region& region) {
    members.word_long(region.start).word_long(region.end - region.start);
    members.word_long(region.backing.offset).word_long(flags_of(process, region)).skip_longs(4);
  });
  return members.skip_longs(8);
}

std::size_t mapping_count(const Process& process) {
  std::size_t count = 0;
  posix::for_each_region(*process.memory, [&](const Region&) { ++count; });
  return count;
}

GuestStruct watches(const posix::WatchedAreas& areas, const ProcTypes& types) {
  GuestStruct members(types.types);
  for (const posix::WatchedArea& area : areas.all()) {
    members.word_long(area.start.value()).word_long(area.size);
    members.word_long(
        sum_of({{area.executes, ma_exec}, {area.writes, ma_write}, {area.reads, ma_read}}));
    members.skip_longs(1);
  }
  return members.skip_longs(4 * (posix::WatchedAreas::most - areas.all().size()));
}

posix::WatchedArea take_watch(posix::GuestReader& reader) {
  const GuestAddr start = reader.pointer();
  const std::uint64_t size = reader.word_long(), flags = reader.word_long();
  return {start, size, (flags & ma_read) != 0, (flags & ma_write) != 0, (flags & ma_exec) != 0};
}

GuestStruct general_registers(Thread& thread, const ProcTypes& types) {
  Context context = seen(thread);
  GuestStruct members(types.types);
  lay_out_general(members, context, types.register_bytes);
  return members;
}

GuestStruct floating_registers(const Thread& thread, const ProcTypes& types) {
  Context context = mips_ports::context_of(thread, {});
  GuestStruct members(types.types);
  context.lay_out_fprs(members, types.register_bytes);
  return members.word(context.fcsr).skip(4);
}

bool take_general_registers(posix::GuestReader reader, Thread& thread, const ProcTypes& types) {
  Context context = seen(thread);
  lay_out_general(reader, context, types.register_bytes);
  if (!reader.ok()) return false;
  mips_ports::take_up_registers(context, thread, types.register_bytes);
  const auto model = mips_ports::data_model_of(thread.process);
  const std::uint64_t pc = mips_ports::to_address(model, context.pc);
  if (pc != pc_of(thread)) continue_at(thread, pc);
  return true;
}

bool take_floating_registers(posix::GuestReader reader, Thread& thread, const ProcTypes& types) {
  Context context = seen(thread);
  context.lay_out_fprs(reader, types.register_bytes);
  context.fcsr = reader.word();
  if (!reader.ok()) return false;
  mips_ports::take_up_registers(context, thread, 8);
  return true;
}

void continue_at(Thread& thread, std::uint64_t pc) {
  thread.wait.reset();
  posix::thread_state_of(thread).traced_call = posix::TracedCall::none;
  mips::registers_of(*thread.cpu).set_pc(pc);
}

}  // namespace hardclock::irix
