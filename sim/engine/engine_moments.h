// Where the program is at the sampler's moments, for Engine. Translated code goes on over such a
// moment where it can, and notes the block; the sampler is told later, of many of them at once:
// what is known of a block lies far from the code, and the host fetches it for several at a time. A
// part of Engine.
#pragma once

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
inline void Engine<Isa>::look_ahead() {
  run_.horizon = sampler_ == nullptr ? run_.deadline : std::min(run_.deadline, moments_.next());
}

// The sampler has been told of all that was noted.
template <EngineIsa Isa>
void Engine<Isa>::look_at_sampler() {
  if (sampler_ != nullptr) moments_.start(sampler_->upcoming());
  look_ahead();
}

// The instruction of this pc is the one that is next, or waits, until `end`. Those moments are its
// own that come before the deadline: at the deadline the kernel looks.
template <EngineIsa Isa>
inline void Engine<Isa>::sample_until(std::uint64_t pc, Cycles end) {
  if (end > run_.horizon) [[unlikely]]
    take_samples(pc, end);
}

template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::take_samples(std::uint64_t pc, Cycles end) {
  if (sampler_ == nullptr) return;
  tell_of_moments();
  sampler_->take(GuestAddr(pc), std::min(end, run_.deadline));
  look_at_sampler();
}

// Whether the wait of an instruction, until `end`, is over before a clock event finds it there.
template <EngineIsa Isa>
inline bool Engine<Isa>::is_in_time(std::uint64_t pc, Cycles end) {
  sample_until(pc, end);
  return end <= run_.deadline;
}

// The block that was entered at `now` has not run as a whole.
template <EngineIsa Isa>
void Engine<Isa>::forget_moments_since(Cycles now) {
  if (sampler_ == nullptr) return;
  moments_.forget_since(now);
  look_ahead();
}

template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::tell_of_moments() {
  const std::span<const NotedMoment> noted = moments_.take();
  if (noted.empty()) return;
  const auto exit_of = [&](std::size_t i) -> const Translator::Exit& {
    return code_.translator->exit(static_cast<std::uint32_t>(noted[i].exit));
  };
  const auto block_of = [&](std::size_t i) { return static_cast<const Block*>(exit_of(i).block); };
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i < noted.size() + 4 * ahead; ++i) {
    const auto is_at = [&](std::size_t stage) {
      return i >= stage * ahead && i < noted.size() + stage * ahead;
    };
    if (is_at(0)) __builtin_prefetch(&exit_of(i));
    if (is_at(1)) block_of(i - ahead)->fetch_start_ahead();
    if (is_at(2)) block_of(i - 2 * ahead)->fetch_rest_ahead();
    if (is_at(3)) block_of(i - 3 * ahead)->fetch_costs_ahead();
    if (is_at(4)) tell_of_moment(noted[i - 4 * ahead]);
  }
  look_at_sampler();
}

template <EngineIsa Isa>
void Engine<Isa>::tell_of_moment(const NotedMoment& noted) {
  const Translator::Exit& exit = code_.translator->exit(static_cast<std::uint32_t>(noted.exit));
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
