// A terminal's settings in the structures of programs: struct termios, struct termio, and struct
// sgttyb with its relatives (tty(4) of V7, 4.3BSD and 4.4BSD).
#pragma once

#include <cstdint>
#include <span>

#include "syscalls/posix/files/terminal.h"
#include "syscalls/posix/guest_struct.h"

namespace hardclock::posix {

void write_settings(GuestStruct& members, const TerminalLayout& layout,
                    const host::TerminalSettings& settings);
// What the structure has no place for stays as it is.
void read_settings(GuestReader& reader, const TerminalLayout& layout,
                   host::TerminalSettings& settings);

void write_sgtty(GuestStruct& members, const SgttyLayout& layout,
                 const host::TerminalSettings& settings);
void read_sgtty(GuestReader& reader, const SgttyLayout& layout, host::TerminalSettings& settings);

// struct tchars and struct ltchars: a byte for each; -1: there is none.
inline constexpr host::ControlCharacter tchars[] = {
    host::ControlCharacter::intr, host::ControlCharacter::quit, host::ControlCharacter::start,
    host::ControlCharacter::stop, host::ControlCharacter::eof,  host::ControlCharacter::eol};
inline constexpr host::ControlCharacter ltchars[] = {
    host::ControlCharacter::susp,    host::ControlCharacter::dsusp,
    host::ControlCharacter::reprint, host::ControlCharacter::discard,
    host::ControlCharacter::werase,  host::ControlCharacter::lnext};
void write_characters(GuestStruct& members, std::span<const host::ControlCharacter> which,
                      const host::TerminalSettings& settings);
void read_characters(GuestReader& reader, std::span<const host::ControlCharacter> which,
                     host::TerminalSettings& settings);

// The local mode word of 4.1BSD and later: TIOCLGET, TIOCLSET.
std::uint32_t local_modes(const host::TerminalSettings& settings);
void set_local_modes(host::TerminalSettings& settings, std::uint32_t modes);

}  // namespace hardclock::posix
