// The engine of any instruction set: runs predecoded blocks (straight lines of instructions) as
// long as no clock event can fall into them, and single instructions otherwise. Stepping is the
// reference; blocks are an optimisation that must agree with it to the bit, cycles and tick
// positions included.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/block_cache.h"
#include "sim/engine/block_run.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/call_tree.h"
#include "sim/engine/code_space.h"
#include "sim/engine/cpu.h"
#include "sim/engine/data_port.h"
#include "sim/engine/engine_isa.h"
#include "sim/engine/engine_run.h"
#include "sim/engine/noted_moments.h"
#include "sim/engine/out_of_order_clock.h"
#include "sim/engine/processor_timing.h"
#include "sim/engine/thread_context.h"
#include "sim/engine/transfer_way.h"
#include "sim/engine/translation.h"
#include "sim/memory/address_space.h"
#include "sim/recording/trap.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/pipeline_clock.h"
#include "sim/timing/two_level_predictor.h"
#include "sim/translator/translator.h"

namespace hardclock {

enum class EngineMode : std::uint8_t {
  blocks,     // predecoded blocks with remembered timing
  reference,  // one instruction at a time
};

template <EngineIsa Isa>
class Engine final : public Isa::CpuBase,
                     private MemoryWatcher,
                     private DataPort,
                     private CacheBudget::Keeper {
  using Interpreter = typename Isa::Interpreter;
  using Op = typename Interpreter::Op;
  using Instruction = typename BlockCode<Isa>::Instruction;
  using Text = typename Isa::Text;
  using Registers = typename Isa::Registers;
  using Block = hardclock::Block<Isa>;
  using Sequencing = typename Isa::Sequencing;

 public:
  // Without `machine_memory` every access hits.
  Engine(Isa isa, AddressSpace& memory, ProcessorTiming timing,
         std::shared_ptr<MachineMemory> machine_memory, EngineMode mode,
         const Translation& translation = {})
      : Engine(common_store(memory.budget()->caches(), std::move(isa)), memory, std::move(timing),
               std::move(machine_memory), mode, translation) {}
  ~Engine() override {
    hand_code_on();
    memory_.remove_watcher(*this);
  }

  std::unique_ptr<Cpu> fork(AddressSpace& memory) const override;

  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    run_ = {};
    run_.deadline = deadline;
    run_.instructions_at_start = thread_.instructions;
    if (times_observer_.looks) choose_blocks();
    if (watch_) look_at_watch();
    if (!code_.program) begin_code();
    if (code_.translator != nullptr && code_.translator->is_stale()) forget_translations();
    if (std::exchange(code_.has_changed, false)) forget_charged_edges();
    look_at_sampler();
    use();
    code_.blocks.store()->note_use();
    if (thread_.cached) thread_.cached->begin();
    // An instruction that was interrupted in its access has to be the next one to run.
    if (thread_.access_made && thread_.access_made->pc != thread_.interpreter.registers().pc)
      thread_.access_made.reset();
    if (calls_) begin_calls();
    Stop stop;
    run_until_stopped(now, limit, stop);
    if (calls_) end_calls();
    tell_of_moments();
    return stop;
  }

  void sample_pcs(PcSampler* sampler) override {
    sampler_ = sampler;
    moments_.make_room();
    if (thread_.core) thread_.core->window().keep_charges();
  }

  GuestAddr interrupted_pc() const override {
    return GuestAddr(thread_.interpreter.registers().interrupted_pc());
  }
  void interrupted() override { thread_.interpreter.registers().interrupted(); }
  void drain_pipeline() override {
    thread_.pipeline.drain();
    if (thread_.core) thread_.core->drain();
  }
  void complete_system_call() override {
    const std::uint64_t site = thread_.interpreter.registers().interrupted_pc();
    thread_.interpreter.registers().complete_system_call();
    if (calls_) arrive_from_kernel(site);
  }
  std::optional<Fault> split_access(const Fault& refused) override;
  NextInstruction next_instruction() const override;
  bool translates() const override { return code_.translator != nullptr && code_.runs_blocks; }
  ExecutionCounts counts() const override {
    return {Instructions(thread_.instructions), Cycles(thread_.ledger.total())};
  }
  void archive(Archive& to) override;
  Cpu::Maker maker() const override;
  void collect_cycle_profile() override;
  void collect_reasons() override;
  ReasonProfile reason_profile() const override;
  void count_kernel(Cycles cycles) override {
    thread_.ledger.count_kernel(thread_.interpreter.registers().interrupted_pc(), cycles.value());
  }
  void collect_calls(std::shared_ptr<FunctionFinder> functions) override;
  CallRecord calls() const override;
  void count_tick() override;
  void watch(const WatchedPlace& place, std::shared_ptr<Awaited> awaited) override;
  void observe(Cpu::InstructionObserver observer) override {
    observer_ = std::move(observer);
    choose_blocks();
  }
  void observe_timing(TimingObserver observer) override {
    times_observer_ = std::move(observer);
    if (times_observer_.see) tell_waits();
    choose_blocks();
  }
  Registers& registers() override { return thread_.interpreter.registers(); }

 private:
  // Processors of one kind share what does not depend on the process.
  static std::shared_ptr<CodeStore<Isa>> common_store(CacheBudget& caches, Isa isa) {
    using Store = CodeStore<Isa>;
    return caches.common<Store>([&](const Store& store) { return store.isa() == isa; },
                                [&] { return std::make_shared<Store>(caches, isa); });
  }

  // Defined in engine_setup.h, as is fork().
  Engine(std::shared_ptr<CodeStore<Isa>> store, AddressSpace& memory, ProcessorTiming timing,
         std::shared_ptr<MachineMemory> machine_memory, EngineMode mode,
         const Translation& translation);

  // ---- What another engine has made of the same program: defined in engine_setup.h, too.
  bool makes_usual_code() const;
  void begin_code();
  void hand_code_on() noexcept;

  // What not every engine keeps of a block: see Block::Rest.
  void count_side_tables() {
    code_.blocks.count_side_tables(thread_.core ? sizeof(StraightLine) : 0,
                                   thread_.ledger.side_table_bytes());
  }

  // In bytes. The longer a block, the more lines have to be there before it runs in one go.
  static constexpr std::uint64_t longest_cached_block = 64;

  // ---- Blocks.
  void choose_blocks() {
    const bool looks = times_observer_.see && (!times_observer_.looks || times_observer_.looks());
    code_.runs_blocks =
        mode_ == EngineMode::blocks && !observer_ && !looks && !(thread_.core && slow_cycles_ != 0);
  }

  // How to go on: with the next block, or with the next part of this one; by stepping; not at all,
  // there is a reason to stop.
  enum class Continuation : std::uint8_t { block, part, step, stop };

  Block* find_block(std::uint64_t pc);
  void drop_retired();
  void forget() override;
  std::uint64_t bytes_kept() const;

  bool can_begin_block() const {
    return code_.runs_blocks && thread_.sequencer.begins_line(thread_.interpreter.registers());
  }

  std::uint64_t instructions_in_this_run() const {
    return thread_.instructions - run_.instructions_at_start;
  }

  void end_at_incomplete(Stop& stop);

  // ---- Where the program is at the sampler's moments: defined there, and with what runs then.
  void look_ahead();
  void look_at_sampler();
  void sample_until(std::uint64_t pc, Cycles end);
  void take_samples(std::uint64_t pc, Cycles end);
  bool is_in_time(std::uint64_t pc, Cycles end);
  bool notes_moments() const { return sampler_ != nullptr && !thread_.cached && !calls_; }
  void forget_moments_since(Cycles now);
  void tell_of_moments();
  void tell_of_moment(const NotedMoment& noted);
  void sample_part(const Block& block, const BlockPart& part, const TimedBlock::Entry& entry,
                   BlockExit exit, Cycles entered);
  void sample_nullified(const Block& block, Cycles now);
  void sample_passage(const Block& block, std::size_t retired, bool nullified, Cycles entered);

  // ---- How blocks run: defined in engine_blocks.h.
  void run_until_stopped(Cycles& now, Instructions limit, Stop& stop);
  void end_accesses();
  bool run_blocks(Cycles& now, Instructions limit, Stop& stop);
  Block* next_block(std::uint64_t pc);
  Continuation run_block(Block& block, Cycles& now, Stop& stop);
  Continuation run_fetching(Block& block, Cycles& now, Stop& stop);
  Continuation run_lines(Block& block, TimedBlock::Entry& entry, Cycles& now, Stop& stop);
  bool fetch_line(Block& block, std::size_t first, Cycles& now);
  Continuation run_parts(Block& block, Cycles& now, Stop& stop);
  std::size_t end_of_part(const Block& block, std::size_t first) const;
  template <bool is_whole>
  Continuation execute(Block& block, BlockPart& part, TimedBlock::Entry& entry, Cycles& now,
                       Stop& stop);
  template <bool is_whole>
  Continuation end_block(Block& block, BlockPart& part, TimedBlock::Entry& entry, std::size_t done,
                         Cycles& now, Stop& stop);
  void leave(Block& block, BlockPart& part, TimedBlock::Entry& entry, bool nullified, Cycles& now);
  void pass(Block& block, BlockPart& part, TimedBlock::Entry& entry, BlockExit exit, Cycles& now);
  void leave_before_nullified(Block& block, BlockPart& part, TimedBlock::Entry& entry, Cycles& now);
  Continuation leave_before_last(Block& block, BlockPart& part, TimedBlock::Entry& entry,
                                 std::size_t done, Cycles& now);
  void leave_within(const Block& block, const BlockPart& part, std::size_t done, Cycles& now);
  void pass_slow(Block& block, BlockPart& part, TimedBlock::Entry& entry, BlockExit exit,
                 Cycles& now);
  bool can_pass_slow(const TimedBlock::Entry& entry, Cycles now) const;
  void note_slow_stalls(const Block& block, std::uint64_t slow, std::uint64_t times) const;
  void note_slow(const BlockPart& part);
  std::uint64_t take_off(const BlockPart& part, const TimedBlock::Entry& entry);
  void pass_with_off(Block& block, BlockPart& part, TimedBlock::Entry& entry, BlockExit exit,
                     std::uint64_t off, Cycles& now);
  void pass_one_by_one(Block& block, BlockPart& part, BlockExit exit, Cycles& now);
  void pass_stalled(Block& block, BlockPart& part, TimedBlock::Entry& entry, BlockExit exit,
                    Cycles& now);
  void note_stalls(Block& block, const BlockPart& part);
  void abandon(const Block& block, const BlockPart& part, std::size_t index, Cycles& now);
  void count_accesses(const Block& block, const BlockPart& part, BlockExit exit);
  void issue_prefix(const Block& block, const BlockPart& part, std::size_t count,
                    std::size_t completed, Cycles& now);

  // ---- Blocks as the host's code: defined in engine_translated.h and engine_translations.h.
  struct HostCalls;
  void start_translating();
  const void* code_to_run(Block& block, Cycles now, Instructions limit);
  std::uint64_t cycles_to_translate(Cycles now, Cycles end, Instructions limit) const;
  const void* translate(Block& block, TimedBlock::Entry& entry);
  Recording marked_recording(const Text& text, std::uint64_t pc) const;
  void describe_skip(std::uint64_t pc);
  void note_lost();
  TwoLevelPredictor* predictor() const;
  std::optional<BlockSource::Prediction> prediction_of(const Block& block) const;
  bool still_holds_words() const;
  void forget_translations();
  void forget_code(Block& block);
  void retire_code(Block& block);
  void resume_code(const Block& block);
  void forget_charged_edges();
  void settle_counts() const;
  Continuation run_translated(const void* code, Cycles& now, Instructions limit, Stop& stop);
  Continuation go_on_from(const Translator::Exit& exit, const HostFrame& frame, Cycles& now,
                          Stop& stop);
  void sample(const Block& block);
  void stand_within(Block& block, const Translator::Exit& exit, Cycles& now);
  Continuation go_on_after_stall(Block& block, const Translator::Exit& exit, Cycles& now,
                                 Stop& stop);
  Continuation leave_slow(const Translator::Exit& exit, const HostFrame& frame, Cycles& now);
  void take_back(Block& block, const Translator::Exit& exit, Cycles& now);
  HostFrame::Ran run_one_in_code(HostFrame& frame, const Op* op, std::uint64_t pc,
                                 std::uint32_t index);
  std::uint64_t implicit_access_in_code(std::uint64_t packed, std::uint64_t budget);
  std::uint8_t* host_of(std::uint64_t address, const AccessSite& site);
  std::uint8_t* access_cached(HostFrame& frame, std::uint64_t address, std::uint64_t packed);
  std::uint8_t* access_with_care(HostFrame& frame, std::uint64_t address, std::uint64_t packed);
  Cycles end_at_latest(const HostFrame& frame) const;
  bool only_delays(const HostFrame& frame, const AccessSite& site) const;
  void note_wait(const AccessSite& site, CacheSide side, std::uint32_t cycles);
  struct PlaceInCode {
    Block& block;
    TimedBlock::Entry& entry;
    std::size_t index = 0;  // of the instruction
    bool in_slot;
    Cycles end_at_latest;   // of the block, if nothing else waits
    Instructions executed;  // by all processors, before the instruction
  };
  PlaceInCode place_in_code(const HostFrame& frame, const AccessSite& site);
  bool delay(HostFrame& frame, const PlaceInCode& place, const Stall& stall);
  std::uint8_t* wait_for_data(HostFrame& frame, const PlaceInCode& place, GuestAddr address,
                              const CachedMemory::Data& data);
  bool fetch_line_in_code(HostFrame& frame, std::uint64_t line, std::uint64_t packed);
  bool fetch_with_care(HostFrame& frame, std::uint64_t packed, std::optional<std::uint32_t> wait);
  void await(const PlaceInCode& place, GuestAddr address, const Stall& stall);
  void wait_for_pending_stall(std::uint64_t charged_pc, Cycles& now);
  void run_in_code(Block& block, std::size_t first, std::size_t end);
  // Whether the block's lines are all there.
  bool fetches_hit(Block& block) const {
    return thread_.cached->all_fetches_hit(block.pc, block.fall_through() - 1,
                                           block.fetches_hit_at);
  }

  // ---- Memory: defined in engine_accesses.h.
  // Loads and stores that may cost something; called in the middle of an instruction.
  std::uint8_t* access(GuestAddr address, unsigned size, Access access) override;
  std::optional<Fault> why_not() const override { return run_.access_fault; }

  std::uint8_t* implicit_access(GuestAddr address, unsigned size, Access access,
                                std::uint32_t cycles) override;

  std::uint8_t* refuse(std::optional<Fault> fault) {
    run_.access_fault = fault;
    return nullptr;
  }
  std::uint8_t* host_or_fault(const Result<std::uint8_t*, Fault>& host) {
    return host ? *host : refuse(host.error());
  }

  MemorySystem::Moment moment_of_access();

  // The current instruction waits. False: a clock event comes in that time and finds it there.
  bool stall(std::uint32_t cycles);

  // The current instruction takes so many cycles more, whatever comes in that time.
  void wait(std::uint32_t cycles, const WaitReasons& why);

  // Whether the instruction has made this access before it was interrupted.
  bool take_access_made(const AccessMade& access) {
    if (thread_.access_made != access) return false;
    thread_.access_made.reset();
    return true;
  }

  // The memory system has seen the access, and will not see it again when the instruction runs.
  std::uint8_t* interrupted_access(GuestAddr address) {
    thread_.access_made = {thread_.interpreter.pc(), address};
    thread_.cached->interrupted();
    return refuse(std::nullopt);
  }

  void translation_changed(std::uint64_t page) override {
    if (thread_.cached) thread_.cached->forget_page(page);
  }
  void all_translations_changed() override {
    if (thread_.cached) thread_.cached->forget_space();
  }

  // Whoever stored: this processor, another one that uses the same memory, or the kernel. The
  // running block may be among those that go: it is kept until it has been left, and its last
  // execution counted.
  void code_changed(std::uint64_t page) override {
    if (!code_.blocks.drop_page(page, [this](Block& block) { retire_code(block); })) return;
    code_.has_changed = true;
    if (run_.is_running) thread_.interpreter.stop_after_current();
  }

  // ---- Single instructions: most is defined in engine_steps.h.
  bool step(Cycles& now, Cycles deadline, std::uint64_t left, Stop& stop);

  // Valid until the next call.
  const Instruction& predecoded(const Text& text, std::uint64_t pc) {
    CodeStore<Isa>& store = *code_.blocks.store();
    return store.decoded()->find(store.isa(), text, pc);
  }

  bool step_in_order(const Instruction& instruction, const Text& text, Cycles& now, Stop& stop);
  bool is_off(const InstructionTiming& timing) const;

  // `more`: instructions that have run and are not counted yet.
  std::uint32_t fetch_stall(std::uint64_t pc, Cycles now, std::uint64_t more = 0) {
    const Instructions executed =
        thread_.cached->machine()->instructions + Instructions(instructions_in_this_run() + more);
    return thread_.cached->fetch(pc, {now, executed});
  }

  void wait_for_fetch(std::uint64_t charged_pc, std::uint32_t cycles, const WaitReasons& why,
                      Cycles& now);
  void tell_waits() {
    thread_.pipeline.tell_waits();
    if (thread_.core) thread_.core->tell_reasons();
  }
  bool tells_reasons() const { return thread_.ledger.tells_apart() || times_observer_.see; }
  // Of cycles of the stepped instruction, for who observes it.
  template <class Why>
  void note_reasons(std::uint32_t cycles, const Why& why) {
    if (!times_observer_.see) return;
    for_each_reason(cycles, why, [this](CycleReason reason, std::uint64_t part) {
      run_.times.reasons[reason] += part;
    });
  }
  // Why the last fetch or access waited for so many cycles, if somebody wants to know.
  WaitReasons take_reasons(CacheSide side, std::uint32_t cycles) {
    if (cycles == 0 || !tells_reasons()) return {};
    return thread_.cached->take_reasons(side, cycles);
  }

  void begin_stall() {
    run_.step_stall = 0;
    if (tells_reasons()) run_.step_reasons = {};
  }
  // The stepped instruction waits.
  template <class Why>
  void stall_step(std::uint32_t cycles, const Why& why) {
    run_.step_stall += cycles;
    if (!tells_reasons()) return;
    for_each_reason(cycles, why, [this](CycleReason reason, std::uint64_t part) {
      run_.step_reasons[reason] += part;
    });
  }
  void stall_slow() {
    run_.times.execution_stall = slow_cycles_;
    stall_step(slow_cycles_, CycleReason::unit);
  }

  // Charges the instruction's waits behind its issue.
  void end_stall(Cycles& now) { end_stall(thread_.interpreter.registers().interrupted_pc(), now); }
  void end_stall(std::uint64_t charged_pc, Cycles& now);

  bool execute_one(const Instruction& instruction, Cycles& now, Stop& stop);

  // The pipeline follows a transfer of control that is over.
  void follow(const std::optional<typename Sequencing::Transfer>& transfer);

  // ---- Calls: defined in engine_calls.h.
  struct Calls;
  void follow_calls_of(const Calls& parent);
  void end_blocks_with_functions();
  std::uint64_t depth_of(std::uint64_t stack_pointer) const;
  std::uint64_t stack_depth() const;
  void begin_calls();
  void find_functions_anew(std::uint64_t pc);
  void end_calls();
  void note_place();
  void arrive();
  void arrive_from_kernel(std::uint64_t site);
  void tell_of(CallTree::Arrival arrival);
  void note_transfer(const Block& block, bool taken);
  MadeTransfer transfer_of(const Block& block, std::size_t index) const;
  void tell_of_noted(const HostFrame& frame, std::uint64_t cycles);
  std::optional<BlockSource::Noted> noted_of(const Block& block) const;

  // ---- A place that somebody waits for: defined in engine_watch.h.
  struct Watch;
  void see(const CallTree::Arrival& arrival);
  void look_at_watch();
  bool is_to_be_stepped(const Block& block) const;
  bool has_run(std::uint64_t pc);
  void has_not_run(const Block& block, std::size_t index) const;

  // ---- Instructions that do not take place.
  // The last instruction nullified the one at the pc.
  void pass_nullified(Cycles& now) {
    if (thread_.sequencer.pass_nullified(thread_.interpreter.registers())) {
      thread_.ledger.charge(thread_.interpreter.registers().pc, thread_.pipeline.nullify(),
                            CycleReason::issue, now);
    }
  }

  bool step_over(Cycles& now, Stop& stop);

  // ---- Out of order: defined in engine_out_of_order.h.
  bool step_out_of_order(const Instruction& instruction, const Text& text, Cycles& now, Stop& stop);
  static constexpr std::uint64_t no_deadline = std::uint64_t{1} << 32;  // an instruction is shorter
  void forget_misses();
  MadeFetch make_fetch(std::uint64_t pc, Cycles now, std::uint64_t more = 0);
  void note_miss(CacheSide side, std::size_t index, std::uint32_t cycles, const WaitReasons& why);
  bool retire(Cycles deadline);
  bool retire_in_time();
  bool retire_nullified(Cycles& now);
  std::uint8_t* access_out_of_order(GuestAddr address, unsigned size, Access access);
  OutOfOrderCore::Resolution outcome_of(OutOfOrderCore::Transfer kind, bool links, std::uint64_t pc,
                                        bool nullified);
  void connect_window();
  const AccessTable& hits() const;
  Continuation run_in_window(Block& block, Cycles& now, Stop& stop);
  Continuation run_lines_in_window(Block& block, Cycles& now, Stop& stop);
  bool fetch_line_in_window(Block& block, std::size_t first, Cycles& now);
  const StraightLine& line_of(Block& block);
  void make_line(Block& block);
  std::uint8_t* access_in_window(GuestAddr address, unsigned size, Access access);
  std::uint8_t* access_cache_in_window(GuestAddr address, unsigned size, Access access,
                                       std::size_t index);
  std::uint8_t* wait_in_window(std::size_t index, GuestAddr address, std::uint8_t* host);
  MemorySystem::Moment moment_in_window(std::size_t index);
  void resolve_before(Block& block, std::size_t index, bool nullified);
  Continuation leave_window(Block& block, std::size_t done, Cycles& now, Stop& stop);
  void leave_window_behind(Block& block, std::size_t done, bool issues_nullified, Cycles& now);
  void abandon_in_window(Block& block, std::size_t index, Cycles& now);
  void charge_passage(Block&, std::uint64_t cycles, Cycles&, std::size_t retired, bool nullified);
  void count_in_window(const Block& block, std::size_t fetched, std::size_t completed);

  AddressSpace& memory_;
  ProcessorTiming timing_;
  EngineMode mode_;
  Translation translation_;
  std::uint32_t slow_cycles_ = 0;  // 0: no instruction is slow
  bool may_wait_ = false;          // an instruction may, for memory
  bool moments_matter_ = false;    // what an access costs may depend on when it is made
  ThreadContext<Isa> thread_;
  CodeSpace<Isa> code_;
  EngineRun<Isa> run_;
  std::unique_ptr<Calls> calls_;  // null: nobody follows them
  std::unique_ptr<Watch> watch_;  // null: nobody waits for a place
  PcSampler* sampler_ = nullptr;  // null: there is none
  NotedMoments moments_;          // of it
  Cpu::InstructionObserver observer_;
  TimingObserver times_observer_;
};

}  // namespace hardclock
