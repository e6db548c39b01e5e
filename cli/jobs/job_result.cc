#include "cli/jobs/job_result.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace hardclock::jobs {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "hardclock-job";

std::string text_of(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What a table says of the clocks: all but what each pc had.
Json seen_by_clocks(std::string_view sweep) {
  Json json = Json::parse(sweep);
  json.erase("programs");
  return json;
}

void read_misses(const Json& memory, JobResult& result) {
  for (const char* const cache : {"l1i", "l1d", "l2", "l3"}) {
    if (!memory.contains(cache) || memory.at(cache).at("accesses") == 0) continue;
    result.misses[cache] = memory.at(cache).at("misses");
  }
  result.misses["tlb"] = memory.at("tlb_misses");
}

SeenClocks read_clocks(const Json& json) {
  SeenClocks seen;
  seen.sweep.phases = json.at("phases");
  seen.cycles = Cycles(json.at("cycles").get<std::uint64_t>());
  for (const Json& clock : json.at("clocks")) {
    if (clock.at("phase") == 0) seen.sweep.rates.emplace_back(clock.at("hz").get<std::uint64_t>());
    seen.user.push_back(clock.at("user"));
    seen.kernel.push_back(clock.at("kernel"));
    seen.idle.push_back(clock.at("idle"));
  }
  for (const Json& function : json.at("functions")) {
    report::SweepRow row;
    row.place.function = function.at("function");
    if (function.contains("object")) row.place.object = function.at("object");
    row.place.cycles = Cycles(function.at("cycles").get<std::uint64_t>());
    row.ticks = function.at("ticks").get<report::ClockTicks>();
    if (row.ticks.size() != seen.user.size()) throw std::range_error("ticks");
    seen.rows.push_back(std::move(row));
  }
  if (seen.sweep.clocks() != seen.user.size()) throw std::range_error("clocks");
  return seen;
}

JobResult read_result(const Json& json) {
  JobResult result;
  if (json.contains("error")) {
    result.error = json.at("error");
    return result;
  }
  const Json& statistics = json.at("statistics");
  result.status = json.at("status");
  result.cpu = statistics.at("cpu");
  if (!statistics.at("machine").is_null()) result.machine = statistics.at("machine");
  if (statistics.contains("cache")) {
    result.cache = statistics.at("cache").get<std::vector<std::string>>();
  }
  result.clock = Hertz(statistics.at("clock_hz").get<std::uint64_t>());
  result.instructions = Instructions(statistics.at("instructions").get<std::uint64_t>());
  result.cycles = Cycles(statistics.at("cycles").get<std::uint64_t>());
  result.elapsed = Cycles(statistics.at("elapsed_cycles").get<std::uint64_t>());
  if (statistics.contains("memory")) read_misses(statistics.at("memory"), result);
  if (json.contains("clocks")) result.clocks = read_clocks(json.at("clocks"));
  return result;
}

}  // namespace

report::SweepTable SeenClocks::table() const {
  return {.sweep = &sweep,
          .rows = rows,
          .cycles = cycles,
          .user = user,
          .kernel = kernel,
          .idle = idle};
}

double JobResult::seconds() const {
  return static_cast<double>(elapsed.value()) / static_cast<double>(clock.value());
}

double JobResult::cpi() const {
  if (instructions == Instructions(0)) return 0;
  return static_cast<double>(cycles.value()) / static_cast<double>(instructions.value());
}

std::string failure_json(const std::string& error) {
  return text_of({{"format", format}, {"version", 1}, {"error", error}});
}

Result<std::string, std::string> result_json(int status, std::string_view statistics,
                                             std::string_view sweep) {
  try {
    Json json = {{"format", format},
                 {"version", 1},
                 {"status", status},
                 {"statistics", Json::parse(statistics)}};
    if (!sweep.empty()) json["clocks"] = seen_by_clocks(sweep);
    return text_of(json);
  } catch (const Json::exception&) {
    return Failure{std::string("what the run wrote of itself is not complete; is the disk full?")};
  }
}

std::optional<JobResult> parse_result(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != format || json.at("version") != 1) return std::nullopt;
    JobResult result = read_result(json);
    if (result.error.empty() && result.clock == Hertz(0)) return std::nullopt;
    return result;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_done(const std::optional<std::string>& text) {
  if (!text) return false;
  const auto result = parse_result(*text);
  return result && result->error.empty();
}

}  // namespace hardclock::jobs
