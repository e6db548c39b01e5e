// The form and the destination of a command's answer: --format and --output, alike in all commands.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/output_file.h"
#include "cli/usage_error.h"
#include "sim/base/result.h"
#include "sim/base/terminal.h"

namespace hardclock {

struct AnswerFormat {
  std::string_view name;    // as --format takes it
  std::string_view suffix;  // of a FILE of --output that asks for it: ".csv"
};

using AnswerFormats = std::span<const AnswerFormat>;

// Of answers that are tables. The first is the default.
inline constexpr AnswerFormat table_formats[] = {
    {"text", ".txt"}, {"json", ".json"}, {"csv", ".csv"}};
inline constexpr AnswerFormat text_format[] = {{"text", ".txt"}};

// The FILE of --output; none for "-", which is standard output.
std::optional<std::string> output_of(const Arguments& arguments);

// The format that --format names or, without it, the name of the FILE of --output.
Result<std::string_view, UsageError> read_answer_format(const Arguments& arguments,
                                                        AnswerFormats formats);

// Writes the whole of an answer to the FILE of --output, which keeps its old content if that fails,
// or to standard output. Returns the command's exit status.
int deliver(const Arguments& arguments, std::string_view text);

// The same of words, which are broken where the terminal is narrower.
int deliver_words(const Arguments& arguments, std::string_view text);

// What shows the answer: the terminal that standard output is, if it goes there.
Terminal answer_terminal(const Arguments& arguments);

// A sink for long answers to the FILE of --output, which is replaced at the first write. Null:
// there is no such option.
std::unique_ptr<AnswerSink> answer_sink(const Arguments& arguments);

}  // namespace hardclock
