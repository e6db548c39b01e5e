// How Engine runs blocks, and what they cost. A part of Engine.
#pragma once

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
void Engine<Isa>::run_until_stopped(Cycles& now, Instructions limit, Stop& stop) {
  run_.is_running = true;
  try {
    while (run_.is_running) {
      run_.is_running = !run_blocks(now, limit, stop) &&
                        !step(now, run_.deadline, limit.value() - instructions_in_this_run(), stop);
    }
  } catch (...) {
    // What has run by then still counts.
    run_.is_running = false;
    code_.pool = nullptr;  // what was made last may not be whole
    end_accesses();
    throw;
  }
  end_accesses();
}

template <EngineIsa Isa>
void Engine<Isa>::end_accesses() {
  if (!thread_.cached) return;
  thread_.cached->end(Instructions(instructions_in_this_run()), run_.fetches, run_.data_accesses);
}

// Returns true when a reason to stop came up, false when the next instruction has to be stepped.
template <EngineIsa Isa>
bool Engine<Isa>::run_blocks(Cycles& now, Instructions limit, Stop& stop) {
  run_.last_edge = nullptr;  // what has been stepped since then is none of its code
  while (can_begin_block()) {
    if (calls_) [[unlikely]]
      arrive();
    if (watch_) [[unlikely]]
      look_at_watch();
    if (code_.blocks.should_drop_retired()) [[unlikely]]
      drop_retired();
    Block* const block = next_block(thread_.interpreter.registers().pc);
    if (block == nullptr || instructions_in_this_run() + block->size() > limit.value()) {
      return false;
    }
    if (code_.translator != nullptr) {
      if (const void* const code = code_to_run(*block, now, limit)) {
        const Continuation next = run_translated(code, now, limit, stop);
        if (next != Continuation::block) return next == Continuation::stop;
        continue;
      }
      run_.last_edge = nullptr;
    }
    if (is_to_be_stepped(*block)) [[unlikely]]
      return false;
    block->fetch_ahead();
    const Continuation next =
        thread_.core ? run_in_window(*block, now, stop) : run_block(*block, now, stop);
    if (next != Continuation::block) return next == Continuation::stop;
    run_.came_from = &block->follows[thread_.interpreter.taken() ? 1 : 0];
  }
  return false;
}

// The block at `pc`, which most often is the one that came after the last block before.
template <EngineIsa Isa>
auto Engine<Isa>::next_block(std::uint64_t pc) -> Block* {
  if (run_.came_from != nullptr && *run_.came_from != nullptr && (*run_.came_from)->start == pc)
      [[likely]]
    return *run_.came_from;
  Block* block = code_.blocks.recent(pc);
  if (block == nullptr) [[unlikely]]
    block = find_block(pc);
  if (run_.came_from != nullptr) *run_.came_from = block;
  return block;
}

// Between two blocks nobody refers to one, so that all may go if there is no room for another.
template <EngineIsa Isa>
[[gnu::noinline]] auto Engine<Isa>::find_block(std::uint64_t pc) -> Block* {
  keep(bytes_kept());
  return code_.blocks.find(pc, [this](const Block& block) { resume_code(block); });
}

template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::drop_retired() {
  run_.came_from = nullptr;
  tell_of_moments();
  settle_counts();
  code_.blocks.drop_retired([this](Block& block) {
    forget_code(block);
    thread_.ledger.take_over(block, thread_.pipeline);
    thread_.pipeline.forget(block.whole.timed);
    for (const BlockPart& part : block.rest->parts) thread_.pipeline.forget(part.timed);
  });
}

// Nothing runs, or this processor is about to make a block. Those that were run lately stay, and
// those that run so often that they have been translated, as long as they leave room.
template <EngineIsa Isa>
void Engine<Isa>::forget() {
  const std::uint64_t before = bytes_kept();
  code_.blocks.retire_sleeping();
  code_.blocks.retire_old([](const Block& block) { return !block.whole.timed.has_code(); });
  drop_retired();
  if (bytes_kept() > before / 4 * 3) {
    code_.blocks.retire_old([](const Block&) { return true; });
    forget_translations();
    drop_retired();
  }
  if (bytes_kept() > before / 4 * 3) {
    code_.blocks.retire_all();
    forget_translations();
    drop_retired();
    thread_.pipeline.forget_states();
    if (thread_.core) thread_.core->window().forget();
  }
  keep(bytes_kept());
}

template <EngineIsa Isa>
std::uint64_t Engine<Isa>::bytes_kept() const {
  return code_.blocks.bytes_kept() + thread_.pipeline.bytes_kept() +
         (thread_.core ? thread_.core->window().bytes() : 0) +
         (code_.translator != nullptr ? code_.translator->bytes() : 0);
}

template <EngineIsa Isa>
[[gnu::always_inline]] inline auto Engine<Isa>::run_block(Block& block, Cycles& now, Stop& stop)
    -> Continuation {
  if (thread_.cached && !fetches_hit(block)) return run_fetching(block, now, stop);
  TimedBlock::Entry& entry = thread_.pipeline.enter(block.whole.timed);
  const Cycles end = now + Cycles(entry.longest);
  if (end > run_.deadline) return Continuation::step;
  if (end > run_.horizon) [[unlikely]]
    block.fetch_rest_ahead();  // for sample_part()
  return execute<true>(block, block.whole, entry, now, stop);
}

// Runs a block whose lines are not all there.
template <EngineIsa Isa>
[[gnu::noinline]] auto Engine<Isa>::run_fetching(Block& block, Cycles& now, Stop& stop)
    -> Continuation {
  TimedBlock::Entry& entry = thread_.pipeline.enter(block.whole.timed);
  if (thread_.pipeline.fetches_only_delay(entry)) return run_lines(block, entry, now, stop);
  return run_parts(block, now, stop);
}

// Line by line, each after its fetch.
template <EngineIsa Isa>
auto Engine<Isa>::run_lines(Block& block, TimedBlock::Entry& entry, Cycles& now, Stop& stop)
    -> Continuation {
  if (now + Cycles(entry.longest) > run_.deadline) return Continuation::step;
  const Op* const ops = block.ops().data();
  run_.block.begin(block, block.whole, entry, now);
  for (std::size_t first = 0;;) {
    if (!fetch_line(block, first, now)) return Continuation::step;
    const std::size_t end = end_of_part(block, first);
    const Op* const stopped_at =
        first == 0 ? thread_.interpreter.run(ops, ops + end, block.pc, block.continues_at())
                   : thread_.interpreter.go_on(ops + first, ops + end);
    if (stopped_at != ops + end || end == block.size() || !thread_.interpreter.may_go_on()) {
      const auto done = static_cast<std::size_t>(stopped_at - ops);
      return end_block<true>(block, block.whole, entry, done, now, stop);
    }
    first = end;
  }
}

// Fetches the line of instruction `first` of the block that runs. False: a clock event comes
// before the block can end; then that instruction is the next one.
template <EngineIsa Isa>
bool Engine<Isa>::fetch_line(Block& block, std::size_t first, Cycles& now) {
  note_slow(block.whole);
  const Cycles before = first == 0 ? now : run_.block.issued(thread_.pipeline, first - 1);
  const std::uint32_t wait = fetch_stall(block.pc_of(first), before, first);
  // Only what the line's accesses change is of interest.
  thread_.cached->take_fetches_changed();
  if (wait == 0) return true;
  const WaitReasons why = take_reasons(CacheSide::fetch, wait);
  run_.block.add_stall({first, wait, false, why});
  if (run_.block.end_at_latest() <= run_.deadline) return true;
  issue_prefix(block, block.whole, first, first, now);
  thread_.instructions += first;
  wait_for_fetch(block.charged_pc(first), wait, why, now);
  thread_.sequencer.stand_at(block, first, thread_.interpreter);
  return false;
}

// Part by part, each after the fetch that it begins with.
template <EngineIsa Isa>
auto Engine<Isa>::run_parts(Block& block, Cycles& now, Stop& stop) -> Continuation {
  for (std::size_t first = 0; first < block.size();) {
    const std::uint32_t wait = fetch_stall(block.pc_of(first), now);
    wait_for_fetch(block.charged_pc(first), wait, take_reasons(CacheSide::fetch, wait), now);
    // Only what this part's accesses change is of interest.
    thread_.cached->take_fetches_changed();
    BlockPart& part = block.part(first, end_of_part(block, first));
    TimedBlock::Entry& entry = thread_.pipeline.enter(part.timed);
    if (now + Cycles(entry.longest) > run_.deadline) {
      thread_.sequencer.stand_at(block, first, thread_.interpreter);
      return Continuation::step;
    }
    const Continuation next = execute<false>(block, part, entry, now, stop);
    if (next != Continuation::part) return next;
    first += part.size;
  }
  return Continuation::block;
}

// Where the next fetch misses, or the block ends.
template <EngineIsa Isa>
std::size_t Engine<Isa>::end_of_part(const Block& block, std::size_t first) const {
  const std::uint64_t end =
      thread_.cached->end_of_fetch_hits(block.pc_of(first), block.fall_through() - 1);
  return Isa::Layout::between(block.pc, end);
}

template <EngineIsa Isa>
template <bool is_whole>
auto Engine<Isa>::execute(Block& block, BlockPart& part, TimedBlock::Entry& entry, Cycles& now,
                          Stop& stop) -> Continuation {
  const Op* const first = block.ops().data() + (is_whole ? 0 : part.first);
  const Op* const end = first + (is_whole ? block.size() : part.size);
  if (may_wait_) run_.block.begin(block, part, entry, now);
  const Op* const stopped_at =
      is_whole || part.first == 0
          ? thread_.interpreter.run(first, end, block.pc, block.continues_at())
          : thread_.interpreter.go_on(first, end);
  const auto done = static_cast<std::size_t>(stopped_at - first);
  if (!is_whole && !block.is_last(part) && !thread_.interpreter.gave_up()) {
    return leave_before_last(block, part, entry, done, now);
  }
  return end_block<is_whole>(block, part, entry, done, now, stop);
}

// The block's last part, or what is left of it, has run `done` instructions and ends.
template <EngineIsa Isa>
template <bool is_whole>
[[gnu::always_inline]] inline auto Engine<Isa>::end_block(Block& block, BlockPart& part,
                                                          TimedBlock::Entry& entry,
                                                          std::size_t done, Cycles& now, Stop& stop)
    -> Continuation {
  if (thread_.interpreter.gave_up()) [[unlikely]] {
    end_at_incomplete(stop);
    abandon(block, part, done - 1, now);
    return Continuation::stop;
  }
  const bool nullified = thread_.interpreter.take_nullified();
  const std::size_t before = is_whole ? 0 : part.first;  // without a look at the part
  if (before + done == block.size()) [[likely]] {
    leave(block, part, entry, false, now);
    thread_.instructions += done;
    if (nullified) pass_nullified(now);
  } else if (nullified) {
    leave_before_nullified(block, part, entry, now);
    thread_.instructions += block.size() - before - 1;
  } else {
    leave_within(block, part, done, now);
  }
  return Continuation::block;
}

// Inlined once, into the way of most blocks.
template <EngineIsa Isa>
[[gnu::always_inline]] inline void Engine<Isa>::leave(Block& block, BlockPart& part,
                                                      TimedBlock::Entry& entry, bool nullified,
                                                      Cycles& now) {
  const BlockExit exit = thread_.sequencer.exit_of(block, thread_.interpreter, nullified);
  pass(block, part, entry, exit, now);
  thread_.sequencer.leave(block, thread_.interpreter);
  if (calls_) [[unlikely]]
    note_transfer(block, is_taken(exit));
}

// The part's time passes.
template <EngineIsa Isa>
[[gnu::always_inline]] inline void Engine<Isa>::pass(Block& block, BlockPart& part,
                                                     TimedBlock::Entry& entry, BlockExit exit,
                                                     Cycles& now) {
  if (const std::uint64_t off = take_off(part, entry); off != 0) [[unlikely]] {
    pass_with_off(block, part, entry, exit, off, now);
  } else if (run_.block.stalls().empty() && !thread_.interpreter.has_slow()) [[likely]] {
    const Cycles entered = now;
    thread_.ledger.count(thread_.pipeline.leave(part.timed, entry, exit), now);
    if (now >= run_.horizon) [[unlikely]]
      sample_part(block, part, entry, exit, entered);
    if (thread_.cached) count_accesses(block, part, exit);
  } else if (run_.block.stalls().empty() && can_pass_slow(entry, now)) {
    pass_slow(block, part, entry, exit, now);
  } else {
    pass_stalled(block, part, entry, exit, now);
  }
}

template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::leave_before_nullified(Block& block, BlockPart& part,
                                                           TimedBlock::Entry& entry, Cycles& now) {
  leave(block, part, entry, true, now);
}

// Leaves a part behind which the block goes on, after `done` of its instructions.
template <EngineIsa Isa>
[[gnu::noinline]] auto Engine<Isa>::leave_before_last(Block& block, BlockPart& part,
                                                      TimedBlock::Entry& entry, std::size_t done,
                                                      Cycles& now) -> Continuation {
  const bool nullified = thread_.interpreter.take_nullified();
  if (done < part.size) {
    leave_within(block, part, done, now);
    return Continuation::block;
  }
  pass(block, part, entry, BlockExit::straight, now);
  thread_.instructions += part.size;
  if (!nullified && !thread_.interpreter.was_told_to_stop()) return Continuation::part;
  thread_.sequencer.stand_at(block, part.first + part.size, thread_.interpreter);
  if (nullified) pass_nullified(now);
  return Continuation::block;
}

// Leaves the block behind the part's first `done` instructions: what follows may have been
// overwritten.
template <EngineIsa Isa>
void Engine<Isa>::leave_within(const Block& block, const BlockPart& part, std::size_t done,
                               Cycles& now) {
  issue_prefix(block, part, done, done, now);
  thread_.instructions += done;
  thread_.interpreter.registers().set_pc(block.pc_of(part.first + done));
}

// Where the program was since `entered`, when the part began, if the sampler wants to know. At its
// very end, too: a nullified instruction may take no time.
template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::sample_part(const Block& block, const BlockPart& part,
                                                const TimedBlock::Entry& entry, BlockExit exit,
                                                Cycles entered) {
  if (sampler_ == nullptr) return;
  std::span<const Stall> stalls = run_.block.stalls();
  const std::vector<std::uint32_t>& issued = part.timed.details(entry).issued;
  const std::size_t ran = part.size - (is_nullified(exit) ? 1 : 0);
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < ran; ++i) {
    const std::uint64_t pc = block.charged_pc(part.first + i);
    entered += Cycles(issued[i] - before);
    if (issued[i] != before) sample_until(pc, entered);
    before = issued[i];
    for (; !stalls.empty() && stalls.front().index == i; stalls = stalls.subspan(1)) {
      entered += Cycles(stalls.front().cycles);
      if (!stalls.front().is_execution) sample_until(pc, entered);
    }
  }
  if (is_nullified(exit)) sample_nullified(block, entered);
}

// The block's last instruction is nullified from `now` on.
template <EngineIsa Isa>
void Engine<Isa>::sample_nullified(const Block& block, Cycles now) {
  if constexpr (Isa::Sequencing::issues_nullified) {
    sample_until(block.nullified_pc(), now + Cycles(1));
  }
}

// Whether nobody wants to know which instructions were slow, or that can be told later.
template <EngineIsa Isa>
bool Engine<Isa>::can_pass_slow(const TimedBlock::Entry& entry, Cycles now) const {
  if (thread_.ledger.collects() && entry.any_continues) return false;
  return now + Cycles(entry.longest + std::uint64_t{64} * slow_cycles_) <= run_.horizon;
}

// Nothing waited but slow instructions.
template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::pass_slow(Block& block, BlockPart& part,
                                              TimedBlock::Entry& entry, BlockExit exit,
                                              Cycles& now) {
  const std::uint64_t slow = thread_.interpreter.take_slow() >> part.first;
  part.timed.details(entry).slow_so_far |= slow;
  if (entry.any_continues) {
    thread_.ledger.count(thread_.pipeline.leave_delayed(part.timed, entry, exit, slow), now);
  } else {
    const auto times = static_cast<unsigned>(std::popcount(slow));
    thread_.ledger.count(thread_.pipeline.leave(part.timed, entry, exit) + times * slow_cycles_,
                         now);
    if (thread_.ledger.collects()) note_slow_stalls(block, slow << part.first, 1);
  }
  if (thread_.cached) count_accesses(block, part, exit);
}

// Of the part's instructions, those that were off, where it makes a difference.
template <EngineIsa Isa>
[[gnu::always_inline]] inline std::uint64_t Engine<Isa>::take_off(const BlockPart& part,
                                                                  const TimedBlock::Entry& entry) {
  if constexpr (HasPredicates<Isa>) {
    if (!thread_.interpreter.has_slow() && run_.block.off() == 0) [[likely]]
      return 0;
    note_slow(part);
    const std::uint64_t off = run_.block.take_off();
    if (off != 0 && entry.may_spare_waits) return off & part.timed.details(entry).spares;
  }
  return 0;
}

// Some of its instructions were off.
template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::pass_with_off(Block& block, BlockPart& part,
                                                  TimedBlock::Entry& entry, BlockExit exit,
                                                  std::uint64_t off, Cycles& now) {
  ++part.timed.details(entry).with_off;
  if (thread_.ledger.collects() || !run_.block.stalls().empty() ||
      now + Cycles(entry.longest) > run_.horizon) {
    run_.block.add_off(off);
    return pass_one_by_one(block, part, exit, now);
  }
  thread_.ledger.count(thread_.pipeline.leave_delayed(part.timed, entry, exit, off), now);
  if (thread_.cached) count_accesses(block, part, exit);
}

// Instructions that have marked themselves: slow ones become waits as others.
template <EngineIsa Isa>
void Engine<Isa>::note_slow(const BlockPart& part) {
  if (!thread_.interpreter.has_slow()) [[likely]]
    return;
  const std::uint64_t marked = thread_.interpreter.take_slow();
  if constexpr (HasPredicates<Isa>)
    run_.block.add_off(marked >> part.first);
  else
    run_.block.add_slow(marked, part.first, slow_cycles_);
}

// So often, these instructions of the block were slow.
template <EngineIsa Isa>
void Engine<Isa>::note_slow_stalls(const Block& block, std::uint64_t slow,
                                   std::uint64_t times) const {
  for (; slow != 0; slow &= slow - 1) {
    thread_.ledger.note(block, static_cast<std::size_t>(std::countr_zero(slow)),
                        times * slow_cycles_, CycleReason::unit);
  }
}

template <EngineIsa Isa>
void Engine<Isa>::pass_one_by_one(Block& block, BlockPart& part, BlockExit exit, Cycles& now) {
  const std::size_t ran = part.size - (is_nullified(exit) ? 1 : 0);
  issue_prefix(block, part, ran, ran, now);
  if (is_nullified(exit)) sample_nullified(block, now);
  if (is_nullified(exit)) {
    thread_.ledger.charge(block.nullified_pc(), thread_.pipeline.nullify(), CycleReason::issue,
                          now);
  }
  if (is_overruled(exit)) thread_.pipeline.overrule_hint();
  const auto& followed = part.timed.rest->followed;
  if (followed) thread_.pipeline.redirect(*followed, is_taken(exit));
}

template <EngineIsa Isa>
void Engine<Isa>::pass_stalled(Block& block, BlockPart& part, TimedBlock::Entry& entry,
                               BlockExit exit, Cycles& now) {
  note_slow(part);
  if (entry.any_continues) return pass_one_by_one(block, part, exit, now);
  // Nothing moved while an instruction waited.
  const Cycles entered = now;
  thread_.ledger.count(thread_.pipeline.leave(part.timed, entry, exit), now);
  count_accesses(block, part, exit);
  for (const Stall& stall : run_.block.stalls()) thread_.ledger.count(stall.cycles, now);
  if (now >= run_.horizon) sample_part(block, part, entry, exit, entered);
  if (thread_.ledger.collects()) note_stalls(block, part);
  run_.block.forget_stalls();
}

template <EngineIsa Isa>
void Engine<Isa>::note_stalls(Block& block, const BlockPart& part) {
  for (const Stall& stall : run_.block.stalls()) {
    thread_.ledger.note(block, part.first + stall.index, stall.cycles, stall.reasons);
  }
}

// Leaves the block at the part's instruction `index`, which has issued but did not complete.
template <EngineIsa Isa>
void Engine<Isa>::abandon(const Block& block, const BlockPart& part, std::size_t index,
                          Cycles& now) {
  issue_prefix(block, part, index + 1, index, now);
  thread_.instructions += index;
  thread_.sequencer.stand_at(block, part.first + index, thread_.interpreter);
}

template <EngineIsa Isa>
void Engine<Isa>::count_accesses(const Block& block, const BlockPart& part, BlockExit exit) {
  run_.fetches += part.size;
  run_.data_accesses += part.data_accesses;
  if (!is_nullified(exit)) return;
  --run_.fetches;
  run_.data_accesses -= block.touches_memory(block.size() - 1) ? 1 : 0;
}

// Accounts for the part's first `count` instructions one by one, with their stalls. Of these
// `completed` completed.
template <EngineIsa Isa>
void Engine<Isa>::issue_prefix(const Block& block, const BlockPart& part, std::size_t count,
                               std::size_t completed, Cycles& now) {
  note_slow(part);
  std::span<const Stall> stalls = run_.block.stalls();
  thread_.pipeline.issue_prefix(
      part.timed, count, run_.block.off(),
      [&](std::size_t i, std::uint32_t cycles, const IssueWaits& waits) {
        const std::uint64_t pc = block.charged_pc(part.first + i);
        thread_.ledger.charge(pc, cycles, waits, now);
        if (cycles != 0) sample_until(pc, now);
        ++run_.fetches;
        if (i < completed) run_.data_accesses += block.touches_memory(part.first + i) ? 1 : 0;
        for (; !stalls.empty() && stalls.front().index == i; stalls = stalls.subspan(1)) {
          thread_.ledger.charge(pc, stalls.front().cycles, stalls.front().reasons, now);
          if (!stalls.front().is_execution) sample_until(pc, now);
          thread_.pipeline.freeze(stalls.front().cycles);
        }
      });
  run_.block.forget_stalls();
}

template <EngineIsa Isa>
ReasonProfile Engine<Isa>::reason_profile() const {
  ReasonProfile profile = thread_.ledger.profile();
  if (!thread_.ledger.collects()) return profile;
  settle_counts();
  std::vector<const Block*> blocks;
  code_.blocks.for_each([&](const Block& block) { blocks.push_back(&block); });
  // Each and its parts lie in places of their own, far from the last one's.
  constexpr std::size_t ahead = 8;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i + 3 * ahead < blocks.size()) __builtin_prefetch(blocks[i + 3 * ahead]);
    if (i + 2 * ahead < blocks.size()) blocks[i + 2 * ahead]->fetch_rest_ahead();
    if (i + ahead < blocks.size()) blocks[i + ahead]->fetch_costs_ahead();
    thread_.ledger.add_costs(*blocks[i], thread_.pipeline, profile);
  }
  return profile;
}

}  // namespace hardclock
