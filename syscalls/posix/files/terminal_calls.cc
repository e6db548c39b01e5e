#include "syscalls/posix/files/terminal_calls.h"

#include <algorithm>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/files/fcntl_calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/files/terminal.h"
#include "syscalls/posix/files/terminal_settings.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/sockets/socket_transfer.h"
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

const TerminalLayout& layout_of(const Call& call, TerminalRequest request) {
  const TerminalInterface& known = *call.system.terminal;
  return request < TerminalRequest::get_termio ? *known.termios : *known.termio;
}

When when_of(TerminalRequest request) {
  using enum TerminalRequest;
  const bool is_now = request == set_termios || request == set_termio || request == set_sgtty_now;
  const bool drains = request == set_termios_drained || request == set_termio_drained;
  return is_now ? When::now : drains ? When::drained : When::flushed;
}

CallResult get(Call& call, Terminal& terminal, TerminalRequest request) {
  return tell_settings(call, terminal, [&](GuestStruct& members, const TerminalSettings& settings) {
    write_settings(members, layout_of(call, request), settings);
  });
}

CallResult set(Call& call, Terminal& terminal, TerminalRequest request) {
  return change_settings(call, terminal, when_of(request),
                         [&](GuestReader& reader, TerminalSettings& into) {
                           read_settings(reader, layout_of(call, request), into);
                         });
}

CallResult get_sgtty(Call& call, Terminal& terminal, TerminalRequest) {
  return tell_settings(call, terminal, [&](GuestStruct& members, const TerminalSettings& settings) {
    write_sgtty(members, *call.system.terminal->sgtty, settings);
  });
}

CallResult set_sgtty(Call& call, Terminal& terminal, TerminalRequest request) {
  return change_settings(call, terminal, when_of(request),
                         [&](GuestReader& reader, TerminalSettings& into) {
                           read_sgtty(reader, *call.system.terminal->sgtty, into);
                         });
}

std::span<const host::ControlCharacter> characters_of(TerminalRequest request) {
  using enum TerminalRequest;
  if (request == get_tchars || request == set_tchars) return tchars;
  return ltchars;
}

CallResult get_characters(Call& call, Terminal& terminal, TerminalRequest request) {
  return tell_settings(call, terminal, [&](GuestStruct& members, const TerminalSettings& settings) {
    write_characters(members, characters_of(request), settings);
  });
}

CallResult set_characters(Call& call, Terminal& terminal, TerminalRequest request) {
  return change_settings(call, terminal, When::now,
                         [&](GuestReader& reader, TerminalSettings& into) {
                           read_characters(reader, characters_of(request), into);
                         });
}

CallResult get_local_modes(Call& call, Terminal& terminal, TerminalRequest) {
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

CallResult flush(Call& call, Terminal& terminal, TerminalRequest) {
  const std::uint32_t which = call.argument(2);  // TCIFLUSH, TCOFLUSH, TCIOFLUSH
  if (which > 2) return CallResult::failure(Errno::einval);
  return done_or_errno(terminal.host().flush(which != 1, which != 0));
}

CallResult flush_queues(Call& call, Terminal& terminal, TerminalRequest) {
  constexpr std::uint32_t fread = 1, fwrite = 2;
  const auto which = call.memory.read<std::uint32_t>(call.address(2));
  if (!which) return CallResult::failure(Errno::efault);
  const std::uint32_t queues = *which == 0 ? fread | fwrite : *which;
  return done_or_errno(terminal.host().flush((queues & fread) != 0, (queues & fwrite) != 0));
}

CallResult flow(Call& call, Terminal& terminal, TerminalRequest) {
  const std::uint32_t action = call.argument(2);  // TCOOFF, TCOON, TCIOFF, TCION
  if (action > 3) return CallResult::failure(Errno::einval);
  return done_or_errno(terminal.host().flow(static_cast<host::Terminal::Flow>(action)));
}

CallResult send_break(Call& call, Terminal& terminal, TerminalRequest) {
  return done_or_errno(call.argument(2) == 0 ? terminal.host().send_break()
                                             : terminal.host().drain());
}

CallResult flush_all(Call&, Terminal& terminal, TerminalRequest) {
  return done_or_errno(terminal.host().flush(true, true));
}

CallResult drain(Call&, Terminal& terminal, TerminalRequest) {
  return done_or_errno(terminal.host().drain());
}

CallResult stop_output(Call&, Terminal& terminal, TerminalRequest) {
  return done_or_errno(terminal.host().flow(host::Terminal::Flow::stop_output));
}

CallResult start_output(Call&, Terminal& terminal, TerminalRequest) {
  return done_or_errno(terminal.host().flow(host::Terminal::Flow::start_output));
}

CallResult count_unwritten(Call& call, Terminal& terminal, TerminalRequest) {
  const auto bytes = terminal.host().unwritten_bytes();
  if (!bytes) return CallResult::failure(to_errno(bytes.error()));
  return GuestStruct(call).word(*bytes).store(call, call.address(2));
}

// ---- The window.

CallResult get_window(Call& call, Terminal& terminal, TerminalRequest) {
  const host::WindowSize size = terminal.window();
  return GuestStruct(call)
      .half(size.rows)
      .half(size.columns)
      .half(size.width)
      .half(size.height)
      .store(call, call.address(2));
}

// The user's window keeps its size; guests see the new one, and are told if it is another.
CallResult set_window(Call& call, Terminal& terminal, TerminalRequest) {
  GuestReader reader(call, call.address(2));
  host::WindowSize size;
  reader.half(size.rows).half(size.columns).half(size.width).half(size.height);
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  if (size == terminal.window()) return CallResult::value(0);
  terminal.set_window(size);
  call.os.jobs().signal_foreground(TerminalSignal::window_change);
  return CallResult::value(0);
}

// ---- Sessions and process groups.

CallResult tell_word(Call& call, int id) {
  return GuestStruct(call).word(static_cast<std::uint32_t>(id)).store(call, call.address(2));
}

CallResult get_group(Call& call, Terminal& terminal, TerminalRequest) {
  return tell_word(call, terminal.foreground);
}

CallResult get_session(Call& call, Terminal& terminal, TerminalRequest) {
  return tell_word(call, terminal.session);
}

CallResult set_group(Call& call, Terminal& terminal, TerminalRequest) {
  const auto word = call.memory.read<std::uint32_t>(call.address(2));
  if (!word) return CallResult::failure(Errno::efault);
  const auto group = static_cast<std::int32_t>(*word);
  if (group <= 0) return CallResult::failure(Errno::einval);
  const auto all = call.simulation().processes();
  const bool is_there = std::ranges::any_of(all, [&](const Process* process) {
    return process->group == group && process->session == terminal.session;
  });
  if (!is_there) return CallResult::failure(Errno::eperm);
  terminal.foreground = group;
  return CallResult::value(0);
}

CallResult acquire(Call& call, Terminal& terminal, TerminalRequest) {
  if (controls(terminal, call.process)) return CallResult::value(0);
  if (call.process.session != call.process.pid || terminal.session != 0) {
    return CallResult::failure(Errno::eperm);
  }
  terminal.session = call.process.session;
  terminal.foreground = call.process.group;
  return CallResult::value(0);
}

// Of the session's leader: the session loses the terminal.
CallResult release(Call& call, Terminal&, TerminalRequest) {
  if (call.process.session == call.process.pid) call.os.jobs().hang_up();
  return CallResult::value(0);
}

// ---- Who answers what.

CallResult get_discipline(Call& call, Terminal&, TerminalRequest) {
  return tell_word(call, 0);
}

CallResult do_nothing(Call&, Terminal&, TerminalRequest) {
  return CallResult::value(0);
}

// Questions, and what belongs to a session, anybody may ask; a background process may change
// nothing (POSIX.1, 11.1.4 "Terminal Access Control").
enum class Kind : std::uint8_t { asks, asks_in_session, changes, changes_in_session };

struct Rule {
  TerminalRequest request;
  Kind kind;
  CallResult (*answer)(Call& call, Terminal& terminal, TerminalRequest request);
};

constexpr Rule rules[] = {
    {TerminalRequest::get_termios, Kind::asks, get},
    {TerminalRequest::set_termios, Kind::changes, set},
    {TerminalRequest::set_termios_drained, Kind::changes, set},
    {TerminalRequest::set_termios_flushed, Kind::changes, set},
    {TerminalRequest::get_termio, Kind::asks, get},
    {TerminalRequest::set_termio, Kind::changes, set},
    {TerminalRequest::set_termio_drained, Kind::changes, set},
    {TerminalRequest::set_termio_flushed, Kind::changes, set},
    {TerminalRequest::get_sgtty, Kind::asks, get_sgtty},
    {TerminalRequest::set_sgtty, Kind::changes, set_sgtty},
    {TerminalRequest::set_sgtty_now, Kind::changes, set_sgtty},
    {TerminalRequest::get_tchars, Kind::asks, get_characters},
    {TerminalRequest::set_tchars, Kind::changes, set_characters},
    {TerminalRequest::get_ltchars, Kind::asks, get_characters},
    {TerminalRequest::set_ltchars, Kind::changes, set_characters},
    {TerminalRequest::get_local_modes, Kind::asks, get_local_modes},
    {TerminalRequest::set_local_modes, Kind::changes, change_local_modes},
    {TerminalRequest::add_local_modes, Kind::changes, change_local_modes},
    {TerminalRequest::remove_local_modes, Kind::changes, change_local_modes},
    {TerminalRequest::send_break, Kind::changes, send_break},
    {TerminalRequest::flow, Kind::changes, flow},
    {TerminalRequest::flush, Kind::changes, flush},
    {TerminalRequest::flush_queues, Kind::changes, flush_queues},
    {TerminalRequest::flush_all, Kind::changes, flush_all},
    {TerminalRequest::drain, Kind::changes, drain},
    {TerminalRequest::stop_output, Kind::changes, stop_output},
    {TerminalRequest::start_output, Kind::changes, start_output},
    {TerminalRequest::get_window, Kind::asks, get_window},
    {TerminalRequest::set_window, Kind::asks, set_window},
    {TerminalRequest::get_group, Kind::asks_in_session, get_group},
    {TerminalRequest::set_group, Kind::changes_in_session, set_group},
    {TerminalRequest::get_session, Kind::asks_in_session, get_session},
    {TerminalRequest::acquire, Kind::asks, acquire},
    {TerminalRequest::release, Kind::asks_in_session, release},
    {TerminalRequest::count_unwritten, Kind::asks, count_unwritten},
    {TerminalRequest::get_discipline, Kind::asks, get_discipline},
    {TerminalRequest::set_discipline, Kind::changes, do_nothing},
    {TerminalRequest::set_nothing, Kind::changes, do_nothing},
};

CallResult request_of(Call& call, const OpenFile& file, TerminalRequest request) {
  Terminal& terminal = *file.terminal();
  const Rule& rule = *std::ranges::find(rules, request, &Rule::request);
  const bool needs_session =
      rule.kind == Kind::asks_in_session || rule.kind == Kind::changes_in_session;
  if (needs_session && !controls(terminal, call.process)) {
    return CallResult::failure(Errno::enotty);
  }
  const bool changes = rule.kind == Kind::changes || rule.kind == Kind::changes_in_session;
  if (changes) {
    if (const auto kept = keep_from_terminal(call, file, TerminalUse::change)) return *kept;
  }
  return rule.answer(call, terminal, request);
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
  if (call.os.jobs().is_orphaned(call.process)) return CallResult::failure(Errno::eio);
  call.os.signals().post_to_group(call.process.group, signal);
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
    case 0x40047307:  // SIOCATMARK
      return is_at_mark(call);
    case 0x80047308:  // SIOCSPGRP
    case 0x8004667c:  // FIOSETOWN
      return set_owner_at(call);
    case 0x40047309:  // SIOCGPGRP
    case 0x4004667b:  // FIOGETOWN
      return get_owner_at(call);
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
