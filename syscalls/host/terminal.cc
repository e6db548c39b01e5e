#include "syscalls/host/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "syscalls/host/outside_wait.h"

namespace hardclock::host {
namespace {

using enum TerminalFlag;

constexpr int terminal = STDIN_FILENO;

struct HostFlag {
  TerminalFlag flag;
  ::tcflag_t termios::*word;
  ::tcflag_t bit;
};
constexpr HostFlag host_flags[] = {
    {ignbrk, &::termios::c_iflag, IGNBRK},   {brkint, &::termios::c_iflag, BRKINT},
    {ignpar, &::termios::c_iflag, IGNPAR},   {parmrk, &::termios::c_iflag, PARMRK},
    {inpck, &::termios::c_iflag, INPCK},     {istrip, &::termios::c_iflag, ISTRIP},
    {inlcr, &::termios::c_iflag, INLCR},     {igncr, &::termios::c_iflag, IGNCR},
    {icrnl, &::termios::c_iflag, ICRNL},     {iuclc, &::termios::c_iflag, IUCLC},
    {ixon, &::termios::c_iflag, IXON},       {ixany, &::termios::c_iflag, IXANY},
    {ixoff, &::termios::c_iflag, IXOFF},     {imaxbel, &::termios::c_iflag, IMAXBEL},
    {iutf8, &::termios::c_iflag, IUTF8},     {opost, &::termios::c_oflag, OPOST},
    {olcuc, &::termios::c_oflag, OLCUC},     {onlcr, &::termios::c_oflag, ONLCR},
    {ocrnl, &::termios::c_oflag, OCRNL},     {onocr, &::termios::c_oflag, ONOCR},
    {onlret, &::termios::c_oflag, ONLRET},   {ofill, &::termios::c_oflag, OFILL},
    {ofdel, &::termios::c_oflag, OFDEL},     {xtabs, &::termios::c_oflag, XTABS},
    {cstopb, &::termios::c_cflag, CSTOPB},   {cread, &::termios::c_cflag, CREAD},
    {parenb, &::termios::c_cflag, PARENB},   {parodd, &::termios::c_cflag, PARODD},
    {hupcl, &::termios::c_cflag, HUPCL},     {clocal, &::termios::c_cflag, CLOCAL},
    {crtscts, &::termios::c_cflag, CRTSCTS}, {isig, &::termios::c_lflag, ISIG},
    {icanon, &::termios::c_lflag, ICANON},   {xcase, &::termios::c_lflag, XCASE},
    {echo, &::termios::c_lflag, ECHO},       {echoe, &::termios::c_lflag, ECHOE},
    {echok, &::termios::c_lflag, ECHOK},     {echonl, &::termios::c_lflag, ECHONL},
    {noflsh, &::termios::c_lflag, NOFLSH},   {tostop, &::termios::c_lflag, TOSTOP},
    {echoctl, &::termios::c_lflag, ECHOCTL}, {echoprt, &::termios::c_lflag, ECHOPRT},
    {echoke, &::termios::c_lflag, ECHOKE},   {flusho, &::termios::c_lflag, FLUSHO},
    {pendin, &::termios::c_lflag, PENDIN},   {iexten, &::termios::c_lflag, IEXTEN},
};

struct HostCharacter {
  ControlCharacter which;
  std::size_t place;
};
constexpr HostCharacter host_characters[] = {
    {ControlCharacter::intr, VINTR},       {ControlCharacter::quit, VQUIT},
    {ControlCharacter::erase, VERASE},     {ControlCharacter::kill, VKILL},
    {ControlCharacter::eof, VEOF},         {ControlCharacter::eol, VEOL},
    {ControlCharacter::eol2, VEOL2},       {ControlCharacter::swtch, VSWTC},
    {ControlCharacter::start, VSTART},     {ControlCharacter::stop, VSTOP},
    {ControlCharacter::susp, VSUSP},       {ControlCharacter::reprint, VREPRINT},
    {ControlCharacter::discard, VDISCARD}, {ControlCharacter::werase, VWERASE},
    {ControlCharacter::lnext, VLNEXT},     {ControlCharacter::min, VMIN},
    {ControlCharacter::time, VTIME},
};

struct HostSpeed {
  std::uint32_t baud;
  ::speed_t code;
};
constexpr HostSpeed host_speeds[] = {
    {0, B0},         {50, B50},       {75, B75},         {110, B110},       {134, B134},
    {150, B150},     {200, B200},     {300, B300},       {600, B600},       {1200, B1200},
    {1800, B1800},   {2400, B2400},   {4800, B4800},     {9600, B9600},     {19200, B19200},
    {38400, B38400}, {57600, B57600}, {115200, B115200}, {230400, B230400}, {460800, B460800},
};

std::uint32_t baud_of(::speed_t code) {
  const auto found = std::ranges::find(host_speeds, code, &HostSpeed::code);
  return found == std::end(host_speeds) ? 38400 : found->baud;
}

// A speed that the host does not have changes nothing.
void set_speed(::termios& mode, std::uint32_t baud, int (*set)(::termios*, ::speed_t)) {
  const auto found = std::ranges::find(host_speeds, baud, &HostSpeed::baud);
  if (found != std::end(host_speeds)) set(&mode, found->code);
}

constexpr ::tcflag_t sizes[] = {CS5, CS6, CS7, CS8};

TerminalSettings to_settings(const ::termios& mode) {
  TerminalSettings settings;
  for (const HostFlag& flag : host_flags) {
    settings.set(flag.flag, (mode.*flag.word & flag.bit) == flag.bit);
  }
  const auto size = std::ranges::find(sizes, mode.c_cflag & CSIZE);
  settings.character_bits = 5 + static_cast<unsigned>(size - std::begin(sizes));
  for (const HostCharacter& each : host_characters) {
    settings.at(each.which) = mode.c_cc[each.place];
  }
  settings.input_speed = baud_of(::cfgetispeed(&mode));
  settings.output_speed = baud_of(::cfgetospeed(&mode));
  return settings;
}

void apply(const TerminalSettings& settings, ::termios& mode) {
  for (const HostFlag& flag : host_flags) {
    mode.*flag.word &= ~flag.bit;
    if (settings.has(flag.flag)) mode.*flag.word |= flag.bit;
  }
  const unsigned bits = std::clamp(settings.character_bits, 5U, 8U);
  mode.c_cflag = (mode.c_cflag & ~::tcflag_t{CSIZE}) | sizes[bits - 5];
  for (const HostCharacter& each : host_characters) {
    mode.c_cc[each.place] = settings.at(each.which);
  }
  set_speed(mode, settings.input_speed, ::cfsetispeed);
  set_speed(mode, settings.output_speed, ::cfsetospeed);
}

// For signal handlers: plain data. The settings are valid once their flag is set.
::termios original, of_guest;
volatile std::sig_atomic_t is_changed = 0;

// A terminal that does not control hardclock's session has no jobs.
bool is_ours_to_set() {
  const ::pid_t foreground = ::tcgetpgrp(terminal);
  return foreground < 0 || foreground == ::getpgrp();
}

HostResult<std::uint64_t> bytes_by(unsigned long question) {
  int bytes = 0;
  if (::ioctl(terminal, question, &bytes) != 0) return host_failure();
  return static_cast<std::uint64_t>(bytes);
}

HostResult<Ok> done(int result) {
  if (result != 0) return host_failure();
  return Ok{};
}

}  // namespace

bool Terminal::is_at(int descriptor) {
  struct ::stat one, other;
  return ::isatty(descriptor) == 1 && ::fstat(descriptor, &one) == 0 &&
         ::fstat(terminal, &other) == 0 && one.st_rdev == other.st_rdev;
}

std::shared_ptr<Terminal> Terminal::of_standard_streams() {
  if (!is_at(STDIN_FILENO) || !is_at(STDOUT_FILENO)) return nullptr;
  return std::make_shared<Terminal>();
}

Terminal::~Terminal() {
  restore_terminal();
}

HostResult<HostFile> Terminal::open(OpenRights rights, std::shared_ptr<FileRecords> records,
                                    std::shared_ptr<HostUse> use) {
  Descriptor copy(::fcntl(rights.read ? STDIN_FILENO : STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (copy.get() < 0) return host_failure();
  return HostFile::of_host(std::move(copy), rights, std::move(records), std::move(use));
}

HostResult<TerminalSettings> Terminal::settings() const {
  ::termios mode;
  if (::tcgetattr(terminal, &mode) != 0) return host_failure();
  return to_settings(mode);
}

HostResult<Ok> Terminal::set(const TerminalSettings& settings, When when) {
  ::termios mode;
  if (::tcgetattr(terminal, &mode) != 0) return host_failure();
  if (is_changed == 0) original = mode;
  note_use();
  apply(settings, mode);
  of_guest = mode;
  is_changed = 1;
  const int how = when == When::now ? TCSANOW : when == When::drained ? TCSADRAIN : TCSAFLUSH;
  return done(::tcsetattr(terminal, how, &mode));
}

HostResult<WindowSize> Terminal::window_size() const {
  ::winsize size;
  if (::ioctl(terminal, TIOCGWINSZ, &size) != 0) return host_failure();
  return WindowSize{size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel};
}

bool Terminal::is_readable() const {
  ::pollfd poll{.fd = terminal, .events = POLLIN, .revents = 0};
  return ::poll(&poll, 1, 0) > 0;
}

HostResult<std::uint64_t> Terminal::readable_bytes() const {
  return bytes_by(FIONREAD);
}

HostResult<std::uint64_t> Terminal::unwritten_bytes() const {
  return bytes_by(TIOCOUTQ);
}

HostResult<Ok> Terminal::flush(bool input, bool output) {
  if (!input && !output) return Ok{};
  return done(::tcflush(terminal, !output ? TCIFLUSH : input ? TCIOFLUSH : TCOFLUSH));
}

HostResult<Ok> Terminal::drain() {
  return done(::tcdrain(terminal));
}

HostResult<Ok> Terminal::flow(Flow action) {
  constexpr int actions[] = {TCOOFF, TCOON, TCIOFF, TCION};
  return done(::tcflow(terminal, actions[static_cast<std::size_t>(action)]));
}

HostResult<Ok> Terminal::send_break() {
  return done(::tcsendbreak(terminal, 0));
}

std::chrono::microseconds Terminal::wait(std::optional<std::chrono::microseconds> most,
                                         const std::function<bool()>& is_over) {
  ::pollfd poll{.fd = terminal, .events = POLLIN, .revents = 0};
  return wait_for_files({&poll, 1}, most, is_over);
}

void restore_terminal() {
  if (is_changed == 0 || !is_ours_to_set()) return;
  ::tcsetattr(terminal, TCSANOW, &original);
}

void suspend_at_terminal() {
  restore_terminal();
  struct ::sigaction stop = {}, before;
  stop.sa_handler = SIG_DFL;
  ::sigaction(SIGTSTP, &stop, &before);
  ::raise(SIGTSTP);
  ::sigaction(SIGTSTP, &before, nullptr);
  resume_at_terminal();
}

void resume_at_terminal() {
  if (is_changed == 0 || !is_ours_to_set()) return;
  ::tcsetattr(terminal, TCSADRAIN, &of_guest);
}

}  // namespace hardclock::host
