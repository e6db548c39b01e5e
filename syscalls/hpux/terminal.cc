// termio(7) of HP-UX. Sources: 4.4BSD, sys/hp/hpux/hpux_termio.h and hpux_tty.c; aeriebsd,
// sys/compat/hpux/hpux.h; Linux, arch/parisc/include/uapi/asm/ioctls.h.
#include "syscalls/hpux/hpux.h"

namespace hardclock::hpux {
namespace {

using host::ControlCharacter;
using posix::CharacterPlace;
using posix::FlagBit;
using posix::RequestNumber;
using posix::SpeedCode;
using posix::TerminalLayout;
using enum host::TerminalFlag;
using enum posix::TerminalRequest;

constexpr FlagBit own_modes[] = {
    {cstopb, 2, 0x80},       {cread, 2, 0x100},   {parenb, 2, 0x200},  {parodd, 2, 0x400},
    {hupcl, 2, 0x800},       {clocal, 2, 0x1000}, {echoctl, 3, 0x100}, {echoprt, 3, 0x200},
    {echoke, 3, 0x400},      {flusho, 3, 0x800},  {pendin, 3, 0x1000}, {tostop, 3, 0x40000000},
    {iexten, 3, 0x80000000},
};
constexpr auto flags = posix::joined(posix::system_v_modes, own_modes);

constexpr SpeedCode speeds[] = {
    {0, 0},     {50, 1},    {75, 2},    {110, 3},    {134, 4},    {150, 5},   {200, 6},
    {300, 7},   {600, 8},   {900, 9},   {1200, 10},  {1800, 11},  {2400, 12}, {3600, 13},
    {4800, 14}, {7200, 15}, {9600, 16}, {19200, 17}, {38400, 18},
};
constexpr posix::TerminalNames names{
    .flags = flags, .size_mask = 0x60, .speed_mask = 0x1f, .speeds = speeds, .disabled = 0xff};

constexpr CharacterPlace places[] = {
    {ControlCharacter::intr, 0},  {ControlCharacter::quit, 1},  {ControlCharacter::erase, 2},
    {ControlCharacter::kill, 3},  {ControlCharacter::eof, 4},   {ControlCharacter::eol, 5},
    {ControlCharacter::eol2, 6},  {ControlCharacter::swtch, 7}, {ControlCharacter::min, 11},
    {ControlCharacter::time, 12}, {ControlCharacter::susp, 13}, {ControlCharacter::start, 14},
    {ControlCharacter::stop, 15},
};
constexpr TerminalLayout termios{.names = &names, .gap = 4, .characters = 16, .places = places};
constexpr TerminalLayout termio{.names = &names,
                                .flag_bytes = 2,
                                .gap = 1,
                                .characters = 8,
                                .places = posix::system_v_termio_places};
constexpr posix::SgttyLayout sgtty{.flag_bytes = 4};

constexpr RequestNumber requests[] = {
    {0x40125401, get_termio},
    {0x80125402, set_termio},
    {0x80125403, set_termio_drained},
    {0x80125404, set_termio_flushed},
    {0x20005405, send_break},
    {0x20005406, flow},
    {0x20005407, flush},
    {0x40245410, get_termios},
    {0x80245411, set_termios},
    {0x80245412, set_termios_drained},
    {0x80245413, set_termios_flushed},
    {0x40087408, get_sgtty},
    {0x80087409, set_sgtty},
    {0x40065418, get_ltchars},
    {0x80065417, set_ltchars},
    {0x8004541d, set_group},
    {0x4004541e, get_group},
    {0x8008746a, set_window},
    {0x4008746b, get_window},
};

}  // namespace

const posix::TerminalInterface terminal = {
    .requests = requests, .termios = &termios, .termio = &termio, .sgtty = &sgtty};

}  // namespace hardclock::hpux
