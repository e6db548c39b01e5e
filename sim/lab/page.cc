#include "sim/lab/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/lab/frame.h"
#include "sim/report/viewers/text.h"

namespace hardclock::lab {
namespace {

using report::json_text;

constexpr std::string_view page_style =
#include "sim/lab/page.css.inc"
    ;
constexpr std::string_view page_body =
#include "sim/lab/page.html.inc"
    ;
// A frame is an array there: number, pc, place, text, stages, waits, cycle, next tick, ticks,
// changed registers, caches, look, counters, event, output. Small numbers stand for texts,
// verdicts, looks and tables.
constexpr std::string_view page_script =
#include "sim/lab/page.js.inc"
    ;

// The frames of a page, in the order of the run. Where two are not neighbours, some are left out.
class Choice {
 public:
  Choice(Machine& machine, std::uint64_t most) : machine_(machine), most_(most) {}

  std::vector<Frame> take() {
    take_some(std::min<std::uint64_t>(most_ / 5, most_at_start));
    while (frames_.size() < most_ && go_to_tick()) take_some(after_a_tick);
    if (frames_.size() < most_ && !machine_.ending().empty()) take_the_end();
    return std::move(frames_);
  }

 private:
  static constexpr std::uint64_t most_at_start = 200;
  static constexpr std::size_t frames_before_a_tick = 100;
  static constexpr std::uint64_t after_a_tick = 20;
  static constexpr std::uint64_t most_at_end = 200;

  bool take_one() {
    if (frames_.size() >= most_) return false;
    auto frame = machine_.step();
    if (!frame) return false;
    frames_.push_back(*std::move(frame));
    return true;
  }
  void take_some(std::uint64_t number) {
    while (number != 0 && take_one()) --number;
  }
  // Takes the frames before and with a tick. False: no more can be taken.
  bool go_to_tick() {
    const Cycles due = machine_.next_tick();
    const Cycles before = machine_.facts().longest_instruction + Cycles(frames_before_a_tick);
    const bool is_far = machine_.now() + before < due;
    if (is_far && !machine_.run_to_cycle(due - before)) return false;
    std::deque<Frame> last;
    bool is_there = false;
    while (!is_there) {
      auto frame = machine_.step();
      if (!frame) break;
      is_there = frame->clock && !frame->clock->is_owed;
      last.push_back(*std::move(frame));
      if (last.size() > frames_before_a_tick) last.pop_front();
    }
    for (Frame& frame : last) {
      if (frames_.size() < most_) frames_.push_back(std::move(frame));
    }
    return is_there;
  }
  // The program has ended before a tick: its last instructions, from another run of it.
  void take_the_end() {
    const std::uint64_t last = machine_.instructions();
    const std::uint64_t taken = frames_.empty() ? 0 : frames_.back().number;
    const auto again = machine_.anew();
    if (!again) return;
    const std::uint64_t room = std::min<std::uint64_t>(most_ - frames_.size(), most_at_end);
    if (!(*again)->run_to_instruction(std::max(taken, last - std::min(last, room)))) return;
    while (auto frame = (*again)->step()) frames_.push_back(*std::move(frame));
  }

  Machine& machine_;
  std::uint64_t most_;
  std::vector<Frame> frames_;
};

template <class Items, class Text>
std::string list_of(const Items& items, Text text) {
  std::string all = "[";
  for (const auto& item : items) all += (all.size() == 1 ? "" : ",") + text(item);
  return all + "]";
}

std::string json_of(const std::optional<std::uint64_t>& number) {
  return number ? std::to_string(*number) : std::string("null");
}

// The page's data, in which what occurs often stands once.
class Data {
 public:
  Data(const MachineFacts& facts, const std::vector<Rule>& rules) : facts_(facts), rules_(rules) {}

  std::string write(const std::vector<Frame>& frames, const std::string& ending) {
    std::string rows = list_of(frames, [&](const Frame& frame) { return "\n" + row_of(frame); });
    std::string text = fmt::format(
        "{{\"facts\":{},\n\"rules\":{},\n\"ending\":{},\n\"texts\":{},\n\"verdicts\":{},\n"
        "\"looks\":{},\n\"tables\":{},\n\"frames\":{}}}",
        facts_text(),
        list_of(rules_,
                [](const Rule& rule) {
                  return fmt::format("[{},{}]", json_text(rule.name), json_text(rule.sentence));
                }),
        json_text(ending), list_of(texts_.items, [](const std::string& t) { return t; }),
        list_of(verdicts_.items, [](const std::string& v) { return "\n" + v; }),
        list_of(looks_.items, [](const std::string& l) { return "\n" + l; }),
        list_of(tables_.items, [](const std::string& t) { return "\n" + t; }), rows);
    // Nothing in it ends the script that has it.
    std::string safe;
    for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return safe;
  }

 private:
  struct Pool {
    std::size_t number_of(const std::string& text) {
      const auto [at, is_new] = numbers.try_emplace(text, items.size());
      if (is_new) items.push_back(text);
      return at->second;
    }
    std::vector<std::string> items;
    std::map<std::string, std::size_t> numbers;
  };

  std::string facts_text() const {
    return fmt::format(
        "{{\"program\":{},\"processor\":{},\"system\":{},\"hertz\":{},\"ticks\":{},\"digits\":{},"
        "\"registers\":{},\"caches\":{}}}",
        json_text(facts_.program), json_text(facts_.processor), json_text(facts_.system),
        facts_.clock.value(), facts_.tick_rate.value(), facts_.address_digits,
        list_of(facts_.registers, [](const Register& r) { return json_text(r.name); }),
        list_of(facts_.caches, [](const std::string& c) { return json_text(c); }));
  }

  std::string text(std::string_view text) {
    return std::to_string(texts_.number_of(json_text(text)));
  }

  std::string verdict(const Verdict& verdict) {
    return std::to_string(verdicts_.number_of(
        fmt::format("[{},{},{},{},{},{}]", text(verdict.kernel), json_of(verdict.counter),
                    text(verdict.outcome), json_of(verdict.before), json_of(verdict.after),
                    list_of(verdict.steps, [&](const std::string& step) { return text(step); }))));
  }
  std::string verdicts(const std::vector<Verdict>& all) {
    return list_of(all, [&](const Verdict& each) { return verdict(each); });
  }

  // What a tick at the next pc would do.
  std::string look(const Frame& frame) {
    const auto [at, is_new] =
        known_looks_.try_emplace(std::pair(frame.profile, frame.next_pc), std::string());
    if (!is_new) return at->second;
    const Profile& profile = *frame.profile;
    at->second = std::to_string(looks_.number_of(
        fmt::format("[{},{},{},{},{}]", text(frame.next_place), text(profile.summary()),
                    profile.is_on() ? verdict(profile.verdict(frame.next_pc)) : "null",
                    verdicts(profile.systems(frame.next_pc)),
                    profile.is_on() ? verdicts(profile.broken(frame.next_pc)) : "[]")));
    return at->second;
  }

  std::string event(const ClockEvent& event) {
    return fmt::format("[{},{},{}]", event.ticks.value(),
                       list_of(event.log, [&](const std::string& line) { return text(line); }),
                       list_of(event.charges, [&](const Charge& charge) {
                         return fmt::format("[{},{},{},{},{},{}]", text(charge.place),
                                            charge.ticks.value(), text(charge.before->summary()),
                                            verdict(charge.verdict), verdicts(charge.broken),
                                            verdicts(charge.before->systems(charge.pc)));
                       }));
  }

  std::string table(const std::vector<CounterRow>& rows) {
    return std::to_string(tables_.number_of(list_of(rows, [&](const CounterRow& row) {
      return fmt::format("[{},{},{},{}]", row.element, row.count, text(row.place),
                         list_of(row.broken, [](std::uint64_t n) { return std::to_string(n); }));
    })));
  }

  // Those that differ from the frame's before, as [number, "hexadecimal", ...].
  std::string changed_registers(const Frame& frame) {
    std::string changed = "[";
    for (std::size_t i = 0; i < frame.registers.size(); ++i) {
      if (i < registers_.size() && registers_[i] == frame.registers[i]) continue;
      changed += fmt::format("{}{},\"{:0{}x}\"", changed.size() == 1 ? "" : ",", i,
                             frame.registers[i], facts_.registers[i].digits);
    }
    registers_ = frame.registers;
    return changed + "]";
  }

  std::string stages(const PipelineRecord& record) {
    return list_of(record.stages, [&](const PipelineRecord::Stage& stage) {
      return fmt::format("{},{},{}", text(stage.name), stage.begin, stage.end);
    });
  }

  std::string row_of(const Frame& frame) {
    return fmt::format(
        "[{},\"{:0{}x}\",{},{},{},{},{},{},{},{},{},{},{},{}]", frame.number, frame.pc.value(),
        facts_.address_digits, text(frame.place), text(frame.text), stages(frame.record),
        text(fmt::format("{}", fmt::join(frame.record.notes, "; "))), frame.now.value(),
        frame.next_tick.value(), frame.ticks.value(), changed_registers(frame),
        list_of(frame.caches,
                [](const CacheUse& use) {
                  return fmt::format("{},{},{},{}", use.accesses, use.misses, use.new_accesses,
                                     use.new_misses);
                }),
        look(frame), table(*frame.counters),
        fmt::format("{},{}", frame.clock ? event(*frame.clock) : "null", text(frame.output)));
  }

  const MachineFacts& facts_;
  const std::vector<Rule>& rules_;
  Pool texts_, verdicts_, looks_, tables_;
  std::map<std::pair<std::shared_ptr<const Profile>, GuestAddr>, std::string> known_looks_;
  std::vector<debug::RegisterValue> registers_;
};

}  // namespace

std::string page_of(Machine& machine, std::uint64_t frames) {
  const std::vector<Frame> chosen = Choice(machine, frames).take();
  const std::string data = Data(machine.facts(), machine.rules()).write(chosen, machine.ending());
  const std::string title = report::markup_text(machine.facts().program);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
      "<title>{0}: the lab</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}"
      "<script type=\"application/json\" id=\"data\">{3}</script>\n<script>\n{4}</script>\n"
      "</body>\n</html>\n",
      title, page_style, page_body, data, page_script);
}

}  // namespace hardclock::lab
