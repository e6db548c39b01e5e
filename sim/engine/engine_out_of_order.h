// How Engine takes programs through an out-of-order core: single instructions, and blocks, whose
// way through the window is remembered. A part of Engine.
#pragma once

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
bool Engine<Isa>::step_out_of_order(const Instruction& instruction, const Text& text, Cycles& now,
                                    Stop& stop) {
  const std::uint64_t pc = thread_.interpreter.registers().pc;
  begin_stall();
  forget_misses();
  MadeFetch fetch;
  if (thread_.cached) {
    ++run_.fetches;
    fetch = run_.fetch_made ? *std::exchange(run_.fetch_made, std::nullopt) : make_fetch(pc, now);
    note_miss(CacheSide::fetch, 0, fetch.cycles, fetch.reasons);
  }
  thread_.interpreter.connect(code_.no_hits, *this);
  thread_.core->begin(*instruction.timing, {pc, fetch.cycles, fetch.memory_busy,
                                            instruction.touches_memory, instruction.stores});
  run_.step_now = now;
  run_.step_charged_pc = thread_.interpreter.registers().interrupted_pc();
  if (!instruction.touches_memory && !retire_in_time()) {
    end_stall(now);
    stop.reason = StopReason::deadline;
    return true;
  }
  if (observer_) {
    observer_(Isa::instruction_text(memory_, text, GuestAddr(pc)), run_.step_now);
  }
  const bool stops = execute_one(instruction, now, stop);
  thread_.core->end();
  if (stops) thread_.core->drain();
  return stops;
}

template <EngineIsa Isa>
auto Engine<Isa>::make_fetch(std::uint64_t pc, Cycles now, std::uint64_t more) -> MadeFetch {
  const std::uint32_t cycles = fetch_stall(pc, now, more);
  if (cycles == 0) return {};
  return {cycles, take_reasons(CacheSide::fetch, cycles), thread_.cached->memory_busy()};
}

// A passage begins, or an instruction is stepped.
template <EngineIsa Isa>
inline void Engine<Isa>::forget_misses() {
  if (tells_reasons()) thread_.core->misses().clear();
}

// Instruction `index` of the passage, or the one that is stepped, waits.
template <EngineIsa Isa>
void Engine<Isa>::note_miss(CacheSide side, std::size_t index, std::uint32_t cycles,
                            const WaitReasons& why) {
  if (cycles != 0 && tells_reasons()) thread_.core->misses().note(side, index, cycles, why);
}

// Notes what the instruction costs. False: a clock event, at the deadline, comes before it
// graduates.
template <EngineIsa Isa>
bool Engine<Isa>::retire(Cycles deadline) {
  const OutOfOrderClock::Retirement retirement =
      thread_.core->retire(run_.step_now, deadline, run_.times);
  run_.has_issued = true;
  begin_stall();
  stall_step(retirement.cycles, thread_.core->reasons());
  return retirement.in_time;
}

template <EngineIsa Isa>
bool Engine<Isa>::retire_in_time() {
  if (!retire(run_.deadline)) return false;
  sample_until(run_.step_charged_pc, run_.step_now + Cycles(run_.step_stall));
  return true;
}

// An instruction that has been nullified goes through the window as any other. False: a clock
// event comes before it graduates.
template <EngineIsa Isa>
bool Engine<Isa>::retire_nullified(Cycles& now) {
  const std::uint64_t pc = thread_.interpreter.registers().pc;
  const auto text = Isa::fetch(memory_, GuestAddr(pc));
  if (!text) return true;  // not that it would fault
  forget_misses();
  thread_.core->begin(*predecoded(*text, pc).timing, {.pc = pc, .is_nullified = true});
  run_.step_now = now;
  run_.step_charged_pc = pc;
  const bool in_time = retire_in_time();
  end_stall(now);
  return in_time;
}

inline OutOfOrderCore::MemoryCost cost_of(const CachedMemory::Data& data) {
  return {.stall = data.cycles, .busy = data.memory_busy, .line = data.line};
}

template <EngineIsa Isa>
std::uint8_t* Engine<Isa>::access_out_of_order(GuestAddr address, unsigned size, Access access) {
  if (run_.in_window != nullptr) return access_in_window(address, size, access);
  std::uint8_t* const host = host_or_fault(memory_.translate(address, size, access));
  if (host == nullptr || !thread_.core->has_begun()) return host;
  OutOfOrderCore::MemoryCost cost{.line = address.value() / page_size};
  if (thread_.cached && take_access_made({thread_.interpreter.pc(), address})) {
    thread_.cached->completed();
  } else if (thread_.cached) {
    const auto data = thread_.cached->access(address, size, access, moment_of_access());
    cost = cost_of(*data);
    note_miss(CacheSide::data, 0, cost.stall, take_reasons(CacheSide::data, cost.stall));
  }
  thread_.core->note_access(address.value(), cost);
  if (retire_in_time()) return host;
  return thread_.cached ? interrupted_access(address) : refuse(std::nullopt);
}

template <EngineIsa Isa>
OutOfOrderCore::Resolution Engine<Isa>::outcome_of(OutOfOrderCore::Transfer kind, bool links,
                                                   std::uint64_t pc, bool nullified) {
  OutOfOrderCore::Resolution outcome;
  outcome.transfer = kind;
  outcome.links = links;
  thread_.sequencer.describe(thread_.interpreter, pc, nullified, outcome);
  return outcome;
}

// ---- Blocks.

template <EngineIsa Isa>
void Engine<Isa>::connect_window() {
  thread_.interpreter.connect(code_.no_hits, *this);
  thread_.interpreter.note_unchecked(thread_.core->window().log());
}

// The accesses that cost nothing.
template <EngineIsa Isa>
const AccessTable& Engine<Isa>::hits() const {
  return thread_.cached ? thread_.cached->data_hits() : memory_.translations();
}

template <EngineIsa Isa>
const StraightLine& Engine<Isa>::line_of(Block& block) {
  if (block.rest->line == nullptr) [[unlikely]]
    make_line(block);
  return *block.rest->line;
}

template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::make_line(Block& block) {
  block.rest->line = std::make_unique<StraightLine>();
  StraightLine& line = *block.rest->line;
  line.pc = block.pc;
  line.bytes = block.pc_of(1) - block.pc;
  line.timings = block.whole.timed.rest->instructions;
  for (std::size_t i = block.size(); i-- > 0;) {
    const Instruction& instruction = *block.rest->code->instructions[i];
    line.accesses |= std::uint64_t{instruction.touches_memory} << i;
    line.stores |= std::uint64_t{instruction.stores} << i;
    if (!instruction.is_branch) continue;
    line.transfer = i;
    line.kind = instruction.transfer;
    line.links = instruction.links;
  }
  thread_.core->window().add(line);
}

template <EngineIsa Isa>
auto Engine<Isa>::run_in_window(Block& block, Cycles& now, Stop& stop) -> Continuation {
  if (thread_.access_made) [[unlikely]]
    return Continuation::step;
  RememberedWindow& window = thread_.core->window();
  window.begin(line_of(block));
  if (now + Cycles(window.longest()) > run_.deadline) {
    window.cancel();
    return Continuation::step;
  }
  run_.in_window = &block;
  run_.window_entered = now;
  forget_misses();
  thread_.interpreter.connect(window.may_have_misses() ? code_.no_hits : hits(), *this);
  if (thread_.cached &&
      !thread_.cached->all_fetches_hit(block.pc, block.fall_through() - 1, block.fetches_hit_at)) {
    return run_lines_in_window(block, now, stop);
  }
  const Op* const first = block.ops().data();
  const Op* const stopped_at =
      thread_.interpreter.run(first, first + block.size(), block.pc, block.continues_at());
  return leave_window(block, static_cast<std::size_t>(stopped_at - first), now, stop);
}

// Line by line of the instruction cache, each after its fetch.
template <EngineIsa Isa>
[[gnu::noinline]] auto Engine<Isa>::run_lines_in_window(Block& block, Cycles& now, Stop& stop)
    -> Continuation {
  const Op* const ops = block.ops().data();
  for (std::size_t first = 0;;) {
    if (!fetch_line_in_window(block, first, now)) return Continuation::step;
    const std::size_t end = end_of_part(block, first);
    const Op* const stopped_at =
        first == 0 ? thread_.interpreter.run(ops, ops + end, block.pc, block.continues_at())
                   : thread_.interpreter.go_on(ops + first, ops + end);
    if (stopped_at != ops + end || end == block.size() || !thread_.interpreter.may_go_on()) {
      return leave_window(block, static_cast<std::size_t>(stopped_at - ops), now, stop);
    }
    first = end;
  }
}

// Fetches the line of instruction `first` of the block that runs. False: a clock event may come
// before the block ends; then that instruction, which has been fetched, is the next one.
template <EngineIsa Isa>
bool Engine<Isa>::fetch_line_in_window(Block& block, std::size_t first, Cycles& now) {
  RememberedWindow& window = thread_.core->window();
  resolve_before(block, first, false);
  const MadeFetch fetch = make_fetch(block.pc_of(first), moment_in_window(first).now, first);
  // Only what the line's accesses change is of interest.
  thread_.cached->take_fetches_changed();
  if (fetch.cycles == 0) return true;
  note_miss(CacheSide::fetch, first, fetch.cycles, fetch.reasons);
  window.note_fetch(first, fetch.cycles, fetch.memory_busy);
  if (run_.window_entered + Cycles(window.longest()) <= run_.deadline) return true;
  charge_passage(block, window.end(first, false, block.pc_of(first)), now, first, false);
  if (first != 0) thread_.core->note_progress();
  count_in_window(block, first, first);
  thread_.instructions += first;
  thread_.sequencer.stand_at(block, first, thread_.interpreter);
  run_.fetch_made = fetch;
  return false;
}

// The access of the running block's current instruction.
template <EngineIsa Isa>
std::uint8_t* Engine<Isa>::access_in_window(GuestAddr address, unsigned size, Access access) {
  RememberedWindow& window = thread_.core->window();
  const auto index =
      static_cast<std::size_t>(thread_.interpreter.current() - run_.in_window->ops().data());
  const bool counts =
      run_.in_window->rest->line->accesses_memory(index) && !window.has_accessed(index);
  if (!counts) return host_or_fault(memory_.translate(address, size, access));
  if (thread_.cached) return access_cache_in_window(address, size, access, index);
  std::uint8_t* const host = host_or_fault(memory_.translate(address, size, access));
  if (host != nullptr) window.note_access(index, address.value(), {});
  return host;
}

template <EngineIsa Isa>
std::uint8_t* Engine<Isa>::access_cache_in_window(GuestAddr address, unsigned size, Access access,
                                                  std::size_t index) {
  const auto data = thread_.cached->access(address, size, access, moment_in_window(index));
  if (!data) return refuse(data.error());
  // A block begins when all its fetches hit.
  if (thread_.cached->take_fetches_changed()) thread_.interpreter.stop_after_current();
  RememberedWindow& window = thread_.core->window();
  window.note_access(index, address.value(), cost_of(*data));
  note_miss(CacheSide::data, index, data->cycles, take_reasons(CacheSide::data, data->cycles));
  if (data->cycles != 0) thread_.interpreter.connect(code_.no_hits, *this);
  const bool ends_in_time = run_.window_entered + Cycles(window.longest()) <= run_.deadline;
  return data->cycles == 0 || ends_in_time ? data->host
                                           : wait_in_window(index, address, data->host);
}

// A clock event may come before the block ends.
template <EngineIsa Isa>
std::uint8_t* Engine<Isa>::wait_in_window(std::size_t index, GuestAddr address,
                                          std::uint8_t* host) {
  resolve_before(*run_.in_window, index, false);
  run_.window_passed = thread_.core->window().catch_up(index);
  const auto [cycles, in_time] =
      thread_.core->retire_in_passage(index, run_.window_entered, run_.deadline);
  if (in_time) {
    thread_.interpreter.stop_after_current();
    return host;
  }
  run_.window_waited = cycles;
  run_.window_reasons = thread_.core->reasons();
  return interrupted_access(address);
}

// Before the block's instruction `index`. Without need nobody asks for the cycle.
template <EngineIsa Isa>
MemorySystem::Moment Engine<Isa>::moment_in_window(std::size_t index) {
  const Instructions instructions =
      thread_.cached->machine()->instructions + Instructions(instructions_in_this_run() + index);
  if (!moments_matter_) return {run_.window_entered, instructions};
  resolve_before(*run_.in_window, index, false);
  return {run_.window_entered + Cycles(thread_.core->window().catch_up(index)), instructions};
}

// The block's transfer of control, if it is before instruction `index`, has run.
template <EngineIsa Isa>
void Engine<Isa>::resolve_before(Block& block, std::size_t index, bool nullified) {
  const StraightLine& line = *block.rest->line;
  RememberedWindow& window = thread_.core->window();
  if (line.transfer >= index || window.is_resolved()) return;
  window.resolve(outcome_of(line.kind, line.links, line.pc_of(line.transfer), nullified));
}

// The block, of which `done` instructions have run, ends.
template <EngineIsa Isa>
auto Engine<Isa>::leave_window(Block& block, std::size_t done, Cycles& now, Stop& stop)
    -> Continuation {
  if (thread_.interpreter.gave_up()) [[unlikely]] {
    end_at_incomplete(stop);
    abandon_in_window(block, done - 1, now);
    return Continuation::stop;
  }
  const bool nullified = thread_.interpreter.take_nullified();
  resolve_before(block, done, nullified);
  const bool is_over = done == block.size() || nullified;
  if (is_over) {
    thread_.sequencer.leave(block, thread_.interpreter);
    if (calls_) note_transfer(block, thread_.interpreter.taken());
  } else {
    thread_.interpreter.registers().set_pc(block.pc_of(done));
  }
  const bool skips_last = nullified && done != block.size();
  leave_window_behind(block, done, skips_last && Isa::Sequencing::issues_nullified, now);
  if (nullified && !skips_last) pass_nullified(now);
  return Continuation::block;
}

template <EngineIsa Isa>
void Engine<Isa>::leave_window_behind(Block& block, std::size_t done, bool issues_nullified,
                                      Cycles& now) {
  const std::uint64_t cycles =
      thread_.core->window().end(done, issues_nullified, thread_.interpreter.registers().pc);
  thread_.core->note_progress();
  charge_passage(block, cycles, now, done, issues_nullified);
  count_in_window(block, done, done);
  thread_.instructions += done;
}

// Where the program was since `entered`, when the passage that has ended began, if the sampler
// wants to know: in the block's first `retired` instructions and, perhaps, in one more that was
// nullified.
template <EngineIsa Isa>
[[gnu::noinline]] void Engine<Isa>::sample_passage(const Block& block, std::size_t retired,
                                                   bool nullified, Cycles entered) {
  if (sampler_ == nullptr) return;
  const RememberedWindow& window = thread_.core->window();
  std::span<const RememberedWindow::Charge> charges = window.charges();
  for (std::size_t i = 0; i < retired + (nullified ? 1 : 0); ++i) {
    if (i == retired) sample_nullified(block, entered);
    for (; !charges.empty() && charges.front().index == i; charges = charges.subspan(1)) {
      entered += Cycles(charges.front().cycles);
    }
    // No clock event comes before what came to no access: see execute_one().
    const bool is_at_once =
        i < retired && block.rest->line->accesses_memory(i) && !window.has_accessed(i);
    if (!is_at_once) sample_until(block.charged_pc(i), entered);
  }
}

// Leaves the block at instruction `index`, which did not complete.
template <EngineIsa Isa>
void Engine<Isa>::abandon_in_window(Block& block, std::size_t index, Cycles& now) {
  RememberedWindow& window = thread_.core->window();
  const bool is_interrupted = !window.is_passing();
  std::uint64_t cycles = run_.window_passed;
  std::size_t retired = index;
  if (!is_interrupted) {
    resolve_before(block, index, false);
    // An access that finds no memory does not retire.
    const bool retires = !block.rest->line->accesses_memory(index) || window.has_accessed(index);
    retired = index + (retires ? 1 : 0);
    cycles = window.end(retired, false, block.pc_of(retired));
    if (retired != 0) thread_.core->note_progress();
  }
  charge_passage(block, cycles, now, retired, false);
  if (is_interrupted) {
    thread_.ledger.charge(block.charged_pc(index), run_.window_waited, run_.window_reasons, now);
  }
  thread_.core->drain();
  count_in_window(block, index + 1, index);
  thread_.instructions += index;
  thread_.sequencer.stand_at(block, index, thread_.interpreter);
}

template <EngineIsa Isa>
void Engine<Isa>::charge_passage(Block& block, std::uint64_t cycles, Cycles& now,
                                 std::size_t retired, bool nullified) {
  run_.in_window = nullptr;
  if (now + Cycles(cycles) >= run_.horizon) [[unlikely]]
    sample_passage(block, retired, nullified, now);
  thread_.ledger.count(cycles, now);
  if (!thread_.ledger.collects()) [[likely]]
    return;
  for (const auto& [index, part, reason] : thread_.core->window().charges()) {
    thread_.ledger.note(block, index, part, thread_.core->misses().of(index, reason, part));
  }
}

// So many of the block's instructions have been fetched, and so many are complete.
template <EngineIsa Isa>
void Engine<Isa>::count_in_window(const Block& block, std::size_t fetched, std::size_t completed) {
  if (!thread_.cached) return;
  run_.fetches += fetched;
  const StraightLine& line = *block.rest->line;
  const std::uint64_t others = completed < 64 ? line.accesses >> completed : 0;
  run_.data_accesses += line.memory_accesses.size();
  if (others != 0) run_.data_accesses -= static_cast<std::uint64_t>(std::popcount(others));
}

}  // namespace hardclock
