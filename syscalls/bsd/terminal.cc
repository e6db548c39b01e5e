// tty(4) of V7, 4.1BSD, 4.2BSD to 4.3BSD, and 4.4BSD: <sgtty.h>, <sys/ioctl.h>, <sys/termios.h>.
#include "syscalls/bsd/bsd.h"

#include <array>

namespace hardclock::bsd {
namespace {

using host::ControlCharacter;
using posix::CharacterPlace;
using posix::FlagBit;
using posix::RequestNumber;
using posix::TerminalRequest;
using enum host::TerminalFlag;
using enum posix::TerminalRequest;

constexpr posix::SgttyLayout sgtty{.flag_bytes = 2};

// ---- Requests: a number in group 't'. From 4.2BSD on the direction is above it, and the size of
// what goes that way.
enum class Way : std::uint32_t {
  none = 0x20000000,
  to_program = 0x40000000,
  to_kernel = 0x80000000
};
constexpr std::uint32_t group_t = 't' << 8;

struct SizedRequest {
  Way way;
  std::uint32_t bytes;
  std::uint32_t number;
  TerminalRequest request;

  constexpr RequestNumber plain() const { return {group_t | number, request}; }
  constexpr RequestNumber sized() const {
    return {static_cast<std::uint32_t>(way) | bytes << 16 | group_t | number, request};
  }
};

constexpr SizedRequest v7_table[] = {
    {Way::to_program, 4, 0, get_discipline}, {Way::to_kernel, 4, 1, set_discipline},
    {Way::none, 0, 2, set_nothing},  // TIOCHPCL
    {Way::to_program, 6, 8, get_sgtty},      {Way::to_kernel, 6, 9, set_sgtty},
    {Way::to_kernel, 6, 10, set_sgtty_now},  {Way::none, 0, 13, set_nothing},  // TIOCEXCL
    {Way::none, 0, 14, set_nothing},                                           // TIOCNXCL
    {Way::to_kernel, 6, 17, set_tchars},     {Way::to_program, 6, 18, get_tchars},
};
constexpr SizedRequest bsd_table[] = {
    {Way::to_program, 4, 115, count_unwritten}, {Way::to_program, 6, 116, get_ltchars},
    {Way::to_kernel, 6, 117, set_ltchars},      {Way::to_kernel, 4, 118, set_group},
    {Way::to_program, 4, 119, get_group},       {Way::to_program, 4, 124, get_local_modes},
    {Way::to_kernel, 4, 125, set_local_modes},  {Way::to_kernel, 4, 126, remove_local_modes},
    {Way::to_kernel, 4, 127, add_local_modes},  {Way::none, 0, 113, release},
};
// TIOCFLUSH has no argument in V7 and in 4.1BSD.
constexpr SizedRequest plain_flush{Way::none, 0, 16, flush_all};
constexpr SizedRequest bsd42_table[] = {
    {Way::to_kernel, 4, 16, flush_queues}, {Way::none, 0, 111, stop_output},
    {Way::none, 0, 110, start_output},     {Way::to_program, 8, 104, get_window},
    {Way::to_kernel, 8, 103, set_window},
};
constexpr SizedRequest bsd44_table[] = {
    {Way::to_program, 44, 19, get_termios},
    {Way::to_kernel, 44, 20, set_termios},
    {Way::to_kernel, 44, 21, set_termios_drained},
    {Way::to_kernel, 44, 22, set_termios_flushed},
    {Way::none, 0, 94, drain},
    {Way::none, 0, 97, acquire},
    {Way::to_program, 4, 99, get_session},
};

template <std::size_t... sizes>
constexpr auto plain(const SizedRequest (&... tables)[sizes]) {
  std::array<RequestNumber, (sizes + ... + 1)> all{};
  std::size_t next = 0;
  const auto add = [&](std::span<const SizedRequest> table) {
    for (const SizedRequest& each : table) all[next++] = each.plain();
  };
  (add(tables), ...);
  all[next] = plain_flush.plain();
  return all;
}
template <std::size_t... sizes>
constexpr auto sized(const SizedRequest (&... tables)[sizes]) {
  std::array<RequestNumber, (sizes + ...)> all{};
  std::size_t next = 0;
  const auto add = [&](std::span<const SizedRequest> table) {
    for (const SizedRequest& each : table) all[next++] = each.sized();
  };
  (add(tables), ...);
  return all;
}
constexpr auto v7_requests = plain(v7_table);
constexpr auto bsd41_requests = plain(v7_table, bsd_table);
constexpr auto bsd42_requests = sized(v7_table, bsd_table, bsd42_table);
constexpr auto bsd44_requests = sized(v7_table, bsd_table, bsd42_table, bsd44_table);

// ---- <sys/termios.h> of 4.4BSD.
constexpr FlagBit flags[] = {
    {ignbrk, 0, 0x1},        {brkint, 0, 0x2},      {ignpar, 0, 0x4},      {parmrk, 0, 0x8},
    {inpck, 0, 0x10},        {istrip, 0, 0x20},     {inlcr, 0, 0x40},      {igncr, 0, 0x80},
    {icrnl, 0, 0x100},       {ixon, 0, 0x200},      {ixoff, 0, 0x400},     {ixany, 0, 0x800},
    {imaxbel, 0, 0x2000},    {opost, 1, 0x1},       {onlcr, 1, 0x2},       {xtabs, 1, 0x4},
    {cstopb, 2, 0x400},      {cread, 2, 0x800},     {parenb, 2, 0x1000},   {parodd, 2, 0x2000},
    {hupcl, 2, 0x4000},      {clocal, 2, 0x8000},   {crtscts, 2, 0x10000}, {echoke, 3, 0x1},
    {echoe, 3, 0x2},         {echok, 3, 0x4},       {echo, 3, 0x8},        {echonl, 3, 0x10},
    {echoprt, 3, 0x20},      {echoctl, 3, 0x40},    {isig, 3, 0x80},       {icanon, 3, 0x100},
    {iexten, 3, 0x400},      {tostop, 3, 0x400000}, {flusho, 3, 0x800000}, {pendin, 3, 0x20000000},
    {noflsh, 3, 0x80000000},
};
constexpr posix::TerminalNames names{.flags = flags, .size_mask = 0x300, .disabled = 0xff};
constexpr CharacterPlace places[] = {
    {ControlCharacter::eof, 0},     {ControlCharacter::eol, 1},    {ControlCharacter::eol2, 2},
    {ControlCharacter::erase, 3},   {ControlCharacter::werase, 4}, {ControlCharacter::kill, 5},
    {ControlCharacter::reprint, 6}, {ControlCharacter::intr, 8},   {ControlCharacter::quit, 9},
    {ControlCharacter::susp, 10},   {ControlCharacter::dsusp, 11}, {ControlCharacter::start, 12},
    {ControlCharacter::stop, 13},   {ControlCharacter::lnext, 14}, {ControlCharacter::discard, 15},
    {ControlCharacter::min, 16},    {ControlCharacter::time, 17},
};
constexpr posix::TerminalLayout termios{
    .names = &names, .speeds_after = true, .characters = 20, .places = places};

}  // namespace

const posix::TerminalInterface v7_terminal = {.requests = v7_requests, .sgtty = &sgtty};
const posix::TerminalInterface bsd41_terminal = {.requests = bsd41_requests, .sgtty = &sgtty};
const posix::TerminalInterface bsd42_terminal = {.requests = bsd42_requests, .sgtty = &sgtty};
const posix::TerminalInterface bsd44_terminal = {
    .requests = bsd44_requests, .termios = &termios, .sgtty = &sgtty};

}  // namespace hardclock::bsd
