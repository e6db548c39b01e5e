#include "cli/jobs/job_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/own_descriptions.h"
#include "cli/run_options.h"
#include "cli/values.h"
#include "isa/instruction_sets.h"
#include "sim/timing/cache_change.h"

namespace hardclock::jobs {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

// What belongs to the sweep and not to its jobs.
constexpr std::array<std::string_view, 7> of_the_sweep = {"jobs-dir", "jobs",   "slurm", "job",
                                                          "format",   "output", "help"};
// What the jobs differ in.
constexpr std::array<std::string_view, 3> varied = {"cpu", "machine", "cache"};
// What all jobs would write to one place.
constexpr std::array<std::string_view, 8> outputs = {"stats",    "explain", "strace", "trace",
                                                     "pipeline", "profile", "calls",  "reasons"};

template <class Names>
bool is_among(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// One of the values that jobs differ in, as an option of run and as a part of a job's name.
struct Choice {
  std::string word;
  std::string name;
};
using Choices = std::vector<Choice>;

std::optional<std::string> unknown(const std::string& name, bool is_machine) {
  if (names_own_file(name)) return std::nullopt;
  const bool known = is_machine ? find_machine(name) != nullptr
                                : find_cpu(name.substr(0, name.find('@'))) != nullptr;
  if (known) return std::nullopt;
  return "--" + std::string(is_machine ? "machine" : "cpu") + ": unknown '" + printable(name) +
         "'; see 'hardclock cpus'";
}

// The processors and machines; one nameless choice without a word if there are none.
Result<Choices, UsageError> read_hardware(const Arguments& arguments) {
  Choices choices;
  for (const char* const option : {"cpu", "machine"}) {
    const auto list = arguments.value(option);
    if (!list) continue;
    for (const std::string& name : split(*list, ',')) {
      if (name.empty()) return usage("--" + std::string(option) + " has an empty name in its list");
      if (const auto error = unknown(name, option == std::string_view("machine"))) {
        return usage(*error);
      }
      Choice choice{"--" + std::string(option) + "=" + name, name};
      if (std::ranges::count(choices, choice.word, &Choice::word) != 0) {
        return usage(choice.word + " stands in the list twice; give it once");
      }
      choices.push_back(std::move(choice));
    }
  }
  if (choices.empty()) choices.emplace_back();
  return choices;
}

// For each level, in the order in which they were first given, its sizes.
Result<std::vector<Choices>, UsageError> read_caches(const Arguments& arguments) {
  std::vector<Choices> levels;
  Words names;
  for (const std::string& given : arguments.values("cache")) {
    for (const std::string& text : split(given, ':')) {
      const bool has_level = text.find('=') != std::string::npos;
      const auto change =
          parse_cache_change(has_level ? text : given.substr(0, given.find('=') + 1) + text);
      if (!change) {
        return usage(
            "--cache needs LEVEL=SIZE,LINE,WAYS[:SIZE,LINE,WAYS...] like "
            "l1d=8k,32,1:16k,32,2, of l1, l1i, l1d, l2 or l3, not '" +
            printable(given) + "'");
      }
      auto level = std::ranges::find(names, change->level);
      if (level == names.end()) {
        levels.emplace_back();
        level = names.insert(names.end(), change->level);
      }
      Choices& sizes = levels[static_cast<std::size_t>(level - names.begin())];
      if (std::ranges::count(sizes, to_text(*change), &Choice::name) != 0) {
        return usage("--cache gives " + to_text(*change) + " twice; give it once");
      }
      sizes.push_back({"--cache=" + to_text(*change), to_text(*change)});
    }
  }
  return levels;
}

// A path of the user's as it is from any directory.
std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

// HOST of HOST:GUEST and the like.
std::string with_absolute_host(const std::string& bind) {
  const std::size_t colon = bind.find(':');
  return colon == std::string::npos ? bind : absolute(bind.substr(0, colon)) + bind.substr(colon);
}

std::string with_absolute_parts(const std::string& directories) {
  std::string all;
  for (const std::string& each : split(directories, ':')) {
    all += (all.empty() ? "" : ":") + (each.empty() ? each : absolute(each));
  }
  return all;
}

// For a job that works in another directory than the user's.
std::string moved(std::string_view option, const std::string& value) {
  if (option == "root") return with_absolute_parts(value);
  return option == "bind" ? with_absolute_host(value) : value;
}

// The words of an option's values; those of its default are not repeated.
Words words_of(const OptionSpec& option, const Arguments& arguments, bool own_folders) {
  Words words;
  const std::string dashed = "--" + std::string(option.name);
  if (!arguments.has(option.name)) return words;
  if (option.value == ValueOf::none) return {dashed};
  for (const std::string& value : arguments.values(option.name)) {
    if (value == option.default_value) continue;
    words.push_back(dashed + "=" + (own_folders ? moved(option.name, value) : value));
  }
  return words;
}

// What is common to all jobs: "run" or "sweep", and the options.
Words common_words(const Arguments& arguments, bool own_folders) {
  const bool has_clocks = arguments.has("hz");
  Words words = {has_clocks ? "sweep" : "run"};
  for (const OptionSpec* const option : find_command("sweep")->all_options()) {
    const std::string_view name = option->name;
    if (is_among(of_the_sweep, name) || is_among(varied, name) || name == "cwd") continue;
    for (std::string& word : words_of(*option, arguments, own_folders)) {
      const bool is_own_rate = name == "own-hz" && !has_clocks;
      words.push_back(is_own_rate ? "--hz" + word.substr(word.find('=')) : std::move(word));
    }
  }
  const std::string access = arguments.value("cwd").value_or("ro");
  words.push_back("--cwd=" + (own_folders ? "rw" : access));
  return words;
}

std::optional<UsageError> refuse_options(const Arguments& arguments) {
  for (const std::string_view name : outputs) {
    if (!arguments.has(name)) continue;
    return UsageError{"--" + std::string(name) +
                      " is for one run; leave it out, and give it to the job's own command, which "
                      "is in the jobs.json of --jobs-dir"};
  }
  if (arguments.value("phase") != "1" && !arguments.has("hz")) {
    return UsageError{"--phase is for the clocks of --hz; add --hz LIST or leave it out"};
  }
  if (arguments.value("cwd") == "rw") {
    return UsageError{
        "--cwd=rw would let the jobs write over each other's files; take own, ro or none"};
  }
  if (arguments.has("cache") && arguments.has("cpu")) {
    return UsageError{"--cache changes a machine's caches; leave out --cpu"};
  }
  return std::nullopt;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

// The combinations of the choices, one of each, the last one's varying fastest.
std::vector<std::vector<const Choice*>> product(const std::vector<Choices>& dimensions) {
  std::vector<std::vector<const Choice*>> all = {{}};
  for (const Choices& dimension : dimensions) {
    std::vector<std::vector<const Choice*>> longer;
    for (const auto& combination : all) {
      for (const Choice& choice : dimension) {
        longer.push_back(combination);
        longer.back().push_back(&choice);
      }
      if (longer.size() > JobList::most_jobs) return longer;
    }
    all = std::move(longer);
  }
  return all;
}

Job make_job(const std::vector<const Choice*>& combination, const Words& common,
             const Words& guest) {
  Job job{.name = {}, .words = common};
  Words names;
  for (const Choice* const choice : combination) {
    names.push_back(choice->name);
    if (!choice->word.empty()) job.words.push_back(choice->word);
  }
  job.name = joined(names);
  job.words.emplace_back("--");
  job.words.insert(job.words.end(), guest.begin(), guest.end());
  return job;
}

std::optional<UsageError> error_in(const Job& job) {
  const Words args(job.words.begin() + 1, job.words.end());
  const auto parsed =
      job.words.front() == "run" ? parse_run_options(args) : parse_sweep_options(args);
  return parsed ? std::nullopt : std::optional(parsed.error());
}

// The paths of own descriptions in `choices`, absolute if the jobs work elsewhere.
void move_descriptions(Choices& choices, bool own_folders,
                       std::map<std::string, std::string>& hashes) {
  for (Choice& choice : choices) {
    if (!names_own_file(choice.name)) continue;
    // A processor's clock may follow it.
    const std::size_t at =
        choice.word.starts_with("--cpu") ? choice.name.find('@') : std::string::npos;
    const std::string path = choice.name.substr(0, at);
    hashes[path] = hash_of_file(path);
    if (!own_folders) continue;
    const std::string rate = at == std::string::npos ? "" : choice.name.substr(at);
    choice.word = choice.word.substr(0, choice.word.find('=') + 1) + absolute(path) + rate;
  }
}

// The host's file: below one of the roots, or where its path says. Empty: there is none.
std::string find_program(const std::string& program, const Words& roots) {
  Words candidates;
  if (program.starts_with('/')) {
    for (const std::string& root : roots) candidates.push_back(root + program);
  }
  candidates.push_back(program);
  const auto found = std::ranges::find_if(
      candidates, [](const std::string& path) { return !hash_of_file(path).empty(); });
  return found == candidates.end() ? "" : absolute(*found);
}

std::string changed_program(const JobList& list) {
  return "has jobs of another " + printable_path(list.program) +
         ", which has changed since; name another folder";
}
constexpr const char* changed_description =
    "was begun with other text in a file of --cpu or --machine; name another folder";
constexpr const char* changed_hardclock =
    "was begun by another build of hardclock; name another folder";

}  // namespace

Result<JobList, UsageError> make_job_list(const Arguments& arguments) {
  if (arguments.operands().empty()) return usage("'hardclock sweep' needs PROGRAM [ARG...]");
  if (const auto error = refuse_options(arguments)) return Failure{*error};
  auto hardware = read_hardware(arguments);
  if (!hardware) return Failure{hardware.error()};
  auto caches = read_caches(arguments);
  if (!caches) return Failure{caches.error()};

  JobList list;
  list.hardclock = hash_of_hardclock();
  list.directory = std::filesystem::current_path().string();
  list.own_folders = arguments.value("cwd") == "own";
  list.program = arguments.operands().front();
  Words roots;
  for (const std::string& value : arguments.values("root")) {
    for (std::string& each : split(value, ':')) roots.push_back(std::move(each));
  }
  list.program_file = find_program(list.program, roots);
  list.program_hash = hash_of_file(list.program_file);
  move_descriptions(*hardware, list.own_folders, list.descriptions);
  Words guest = arguments.operands();
  const bool is_below_root = list.program.starts_with('/');
  if (list.own_folders && !is_below_root) guest.front() = absolute(list.program);

  std::vector<Choices> dimensions = {*std::move(hardware)};
  dimensions.insert(dimensions.end(), caches->begin(), caches->end());
  const auto combinations = product(dimensions);
  if (combinations.size() > JobList::most_jobs) {
    return usage(
        fmt::format("these are more than {} jobs; sweep fewer at a time", JobList::most_jobs));
  }
  const Words common = common_words(arguments, list.own_folders);
  for (const auto& combination : combinations) {
    list.jobs.push_back(make_job(combination, common, guest));
    if (const auto error = error_in(list.jobs.back())) return Failure{*error};
  }
  const auto kept = parse_job_list(to_json(list));
  if (!kept || *kept != list) {
    return usage("--jobs-dir: words that are not UTF-8 cannot be kept in its list of jobs");
  }
  return list;
}

std::string to_json(const JobList& list) {
  Json json = {{"format", "hardclock-job-list"},    {"version", 1},
               {"hardclock", list.hardclock},       {"program", list.program},
               {"program_file", list.program_file}, {"program_hash", list.program_hash},
               {"directory", list.directory},       {"own_folders", list.own_folders},
               {"descriptions", Json::object()},    {"jobs", Json::array()}};
  for (const auto& [path, hash] : list.descriptions) json["descriptions"][path] = hash;
  for (std::size_t i = 0; i < list.jobs.size(); ++i) {
    const Job& job = list.jobs[i];
    json["jobs"].push_back({{"job", i + 1}, {"name", job.name}, {"words", job.words}});
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<JobList, std::string> parse_job_list(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != "hardclock-job-list" || json.at("version") != 1) {
      return Failure{std::string("is no list of jobs of this version")};
    }
    JobList list;
    list.hardclock = json.at("hardclock");
    list.program = json.at("program");
    list.program_file = json.at("program_file");
    list.program_hash = json.at("program_hash");
    list.directory = json.at("directory");
    list.own_folders = json.at("own_folders");
    list.descriptions = json.at("descriptions").get<std::map<std::string, std::string>>();
    for (const Json& each : json.at("jobs")) {
      list.jobs.push_back({each.at("name"), each.at("words").get<Words>()});
      const Words& words = list.jobs.back().words;
      if (words.empty() || (words[0] != "run" && words[0] != "sweep")) {
        return Failure{std::string("has a job that is no run")};
      }
    }
    if (list.jobs.size() > JobList::most_jobs) return Failure{std::string("has too many jobs")};
    return list;
  } catch (const Json::exception&) {
    return Failure{std::string("is no list of jobs")};
  }
}

std::string difference(const JobList& old, const JobList& wanted) {
  if (old.directory != wanted.directory) {
    return "was begun in " + printable_path(old.directory) + "; go there, or name another folder";
  }
  if (old.program != wanted.program || old.jobs != wanted.jobs ||
      old.own_folders != wanted.own_folders) {
    return "has other jobs, of " + printable_path(old.program) +
           " or with other options; repeat that command, or name another folder";
  }
  if (old.program_file != wanted.program_file || old.program_hash != wanted.program_hash) {
    return changed_program(old);
  }
  if (old.descriptions != wanted.descriptions) return changed_description;
  return old.hardclock != wanted.hardclock ? changed_hardclock : "";
}

std::string change_since(const JobList& list) {
  if (list.hardclock != hash_of_hardclock()) return changed_hardclock;
  if (list.program_hash != hash_of_file(list.program_file)) return changed_program(list);
  for (const auto& [path, hash] : list.descriptions) {
    if (hash != hash_of_file(path)) return changed_description;
  }
  return "";
}

std::string hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  if (!file || !std::filesystem::is_regular_file(path, error)) return "";
  std::uint64_t hash = 0xcbf29ce484222325;
  std::array<char, 65536> buffer;
  while (file) {
    file.read(buffer.data(), buffer.size());
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      hash = (hash ^ static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)])) *
             std::uint64_t{0x100000001b3};
    }
  }
  return file.bad() ? "" : fmt::format("{:016x}", hash);
}

std::string hash_of_hardclock() {
  return hash_of_file("/proc/self/exe");
}

}  // namespace hardclock::jobs
