// How Engine tells a CallTree where control goes. A part of Engine. Transfers
// of control are noted when they are made; the tree is told when the next instruction begins, with
// all cycles before it counted.
#pragma once

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
struct Engine<Isa>::Calls {
  // What an exit of translated code means that was noted.
  struct NotedExit {
    CallTree::Way way = CallTree::Way::straight;
    bool is_known = false;
    bool says_target = false;
    std::uint64_t site = 0;
    std::uint64_t target = 0;
    CallTree::KnownCall call{};
  };

  static constexpr std::size_t most_noted = 512;

  NotedExit& exit(std::size_t number, const Engine& engine) {
    if (number < exits.size() && exits[number].is_known) return exits[number];
    return learn_exit(number, engine);
  }
  NotedExit& learn_exit(std::size_t number, const Engine& engine);

  CallTree tree;
  std::uint64_t changes = 0;                 // of code_files(), that the tree knows of
  MadeTransfer made{};                       // of which the tree has not been told
  std::optional<std::uint64_t> stands_at{};  // where the last run ended
  std::uint64_t depth = 0;                   // of the stack then
  std::vector<NotedTransfer> noted = std::vector<NotedTransfer>(most_noted);
  std::vector<NotedExit> exits{};  // by number
};

template <EngineIsa Isa>
void Engine<Isa>::collect_calls(std::shared_ptr<FunctionFinder> functions) {
  calls_ = std::make_unique<Calls>(Calls{.tree = CallTree(std::move(functions), memory_),
                                         .changes = memory_.code_files().changes()});
  end_blocks_with_functions();
}

// For another thread, which stands where the parent's does.
template <EngineIsa Isa>
void Engine<Isa>::follow_calls_of(const Calls& parent) {
  calls_ = std::make_unique<Calls>(Calls{.tree = parent.tree.fork(memory_),
                                         .changes = parent.changes,
                                         .stands_at = parent.stands_at,
                                         .depth = parent.depth});
  end_blocks_with_functions();
}

template <EngineIsa Isa>
void Engine<Isa>::count_tick() {
  if (calls_) calls_->tree.tick();
}

template <EngineIsa Isa>
void Engine<Isa>::end_blocks_with_functions() {
  code_.blocks.end_blocks_with_functions(
      [this](std::uint64_t pc) { return calls_->tree.function_at(pc).high; });
}

template <EngineIsa Isa>
CallRecord Engine<Isa>::calls() const {
  return calls_ ? calls_->tree.record(thread_.ledger.total()) : CallRecord();
}

template <EngineIsa Isa>
std::uint64_t Engine<Isa>::depth_of(std::uint64_t stack_pointer) const {
  return code_.blocks.store()->isa().stack_depth(stack_pointer);
}

template <EngineIsa Isa>
std::uint64_t Engine<Isa>::stack_depth() const {
  return depth_of(Isa::stack_pointer(thread_.interpreter.registers()));
}

// Before a run: the kernel may have put the thread elsewhere.
template <EngineIsa Isa>
void Engine<Isa>::begin_calls() {
  const std::uint64_t pc = thread_.interpreter.registers().interrupted_pc();
  if (calls_->changes != memory_.code_files().changes()) find_functions_anew(pc);
  if (calls_->stands_at && *calls_->stands_at != pc) {
    calls_->made = {};
    tell_of({.way = CallTree::Way::kernel,
             .site = *calls_->stands_at,
             .pc = pc,
             .depth = stack_depth(),
             .depth_before = calls_->depth});
  }
}

// Blocks end where functions did when they were made, and translations know what to note.
template <EngineIsa Isa>
void Engine<Isa>::find_functions_anew(std::uint64_t pc) {
  calls_->changes = memory_.code_files().changes();
  calls_->tree.forget_functions(pc);
  code_.blocks.retire_all();
  forget_translations();
  drop_retired();
}

// After a run.
template <EngineIsa Isa>
void Engine<Isa>::end_calls() {
  if (thread_.sequencer.begins_line(thread_.interpreter.registers())) arrive();
  note_place();
}

template <EngineIsa Isa>
void Engine<Isa>::note_place() {
  calls_->stands_at = thread_.interpreter.registers().interrupted_pc();
  calls_->depth = stack_depth();
}

// The instruction at the pc is the next one.
template <EngineIsa Isa>
void Engine<Isa>::arrive() {
  const std::uint64_t pc = thread_.interpreter.registers().interrupted_pc();
  const MadeTransfer made = std::exchange(calls_->made, {});
  if (calls_->tree.stays_at(pc) && !calls_->tree.heeds(made.way)) return;
  tell_of({.way = made.way,
           .site = made.site,
           .pc = pc,
           .comes_back_to = Sequencing::comes_back_to(made.site),
           .depth = stack_depth()});
}

// A system call is over, which was made at `site`. That may be a return, from the kernel's gateway.
template <EngineIsa Isa>
void Engine<Isa>::arrive_from_kernel(std::uint64_t site) {
  calls_->made = {CallTree::Way::indirect, site};
  end_calls();
}

template <EngineIsa Isa>
void Engine<Isa>::tell_of(CallTree::Arrival arrival) {
  arrival.cycles = thread_.ledger.total();
  if (watch_) see(arrival);
  calls_->tree.arrive(arrival);
}

// The block has been left by its end.
template <EngineIsa Isa>
void Engine<Isa>::note_transfer(const Block& block, bool taken) {
  const auto index = Sequencing::transfer_in(block);
  if (taken && index) calls_->made = transfer_of(block, *index);
}

template <EngineIsa Isa>
MadeTransfer Engine<Isa>::transfer_of(const Block& block, std::size_t index) const {
  return {block.way_out, block.charged_pc(index)};
}

// What translated code has noted. Of the cycles of its run, which are not counted yet, an arrival
// says how many were left.
template <EngineIsa Isa>
void Engine<Isa>::tell_of_noted(const HostFrame& frame, std::uint64_t cycles) {
  const std::uint64_t end = thread_.ledger.total() + cycles;
  const auto arrival_of = [&](const NotedTransfer& noted, const typename Calls::NotedExit& exit) {
    const auto left = static_cast<std::uint64_t>(RunBudget(noted.budget).cycles_left());
    return CallTree::Arrival{
        .way = exit.way,
        .site = exit.site,
        .pc = exit.says_target ? exit.target : Sequencing::target_of(noted.target),
        .comes_back_to = Sequencing::comes_back_to(exit.site),
        .depth = depth_of(noted.stack_pointer),
        .cycles = end - left};
  };
  constexpr std::ptrdiff_t ahead = 4;
  const NotedTransfer* const first = calls_->noted.data();
  // What is stepped has no code, so only the last transfer can lead there.
  const bool counts = watch_ && !watch_->steps;
  const NotedTransfer* const last =
      frame.noted_next - (watch_ && !counts && frame.noted_next != first ? 1 : 0);
  for (const NotedTransfer* noted = first; noted != last; ++noted) {
    // What an exit means lies far from what the last one did.
    if (frame.noted_next - noted > ahead && noted[ahead].exit < calls_->exits.size())
      __builtin_prefetch(&calls_->exits[noted[ahead].exit]);
    auto& exit = calls_->exit(noted->exit, *this);
    const CallTree::Arrival arrival = arrival_of(*noted, exit);
    if (counts) see(arrival);
    calls_->tree.arrive(arrival, exit.call);
  }
  if (last == frame.noted_next) return;
  auto& exit = calls_->exit(last->exit, *this);
  const CallTree::Arrival arrival = arrival_of(*last, exit);
  see(arrival);
  calls_->tree.arrive(arrival, exit.call);
}

template <EngineIsa Isa>
auto Engine<Isa>::Calls::learn_exit(std::size_t number, const Engine& engine) -> NotedExit& {
  if (number >= exits.size()) exits.resize(number + 1);
  NotedExit& noted = exits[number];
  const Translator::Exit& exit = engine.code_.translator->exit(static_cast<std::uint32_t>(number));
  const Block& block = *static_cast<const Block*>(exit.block);
  MadeTransfer made;
  if (is_taken(exit.way)) made = engine.transfer_of(block, *Sequencing::transfer_in(block));
  noted = {.way = made.way,
           .is_known = true,
           .says_target = exit.kind == Translator::Exit::Kind::edge,
           .site = made.site,
           .target = exit.target};
  return noted;
}

// For the translator: which ways out of the block have to be noted.
template <EngineIsa Isa>
std::optional<BlockSource::Noted> Engine<Isa>::noted_of(const Block& block) const {
  if (!calls_) return std::nullopt;
  const FunctionRange function = calls_->tree.function_at(block.charged_pc(0));
  const auto index = Sequencing::transfer_in(block);
  return BlockSource::Noted{
      .transfer = index && CallTree::heeds(block.way_out, function.function.has_value()),
      .low = function.low,
      .high = function.high};
}

}  // namespace hardclock
