// A terminal's settings in the structures of the systems that Debian has no headers of. The
// expected bytes are put together from the values of <sys/termio.h>, <sys/termios.h> and <sgtty.h>
// of each: System V.4 (FreeBSD, sys/compat/svr4/svr4_termios.h), HP-UX (4.4BSD,
// sys/hp/hpux/hpux_termio.h), 4.3BSD and 4.4BSD.
#include "syscalls/posix/files/terminal_settings.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "syscalls/systems.h"

namespace hardclock::posix {
namespace {

using host::ControlCharacter;
using host::TerminalFlag;
using host::TerminalSettings;

using Bytes = std::vector<std::uint8_t>;

constexpr GuestTypes big_endian{.endian = Endian::big};

const TerminalInterface& terminal_of(std::string_view system,
                                     Architecture machine = Architecture::mips) {
  return *find_unix_system(system, machine)->terminal;
}

// Those with which a shell of today starts a program.
TerminalSettings usual_settings() {
  using enum TerminalFlag;
  TerminalSettings settings;
  for (const TerminalFlag flag : {icrnl, ixon, opost, onlcr, cread, isig, icanon, echo, echoe,
                                  echok, echoctl, echoke, iexten}) {
    settings.set(flag);
  }
  settings.at(ControlCharacter::intr) = 3;
  settings.at(ControlCharacter::quit) = 0x1c;
  settings.at(ControlCharacter::erase) = 0x7f;
  settings.at(ControlCharacter::kill) = 0x15;
  settings.at(ControlCharacter::eof) = 4;
  settings.at(ControlCharacter::min) = 1;
  settings.at(ControlCharacter::start) = 0x11;
  settings.at(ControlCharacter::stop) = 0x13;
  settings.at(ControlCharacter::susp) = 0x1a;
  settings.at(ControlCharacter::reprint) = 0x12;
  settings.at(ControlCharacter::discard) = 0xf;
  settings.at(ControlCharacter::werase) = 0x17;
  settings.at(ControlCharacter::lnext) = 0x16;
  settings.input_speed = settings.output_speed = 38400;
  return settings;
}

TerminalSettings raw_settings() {
  using enum TerminalFlag;
  TerminalSettings settings = usual_settings();
  for (const TerminalFlag flag : {icrnl, ixon, opost, isig, icanon, echo, iexten}) {
    settings.set(flag, false);
  }
  settings.at(ControlCharacter::min) = 2;
  settings.at(ControlCharacter::time) = 5;
  return settings;
}

Bytes written(const TerminalLayout& layout, const TerminalSettings& settings) {
  GuestStruct members(big_endian);
  write_settings(members, layout, settings);
  return members.bytes();
}

Bytes written_sgtty(const SgttyLayout& layout, const TerminalSettings& settings) {
  GuestStruct members(big_endian);
  write_sgtty(members, layout, settings);
  return members.bytes();
}

// Reads what a program has in its memory, by this function, into settings.
template <class Read>
TerminalSettings settings_after(const Bytes& bytes, TerminalSettings settings, Read read) {
  constexpr GuestAddr at{0x20000};
  AddressSpace memory(std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                      GuestAddr(0x80000000));
  EXPECT_TRUE(memory.map(at, page_size, Permissions{.read = true, .write = true}, "test").ok());
  EXPECT_TRUE(memory.write_bytes(at, bytes).ok());
  GuestReader reader(big_endian, memory, at);
  read(reader, settings);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.offset(), bytes.size());
  return settings;
}

TerminalSettings read_back(const TerminalLayout& layout, const Bytes& bytes,
                           const TerminalSettings& before) {
  return settings_after(bytes, before, [&](GuestReader& reader, TerminalSettings& into) {
    read_settings(reader, layout, into);
  });
}

TEST(TerminalSettings, TermioOfIrixHasWords) {
  // ICRNL IXON; OPOST ONLCR; B38400 CS8 CREAD; ISIG ICANON ECHO ECHOE ECHOK IEXTEN ECHOCTL ECHOKE
  EXPECT_EQ(written(*terminal_of("irix").termio, usual_settings()),
            (Bytes{0, 0, 0x05, 0x00, 0,    0, 0, 0x05, 0, 0, 0, 0xbf, 0, 0, 0x0b, 0x3b,  //
                   0, 3, 0x1c, 0x7f, 0x15, 4, 0, 0,    0}));
}

TEST(TerminalSettings, MinAndTimeTakeThePlacesOfEofAndEol) {
  for (const std::string_view system : {"irix", "solaris"}) {
    const TerminalLayout& termios = *terminal_of(system).termios;
    EXPECT_EQ(written(termios, usual_settings())[16 + 4], 4) << system;
    EXPECT_EQ(written(termios, raw_settings())[16 + 4], 2) << system;
    EXPECT_EQ(written(termios, raw_settings())[16 + 5], 5) << system;
  }
}

TEST(TerminalSettings, TermioOfHpuxHasHalves) {
  // B38400 is 022, CS8 0140, CREAD 0400; the characters that there are not are 0377.
  const Bytes bytes = written(*terminal_of("hpux", Architecture::pa_risc).termio, usual_settings());
  EXPECT_EQ(bytes, (Bytes{0x05, 0x00, 0, 0x05, 0x01, 0x72, 0x05, 0x3b,  //
                          0, 3, 0x1c, 0x7f, 0x15, 4, 0xff, 0xff, 0xff}));
}

TEST(TerminalSettings, TermiosOfHpuxHasReservedWord) {
  const Bytes bytes =
      written(*terminal_of("hpux", Architecture::pa_risc).termios, usual_settings());
  ASSERT_EQ(bytes.size(), 36U);
  EXPECT_EQ(Bytes(bytes.begin() + 16, bytes.begin() + 20), Bytes(4));
  EXPECT_EQ(Bytes(bytes.begin() + 31, bytes.end()), (Bytes{1, 0, 0x1a, 0x11, 0x13}));
}

TEST(TerminalSettings, TermiosOf44bsdEndsWithSpeeds) {
  const Bytes bytes = written(*terminal_of("4.4bsd").termios, usual_settings());
  ASSERT_EQ(bytes.size(), 44U);
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 16),
            (Bytes{0, 0, 0x03, 0x00, 0, 0, 0, 0x03, 0, 0, 0x0b, 0x00, 0, 0, 0x05, 0xcf}));
  EXPECT_EQ(Bytes(bytes.begin() + 16, bytes.begin() + 36),
            (Bytes{4,    0xff, 0xff, 0x7f, 0x17, 0x15, 0x12, 0xff, 3,    0x1c,
                   0x1a, 0xff, 0x11, 0x13, 0x16, 0xf,  1,    0,    0xff, 0xff}));
  EXPECT_EQ(Bytes(bytes.begin() + 36, bytes.end()), (Bytes{0, 0, 0x96, 0, 0, 0, 0x96, 0}));
}

// EVENP ODDP ECHO CRMOD; RAW; CBREAK. Erase and kill are there, the speeds are EXTB.
TEST(TerminalSettings, SgttybHasModes) {
  const SgttyLayout& narrow = *terminal_of("4.3bsd").sgtty;
  EXPECT_EQ(written_sgtty(narrow, usual_settings()), (Bytes{15, 15, 0x7f, 0x15, 0, 0330}));
  EXPECT_EQ(written_sgtty(narrow, raw_settings()), (Bytes{15, 15, 0x7f, 0x15, 0, 0340}));
  TerminalSettings cbreak = usual_settings();
  cbreak.set(TerminalFlag::icanon, false);
  EXPECT_EQ(written_sgtty(narrow, cbreak), (Bytes{15, 15, 0x7f, 0x15, 0, 0332}));
  EXPECT_EQ(written_sgtty(*terminal_of("irix").sgtty, usual_settings()),
            (Bytes{15, 15, 0x7f, 0x15, 0, 0, 0, 0330}));
}

TEST(TerminalSettings, CbreakOfSgttybKeepsSignals) {
  const SgttyLayout& layout = *terminal_of("v7").sgtty;
  const auto read = [&](std::uint8_t flags) {
    return settings_after(
        {15, 15, '#', '@', 0, flags}, usual_settings(),
        [&](GuestReader& reader, TerminalSettings& into) { read_sgtty(reader, layout, into); });
  };
  const TerminalSettings cbreak = read(0302);
  EXPECT_FALSE(cbreak.has(TerminalFlag::icanon));
  EXPECT_TRUE(cbreak.has(TerminalFlag::isig));
  EXPECT_TRUE(cbreak.has(TerminalFlag::opost));
  EXPECT_FALSE(cbreak.has(TerminalFlag::echo));
  EXPECT_EQ(cbreak.at(ControlCharacter::erase), '#');
  EXPECT_EQ(cbreak.at(ControlCharacter::kill), '@');
  EXPECT_EQ(cbreak.at(ControlCharacter::min), 1);
  EXPECT_EQ(cbreak.output_speed, 38400U);
  const TerminalSettings raw = read(0340);
  EXPECT_FALSE(raw.has(TerminalFlag::isig));
  EXPECT_FALSE(raw.has(TerminalFlag::opost));
  EXPECT_FALSE(raw.has(TerminalFlag::ixon));
  const TerminalSettings cooked = read(0330);
  EXPECT_TRUE(cooked.has(TerminalFlag::icanon));
  EXPECT_TRUE(cooked.has(TerminalFlag::icrnl));
  EXPECT_TRUE(cooked.has(TerminalFlag::onlcr));
}

// What a program gets and sets again changes nothing, whichever structure it uses.
TEST(TerminalSettings, SettingWhatWasGotChangesNothing) {
  for (const Architecture machine :
       {Architecture::mips, Architecture::pa_risc, Architecture::ia64}) {
    for (const UnixSystem* const system : unix_systems(machine)) {
      if (system->terminal == nullptr) continue;
      for (const TerminalLayout* const layout :
           {system->terminal->termios, system->terminal->termio}) {
        if (layout == nullptr) continue;
        for (TerminalSettings settings : {usual_settings(), raw_settings()}) {
          settings.input_speed = settings.output_speed = 115200;
          const TerminalSettings after = read_back(*layout, written(*layout, settings), settings);
          EXPECT_EQ(after.flags, settings.flags) << system->name;
          EXPECT_EQ(after.characters, settings.characters) << system->name;
          EXPECT_EQ(after.character_bits, 8U) << system->name;
          EXPECT_EQ(after.output_speed, 115200U) << system->name;
        }
      }
    }
  }
}

// The halves of struct termio have no place for the higher bits.
TEST(TerminalSettings, TermioOfHpuxLeavesTostop) {
  const TerminalLayout& termio = *terminal_of("hpux", Architecture::pa_risc).termio;
  TerminalSettings settings = usual_settings();
  settings.set(TerminalFlag::tostop);
  EXPECT_TRUE(
      read_back(termio, written(termio, raw_settings()), settings).has(TerminalFlag::tostop));
}

// <sys/ioctl.h> of 4.3BSD: LCRTERA, LCRTKIL, LCTLECH; LTOSTOP.
TEST(TerminalSettings, LocalModesAreFlags) {
  TerminalSettings settings = usual_settings();
  EXPECT_EQ(local_modes(settings), 0x1404U);
  set_local_modes(settings, 0x40);
  EXPECT_TRUE(settings.has(TerminalFlag::tostop));
  EXPECT_FALSE(settings.has(TerminalFlag::echoe));
}

}  // namespace
}  // namespace hardclock::posix
