// hardclock run: a guest program from its first instruction to its exit status.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/digest_log.h"
#include "cli/engine_check.h"
#include "cli/jobs/sweep_jobs.h"
#include "cli/known_functions.h"
#include "cli/last_words.h"
#include "cli/pipeline_setup.h"
#include "cli/pipeline_view.h"
#include "cli/processor_choice.h"
#include "cli/profile_files.h"
#include "cli/progress.h"
#include "cli/run_ending.h"
#include "cli/run_options.h"
#include "cli/run_outputs.h"
#include "cli/run_profile.h"
#include "cli/run_setup.h"
#include "cli/run_signals.h"
#include "cli/run_terminal.h"
#include "cli/shared_objects.h"
#include "cli/simulation_setup.h"
#include "cli/snapshot_check.h"
#include "cli/statistics.h"
#include "cli/sweep_answer.h"
#include "cli/terminal.h"
#include "isa/foreign_instruction.h"
#include "isa/instruction_sets.h"
#include "sim/base/last_work.h"
#include "sim/load/text_hash.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"
#include "sim/report/viewers/output_formats.h"
#include "sim/translator/code_memory.h"
#include "syscalls/host/own_memory.h"
#include "syscalls/host/sandbox.h"
#include "syscalls/host/standard_streams.h"
#include "syscalls/posix/library_search.h"
#include "syscalls/posix/process_memory.h"

namespace hardclock {
namespace {

using SharedDisassembler = std::shared_ptr<const Disassembler>;

void trace_instructions(Cpu& cpu, const SharedDisassembler& disassembler, std::ostream& out) {
  cpu.observe([&out, disassembler](const InstructionText& text, Cycles cycle) {
    out << fmt::format("{:12}  {:08x}: {} {}\n", cycle.value(), text.pc().value(),
                       disassembler->digits(text), disassembler->disassemble(text));
  });
}

// A check of --check, and where its lines go.
struct CheckSetup {
  const Check* check = nullptr;  // nullptr: none
  std::function<void(const std::string&)> report;
  // Of --check=engines; nullopt: another check, or none.
  std::optional<CpuSetup> reference;
  std::function<void(const std::string&)> end_after_difference;
};

// What processors collect for a profile.
struct Collected {
  bool cycles = false;
  bool reasons = false;                      // of cycles
  std::shared_ptr<SharedObjects> for_calls;  // nullptr: no calls
};

posix::MakeCpu cpu_maker(const CpuSetup& setup, const Collected& collected, std::ostream* trace,
                         const PipelineSetup& pipeline, CheckSetup checked, bool& translates) {
  return [setup, collected, trace, pipeline, &translates, checked = std::move(checked)](
             const posix::Program& program, const posix::Port& port,
             AddressSpace& memory) -> Result<std::unique_ptr<Cpu>, std::string> {
    const auto description = suitable_cpu(setup, program, port);
    if (!description) return Failure{description.error()};
    const Image& image = *program.image;
    const SharedDisassembler disassembler =
        instruction_set_of(**description).executed(**description, image);
    auto cpu = checked.reference
                   ? make_checked_cpu(setup, *checked.reference, **description, program, port,
                                      memory, checked.end_after_difference)
                   : make_cpu(setup, **description, program, port, memory);
    if (checked.check != nullptr) cpu = checked.check->add(std::move(cpu), checked.report);
    if (collected.cycles) cpu->collect_cycle_profile();
    if (collected.reasons) cpu->collect_reasons();
    if (collected.for_calls != nullptr) {
      cpu->collect_calls(
          std::make_shared<KnownFunctions>(program.image, program.path, collected.for_calls));
    }
    if (trace != nullptr) trace_instructions(*cpu, disassembler, *trace);
    if (pipeline.view != nullptr) {
      show_pipeline(*cpu, pipeline, program, disassembler,
                    instruction_set_of(**description).register_name);
    }
    translates = translates || cpu->translates();
    return cpu;
  };
}

// Labels keep two fifths of a narrow line.
DiagramLayout layout_for(const Terminal& terminal) {
  DiagramLayout layout;
  if (terminal.columns == Terminal::no_limit) return layout;
  layout.width = terminal.columns;
  layout.label_width = std::min(layout.label_width, terminal.columns * 2 / 5);
  return layout;
}

// Says why there is no run, or why it did not end well. A failure after a signal that ends the run
// is a result of that signal.
int refuse(const std::string& message) {
  return ending_signal() != 0 ? status_of_signal(ending_signal()) : complain(message);
}

// With one of the checks that every instruction set has.
bool checks_engines(const RunOptions& options) {
  return options.check == "engines";
}
bool checks_snapshots(const RunOptions& options) {
  return options.check == "snapshots";
}

// One run of the machine, with what the user wants to know about it afterwards.
class Run {
 public:
  Run(const RunOptions& options, GuestProgram guest, const CpuSetup& cpu,
      const posix::UnixSystem& os, const Check* check)
      : options_(options),
        guest_(std::move(guest)),
        cpu_(cpu),
        os_(os),
        check_(check),
        reference_(checks_engines(options) ? std::optional(reference_of(cpu)) : std::nullopt),
        simulation_(simulation_options(options, cpu, os)) {}

  int run() {
    if (auto opened = outputs_.open(options_, files_in_use(options_, guest_)); !opened) {
      return refuse(opened.error());
    }
    auto streams = host::open_standard_streams(guest_.files->records(), guest_.files->use());
    if (!streams) return refuse(streams.error());
    if (auto made = make_pipeline_view(); !made) return refuse(made.error());
    if (cpu_.memory != nullptr) {
      const auto reference = reference_ ? reference_->memory : nullptr;
      simulation_.budget()->on_frame_end([memory = cpu_.memory, reference](std::uint64_t frame) {
        memory->forget_frame(frame);
        if (reference != nullptr) reference->forget_frame(frame);
      });
    }
    simulation_.observers = {outputs_.explain(), outputs_.strace()};
    if (cpu_.translation.is_on) make_code_memory();
    Progress progress(!outputs_.use_standard_error());
    const RunTerminal terminal(options_.terminal ? host::Terminal::of_standard_streams() : nullptr);
    const auto internet = options_.internet ? std::make_shared<host::Internet>() : nullptr;
    posix::Kernel kernel(
        os_, {guest_.files,
              host::TimeOfDay(options_.start_time.time_since_epoch().count()),
              cpu_maker(cpu_, collected(), outputs_.trace(), pipeline_setup(),
                        {check_,
                         [this, &progress](const std::string& line) {
                           ++findings_;
                           progress.clear_line();
                           complain(line);
                         },
                         reference_,
                         [&progress](const std::string& difference) {
                           progress.clear_line();
                           complain("internal error: " + difference + "; please report this");
                           end_after_bug();
                         }},
                        translates_),
              [this, &progress](const std::string& line) {
                progress.clear_line();
                complain(line);
              },
              [&progress](int stream, std::span<const std::uint8_t> bytes) {
                progress.guest_writes(stream, bytes);
              },
              options_.host_name,
              {},
              terminal.terminal(),
              internet,
              [this](const Thread& thread) {
                return who_has_instruction(*cpu_.description, *thread.process.image,
                                           *thread.process.memory,
                                           thread.cpu->next_instruction().pc);
              },
              names_functions()});
    terminal.attach(simulation_, internet);
    const auto started = kernel.start(simulation_, guest_.program, *std::move(streams));
    if (!started) return refuse(printable_path(options_.program) + ": " + started.error());
    simulation_.on_poll([&] {
      terminal.poll(kernel);
      progress.poll(simulation_, !terminal.is_in_use());
      return !is_to_end() && !outputs_.log_failed() && !host::has_run_out_of_memory();
    });
    const LastWords last_words([&](const char* ending) {
      const auto written = write_results(ending, kernel);
      if (!written) complain(written.error());
    });
    sandbox_ = confine();
    const double host_start = Progress::host_seconds();
    const RunEnding ending = run_simulation(kernel, progress);
    host_seconds_ = Progress::host_seconds() - host_start;
    host::restore_terminal();
    progress.clear_line();
    if (!ending.line.empty()) complain(ending.line);
    if (ending.has_no_memory) complain_of_memory();
    if (findings_ != 0) complain(fmt::format("--check: {} {}", findings_, check_->found));
    if (const auto lacking = lacking_in_pipeline()) complain(*lacking);
    const auto written = write_results(ending.name, kernel);
    remove_scratch();
    return written ? ending.status : refuse(written.error());
  }

 private:
  // The sandbox would not let it be mapped.
  void make_code_memory() {
    code_memory_ = CodeMemory::of(simulation_.budget()->caches());
    cpu_.translation.is_on = code_memory_ != nullptr;
  }

  SimulationEnd run_with_stops(posix::Kernel& kernel, Progress& progress) {
    if (outputs_.digest() != nullptr)
      return DigestLog(*outputs_.digest(), options_.digest->every).run(simulation_);
    if (!checks_snapshots(options_)) return simulation_.run();
    SnapshotCheck check([&progress](const std::string& difference) {
      progress.clear_line();
      complain("internal error: " + difference + "; please report this");
      end_after_bug();
    });
    SimulationEnd outcome = check.run(simulation_, kernel);
    progress.clear_line();
    complain(check.result());
    return outcome;
  }

  RunEnding run_simulation(posix::Kernel& kernel, Progress& progress) {
    std::optional<SimulationEnd> outcome;
    try {
      outcome = run_with_stops(kernel, progress);
    } catch (const std::bad_alloc&) {
      // The processes are as they were, and none will run again.
    }
    if (outcome && !host::has_run_out_of_memory())
      return ending_of(*outcome, outputs_.log_failed());
    give_back_pages();
    return end_without_memory();
  }

  // The guest's, for what is to be written. Of code even that wants memory: one by one.
  void give_back_pages() {
    do_last_work([this] {
      for (const Process* const process : simulation_.processes()) {
        if (process->memory != nullptr) give_back_pages_of(*process->memory);
      }
    });
  }

  static void give_back_pages_of(AddressSpace& memory) {
    for (std::uint64_t at = 0; const Region* const region = posix::next_region(memory, at);) {
      const std::uint64_t start = region->start, end = region->end;
      do_last_work([&] { (void)memory.unmap(GuestAddr(start), end - start); });
      at = end;
    }
  }

  Collected collected() const {
    Collected collected{
        .cycles = keeps_profiles(options_), .reasons = options_.reasons, .for_calls = {}};
    if (keeps_calls() || follows_calls_)
      collected.for_calls = std::make_shared<SharedObjects>(guest_.files);
    return collected;
  }
  // A run that ends at a limit says where.
  bool names_functions() const {
    return keeps_profiles(options_) || keeps_calls() || pipeline_ != nullptr || options_.check ||
           options_.explain || options_.max_instructions || options_.max_cycles;
  }
  // In the profile.
  bool keeps_calls() const { return options_.calls || shows_calls(options_.profile); }

  // All files that the run needs are open by now.
  host::Sandbox confine() const {
    std::optional<std::string> temporary;
    if (guest_.scratch != nullptr) temporary = guest_.scratch->path();
    return host::confine(guest_.space, output_directories(options_), temporary, options_.internet);
  }

  Result<Ok, std::string> make_pipeline_view() {
    if (!options_.pipeline) return Ok{};
    const PipelineChoice& choice = *options_.pipeline;
    const auto from = place_of(choice.where, *guest_.program.image);
    if (!from) {
      return Failure{"--pipeline: the program has no function '" + printable(choice.where) +
                     "'; name one, or an address like 0x400100"};
    }
    const std::string& file = choice.target.file;
    const bool konata = file.ends_with(".kanata") || file.ends_with(".konata");
    auto view = PipelineView::create(
        *cpu_.description, {choice.nth, choice.count},
        konata ? PipelineView::Format::konata : PipelineView::Format::text,
        file.empty() ? layout_for(terminal_of(STDERR_FILENO)) : DiagramLayout(),
        *outputs_.pipeline());
    if (!view) return Failure{view.error()};
    pipeline_ = *std::move(view);
    follows_calls_ = from->is_function;
    return Ok{};
  }
  PipelineSetup pipeline_setup() const {
    if (pipeline_ == nullptr) return {};
    return {pipeline_.get(), options_.pipeline->where, guest_.program.path};
  }

  // What to say of a stretch that never began.
  std::optional<std::string> lacking_in_pipeline() const {
    if (pipeline_ == nullptr || pipeline_->reached() == options_.pipeline->nth) return std::nullopt;
    const std::uint64_t reached = pipeline_->reached();
    return fmt::format("--pipeline shows nothing: control reached '{}' {} {}, not {}",
                       printable(options_.pipeline->where), reached,
                       reached == 1 ? "time" : "times", options_.pipeline->nth);
  }

  void remove_scratch() {
    if (guest_.scratch == nullptr) return;
    if (const auto error = guest_.scratch->remove()) complain(printable(*error, error->size()));
  }

  // All that can be written is; the error is that of the first that cannot.
  Result<Ok, std::string> write_results(const std::string& ending, const posix::Kernel& kernel) {
    host::release_memory_for_results();
    if (pipeline_ != nullptr) pipeline_->finish();
    auto result = outputs_.close_logs();
    const auto write = [&result](bool is_wanted, const char* option, const auto& write_it) {
      if (!is_wanted) return;
      const auto written = if_memory_lasts(option, write_it);
      if (result) result = written;
    };
    write(options_.stats.has_value(), "stats", [&] { return write_statistics(ending, kernel); });
    write(options_.profile.has_value(), "profile", [&] { return write_profile(); });
    write(options_.sweep.has_value(), "output", [&] { return write_sweep(); });
    return result;
  }

  // What is too large to be written does not keep the rest from it.
  template <class Write>
  static Result<Ok, std::string> if_memory_lasts(const char* option, const Write& write) {
    try {
      return write();
    } catch (const std::bad_alloc&) {
      return Failure{
          fmt::format("--{}: there is no memory to write it; raise --max-memory", option)};
    }
  }

  Result<Ok, std::string> write_statistics(const std::string& ending, const posix::Kernel& kernel) {
    const RunSummary summary = summary_of(ending, kernel);
    return outputs_.write_statistics(
        options_.stats->file.empty()
            ? statistics_text(simulation_, summary, host_seconds_, terminal_of(STDERR_FILENO))
            : statistics_json(simulation_, summary));
  }

  // Cycles of code for whose pages there was no room, which the profile lacks.
  std::uint64_t cycles_elsewhere() const {
    std::uint64_t cycles = 0;
    for (const auto& record : simulation_.programs()) {
      cycles += record->profile->cycles.own_elsewhere();
    }
    return cycles;
  }

  // What there is no memory for is left out, the exact cycles last.
  Result<Ok, std::string> write_profile() {
    try {
      return write_profile_of(
          profile_of(simulation_, guest_.program, options_.reasons, keeps_calls()));
    } catch (const std::bad_alloc&) {
      report::Profile profile = profile_of(simulation_, guest_.program, false, false);
      profile.processor = conditions_of(cpu_, options_);
      return write_instead(profile, "there is no memory for what was asked for");
    }
  }

  Result<Ok, std::string> write_profile_of(report::Profile profile) {
    profile.processor = conditions_of(cpu_, options_);
    std::optional<std::string> refusal;
    const auto written = outputs_.write_profile([&](std::ostream& out) {
      auto result = write_profile_to(out, profile);
      if (!result) refusal = result.error();
      return result;
    });
    if (refusal) return write_instead(profile, *refusal);
    if (const auto objection = objection_to_size(*options_.profile)) complain(*objection);
    if (const std::uint64_t lacking = cycles_elsewhere(); lacking != 0) {
      complain(
          fmt::format("--profile lacks {} cycles: more code ran than there is memory to keep "
                      "its cycles by pc; raise --max-memory",
                      lacking));
    }
    if (const std::uint64_t lacking = calls_not_kept(profile); lacking != 0) {
      complain(
          fmt::format("--profile: {} calls count as their caller's own: there are more paths of "
                      "calls than memory to keep them, or longer ones; raise --max-memory",
                      lacking));
    }
    return written;
  }

  static std::uint64_t calls_not_kept(const report::Profile& profile) {
    std::uint64_t calls = 0;
    for (const report::ProcessProfile& process : profile.processes) calls += process.calls_not_kept;
    return calls;
  }

  // What a format cannot hold is not lost after an hour: the file has it as JSON.
  Result<Ok, std::string> write_instead(const report::Profile& profile, const std::string& why) {
    const std::string refusal = "--profile: " + printable(why, why.size());
    const auto written = outputs_.write_profile(
        [&](std::ostream& out) { return report::write_profile_as(profile, "hardclock", out); });
    if (!written) return Failure{refusal};
    return Failure{refusal + "; " + printable_path(*options_.profile) +
                   " is hardclock's JSON instead, which 'hardclock report' reads"};
  }

  // In the format of the file's name, with the functions of the program and, with -L, of its shared
  // objects: the same as 'hardclock report' makes of the JSON.
  Result<Ok, std::string> write_profile_to(std::ostream& out, const report::Profile& profile) {
    const auto format = report::output_format_for(*options_.profile);
    if (!format) return Failure{format.error()};
    if (!(*format)->shows_functions())
      return report::write_as(**format, {profile, {}, nullptr, {}, {}}, out);
    const Image& image = *guest_.program.image;
    const SymbolTable symbols = SymbolTable(image.symbols).moved(0 - image.moved_by);
    report::Identity program{.name = options_.program, .text_hash = {}, .text = {}};
    if (!profile.processes.empty()) program.text_hash = text_hash(image);
    report::Objects objects;
    if (!options_.roots.empty()) {
      objects = read_shared_objects({&profile}, program, guest_.files);
    }
    add_runtime_objects({&profile}, objects);
    const report::Profile* const exact = has_cycles(profile) ? &profile : nullptr;
    return report::write_as(**format, {profile, symbols, exact, program, objects}, out);
  }

  Result<Ok, std::string> write_sweep() {
    const auto text = sweep_answer(simulation_, guest_.program, options_);
    if (!text) return Failure{text.error()};
    if (const auto notice = lacking_in_sweep(simulation_)) complain(*notice);
    return outputs_.write_sweep(*text);
  }

  RunSummary summary_of(const std::string& ending, const posix::Kernel& kernel) const {
    RunSummary summary;
    summary.cpu = cpu_.description->name;
    if (cpu_.machine != nullptr) summary.machine = cpu_.machine_name;
    summary.hardware = name_of(cpu_);
    summary.cache_changes = cpu_.cache_changes;
    summary.placement = options_.placement;
    summary.foreign_instructions = foreign_instructions(cpu_, guest_.program);
    summary.timing = cpu_.functional || cpu_.description->functional() ? "functional" : "cycle";
    summary.engine = translates_ ? "translator" : "interpreter";
    summary.os = os_.name;
    summary.ending = ending;
    summary.sandbox = sandbox_;
    summary.reaches_internet = options_.internet;
    summary.missing_calls = kernel.missing_calls();
    if (cpu_.memory != nullptr) summary.memory = cpu_.memory->system.statistics();
    return summary;
  }

  const RunOptions& options_;
  GuestProgram guest_;
  CpuSetup cpu_;
  const posix::UnixSystem& os_;
  const Check* check_;                 // nullptr: none
  std::optional<CpuSetup> reference_;  // of --check=engines
  std::uint64_t findings_ = 0;
  Simulation simulation_;
  std::shared_ptr<CodeMemory> code_memory_;  // nullptr: no translator
  RunOutputs outputs_;
  std::unique_ptr<PipelineView> pipeline_;
  bool follows_calls_ = false;  // for pipeline_
  host::Sandbox sandbox_;
  bool translates_ = false;  // a processor of the run
  double host_seconds_ = 0;
};

// Of those of the first program's instruction set: the others that it may exec have the same one.
Result<const Check*, std::string> find_check(const std::string& name, const CpuSetup& cpu) {
  const InstructionSet& instructions = instruction_set_of(*cpu.description);
  std::string names = "engines, snapshots";
  for (const Check& check : instructions.checks) {
    if (check.name == name) return &check;
    names += ", " + std::string(check.name);
  }
  return Failure{"--check=" + printable(name) + ": no such check; " +
                 std::string(instructions.name) + " has: " + names};
}

// A profile takes several times the memory in which it was collected.
std::uint64_t memory_for_results(const RunOptions& options) {
  if (!options.profile) return 0;
  return options.max_memory / 2 + (std::uint64_t{512} << 20);
}

int run_with(Result<RunOptions, UsageError> options) {
  if (!options) return refuse(options.error().message);
  host::limit_own_memory(options->max_memory, memory_for_results(*options));
  host::reserve_own_memory();
  if (options->max_host_time && !limit_host_time(*options->max_host_time)) {
    return refuse("--max-seconds: the host has no timer left; leave it out");
  }
  if (options->profile) {
    if (const auto error = error_in_profile_name(*options->profile)) return refuse(*error);
  }
  auto guest = find_guest_program(*options);
  if (!guest) return refuse(guest.error().message);
  const auto os = choose_os(*options, *guest->program.image);
  if (!os) return refuse(os.error().message);
  posix::find_libraries(*guest->files, *os->port, guest->program);
  const auto cpu = choose_cpu(*options, guest->program, *os->port);
  if (!cpu) return refuse(cpu.error().message);
  if (checks_snapshots(*options) && options->digest)
    return refuse("--check=snapshots: not with --digest; leave one of them out");
  const Check* check = nullptr;
  if (options->check && !checks_engines(*options) && !checks_snapshots(*options)) {
    const auto found = find_check(*options->check, *cpu);
    if (!found) return refuse(found.error());
    check = *found;
  }
  const Hertz tick_rate = options->tick_rate.value_or(os->system->profiling->tick_rate);
  if (const auto error = error_in(cpu->kernel_costs, cpu->clock, tick_rate)) return refuse(*error);
  if (options->sweep && options->sweep->rates.empty()) {
    options->sweep->rates = default_rates(tick_rate);
    if (const auto error = error_in(*options->sweep)) return refuse(*error);
  }
  for (const std::string& notice : guest->lacking) complain(notice);
  for (const std::string& notice : guest->notices) complain(notice);
  if (const std::string note = note_of_default(*cpu); !note.empty()) complain(note);
  return Run(*options, *std::move(guest), *cpu, *os->system, check).run();
}

}  // namespace

int run_command(const std::vector<std::string>& args) {
  take_signals();
  return run_with(parse_run_options(args));
}

int sweep_command(const std::vector<std::string>& args) {
  take_signals();
  const auto arguments = parse_arguments("sweep", args);
  if (!arguments) return refuse(arguments.error().message);
  if (asks_for_jobs(*arguments)) return sweep_jobs(*arguments);
  return run_with(parse_sweep_options(args));
}

}  // namespace hardclock
