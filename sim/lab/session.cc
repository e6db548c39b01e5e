#include "sim/lab/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hardclock::lab {
namespace {

// Shown before an instruction that the lab goes to.
constexpr std::uint64_t frames_before = 200;
// Before a tick the lab looks at each instruction. The kernel may work for longer than that; then
// it goes there once more.
Cycles looked_at(const MachineFacts& facts) {
  constexpr Cycles shown(400), usually_enough(2'000);
  return std::min(facts.longest_instruction + shown, usually_enough);
}

// Nothing more is to come of the ticks so far.
bool ends_event(const Frame& frame) {
  return frame.clock && !frame.clock->is_owed;
}

// Why a machine is not where it was to be.
std::string why_not_there(const Machine& machine) {
  const std::string ending = machine.ending();
  return ending.empty() ? std::string("stopped") : "the program has ended: " + ending;
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
  return why_not_there(*machine_);
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

void Session::stop_if(std::function<bool()> wanted) {
  is_stop_wanted_ = std::move(wanted);
  machine_->stop_if(is_stop_wanted_);
}

Result<std::unique_ptr<Machine>, std::string> Session::stoppable(
    Result<std::unique_ptr<Machine>, std::string> machine) const {
  if (machine) (*machine)->stop_if(is_stop_wanted_);
  return machine;
}

std::string Session::show_instruction(std::uint64_t number, bool may_be_stopped) {
  auto fresh = machine_->anew();
  if (!fresh) return fresh.error();
  Machine& machine = **fresh;
  if (may_be_stopped) machine.stop_if(is_stop_wanted_);
  const std::uint64_t first = number - std::min(number, frames_before);
  if (first != 0 && !machine.run_to_instruction(first)) return why_not_there(machine);
  std::deque<Frame> frames;
  do {
    auto frame = machine.step();
    if (!frame) return why_not_there(machine);
    frames.push_back(*std::move(frame));
  } while (frames.back().number < number);
  machine.stop_if(is_stop_wanted_);
  machine_ = *std::move(fresh);
  frames_ = std::move(frames);
  at_ = frames_.size() - 1;
  return {};
}

bool Session::show_event_after(std::uint64_t number) {
  const auto fresh = stoppable(machine_->anew());
  if (!fresh) return false;
  Machine& machine = **fresh;
  return machine.run_to_instruction(number) && machine.run_past_events(1) &&
         show_instruction(machine.instructions()).empty();
}

bool Session::show_what_led_here() {
  const std::uint64_t number = frames_.back().number;
  if (frames_.size() < std::min(number, frames_before)) show_instruction(number);
  return true;
}

bool Session::is_far(Cycles due) const {
  return machine_->now() + looked_at(machine_->facts()) * 2 < due;
}

bool Session::find_event(std::uint64_t times) {
  while (at_ + 1 < frames_.size()) {
    ++at_;
    if (ends_event(frames_[at_]) && --times == 0) return true;
  }
  if (times > 1) {
    frames_.clear();
    at_ = 0;
    if (!machine_->run_past_events(times - 1)) return false;
    const bool has_frames = is_far(machine_->next_tick());
    if (!has_frames && !show_instruction(machine_->instructions()).empty()) return false;
  }
  while (true) {
    const std::uint64_t from = machine_->instructions();
    const Cycles due = machine_->next_tick();
    if (is_far(due)) {
      frames_.clear();
      at_ = 0;
      if (!machine_->run_to_cycle(due - looked_at(machine_->facts()))) return false;
      if (machine_->next_tick() != due) return show_event_after(from);
    }
    do {
      if (!append()) return false;
      if (ends_event(frames_.back())) return show_what_led_here();
    } while (machine_->next_tick() == due || frames_.back().clock);
  }
}

std::string Session::next_tick(std::uint64_t times) {
  const std::uint64_t before = frames_.empty() ? 0 : frames_[at_].number;
  if (find_event(times)) return {};
  const std::string why = why_no_more();
  const bool has_ended = !machine_->ending().empty();
  // The frames before the end went with the search, or those where it began.
  if (before != 0 && (frames_.empty() || !has_ended)) {
    const std::uint64_t last = has_ended ? machine_->instructions() : before;
    const std::string said = show_instruction(last, has_ended);
    if (!said.empty() && frames_.empty()) return said;
  }
  return why;
}

std::string Session::run_to(const Place& place, std::uint64_t times, std::uint64_t from) {
  auto fresh = stoppable(machine_->waiting_for(place));
  if (!fresh) return fresh.error();
  Machine& machine = **fresh;
  if ((from == 0 || machine.run_to_instruction(from)) && machine.run_to_place(times))
    return show_instruction(machine.instructions());
  if (machine.ending().empty()) return "stopped";
  return fmt::format("the program ends before that: {}", machine.ending());
}

std::string Session::run_to(const Place& place, std::uint64_t times) {
  return run_to(place, times, 0);
}

std::string Session::run_to(const Place& place) {
  return frames_.empty() ? why_no_more() : run_to(place, 1, frames_[at_].number);
}

std::string Session::guess(const Guess& guess) {
  if (std::string said = next_tick(); !said.empty()) return said + "; the guess does not count";
  const Charge* const charge = frame()->charge();
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
