#include "cli/lab_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/answer.h"
#include "cli/known_functions.h"
#include "cli/lab_counts.h"
#include "cli/lab_places.h"
#include "cli/lab_profile.h"
#include "cli/lab_rules.h"
#include "cli/processor_choice.h"
#include "cli/run_ending.h"
#include "cli/run_setup.h"
#include "cli/run_signals.h"
#include "cli/simulation_setup.h"
#include "cli/values.h"
#include "isa/instruction_sets.h"
#include "sim/trace/instruction_stages.h"
#include "syscalls/posix/library_search.h"
#include "syscalls/posix/state.h"

namespace hardclock {
namespace {

using lab::Frame;

struct NamedCache {
  const char* name;
  MemorySystem::CacheCounts MemorySystem::Statistics::*counts;
};

constexpr NamedCache caches[] = {{"l1i", &MemorySystem::Statistics::l1i},
                                 {"l1d", &MemorySystem::Statistics::l1d},
                                 {"l2", &MemorySystem::Statistics::l2},
                                 {"l3", &MemorySystem::Statistics::l3}};

bool has_cache(const MemoryDescription& memory, const NamedCache& cache) {
  const std::string_view name = cache.name;
  if (name == "l2") return memory.l2.present();
  if (name == "l3") return memory.l3.present();
  return memory.l1.present() || (name == "l1i" ? memory.l1i : memory.l1d).present();
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string without_tabs(std::string text) {
  std::ranges::replace(text, '\t', ' ');
  return text;
}

// What the machine saw of the instruction that is being stepped.
struct Seen {
  InstructionTimes times;
  bool is_new = false;
};

// Many machines begin and end in one lab.
SimulationOptions lab_simulation_options(const RunOptions& options, const CpuSetup& cpu,
                                         const posix::UnixSystem& os) {
  SimulationOptions made = simulation_options(options, cpu, os);
  made.leaves_last_processors = false;
  return made;
}

class LabMachine final : public lab::Machine {
 public:
  // `place`: see waiting_for().
  LabMachine(const RunOptions& options, GuestProgram guest, CpuSetup cpu,
             const posix::UnixSystem& os, const lab::Place* place)
      : options_(options),
        place_(place != nullptr ? std::optional(*place) : std::nullopt),
        guest_(std::move(guest)),
        cpu_(std::move(cpu)),
        os_(os),
        context_{*os.profiling, text_bytes()},
        counts_(context_),
        simulation_(lab_simulation_options(options, cpu_, os)),
        kernel_(os, kernel_options()) {
    // Only whoever steps looks at them.
    simulation_.observers.explain = &explained_;
  }

  Result<Ok, std::string> start() {
    if (cpu_.memory != nullptr) {
      simulation_.budget()->on_frame_end(
          [memory = cpu_.memory](std::uint64_t frame) { memory->forget_frame(frame); });
    }
    auto stages = InstructionStages::create(*cpu_.description);
    if (stages) stages_ = *std::move(stages);
    const auto started = kernel_.start(simulation_, guest_.program, silent_streams());
    if (!started) return Failure{printable_path(options_.program) + ": " + started.error()};
    process_ = (*started)->pid;
    image_ = (*started)->image;
    path_ = (*started)->program;
    describe_facts(*(*started)->main_thread().cpu);
    if (!options_.lab->profil) return Ok{};
    return profile(**started);
  }

  const lab::MachineFacts& facts() const override { return facts_; }
  const std::vector<lab::Rule>& rules() const override { return counts_.rules(); }
  std::uint64_t instructions() const override { return simulation_.instructions().value(); }
  Cycles now() const override { return simulation_.clock().now(); }
  Cycles next_tick() const override { return simulation_.clock().next_event(); }
  StateDigest state() const override { return digest_of(simulation_); }
  Result<Snapshot, std::string> save() override { return simulation_.save(); }
  void load(const Snapshot& snapshot) override {
    simulation_.load(snapshot, kernel_);
    looks_ = false;
    ending_.clear();
  }
  std::string ending() const override { return ending_; }

  std::optional<Frame> step() override;
  bool run_to_cycle(Cycles time) override;
  bool run_to_instruction(std::uint64_t number) override;
  bool run_to_place(std::uint64_t times) override;
  bool run_past_events(std::uint64_t events) override;
  void stop_if(std::function<bool()> wanted) override { is_stop_wanted_ = std::move(wanted); }

  std::optional<lab::Place> place_of(std::string_view where) const override {
    return lab_place(where, *image_, path_);
  }
  Result<std::unique_ptr<lab::Machine>, std::string> anew() const override {
    return make_lab_machine(options_, nullptr);
  }
  Result<std::unique_ptr<lab::Machine>, std::string> waiting_for(
      const lab::Place& place) const override {
    return make_lab_machine(options_, &place);
  }

 private:
  posix::Options kernel_options();
  posix::MakeCpu cpu_maker();
  static host::StandardStreams silent_streams();
  std::uint64_t text_bytes() const;
  Cycles longest_instruction(const Cpu& cpu) const;
  void describe_facts(const Cpu& cpu);
  Result<Ok, std::string> profile(Process& process);

  // Runs until `stop`, which is asked before each stretch of at most `stretch` instructions. False:
  // the program has ended, or somebody wants the lab to end.
  bool drive(const std::function<bool()>& stop, Instructions stretch);
  void look_at_instructions(bool is_on);
  void look(Cpu& cpu);
  void wait_for_place(Cpu& cpu, const posix::Program& program);
  Thread* thread_that_ran();
  void fill(Frame& frame, Thread* thread);
  void fill_caches(Frame& frame);
  static std::string name_of(const Process& process, GuestAddr pc) {
    return describe(process.image->symbols, pc);
  }
  std::optional<lab::ClockEvent> clock_event(Ticks before, const Thread* thread);
  void forget_what_was_seen();
  void end(const SimulationEnd& outcome);

  RunOptions options_;
  std::optional<lab::Place> place_;  // that run_to_place() runs to
  // Before that, so often that it is never enough.
  std::shared_ptr<Awaited> awaited_ =
      std::make_shared<Awaited>(Awaited{.left = ~std::uint64_t{0}, .stops = true});
  std::function<bool()> is_stop_wanted_;
  GuestProgram guest_;
  CpuSetup cpu_;
  const posix::UnixSystem& os_;
  RuleContext context_;
  LabCounts counts_;
  lab::MachineFacts facts_;
  const debug::RegisterSet* registers_ = nullptr;
  std::vector<unsigned> register_numbers_;  // by facts_.registers
  std::vector<const NamedCache*> caches_;   // by facts_.caches, without the TLB
  std::ostringstream explained_;
  std::string output_;
  bool looks_ = false;
  Seen seen_;
  std::shared_ptr<const Disassembler> disassembler_;         // of the last program that began
  std::map<std::pair<int, int>, ExecutionCounts> executed_;  // by pid and thread
  Cycles own_cycles_;  // of the thread that ran, in its last step
  std::optional<InstructionStages> stages_;
  MemorySystem::Statistics memory_before_;
  std::shared_ptr<const lab::Profile> profile_;
  std::shared_ptr<const Image> image_;  // of the process that ran last
  std::string path_;                    // of its program
  std::vector<debug::RegisterValue> last_registers_;
  std::string ending_;
  int process_ = 0;
  Simulation simulation_;
  posix::Kernel kernel_;
};

// ---- Setting up.

posix::Options LabMachine::kernel_options() {
  posix::Options options{guest_.files,
                         host::TimeOfDay(options_.start_time.time_since_epoch().count()),
                         cpu_maker(),
                         [](const std::string&) {},
                         [this](int, std::span<const std::uint8_t> bytes) {
                           constexpr std::size_t most = 4096;
                           output_.append(bytes.begin(), bytes.end());
                           if (output_.size() > most) output_.erase(0, output_.size() - most);
                         },
                         options_.host_name};
  options.charged = [this](const posix::ChargeSeen& seen) {
    counts_.charge(seen, name_of(seen.thread.process, seen.pc));
  };
  return options;
}

posix::MakeCpu LabMachine::cpu_maker() {
  return [this](const posix::Program& program, const posix::Port& port,
                AddressSpace& memory) -> Result<std::unique_ptr<Cpu>, std::string> {
    const auto description = suitable_cpu(cpu_, program, port);
    if (!description) return Failure{description.error()};
    auto cpu = make_cpu(cpu_, **description, program, port, memory);
    disassembler_ = instruction_set_of(**description).executed(**description, *program.image);
    if (looks_) look(*cpu);
    if (place_) wait_for_place(*cpu, program);
    return cpu;
  };
}

host::StandardStreams LabMachine::silent_streams() {
  const host::OpenedSynthetic input{.rights = {.read = true}}, output{.rights = {.write = true}};
  return {input, output, output};
}

std::uint64_t LabMachine::text_bytes() const {
  const auto disassembler = find_disassembler(*guest_.program.image);
  return disassembler == nullptr ? 4 : disassembler->text_bytes();
}

// With what the kernel does for it.
Cycles LabMachine::longest_instruction(const Cpu& cpu) const {
  const KernelCosts& costs = cpu_.kernel_costs;
  return cpu.longest_instruction() + costs.system_call + costs.trap + costs.context_switch +
         costs.exit + costs.clock_tick + costs.page_fault + costs.copy_on_write_fault;
}

void LabMachine::describe_facts(const Cpu& cpu) {
  const Image& image = *guest_.program.image;
  constexpr unsigned digit_bits = 4;
  facts_.program = base_name(options_.program);
  facts_.processor = cpu_.machine != nullptr ? cpu_.machine->name : cpu_.description->name;
  facts_.system = os_.name;
  facts_.clock = simulation_.clock().cpu_rate();
  facts_.tick_rate = simulation_.clock().tick_rate();
  facts_.address_digits = image.address_bits / digit_bits;
  facts_.longest_instruction = longest_instruction(cpu);
  if (cpu_.memory != nullptr) {
    for (const NamedCache& cache : caches) {
      if (!has_cache(cpu_.memory->system.description(), cache)) continue;
      facts_.caches.emplace_back(cache.name);
      caches_.push_back(&cache);
    }
    facts_.caches.emplace_back("tlb");
  }
  const InstructionSet& set = instruction_set_of(*cpu_.description);
  if (set.debug_registers == nullptr) return;
  registers_ = &set.debug_registers(image);
  for (unsigned number = 0; number < registers_->count(); ++number) {
    if (number == registers_->pc || registers_->name(number).empty()) continue;
    register_numbers_.push_back(number);
    const unsigned digits = (registers_->bits(number) + digit_bits - 1) / digit_bits;
    facts_.registers.push_back({registers_->name(number), digits});
  }
}

// ---- A profile for a program that does not ask for one.

Result<Ok, std::string> LabMachine::profile(Process& process) {
  const LabChoice::Profil& wanted = *options_.lab->profil;
  const auto range = profiled_range(wanted.where, *process.image);
  if (!range) return Failure{range.error()};
  // One counter of two bytes for each instruction.
  constexpr std::uint64_t one = 0x10000, counter_bytes = 2;
  const std::uint64_t scale =
      wanted.scale.value_or(one * counter_bytes / context_.instruction_bytes);
  const std::uint64_t text = range->second - range->first;
  constexpr std::uint64_t most_text = std::uint64_t{1} << 30;
  if (text > most_text)
    return Failure{std::string("--profil: a range of more than 1 GB; name a smaller one")};
  const std::uint64_t size = (text * scale / one / counter_bytes + 1) * counter_bytes;
  AddressSpace& memory = *process.memory;
  const profil::SystemRules& system = *os_.profiling;
  constexpr unsigned small_word = 16;
  const std::uint64_t end = memory.user_end().value();
  constexpr std::uint64_t small_low = 0xf000, small_end = 0x10000;
  const bool is_small = system.word_bits == small_word;
  const GuestAddr low(is_small ? small_low : end / 4 * 3);
  const auto buffer = memory.find_free(low, GuestAddr(is_small ? small_end : end), size);
  if (!buffer || !memory.map(*buffer, size, {.read = true, .write = true}, "profil buffer").ok()) {
    return Failure{fmt::format(
        "--profil: no room for a buffer of {} bytes; name a function, or a smaller scale", size)};
  }
  const auto state = system.profil({}, {buffer->value(), size, range->first.value(), scale},
                                   posix::abi_of(process).address_bits);
  if (!state)
    return Failure{fmt::format("--profil: the system's profil() refuses scale {:#x}", scale)};
  kernel_.profiling().set(process.main_thread(), *state);
  return Ok{};
}

// ---- Running.

void LabMachine::look(Cpu& cpu) {
  cpu.observe_timing({[this](const InstructionTimes& times) { seen_ = {times, true}; }});
}

void LabMachine::look_at_instructions(bool is_on) {
  if (std::exchange(looks_, is_on) == is_on) return;
  if (is_on && stages_) stages_->restart();
  for (Process* const process : simulation_.processes()) {
    for (const auto& thread : process->threads) {
      if (is_on) {
        look(*thread->cpu);
      } else {
        thread->cpu->observe_timing({});
      }
    }
  }
}

void LabMachine::forget_what_was_seen() {
  counts_.take_charges();
  explained_.str({});
  output_.clear();
  seen_.is_new = false;
}

void LabMachine::end(const SimulationEnd& outcome) {
  if (outcome.kind == SimulationEnd::Kind::interrupted) return;
  const RunEnding ended = ending_of(outcome, false);
  if (outcome.kind != SimulationEnd::Kind::exited) {
    ending_ = ended.name;
  } else if (outcome.status.by_signal) {
    ending_ = fmt::format("signal {}", outcome.status.code);
  } else {
    ending_ = fmt::format("exit status {}", outcome.status.code);
    const bool may_lack_files =
        outcome.status.code != 0 && options_.working_directory != DirectoryAccess::read_write;
    if (may_lack_files) ending_ += "; it may write no file without --cwd=rw";
  }
}

bool LabMachine::drive(const std::function<bool()>& stop, Instructions stretch) {
  if (!ending_.empty()) return false;
  bool is_there = false;
  simulation_.set_longest_stretch(stretch);
  const Simulation::Poll poll(simulation_, [&] {
    if (is_to_end() || (is_stop_wanted_ && is_stop_wanted_())) return false;
    is_there = stop();
    return !is_there;
  });
  const SimulationEnd outcome = simulation_.run();
  simulation_.set_longest_stretch(Simulation::longest_stretch);
  if (is_there) return true;
  end(outcome);
  return false;
}

bool LabMachine::run_to_cycle(Cycles time) {
  look_at_instructions(false);
  simulation_.stop_at(time);
  const bool is_there = drive(
      [&] {
        forget_what_was_seen();
        return now() >= time;
      },
      Simulation::longest_stretch);
  simulation_.stop_at(std::nullopt);
  return is_there;
}

bool LabMachine::run_to_instruction(std::uint64_t number) {
  look_at_instructions(false);
  return drive(
      [&] {
        forget_what_was_seen();
        const std::uint64_t done = instructions();
        if (done >= number) return true;
        simulation_.set_longest_stretch(
            std::min(Instructions(number - done), Simulation::longest_stretch));
        return false;
      },
      Instructions(1));
}

// As the processor knows it, whose program may be another one by an exec.
void LabMachine::wait_for_place(Cpu& cpu, const posix::Program& program) {
  if (program.path != place_->program) return;
  WatchedPlace watched{.pc = place_->pc};
  if (place_->is_function) {
    watched = entry_of(*program.image, place_->pc);
    cpu.collect_calls(std::make_shared<KnownFunctions>(
        program.image, program.path, std::make_shared<SharedObjects>(guest_.files)));
  }
  cpu.watch(watched, awaited_);
}

bool LabMachine::run_to_place(std::uint64_t times) {
  look_at_instructions(false);
  awaited_->left = times;
  const auto is_there = [this] {
    forget_what_was_seen();
    return awaited_->left == 0;
  };
  // The instruction there may also be the program's last one.
  return drive(is_there, Simulation::longest_stretch) || awaited_->left == 0;
}

// An event is the next instruction's, if it is not a system call's own: so the run goes on
// instruction by instruction until that is over, and where the kernel may still do something before
// the next one.
bool LabMachine::run_past_events(std::uint64_t events) {
  look_at_instructions(false);
  forget_what_was_seen();
  thread_that_ran();
  std::uint64_t number = instructions();
  Ticks ticks = simulation_.clock().ticks();
  bool looks_at_each = true;
  return drive(
      [&] {
        const std::uint64_t before = std::exchange(number, instructions());
        Thread* const thread = number != before ? thread_that_ran() : nullptr;
        bool has_event = simulation_.clock().ticks() != ticks || explained_.tellp() > 0;
        if (has_event && number != before && (looks_at_each || simulation_.is_behind_call())) {
          const auto event = clock_event(ticks, thread);
          if (event && !event->is_owed) --events;
          forget_what_was_seen();
          ticks = simulation_.clock().ticks();
          has_event = false;
        }
        looks_at_each = has_event || !simulation_.is_between_instructions();
        simulation_.set_longest_stretch(looks_at_each ? Instructions(1)
                                                      : Simulation::longest_stretch);
        return events == 0;
      },
      Instructions(1));
}

// ---- Frames.

Thread* LabMachine::thread_that_ran() {
  Thread* ran = nullptr;
  std::map<std::pair<int, int>, ExecutionCounts> executed;
  for (Process* const process : simulation_.processes()) {
    for (const auto& thread : process->threads) {
      const std::pair name(process->pid, thread->id);
      const ExecutionCounts done = thread->cpu->counts();
      const auto known = executed_.find(name);
      const ExecutionCounts before = known == executed_.end() ? ExecutionCounts() : known->second;
      executed[name] = done;
      if (before.instructions == done.instructions) continue;
      ran = thread.get();
      own_cycles_ = done.cycles - std::min(done.cycles, before.cycles);
    }
  }
  executed_ = std::move(executed);
  return ran;
}

void LabMachine::fill_caches(Frame& frame) {
  if (cpu_.memory == nullptr) return;
  const MemorySystem::Statistics now = cpu_.memory->system.statistics();
  for (const NamedCache* const cache : caches_) {
    const MemorySystem::CacheCounts& counts = now.*cache->counts;
    const MemorySystem::CacheCounts& before = memory_before_.*cache->counts;
    frame.caches.push_back({counts.accesses, counts.misses, counts.accesses - before.accesses,
                            counts.misses - before.misses});
  }
  frame.caches.push_back({0, now.tlb_misses, 0, now.tlb_misses - memory_before_.tlb_misses});
  memory_before_ = now;
}

std::optional<lab::ClockEvent> LabMachine::clock_event(Ticks before, const Thread* thread) {
  lab::ClockEvent event;
  event.ticks = simulation_.clock().ticks() - before;
  event.charges = counts_.take_charges();
  std::istringstream lines(explained_.str());
  for (std::string line; std::getline(lines, line);) event.log.push_back(line);
  const bool is_fast_tick = !event.log.empty();
  if (event.ticks == Ticks(0) && event.charges.empty() && !is_fast_tick) return std::nullopt;
  event.is_owed =
      thread != nullptr && thread->in_kernel && event.charges.empty() && event.ticks != Ticks(0);
  return event;
}

void LabMachine::fill(Frame& frame, Thread* thread) {
  const InstructionTimes& times = seen_.times;
  frame.pc = times.text.pc();
  frame.text = without_tabs(disassembler_->disassemble(times.text));
  frame.record.number = frame.number;
  frame.record.pc = frame.pc;
  frame.record.completed = times.completed;
  const auto register_name = instruction_set_of(*cpu_.description).register_name;
  frame.record.notes =
      waits_of(times, times.awaited ? register_name(*times.awaited) : std::string());
  if (stages_) frame.record.stages = stages_->next(times);
  if (thread == nullptr) {
    frame.place = describe(image_->symbols, frame.pc);
    frame.registers = last_registers_;
    frame.next_pc = frame.pc;
    frame.profile = profile_;
    frame.next_place = "the end";
    return;
  }
  const Process& process = thread->process;
  image_ = process.image;
  path_ = process.program;
  frame.process = process_ = process.pid;
  frame.next_pc =
      GuestAddr(bit_field(thread->cpu->interrupted_pc().value(), 0, process.image->address_bits));
  frame.place = name_of(process, frame.pc);
  frame.next_place = name_of(process, frame.next_pc);
  for (const unsigned number : register_numbers_) {
    frame.registers.push_back(debug::within(registers_->read(*thread->cpu, number).value_or(0),
                                            registers_->bits(number)));
  }
  last_registers_ = frame.registers;
  const profil::State& state = kernel_.profiling().of(*thread);
  const auto* const known = static_cast<const KernelProfile*>(profile_.get());
  if (known == nullptr || !(known->state() == state))
    profile_ = std::make_shared<KernelProfile>(state, context_);
  frame.profile = profile_;
}

std::optional<Frame> LabMachine::step() {
  look_at_instructions(true);
  forget_what_was_seen();
  thread_that_ran();
  const std::uint64_t before = instructions();
  const Ticks ticks = simulation_.clock().ticks();
  const Cycles time = now();
  if (cpu_.memory != nullptr) memory_before_ = cpu_.memory->system.statistics();
  drive([&] { return instructions() != before; }, Instructions(1));
  if (!seen_.is_new) return std::nullopt;
  Frame frame;
  frame.number = instructions();
  Thread* const thread = thread_that_ran();
  if (profile_ == nullptr) profile_ = std::make_shared<KernelProfile>(profil::State{}, context_);
  fill(frame, thread);
  if (thread != nullptr && now() - time > own_cycles_)
    frame.record.notes.push_back(fmt::format("kernel {}", (now() - time - own_cycles_).value()));
  fill_caches(frame);
  frame.now = now();
  frame.next_tick = next_tick();
  frame.ticks = simulation_.clock().ticks();
  frame.clock = clock_event(ticks, thread);
  frame.counters = counts_.rows_of(process_);
  frame.output = std::exchange(output_, {});
  return frame;
}

}  // namespace

Result<std::unique_ptr<lab::Machine>, std::string> make_lab_machine(const RunOptions& options,
                                                                    const lab::Place* place) {
  auto guest = find_guest_program(options);
  if (!guest) return Failure{guest.error().message};
  for (const std::string& notice : guest->lacking) complain(notice);
  const auto os = choose_os(options, *guest->program.image);
  if (!os) return Failure{os.error().message};
  posix::find_libraries(*guest->files, *os->port, guest->program);
  auto cpu = choose_cpu(options, guest->program, *os->port);
  if (!cpu) return Failure{cpu.error().message};
  const Hertz tick_rate = options.tick_rate.value_or(os->system->profiling->tick_rate);
  if (const auto error = error_in(cpu->kernel_costs, cpu->clock, tick_rate)) return Failure{*error};
  auto machine =
      std::make_unique<LabMachine>(options, *std::move(guest), *std::move(cpu), *os->system, place);
  if (const auto started = machine->start(); !started) return Failure{started.error()};
  return std::unique_ptr<lab::Machine>(std::move(machine));
}

}  // namespace hardclock
