// The terminal of a machine: the file by which guests use it, whose it is, and what the systems'
// programs call its settings.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "syscalls/host/terminal.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// It controls one session, whose foreground process group gets what is typed (POSIX.1, 11.1
// "General Terminal Interface").
class Terminal {
 public:
  explicit Terminal(std::shared_ptr<host::Terminal> of_host = {}) : host_(std::move(of_host)) {}

  host::Terminal& host() { return *host_; }
  const host::Terminal& host() const { return *host_; }
  // What a program has set counts until the user changes the window.
  host::WindowSize window() const;
  void set_window(const host::WindowSize& size) { window_ = size; }
  void window_changed() { window_.reset(); }
  void archive(Archive& to);

  int session = 0;     // 0: none
  int foreground = 0;  // process group; 0: none, and nobody can read

 private:
  std::shared_ptr<host::Terminal> host_;
  std::optional<host::WindowSize> window_;
};

class TerminalFile final : public OpenFile {
 public:
  TerminalFile(host::HostFile file, std::shared_ptr<Terminal> terminal,
               BeforeWrite before_write = nullptr)
      : file_(std::move(file)),
        terminal_(std::move(terminal)),
        before_write_(std::move(before_write)) {}
  TerminalFile() : TerminalFile(host::HostFile(), nullptr) {}

  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t> bytes) override;
  bool readable(const Thread* asker) const override;
  std::optional<std::uint32_t> patience() const override;
  host::HostResult<std::uint64_t> available() override {
    return terminal_->host().readable_bytes();
  }
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }
  host::OpenRights rights() const override { return file_.rights(); }
  host::HostResult<host::FileStatus> status() const override { return file_.status(); }
  bool is_made_ready_outside(bool for_reading) const override { return for_reading; }
  Terminal* terminal() const override { return terminal_.get(); }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<TerminalFile>(); }

 private:
  host::HostFile file_;
  std::shared_ptr<Terminal> terminal_;
  BeforeWrite before_write_;
};

// ---- What a system calls the settings, and how its structures hold them.

// Where a flag is: the number of its word among the four, and its bit there.
struct FlagBit {
  host::TerminalFlag flag;
  std::uint8_t word;
  std::uint32_t bit;
};

struct SpeedCode {
  std::uint32_t baud;
  std::uint32_t code;  // in c_cflag
};

// Places in c_cc; of eof and min, or eol and time, that share one, the second pair counts while
// icanon is off.
struct CharacterPlace {
  host::ControlCharacter which;
  std::uint8_t place;
};

// The values that a system has for settings, in whichever structure.
struct TerminalNames {
  std::span<const FlagBit> flags;
  std::uint32_t size_mask = 0;   // CSIZE, of adjacent bits: CS5 is 0
  std::uint32_t speed_mask = 0;  // CBAUD; 0: the speeds are words of their own, in baud
  std::span<const SpeedCode> speeds = {};
  std::uint8_t disabled = 0;  // _POSIX_VDISABLE
};

// struct termios or struct termio: four words of flags, the speeds if they are here, bytes in
// between, c_cc, and the speeds if they are there.
struct TerminalLayout {
  const TerminalNames* names = nullptr;
  std::size_t flag_bytes = 4;
  bool speeds_before = false, speeds_after = false;  // output and input; input and output
  std::size_t gap = 0;                               // c_line is 1 byte
  std::size_t characters = 0;
  std::span<const CharacterPlace> places = {};
};

// struct sgttyb of V7 and its successors: sg_flags is a short, or an int.
struct SgttyLayout {
  std::size_t flag_bytes = 2;
};

// What an ioctl(2) asks of a terminal.
enum class TerminalRequest : std::uint8_t {
  get_termios,
  set_termios,
  set_termios_drained,
  set_termios_flushed,
  get_termio,
  set_termio,
  set_termio_drained,
  set_termio_flushed,
  get_sgtty,
  set_sgtty,      // waits for output and drops input
  set_sgtty_now,  // TIOCSETN
  get_tchars,
  set_tchars,
  get_ltchars,
  set_ltchars,
  get_local_modes,
  set_local_modes,
  add_local_modes,
  remove_local_modes,
  send_break,    // TCSBRK: only waits for output unless the argument is 0
  flow,          // TCXONC
  flush,         // TCFLSH
  flush_queues,  // TIOCFLUSH: a pointer to FREAD and FWRITE, 0 for both
  flush_all,     // V7's, without an argument
  drain,
  stop_output,
  start_output,
  get_window,
  set_window,
  get_group,
  set_group,
  get_session,
  acquire,  // TIOCSCTTY
  release,  // TIOCNOTTY
  count_unwritten,
  get_discipline,
  set_discipline,
  set_nothing,  // exclusive use, hanging up with the last close: done, and without effect
};

struct RequestNumber {
  std::uint32_t number;
  TerminalRequest request;
};

// A system's requests and its structures; nullptr: it has none of the kind.
struct TerminalInterface {
  std::span<const RequestNumber> requests;
  const TerminalLayout* termios = nullptr;
  const TerminalLayout* termio = nullptr;
  const SgttyLayout* sgtty = nullptr;
};

// ---- What is the same in System V and in what follows it (termio(7) of System V.4).
inline constexpr FlagBit system_v_modes[] = {
    {host::TerminalFlag::ignbrk, 0, 0x1},   {host::TerminalFlag::brkint, 0, 0x2},
    {host::TerminalFlag::ignpar, 0, 0x4},   {host::TerminalFlag::parmrk, 0, 0x8},
    {host::TerminalFlag::inpck, 0, 0x10},   {host::TerminalFlag::istrip, 0, 0x20},
    {host::TerminalFlag::inlcr, 0, 0x40},   {host::TerminalFlag::igncr, 0, 0x80},
    {host::TerminalFlag::icrnl, 0, 0x100},  {host::TerminalFlag::iuclc, 0, 0x200},
    {host::TerminalFlag::ixon, 0, 0x400},   {host::TerminalFlag::ixany, 0, 0x800},
    {host::TerminalFlag::ixoff, 0, 0x1000}, {host::TerminalFlag::opost, 1, 0x1},
    {host::TerminalFlag::olcuc, 1, 0x2},    {host::TerminalFlag::onlcr, 1, 0x4},
    {host::TerminalFlag::ocrnl, 1, 0x8},    {host::TerminalFlag::onocr, 1, 0x10},
    {host::TerminalFlag::onlret, 1, 0x20},  {host::TerminalFlag::ofill, 1, 0x40},
    {host::TerminalFlag::ofdel, 1, 0x80},   {host::TerminalFlag::xtabs, 1, 0x1800},
    {host::TerminalFlag::isig, 3, 0x1},     {host::TerminalFlag::icanon, 3, 0x2},
    {host::TerminalFlag::xcase, 3, 0x4},    {host::TerminalFlag::echo, 3, 0x8},
    {host::TerminalFlag::echoe, 3, 0x10},   {host::TerminalFlag::echok, 3, 0x20},
    {host::TerminalFlag::echonl, 3, 0x40},  {host::TerminalFlag::noflsh, 3, 0x80},
};
// c_cflag, in which HP-UX differs.
inline constexpr FlagBit system_v_control[] = {
    {host::TerminalFlag::cstopb, 2, 0x40},  {host::TerminalFlag::cread, 2, 0x80},
    {host::TerminalFlag::parenb, 2, 0x100}, {host::TerminalFlag::parodd, 2, 0x200},
    {host::TerminalFlag::hupcl, 2, 0x400},  {host::TerminalFlag::clocal, 2, 0x800},
};

// Tables of flags, one after the other.
template <std::size_t... sizes>
constexpr std::array<FlagBit, (sizes + ...)> joined(const FlagBit (&... parts)[sizes]) {
  std::array<FlagBit, (sizes + ...)> all{};
  std::size_t next = 0;
  const auto add = [&](std::span<const FlagBit> part) {
    for (const FlagBit& flag : part) all[next++] = flag;
  };
  (add(parts), ...);
  return all;
}

// The characters in c_cc of System V.4's struct termios.
inline constexpr CharacterPlace system_v_places[] = {
    {host::ControlCharacter::intr, 0},     {host::ControlCharacter::quit, 1},
    {host::ControlCharacter::erase, 2},    {host::ControlCharacter::kill, 3},
    {host::ControlCharacter::eof, 4},      {host::ControlCharacter::min, 4},
    {host::ControlCharacter::eol, 5},      {host::ControlCharacter::time, 5},
    {host::ControlCharacter::eol2, 6},     {host::ControlCharacter::swtch, 7},
    {host::ControlCharacter::start, 8},    {host::ControlCharacter::stop, 9},
    {host::ControlCharacter::susp, 10},    {host::ControlCharacter::dsusp, 11},
    {host::ControlCharacter::reprint, 12}, {host::ControlCharacter::discard, 13},
    {host::ControlCharacter::werase, 14},  {host::ControlCharacter::lnext, 15},
};

// struct termio has those up to VSWTCH.
inline constexpr std::span<const CharacterPlace> system_v_termio_places(system_v_places, 10);

// B0 to B38400, which V7 has by the same numbers up to the last two.
inline constexpr SpeedCode system_v_speeds[] = {
    {0, 0},   {50, 1},   {75, 2},    {110, 3},   {134, 4},   {150, 5},   {200, 6},    {300, 7},
    {600, 8}, {1200, 9}, {1800, 10}, {2400, 11}, {4800, 12}, {9600, 13}, {19200, 14}, {38400, 15},
};
inline constexpr std::uint32_t system_v_size_mask = 0x30, system_v_speed_mask = 0xf;

}  // namespace hardclock::posix
