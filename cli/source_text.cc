#include "cli/source_text.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <utility>

#include "cli/files.h"
#include "cli/usage_error.h"

namespace hardclock {
namespace {

constexpr std::uint64_t largest_source = std::uint64_t{16} << 20;  // bytes
constexpr std::size_t most_text = std::size_t{64} << 20;           // bytes, kept at a time
constexpr std::size_t longest_line = 1000;                         // bytes that are shown
constexpr std::size_t tab_width = 8;

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c != '\t') {
      text += c;
    } else {
      text.append(tab_width - text.size() % tab_width, ' ');
    }
  }
  return text;
}

// A program may name any file: devices, pipes and what is in /proc are no sources, and may never
// end. Files there have the size 0.
bool is_readable_source(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

}  // namespace

std::optional<std::time_t> time_of_file(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mtime;
}

SourceText::SourceText(std::vector<std::string> directories,
                       std::optional<std::time_t> program_time)
    : directories_(std::move(directories)), program_time_(program_time) {}

std::string SourceText::line(const SourceFile& file, std::uint32_t number) {
  const Text& text = text_of(file.path);
  const std::string place = fmt::format("{}:{}", printable_path(file.name), number);
  const bool is_new = told_.insert(file.path).second;
  if (!text.is_found) {
    return place + (is_new ? " (no such file; --source=DIR says where it is)\n" : "\n");
  }
  std::string line;
  if (is_new && text.is_newer) {
    line = fmt::format("({} is newer than the program: its lines may be others)\n",
                       printable_path(file.name));
  }
  if (number > text.starts.size()) {
    return line + fmt::format("{} (the file has only {} lines)\n", place, text.starts.size());
  }
  const std::string source = without_tabs(line_of(text, number));
  return line + fmt::format("{}:{}{}\n", place, source.empty() ? "" : " ",
                            printable(source, longest_line));
}

const SourceText::Text& SourceText::text_of(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  if (bytes_ > most_text) texts_.clear();
  if (texts_.empty()) bytes_ = 0;
  const auto found = find(path);
  Text text = found ? read(*found) : Text();
  bytes_ += text.bytes.size();
  return texts_.emplace(path, std::move(text)).first->second;
}

std::optional<std::string> SourceText::find(const std::string& path) const {
  if (is_readable_source(path)) return path;
  const std::string tidy = std::filesystem::path(path).lexically_normal().relative_path().string();
  std::string_view tail = tidy;
  for (;;) {
    for (const std::string& directory : directories_) {
      const std::string candidate = fmt::format("{}/{}", directory, tail);
      if (!tail.starts_with("../") && is_readable_source(candidate)) return candidate;
    }
    const std::size_t slash = tail.find('/');
    if (slash == tail.npos) return std::nullopt;
    tail.remove_prefix(slash + 1);
  }
}

SourceText::Text SourceText::read(const std::string& path) const {
  const auto bytes = read_file(path, largest_source);
  if (!bytes) return {};
  Text text;
  text.is_found = true;
  const auto time = time_of_file(path);
  text.is_newer = time && program_time_ && *time > *program_time_;
  text.bytes.assign(bytes->begin(), bytes->end());
  for (std::size_t start = 0; start < text.bytes.size();) {
    text.starts.push_back(start);
    const std::size_t end = text.bytes.find('\n', start);
    start = end == std::string::npos ? text.bytes.size() : end + 1;
  }
  return text;
}

std::string_view SourceText::line_of(const Text& text, std::uint32_t number) {
  const std::size_t start = text.starts[number - 1];
  std::string_view line = std::string_view(text.bytes).substr(start);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace hardclock
