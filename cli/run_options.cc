#include "cli/run_options.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/arguments.h"
#include "cli/values.h"

namespace hardclock {
namespace {

// Reads values from the Arguments and keeps the first error, so that the list of options below
// reads as a list.
class Reader {
 public:
  explicit Reader(const Arguments& arguments) : arguments_(arguments) {}

  const std::optional<UsageError>& error() const { return error_; }

  // A mistake in how options are put together.
  void refuse(std::string message) {
    if (!error_) error_ = UsageError{std::move(message)};
  }

  bool has(std::string_view option) { return arguments_.has(std::string(option)); }
  std::optional<std::string> text(std::string_view option) { return arguments_.value(option); }

  // nullopt when the option is absent or `parse`, which returns an optional, cannot read its value.
  template <class Parse>
  auto parsed(std::string_view option, std::string_view needs, Parse parse)
      -> decltype(parse(std::string_view())) {
    const auto text = arguments_.value(option);
    if (!text) return std::nullopt;
    auto value = parse(std::string_view(*text));
    if (!value) fail(option, needs, *text);
    return value;
  }

  // One of the words, for the value beside it.
  template <class Value>
  std::optional<Value> word(std::string_view option, std::string_view needs,
                            std::initializer_list<std::pair<std::string_view, Value>> words) {
    return parsed(option, needs, [&](std::string_view text) -> std::optional<Value> {
      const auto found = std::ranges::find(words, text, &std::pair<std::string_view, Value>::first);
      return found == words.end() ? std::nullopt : std::optional(found->second);
    });
  }
  template <class Parse>
  auto parsed_each(std::string_view option, std::string_view needs, Parse parse)
      -> std::vector<typename decltype(parse(std::string_view()))::value_type> {
    std::vector<typename decltype(parse(std::string_view()))::value_type> all;
    for (const std::string& text : arguments_.values(option)) {
      auto value = parse(std::string_view(text));
      if (value) {
        all.push_back(std::move(*value));
      } else {
        fail(option, needs, text);
      }
    }
    return all;
  }

  std::optional<std::uint64_t> number(std::string_view option, std::uint64_t least,
                                      std::uint64_t most) {
    const std::string needs =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    return parsed(option, needs,
                  [=](std::string_view text) { return parse_whole_number(text, least, most); });
  }

  std::optional<LogTarget> log(std::string_view option) {
    const auto file = arguments_.value(option);
    if (!file) return std::nullopt;
    return LogTarget{*file};
  }

  // Of an option that writes text, whatever the file is called.
  std::optional<LogTarget> text_log(std::string_view option) {
    auto target = log(option);
    if (target) check_text_file(option, target->file);
    return target;
  }

  void check_text_file(std::string_view option, const std::string& file) {
    if (!asks_for_other_than_text(file)) return;
    refuse("--" + std::string(option) + " writes text, not what '" + printable_path(file) +
           "' is named for; name another file");
  }

 private:
  void fail(std::string_view option, std::string_view needs, const std::string& text) {
    if (error_) return;
    error_ = UsageError{"--" + std::string(option) + " needs " + std::string(needs) + ", not '" +
                        printable(text) + "'"};
  }

  const Arguments& arguments_;
  std::optional<UsageError> error_;
};

std::optional<CpuChoice> parse_cpu(std::string_view text) {
  const std::size_t at = text.find('@');
  CpuChoice cpu{std::string(text.substr(0, at)), std::nullopt};
  if (cpu.name.empty()) return std::nullopt;
  if (at != std::string_view::npos) {
    cpu.clock = parse_megahertz(text.substr(at + 1));
    if (!cpu.clock) return std::nullopt;
  }
  return cpu;
}

std::optional<Translation> parse_engine(std::string_view text) {
  constexpr std::uint64_t most_executions = 1'000'000;
  Translation translation;
  if (text == "translator") return translation;
  if (text == "interpreter") {
    translation.is_on = false;
    return translation;
  }
  constexpr std::string_view with_number = "translator,";
  if (!text.starts_with(with_number)) return std::nullopt;
  const auto executions = parse_whole_number(text.substr(with_number.size()), 0, most_executions);
  if (!executions) return std::nullopt;
  translation.after_executions = static_cast<std::uint32_t>(*executions);
  return translation;
}

std::optional<Bind> parse_bind(std::string_view text) {
  constexpr std::string_view read_only_suffix = ":ro";
  Bind bind;
  bind.read_only = text.ends_with(read_only_suffix);
  if (bind.read_only) text.remove_suffix(read_only_suffix.size());
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  bind.host = text.substr(0, colon);
  bind.guest = text.substr(colon + 1);
  const bool good = !bind.host.empty() && bind.guest.starts_with('/') &&
                    bind.guest.find(':') == std::string::npos;
  return good ? std::optional(bind) : std::nullopt;
}

std::optional<EnvironmentVariable> parse_variable(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  return EnvironmentVariable{std::string(text.substr(0, equals)),
                             std::string(text.substr(equals + 1))};
}

std::vector<EnvironmentVariable> last_values(std::vector<EnvironmentVariable> given) {
  std::vector<EnvironmentVariable> variables;
  for (EnvironmentVariable& variable : given) {
    const auto same = std::ranges::find(variables, variable.name, &EnvironmentVariable::name);
    if (same == variables.end()) {
      variables.push_back(std::move(variable));
    } else {
      same->value = std::move(variable.value);
    }
  }
  return variables;
}

std::optional<std::string> parse_host_name(std::string_view text) {
  constexpr std::size_t longest = 64;  // MAXHOSTNAMELEN of 4.2BSD
  const bool good =
      !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](unsigned char c) {
        return c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.');
      });
  return good ? std::optional(std::string(text)) : std::nullopt;
}

// The K of AT@K, which then is taken off. A name may have an @ in it, as those of versions
// have: only digits after the last one are a number.
std::optional<std::uint64_t> take_nth(std::string_view& where) {
  const std::size_t at = where.rfind('@');
  if (at == std::string_view::npos) return 1;
  const std::string_view digits = where.substr(at + 1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return 1;
  const auto nth = parse_count(digits, 1);
  if (nth) where = where.substr(0, at);
  return nth;
}

// AT[@K][+N][,FILE]
std::optional<PipelineChoice> parse_pipeline(std::string_view text) {
  PipelineChoice choice;
  if (const std::size_t comma = text.find(','); comma != std::string_view::npos) {
    choice.target.file = text.substr(comma + 1);
    if (choice.target.file.empty()) return std::nullopt;
    text = text.substr(0, comma);
  }
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
    constexpr std::uint64_t most = 100'000;
    const auto count = parse_whole_number(text.substr(plus + 1), 1, most);
    if (!count) return std::nullopt;
    choice.count = *count;
    text = text.substr(0, plus);
  }
  const auto nth = take_nth(text);
  if (!nth) return std::nullopt;
  choice.nth = *nth;
  choice.where = text;
  return choice.where.empty() ? std::nullopt : std::optional(choice);
}

// FILE[@EVERY]
std::optional<DigestChoice> parse_digest(std::string_view text) {
  DigestChoice choice;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    const auto every = parse_count(text.substr(at + 1), 1);
    if (!every) return std::nullopt;
    choice.every = Cycles(*every);
    text = text.substr(0, at);
  }
  choice.target.file = text;
  return text.empty() ? std::nullopt : std::optional(choice);
}

void read_cache_changes(Reader& reader, RunOptions& run) {
  run.cache_changes = reader.parsed_each(
      "cache", "LEVEL=SIZE,LINE,WAYS like l1d=16k,32,2, of l1, l1i, l1d, l2 or l3",
      parse_cache_change);
  std::set<std::string_view> levels;
  for (const CacheChange& change : run.cache_changes) {
    if (!levels.insert(change.level).second) {
      reader.refuse("--cache gives " + change.level + " twice; give each cache once");
    }
  }
  if (run.cache_changes.empty()) return;
  if (!run.machine) reader.refuse("--cache changes a machine's caches; add --machine NAME");
  if (run.timing == TimingModel::functional) {
    reader.refuse("--timing=functional has no caches; leave out --cache");
  }
}

void read_machine(Reader& reader, std::string_view rate_option, RunOptions& run) {
  run.os = reader.text("os");
  run.cpu = reader.parsed("cpu", "NAME or NAME@MHZ with MHZ up to 10000 and six decimals at most",
                          parse_cpu);
  run.machine = reader.text("machine");
  if (run.cpu && run.machine) reader.refuse("--machine has its own processor; leave out --cpu");
  if (const auto seed = reader.number("placement", 0, std::numeric_limits<std::uint32_t>::max())) {
    run.placement = static_cast<std::uint32_t>(*seed);
    if (!run.machine) reader.refuse("--placement chooses a machine's pages; add --machine NAME");
  }
  run.any_isa =
      reader.word<bool>("isa", "cpu or any", {{"cpu", false}, {"any", true}}).value_or(run.any_isa);
  if (const auto hz = reader.number(rate_option, 1, 10'000)) run.tick_rate = Hertz(*hz);
  run.timing = reader
                   .word<TimingModel>(
                       "timing", "cycle or functional",
                       {{"cycle", TimingModel::cycle}, {"functional", TimingModel::functional}})
                   .value_or(run.timing);
  read_cache_changes(reader, run);
  run.translation = reader
                        .parsed("engine",
                                "translator, translator,N with N up to 1000000, or "
                                "interpreter",
                                parse_engine)
                        .value_or(run.translation);
  if (const auto cycles = reader.number("syscall-cycles", 0, 1'000'000'000)) {
    run.syscall_cycles = Cycles(*cycles);
  }
  run.start_time =
      reader
          .parsed("time", "seconds since 1970 or a date like 1996-01-31, until 2038-01-19",
                  parse_time_of_day)
          .value_or(std::chrono::sys_seconds());
  run.host_name =
      reader.parsed("hostname", "1 to 64 letters, digits, '-', '_' and '.'", parse_host_name)
          .value_or(std::string());
  run.first_pid = static_cast<int>(reader.number("pid", 2, 30'000).value_or(0));
}

void read_world(Reader& reader, RunOptions& run) {
  for (auto& directories : reader.parsed_each("root", "DIR or DIR:DIR", parse_directories)) {
    run.roots.insert(run.roots.end(), directories.begin(), directories.end());
  }
  run.binds = reader.parsed_each("bind", "HOST:GUEST or HOST:GUEST:ro with an absolute path GUEST",
                                 parse_bind);
  run.working_directory = reader.word<DirectoryAccess>("cwd", "rw, ro or none",
                                                       {{"rw", DirectoryAccess::read_write},
                                                        {"ro", DirectoryAccess::read_only},
                                                        {"none", DirectoryAccess::none}});
  run.terminal = !reader.has("no-terminal");
  run.internet = reader.has("net");
  run.variables = last_values(reader.parsed_each("env", "NAME=VALUE with a NAME", parse_variable));
}

void read_outputs(Reader& reader, RunOptions& run) {
  run.stats = reader.log("stats");
  run.explain = reader.text_log("explain");
  run.strace = reader.text_log("strace");
  run.trace = reader.text_log("trace");
  run.pipeline = reader.parsed(
      "pipeline", "AT[@K][+N][,FILE], with K from 1 and N from 1 to 100000", parse_pipeline);
  if (run.pipeline) reader.check_text_file("pipeline", run.pipeline->target.file);
  run.digest = reader.parsed(
      "digest", "FILE[@EVERY], with EVERY cycles like 250000, 250k, 10M or 1e9", parse_digest);
  if (run.digest) reader.check_text_file("digest", run.digest->target.file);
  run.check = reader.text("check");
  if (run.check == "engines" && (run.trace || run.pipeline)) {
    reader.refuse(
        "--check=engines compares the engines that --trace and --pipeline turn off; leave them "
        "out");
  }
  run.profile = reader.text("profile");
  run.calls = reader.has("calls");
  if (run.calls && !run.profile)
    reader.refuse("--calls is for a profile; give --profile=FILE as well");
  run.reasons = reader.has("reasons");
  if (run.reasons && !run.profile)
    reader.refuse("--reasons is for a profile; give --profile=FILE as well");
}

void read_limits(Reader& reader, RunOptions& run) {
  constexpr std::uint64_t least_memory = std::uint64_t{64} << 10;
  constexpr std::uint64_t highest_accepted = std::uint64_t{1} << 40;
  const auto count = [&](std::string_view option) {
    return reader.parsed(option, "a number from 1 on like 250000, 250k, 10M, 2G or 1e9",
                         [](std::string_view text) { return parse_count(text, 1); });
  };
  if (const auto n = count("max-instructions")) run.max_instructions = Instructions(*n);
  if (const auto n = count("max-cycles")) run.max_cycles = Cycles(*n);
  run.max_host_time =
      reader.parsed("max-seconds", "seconds up to 1000000000 like 30 or 0.5", parse_seconds);
  const auto size = [&](std::string_view option, const std::string& least, std::uint64_t bytes) {
    const auto parse = [=](std::string_view text) {
      return parse_size(text, bytes, highest_accepted);
    };
    return reader.parsed(option, "a size from " + least + " to 1024G like 256M", parse).value_or(0);
  };
  run.max_memory = size("max-memory", "64K", least_memory);
  run.max_disk = size("max-disk", "0", 0);
}

// What only a sweep of jobs has: parse_sweep_options() is for one run.
void refuse_jobs(Reader& reader) {
  for (const char* const option : {"job", "jobs", "slurm"}) {
    if (!reader.has(option)) continue;
    reader.refuse("--" + std::string(option) + " is for a sweep of jobs; add --jobs-dir DIR");
  }
  for (const char* const option : {"cpu", "machine"}) {
    if (reader.text(option).value_or("").find(',') == std::string::npos) continue;
    reader.refuse("--" + std::string(option) +
                  " with a list is a sweep of jobs; add --jobs-dir DIR");
  }
}

SweepChoice read_sweep(Reader& reader) {
  constexpr std::size_t most = SweepChoice::most_clocks;
  constexpr std::uint64_t highest = 1'000'000;
  SweepChoice sweep;
  sweep.rates = reader
                    .parsed("hz",
                            "rates from 1 to " + std::to_string(highest) +
                                " like 60,100 or 90-110 or 100-1000/50",
                            [](std::string_view text) { return parse_rates(text, highest, most); })
                    .value_or(sweep.rates);
  sweep.phases = static_cast<std::uint32_t>(reader.number("phase", 1, most).value_or(1));
  if (const auto error = error_in(sweep)) reader.refuse(*error);
  sweep.format = reader
                     .word<SweepFormat>("format", "text, json, csv or svg",
                                        {{"text", SweepFormat::text},
                                         {"json", SweepFormat::json},
                                         {"csv", SweepFormat::csv},
                                         {"svg", SweepFormat::svg}})
                     .value_or(sweep.format);
  sweep.output.file = reader.text("output").value_or("");
  return sweep;
}

// WHERE[,SCALE]
std::optional<LabChoice::Profil> parse_lab_profil(std::string_view text) {
  constexpr std::uint64_t largest_scale = 0xffff'ffff;
  LabChoice::Profil profil;
  if (const std::size_t comma = text.find(','); comma != std::string_view::npos) {
    profil.scale = parse_c_number(text.substr(comma + 1), largest_scale);
    if (!profil.scale) return std::nullopt;
    text = text.substr(0, comma);
  }
  profil.where = text;
  return profil.where.empty() ? std::nullopt : std::optional(profil);
}

// COLUMNSxROWS
std::optional<std::pair<std::uint64_t, std::uint64_t>> parse_screen_size(std::string_view text) {
  constexpr std::uint64_t least_columns = 40, most_columns = 400, least_rows = 12, most_rows = 200;
  const std::size_t times = text.find('x');
  if (times == std::string_view::npos) return std::nullopt;
  const auto columns = parse_whole_number(text.substr(0, times), least_columns, most_columns);
  const auto rows = parse_whole_number(text.substr(times + 1), least_rows, most_rows);
  if (!columns || !rows) return std::nullopt;
  return std::pair(*columns, *rows);
}

LabChoice read_lab(Reader& reader) {
  LabChoice lab;
  lab.profil = reader.parsed("profil", "WHERE[,SCALE] like text or hot,0x8000", parse_lab_profil);
  lab.keys = reader.text("keys");
  lab.script = reader.text("script");
  if (lab.keys && lab.script) reader.refuse("--script has the keys; leave out --keys");
  const auto size = reader.parsed("size", "COLUMNSxROWS from 40x12 to 400x200", parse_screen_size);
  if (size) std::tie(lab.columns, lab.rows) = *size;
  lab.output = reader.text("output");
  const bool is_page_name = lab.output && lab.output->ends_with(".html");
  lab.is_page = reader.word<bool>("format", "text or html", {{"text", false}, {"html", true}})
                    .value_or(is_page_name);
  lab.frames = reader.number("frames", 10, 50'000).value_or(lab.frames);
  if (lab.is_page && (lab.keys || lab.script))
    reader.refuse("a page has its own keys; leave out --keys and --script");
  if (lab.output && !lab.is_page && !lab.keys && !lab.script)
    reader.refuse("--output is for a page or for screens; add --format=html, or --keys");
  return lab;
}

Result<RunOptions, UsageError> parse_options_of(std::string_view name,
                                                const std::vector<std::string>& args) {
  const auto arguments = parse_arguments(name, args);
  if (!arguments) return Failure{arguments.error()};

  RunOptions run;
  Reader reader(*arguments);
  const bool is_sweep = name == "sweep";
  read_machine(reader, is_sweep ? "own-hz" : "hz", run);
  read_world(reader, run);
  read_outputs(reader, run);
  read_limits(reader, run);
  if (is_sweep) {
    refuse_jobs(reader);
    run.sweep = read_sweep(reader);
  }
  if (name == "lab") {
    run.lab = read_lab(reader);
    // What it shows can be gone through again and again.
    run.working_directory = run.working_directory.value_or(DirectoryAccess::read_only);
  }
  if (reader.error()) return Failure{*reader.error()};

  const std::vector<std::string>& operands = arguments->operands();
  if (operands.empty()) {
    return Failure{
        UsageError{"'hardclock sweep' needs PROGRAM [ARG...]; see 'hardclock sweep "
                   "--help'"}};
  }
  run.program = operands.front();
  if (run.program.empty()) {
    return Failure{
        UsageError{"PROGRAM is empty; see 'hardclock " + std::string(name) + " --help'"}};
  }
  run.option_before_program = arguments->option_before_operands();
  run.arguments.assign(operands.begin() + 1, operands.end());
  return run;
}

}  // namespace

Result<RunOptions, UsageError> parse_run_options(const std::vector<std::string>& args) {
  return parse_options_of("run", args);
}

Result<RunOptions, UsageError> parse_sweep_options(const std::vector<std::string>& args) {
  return parse_options_of("sweep", args);
}

Result<RunOptions, UsageError> parse_lab_options(const std::vector<std::string>& args) {
  return parse_options_of("lab", args);
}

std::optional<std::string> error_in(const SweepChoice& sweep) {
  if (sweep.rates.size() * sweep.phases <= SweepChoice::most_clocks) return std::nullopt;
  return "--hz and --phase ask for more than " + std::to_string(SweepChoice::most_clocks) +
         " clocks; sweep fewer rates or phases at a time";
}

std::vector<Hertz> default_rates(Hertz own) {
  std::set<Hertz> rates = {Hertz(60), Hertz(64), Hertz(100), Hertz(1000)};
  rates.insert(own);
  rates.insert(own + Hertz(1));
  if (own > Hertz(1)) rates.insert(own - Hertz(1));
  return {rates.begin(), rates.end()};
}

}  // namespace hardclock
