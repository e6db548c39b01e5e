#include "cli/answer_form.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/terminal.h"
#include "cli/values.h"

namespace hardclock {
namespace {

// A format with several suffixes stands there once.
std::string listed(std::span<const AnswerFormat> formats, std::string_view AnswerFormat::*of) {
  std::string all;
  std::string_view last;
  for (const AnswerFormat& each : formats) {
    if (each.*of != last) all += (all.empty() ? "" : ", ") + std::string(each.*of);
    last = each.*of;
  }
  return all;
}

class FileSink final : public AnswerSink {
 public:
  explicit FileSink(std::string path) : path_(std::move(path)) {}

  std::string write(std::string_view text) override {
    if (content_ == nullptr) {
      auto file = OutputFile::find(path_);
      if (!file) return file.error();
      file_ = *std::move(file);
      auto content = file_->begin_replacement();
      if (!content) return content.error();
      content_ = *std::move(content);
    }
    content_->stream().write(text.data(), static_cast<std::streamsize>(text.size()));
    return content_->stream().bad() ? finish() : std::string();
  }

  std::string finish() override {
    if (content_ == nullptr) return {};
    const auto finished = content_->finish();
    content_.reset();
    return finished ? std::string() : finished.error();
  }

 private:
  std::string path_;
  std::optional<OutputFile> file_;
  std::unique_ptr<OutputFile::Replacement> content_;
};

}  // namespace

std::optional<std::string> output_of(const Arguments& arguments) {
  auto file = arguments.value("output");
  return file == "-" ? std::nullopt : std::move(file);
}

Result<std::string_view, UsageError> read_answer_format(const Arguments& arguments,
                                                        std::span<const AnswerFormat> formats) {
  if (const auto name = arguments.value("format")) {
    const auto found = std::ranges::find(formats, *name, &AnswerFormat::name);
    if (found != formats.end()) return found->name;
    return Failure{UsageError{"--format: unknown format '" + printable(*name) +
                              "'; there are: " + listed(formats, &AnswerFormat::name)}};
  }
  const auto file = output_of(arguments);
  if (!file) return formats.front().name;
  const auto found = std::ranges::find_if(
      formats, [&](const AnswerFormat& each) { return file->ends_with(each.suffix); });
  if (found != formats.end()) return found->name;
  if (formats.size() == 1 && asks_for_other_than_text(*file)) {
    return Failure{UsageError{"--output: " + printable_path(*file) +
                              ": this answer is text alone; name a .txt file"}};
  }
  if (formats.size() == 1) return formats.front().name;
  return Failure{UsageError{"--output: " + printable_path(*file) +
                            ": no format has this suffix; end the name in one of " +
                            listed(formats, &AnswerFormat::suffix) + ", or add --format"}};
}

int deliver(const Arguments& arguments, std::string_view text) {
  const auto path = output_of(arguments);
  if (!path) return answer(text);
  auto file = OutputFile::find(*path);
  if (!file) return complain(file.error());
  const auto written = file->replace(text);
  return written ? exit_ok : complain(written.error());
}

int deliver_words(const Arguments& arguments, std::string_view text) {
  return output_of(arguments) ? deliver(arguments, text) : answer_words(text);
}

Terminal answer_terminal(const Arguments& arguments) {
  return output_of(arguments) ? Terminal() : terminal_of(STDOUT_FILENO);
}

std::unique_ptr<AnswerSink> answer_sink(const Arguments& arguments) {
  const auto path = output_of(arguments);
  return path ? std::make_unique<FileSink>(*path) : nullptr;
}

}  // namespace hardclock
