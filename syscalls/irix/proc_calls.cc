// The requests of /proc. Source: proc(4) of IRIX and of System V.4; the numbers are those that
// SGI's debuggers ask for (docs/observed.md), and between them System V.4's.
#include <bitset>
#include <string>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/proc_file.h"
#include "syscalls/irix/proc_layouts.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/siginfo.h"

namespace hardclock::irix::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;
using posix::ProcessControl;

// 'q' and the number. The bit asks for the structures of 64-bit programs.
constexpr std::uint32_t request_base = 0x7100, request_mask = 0xff, wide_structures = 0x10000;
enum Request : std::uint32_t {
  get_status = 1,
  stop = 2,
  wait_for_stop = 3,
  run = 4,
  get_signals = 5,
  set_signals = 6,
  set_signal = 7,
  send_signal = 8,
  take_back_signal = 9,
  get_held = 10,
  set_held = 11,
  get_last_signal = 12,
  get_actions = 13,
  get_faults = 14,
  set_faults = 15,
  clear_fault = 16,
  get_entries = 17,
  set_entries = 18,
  get_exits = 19,
  set_exits = 20,
  set_inherit = 21,
  reset_inherit = 22,
  set_run_on_close = 23,
  reset_run_on_close = 24,
  get_registers = 25,
  set_registers = 26,
  get_fp_registers = 27,
  set_fp_registers = 28,
  change_nice = 29,
  get_ps_info = 30,
  get_map_count = 31,
  get_map = 32,
  open_mapped = 33,
  get_credentials = 34,
  get_groups = 35,
  set_modes = 38,
  reset_modes = 39,
  get_watch_count = 40,
  get_watches = 41,
  set_watch = 42,
};

// prrun_t's flags.
enum RunFlag : std::uint32_t {
  clears_signal = 1,
  clears_fault = 2,
  sets_signals = 4,
  sets_held = 8,
  sets_faults = 0x10,
  sets_address = 0x20,
  steps = 0x40,
  aborts_call = 0x80,
  stops_again = 0x100,
};

struct ProcRequest {
  Call& call;
  ProcFile& file;
  ProcessControl& control;
  ProcTypes types;

  Process& process() const { return *control.process; }
  Thread& thread() const { return process().main_thread(); }
  GuestAddr address() const { return call.address(2); }
  GuestReader reader() const { return {types.types, call.memory, address()}; }
  CallResult answer(const GuestStruct& members) const { return members.store(call, address()); }
};

ProcTypes types_of(const Call& call, std::uint32_t request) {
  ProcTypes types{posix::guest_types(call), call.abi().register_bits / 8};
  if ((request & wide_structures) == 0) return types;
  types.types.long_bytes = types.register_bytes = 8;
  types.types.times_are_int = true;
  types.types.to_address = posix::wide_pointer;
  return types;
}

CallResult done() {
  return CallResult::value(0);
}

CallResult done_or(bool is_done, Errno error) {
  return is_done ? done() : CallResult::failure(error);
}

// ---- Sets. Element n is bit n % 32 of word n / 32.

template <std::size_t N>
CallResult give_set(const ProcRequest& request, const std::bitset<N>& set) {
  GuestStruct words(request.types.types);
  for (std::size_t first = 0; first < N; first += 32) {
    words.word((set >> first & std::bitset<N>(0xffffffff)).to_ullong());
  }
  return request.answer(words);
}

template <std::size_t N>
void read_set(GuestReader& reader, std::bitset<N>& into) {
  into.reset();
  for (std::size_t first = 0; first < N; first += 32) {
    into |= std::bitset<N>(reader.word()) << first;
  }
}

template <std::size_t N>
CallResult take_set(const ProcRequest& request, std::bitset<N>& into) {
  GuestReader reader = request.reader();
  std::bitset<N> set;
  read_set(reader, set);
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  into = set;
  return done();
}

CallResult hold_signals(const ProcRequest& request) {
  SignalSet held;
  const CallResult result = take_set(request, held);
  if (result.kind == CallResult::Kind::value) {
    request.thread().blocked_signals = posix::blockable(request.call.system.signals, held);
  }
  return result;
}

// ---- Standing still and going on.

// With the status, if that is asked for.
CallResult await_stop(const ProcRequest& request) {
  if (!request.control.stands_still) {
    return CallResult::wait(
        {.event = StopWait{request.file.control()}, .on_signal = Interruptible{}});
  }
  if (request.call.is_null(2)) return done();
  return request.answer(status_of(request.call.simulation(), request.control, request.types));
}

// prrun_t: how a process goes on, and what stops it then.
CallResult set_running(const ProcRequest& request) {
  ProcessControl& control = request.control;
  if (!control.stands_still) return CallResult::failure(Errno::ebusy);
  std::uint64_t flags = 0;
  SignalSet signals, held;
  posix::FaultSet faults;
  GuestAddr address;
  if (!request.call.is_null(2)) {
    GuestReader reader = request.reader();
    reader.word_long(flags);
    read_set(reader, signals);
    read_set(reader, held);
    read_set(reader, faults);
    reader.pointer(address);
    if (!reader.ok()) return CallResult::failure(Errno::efault);
  }
  if ((flags & sets_signals) != 0) control.events.signals = signals;
  if ((flags & sets_held) != 0) {
    request.thread().blocked_signals = posix::blockable(request.call.system.signals, held);
  }
  if ((flags & sets_faults) != 0) control.events.faults = faults;
  if ((flags & sets_address) != 0) continue_at(request.thread(), address.value());
  go_on(control, {.clears_signal = (flags & clears_signal) != 0,
                  .clears_fault = (flags & clears_fault) != 0,
                  .steps = (flags & steps) != 0,
                  .aborts_call = (flags & aborts_call) != 0,
                  .stops_again = (flags & stops_again) != 0});
  return done();
}

// ---- Signals.

std::optional<unsigned> read_signal(const ProcRequest& request) {
  const auto signal = request.call.memory.read<std::uint32_t>(request.address());
  return signal ? std::optional(*signal) : std::nullopt;
}

bool is_signal(const ProcRequest& request, unsigned signal) {
  return signal != 0 && signal <= request.call.system.signals.last;
}

posix::SignalInfo from_caller(const Call& call) {
  return posix::sent_by(call.process, call.state.credentials.user.real);
}

// "Setting the current signal to SIGKILL terminates the process immediately, even if it is
// stopped" (System V.4, proc(4)).
CallResult end_process(const ProcRequest& request) {
  if (&request.process() == &request.call.process) {
    posix::kill(request.control);
  } else {
    request.call.simulation().exit(request.process(), {true, posix::sigkill});
  }
  return done();
}

// The signal that takes effect when the process goes on; a null pointer or 0: none does.
CallResult replace_signal(const ProcRequest& request) {
  ProcessControl& control = request.control;
  unsigned signal = 0;
  if (!request.call.is_null(2)) {
    const auto read = read_signal(request);
    if (!read) return CallResult::failure(Errno::efault);
    signal = *read;
  }
  if (signal != 0 && !is_signal(request, signal)) return CallResult::failure(Errno::einval);
  if (signal == posix::sigkill) return end_process(request);
  if (control.signal != signal || control.is_at_fault) control.info = from_caller(request.call);
  control.signal = signal;
  control.is_at_fault = false;
  if (signal != 0 && !control.stands_still) {
    control.signal = 0;
    request.call.os.signals().post(request.process(), signal, control.info);
  }
  return done();
}

CallResult post_signal(const ProcRequest& request) {
  const auto signal = read_signal(request);
  if (!signal) return CallResult::failure(Errno::efault);
  if (!is_signal(request, *signal)) return CallResult::failure(Errno::einval);
  if (*signal == posix::sigkill) return end_process(request);
  request.call.os.signals().post(request.process(), *signal, from_caller(request.call));
  return done();
}

CallResult unpost_signal(const ProcRequest& request) {
  const auto signal = read_signal(request);
  if (!signal) return CallResult::failure(Errno::efault);
  if (!is_signal(request, *signal) || *signal == posix::sigkill) {
    return CallResult::failure(Errno::einval);
  }
  posix::queue_of(request.process()).drop(*signal);
  posix::queue_of(request.thread()).drop(*signal);
  return done();
}

// struct sigaction of each signal.
CallResult give_actions(const ProcRequest& request) {
  GuestStruct actions(request.types.types);
  for (unsigned signal = 1; signal <= request.call.system.signals.last; ++signal) {
    add_action(actions, request.process().signals.action(signal));
  }
  return request.answer(actions);
}

// ---- Modes.

CallResult change_modes(const ProcRequest& request, bool on) {
  GuestReader reader = request.reader();
  const std::uint64_t flags = reader.word_long();
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  if ((flags & ~std::uint64_t{pr_fork | pr_rlc | pr_klc}) != 0) {
    return CallResult::failure(Errno::einval);
  }
  posix::ControlledEvents& events = request.control.events;
  if ((flags & pr_fork) != 0) events.are_inherited = on;
  if ((flags & pr_rlc) != 0) events.run_on_last_close = on;
  if ((flags & pr_klc) != 0) events.kill_on_last_close = on;
  return done();
}

CallResult set_mode(bool& mode, bool on) {
  mode = on;
  return done();
}

CallResult add_to_nice(const ProcRequest& request) {
  constexpr std::int32_t least = -20, most = 19;
  const auto increment = request.call.memory.read<std::uint32_t>(request.address());
  if (!increment) return CallResult::failure(Errno::efault);
  const auto by = static_cast<std::int32_t>(*increment);
  if (by < 0 && !request.call.state.credentials.is_superuser()) {
    return CallResult::failure(Errno::eperm);
  }
  std::int32_t& nice = posix::state_of(request.process()).nice;
  nice = static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{nice} + by, least, most));
  return done();
}

// ---- Memory, files, ids.

// "": none is.
std::string file_mapped_at(const Process& process, GuestAddr address) {
  for (const Segment& segment : process.image->segments) {
    const bool is_here =
        address >= segment.address && address - segment.address < segment.memory_size;
    if (is_here) return process.program;
  }
  return process.memory->code_files().at(address).file;
}

CallResult open_to_read(Call& call, const std::string& name) {
  const auto path = host::GuestPath::parse("/", name);
  if (!path) return CallResult::failure(posix::to_errno(path.error()));
  auto opened = call.os.files().open(*path, {.read = true});
  if (!opened) return CallResult::failure(posix::to_errno(opened.error()));
  auto file = posix::to_open_file(*std::move(opened));
  file->path = name;
  return posix::add_descriptor(call, std::move(file));
}

// The file that is mapped at the address; without one, the program's.
CallResult open_object(const ProcRequest& request) {
  std::string path = request.process().program;
  if (!request.call.is_null(2)) {
    GuestReader reader = request.reader();
    const GuestAddr address = reader.pointer();
    if (!reader.ok()) return CallResult::failure(Errno::efault);
    path = file_mapped_at(request.process(), address);
    if (path.empty()) return CallResult::failure(Errno::einval);
  }
  return open_to_read(request.call, path);
}

CallResult give_credentials(const ProcRequest& request) {
  const posix::Credentials& credentials = posix::state_of(request.process()).credentials;
  GuestStruct members(request.types.types);
  for (const posix::Ids& ids : {credentials.user, credentials.group}) {
    members.word(ids.effective).word(ids.real).word(ids.saved);
  }
  return request.answer(members.word(credentials.groups.size()));
}

CallResult give_groups(const ProcRequest& request) {
  GuestStruct members(request.types.types);
  for (const auto group : posix::state_of(request.process()).credentials.groups) {
    members.word(group);
  }
  return request.answer(members);
}

// Without a size, the area that starts there is watched no more. One in which nothing is to be
// watched is none.
CallResult change_watches(const ProcRequest& request) {
  GuestReader reader = request.reader();
  const posix::WatchedArea area = take_watch(reader);
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  posix::WatchedAreas& areas = request.control.watched_areas();
  if (area.size != 0 && !area.reads && !area.writes && !area.executes) {
    return CallResult::failure(Errno::einval);
  }
  const auto changed = area.size == 0 ? areas.remove(area.start) : areas.add(area);
  return changed ? done() : CallResult::failure(changed.error());
}

CallResult give_number(const ProcRequest& request, std::uint64_t number) {
  return request.answer(GuestStruct(request.types.types).word(number));
}

// ---- Which requests there are.

// Those that only look at the process; nullopt: it is another one.
std::optional<CallResult> look(const ProcRequest& request, std::uint32_t number) {
  const Simulation& simulation = request.call.simulation();
  const posix::ControlledEvents& events = request.control.events;
  switch (number) {
    case get_status:
      return request.answer(status_of(simulation, request.control, request.types));
    case get_signals:
      return give_set(request, events.signals);
    case get_held:
      return give_set(request, request.thread().blocked_signals);
    case get_last_signal:
      return give_number(request, request.call.system.signals.last);
    case get_actions:
      return give_actions(request);
    case get_faults:
      return give_set(request, events.faults);
    case get_entries:
      return give_set(request, events.entries);
    case get_exits:
      return give_set(request, events.exits);
    case get_registers:
      return request.answer(general_registers(request.thread(), request.types));
    case get_fp_registers:
      return request.answer(floating_registers(request.thread(), request.types));
    case get_map_count:
      return give_number(request, mapping_count(request.process()));
    case get_map:
      return request.answer(memory_map(request.process(), request.types));
    case open_mapped:
      return open_object(request);
    case get_credentials:
      return give_credentials(request);
    case get_groups:
      return give_groups(request);
    case get_watch_count:
      return give_number(request, posix::WatchedAreas::most);
    case get_watches:
      return request.answer(watches(request.control.watched_areas(), request.types));
    default:
      return std::nullopt;
  }
}

// A process's registers change only while it stands still.
CallResult take_registers(const ProcRequest& request, std::uint32_t number) {
  if (!request.control.stands_still) return CallResult::failure(Errno::ebusy);
  const auto take = number == set_registers ? take_general_registers : take_floating_registers;
  return done_or(take(request.reader(), request.thread(), request.types), Errno::efault);
}

// Those that control it.
std::optional<CallResult> control(const ProcRequest& request, std::uint32_t number) {
  posix::ControlledEvents& events = request.control.events;
  switch (number) {
    case stop:
      if (request.call.thread.wait_before() == nullptr) direct_stop(request.control);
      return await_stop(request);
    case wait_for_stop:
      return await_stop(request);
    case run:
      return set_running(request);
    case set_signals:
      return take_set(request, events.signals);
    case set_signal:
      return replace_signal(request);
    case send_signal:
      return post_signal(request);
    case take_back_signal:
      return unpost_signal(request);
    case set_held:
      return hold_signals(request);
    case set_faults:
      return take_set(request, events.faults);
    case clear_fault:
      if (std::exchange(request.control.is_at_fault, false)) request.control.signal = 0;
      return done();
    case set_entries:
      return take_set(request, events.entries);
    case set_exits:
      return take_set(request, events.exits);
    case set_inherit:
    case reset_inherit:
      return set_mode(events.are_inherited, number == set_inherit);
    case set_run_on_close:
    case reset_run_on_close:
      return set_mode(events.run_on_last_close, number == set_run_on_close);
    case set_registers:
    case set_fp_registers:
      return take_registers(request, number);
    case change_nice:
      return add_to_nice(request);
    case set_watch:
      return change_watches(request);
    case set_modes:
    case reset_modes:
      return change_modes(request, number == set_modes);
    default:
      return std::nullopt;
  }
}

CallResult answer_unknown(const ProcRequest& request, std::uint32_t number) {
  return request.call.os.answer_missing("request " + std::to_string(number) + " of /proc");
}

// May the caller open it so? Whoever wants to be the only one who controls it is.
std::optional<Errno> refusal(const Call& call, const posix::ProcessState& target,
                             ProcFile::Kind kind, bool writes) {
  if (kind == ProcFile::Kind::information)
    return writes ? std::optional(Errno::eacces) : std::nullopt;
  const bool may_look = call.state.credentials.may_signal(target.credentials);
  return may_look ? std::nullopt : std::optional(Errno::eacces);
}

}  // namespace

std::optional<CallResult> open_process(Call& call, const host::GuestPath& path) {
  constexpr std::uint32_t access_mode = 3, write_only = 1;
  const auto named = proc_path(path.text());
  if (!named) return std::nullopt;
  Process* const process = call.simulation().find(named->pid);
  if (process == nullptr) return CallResult::failure(Errno::enoent);
  const std::uint32_t mode = call.argument(1) & access_mode;
  const host::OpenRights rights{.read = mode != write_only, .write = mode != 0};
  posix::ProcessState& target = posix::state_of(*process);
  if (const auto error = refusal(call, target, named->kind, rights.write)) {
    return CallResult::failure(*error);
  }
  auto control = target.control.shared(*process, first_call);
  const bool alone = rights.write && (call.argument(1) & call.system.open_flags.exclusive) != 0;
  const bool is_taken =
      rights.write && (control->is_exclusive || (alone && control->controllers != 0));
  if (is_taken) return CallResult::failure(Errno::ebusy);
  control->is_exclusive = control->is_exclusive || alone;
  host::FileStatus status;
  status.permissions = named->kind == ProcFile::Kind::process ? 0600 : 0444;
  status.is_own_owner = status.is_own_group = true;
  status.inode = call.os.files().records()->unnamed();
  auto file = std::make_shared<ProcFile>(std::move(control), named->kind, rights, status);
  file->path = path.text();
  return posix::add_descriptor(call, std::move(file));
}

std::optional<CallResult> process_request(Call& call) {
  const auto file = std::dynamic_pointer_cast<ProcFile>(posix::file_at(call));
  const std::uint32_t asked = call.argument(1);
  if (file == nullptr || (asked & ~(request_mask | wide_structures)) != request_base) {
    return std::nullopt;
  }
  const std::uint32_t number = asked & request_mask;
  ProcessControl& control_of = *file->control();
  const ProcTypes types = types_of(call, asked);
  if (number == get_ps_info) {
    const auto pid = proc_path(file->path)->pid;
    const Process* const process = call.simulation().find(pid);
    if (process == nullptr) return CallResult::failure(Errno::enoent);
    return ps_info(call.os, *process, types).store(call, call.address(2));
  }
  if (control_of.process == nullptr || control_of.process->exit_status) {
    return CallResult::failure(Errno::enoent);
  }
  const ProcRequest request{call, *file, control_of, types};
  const bool is_information = file->kind() == ProcFile::Kind::information;
  if (is_information && number != get_credentials) return CallResult::failure(Errno::einval);
  if (auto result = look(request, number)) return result;
  if (!file->rights().write) return CallResult::failure(Errno::ebadf);
  if (auto result = control(request, number)) return result;
  return answer_unknown(request, number);
}

}  // namespace hardclock::irix::calls
