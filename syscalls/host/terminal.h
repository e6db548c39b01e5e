// The terminal at which hardclock was started, as far as a guest may use it.
#pragma once

#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "syscalls/host/error.h"
#include "syscalls/host/host_file.h"

namespace hardclock::host {

// What struct termios of POSIX.1 and of the systems since System V can turn on; the names are
// theirs, and belong to the words c_iflag, c_oflag, c_cflag and c_lflag in this order.
enum class TerminalFlag : std::uint8_t {
  ignbrk,
  brkint,
  ignpar,
  parmrk,
  inpck,
  istrip,
  inlcr,
  igncr,
  icrnl,
  iuclc,
  ixon,
  ixany,
  ixoff,
  imaxbel,
  iutf8,
  opost,
  olcuc,
  onlcr,
  ocrnl,
  onocr,
  onlret,
  ofill,
  ofdel,
  xtabs,
  cstopb,
  cread,
  parenb,
  parodd,
  hupcl,
  clocal,
  crtscts,
  isig,
  icanon,
  xcase,
  echo,
  echoe,
  echok,
  echonl,
  noflsh,
  tostop,
  echoctl,
  echoprt,
  echoke,
  flusho,
  pendin,
  iexten,
  count,
};

// c_cc. min and time count when icanon is off: bytes, and tenths of a second.
enum class ControlCharacter : std::uint8_t {
  intr,
  quit,
  erase,
  kill,
  eof,
  eol,
  eol2,
  swtch,
  start,
  stop,
  susp,
  dsusp,
  reprint,
  discard,
  werase,
  lnext,
  min,
  time,
  count,
};
inline constexpr auto control_characters = static_cast<std::size_t>(ControlCharacter::count);

struct TerminalSettings {
  std::bitset<static_cast<std::size_t>(TerminalFlag::count)> flags;
  unsigned character_bits = 8;                                // 5 to 8
  std::array<std::uint8_t, control_characters> characters{};  // 0: there is none
  std::uint32_t input_speed = 0, output_speed = 0;            // in baud

  bool has(TerminalFlag flag) const { return flags.test(static_cast<std::size_t>(flag)); }
  void set(TerminalFlag flag, bool is_on = true) {
    flags.set(static_cast<std::size_t>(flag), is_on);
  }
  std::uint8_t& at(ControlCharacter which) { return characters[static_cast<std::size_t>(which)]; }
  std::uint8_t at(ControlCharacter which) const {
    return characters[static_cast<std::size_t>(which)];
  }
};

// In characters and, if known, in pixels.
struct WindowSize {
  std::uint16_t rows = 0, columns = 0, width = 0, height = 0;
  friend bool operator==(const WindowSize&, const WindowSize&) = default;
  static constexpr std::size_t state_members = 4;
};

// There is one: what is done to it is undone by restore_terminal().
class Terminal {
 public:
  // nullptr: standard input and standard output are not the same terminal.
  static std::shared_ptr<Terminal> of_standard_streams();
  Terminal() = default;
  Terminal(const Terminal&) = delete;
  // Restores the terminal.
  ~Terminal();

  // Whether this host descriptor is the terminal.
  static bool is_at(int descriptor);
  // The terminal opened once more.
  static HostResult<HostFile> open(OpenRights rights, std::shared_ptr<FileRecords> records,
                                   std::shared_ptr<HostUse> use);

  HostResult<TerminalSettings> settings() const;
  // drained: when all output has been written; flushed: also drops input that was not read. What
  // the host's terminal cannot do is left out, as tcsetattr(3) of POSIX.1 has it.
  enum class When : std::uint8_t { now, drained, flushed };
  HostResult<Ok> set(const TerminalSettings& settings, When when);
  HostResult<WindowSize> window_size() const;

  // Whether a read would give something, or the end, at once.
  bool is_readable() const;
  // Bytes that can be read, and bytes that were not yet written.
  HostResult<std::uint64_t> readable_bytes() const;
  HostResult<std::uint64_t> unwritten_bytes() const;
  HostResult<Ok> flush(bool input, bool output);
  HostResult<Ok> drain();
  // tcflow(3): stops or restarts output; asks whoever types to stop or to go on.
  enum class Flow : std::uint8_t { stop_output, start_output, stop_input, start_input };
  HostResult<Ok> flow(Flow action);
  HostResult<Ok> send_break();

  // Whether a guest has read from the terminal or has changed its settings.
  bool is_in_use() const { return in_use_; }
  void note_use() { in_use_ = true; }

  // Waits until is_readable(), a signal's handler has run, or `most` is over (nullopt: never);
  // returns how long that took. `is_over` is asked when no signal can come between the answer and
  // the waiting.
  static std::chrono::microseconds wait(std::optional<std::chrono::microseconds> most,
                                        const std::function<bool()>& is_over);

 private:
  bool in_use_ = false;
};

// Gives the terminal the settings from before the run, if a guest has changed them and the terminal
// is hardclock's to set: a background job leaves it alone. A signal handler may call it.
void restore_terminal();
// Stops hardclock as Ctrl-Z does any other program, with the terminal restored. Returns when the
// user lets it go on; the guest's settings are in force again.
void suspend_at_terminal();
// hardclock was stopped from outside and goes on: puts the guest's settings in force again.
void resume_at_terminal();

}  // namespace hardclock::host
