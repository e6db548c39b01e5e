// Where the program is at the sampler's moments, for Engine. Translated code goes on over such a
// moment where it can, and notes the block; the sampler is told later, of many of them at once:
// what is known of a block lies far from the code, and the host fetches it for several at a time. A
// part of engine.h, which includes it.
#pragma once

#include "sim/engine/engine.h"

namespace hardclock {

template <class Isa>
inline void Engine<Isa>::look_ahead() {
  horizon_ = sampler_ == nullptr ? deadline_ : std::min(deadline_, *next_moment_);
}

// The sampler has been told of all that was noted.
template <class Isa>
void Engine<Isa>::look_at_sampler() {
  if (sampler_ != nullptr) next_moment_ = sampler_->upcoming().data();
  look_ahead();
}

// The instruction of this pc is the one that is next, or waits, until `end`. Those moments are its
// own that come before the deadline: at the deadline the kernel looks.
template <class Isa>
inline void Engine<Isa>::sample_until(std::uint64_t pc, Cycles end) {
  if (end > horizon_) [[unlikely]]
    take_samples(pc, end);
}

template <class Isa>
[[gnu::noinline]] void Engine<Isa>::take_samples(std::uint64_t pc, Cycles end) {
  if (sampler_ == nullptr) return;
  tell_of_moments();
  sampler_->take(GuestAddr(pc), std::min(end, deadline_));
  look_at_sampler();
}

// Whether the wait of an instruction, until `end`, is over before a clock event finds it there.
template <class Isa>
inline bool Engine<Isa>::is_in_time(std::uint64_t pc, Cycles end) {
  sample_until(pc, end);
  return end <= deadline_;
}

// Translated code, which is about to run from `now` on for `cycles` at most, may go on over
// moments.
template <class Isa>
void Engine<Isa>::let_note_moments(HostFrame& frame, Cycles now, std::uint64_t cycles) {
  if (sampler_ == nullptr || !notes_moments()) return;
  const Cycles last_known = sampler_->upcoming().back();
  frame.moments = next_moment_;
  frame.runs_until = std::min(now + Cycles(cycles), last_known).value();
  frame.moments_next = first_noted() + moments_noted_;
  frame.moments_end = moments_.data() + moments_.size();
}

template <class Isa>
void Engine<Isa>::take_noted_moments(const HostFrame& frame) {
  if (frame.moments == nullptr) return;
  moments_noted_ = static_cast<std::size_t>(frame.moments_next - first_noted());
  next_moment_ = frame.moments;
  look_ahead();
}

// The block that was entered at `now` has not run as a whole.
template <class Isa>
void Engine<Isa>::forget_moments_since(Cycles now) {
  if (moments_noted_ == 0) return;
  const NotedMoment& last = first_noted()[moments_noted_ - 1];
  if (last.issued <= now.value()) return;
  next_moment_ = last.moments;
  --moments_noted_;
  look_ahead();
}

template <class Isa>
[[gnu::noinline]] void Engine<Isa>::tell_of_moments() {
  if (moments_noted_ == 0) return;
  const std::size_t noted = std::exchange(moments_noted_, 0);
  const auto exit_of = [this](std::size_t i) -> const Translator::Exit& {
    return translator_->exit(static_cast<std::uint32_t>(first_noted()[i].exit));
  };
  const auto block_of = [&](std::size_t i) { return static_cast<Block*>(exit_of(i).block); };
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i < noted + 4 * ahead; ++i) {
    if (i < noted) __builtin_prefetch(&exit_of(i));
    if (i >= ahead && i < noted + ahead) block_of(i - ahead)->fetch_start_ahead();
    if (i >= 2 * ahead && i < noted + 2 * ahead) block_of(i - 2 * ahead)->fetch_rest_ahead();
    if (i >= 3 * ahead && i < noted + 3 * ahead) block_of(i - 3 * ahead)->fetch_costs_ahead();
    if (i >= 4 * ahead) tell_of_moment(first_noted()[i - 4 * ahead]);
  }
  look_at_sampler();
}

template <class Isa>
void Engine<Isa>::tell_of_moment(const NotedMoment& noted) {
  const Translator::Exit& exit = translator_->exit(static_cast<std::uint32_t>(noted.exit));
  Block& block = *static_cast<Block*>(exit.block);
  const TimedBlock::Entry& entry = *PipelineClock::entry_in(block.whole.timed, exit.state);
  const std::vector<std::uint32_t>& issued = block.whole.timed.details(entry).issued;
  const Cycles entered(noted.issued - issued.back());
  std::uint32_t before = 0;
  for (std::size_t i = 0; sampler_->due().value() < noted.issued; before = issued[i++]) {
    const Cycles until = entered + Cycles(issued[i]);
    if (issued[i] != before && sampler_->due() < until)
      sampler_->take(GuestAddr(block.charged_pc(i)), until);
  }
}

}  // namespace hardclock
