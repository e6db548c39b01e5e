#include "sim/lab/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hardclock::lab {
namespace {

void append(Lines& lines, Lines more) {
  std::ranges::move(more, std::back_inserter(lines));
}

Line title_of(const Session& session, std::size_t columns) {
  const MachineFacts& facts = session.facts();
  constexpr double million = 1e6;
  const std::string left = fmt::format(
      "{} | {} {:g} MHz | {} {} Hz", facts.program, facts.processor,
      static_cast<double>(facts.clock.value()) / million, facts.system, facts.tick_rate.value());
  const Score& score = session.score();
  std::string right = score.guesses == 0
                          ? std::string()
                          : fmt::format("guesses: {} of {} right", score.right, score.guesses);
  std::string text = ascii(left);
  if (text.size() + right.size() + 1 > columns) right.clear();
  text.resize(std::max(text.size(), columns - right.size()), ' ');
  return fitted({{text + right, Style::title}}, columns);
}

std::string where(const Session& session) {
  const Frame& frame = *session.frame();
  std::string text = fmt::format("instruction {}: {}", grouped(frame.number), frame.text);
  text += fmt::format("   at {} <{}>", address_text(session.facts(), frame.pc), frame.place);
  if (!session.ending().empty()) text += "   THE END: " + session.ending();
  return text;
}

Lines key_lines(const Ui& ui, std::size_t columns) {
  if (const std::string prompt = ui.prompt(); !prompt.empty())
    return {fitted({{ascii(prompt) + "_", Style::tick}}, columns)};
  std::string text;
  for (const Key& key : key_table()) {
    const bool is_view = key.key >= '1' && key.key <= '6';
    if (is_view) continue;
    text += fmt::format("{} {}  ", key.key, key.name);
  }
  text += "1-6 views";
  return wrapped(text, columns, Style::soft);
}

Lines message_lines(const Ui& ui, std::size_t columns) {
  constexpr std::size_t most = 3;
  if (ui.message().empty()) return {};
  const bool is_good = ui.message().starts_with("Right");
  Lines lines = wrapped(ui.message(), columns, is_good ? Style::good : Style::bad);
  if (lines.size() > most) lines.resize(most);
  return lines;
}

Lines output_lines(const Session& session, std::size_t columns) {
  const std::string& output = session.frame()->output;
  if (output.empty()) return {};
  std::string text = output;
  std::ranges::replace(text, '\n', ' ');
  return {fitted({{"output: " + ascii(text), Style::good}}, columns)};
}

Lines help_pane(std::size_t columns, std::size_t rows) {
  Lines lines;
  for (const Key& key : key_table()) {
    append(lines, wrapped(fmt::format("  {}  {:<10} {}", key.key, key.name, key.manual), columns));
  }
  append(lines, wrapped("  Space and Enter step, Escape leaves a question.", columns));
  if (lines.size() > rows) lines.resize(rows);
  return lines;
}

// A third for the registers, what the arithmetic needs, and the rest for the pipeline.
Lines overview(const Ui& ui, std::size_t columns, std::size_t rows) {
  constexpr std::size_t most_register_rows = 6, least_pipeline_rows = 3;
  const Session& session = ui.session();
  Lines clock = clock_pane(session, columns, 2);
  Lines caches = cache_pane(session, columns, 2);
  const std::size_t fixed = clock.size() + caches.size();
  const std::size_t left = rows - std::min(rows, fixed);
  Lines registers = register_pane(session, columns, std::min(most_register_rows, left / 3));
  const std::size_t for_profil = left - std::min(left, registers.size() + least_pipeline_rows);
  Lines profil = profil_pane(session, ui.broken_rule(), Layout::packed, columns, for_profil);
  const std::size_t used = registers.size() + profil.size();
  Lines lines = pipeline_pane(session, columns, left - std::min(left, used));
  append(lines, std::move(clock));
  append(lines, std::move(profil));
  append(lines, std::move(registers));
  append(lines, std::move(caches));
  if (lines.size() > rows) lines.resize(rows);
  return lines;
}

Lines view_lines(const Ui& ui, std::size_t columns, std::size_t rows) {
  const Session& session = ui.session();
  switch (ui.view()) {
    case View::overview:
      return overview(ui, columns, rows);
    case View::arithmetic:
      return profil_pane(session, ui.broken_rule(), Layout::a_step_a_line, columns, rows);
    case View::registers:
      return register_pane(session, columns, rows);
    case View::counters:
      return counter_pane(session, ui.broken_rule(), columns, rows);
    case View::systems:
      return system_pane(session, columns, rows);
    case View::rules:
      return rule_pane(session, ui.broken_rule(), columns, rows);
    case View::help:
      return help_pane(columns, rows);
  }
  return {};
}

}  // namespace

Lines screen_of(const Ui& ui, const ScreenSize& size) {
  const std::size_t columns = std::max<std::size_t>(size.columns, 1);
  Lines lines;
  if (columns < ScreenSize::least_columns || size.rows < ScreenSize::least_rows) {
    lines = wrapped(fmt::format("The lab needs {} columns and {} rows.", ScreenSize::least_columns,
                                ScreenSize::least_rows),
                    columns);
    lines.resize(size.rows);
    return lines;
  }
  const Session& session = ui.session();
  lines.push_back(title_of(session, columns));
  Lines below = message_lines(ui, columns);
  append(below, key_lines(ui, columns));
  if (session.frame() == nullptr) {
    append(lines, wrapped("The program ended before its first instruction: " + session.ending(),
                          columns, Style::bad));
  } else {
    Lines here = wrapped(where(session), columns, Style::changed);
    constexpr std::size_t most_lines = 2;
    if (here.size() > most_lines) here.resize(most_lines);
    append(lines, std::move(here));
    append(lines, output_lines(session, columns));
    append(lines, view_lines(ui, columns, size.rows - lines.size() - below.size()));
  }
  lines.resize(size.rows - below.size());
  append(lines, std::move(below));
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (const Span& span : line) row += span.text;
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

}  // namespace hardclock::lab
