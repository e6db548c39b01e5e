#include "syscalls/irix/irix.h"

#include <cstdio>

#include "isa/mips/abi.h"
#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix_calls.h"
#include "syscalls/irix/result.h"
#include "syscalls/irix/signals.h"
#include "syscalls/profil/irix.h"

namespace hardclock::irix {
namespace {

// syscall(number, ...): the real number is the first argument, the others move up by one.
constexpr unsigned indirect_call = 1000;
// Arguments of a call that is not in the table: those in registers.
constexpr unsigned unknown_call_arguments = 4;
// The largest program file that is read; what does not fit guest memory fails later anyway.
constexpr std::uint64_t largest_program = std::uint64_t{256} << 20;
constexpr std::size_t largest_path = 1024;  // IRIX PATH_MAX, with its NUL

using Handler = CallResult (*)(Call&);

#define HARDCLOCK_CASE(call_number, name) \
  case call_number:                       \
    return calls::name;

Handler handler_of(unsigned number) {
  switch (number) {
    HARDCLOCK_IRIX_CALLS(HARDCLOCK_CASE)
    default:
      return nullptr;
  }
}
#undef HARDCLOCK_CASE

#define HARDCLOCK_IF(call_number, code, name) \
  if (number == call_number && subcode == code) return calls::name;

Handler handler_of(unsigned number, unsigned subcode) {
  HARDCLOCK_IRIX_SUBCALLS(HARDCLOCK_IF)
  return nullptr;
}
#undef HARDCLOCK_IF

// A missing call's number as its name has it. Names are said and kept once each, so a guest must
// not be able to make up endlessly many.
std::string numbered(unsigned number) {
  constexpr unsigned first_unnamed = 10'000;
  return number < first_unnamed ? std::to_string(number)
                                : std::to_string(first_unnamed) + " or above";
}

std::vector<std::uint8_t> read_whole(host::HostFile& file, std::uint64_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto part = file.read(std::span(bytes).subspan(done));
    if (!part || *part == 0) break;
    done += *part;
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

Result<host::GuestPath, Errno> read_path(Call& call, GuestAddr address) {
  const auto text = call.memory.read_string(address, largest_path);
  if (!text) return Failure{Errno::efault};
  if (text->size() == largest_path) return Failure{Errno::enametoolong};
  auto path = host::GuestPath::parse(call.state.directory, *text);
  if (!path) return Failure{to_errno(path.error())};
  return *path;
}

CallResult write_words(Call& call, GuestAddr address, std::span<const std::uint32_t> words,
                       CallResult on_success) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    store_bytes(&bytes[4 * i], words[i], call.memory.endian());
  }
  if (!call.memory.write_bytes(address, bytes)) return CallResult::failure(Errno::efault);
  return on_success;
}

std::pair<std::uint32_t, std::uint32_t> Irix::time_of_day(const Simulation& simulation) const {
  const host::GuestTime now = options_.time_of_day.at(simulation.clock().microseconds() * 1000);
  return {static_cast<std::uint32_t>(now.seconds), now.nanoseconds / 1000};
}

// ---- Programs.

Result<Process*, std::string> Irix::start(Simulation& simulation, const Program& program,
                                          host::StandardStreams streams) {
  Process& process = simulation.create_process(1, *this);
  auto image = make_process_image(simulation, program, process.pid, options_.make_cpu);
  if (!image) return Failure{image.error().message};
  auto state = std::make_unique<State>();
  for (std::size_t number = 0; number < streams.size(); ++number) {
    if (!streams[number]) continue;
    const auto stream = static_cast<int>(number);
    posix::BeforeWrite shown;
    if (options_.output) {
      shown = [this, stream](std::span<const std::uint8_t> bytes) {
        options_.output(stream, bytes);
      };
    }
    state->descriptors.set(stream, std::make_shared<posix::HostOpenFile>(
                                       *std::move(streams[number]), false, std::move(shown)));
  }
  state->directory = options_.files->initial_directory();
  state->break_start = state->break_end = image->break_start;
  process.os_state = std::move(state);
  process.program = program.path;
  process.image = program.image;
  process.memory = std::move(image->memory);
  simulation.add_thread(process, std::move(image->cpu));
  return &process;
}

Result<std::shared_ptr<const Image>, Errno> Irix::load(const host::GuestPath& path) {
  auto file = options_.files->open(path, host::OpenOptions{.read = true});
  if (!file) return Failure{to_errno(file.error())};
  const auto status = file->status();
  if (!status) return Failure{to_errno(status.error())};
  if (status->type != host::FileType::regular) return Failure{Errno::eacces};
  if (status->size > largest_program) return Failure{Errno::enomem};
  auto image = load_image(read_whole(*file, status->size));
  if (!image || image->machine != Machine::mips || image->interpreter) {
    return Failure{Errno::enoexec};
  }
  return std::make_shared<const Image>(*std::move(image));
}

Result<Ok, Errno> Irix::replace_program(Simulation& simulation, Process& process, Program program) {
  auto image = make_process_image(simulation, program, process.pid, options_.make_cpu);
  if (!image) return Failure{image.error().error};
  simulation.record_program(process, std::nullopt);
  State& state = state_of(process);
  state.break_start = state.break_end = image->break_start;
  state.profiling = profil::irix_after_exec(state.profiling);
  // Caught signals fall back to their default; ignored ones stay ignored (exec(2)).
  for (SignalAction& action : process.signals.actions) {
    if (action.kind == SignalAction::Kind::handler) action = SignalAction{};
  }
  process.program = program.path;
  process.image = program.image;
  simulation.replace_program(process, std::move(image->memory), std::move(image->cpu));
  simulation.update_fast_clock();
  return Ok{};
}

Process& Irix::fork(Simulation& simulation, Thread& parent) {
  Process& origin = parent.process;
  Process& child = simulation.create_process(origin.pid, *this);
  child.program = origin.program;
  child.image = origin.image;
  child.memory = origin.memory->fork();
  auto state = state_of(origin).fork();
  state->profiling = profil::irix_after_fork(state->profiling);
  child.os_state = std::move(state);
  child.signals.actions = origin.signals.actions;
  auto cpu = parent.cpu->fork(*child.memory);
  cpu->complete_system_call();
  set_result(*cpu, CallResult::value(static_cast<std::uint32_t>(origin.pid), 1));
  simulation.add_thread(child, std::move(cpu)).blocked_signals = parent.blocked_signals;
  simulation.update_fast_clock();
  return child;
}

void Irix::release(Process& process) {
  State& state = state_of(process);
  state.descriptors.close_all();
  state.profiling = profil::irix_after_exec(state.profiling);
}

// ---- System calls.

// What the thread asks for at its pc.
struct Irix::Request {
  unsigned number = 0;
  const CallInfo* info = nullptr;  // null: not in the table
  unsigned readable = 0;           // arguments that were read
  bool is_complete = false;        // all of them
};

Irix::Request Irix::decode(Call& call) {
  Request request;
  const auto& registers = mips::registers_of(*call.thread.cpu).gpr;
  request.number = mips::to_word(registers[mips::v0]);
  unsigned first = 0;
  if (request.number == indirect_call) {
    request.number = mips::to_word(registers[mips::a0]);
    first = 1;
  }
  request.info = find_call(all_calls(), request.number, std::nullopt);
  const unsigned slots =
      request.info != nullptr ? request.info->slot_count : unknown_call_arguments;
  for (; request.readable < slots; ++request.readable) {
    const auto argument = mips::argument(*call.thread.cpu, call.memory, first + request.readable);
    if (!argument) return request;
    call.arguments[request.readable] = *argument;
  }
  request.is_complete = true;
  if (request.info != nullptr && request.info->is_multiplexed()) {
    const unsigned subcode = call.arguments[*request.info->selector];
    const CallInfo* const sub = find_call(all_calls(), request.number, subcode);
    if (sub != nullptr) request.info = sub;
  }
  return request;
}

std::optional<CallText> Irix::text_of(const Call& call, const Request& request) {
  if (call.simulation.observers.strace == nullptr || request.info == nullptr) return std::nullopt;
  const std::vector<std::uint64_t> slots(call.arguments.begin(),
                                         call.arguments.begin() + request.readable);
  return CallText(*request.info, slots, call.memory, signal_name);
}

void Irix::system_call(Simulation& simulation, Thread& thread) {
  Process& process = thread.process;
  Call call{*this, simulation, thread, process, state_of(process), *process.memory, {}};
  const Request request = decode(call);
  const auto text = text_of(call, request);
  if (request.info == nullptr) trace_unknown(call, request);
  finish(call,
         request.is_complete ? dispatch(call, request.number, request.info)
                             : CallResult::failure(Errno::efault),
         request.info, text);
}

CallResult Irix::dispatch(Call& call, unsigned number, const CallInfo* info) {
  if (info == nullptr) return answer_missing("call " + numbered(number));
  const Handler handler = info->subcode ? handler_of(number, *info->subcode) : handler_of(number);
  if (handler != nullptr) return handler(call);
  std::string name(info->name);
  if (info->is_multiplexed()) name += "(" + numbered(call.arguments[*info->selector]) + ")";
  return answer_missing(name + " (call " + std::to_string(number) + ")");
}

CallResult Irix::answer_missing(const std::string& name) {
  if (missing_[name]++ == 0) {
    options_.notice("IRIX " + name +
                    " is not implemented: answered with ENOSYS; see "
                    "'hardclock syscalls'");
  }
  return CallResult::failure(Errno::enosys);
}

void Irix::finish(Call& call, const CallResult& result, const CallInfo* info,
                  const std::optional<CallText>& text) {
  if (result.kind == CallResult::Kind::wait) {
    call.thread.wait(result.ready, info == nullptr ? "?" : std::string(info->name),
                     result.restartable);
    return;
  }
  call.thread.call_progress = 0;
  if (text) trace_call(call, result, *info, *text);
  if (result.kind == CallResult::Kind::no_return) return;
  set_result(*call.thread.cpu, result);
  call.thread.cpu->complete_system_call();
}

// One line a call, when it ends: a call that waited shows once.
void Irix::trace_call(const Call& call, const CallResult& result, const CallInfo& info,
                      const CallText& text) {
  std::ostream& out = *call.simulation.observers.strace;
  out << call.process.pid << " ";
  if (result.kind == CallResult::Kind::value) {
    out << text.at_return(result.v0, call.memory)
        << format_result(info, result.v0, result.v1, std::nullopt);
  } else if (result.kind == CallResult::Kind::error) {
    const ErrnoName error{errno_name(result.error), static_cast<unsigned>(result.error)};
    out << text.at_entry() << format_result(info, 0, std::nullopt, error);
  } else {
    out << text.at_entry() << format_result(info, 0, std::nullopt, std::nullopt);
  }
  out << "\n";
}

// A number that the table does not have, as strace(1) shows it.
void Irix::trace_unknown(const Call& call, const Request& request) {
  std::ostream* const out = call.simulation.observers.strace;
  if (out == nullptr) return;
  *out << call.process.pid << " syscall_" << request.number << "(";
  for (unsigned i = 0; i < request.readable; ++i) {
    char text[16];
    std::snprintf(text, sizeof text, "%s0x%x", i == 0 ? "" : ", ", call.arguments[i]);
    *out << text;
  }
  *out << ") = -1 ENOSYS (" << static_cast<unsigned>(Errno::enosys) << ")\n";
}

// A call that waited until a signal ended it.
void Irix::trace_interrupted(Simulation& simulation, Thread& thread, const CallResult& result) {
  Process& process = thread.process;
  Call call{*this, simulation, thread, process, state_of(process), *process.memory, {}};
  const Request request = decode(call);
  const auto text = text_of(call, request);
  if (text) trace_call(call, result, *request.info, *text);
}

}  // namespace hardclock::irix
