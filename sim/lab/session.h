// One person's way through a run: forward and back, to the next tick, with guesses about it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/lab/frame.h"
#include "sim/lab/machine.h"

namespace hardclock::lab {

// What somebody thinks the next charged tick will count.
struct Guess {
  std::optional<std::uint64_t> counter;  // an element; nullopt: none
};

struct Score {
  unsigned right = 0;
  unsigned guesses = 0;
};

class Session {
 public:
  // Frames that are kept; further back, the program runs anew.
  static constexpr std::size_t most_frames = 4000;

  // The program has run its first instruction, if it can.
  explicit Session(std::unique_ptr<Machine> machine);

  const MachineFacts& facts() const { return machine_->facts(); }
  const std::vector<Rule>& rules() const { return machine_->rules(); }
  // nullptr: the program ended before its first instruction.
  const Frame* frame() const { return frames_.empty() ? nullptr : &frames_[at_]; }
  // The frame `back` instructions before frame(); nullptr: it is not kept.
  const Frame* frame_before(std::size_t back) const;
  // How the program ended, if frame() is its last instruction; else empty.
  std::string ending() const;
  const Score& score() const { return score_; }

  // Each does as much as it can and says what a person should know: one line, or nothing.
  std::string step(std::uint64_t instructions);
  std::string step_back(std::uint64_t instructions);
  // To the instruction behind which the next tick's charge is made, or that of the `times`-th tick
  // from here; without a look at what is far before it.
  std::string next_tick(std::uint64_t times = 1);
  // To the `times`-th time that the place is reached, from the program's start; if it is not, the
  // session stays where it is.
  std::string run_to(const Place& place, std::uint64_t times);
  // To the next time from here, likewise.
  std::string run_to(const Place& place);
  std::string guess(const Guess& guess);
  std::optional<Place> place_of(std::string_view where) const { return machine_->place_of(where); }
  // What takes long asks `wanted` whether to stop. Then the session stays where it is, but for
  // steps that have been taken.
  void stop_if(std::function<bool()> wanted);

 private:
  // frame() becomes the next one. False: there is none.
  bool advance();
  bool append();
  Result<std::unique_ptr<Machine>, std::string> stoppable(
      Result<std::unique_ptr<Machine>, std::string> machine) const;
  // The frames become those before the instruction of that number, the last. If it cannot be
  // reached, they stay.
  std::string show_instruction(std::uint64_t number, bool may_be_stopped = true);
  std::string run_to(const Place& place, std::uint64_t times, std::uint64_t from);
  std::string why_no_more() const;
  bool find_event(std::uint64_t times);
  // Whether there is much to run before each instruction before a tick is to be looked at.
  bool is_far(Cycles due) const;
  // To the first event behind the instruction of that number, from the program's start.
  bool show_event_after(std::uint64_t number);
  // As many frames before the last one as a person may want to see.
  bool show_what_led_here();

  std::unique_ptr<Machine> machine_;  // is behind the last frame
  std::deque<Frame> frames_;          // one instruction after the other, none left out
  std::size_t at_ = 0;
  Score score_;
  std::function<bool()> is_stop_wanted_;  // null: nobody stops anything
};

}  // namespace hardclock::lab
