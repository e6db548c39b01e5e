#include "sim/base/terminal_text.h"

#include <algorithm>

namespace hardclock {
namespace {

constexpr std::size_t tab_width = 8;
constexpr std::string_view sequence_start = "\x1b[";

std::string_view sequence_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::heading:
      return "\x1b[1m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
    case Tone::hot:
      return "\x1b[31m";
    case Tone::warm:
      return "\x1b[33m";
  }
  return "";
}

// Goes through a line by what the terminal takes as one: a character or a sequence of a tone.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  bool at_end() const { return at_ >= line_.size(); }
  std::size_t at() const { return at_; }
  std::size_t column() const { return column_; }
  char character() const { return line_[at_]; }

  void step() {
    if (line_.substr(at_).starts_with(sequence_start)) {
      const std::size_t end = line_.find('m', at_);
      at_ = end == std::string_view::npos ? line_.size() : end + 1;
      return;
    }
    column_ += line_[at_] == '\t' ? tab_width - column_ % tab_width : 1;
    ++at_;
    while (!at_end() && (static_cast<unsigned char>(line_[at_]) & 0xc0) == 0x80) ++at_;
  }

 private:
  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t column_ = 0;
};

// Where the rest of a broken line stands.
std::size_t hanging_indent(std::string_view line, std::size_t columns) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  std::size_t last = 0;
  for (std::size_t gap = line.find("  ", start); gap != std::string_view::npos;
       gap = line.find("  ", last)) {
    const std::size_t next = line.find_first_not_of(' ', gap);
    if (next == std::string_view::npos) break;
    last = next;
  }
  const std::size_t column = columns_of(line.substr(0, last));
  return last != 0 && column <= columns / 2 ? column : std::min(start + 2, columns / 2);
}

// How much of the line to write: as many words as fit, one at least.
std::size_t length_that_fits(std::string_view line, std::size_t columns) {
  std::size_t space = 0;
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  Cursor cursor(line);
  for (; !cursor.at_end(); cursor.step()) {
    if (cursor.column() > columns && space != 0) return space;
    if (cursor.at() > start && cursor.character() == ' ') space = cursor.at();
    if (cursor.column() > columns && space != 0) return space;
  }
  return cursor.column() > columns && space != 0 ? space : line.size();
}

void append_fitted(std::string& text, std::string_view line, std::size_t columns) {
  if (columns_of(line) <= columns) {
    text += line;
    return;
  }
  const std::string indent(hanging_indent(line, columns), ' ');
  std::string rest(line);
  while (true) {
    const std::size_t length = length_that_fits(rest, columns);
    text.append(rest, 0, rest.find_last_not_of(' ', length - 1) + 1);
    const std::size_t next = rest.find_first_not_of(' ', length);
    if (next == std::string::npos) return;
    text += '\n';
    rest = indent + rest.substr(next);
  }
}

}  // namespace

Tone tone_of_share(double percent) {
  constexpr double least_hot = 10;
  constexpr double least_warm = 2;
  if (percent >= least_hot) return Tone::hot;
  return percent >= least_warm ? Tone::warm : Tone::plain;
}

std::string toned(std::string_view text, Tone tone, const Terminal& terminal) {
  if (!terminal.has_colour || tone == Tone::plain || text.empty()) return std::string(text);
  return std::string(sequence_of(tone)) + std::string(text) + "\x1b[0m";
}

std::size_t columns_of(std::string_view line) {
  Cursor cursor(line);
  while (!cursor.at_end()) cursor.step();
  return cursor.column();
}

std::string fitted(std::string_view text, const Terminal& terminal) {
  if (terminal.columns == Terminal::no_limit) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_fitted(result, text.substr(0, end), terminal.columns);
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string cut_to(std::string_view name, std::size_t columns) {
  constexpr std::string_view mark = "..";
  if (columns_of(name) <= columns) return std::string(name);
  const std::size_t kept = columns - std::min(columns, mark.size());
  Cursor cursor(name);
  while (cursor.column() < kept) cursor.step();
  return std::string(name.substr(0, cursor.at())) + std::string(mark);
}

}  // namespace hardclock
