// How Engine runs blocks as code of the host (sim/translator). A part of
// Engine. What the interpreter has to do, or what has to be asked of a clock, leaves the code
// first; so everything here is about how it goes on then.
#pragma once

#include <exception>

#include "sim/engine/engine_class.h"
#include "sim/translator/host_status.h"

namespace hardclock {

// The functions that translated code calls while it runs. All but run_one leave the status of the
// host's floating-point unit as it is.
template <EngineIsa Isa>
struct Engine<Isa>::HostCalls {
  static Engine& engine_of(const HostFrame* frame) { return *static_cast<Engine*>(frame->engine); }

  // Asks what may run out of memory. If it does, the answer is the one by which the code is left.
  template <class Answer, class Ask>
  [[gnu::always_inline]] static Answer answer_of(HostFrame* frame, Answer if_thrown,
                                                 const Ask& ask) noexcept {
    try {
      return ask();
    } catch (...) {
      *frame->thrown = std::current_exception();
      return if_thrown;
    }
  }

  // What is spare where an access is made, or a line fetched, is charged for that time.
  class ChargedSpare {
   public:
    ChargedSpare(HostFrame& frame, std::uint64_t packed)
        : frame_(frame), spare_(RunBudget::cycles(AccessSite::unpack(packed).spare)) {
      frame_.budget -= spare_;
    }
    ~ChargedSpare() { frame_.budget += spare_; }
    ChargedSpare(const ChargedSpare&) = delete;
    ChargedSpare& operator=(const ChargedSpare&) = delete;

   private:
    HostFrame& frame_;
    std::uint64_t spare_;
  };

  static std::uint8_t* access(HostFrame* frame, std::uint64_t address,
                              std::uint64_t packed) noexcept {
    const ChargedSpare charged(*frame, packed);
    return answer_of<std::uint8_t*>(frame, nullptr, [=] {
      Engine& engine = engine_of(frame);
      if (engine.thread_.cached) return engine.access_cached(*frame, address, packed);
      const KeptHostStatus kept;
      return engine.host_of(address, AccessSite::unpack(packed));
    });
  }

  static bool fetch(HostFrame* frame, std::uint64_t line, std::uint64_t packed) noexcept {
    const ChargedSpare charged(*frame, packed);
    return answer_of(frame, false,
                     [=] { return engine_of(frame).fetch_line_in_code(*frame, line, packed); });
  }

  // Its tables have their size from the start.
  static bool predict(HostFrame* frame, std::uint64_t pc, std::uint32_t packed) noexcept {
    const PredictedBranch branch = PredictedBranch::unpack(packed);
    TwoLevelPredictor* const predictor = engine_of(frame).predictor();
    return predictor->predict(pc, branch.hint, branch.taken) != branch.hint;
  }

  static HostFrame::Ran run_one(HostFrame* frame, const void* op, std::uint64_t pc,
                                std::uint32_t index) noexcept {
    return answer_of(frame, HostFrame::not_completed, [=] {
      return engine_of(frame).run_one_in_code(*frame, static_cast<const Op*>(op), pc, index);
    });
  }

  static std::uint64_t implicit_access(HostFrame* frame, std::uint64_t packed,
                                       std::uint64_t budget) noexcept {
    return answer_of(frame, HostFrame::refused,
                     [=] { return engine_of(frame).implicit_access_in_code(packed, budget); });
  }
};

// On the interpreter.
template <EngineIsa Isa>
HostFrame::Ran Engine<Isa>::run_one_in_code(HostFrame& frame, const Op* op, std::uint64_t pc,
                                            std::uint32_t index) {
  thread_.interpreter.run(op, op + 1, pc, pc);
  if (thread_.interpreter.gave_up()) {
    // It runs again, and then somebody asks why.
    thread_.interpreter.take_end();
    thread_.interpreter.take_slow();
    return HostFrame::not_completed;
  }
  if (thread_.interpreter.take_slow() != 0 && index < Isa::Interpreter::most_marked)
    frame.slow |= std::uint64_t{1} << index;
  frame.taken = thread_.interpreter.taken() ? 1 : 0;
  frame.target = thread_.interpreter.after_slot();
  return thread_.interpreter.was_told_to_stop() || !still_holds_words()
             ? HostFrame::completed_and_left
             : HostFrame::completed;
}

// `packed` is an ImplicitAccessSite.
template <EngineIsa Isa>
std::uint64_t Engine<Isa>::implicit_access_in_code(std::uint64_t packed, std::uint64_t budget) {
  if constexpr (MakesImplicitAccesses<Isa>) {
    const ImplicitAccessSite site = ImplicitAccessSite::unpack(packed);
    const std::int64_t left = RunBudget(budget).cycles_left();
    if (left < 0) return HostFrame::refused;
    const std::optional<std::uint32_t> cycles =
        thread_.interpreter.implicit_access_at_once(site.which, static_cast<std::uint32_t>(left));
    if (!cycles) return HostFrame::refused;
    if (*cycles != 0 && thread_.ledger.collects()) [[unlikely]] {
      const Translator::Exit& exit = code_.translator->exit(site.exit);
      thread_.ledger.note(*static_cast<Block*>(exit.block), exit.index, *cycles, CycleReason::unit);
    }
    return RunBudget::cycles(*cycles);
  }
  return HostFrame::refused;
}

// Null: the access is one for the interpreter. A store to code among them, so that blocks are never
// retired while one of them runs here.
template <EngineIsa Isa>
std::uint8_t* Engine<Isa>::host_of(std::uint64_t address, const AccessSite& site) {
  const Access access = site.is_write ? Access::write : Access::read;
  if (site.is_write && memory_.is_watched(GuestAddr(address))) return nullptr;
  const auto host = memory_.translate(GuestAddr(address), site.size, access);
  return host ? *host : nullptr;
}

// When the block has been left that runs in the code, if nothing else waits.
template <EngineIsa Isa>
Cycles Engine<Isa>::end_at_latest(const HostFrame& frame) const {
  const RunBudget left(frame.budget);
  return Cycles(run_.native_end.value() - static_cast<std::uint64_t>(left.cycles_left()));
}

// Whether what the site says is all that there is to know of a wait there.
template <EngineIsa Isa>
bool Engine<Isa>::only_delays(const HostFrame& frame, const AccessSite& site) const {
  return site.only_delays && frame.slow == 0;
}

// The wait at the site is one of its instruction's. Most have one reason, and are noted where those
// of plain accesses are: the block's own place is far away.
template <EngineIsa Isa>
void Engine<Isa>::note_wait(const AccessSite& site, CacheSide side, std::uint32_t cycles) {
  if (cycles == 0 || !thread_.ledger.collects()) return;
  if (thread_.ledger.tells_apart()) {
    const WaitReasons why = take_reasons(side, cycles);
    if (!why.are_all(miss_reason(side == CacheSide::fetch))) {
      const Translator::Exit& exit = code_.translator->exit(site.exit);
      return thread_.ledger.note(*static_cast<Block*>(exit.block),
                                 exit.index + (site.in_slot ? 1u : 0u), cycles, why);
    }
  }
  code_.translator->note_wait(site, side == CacheSide::fetch, cycles);
}

// Where translated code stands that has called the engine. run_.block is made to know it.
template <EngineIsa Isa>
auto Engine<Isa>::place_in_code(const HostFrame& frame, const AccessSite& site) -> PlaceInCode {
  const Translator::Exit& exit = code_.translator->exit(site.exit);
  Block& block = *static_cast<Block*>(exit.block);
  TimedBlock::Entry& entry = *PipelineClock::entry_in(block.whole.timed, exit.state);
  const std::size_t index = exit.index + (site.in_slot ? 1 : 0);
  const RunBudget left(frame.budget);
  // With what has waited in the block so far.
  const Cycles end = end_at_latest(frame);
  run_.block.begin(block, block.whole, entry, end - Cycles(entry.longest));
  if constexpr (HasPredicates<Isa>)
    run_.block.add_off(frame.slow);
  else
    run_.block.add_slow(frame.slow, 0, slow_cycles_);
  return {.block = block,
          .entry = entry,
          .index = index,
          .in_slot = site.in_slot,
          .end_at_latest = end,
          .executed = thread_.cached->machine()->instructions +
                      Instructions(instructions_in_this_run() + left.instructions() - block.size() +
                                   index)};
}

// The instruction waits, and that is all that happens in that time. False: the horizon comes before
// the block can end.
template <EngineIsa Isa>
bool Engine<Isa>::delay(HostFrame& frame, const PlaceInCode& place, const Stall& stall) {
  if (place.end_at_latest + Cycles(stall.cycles) > run_.horizon) return false;
  frame.budget -= RunBudget::cycles(stall.cycles);
  if (thread_.ledger.collects())
    thread_.ledger.note(place.block, stall.index, stall.cycles, stall.reasons);
  return true;
}

// An access that may cost something. Null, too, if the instruction has been completed here, or was
// interrupted in its wait: run_.pending_stall says so. `packed` is an AccessSite.
template <EngineIsa Isa>
[[gnu::always_inline]] inline std::uint8_t* Engine<Isa>::access_cached(HostFrame& frame,
                                                                       std::uint64_t address,
                                                                       std::uint64_t packed) {
  const AccessSite site = AccessSite::unpack(packed);
  if (!only_delays(frame, site) || site.is_replaced || thread_.access_made) [[unlikely]]
    return access_with_care(frame, address, packed);
  const Cycles end = end_at_latest(frame);
  const CachedMemory::Data data = thread_.cached->access_at_once(
      address, site.size, site.is_write ? Access::write : Access::read,
      end - Cycles(site.until_end));
  if (data.host == nullptr) [[unlikely]]
    return access_with_care(frame, address, packed);
  if (end + Cycles(data.cycles) > run_.horizon || thread_.cached->have_fetches_changed())
      [[unlikely]] {
    const KeptHostStatus kept;
    return wait_for_data(frame, place_in_code(frame, site), GuestAddr(address), data);
  }
  frame.budget -= RunBudget::cycles(data.cycles);
  note_wait(site, CacheSide::data, data.cycles);
  return data.host;
}

// The same, whatever has to be thought of.
template <EngineIsa Isa>
[[gnu::noinline]] std::uint8_t* Engine<Isa>::access_with_care(HostFrame& frame,
                                                              std::uint64_t address,
                                                              std::uint64_t packed) {
  const KeptHostStatus kept;
  const AccessSite site = AccessSite::unpack(packed);
  if (site.is_replaced) return host_of(address, site);
  if (site.is_write && memory_.is_watched(GuestAddr(address))) return nullptr;
  const PlaceInCode place = place_in_code(frame, site);
  if (place.entry.any_continues && frame.slow != 0) return nullptr;
  if (take_access_made({place.block.pc_of(place.index), GuestAddr(address)})) {
    thread_.cached->completed();
    return host_of(address, site);
  }
  const Access access = site.is_write ? Access::write : Access::read;
  const Cycles issued = run_.block.issued(thread_.pipeline, place.index);
  const auto data =
      thread_.cached->access(GuestAddr(address), site.size, access, {issued, place.executed});
  return data ? wait_for_data(frame, place, GuestAddr(address), *data) : nullptr;
}

// The access has been made. Null: the code has to be left.
template <EngineIsa Isa>
std::uint8_t* Engine<Isa>::wait_for_data(HostFrame& frame, const PlaceInCode& place,
                                         GuestAddr address, const CachedMemory::Data& data) {
  // The code asks for lines where they begin. So it cannot go on if the one that it is in has gone,
  // nor if some have where a late fetch is no mere delay.
  const bool may_lack_lines = thread_.cached->take_fetches_changed() &&
                              (!thread_.pipeline.fetches_only_delay(place.entry) ||
                               !thread_.cached->fetch_hits(place.block.pc_of(place.index)));
  if (data.cycles == 0 && !may_lack_lines) return data.host;
  const Stall stall{place.index, data.cycles, false, take_reasons(CacheSide::data, data.cycles)};
  if (!place.entry.any_continues && !may_lack_lines && delay(frame, place, stall)) {
    return data.host;
  }
  await(place, address, stall);
  return nullptr;
}

// Before an instruction of the block that begins a line, the one at the address. False: the code
// has to be left; if the line has been fetched, run_.pending_stall says so. `packed` is an
// AccessSite.
template <EngineIsa Isa>
[[gnu::always_inline]] inline bool Engine<Isa>::fetch_line_in_code(HostFrame& frame,
                                                                   std::uint64_t line,
                                                                   std::uint64_t packed) {
  const AccessSite site = AccessSite::unpack(packed);
  if (!only_delays(frame, site)) [[unlikely]]
    return fetch_with_care(frame, packed, std::nullopt);
  const Cycles end = end_at_latest(frame);
  const auto wait = thread_.cached->fetch_at_once(line, end - Cycles(site.until_end));
  if (!wait || end + Cycles(*wait) > run_.horizon) [[unlikely]]
    return fetch_with_care(frame, packed, wait);
  // Only what the line's accesses change is of interest.
  thread_.cached->take_fetches_changed();
  frame.budget -= RunBudget::cycles(*wait);
  note_wait(site, CacheSide::fetch, *wait);
  return true;
}

// The same, whatever has to be thought of, or what is left of it if the wait is known already.
template <EngineIsa Isa>
[[gnu::noinline]] bool Engine<Isa>::fetch_with_care(HostFrame& frame, std::uint64_t packed,
                                                    std::optional<std::uint32_t> wait) {
  const KeptHostStatus kept;
  const AccessSite site = AccessSite::unpack(packed);
  if (code_.translator->exit(site.exit).block == nullptr) return false;
  const PlaceInCode place = place_in_code(frame, site);
  if (!site.only_delays || (place.entry.any_continues && frame.slow != 0)) return false;
  const std::size_t index = place.index;
  const Cycles before = index == 0 ? place.end_at_latest - Cycles(place.entry.longest)
                                   : run_.block.issued(thread_.pipeline, index - 1);
  const std::uint32_t cycles =
      wait ? *wait : thread_.cached->fetch(place.block.pc_of(index), {before, place.executed});
  thread_.cached->take_fetches_changed();
  const Stall stall{index, cycles, false, take_reasons(CacheSide::fetch, cycles)};
  if (cycles == 0 || delay(frame, place, stall)) return true;
  run_.pending_stall = PendingStall{stall, PendingStall::Kind::fetched, site.in_slot};
  if (site.in_slot) run_in_code(place.block, index - 1, index);
  return false;
}

// The instruction has made its access, and its block goes on no further here: the instruction is
// completed, with the transfer of control whose slot it is, or interrupted.
template <EngineIsa Isa>
void Engine<Isa>::await(const PlaceInCode& place, GuestAddr address, const Stall& stall) {
  const Cycles issued = run_.block.issued(thread_.pipeline, place.index);
  thread_.access_made = {place.block.pc_of(place.index), address};
  thread_.cached->interrupted();
  const bool is_interrupted = stall.cycles != 0 && issued + Cycles(stall.cycles) > run_.deadline;
  const auto kind =
      is_interrupted ? PendingStall::Kind::interrupted : PendingStall::Kind::completed;
  run_.pending_stall = PendingStall{stall, kind, place.in_slot};
  run_in_code(place.block, place.index - (place.in_slot ? 1 : 0),
              place.index + (is_interrupted ? 0 : 1));
  if (!is_interrupted) thread_.access_made.reset();
}

// Runs instructions of the block, if there are any from `first` to `end`, on the interpreter, where
// nothing can stop them.
template <EngineIsa Isa>
void Engine<Isa>::run_in_code(Block& block, std::size_t first, std::size_t end) {
  const Op* const ops = block.ops().data();
  thread_.interpreter.run(ops + first, ops + end, block.pc_of(first), block.continues_at());
  CHECK(!thread_.interpreter.gave_up());
}

template <EngineIsa Isa>
void Engine<Isa>::start_translating() {
  if constexpr (TranslatedIsa<Isa>) {
    GuestMode mode = code_.blocks.store()->isa().guest_mode();
    mode.slow_cycles = slow_cycles_;
    if (!thread_.cached && mode.address_bits == 32) code_.flat = memory_.flat_translations();
    mode.has_flat_table = code_.flat != nullptr;
    mode.access_shift = thread_.interpreter.unchecked().shift();
    mode.access_entries = thread_.interpreter.unchecked().entries().size();
    if (thread_.cached) {
      mode.has_caches = true;
      mode.memory = &thread_.cached->machine()->system.description();
      mode.fetch_shift = thread_.cached->fetch_shift();
      mode.fetch_entries = thread_.cached->fetched_lines().size();
    }
    code_.translator = Translator::make(memory_.budget()->caches(), mode, translation_.random_pins);
  }
}

// For which code may run in one go. A cycle has fewer than 16 instructions.
template <EngineIsa Isa>
std::uint64_t Engine<Isa>::cycles_to_translate(Cycles now, Cycles end, Instructions limit) const {
  if (now >= end) return 0;
  const bool counts = watch_ && !watch_->steps;
  const std::uint64_t most = counts ? Watch::cycles_in_code : RunBudget::most_cycles;
  return std::min({(end - now).value(), most, (limit.value() - instructions_in_this_run()) / 16});
}

// The code of the block at the pc, if it can run now.
template <EngineIsa Isa>
const void* Engine<Isa>::code_to_run(Block& block, Cycles now, Instructions limit) {
  TimedBlock::Entry& entry = thread_.pipeline.enter(block.whole.timed);
  if (entry.code == nullptr) {
    const bool is_due = is_to_be_stepped(block)
                            ? !watch_->steps && watch_->is_counted_in_code(block)
                            : block.whole.timed.executions(entry) >= translation_.after_executions;
    if (entry.is_interpreted || !is_due) return nullptr;
    entry.code = translate(block, entry);
    if (entry.code == nullptr) return nullptr;
  }
  if (thread_.cached && !thread_.cached->fetch_hits(block.pc) &&
      !thread_.pipeline.fetches_only_delay(entry)) {
    return nullptr;
  }
  // Without cycles there may be no instructions left, and a block may take no cycles: when all of
  // it is issued in the cycle before.
  const std::uint64_t cycles = cycles_to_translate(now, run_.horizon, limit);
  if (cycles == 0 || entry.longest > cycles) return nullptr;
  if constexpr (TranslatedIsa<Isa>) {
    if (!code_.blocks.store()->isa().holds_words(thread_.interpreter.registers())) return nullptr;
  }
  // Whoever jumps here again should not have to ask.
  code_.translator->enter_indirect(block.pc, entry.state, entry.code);
  return entry.code;
}

// Runs the code and whatever it leads to. Returns how to go on.
template <EngineIsa Isa>
auto Engine<Isa>::run_translated(const void* code, Cycles& now, Instructions limit, Stop& stop)
    -> Continuation {
  if (run_.last_edge != nullptr)
    code_.translator->link(*std::exchange(run_.last_edge, nullptr), code);
  run_.came_from = nullptr;
  const std::uint64_t cycles = cycles_to_translate(now, run_.horizon, limit);
  HostFrame frame;
  frame.registers = &thread_.interpreter.registers();
  frame.accesses = code_.flat != nullptr ? static_cast<const void*>(code_.flat->words())
                                         : thread_.interpreter.unchecked().entries().data();
  frame.budget = RunBudget::cycles(cycles);
  frame.fetched_lines = thread_.cached ? thread_.cached->fetched_lines().data() : nullptr;
  frame.engine = this;
  std::exception_ptr thrown;
  frame.thrown = &thrown;
  frame.access = HostCalls::access;
  frame.fetch = HostCalls::fetch;
  if (TwoLevelPredictor* const of = predictor()) {
    frame.predicted_branches = of->branches();
    frame.prediction_counters = of->counters();
    frame.predict = HostCalls::predict;
  }
  frame.run_one = HostCalls::run_one;
  frame.implicit_access = HostCalls::implicit_access;
  run_.native_end = now + Cycles(cycles);
  frame.plain_access = CachedMemory::plain_access;
  frame.plain_fetch = CachedMemory::plain_fetch;
  if (thread_.cached && !thread_.access_made) {
    frame.plain = thread_.cached.get();
    frame.plain_sides = thread_.cached->plain_sides();
  }
  frame.ends_at = run_.native_end.value();
  if (notes_moments())
    moments_.lend_to(frame, now + Cycles(cycles_to_translate(now, run_.deadline, limit)));
  if (calls_) {
    frame.noted_next = calls_->noted.data();
    frame.noted_end = frame.noted_next + calls_->noted.size();
  }
  if (thread_.cached) thread_.cached->take_fetches_changed();
  const Translator::Exit& exit = code_.translator->run(frame, code);
  run_.block.end();

  if (watch_) watch_->awaited->left -= frame.arrivals;
  if (calls_) tell_of_noted(frame, cycles);
  const RunBudget left(frame.budget);
  if (notes_moments()) {
    moments_.take_from(frame);
    look_ahead();
  }
  thread_.ledger.count(frame.ends_at - now.value() - static_cast<std::uint64_t>(left.cycles_left()),
                       now);
  thread_.instructions += left.instructions();
  run_.fetches += left.instructions();
  run_.data_accesses += left.accesses();
  const bool is_over = exit.kind == Translator::Exit::Kind::begin && !run_.pending_stall;
  const auto* const following = is_over ? static_cast<const Block*>(exit.block) : nullptr;
  const Continuation next = go_on_from(exit, frame, now, stop);
  if (thrown) std::rethrow_exception(thrown);
  if (following != nullptr) sample(*following);
  return next;
}

// The time for which code may run in one go was over before the block.
template <EngineIsa Isa>
void Engine<Isa>::sample(const Block& block) {
  if constexpr (TranslatedIsa<Isa>) {
    if (!code_.translator->pins().wants_sample()) return;
    const Isa& isa = code_.blocks.store()->isa();
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Text& text = block.rest->code->texts[i];
      code_.translator->pins().add(isa.recording(text, block.pc_of(i)), block.size());
    }
    if (code_.translator->pins().choose(code_.translator->translated())) forget_translations();
  }
}

template <EngineIsa Isa>
auto Engine<Isa>::go_on_from(const Translator::Exit& exit, const HostFrame& frame, Cycles& now,
                             Stop& stop) -> Continuation {
  using Kind = Translator::Exit::Kind;
  Registers& registers = thread_.interpreter.registers();
  switch (exit.kind) {
    case Kind::edge:
      run_.last_edge = &exit;
      [[fallthrough]];
    case Kind::indirect:
      thread_.pipeline.stand_in(exit.after);
      registers.set_pc(exit.kind == Kind::edge ? exit.target : frame.target);
      return Continuation::block;
    case Kind::skips:
      thread_.pipeline.stand_in(exit.after);
      registers.set_pc(exit.target);
      pass_nullified(now);
      return Continuation::block;
    case Kind::begin:
      thread_.pipeline.stand_in(exit.state);
      registers.set_pc(exit.target);
      if (!run_.pending_stall) {
        run_.begins = static_cast<Block*>(exit.block);
        run_.came_from = &run_.begins;
        return Continuation::block;
      }
      wait_for_pending_stall(static_cast<const Block*>(exit.block)->charged_pc(0), now);
      return Continuation::step;
    case Kind::within: {
      Block& block = *static_cast<Block*>(exit.block);
      take_back(block, exit, now);
      thread_.interpreter.note_slow(frame.slow);
      if (run_.pending_stall) return go_on_after_stall(block, exit, now, stop);
      stand_within(block, exit, now);
      return Continuation::step;
    }
    default:
      return leave_slow(exit, frame, now);
  }
}

// The line of the instruction at that pc has been fetched.
template <EngineIsa Isa>
void Engine<Isa>::wait_for_pending_stall(std::uint64_t charged_pc, Cycles& now) {
  const Stall stall = std::exchange(run_.pending_stall, std::nullopt)->stall;
  wait_for_fetch(charged_pc, stall.cycles, stall.reasons, now);
}

// The code was left in the middle of the block, before an instruction that is to be stepped.
template <EngineIsa Isa>
void Engine<Isa>::stand_within(Block& block, const Translator::Exit& exit, Cycles& now) {
  // A transfer whose slot has been fetched is not fetched again.
  const bool stands_in_slot = exit.in_slot && thread_.cached;
  if (stands_in_slot) run_in_code(block, exit.index, exit.index + 1);
  const std::size_t index = exit.index + (stands_in_slot ? 1 : 0);
  has_not_run(block, index);
  issue_prefix(block, block.whole, index, index, now);
  thread_.instructions += index;
  thread_.sequencer.stand_at(block, index, thread_.interpreter);
}

// An instruction of the block has been fetched or completed, or was interrupted, in the middle of
// the code.
template <EngineIsa Isa>
auto Engine<Isa>::go_on_after_stall(Block& block, const Translator::Exit& exit, Cycles& now,
                                    Stop& stop) -> Continuation {
  const PendingStall pending = *std::exchange(run_.pending_stall, std::nullopt);
  const std::size_t index = pending.stall.index;
  if (pending.kind != PendingStall::Kind::completed) has_not_run(block, index);
  if (pending.kind == PendingStall::Kind::fetched) {
    issue_prefix(block, block.whole, index, index, now);
    thread_.instructions += index;
    wait_for_fetch(block.charged_pc(index), pending.stall.cycles, pending.stall.reasons, now);
    thread_.sequencer.stand_at(block, index, thread_.interpreter);
    return Continuation::step;
  }
  note_slow(block.whole);  // of instructions before it
  if (pending.stall.cycles != 0) run_.block.add_stall(pending.stall);
  if (pending.kind == PendingStall::Kind::interrupted) {
    stop.reason = StopReason::deadline;
    abandon(block, block.whole, index, now);
    return Continuation::stop;
  }
  if (!pending.in_slot) {
    leave_within(block, block.whole, index + 1, now);
    return Continuation::block;
  }
  TimedBlock::Entry& entry = *PipelineClock::entry_in(block.whole.timed, exit.state);
  leave(block, block.whole, entry, false, now);
  thread_.instructions += block.size();
  return Continuation::block;
}

// The block has run, and some of its instructions were slow.
template <EngineIsa Isa>
auto Engine<Isa>::leave_slow(const Translator::Exit& exit, const HostFrame& frame, Cycles& now)
    -> Continuation {
  Block& block = *static_cast<Block*>(exit.block);
  TimedBlock::Entry& entry = *PipelineClock::entry_in(block.whole.timed, exit.state);
  take_back(block, exit, now);
  thread_.interpreter.note_slow(frame.slow);
  const Cycles entered = now;
  // Only then is the state behind it one that has a number.
  const bool is_told = !thread_.ledger.collects() && can_pass_slow(entry, now);
  pass(block, block.whole, entry, exit.way, now);
  if (is_told) {
    code_.translator->know_slow(frame.exit, frame.slow, entry.longest - (now - entered).value(),
                                thread_.pipeline.standing_in());
  }
  thread_.instructions += block.size() - (is_nullified(exit.way) ? 1 : 0);
  if (calls_) note_transfer(block, is_taken(exit.way));
  thread_.interpreter.registers().set_pc(exit.kind == Translator::Exit::Kind::slow ? exit.target
                                                                                   : frame.target);
  return Continuation::block;
}

// The block in which the code was left has been charged as a whole when it was entered.
template <EngineIsa Isa>
void Engine<Isa>::take_back(Block& block, const Translator::Exit& exit, Cycles& now) {
  thread_.ledger.take_back(PipelineClock::entry_in(block.whole.timed, exit.state)->longest, now);
  thread_.instructions -= block.size();
  run_.fetches -= block.size();
  run_.data_accesses -= block.whole.data_accesses;
  run_.block.forget_stalls();
  thread_.pipeline.stand_in(exit.state);
  forget_moments_since(now);
}

}  // namespace hardclock
