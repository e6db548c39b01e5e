#include "sim/lab/panes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hardclock::lab {
namespace {

std::size_t columns_of(const Line& line) {
  std::size_t columns = 0;
  for (const Span& span : line) columns += span.text.size();
  return columns;
}

// The lines of a pane: what has no room is left out.
class Pane {
 public:
  Pane(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows) {}

  void add(std::string_view text, Style style = Style::plain) {
    for (Line& line : wrapped(text, columns_, style)) add_line(std::move(line));
  }
  // Cut where it is too long.
  void add_one_line(std::string_view text, Style style) {
    add_line(fitted({{ascii(text), style}}, columns_));
  }
  void add_steps(const Verdict& verdict, Layout layout) {
    if (layout == Layout::packed) return add("  " + joined(verdict.steps));
    for (const std::string& step : verdict.steps) add("  " + step);
  }
  bool is_empty() const { return lines_.empty(); }
  Lines take() { return std::move(lines_); }

 private:
  void add_line(Line line) {
    if (lines_.size() < rows_) lines_.push_back(std::move(line));
  }

  std::size_t columns_, rows_;
  Lines lines_;
};

std::string counter_text(const Verdict& verdict) {
  std::string text =
      verdict.counter ? fmt::format("counter {}", *verdict.counter) : std::string("no counter");
  if (!verdict.outcome.empty()) text += ": " + verdict.outcome;
  return text;
}

// Of a verdict of a charge, or of one that would be made.
const Verdict* broken_verdict(const Frame& frame, std::size_t rule, std::vector<Verdict>& made) {
  if (const Charge* const charge = frame.charge()) {
    return rule < charge->broken.size() ? &charge->broken[rule] : nullptr;
  }
  made = frame.profile->broken(frame.next_pc);
  return rule < made.size() ? &made[rule] : nullptr;
}

}  // namespace

std::string ascii(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) {
    if (c == '\t') c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  return plain;
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

Line fitted(Line line, std::size_t columns) {
  while (columns_of(line) > columns) {
    Span& last = line.back();
    const std::size_t over = columns_of(line) - columns;
    if (last.text.size() > over) {
      last.text.resize(last.text.size() - over);
    } else {
      line.pop_back();
    }
  }
  return line;
}

Lines wrapped(std::string_view text, std::size_t columns, Style style) {
  constexpr std::string_view indent = "  ";
  Lines lines;
  std::string rest = ascii(text);
  const std::size_t least = indent.size() + 1;
  columns = std::max(columns, least);
  while (rest.size() > columns) {
    std::size_t cut = rest.rfind(' ', columns);
    if (cut == std::string::npos || cut <= rest.find_first_not_of(' ')) cut = columns;
    lines.push_back({{rest.substr(0, cut), style}});
    rest.erase(0, rest[cut] == ' ' ? cut + 1 : cut);
    rest.insert(0, indent);
  }
  lines.push_back({{rest, style}});
  return lines;
}

std::string address_text(const MachineFacts& facts, GuestAddr address) {
  return fmt::format("{:0{}x}", address.value(), facts.address_digits);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

Lines register_pane(const Session& session, std::size_t columns, std::size_t rows) {
  const Frame* const frame = session.frame();
  const MachineFacts& facts = session.facts();
  if (frame == nullptr || rows == 0) return {};
  if (facts.registers.empty()) return {{{"registers: not shown for this processor", Style::soft}}};
  const Frame* const before = session.frame_before(1);
  struct Shown {
    std::string text;
    bool is_changed = false;
  };
  std::vector<Shown> shown;
  std::size_t widest = 0;
  for (std::size_t i = 0; i < facts.registers.size() && i < frame->registers.size(); ++i) {
    const bool is_changed = before != nullptr && i < before->registers.size() &&
                            before->registers[i] != frame->registers[i];
    shown.push_back({fmt::format("{:>4}{}{:0{}x}", facts.registers[i].name, is_changed ? '*' : ' ',
                                 frame->registers[i], facts.registers[i].digits),
                     is_changed});
    widest = std::max(widest, shown.back().text.size());
  }
  const std::size_t in_line = std::max<std::size_t>(1, (columns + 1) / (widest + 1));
  // Where not all have room, what changed must be seen.
  if (shown.size() > in_line * rows) {
    std::stable_partition(shown.begin(), shown.end(),
                          [](const Shown& each) { return each.is_changed; });
    shown.resize(in_line * rows);
  }
  Lines lines;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i % in_line == 0) lines.emplace_back();
    std::string text = shown[i].text;
    if (i % in_line != 0) text.insert(0, " ");
    lines.back().push_back({std::move(text), shown[i].is_changed ? Style::changed : Style::plain});
  }
  for (Line& line : lines) line = fitted(std::move(line), columns);
  return lines;
}

Lines cache_pane(const Session& session, std::size_t columns, std::size_t rows) {
  const Frame* const frame = session.frame();
  if (frame == nullptr) return {};
  std::string text;
  for (std::size_t i = 0; i < frame->caches.size(); ++i) {
    const CacheUse& use = frame->caches[i];
    text += text.empty() ? "caches: " : "; ";
    text += session.facts().caches[i];
    if (use.new_misses != 0) {
      text += " MISS,";
    } else if (use.new_accesses != 0) {
      text += " hit,";
    }
    // A TLB counts misses alone.
    text += use.accesses == 0 && use.misses != 0
                ? fmt::format(" {} missed", grouped(use.misses))
                : fmt::format(" {} of {} missed", grouped(use.misses), grouped(use.accesses));
  }
  if (text.empty()) text = "caches: none, every access hits; a --machine has some";
  Pane pane(columns, rows);
  pane.add(text);
  return pane.take();
}

Lines clock_pane(const Session& session, std::size_t columns, std::size_t rows) {
  const Frame* const frame = session.frame();
  if (frame == nullptr) return {};
  const std::uint64_t left =
      frame->next_tick > frame->now ? (frame->next_tick - frame->now).value() : 0;
  const std::uint64_t period =
      std::max<std::uint64_t>(1, session.facts().clock.value() / session.facts().tick_rate.value());
  std::string text = fmt::format("clock: cycle {}, tick {} in {}", grouped(frame->now.value()),
                                 frame->ticks.value() + 1, grouped(left));
  constexpr std::size_t bar_columns = 20;
  if (text.size() + bar_columns + 3 <= columns) {
    const std::uint64_t gone = period - std::min(period, left);
    const std::size_t full = static_cast<std::size_t>(gone * bar_columns / period);
    text += " [" + std::string(full, '#') + std::string(bar_columns - full, '-') + "]";
  }
  Pane pane(columns, rows);
  pane.add(text);
  if (frame->clock && frame->clock->ticks != Ticks(0)) {
    const Charge* const charge = frame->charge();
    const bool is_before = charge != nullptr && charge->pc == frame->pc;
    std::string came = is_before ? "A TICK came before this instruction." : "A TICK came.";
    if (frame->clock->is_owed) came += " It is charged before the program goes on: step once.";
    pane.add(came, Style::tick);
  }
  return pane.take();
}

Lines profil_pane(const Session& session, std::optional<std::size_t> rule, Layout layout,
                  std::size_t columns, std::size_t rows) {
  const Frame* const frame = session.frame();
  if (frame == nullptr || rows == 0) return {};
  Pane pane(columns, rows);
  const Charge* const charge = frame->charge();
  if (charge != nullptr) {
    const std::uint64_t ticks = charge->ticks.value();
    pane.add(fmt::format("profil: {} found {}",
                         ticks == 1 ? "a tick" : fmt::format("{} ticks", ticks), charge->place),
             Style::tick);
    if (layout == Layout::a_step_a_line) pane.add("  " + charge->before->summary(), Style::soft);
    pane.add_steps(charge->verdict, layout);
  } else if (frame->clock && frame->clock->ticks != Ticks(0)) {
    for (const std::string& line : frame->clock->log) pane.add("profil: " + line, Style::tick);
    if (pane.is_empty()) pane.add("profil: the tick is noted, not charged yet", Style::tick);
  } else {
    pane.add(fmt::format("profil: a tick now would find {}", frame->next_place), Style::title);
    pane.add("  " + frame->profile->summary(), Style::soft);
    if (frame->profile->is_on()) pane.add_steps(frame->profile->verdict(frame->next_pc), layout);
  }
  std::vector<Verdict> made;
  const Verdict* const broken = rule ? broken_verdict(*frame, *rule, made) : nullptr;
  if (broken != nullptr) {
    pane.add(fmt::format("broken ({}): {}", session.rules()[*rule].name,
                         layout == Layout::packed ? counter_text(*broken) : joined(broken->steps)),
             Style::bad);
  }
  return pane.take();
}

Lines counter_pane(const Session& session, std::optional<std::size_t> rule, std::size_t columns,
                   std::size_t rows) {
  const Frame* const frame = session.frame();
  if (frame == nullptr || rows == 0) return {};
  Lines lines;
  std::string heading = fmt::format("{:>8} {:>8}", "counter", "kernel");
  if (rule) heading += fmt::format(" {:>8}", "broken");
  lines.push_back(fitted({{heading + "  last counted for", Style::title}}, columns));
  const auto is_shown = [&](const CounterRow& row) {
    return row.count != 0 || (rule && row.broken[*rule] != 0);
  };
  auto left = static_cast<std::size_t>(std::ranges::count_if(*frame->counters, is_shown));
  if (left == 0) lines.push_back({{"  nothing is counted yet"}});
  for (const CounterRow& row : *frame->counters) {
    if (!is_shown(row)) continue;
    if (lines.size() + 1 >= rows && left > 1) {
      lines.push_back({{fmt::format("  and {} more", left), Style::soft}});
      break;
    }
    --left;
    std::string text = fmt::format("{:>8} {:>8}", row.element, row.count);
    const bool differs = rule && row.broken[*rule] != row.count;
    if (rule) text += fmt::format(" {:>8}", row.broken[*rule]);
    text += "  " + row.place;
    lines.push_back(fitted({{ascii(text), differs ? Style::bad : Style::plain}}, columns));
  }
  if (lines.size() > rows) lines.resize(rows);
  return lines;
}

Lines system_pane(const Session& session, std::size_t columns, std::size_t rows) {
  const Frame* const frame = session.frame();
  if (frame == nullptr || rows == 0) return {};
  const Charge* const charge = frame->charge();
  const Profile& profile = charge != nullptr ? *charge->before : *frame->profile;
  const GuestAddr pc = charge != nullptr ? charge->pc : frame->next_pc;

  Pane pane(columns, rows);
  pane.add(fmt::format("the same call and pc {} on every system",
                       charge != nullptr ? charge->place : frame->next_place),
           Style::title);
  pane.add("  " + profile.summary(), Style::soft);
  if (!profile.is_on()) return pane.take();
  constexpr std::size_t name_columns = 11;
  for (const Verdict& verdict : profile.systems(pc)) {
    const bool is_own = verdict.kernel == session.facts().system;
    pane.add_one_line(fmt::format("{:<{}} {}", verdict.kernel, name_columns, counter_text(verdict)),
                      is_own ? Style::changed : Style::plain);
  }
  return pane.take();
}

Lines rule_pane(const Session& session, std::optional<std::size_t> rule, std::size_t columns,
                std::size_t rows) {
  const Frame* const frame = session.frame();
  if (frame == nullptr || rows == 0) return {};
  Pane pane(columns, rows);
  const Charge* const charge = frame->charge();
  pane.add(fmt::format("kernels with one broken rule; a tick {} {}",
                       charge != nullptr ? "found" : "now would find",
                       charge != nullptr ? charge->place : frame->next_place),
           Style::title);
  for (std::size_t i = 0; i < session.rules().size(); ++i) {
    std::vector<Verdict> made;
    const Verdict* const verdict = broken_verdict(*frame, i, made);
    const Rule& broken = session.rules()[i];
    pane.add(fmt::format("{} {}: {}", rule == i ? '>' : ' ', broken.name, broken.sentence),
             rule == i ? Style::bad : Style::plain);
    if (verdict != nullptr) pane.add("    " + counter_text(*verdict), Style::soft);
  }
  return pane.take();
}

}  // namespace hardclock::lab
