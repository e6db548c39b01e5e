// A command's output: its answer on standard output, its complaint on standard error.
#pragma once

#include <string>
#include <string_view>

namespace hardclock {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failure = 125;  // hardclock's own errors; see the manual page
// Of a command whose answer nobody reads to its end, as 'head' does: a shell's for SIGPIPE.
inline constexpr int exit_reader_left = 141;

// Prints "hardclock: MESSAGE" and returns exit_failure, for `return complain(...)`.
int complain(std::string_view message);
// Says once, without any memory, that the host gives none. Returns exit_failure.
int complain_of_memory();

// Where an answer goes instead of standard output. Errors are one line for the user; empty: none.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  virtual std::string write(std::string_view text) = 0;
  virtual std::string finish() = 0;
};

// The answer of a command, buffered. A write to a closed or full standard output is an error like
// any other; nothing is written after the first one. A reader who has left knows it, and is told
// nothing. SIGPIPE must be ignored.
class Answer {
 public:
  // Null: to standard output. The sink outlives this.
  explicit Answer(AnswerSink* sink = nullptr) : sink_(sink) {}
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // Returns false if an earlier write failed: the caller may stop producing.
  bool write(std::string_view text);
  // Writes the rest. Returns the command's exit status: exit_ok, exit_reader_left, or exit_failure
  // after one complaint.
  int finish();

 private:
  void flush();

  AnswerSink* sink_;
  std::string waiting_;
  std::string error_;  // of the first write that failed
  bool reader_has_left_ = false;
};

// Writes the whole of a short answer.
int answer(std::string_view text);
// The same of words, which are broken where standard output is a narrower terminal.
int answer_words(std::string_view text);

}  // namespace hardclock
