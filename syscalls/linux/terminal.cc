#include "syscalls/linux/linux.h"

namespace hardclock::gnu_linux {
namespace {

using host::ControlCharacter;
using posix::CharacterPlace;
using posix::FlagBit;
using posix::RequestNumber;
using posix::SpeedCode;
using posix::TerminalLayout;
using posix::TerminalNames;
using enum host::TerminalFlag;
using enum posix::TerminalRequest;

// B57600 and above are behind CBAUDEX.
constexpr std::uint32_t cbaud = 0x100f;
constexpr SpeedCode speeds[] = {
    {0, 0},      {50, 1},         {75, 2},          {110, 3},         {134, 4},
    {150, 5},    {200, 6},        {300, 7},         {600, 8},         {1200, 9},
    {1800, 10},  {2400, 11},      {4800, 12},       {9600, 13},       {19200, 14},
    {38400, 15}, {57600, 0x1001}, {115200, 0x1002}, {230400, 0x1003}, {460800, 0x1004},
};

constexpr FlagBit mips_modes[] = {
    {imaxbel, 0, 0x2000}, {iutf8, 0, 0x4000},  {crtscts, 2, 0x80000000}, {iexten, 3, 0x100},
    {echoctl, 3, 0x200},  {echoprt, 3, 0x400}, {echoke, 3, 0x800},       {flusho, 3, 0x2000},
    {pendin, 3, 0x4000},  {tostop, 3, 0x8000},
};
constexpr FlagBit generic_local_modes[] = {
    {crtscts, 2, 0x80000000}, {tostop, 3, 0x100},  {echoctl, 3, 0x200}, {echoprt, 3, 0x400},
    {echoke, 3, 0x800},       {flusho, 3, 0x1000}, {pendin, 3, 0x4000}, {iexten, 3, 0x8000},
};
constexpr FlagBit generic_input_modes[] = {{imaxbel, 0, 0x2000}, {iutf8, 0, 0x4000}};
constexpr FlagBit pa_risc_input_modes[] = {{imaxbel, 0, 0x4000}, {iutf8, 0, 0x8000}};

constexpr auto mips_flags =
    posix::joined(posix::system_v_modes, posix::system_v_control, mips_modes);
constexpr auto pa_risc_flags = posix::joined(posix::system_v_modes, posix::system_v_control,
                                             generic_local_modes, pa_risc_input_modes);
constexpr auto generic_flags = posix::joined(posix::system_v_modes, posix::system_v_control,
                                             generic_local_modes, generic_input_modes);

constexpr TerminalNames names(std::span<const FlagBit> flags) {
  return {.flags = flags,
          .size_mask = posix::system_v_size_mask,
          .speed_mask = cbaud,
          .speeds = speeds};
}
constexpr TerminalNames mips_names = names(mips_flags), pa_risc_names = names(pa_risc_flags),
                        generic_names = names(generic_flags);

constexpr CharacterPlace mips_places[] = {
    {ControlCharacter::intr, 0},     {ControlCharacter::quit, 1},
    {ControlCharacter::erase, 2},    {ControlCharacter::kill, 3},
    {ControlCharacter::min, 4},      {ControlCharacter::time, 5},
    {ControlCharacter::eol2, 6},     {ControlCharacter::swtch, 7},
    {ControlCharacter::start, 8},    {ControlCharacter::stop, 9},
    {ControlCharacter::susp, 10},    {ControlCharacter::reprint, 12},
    {ControlCharacter::discard, 13}, {ControlCharacter::werase, 14},
    {ControlCharacter::lnext, 15},   {ControlCharacter::eof, 16},
    {ControlCharacter::eol, 17},
};
// include/uapi/asm-generic/termbits.h, which PA-RISC follows.
constexpr CharacterPlace generic_places[] = {
    {ControlCharacter::intr, 0},     {ControlCharacter::quit, 1},
    {ControlCharacter::erase, 2},    {ControlCharacter::kill, 3},
    {ControlCharacter::eof, 4},      {ControlCharacter::time, 5},
    {ControlCharacter::min, 6},      {ControlCharacter::swtch, 7},
    {ControlCharacter::start, 8},    {ControlCharacter::stop, 9},
    {ControlCharacter::susp, 10},    {ControlCharacter::eol, 11},
    {ControlCharacter::reprint, 12}, {ControlCharacter::discard, 13},
    {ControlCharacter::werase, 14},  {ControlCharacter::lnext, 15},
    {ControlCharacter::eol2, 16},
};
// The first eight of them.
constexpr std::span<const CharacterPlace> mips_termio_places(mips_places, 8);
constexpr std::span<const CharacterPlace> generic_termio_places(generic_places, 8);

constexpr TerminalLayout termios(const TerminalNames& of, std::size_t characters,
                                 std::span<const CharacterPlace> places) {
  return {.names = &of, .gap = 1, .characters = characters, .places = places};
}
constexpr TerminalLayout termio(const TerminalNames& of, std::span<const CharacterPlace> places) {
  return {.names = &of, .flag_bytes = 2, .gap = 1, .characters = 8, .places = places};
}
constexpr TerminalLayout mips_termios = termios(mips_names, 23, mips_places),
                         mips_termio = termio(mips_names, mips_termio_places),
                         pa_risc_termios = termios(pa_risc_names, 19, generic_places),
                         pa_risc_termio = termio(pa_risc_names, generic_termio_places),
                         generic_termios = termios(generic_names, 19, generic_places),
                         generic_termio = termio(generic_names, generic_termio_places);

constexpr RequestNumber mips_requests[] = {
    {0x540d, get_termios},
    {0x540e, set_termios},
    {0x540f, set_termios_drained},
    {0x5410, set_termios_flushed},
    {0x5401, get_termio},
    {0x5402, set_termio},
    {0x5403, set_termio_drained},
    {0x5404, set_termio_flushed},
    {0x5405, send_break},
    {0x5486, send_break},  // TCSBRKP
    {0x5406, flow},
    {0x5407, flush},
    {0x740d, set_nothing},  // TIOCEXCL
    {0x740e, set_nothing},  // TIOCNXCL
    {0x7472, count_unwritten},
    {0x40087468, get_window},
    {0x80087467, set_window},
    {0x40047477, get_group},
    {0x80047476, set_group},
    {0x7416, get_session},
    {0x5480, acquire},
    {0x5471, release},
    {0x7400, get_discipline},
    {0x7401, set_discipline},
};
constexpr RequestNumber pa_risc_requests[] = {
    {0x40245410, get_termios},
    {0x80245411, set_termios},
    {0x80245412, set_termios_drained},
    {0x80245413, set_termios_flushed},
    {0x40125401, get_termio},
    {0x80125402, set_termio},
    {0x80125403, set_termio_drained},
    {0x80125404, set_termio_flushed},
    {0x5405, send_break},
    {0x5425, send_break},
    {0x5406, flow},
    {0x5407, flush},
    {0x540c, set_nothing},
    {0x540d, set_nothing},
    {0x5411, count_unwritten},
    {0x5413, get_window},
    {0x5414, set_window},
    {0x4004541e, get_group},
    {0x8004541d, set_group},
    {0x40045414, get_session},
    {0x540e, acquire},
    {0x5422, release},
    {0x5424, get_discipline},
    {0x5423, set_discipline},
};
constexpr RequestNumber generic_requests[] = {
    {0x5401, get_termios},
    {0x5402, set_termios},
    {0x5403, set_termios_drained},
    {0x5404, set_termios_flushed},
    {0x5405, get_termio},
    {0x5406, set_termio},
    {0x5407, set_termio_drained},
    {0x5408, set_termio_flushed},
    {0x5409, send_break},
    {0x5425, send_break},
    {0x540a, flow},
    {0x540b, flush},
    {0x540c, set_nothing},
    {0x540d, set_nothing},
    {0x5411, count_unwritten},
    {0x5413, get_window},
    {0x5414, set_window},
    {0x540f, get_group},
    {0x5410, set_group},
    {0x5429, get_session},
    {0x540e, acquire},
    {0x5422, release},
    {0x5424, get_discipline},
    {0x5423, set_discipline},
};

}  // namespace

const posix::TerminalInterface mips_terminal = {
    .requests = mips_requests, .termios = &mips_termios, .termio = &mips_termio};
const posix::TerminalInterface pa_risc_terminal = {
    .requests = pa_risc_requests, .termios = &pa_risc_termios, .termio = &pa_risc_termio};
const posix::TerminalInterface ia64_terminal = {
    .requests = generic_requests, .termios = &generic_termios, .termio = &generic_termio};

}  // namespace hardclock::gnu_linux
