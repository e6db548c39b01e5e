#include "syscalls/posix/files/terminal_settings.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hardclock::posix {
namespace {

using host::ControlCharacter;
using host::TerminalFlag;
using host::TerminalSettings;
using enum TerminalFlag;

constexpr std::size_t control_word = 2;  // c_cflag

bool fits(const TerminalLayout& layout, std::uint32_t bit) {
  return layout.flag_bytes >= 4 || bit >> (8 * layout.flag_bytes) == 0;
}

bool is_count(ControlCharacter which) {
  return which == ControlCharacter::min || which == ControlCharacter::time;
}

// Of two that share a place, the one that counts.
bool is_in_place(const TerminalLayout& layout, const CharacterPlace& of,
                 const TerminalSettings& settings) {
  const bool is_shared = std::ranges::count(layout.places, of.place, &CharacterPlace::place) > 1;
  return !is_shared || is_count(of.which) != settings.has(icanon);
}

// The code of the speed, or of the next lower one.
std::uint32_t code_of(std::span<const SpeedCode> speeds, std::uint32_t baud) {
  std::uint32_t code = 0;
  for (const SpeedCode& speed : speeds) {
    if (speed.baud <= baud) code = speed.code;
  }
  return code;
}

unsigned size_shift(const TerminalNames& names) {
  return static_cast<unsigned>(std::countr_zero(names.size_mask));
}

void write_speeds(GuestStruct& members, std::uint32_t first, std::uint32_t second) {
  members.word(first).word(second);
}

// ---- struct sgttyb

enum SgttyFlag : std::uint32_t {
  tandem = 1,
  cbreak = 2,
  lcase = 4,
  sgtty_echo = 010,
  crmod = 020,
  raw = 040,
  oddp = 0100,
  evenp = 0200,
  sgtty_xtabs = 06000,
};

std::uint32_t sgtty_flags(const TerminalSettings& settings) {
  std::uint32_t flags = 0;
  const auto add = [&](bool is_on, std::uint32_t flag) { flags |= is_on ? flag : 0; };
  const bool is_raw = !settings.has(icanon) && !settings.has(isig);
  add(settings.has(ixoff), tandem);
  add(!settings.has(icanon) && !is_raw, cbreak);
  add(is_raw, raw);
  add(settings.has(iuclc), lcase);
  add(settings.has(echo), sgtty_echo);
  add(settings.has(icrnl), crmod);
  add(!settings.has(parenb) || settings.has(parodd), oddp);
  add(!settings.has(parenb) || !settings.has(parodd), evenp);
  add(settings.has(xtabs), sgtty_xtabs);
  return flags;
}

// RAW: bytes as they come, both ways. CBREAK: signals and output as usual, but no lines.
void set_sgtty_flags(TerminalSettings& settings, std::uint32_t flags) {
  const auto has = [&](std::uint32_t flag) { return (flags & flag) == flag; };
  const bool is_raw = has(raw);
  const bool takes_lines = !is_raw && !has(cbreak);
  settings.set(ixoff, has(tandem));
  settings.set(iuclc, has(lcase) && !is_raw);
  settings.set(olcuc, has(lcase) && !is_raw);
  settings.set(echo, has(sgtty_echo));
  settings.set(icrnl, has(crmod) && !is_raw);
  settings.set(onlcr, has(crmod) && !is_raw);
  settings.set(xtabs, has(sgtty_xtabs) && !is_raw);
  settings.set(opost, !is_raw);
  settings.set(isig, !is_raw);
  settings.set(ixon, !is_raw);
  settings.set(icanon, takes_lines);
  settings.set(iexten, takes_lines);
  if (!takes_lines) {
    settings.at(ControlCharacter::min) = 1;
    settings.at(ControlCharacter::time) = 0;
  }
}

constexpr std::uint8_t no_character = 0xff;

std::uint8_t to_byte(std::uint8_t character) {
  return character == 0 ? no_character : character;
}
std::uint8_t to_character(std::uint64_t byte) {
  return byte == no_character ? 0 : static_cast<std::uint8_t>(byte);
}

// <sys/ioctl.h> of 4.3BSD.
struct LocalMode {
  TerminalFlag flag;
  std::uint32_t bit;
};
constexpr LocalMode known_local_modes[] = {{echoprt, 0x2},   {echoe, 0x4},    {tostop, 0x40},
                                           {flusho, 0x80},   {echoke, 0x400}, {echoctl, 0x1000},
                                           {pendin, 0x2000}, {noflsh, 0x8000}};

}  // namespace

void write_settings(GuestStruct& members, const TerminalLayout& layout,
                    const TerminalSettings& settings) {
  const TerminalNames& names = *layout.names;
  std::array<std::uint32_t, 4> words{};
  for (const FlagBit& flag : names.flags) {
    if (settings.has(flag.flag)) words[flag.word] |= flag.bit;
  }
  words[control_word] |= (settings.character_bits - 5) << size_shift(names);
  if (names.speed_mask != 0) words[control_word] |= code_of(names.speeds, settings.output_speed);
  for (const std::uint32_t word : words) members.member(layout.flag_bytes, word);
  if (layout.speeds_before) write_speeds(members, settings.output_speed, settings.input_speed);
  members.skip(layout.gap);
  std::vector<std::uint8_t> characters(layout.characters, names.disabled);
  for (const CharacterPlace& each : layout.places) {
    if (!is_in_place(layout, each, settings)) continue;
    const std::uint8_t value = settings.at(each.which);
    if (value != 0 || is_count(each.which)) characters[each.place] = value;
  }
  members.append(characters);
  if (layout.speeds_after) write_speeds(members, settings.input_speed, settings.output_speed);
}

void read_settings(GuestReader& reader, const TerminalLayout& layout, TerminalSettings& settings) {
  const TerminalNames& names = *layout.names;
  std::array<std::uint32_t, 4> words{};
  for (std::uint32_t& word : words) reader.member(layout.flag_bytes, word);
  for (const FlagBit& flag : names.flags) {
    if (!fits(layout, flag.bit)) continue;
    settings.set(flag.flag, (words[flag.word] & flag.bit) == flag.bit);
  }
  const std::uint32_t control = words[control_word];
  settings.character_bits = 5 + ((control & names.size_mask) >> size_shift(names));
  const auto speed = std::ranges::find(names.speeds, control & names.speed_mask, &SpeedCode::code);
  if (names.speed_mask != 0 && speed != names.speeds.end()) {
    // A speed that has no code of its own was told as the next lower one.
    if (code_of(names.speeds, settings.output_speed) != speed->code) {
      settings.input_speed = settings.output_speed = speed->baud;
    }
  }
  if (layout.speeds_before) reader.word(settings.output_speed).word(settings.input_speed);
  reader.skip(layout.gap);
  for (std::size_t place = 0; place < layout.characters; ++place) {
    const auto value = static_cast<std::uint8_t>(reader.member(1));
    for (const CharacterPlace& each : layout.places) {
      if (each.place != place || !is_in_place(layout, each, settings)) continue;
      const bool is_disabled = value == names.disabled && !is_count(each.which);
      settings.at(each.which) = is_disabled ? 0 : value;
    }
  }
  if (layout.speeds_after) reader.word(settings.input_speed).word(settings.output_speed);
}

void write_sgtty(GuestStruct& members, const SgttyLayout& layout,
                 const TerminalSettings& settings) {
  members.byte(code_of(system_v_speeds, settings.input_speed));
  members.byte(code_of(system_v_speeds, settings.output_speed));
  members.byte(to_byte(settings.at(ControlCharacter::erase)));
  members.byte(to_byte(settings.at(ControlCharacter::kill)));
  members.member(layout.flag_bytes, sgtty_flags(settings));
}

// The speeds are those of a line; the user's terminal keeps its own.
void read_sgtty(GuestReader& reader, const SgttyLayout& layout, TerminalSettings& settings) {
  reader.skip(2);
  settings.at(ControlCharacter::erase) = to_character(reader.member(1));
  settings.at(ControlCharacter::kill) = to_character(reader.member(1));
  set_sgtty_flags(settings, static_cast<std::uint32_t>(reader.member(layout.flag_bytes)));
}

void write_characters(GuestStruct& members, std::span<const ControlCharacter> which,
                      const TerminalSettings& settings) {
  for (const ControlCharacter each : which) members.byte(to_byte(settings.at(each)));
}

void read_characters(GuestReader& reader, std::span<const ControlCharacter> which,
                     TerminalSettings& settings) {
  for (const ControlCharacter each : which) settings.at(each) = to_character(reader.member(1));
}

std::uint32_t local_modes(const TerminalSettings& settings) {
  std::uint32_t modes = 0;
  for (const LocalMode& mode : known_local_modes) {
    if (settings.has(mode.flag)) modes |= mode.bit;
  }
  return modes;
}

void set_local_modes(TerminalSettings& settings, std::uint32_t modes) {
  for (const LocalMode& mode : known_local_modes) {
    settings.set(mode.flag, (modes & mode.bit) != 0);
  }
}

}  // namespace hardclock::posix
