// termio(7I) of Solaris: <sys/termios.h> of illumos.
#include "syscalls/solaris/solaris.h"

namespace hardclock::solaris {
namespace {

using posix::FlagBit;
using posix::RequestNumber;
using posix::TerminalLayout;
using enum host::TerminalFlag;
using enum posix::TerminalRequest;

constexpr FlagBit own_modes[] = {
    {imaxbel, 0, 0x2000}, {tostop, 3, 0x100},  {echoctl, 3, 0x200}, {echoprt, 3, 0x400},
    {echoke, 3, 0x800},   {flusho, 3, 0x2000}, {pendin, 3, 0x4000}, {iexten, 3, 0x8000},
};
constexpr auto flags = posix::joined(posix::system_v_modes, posix::system_v_control, own_modes);
constexpr posix::TerminalNames names{.flags = flags,
                                     .size_mask = posix::system_v_size_mask,
                                     .speed_mask = posix::system_v_speed_mask,
                                     .speeds = posix::system_v_speeds};

constexpr TerminalLayout termios{
    .names = &names, .characters = 19, .places = posix::system_v_places};
constexpr TerminalLayout termio{.names = &names,
                                .flag_bytes = 2,
                                .gap = 1,
                                .characters = 8,
                                .places = posix::system_v_termio_places};
constexpr posix::SgttyLayout sgtty{.flag_bytes = 4};

constexpr RequestNumber requests[] = {
    {0x5401, get_termio},
    {0x5402, set_termio},
    {0x5403, set_termio_drained},
    {0x5404, set_termio_flushed},
    {0x5405, send_break},
    {0x5406, flow},
    {0x5407, flush},
    {0x540d, get_termios},
    {0x540e, set_termios},
    {0x540f, set_termios_drained},
    {0x5410, set_termios_flushed},
    {0x5467, set_window},
    {0x5468, get_window},
    {0x7408, get_sgtty},
    {0x7409, set_sgtty},
    {0x740a, set_sgtty_now},
    {0x7414, get_group},
    {0x7415, set_group},
    {0x7416, get_session},
};

}  // namespace

const posix::TerminalInterface terminal = {
    .requests = requests, .termios = &termios, .termio = &termio, .sgtty = &sgtty};

}  // namespace hardclock::solaris
