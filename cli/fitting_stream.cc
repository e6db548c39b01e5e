#include "cli/fitting_stream.h"

#include <cstdio>

#include "sim/base/terminal_text.h"

namespace hardclock {

FittingStream::FittingStream(std::ostream& out, const Terminal& terminal)
    : std::ostream(this), out_(out), terminal_(terminal) {}

int FittingStream::overflow(int character) {
  if (character == EOF) return 0;
  waiting_ += static_cast<char>(character);
  return write_lines() ? character : EOF;
}

std::streamsize FittingStream::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  return write_lines() ? size : 0;
}

int FittingStream::sync() {
  out_.flush();
  return out_.good() ? 0 : -1;
}

bool FittingStream::write_lines() {
  const std::size_t end = waiting_.rfind('\n');
  if (end == std::string::npos) return true;
  out_ << fitted(std::string_view(waiting_).substr(0, end + 1), terminal_);
  waiting_.erase(0, end + 1);
  return out_.good();
}

}  // namespace hardclock
