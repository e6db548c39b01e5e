#include "syscalls/posix/terminal_calls.h"

#include <algorithm>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/fcntl_calls.h"
#include "syscalls/posix/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/terminal.h"
#include "syscalls/posix/terminal_settings.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

using host::TerminalFlag;
using host::TerminalSettings;
using When = host::Terminal::When;

bool controls(const Terminal& terminal, const Process& process) {
  return terminal.session != 0 && process.session == terminal.session;
}

// The system has job control, and the process is not in the foreground.
bool is_in_background(const Call& call, const Terminal& terminal) {
  return call.system.signals.terminal_input != 0 && controls(terminal, call.process) &&
         call.process.group != terminal.foreground;
}

// Writing stops only where the user wants that (stty tostop).
bool is_kept_out(const Call& call, const Terminal& terminal, TerminalUse use) {
  if (!is_in_background(call, terminal)) return false;
  if (use != TerminalUse::write) return true;
  const auto settings = terminal.host().settings();
  return settings && settings->has(TerminalFlag::tostop);
}

// Whether the signal could stop the process.
bool can_reach(const Call& call, unsigned signal) {
  return !call.thread.blocked_signals.test(signal - 1) &&
         !is_ignored(call.system.signals, call.process, signal);
}

// ---- Settings.

template <class Read>
CallResult change_settings(Call& call, Terminal& terminal, When when, Read read) {
  auto settings = terminal.host().settings();
  if (!settings) return CallResult::failure(to_errno(settings.error()));
  GuestReader reader(call, call.address(2));
  read(reader, *settings);
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  return done_or_errno(terminal.host().set(*settings, when));
}

template <class Write>
CallResult tell_settings(Call& call, const Terminal& terminal, Write write) {
  const auto settings = terminal.host().settings();
  if (!settings) return CallResult::failure(to_errno(settings.error()));
  GuestStruct members(call);
  write(members, *settings);
  return members.store(call, call.address(2));
}

CallResult get(Call& call, const Terminal& terminal, const TerminalLayout& layout) {
  return tell_settings(call, terminal, [&](GuestStruct& members, const TerminalSettings& settings) {
    write_settings(members, layout, settings);
  });
}

CallResult set(Call& call, Terminal& terminal, const TerminalLayout& layout, When when) {
  return change_settings(call, terminal, when, [&](GuestReader& reader, TerminalSettings& into) {
    read_settings(reader, layout, into);
  });
}

CallResult get_sgtty_of(Call& call, const Terminal& terminal) {
  return tell_settings(call, terminal, [&](GuestStruct& members, const TerminalSettings& settings) {
    write_sgtty(members, *call.system.terminal->sgtty, settings);
  });
}

CallResult set_sgtty_of(Call& call, Terminal& terminal, When when) {
  return change_settings(call, terminal, when, [&](GuestReader& reader, TerminalSettings& into) {
    read_sgtty(reader, *call.system.terminal->sgtty, into);
  });
}

CallResult get_characters(Call& call, const Terminal& terminal,
                          std::span<const host::ControlCharacter> which) {
  return tell_settings(call, terminal, [&](GuestStruct& members, const TerminalSettings& settings) {
    write_characters(members, which, settings);
  });
}

CallResult set_characters(Call& call, Terminal& terminal,
                          std::span<const host::ControlCharacter> which) {
  return change_settings(
      call, terminal, When::now,
      [&](GuestReader& reader, TerminalSettings& into) { read_characters(reader, which, into); });
}

CallResult get_local_modes(Call& call, const Terminal& terminal) {
  return tell_settings(call, terminal, [](GuestStruct& members, const TerminalSettings& settings) {
    members.word(local_modes(settings));
  });
}

// The bits of the word at the argument are set, added or removed.
CallResult change_local_modes(Call& call, Terminal& terminal, TerminalRequest how) {
  return change_settings(
      call, terminal, When::now, [&](GuestReader& reader, TerminalSettings& settings) {
        const std::uint32_t bits = reader.word(), old = local_modes(settings);
        set_local_modes(settings, how == TerminalRequest::add_local_modes      ? old | bits
                                  : how == TerminalRequest::remove_local_modes ? old & ~bits
                                                                               : bits);
      });
}

// ---- Queues.

CallResult flush(Call& call, Terminal& terminal) {
  const std::uint32_t which = call.argument(2);  // TCIFLUSH, TCOFLUSH, TCIOFLUSH
  if (which > 2) return CallResult::failure(Errno::einval);
  return done_or_errno(terminal.host().flush(which != 1, which != 0));
}

CallResult flush_queues(Call& call, Terminal& terminal) {
  constexpr std::uint32_t fread = 1, fwrite = 2;
  const auto which = call.memory.read<std::uint32_t>(call.address(2));
  if (!which) return CallResult::failure(Errno::efault);
  const std::uint32_t queues = *which == 0 ? fread | fwrite : *which;
  return done_or_errno(terminal.host().flush((queues & fread) != 0, (queues & fwrite) != 0));
}

CallResult flow(Call& call, Terminal& terminal) {
  const std::uint32_t action = call.argument(2);  // TCOOFF, TCOON, TCIOFF, TCION
  if (action > 3) return CallResult::failure(Errno::einval);
  return done_or_errno(terminal.host().flow(static_cast<host::Terminal::Flow>(action)));
}

CallResult send_break(Call& call, Terminal& terminal) {
  return done_or_errno(call.argument(2) == 0 ? terminal.host().send_break()
                                             : terminal.host().drain());
}

CallResult count_unwritten(Call& call, const Terminal& terminal) {
  const auto bytes = terminal.host().unwritten_bytes();
  if (!bytes) return CallResult::failure(to_errno(bytes.error()));
  return GuestStruct(call).word(*bytes).store(call, call.address(2));
}

// ---- The window.

CallResult get_window(Call& call, const Terminal& terminal) {
  const host::WindowSize size = terminal.window();
  return GuestStruct(call)
      .half(size.rows)
      .half(size.columns)
      .half(size.width)
      .half(size.height)
      .store(call, call.address(2));
}

// The user's window keeps its size; guests see the new one.
CallResult set_window(Call& call, Terminal& terminal) {
  GuestReader reader(call, call.address(2));
  host::WindowSize size;
  reader.half(size.rows).half(size.columns).half(size.width).half(size.height);
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  call.os.signal_foreground(call.simulation, TerminalSignal::window_change);
  terminal.set_window(size);
  return CallResult::value(0);
}

// ---- Sessions and process groups.

CallResult tell_id(Call& call, int id) {
  return GuestStruct(call).word(static_cast<std::uint32_t>(id)).store(call, call.address(2));
}

CallResult set_group(Call& call, Terminal& terminal) {
  const auto word = call.memory.read<std::uint32_t>(call.address(2));
  if (!word) return CallResult::failure(Errno::efault);
  const auto group = static_cast<std::int32_t>(*word);
  if (group <= 0) return CallResult::failure(Errno::einval);
  const auto all = call.simulation.processes();
  const bool is_there = std::ranges::any_of(all, [&](const Process* process) {
    return process->group == group && process->session == terminal.session;
  });
  if (!is_there) return CallResult::failure(Errno::eperm);
  terminal.foreground = group;
  return CallResult::value(0);
}

CallResult acquire(Call& call, Terminal& terminal) {
  if (controls(terminal, call.process)) return CallResult::value(0);
  if (call.process.session != call.process.pid || terminal.session != 0) {
    return CallResult::failure(Errno::eperm);
  }
  terminal.session = call.process.session;
  terminal.foreground = call.process.group;
  return CallResult::value(0);
}

// Of the session's leader: the session loses the terminal.
CallResult release(Call& call) {
  if (call.process.session == call.process.pid) call.os.hang_up(call.simulation);
  return CallResult::value(0);
}

bool needs_session(TerminalRequest request) {
  using enum TerminalRequest;
  return request == get_group || request == set_group || request == get_session ||
         request == TerminalRequest::release;
}

// Whether the request is one that a background process may not make (POSIX.1, 11.1.4 "Terminal
// Access Control").
bool is_change(TerminalRequest request) {
  using enum TerminalRequest;
  switch (request) {
    case get_termios:
    case get_termio:
    case TerminalRequest::get_sgtty:
    case get_tchars:
    case get_ltchars:
    case TerminalRequest::get_local_modes:
    case TerminalRequest::get_window:
    case TerminalRequest::set_window:
    case get_group:
    case get_session:
    case TerminalRequest::acquire:
    case TerminalRequest::release:
    case TerminalRequest::count_unwritten:
    case get_discipline:
      return false;
    default:
      return true;
  }
}

CallResult answer(Call& call, Terminal& terminal, TerminalRequest request) {
  using enum TerminalRequest;
  const TerminalInterface& known = *call.system.terminal;
  switch (request) {
    case get_termios:
      return get(call, terminal, *known.termios);
    case set_termios:
      return set(call, terminal, *known.termios, When::now);
    case set_termios_drained:
      return set(call, terminal, *known.termios, When::drained);
    case set_termios_flushed:
      return set(call, terminal, *known.termios, When::flushed);
    case get_termio:
      return get(call, terminal, *known.termio);
    case set_termio:
      return set(call, terminal, *known.termio, When::now);
    case set_termio_drained:
      return set(call, terminal, *known.termio, When::drained);
    case set_termio_flushed:
      return set(call, terminal, *known.termio, When::flushed);
    case TerminalRequest::get_sgtty:
      return get_sgtty_of(call, terminal);
    case TerminalRequest::set_sgtty:
      return set_sgtty_of(call, terminal, When::flushed);
    case set_sgtty_now:
      return set_sgtty_of(call, terminal, When::now);
    case get_tchars:
      return get_characters(call, terminal, tchars);
    case set_tchars:
      return set_characters(call, terminal, tchars);
    case get_ltchars:
      return get_characters(call, terminal, ltchars);
    case set_ltchars:
      return set_characters(call, terminal, ltchars);
    case TerminalRequest::get_local_modes:
      return posix::get_local_modes(call, terminal);
    case TerminalRequest::set_local_modes:
    case add_local_modes:
    case remove_local_modes:
      return change_local_modes(call, terminal, request);
    case TerminalRequest::send_break:
      return posix::send_break(call, terminal);
    case TerminalRequest::flow:
      return posix::flow(call, terminal);
    case TerminalRequest::flush:
      return posix::flush(call, terminal);
    case TerminalRequest::flush_queues:
      return posix::flush_queues(call, terminal);
    case flush_all:
      return done_or_errno(terminal.host().flush(true, true));
    case drain:
      return done_or_errno(terminal.host().drain());
    case stop_output:
      return done_or_errno(terminal.host().flow(host::Terminal::Flow::stop_output));
    case start_output:
      return done_or_errno(terminal.host().flow(host::Terminal::Flow::start_output));
    case TerminalRequest::get_window:
      return posix::get_window(call, terminal);
    case TerminalRequest::set_window:
      return posix::set_window(call, terminal);
    case get_group:
      return tell_id(call, terminal.foreground);
    case TerminalRequest::set_group:
      return posix::set_group(call, terminal);
    case get_session:
      return tell_id(call, terminal.session);
    case TerminalRequest::acquire:
      return posix::acquire(call, terminal);
    case TerminalRequest::release:
      return posix::release(call);
    case TerminalRequest::count_unwritten:
      return posix::count_unwritten(call, terminal);
    case get_discipline:
      return GuestStruct(call).word(0).store(call, call.address(2));
    case set_discipline:
    case set_nothing:
      return CallResult::value(0);
  }
  return CallResult::failure(Errno::enotty);
}

CallResult request_of(Call& call, const OpenFile& file, TerminalRequest request) {
  Terminal& terminal = *file.terminal();
  if (needs_session(request) && !controls(terminal, call.process)) {
    return CallResult::failure(Errno::enotty);
  }
  if (is_change(request)) {
    if (const auto kept = keep_from_terminal(call, file, TerminalUse::change)) return *kept;
  }
  return answer(call, terminal, request);
}

// The descriptor's file if it is a terminal; else ENOTTY or EBADF.
Result<std::shared_ptr<OpenFile>, Errno> terminal_at(const Call& call) {
  auto file = file_at(call);
  if (file == nullptr) return Failure{Errno::ebadf};
  if (file->terminal() == nullptr || call.system.terminal == nullptr) return Failure{Errno::enotty};
  return file;
}

CallResult sgtty_request(Call& call, TerminalRequest request) {
  const auto file = terminal_at(call);
  if (!file) return CallResult::failure(file.error());
  call.arguments[2] = call.arguments[1];
  return request_of(call, **file, request);
}

}  // namespace

CallResult terminal_request(Call& call) {
  const auto file = terminal_at(call);
  if (!file) return CallResult::failure(file.error());
  const auto requests = call.system.terminal->requests;
  const auto found = std::ranges::find(requests, call.argument(1), &RequestNumber::number);
  if (found == requests.end()) return CallResult::failure(Errno::enotty);
  return request_of(call, **file, found->request);
}

std::optional<CallResult> keep_from_terminal(Call& call, const OpenFile& file, TerminalUse use) {
  const Terminal* const terminal = file.terminal();
  if (terminal == nullptr || !is_kept_out(call, *terminal, use)) return std::nullopt;
  const SignalTable& table = call.system.signals;
  const bool reads = use == TerminalUse::read;
  const unsigned signal = reads ? table.terminal_input : table.terminal_output;
  if (!can_reach(call, signal)) {
    if (!reads) return std::nullopt;
    return CallResult::failure(Errno::eio);
  }
  if (call.os.is_orphaned(call.simulation, call.process)) return CallResult::failure(Errno::eio);
  call.os.post_to_group(call.simulation, call.process.group, signal);
  return CallResult::wait({.event = NoEvent{}, .on_signal = Restartable{}});
}

namespace calls {

// <sys/filio.h> of 4.2BSD and of those that follow it; before, requests had no direction and size.
CallResult ioctl(Call& call) {
  if (file_at(call) == nullptr) return CallResult::failure(Errno::ebadf);
  switch (call.argument(1)) {
    case 0x20006601:
    case 0x6601:  // FIOCLEX
      return close_on_exec(call, true);
    case 0x20006602:
    case 0x6602:  // FIONCLEX
      return close_on_exec(call, false);
    case 0x4004667f:
    case 0x667f:  // FIONREAD
      return count_available(call);
    case 0x8004667e:  // FIONBIO
      return set_non_blocking(call);
    default:
      return terminal_request(call);
  }
}

// gtty(file, settings)
CallResult gtty(Call& call) {
  return sgtty_request(call, TerminalRequest::get_sgtty);
}

CallResult stty(Call& call) {
  return sgtty_request(call, TerminalRequest::set_sgtty);
}

}  // namespace calls
}  // namespace hardclock::posix
