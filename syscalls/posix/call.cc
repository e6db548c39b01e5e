// How a call is answered: what it asks for, who does that, how the result reaches the program, and
// what --strace shows.
#include "syscalls/posix/call.h"

#include <cstdio>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {
namespace {

// Arguments of a call that is not in the table: those in registers.
constexpr unsigned unknown_call_arguments = 4;
constexpr std::size_t largest_path = 1024;  // MAXPATHLEN of 4.2BSD, PATH_MAX of IRIX; with its NUL

// A missing call's number as its name has it. Names are said and kept once each, so a guest must
// not be able to make up endlessly many.
std::string numbered(unsigned number) {
  constexpr unsigned first_unnamed = 10'000;
  return number < first_unnamed ? std::to_string(number)
                                : std::to_string(first_unnamed) + " or above";
}

// What each argument slot of a call holds; both slots of an int64 say so.
std::vector<ValueKind> slot_kinds(const CallInfo* info) {
  if (info == nullptr) return {unknown_call_arguments, ValueKind::rest};
  std::vector<ValueKind> kinds;
  const auto add_subcode = [&] {
    if (info->subcode && kinds.size() == *info->selector) kinds.push_back(ValueKind::subcode);
  };
  for (const ArgInfo& argument : info->arguments) {
    add_subcode();
    kinds.insert(kinds.end(), slots_of(argument.kind), argument.kind);
  }
  add_subcode();
  kinds.resize(info->slot_count, ValueKind::rest);
  return kinds;
}

// An argument of a kind that takes a whole register stays as it is; any other number has the width
// of the program's pointers.
std::uint64_t cut_to_kind(const SyscallAbi& abi, ValueKind kind, std::uint64_t value) {
  const bool is_whole =
      abi.address_bits == 64 || (kind == ValueKind::word && abi.register_bits == 64);
  return is_whole ? value : value & 0xffffffff;
}

// Fills the slots from the registers and the stack; returns how many could be read. Where an int64
// is in one register there is no padding.
unsigned read_slots(Call& call, const SyscallAbi& abi, unsigned first,
                    std::span<const ValueKind> kinds) {
  const bool has_pairs = abi.register_bits == 32 && !abi.int64_in_one;
  Cpu& cpu = *call.thread.cpu;
  unsigned next = first;
  for (unsigned slot = 0; slot < kinds.size(); ++slot) {
    call.arguments[slot] = 0;
    if (kinds[slot] == ValueKind::pad && (!has_pairs || abi.packs_pairs)) continue;
    const auto value = abi.argument(cpu, call.memory, next++);
    if (!value) return slot;
    if (kinds[slot] != ValueKind::int64) {
      call.arguments[slot] = cut_to_kind(abi, kinds[slot], *value);
      continue;
    }
    std::uint64_t high = *value >> 32;
    std::uint64_t low = *value & 0xffffffff;
    if (has_pairs) {
      const auto second = abi.argument(cpu, call.memory, next++);
      if (!second) return slot;
      const bool high_first = call.memory.endian() == Endian::big && !abi.low_half_first;
      high = high_first ? *value : *second;
      low = high_first ? *second : *value;
    }
    call.arguments[slot] = high;
    call.arguments[++slot] = low;
  }
  return static_cast<unsigned>(kinds.size());
}

// The call as the process's programs make it: their pointers and longs may be wider than the
// table's.
CallInfo made_by(const Process& process, CallInfo info) {
  info.word_bits = abi_of(process).address_bits;
  return info;
}

}  // namespace

Result<host::GuestPath, Errno> read_path(Call& call, GuestAddr address) {
  const auto text = call.memory.read_string(address, largest_path);
  if (!text) return Failure{Errno::efault};
  if (text->size() == largest_path) return Failure{Errno::enametoolong};
  auto path = host::GuestPath::parse(call.paths().directory, *text);
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

// What the thread asks for at its pc.
struct Kernel::Request {
  unsigned number = 0;
  const CallInfo* info = nullptr;  // null: not in the table
  unsigned readable = 0;           // arguments that were read
  bool is_complete = false;        // all of them
};

// Of a call that makes another one, that one's, unless it cannot be read.
Kernel::CallNumber Kernel::number_of(Call& call) const {
  const SyscallAbi& abi = call.abi();
  Cpu& cpu = *call.thread.cpu;
  const unsigned number = abi.call_number(cpu);
  if (number != system_.indirect_call) return {number};
  const auto meant = abi.argument(cpu, call.memory, 0);
  if (!meant) return {number, 0, false};
  return {static_cast<unsigned>(*meant), 1};
}

unsigned Kernel::call_number(Thread& thread) {
  Call call = make_call(thread);
  return number_of(call).number;
}

Kernel::Request Kernel::decode(Call& call) const {
  Request request;
  const SyscallAbi& abi = call.abi();
  Cpu& cpu = *call.thread.cpu;
  const auto [number, first, is_complete] = number_of(call);
  request.number = number;
  if (!is_complete) return request;
  request.info = find_call(system_.calls, request.number, std::nullopt);
  if (request.info != nullptr && request.info->is_multiplexed()) {
    // No parameter before a sub-code takes two slots.
    const auto subcode = abi.argument(cpu, call.memory, first + *request.info->selector);
    if (!subcode) return request;
    const CallInfo* const sub =
        find_call(system_.calls, request.number, static_cast<unsigned>(*subcode));
    if (sub != nullptr) request.info = sub;
  }
  const auto kinds = slot_kinds(request.info);
  request.readable = read_slots(call, abi, first, kinds);
  request.is_complete = request.readable == kinds.size();
  return request;
}

std::optional<CallText> Kernel::text_of(const Call& call, const Request& request) const {
  if (call.simulation().observers.strace == nullptr || request.info == nullptr) return std::nullopt;
  const std::vector<std::uint64_t> slots(call.arguments.begin(),
                                         call.arguments.begin() + request.readable);
  return CallText(
      made_by(call.process, *request.info), slots, call.memory,
      {.signal_name = [this](unsigned signal) { return signal_name(system_.signals, signal); },
       .create_flag = system_.open_flags.create,
       .address_of = call.abi().pointer});
}

Call Kernel::make_call(Thread& thread) {
  Process& process = thread.process;
  return {*this, system_, thread, process, state_of(process), *process.memory, {}};
}

void Kernel::system_call(Thread& thread) {
  if (ptrace_.stops_at_entry(thread)) return;
  answer_call(thread);
  tell_of_files();
}

void Kernel::answer_call(Thread& thread) {
  caller_ = thread.process.pid;
  thread_state_of(thread).trap_pc = thread.cpu->interrupted_pc();
  Call call = make_call(thread);
  const Request request = decode(call);
  const auto text = text_of(call, request);
  if (request.info == nullptr) trace_unknown(call, request);
  finish(call,
         request.is_complete ? dispatch(call, request.number, request.info)
                             : CallResult::failure(Errno::efault),
         request.info, text);
}

void Kernel::enter_at(Thread& thread, GuestAddr pc) {
  thread_state_of(thread).trap_pc = pc;
  thread.in_kernel = true;
}

CallResult Kernel::dispatch(Call& call, unsigned number, const CallInfo* info) {
  if (info == nullptr) {
    return answer_missing(system_.unknown_call != nullptr ? system_.unknown_call(number)
                                                          : "call " + numbered(number));
  }
  const Handler handler = system_.handler(number, info->subcode);
  if (handler != nullptr) return handler(call);
  std::string name(info->name);
  if (info->is_multiplexed()) name += "(" + numbered(call.argument(*info->selector)) + ")";
  return answer_missing(name + " (call " + std::to_string(number) + ")");
}

CallResult Kernel::answer_missing(const std::string& name) {
  if (missing_[name]++ == 0) {
    options_.notice(std::string(system_.title) + " " + name +
                    " is not implemented: answered with " +
                    std::string(answered(Errno::enosys).name) + "; see 'hardclock syscalls --os " +
                    std::string(system_.name) + "'");
  }
  return CallResult::failure(Errno::enosys);
}

void Kernel::finish(Call& call, const CallResult& result, const CallInfo* info,
                    const std::optional<CallText>& text) {
  if (result.kind == CallResult::Kind::wait) {
    Wait wait = result.awaited;
    wait.call = info == nullptr ? "?" : std::string(info->name);
    call.thread.start_waiting(std::move(wait));
    return;
  }
  if (text) trace_call(call, result, *info, *text);
  if (result.kind == CallResult::Kind::no_return) return;
  set_result(call.thread, result);
  call.thread.cpu->complete_system_call();
}

// How a value or an error reaches the program. The pc stays at the call.
void Kernel::set_result(Thread& thread, const CallResult& result) const {
  const SyscallAbi& abi = abi_of(thread.process);
  if (result.kind == CallResult::Kind::error) {
    abi.set_error(*thread.cpu, system_.errnos.of(result.error));
    return;
  }
  const bool fills_word = result.width == CallResult::Width::word ||
                          (result.width == CallResult::Width::reg && abi.register_bits == 32);
  if (fills_word) {
    abi.set_result(*thread.cpu, result.first, result.second);
  } else {
    abi.set_result64(*thread.cpu, result.first, thread.process.memory->endian());
  }
}

// A handler ends the call that waits. One that has moved bytes reports them, restartable or not, so
// that they are not moved again (POSIX.1, write()); else it fails with EINTR or, restarting, stays
// where the pc is and is repeated by the handler's return.
void Kernel::interrupt_call(Thread& thread, const Wait& wait, bool restart) {
  const bool restarts = restart && std::holds_alternative<Restartable>(wait.on_signal);
  if (wait.progress == 0 && restarts) return;
  std::optional<std::uint64_t> value;
  if (wait.progress != 0) {
    value = wait.progress;
  } else if (const auto* const tells = std::get_if<TellsTimeLeft>(&wait.on_signal)) {
    Call call = make_call(thread);
    value = calls::tell_time_left(call, *tells, *wait.until);
  }
  const CallResult result = value ? CallResult::value(*value) : CallResult::failure(Errno::eintr);
  trace_interrupted(thread, result);
  set_result(thread, result);
  thread.cpu->complete_system_call();
}

// What the program gets for an error: a system that lacks it answers with another one.
ErrnoName Kernel::answered(Errno error) const {
  const unsigned number = system_.errnos.of(error);
  return {errno_name(system_.errnos.error(number)), number};
}

// One line a call, when it ends: a call that waited shows once.
void Kernel::trace_call(const Call& call, const CallResult& result, const CallInfo& table_info,
                        const CallText& text) {
  const CallInfo info = made_by(call.process, table_info);
  std::ostream& out = *call.simulation().observers.strace;
  out << call.process.pid << " ";
  if (result.kind == CallResult::Kind::value) {
    out << text.at_return(result.first, call.memory)
        << format_result(info, result.first, result.second, std::nullopt);
  } else if (result.kind == CallResult::Kind::error) {
    out << text.at_entry() << format_result(info, 0, std::nullopt, answered(result.error));
  } else {
    out << text.at_entry() << format_result(info, 0, std::nullopt, std::nullopt);
  }
  out << "\n";
}

// A number that the table does not have, as strace(1) shows it.
void Kernel::trace_unknown(const Call& call, const Request& request) const {
  std::ostream* const out = call.simulation().observers.strace;
  if (out == nullptr) return;
  *out << call.process.pid << " syscall_" << request.number << "(";
  for (unsigned i = 0; i < request.readable; ++i) {
    char text[24];
    std::snprintf(text, sizeof text, "%s0x%llx", i == 0 ? "" : ", ",
                  static_cast<unsigned long long>(call.arguments[i]));
    *out << text;
  }
  const ErrnoName error = answered(Errno::enosys);
  *out << ") = -1 " << error.name << " (" << error.number << ")\n";
}

// A call that waited until a signal ended it.
void Kernel::trace_interrupted(Thread& thread, const CallResult& result) {
  Call call = make_call(thread);
  const Request request = decode(call);
  const auto text = text_of(call, request);
  if (text) trace_call(call, result, *request.info, *text);
}

}  // namespace hardclock::posix
