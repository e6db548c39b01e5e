#include "cli/answer.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "cli/terminal.h"
#include "sim/base/terminal_text.h"
#include "syscalls/host/write_all.h"

namespace hardclock {

using host::write_all;

int complain(std::string_view message) {
  const std::string name = toned("hardclock:", Tone::heading, terminal_of(STDERR_FILENO));
  const std::string line = name + " " + std::string(message) + "\n";
  // There is nowhere left to report that standard error does not work.
  static_cast<void>(write_all(STDERR_FILENO, line));
  return exit_failure;
}

int complain_of_memory() {
  static bool is_said = false;
  if (std::exchange(is_said, true)) return exit_failure;
  constexpr std::string_view line =
      "hardclock: out of memory: of the host's, or of what --max-memory leaves to hardclock "
      "itself; change that, or use a smaller file\n";
  static_cast<void>(write_all(STDERR_FILENO, line));
  return exit_failure;
}

bool Answer::write(std::string_view text) {
  constexpr std::size_t buffer_size = 65536;
  waiting_ += text;
  if (waiting_.size() >= buffer_size) flush();
  return error_.empty();
}

int Answer::finish() {
  flush();
  if (reader_has_left_) return exit_reader_left;
  if (error_.empty() && sink_ != nullptr) error_ = sink_->finish();
  return error_.empty() ? exit_ok : complain(error_);
}

void Answer::flush() {
  if (error_.empty() && sink_ != nullptr) {
    error_ = sink_->write(waiting_);
  } else if (error_.empty()) {
    const int error = write_all(STDOUT_FILENO, waiting_);
    if (error != 0) {
      reader_has_left_ = error == EPIPE;
      error_ =
          "standard output: " + std::string(std::strerror(error)) + "; the answer is incomplete";
    }
  }
  waiting_.clear();
}

int answer(std::string_view text) {
  Answer all;
  all.write(text);
  return all.finish();
}

int answer_words(std::string_view text) {
  return answer(fitted(text, terminal_of(STDOUT_FILENO)));
}

}  // namespace hardclock
