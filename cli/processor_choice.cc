#include "cli/processor_choice.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/own_descriptions.h"
#include "isa/instruction_sets.h"
#include "sim/base/check.h"
#include "sim/base/lower_case.h"
#include "sim/timing/tick_source.h"

namespace hardclock {
namespace {

// The names of all instruction sets' descriptions of this kind.
template <class Description>
std::string known(const std::vector<Description>& (*InstructionSet::*of)()) {
  std::string names;
  for (const InstructionSet* const set : instruction_sets()) {
    for (const Description& each : (set->*of)()) names += (names.empty() ? "" : ", ") + each.name;
  }
  return names;
}

// The next step after an unknown name: the names that begin with it, or the closest one, or all of
// them.
template <class Description>
std::string names_like(const std::string& wrong,
                       const std::vector<Description>& (*InstructionSet::*of)()) {
  std::vector<std::string_view> names;
  std::string longer;
  for (const InstructionSet* const set : instruction_sets()) {
    for (const Description& each : (set->*of)()) {
      names.push_back(each.name);
      if (!each.name.starts_with(wrong)) continue;
      longer += (longer.empty() ? "" : ", ") + each.name;
    }
  }
  if (!wrong.empty() && !longer.empty()) return "did you mean " + longer + "?";
  const std::string_view meant = closest_name(wrong, names);
  if (!meant.empty()) return "did you mean " + std::string(meant) + "?";
  return "there are: " + known(of);
}

Result<Ok, UsageError> choose_own_cpu(const CpuChoice& choice, CpuSetup& setup) {
  auto own = read_own_cpu(choice.name);
  if (!own) return Failure{own.error()};
  setup.own = *std::move(own);
  setup.chosen = setup.own.get();
  return Ok{};
}

Result<Ok, UsageError> choose_named_cpu(const CpuChoice& choice, CpuSetup& setup) {
  if (names_own_file(choice.name)) return choose_own_cpu(choice, setup);
  setup.chosen = find_cpu(choice.name);
  if (setup.chosen != nullptr) return Ok{};
  return usage("unknown cpu '" + printable(choice.name) + "'; " +
               names_like(lower_case(choice.name), &InstructionSet::cpus));
}

Result<Ok, UsageError> choose_own_machine(const std::string& path, CpuSetup& setup) {
  auto own = read_own_machine(path);
  if (!own) return Failure{own.error()};
  setup.own_machine = *std::move(own);
  setup.machine = setup.own_machine.get();
  setup.machine_name = setup.machine->name + " (" + printable_path(path) + ")";
  return Ok{};
}

Result<Ok, UsageError> choose_named_machine(const std::string& name, CpuSetup& setup) {
  if (names_own_file(name)) return choose_own_machine(name, setup);
  setup.machine = find_machine(name);
  if (setup.machine == nullptr) {
    return usage("unknown machine '" + printable(name) + "'; " +
                 names_like(lower_case(name), &InstructionSet::machines));
  }
  setup.machine_name = setup.machine->name;
  return Ok{};
}

Result<Ok, UsageError> choose_machine(const RunOptions& options, CpuSetup& setup) {
  if (const auto chosen = choose_named_machine(*options.machine, setup); !chosen) return chosen;
  setup.chosen = find_cpu(setup.machine->processor);
  CHECK(setup.chosen != nullptr);
  const auto costs = kernel_costs(setup.machine->rows, setup.machine->clock);
  CHECK(costs.ok());  // a test reads every machine, and read_own_machine() the user's
  setup.kernel_costs = *costs;
  const auto counter = tick_counter(*setup.chosen, setup.machine->rows, setup.machine->clock);
  CHECK(counter.ok());
  setup.tick_counter = *counter;
  if (setup.functional) return Ok{};
  auto memory = describe_memory(*setup.chosen, setup.machine->rows, setup.machine->clock);
  CHECK(memory.ok());
  setup.cache_changes = options.cache_changes;
  if (const auto changed = change_caches(*memory, setup.cache_changes); !changed) {
    return usage("--cache=" + changed.error());
  }
  memory->placement = options.placement;
  setup.memory = std::make_shared<MachineMemory>(*memory);
  return Ok{};
}

struct NamedFile {
  std::string name;
  const Image* image;
};

// The program under its own name, all other files by their paths.
std::vector<NamedFile> files_of(const posix::Program& program) {
  std::vector<NamedFile> files = {
      {program.path.substr(program.path.rfind('/') + 1), program.image.get()}};
  if (program.linker != nullptr) {
    files.push_back({*program.image->interpreter, program.linker.get()});
  }
  for (const posix::LibraryFile& library : program.libraries) {
    files.push_back({library.path, library.image.get()});
  }
  return files;
}

std::vector<const Image*> images_of(const std::vector<NamedFile>& files) {
  std::vector<const Image*> images;
  for (const NamedFile& file : files) images.push_back(file.image);
  return images;
}

std::string option_of(const CpuSetup& setup) {
  return setup.machine != nullptr ? "--machine" : "--cpu";
}

// Whether --isa=any would do.
bool can_have_any_isa(const CpuDescription& cpu, const InstructionSet& set,
                      const std::vector<const Image*>& files) {
  if (set.with_any_level == nullptr || &instruction_set_of(cpu) != &set) return false;
  const CpuDescription widened = set.with_any_level(cpu);
  return std::ranges::none_of(files, [&](const Image* file) {
    return set.objection(widened, *file, CpuRequest{}).has_value();
  });
}

Result<Ok, UsageError> take_any_isa(CpuSetup& setup) {
  const InstructionSet& set = instruction_set_of(*setup.chosen);
  if (set.with_any_level == nullptr) {
    return usage("--isa=any: only MIPS processors can take later ones' instructions; leave it out");
  }
  setup.as_built = setup.chosen;
  auto widened = std::make_shared<CpuDescription>(set.with_any_level(*setup.chosen));
  setup.built = std::exchange(setup.own, widened);
  setup.chosen = setup.own.get();
  return Ok{};
}

// What to do when a processor cannot run a file of a program.
std::string way_out(const CpuSetup& setup, const CpuDescription& cpu, const InstructionSet& set,
                    const std::vector<const Image*>& files) {
  const auto suitable = set.default_cpu(files);
  const std::string compile = "compile it " + set.how_to_compile(cpu);
  if (!suitable || *suitable == &cpu) return compile;
  const std::string in_place = setup.machine != nullptr ? " in place of --machine" : "";
  const std::string any =
      can_have_any_isa(cpu, set, files) ? ", pass --isa=any to time them as older ones" : "";
  return "choose --cpu=" + (*suitable)->name + in_place + any + ", or " + compile;
}

// The file of the program with which the choice of a processor becomes this one; empty: the program
// itself.
std::string who_asks_for(const CpuDescription& cpu, const posix::Program& program) {
  const InstructionSet& set = instruction_set_of(cpu);
  const std::vector<NamedFile> files = files_of(program);
  std::vector<const Image*> images;
  for (const NamedFile& file : files) {
    images.push_back(file.image);
    const auto suitable = set.default_cpu(images);
    if (suitable && *suitable == &cpu) return images.size() == 1 ? "" : file.name;
  }
  return {};
}

CpuRequest request_of(const CpuSetup& setup, const posix::Port& port) {
  return {.functional = setup.functional,
          .memory = setup.memory,
          .gateway_page = port.gateway_page,
          .emulates_instructions = port.emulates_instructions,
          .translation = setup.translation};
}

}  // namespace

Result<const CpuDescription*, std::string> suitable_cpu(const CpuSetup& setup,
                                                        const posix::Program& program,
                                                        const posix::Port& port) {
  const InstructionSet* const set = find_instruction_set(program.image->architecture);
  if (set == nullptr) return Failure{"not a program for " + instruction_set_names()};
  const std::vector<NamedFile> files = files_of(program);
  auto cpu = setup.chosen != nullptr ? Result<const CpuDescription*, std::string>(setup.chosen)
                                     : set->default_cpu(images_of(files));
  if (!cpu) return cpu;
  if (&instruction_set_of(**cpu) != set) {
    return Failure{"the program is for " + std::string(set->name) + ", which " + (*cpu)->name +
                   " is not; choose another " + option_of(setup) + ", see 'hardclock cpus'"};
  }
  for (const NamedFile& file : files) {
    if (const auto objection = set->objection(**cpu, *file.image, request_of(setup, port))) {
      return Failure{printable_path(file.name) + " " + *objection + "; " +
                     way_out(setup, **cpu, *set, images_of(files))};
    }
  }
  return cpu;
}

std::unique_ptr<Cpu> make_cpu(const CpuSetup& setup, const CpuDescription& description,
                              const posix::Program& program, const posix::Port& port,
                              AddressSpace& memory) {
  return instruction_set_of(description)
      .make_cpu(description, *program.image, memory, request_of(setup, port));
}

std::string name_of(const CpuSetup& setup) {
  std::string name = setup.description->name;
  if (setup.machine != nullptr) name += " of " + setup.machine_name;
  for (const CacheChange& change : setup.cache_changes) name += ", " + to_text(change);
  return name;
}

std::string conditions_of(const CpuSetup& setup, const RunOptions& options) {
  std::string text = name_of(setup);
  if (setup.functional) text += ", --timing=functional";
  if (options.any_isa) text += ", --isa=any";
  if (options.placement) text += ", --placement=" + std::to_string(*options.placement);
  if (options.syscall_cycles) {
    text += ", --syscall-cycles=" + std::to_string(options.syscall_cycles->value());
  }
  return text;
}

std::optional<std::uint64_t> foreign_instructions(const CpuSetup& setup,
                                                  const posix::Program& program) {
  if (setup.as_built == nullptr) return std::nullopt;
  const InstructionSet& set = instruction_set_of(*setup.as_built);
  std::uint64_t count = 0;
  for (const NamedFile& file : files_of(program)) {
    count += set.foreign_code(*setup.as_built, *file.image, CpuRequest{}).count;
  }
  return count;
}

std::string note_of_default(const CpuSetup& setup) {
  if (setup.chosen != nullptr || setup.functional) return {};
  const CpuDescription& cpu = *setup.description;
  const bool is_late = cpu.isa.starts_with("mips32") || cpu.isa.starts_with("mips64");
  const bool is_by_library = !setup.asked_by.empty();
  if (!is_late && !(is_by_library && cpu.functional())) return {};
  return "the program is timed as " + cpu.about +
         (is_by_library ? ", which " + printable_path(setup.asked_by) + " needs" : "") +
         "; choose another with --cpu";
}

Result<CpuSetup, UsageError> choose_cpu(const RunOptions& options, const posix::Program& program,
                                        const posix::Port& port) {
  CpuSetup setup;
  setup.functional = options.timing == TimingModel::functional;
  setup.translation = options.translation;
  if (options.cpu) {
    if (auto chosen = choose_named_cpu(*options.cpu, setup); !chosen)
      return Failure{chosen.error()};
  }
  if (options.machine) {
    auto chosen = choose_machine(options, setup);
    if (!chosen) return Failure{chosen.error()};
  }
  if (options.any_isa && setup.chosen != nullptr) {
    if (auto taken = take_any_isa(setup); !taken) return Failure{taken.error()};
  }
  const auto description = suitable_cpu(setup, program, port);
  if (!description) return usage(description.error());
  setup.description = *description;
  if (setup.chosen == nullptr) setup.asked_by = who_asks_for(*setup.description, program);
  setup.clock = setup.description->clock;
  if (setup.machine != nullptr) setup.clock = setup.machine->clock;
  if (options.cpu && options.cpu->clock) setup.clock = *options.cpu->clock;
  if (options.syscall_cycles) setup.kernel_costs.system_call = *options.syscall_cycles;
  if (options.tick_rate && setup.clock < *options.tick_rate) {
    return usage("--hz is above the processor's clock; lower it or raise --cpu NAME@MHZ");
  }
  return setup;
}

}  // namespace hardclock
