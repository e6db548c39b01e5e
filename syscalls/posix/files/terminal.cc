#include "syscalls/posix/files/terminal.h"

#include "sim/state/archive.h"

namespace hardclock::posix {

host::WindowSize Terminal::window() const {
  if (window_) return *window_;
  const auto size = host_->window_size();
  return size ? *size : host::WindowSize{};
}

bool TerminalFile::readable(const Thread* /*asker*/) const {
  return terminal_->foreground == 0 || terminal_->host().is_readable();
}

// Without canonical input, VMIN of 0 bytes and VTIME tell how long a read waits (POSIX.1, 11.1.7
// "Non-Canonical Mode Input Processing").
std::optional<std::uint32_t> TerminalFile::patience() const {
  const auto settings = terminal_->host().settings();
  const bool has_minimum = !settings || settings->has(host::TerminalFlag::icanon) ||
                           settings->at(host::ControlCharacter::min) != 0;
  if (has_minimum) return std::nullopt;
  return settings->at(host::ControlCharacter::time);
}

Transfer TerminalFile::read(std::span<std::uint8_t> bytes) {
  terminal_->host().note_use();
  if (!bytes.empty() && !terminal_->host().is_readable()) return std::optional<std::size_t>();
  const auto moved = file_.read(bytes);
  if (!moved) return Failure{moved.error()};
  return std::optional(*moved);
}

Transfer TerminalFile::write(std::span<const std::uint8_t> bytes) {
  if (before_write_) before_write_(bytes);
  const auto moved = file_.write(bytes);
  if (!moved) return Failure{moved.error()};
  return std::optional(*moved);
}

void Terminal::archive(Archive& to) {
  auto& [leader, group, of_host, size] = *this;
  to.state(leader, group, size);
  to.kept(of_host);
}

void TerminalFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(terminal_);
  to.saved(file_);
  to.kept(before_write_);
}

}  // namespace hardclock::posix
