// hardclock run: a guest program from its first instruction to its exit status.
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "sim/cli/answer.h"
#include "sim/cli/commands.h"
#include "sim/cli/instruction_sets.h"
#include "sim/cli/pipeline_view.h"
#include "sim/cli/processor_choice.h"
#include "sim/cli/progress.h"
#include "sim/cli/run_options.h"
#include "sim/cli/run_setup.h"
#include "sim/cli/statistics.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"
#include "syscalls/host/own_memory.h"
#include "syscalls/host/sandbox.h"
#include "syscalls/host/standard_streams.h"

namespace hardclock {
namespace {

constexpr int signal_exit_base = 128;

// A file or standard error for one of the logs.
class LogFile {
 public:
  // The error is one line for the user.
  Result<Ok, std::string> open(const std::optional<LogTarget>& target) {
    if (!target) return Ok{};
    stream_ = &std::cerr;
    if (target->file.empty()) return Ok{};
    file_.open(target->file, std::ios::binary);
    if (!file_) return Failure{printable(target->file) + ": cannot be written; name another file"};
    name_ = target->file;
    stream_ = &file_;
    return Ok{};
  }
  std::ostream* stream() const { return stream_; }
  // Empty, or what went wrong.
  std::string close() {
    if (name_.empty()) return {};
    file_.close();
    return file_ ? std::string() : printable(name_) + ": writing failed; is the disk full?";
  }

 private:
  std::ofstream file_;
  std::string name_;
  std::ostream* stream_ = nullptr;
};

// All files are opened before the guest runs: what cannot be written must not show after an hour.
struct Logs {
  LogFile stats, explain, strace, trace, profile, pipeline;

  Result<Ok, std::string> open(const RunOptions& options) {
    std::optional<LogTarget> profile_target, pipeline_target;
    if (options.pipeline) pipeline_target = options.pipeline->target;
    if (options.profile) profile_target = LogTarget{*options.profile};
    for (auto [log, target] : {std::pair{&stats, &options.stats},
                               {&explain, &options.explain},
                               {&strace, &options.strace},
                               {&trace, &options.trace},
                               {&profile, &std::as_const(profile_target)},
                               {&pipeline, &std::as_const(pipeline_target)}}) {
      auto opened = log->open(*target);
      if (!opened) return opened;
    }
    return Ok{};
  }
  std::string close() {
    for (LogFile* log : {&stats, &explain, &strace, &trace, &profile, &pipeline}) {
      if (std::string error = log->close(); !error.empty()) return error;
    }
    return {};
  }
  // Whether the run writes to standard error while it lasts.
  bool use_standard_error() const {
    return explain.stream() == &std::cerr || strace.stream() == &std::cerr ||
           trace.stream() == &std::cerr || pipeline.stream() == &std::cerr;
  }
};

SimulationOptions simulation_options(const RunOptions& options, const CpuSetup& cpu,
                                     const posix::UnixSystem& os) {
  SimulationOptions simulation;
  simulation.cpu_clock = cpu.clock;
  const profil::System& profiling = os.profiling();
  simulation.tick_rate = options.tick_rate.value_or(profiling.tick_rate);
  if (profiling.fast_tick_rate != Hertz(0)) {
    const std::uint64_t ratio = profiling.fast_tick_rate.value() / profiling.tick_rate.value();
    simulation.fast_tick_rate = Hertz(simulation.tick_rate.value() * ratio);
  }
  simulation.tick_counter = cpu.tick_counter;
  simulation.kernel_costs = cpu.kernel_costs;
  simulation.max_instructions = options.max_instructions;
  simulation.max_cycles = options.max_cycles;
  simulation.max_memory = options.max_memory;
  simulation.first_pid = options.first_pid;
  simulation.keep_profiles = options.profile.has_value();
  // Without either nobody sees more of them than their sum.
  if (!options.profile && !options.stats) simulation.most_records = 0;
  return simulation;
}

using Disassemble = std::function<std::string(std::uint32_t word, GuestAddr pc)>;

void trace_instructions(Cpu& cpu, const Disassemble& disassemble, std::ostream& out) {
  cpu.observe([&out, disassemble](GuestAddr pc, std::uint32_t word, Cycles cycle) {
    out << fmt::format("{:12}  {:08x}: {:08x} {}\n", cycle.value(), pc.value(), word,
                       disassemble(word, pc));
  });
}

posix::MakeCpu cpu_maker(const CpuSetup& setup, bool profiles, std::ostream* trace,
                         PipelineView* pipeline) {
  return [setup, profiles, trace, pipeline](
             const posix::Program& program,
             AddressSpace& memory) -> Result<std::unique_ptr<Cpu>, std::string> {
    const auto description = suitable_cpu(setup, program);
    if (!description) return Failure{description.error()};
    const Image& image = *program.image;
    const Disassemble disassemble =
        instruction_set_of(**description).executed(**description, image);
    auto cpu = make_cpu(setup, **description, program, memory);
    if (profiles) cpu->collect_cycle_profile();
    if (trace != nullptr) trace_instructions(*cpu, disassemble, *trace);
    if (pipeline != nullptr) {
      cpu->observe_timing([pipeline, disassemble](const InstructionTimes& times) {
        pipeline->add(times, disassemble(times.word, times.pc));
      });
    }
    return cpu;
  };
}

report::Profile profile_of(const Simulation& simulation, const posix::Program& program) {
  report::Profile profile;
  for (const std::string& word : program.arguments) {
    profile.command += (profile.command.empty() ? "" : " ") + word;
  }
  profile.byte_order = program.image->endian;
  profile.address_bits = program.image->address_bits;
  profile.cpu = simulation.clock().cpu_rate();
  profile.tick_rate = simulation.clock().tick_rate();
  for (const auto& record : simulation.programs()) {
    const ProfileRecord& seen = *record->profile;
    report::ProcessProfile process;
    process.pid = static_cast<std::uint32_t>(record->pid);
    process.program = record->program;
    process.samples = seen.tick_samples;
    process.cycles = seen.cycles.by_pc();
    process.text_hash = seen.text_hash;
    process.moved_by = seen.moved_by;
    for (const FileRange& range : seen.code_files) {
      process.mappings.push_back({range.start, range.size, range.file, range.offset});
    }
    profile.processes.push_back(std::move(process));
  }
  return profile;
}

// Empty, or one line for the user.
std::string write_profile(const report::Profile& profile, const std::string& name,
                          std::ostream& out) {
  const auto bytes = report::write_profile(profile, name);
  if (!bytes) return printable(bytes.error(), bytes.error().size());
  out << *bytes;
  return {};
}

// Whether the format that the name asks for exists, before the guest has run for an hour.
std::string check_profile_name(const std::string& name) {
  report::Profile empty;
  empty.tick_rate = Hertz(1);
  empty.processes.push_back({});
  empty.processes[0].samples[GuestAddr(0)] = 1;
  std::ostringstream nowhere;
  return write_profile(empty, name, nowhere);
}

int exit_status_of(const Outcome& outcome, const Progress& progress) {
  switch (outcome.kind) {
    case Outcome::Kind::exited:
      if (!outcome.detail.empty()) {
        complain("processes that the program left behind wait for ever: " + outcome.detail);
      }
      return outcome.status.by_signal ? signal_exit_base + static_cast<int>(outcome.status.code)
                                      : static_cast<int>(outcome.status.code);
    case Outcome::Kind::instruction_limit:
      return complain("stopped at --max-instructions; raise it to let the program go on");
    case Outcome::Kind::cycle_limit:
      return complain("stopped at --max-cycles; raise it to let the program go on");
    case Outcome::Kind::deadlock:
      return complain("every process waits and nothing can wake one: " + outcome.detail);
    case Outcome::Kind::interrupted:
      return signal_exit_base + progress.ended_by();
  }
  return kExitFailure;
}

std::optional<GuestAddr> address_of(const std::string& where, const SymbolTable& symbols) {
  if (const Symbol* const symbol = symbols.find(where)) return symbol->address;
  if (!where.starts_with("0x")) return std::nullopt;
  std::uint64_t address = 0;
  const char* const last = where.data() + where.size();
  const auto [end, error] = std::from_chars(where.data() + 2, last, address, 16);
  if (error != std::errc() || end != last) return std::nullopt;
  return GuestAddr(address);
}

// One run of the machine, with what the user wants to know of it afterwards.
class Run {
 public:
  Run(const RunOptions& options, GuestProgram guest, const CpuSetup& cpu,
      const posix::UnixSystem& os)
      : options_(options),
        guest_(std::move(guest)),
        cpu_(cpu),
        os_(os),
        simulation_(simulation_options(options, cpu, os)) {}

  int run() {
    if (auto opened = logs_.open(options_); !opened) return complain(opened.error());
    auto streams = host::open_standard_streams(guest_.files->records(), guest_.files->use());
    if (!streams) return complain(streams.error());
    if (auto made = make_pipeline_view(); !made) return complain(made.error());
    if (cpu_.memory != nullptr) {
      simulation_.budget()->on_frame_end(
          [memory = cpu_.memory](std::uint64_t frame) { memory->forget_frame(frame); });
    }
    simulation_.observers = {logs_.explain.stream(), logs_.strace.stream(), logs_.trace.stream()};
    Progress progress(!logs_.use_standard_error());
    posix::Kernel kernel(
        os_, {guest_.files, host::TimeOfDay(options_.start_time.time_since_epoch().count()),
              cpu_maker(cpu_, options_.profile.has_value(), logs_.trace.stream(), pipeline_.get()),
              [&progress](const std::string& line) {
                progress.clear_line();
                complain(line);
              },
              [&progress](int stream, std::span<const std::uint8_t> bytes) {
                progress.guest_writes(stream, bytes);
              },
              options_.host_name});
    const auto started = kernel.start(simulation_, guest_.program, *std::move(streams));
    if (!started) return complain(printable(options_.program) + ": " + started.error());
    simulation_.on_poll([&] { return progress.poll(simulation_); });
    sandbox_ = confine();
    const double host_start = Progress::host_seconds();
    const Outcome outcome = simulation_.run();
    host_seconds_ = Progress::host_seconds() - host_start;
    progress.clear_line();
    const int status = exit_status_of(outcome, progress);
    const std::string error = write_results(outcome, kernel);
    remove_scratch();
    return error.empty() ? status : complain(error);
  }

 private:
  // All files that the run needs are open by now.
  host::Sandbox confine() const {
    std::optional<std::string> temporary;
    if (guest_.scratch != nullptr) temporary = guest_.scratch->outer();
    return host::confine(guest_.space, output_directories(options_), temporary);
  }

  Result<Ok, std::string> make_pipeline_view() {
    if (!options_.pipeline) return Ok{};
    const PipelineChoice& choice = *options_.pipeline;
    const auto from = address_of(choice.where, guest_.program.image->symbols);
    if (!from) {
      return Failure{"--pipeline: the program has no function '" + printable(choice.where) +
                     "'; name one, or an address like 0x400100"};
    }
    const std::string& file = choice.target.file;
    const bool konata = file.ends_with(".kanata") || file.ends_with(".konata");
    auto view =
        PipelineView::create(*cpu_.description, *from, choice.count,
                             konata ? PipelineView::Format::konata : PipelineView::Format::text,
                             *logs_.pipeline.stream());
    if (!view) return Failure{view.error()};
    pipeline_ = *std::move(view);
    return Ok{};
  }

  void remove_scratch() {
    if (guest_.scratch == nullptr) return;
    if (const auto error = guest_.scratch->remove()) complain(printable(*error, error->size()));
  }

  std::string write_results(const Outcome& outcome, const posix::Kernel& kernel) {
    RunSummary summary;
    summary.cpu = cpu_.description->name;
    if (cpu_.machine != nullptr) summary.machine = cpu_.machine->name;
    summary.timing = cpu_.functional || cpu_.description->functional() ? "functional" : "cycle";
    summary.os = os_.name;
    summary.outcome = outcome;
    summary.sandbox = sandbox_;
    summary.missing_calls = kernel.missing_calls();
    if (cpu_.memory != nullptr) summary.memory = cpu_.memory->system.statistics();
    if (std::ostream* const out = logs_.stats.stream()) {
      *out << (options_.stats->file.empty() ? statistics_text(simulation_, summary, host_seconds_)
                                            : statistics_json(simulation_, summary));
    }
    if (pipeline_ != nullptr) pipeline_->finish();
    if (std::ostream* const out = logs_.profile.stream()) {
      const std::string error =
          write_profile(profile_of(simulation_, guest_.program), *options_.profile, *out);
      if (!error.empty()) return error;
    }
    return logs_.close();
  }

  const RunOptions& options_;
  GuestProgram guest_;
  CpuSetup cpu_;
  const posix::UnixSystem& os_;
  Simulation simulation_;
  Logs logs_;
  std::unique_ptr<PipelineView> pipeline_;
  host::Sandbox sandbox_;
  double host_seconds_ = 0;
};

}  // namespace

int run_command(const std::vector<std::string>& args) {
  const auto options = parse_run_options(args);
  if (!options) return complain(options.error().message);
  host::limit_own_memory(options->max_memory);
  if (options->profile) {
    const std::string error = check_profile_name(*options->profile);
    if (!error.empty()) return complain(error);
  }
  auto guest = find_guest_program(*options);
  if (!guest) return complain(guest.error().message);
  const auto os = choose_os(*options, *guest->program.image);
  if (!os) return complain(os.error().message);
  const auto cpu = choose_cpu(*options, guest->program);
  if (!cpu) return complain(cpu.error().message);
  const Hertz tick_rate = options->tick_rate.value_or((*os)->profiling().tick_rate);
  if (const auto error = error_in(cpu->kernel_costs, cpu->clock, tick_rate)) {
    return complain(*error);
  }
  for (const std::string& notice : guest->notices) complain(notice);
  return Run(*options, *std::move(guest), *cpu, **os).run();
}

}  // namespace hardclock
