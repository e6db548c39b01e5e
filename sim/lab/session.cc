#include "sim/lab/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hardclock::lab {
namespace {

// Shown before an instruction that the lab goes to.
constexpr std::uint64_t frames_before = 200;
// Before a tick the lab looks at each instruction.
Cycles looked_at(const MachineFacts& facts) {
  constexpr Cycles shown(400);
  return facts.longest_instruction + shown;
}

// The charge of a tick; nullptr: the kernel did nothing, or has still to do it.
const Charge* charge_in(const Frame& frame) {
  if (!frame.clock || frame.clock->charges.empty()) return nullptr;
  return &frame.clock->charges.back();
}

// Nothing more is to come of the ticks so far.
bool ends_event(const Frame& frame) {
  return frame.clock && !frame.clock->is_owed;
}

std::string name_of(const std::optional<std::uint64_t>& counter) {
  return counter ? fmt::format("counter {}", *counter) : std::string("no counter");
}

}  // namespace

Session::Session(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {
  append();
}

const Frame* Session::frame_before(std::size_t back) const {
  return !frames_.empty() && back <= at_ ? &frames_[at_ - back] : nullptr;
}

std::string Session::ending() const {
  return frames_.empty() || at_ + 1 == frames_.size() ? machine_->ending() : std::string();
}

bool Session::append() {
  auto frame = machine_->step();
  if (!frame) return false;
  frames_.push_back(*std::move(frame));
  if (frames_.size() > most_frames) frames_.pop_front();
  at_ = frames_.size() - 1;
  return true;
}

bool Session::advance() {
  if (at_ + 1 >= frames_.size()) return append();
  ++at_;
  return true;
}

std::string Session::why_no_more() const {
  const std::string ending = machine_->ending();
  return ending.empty() ? std::string("stopped") : "the program has ended: " + ending;
}

std::string Session::step(std::uint64_t instructions) {
  for (; instructions != 0; --instructions) {
    if (!advance()) return why_no_more();
  }
  return {};
}

std::string Session::step_back(std::uint64_t instructions) {
  if (frames_.empty()) return why_no_more();
  if (instructions <= at_) {
    at_ -= instructions;
    return {};
  }
  const std::uint64_t number = frames_[at_].number;
  const bool is_too_far = instructions >= number;
  auto said = show_instruction(is_too_far ? 1 : number - instructions);
  if (is_too_far && said.empty()) return "this is the first instruction";
  return said;
}

std::string Session::show_instruction(std::uint64_t number) {
  auto fresh = machine_->anew();
  if (!fresh) return fresh.error();
  machine_ = *std::move(fresh);
  frames_.clear();
  at_ = 0;
  const std::uint64_t first = number - std::min(number, frames_before);
  if (first != 0 && !machine_->run_to_instruction(first)) return why_no_more();
  do {
    if (!append()) return why_no_more();
  } while (frames_.back().number < number);
  return {};
}

bool Session::go_near(Cycles due) {
  const std::uint64_t from = machine_->instructions();
  frames_.clear();
  at_ = 0;
  if (!machine_->run_to_cycle(due - looked_at(machine_->facts()))) return false;
  if (machine_->next_tick() == due) return true;
  // The kernel's time for a call was longer than that: once more, with a look at each instruction.
  auto fresh = machine_->anew();
  if (!fresh) return false;
  machine_ = *std::move(fresh);
  return from == 0 || machine_->run_to_instruction(from);
}

bool Session::find_next_event() {
  while (at_ + 1 < frames_.size()) {
    ++at_;
    if (ends_event(frames_[at_])) return true;
  }
  while (true) {
    const Cycles due = machine_->next_tick();
    const bool is_far = machine_->now() + looked_at(machine_->facts()) * 2 < due;
    if (is_far && !go_near(due)) return false;
    do {
      if (!append()) return false;
      if (ends_event(frames_.back())) return true;
    } while (machine_->next_tick() == due || frames_.back().clock);
  }
}

std::string Session::next_tick() {
  const std::uint64_t before = frames_.empty() ? 0 : frames_[at_].number;
  if (find_next_event()) return {};
  const std::string why = why_no_more();
  // The frames before the end went with the search.
  if (frames_.empty() && before != 0) {
    const std::uint64_t last = machine_->instructions();
    const std::string said = machine_->ending().empty() ? "" : show_instruction(last);
    if (!said.empty() && frames_.empty()) return said;
  }
  return why;
}

std::string Session::run_to(GuestAddr pc, std::uint64_t times) {
  auto fresh = machine_->anew();
  if (!fresh) return fresh.error();
  const auto number = (*fresh)->run_past(pc, times);
  if (!number) {
    return (*fresh)->ending().empty()
               ? std::string("stopped")
               : fmt::format("the program ends before that: {}", (*fresh)->ending());
  }
  return show_instruction(*number);
}

std::string Session::run_to(GuestAddr pc) {
  // Near by, as in a loop: frames that are there, and some more.
  for (std::size_t i = 0; i < most_frames; ++i) {
    if (!advance()) return why_no_more();
    if (frames_[at_].pc == pc) return {};
  }
  const std::uint64_t from = frames_[at_].number;
  auto fresh = machine_->anew();
  if (!fresh) return fresh.error();
  if (!(*fresh)->run_to_instruction(from)) return "stopped";
  const auto number = (*fresh)->run_past(pc, 1);
  if (!number) {
    return (*fresh)->ending().empty()
               ? std::string("stopped")
               : fmt::format("it does not run any more; the program ends: {}", (*fresh)->ending());
  }
  return show_instruction(*number);
}

std::string Session::guess(const Guess& guess) {
  if (std::string said = next_tick(); !said.empty()) return said + "; the guess does not count";
  const Charge* const charge = charge_in(*frame());
  ++score_.guesses;
  const std::optional<std::uint64_t> counter =
      charge != nullptr ? charge->verdict.counter : std::nullopt;
  const bool is_right = counter == guess.counter;
  if (is_right) ++score_.right;
  std::string why = charge != nullptr
                        ? fmt::format("the tick found {}: {}", charge->place, name_of(counter))
                        : std::string("the kernel charged nothing");
  return fmt::format("{}: {}. {} of {} right",
                     is_right ? "Right" : "Wrong, you said " + name_of(guess.counter), why,
                     score_.right, score_.guesses);
}

}  // namespace hardclock::lab
