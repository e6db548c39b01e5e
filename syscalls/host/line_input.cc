#include "syscalls/host/line_input.h"

#include <algorithm>

#include "sim/state/archive.h"

namespace hardclock::host {

std::size_t LineInput::ready(std::size_t room) {
  const auto from = ahead_.begin() + static_cast<std::ptrdiff_t>(std::max(given_, searched_));
  const auto newline = std::find(from, ahead_.end(), '\n');
  searched_ = static_cast<std::size_t>(newline - ahead_.begin());
  const std::size_t line = searched_ - given_ + (newline != ahead_.end() ? 1 : 0);
  return newline != ahead_.end() || line >= room ? std::min(line, room) : 0;
}

std::size_t LineInput::give(std::span<std::uint8_t> bytes) {
  std::copy_n(ahead_.begin() + static_cast<std::ptrdiff_t>(given_), bytes.size(), bytes.begin());
  given_ += bytes.size();
  return bytes.size();
}

HostResult<std::size_t> LineInput::fill(std::size_t room, const Source& source) {
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(given_));
  searched_ -= std::min(searched_, given_);
  given_ = 0;
  const std::size_t had = ahead_.size();
  ahead_.resize(room);
  const auto moved = source(std::span(ahead_).subspan(had));
  ahead_.resize(had + (moved ? *moved : 0));
  return moved;
}

HostResult<std::size_t> LineInput::read(std::span<std::uint8_t> bytes, const Source& source) {
  if (bytes.empty()) return std::size_t{0};
  std::size_t count = ready(bytes.size());
  while (count == 0) {
    const auto moved = fill(bytes.size(), source);
    const bool is_over = !moved || *moved == 0;
    const bool was_interrupted = !moved && moved.error() == Error::again;
    if (was_interrupted || (is_over && ahead_.empty())) return moved;
    count = is_over ? ahead_.size() : ready(bytes.size());
  }
  return give(bytes.first(count));
}

void LineInput::archive(Archive& to) {
  auto& [ahead, given, searched] = *this;
  to.state(ahead, given, searched);
}

}  // namespace hardclock::host
