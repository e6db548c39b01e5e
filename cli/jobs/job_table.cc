#include "cli/jobs/job_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/report/text_table.h"
#include "sim/report/viewers/data_table.h"

namespace hardclock::jobs {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::Column;
using report::DataCell;
using report::DataTable;
using Results = std::vector<JobResult>;

constexpr std::array<const char*, 5> kinds_of_misses = {"l1i", "l1d", "l2", "l3", "tlb"};

std::vector<Column> titled(const std::vector<std::string>& titles) {
  std::vector<Column> columns;
  for (const std::string& title : titles) columns.push_back({.title = title, .cells = {}});
  return columns;
}

void add_line(std::vector<Column>& columns, std::vector<std::string> cells) {
  cells.resize(columns.size(), "-");
  for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(std::move(cells[i]));
}

// Those that some job had.
std::vector<std::string> shown_misses(const Results& results) {
  std::vector<std::string> shown;
  for (const char* const kind : kinds_of_misses) {
    const auto has = [&](const JobResult& result) { return result.misses.contains(kind); };
    if (std::ranges::any_of(results, has)) shown.emplace_back(kind);
  }
  return shown;
}

// The word with which all jobs' names begin, their only machine: it stands above the table.
std::string common_word(const JobList& list) {
  const std::string& first = list.jobs.front().name;
  const std::string word = first.substr(0, first.find(' ') + 1);
  if (word.empty() || list.jobs.size() < 2) return "";
  const auto begins = [&](const Job& job) { return job.name.starts_with(word); };
  return std::ranges::all_of(list.jobs, begins) ? word : "";
}

std::string figures(const JobList& list, const Results& results, std::size_t skipped,
                    const Terminal& terminal) {
  const std::vector<std::string> misses = shown_misses(results);
  std::vector<std::string> titles = {"job", "instructions", "cycles", "cpi", "seconds"};
  titles.insert(titles.end(), misses.begin(), misses.end());
  titles.emplace_back("of");
  std::vector<Column> columns = titled(titles);
  columns.back().align = Align::left;
  // A narrow terminal keeps the cycles.
  columns[1].rank = 2;
  columns[3].rank = 1;
  columns[4].rank = 3;
  for (std::size_t i = 0; i < misses.size(); ++i) columns[5 + i].rank = 4;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const JobResult& result = results[i];
    if (!result.error.empty()) continue;
    std::vector<std::string> cells = {
        std::to_string(i + 1), std::to_string(result.instructions.value()),
        std::to_string(result.cycles.value()), fmt::format("{:.4f}", result.cpi()),
        fmt::format("{:.6f}", result.seconds())};
    for (const std::string& kind : misses) {
      const auto found = result.misses.find(kind);
      cells.push_back(found == result.misses.end() ? "-" : std::to_string(found->second));
    }
    std::string name = list.jobs[i].name.substr(skipped);
    cells.push_back(name.empty() ? result.cpu : std::move(name));
    add_line(columns, std::move(cells));
  }
  return columns.front().cells.empty()
             ? ""
             : report::table_text(std::move(columns), {.terminal = terminal});
}

std::string failures(const JobList& list, const Results& results) {
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].error.empty()) continue;
    const std::string& name = list.jobs[i].name;
    text += fmt::format("job {} failed{}: {}\n", i + 1, name.empty() ? "" : ", " + name,
                        results[i].error);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].status == 0) continue;
    text += fmt::format("job {}: the program ended with status {}; job-{}/err has what it said\n",
                        i + 1, results[i].status, i + 1);
  }
  return text;
}

// Of at least a hundredth of the cycles of some job, in the order of the first one that has them.
std::vector<std::string> main_functions(const Results& results) {
  std::vector<std::string> names;
  for (const JobResult& result : results) {
    if (!result.clocks) continue;
    for (const report::SweepRow& row : result.clocks->rows) {
      const bool is_known = std::ranges::count(names, row.place.function) != 0;
      if (!is_known && result.clocks->table().exact_share(row) >= report::main_row_share) {
        names.push_back(row.place.function);
      }
    }
  }
  return names;
}

std::string two(double share) {
  return fmt::format("{:.2f}", 100 * share);
}

void add_shares(std::vector<Column>& columns, std::size_t job, const report::SweepTable& table,
                const report::SweepRow& row) {
  for (std::size_t rate = 0; rate < table.sweep->rates.size(); ++rate) {
    const report::SeenShare seen = report::seen_share(table, row, rate);
    std::vector<std::string> cells = {std::to_string(job), two(table.exact_share(row)),
                                      std::to_string(table.sweep->rates[rate].value())};
    if (seen.clocks != 0) {
      cells.push_back(two(seen.mean));
      cells.push_back(two(seen.lowest));
      cells.push_back(two(seen.highest));
      cells.push_back(two(seen.standard_error));
      cells.push_back(seen.standard_error > 0 ? fmt::format("{:.1f}", seen.worst) : "-");
    }
    add_line(columns, std::move(cells));
  }
}

// What the clocks of each job saw of a function.
std::string function_table(const Results& results, const std::string& function,
                           const Terminal& terminal) {
  std::vector<Column> columns =
      titled({"job", "exact%", "hz", "mean%", "lowest", "highest", "error", "worst"});
  columns[4].rank = columns[5].rank = 2;
  columns[6].rank = 1;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].clocks) continue;
    const report::SweepTable table = results[i].clocks->table();
    for (const report::SweepRow& row : table.rows) {
      if (row.place.function == function) add_shares(columns, i + 1, table, row);
    }
  }
  return "\n" + report::printable_name(function) + "\n" +
         report::table_text(std::move(columns), {.terminal = terminal});
}

std::vector<DataCell> job_cells(const JobList& list, const Results& results, std::size_t i) {
  const JobResult& result = results[i];
  std::vector<DataCell> cells = {std::uint64_t{i + 1}, list.jobs[i].name};
  if (!result.error.empty()) {
    cells.emplace_back(result.error);
    return cells;
  }
  std::string cache;
  for (const std::string& each : result.cache) cache += (cache.empty() ? "" : " ") + each;
  cells.insert(cells.end(), {DataCell(), static_cast<std::int64_t>(result.status), result.cpu,
                             result.machine.empty() ? DataCell() : DataCell(result.machine),
                             cache.empty() ? DataCell() : DataCell(cache), result.clock.value(),
                             result.instructions.value(), result.cycles.value(),
                             result.elapsed.value(), result.cpi(), result.seconds()});
  for (const char* const kind : kinds_of_misses) {
    const auto found = result.misses.find(kind);
    cells.push_back(found == result.misses.end() ? DataCell() : DataCell(found->second));
  }
  return cells;
}

constexpr std::string_view job_columns[] = {
    "job",        "name",         "error",     "status",         "cpu", "machine", "cache",
    "clock_hz",   "instructions", "cycles",    "elapsed_cycles", "cpi", "seconds", "l1i_misses",
    "l1d_misses", "l2_misses",    "l3_misses", "tlb_misses"};
constexpr std::string_view clock_columns[] = {
    "hz", "phase", "function", "object", "function_cycles", "ticks", "user_ticks"};

bool has_clocks(const Results& results) {
  return std::ranges::any_of(results,
                             [](const JobResult& each) { return each.clocks.has_value(); });
}

// A row for each clock and function of a job.
void add_clock_rows(const std::vector<DataCell>& job, const SeenClocks& seen, DataTable& table) {
  const report::Sweep& sweep = seen.sweep;
  for (std::size_t clock = 0; clock < sweep.clocks(); ++clock) {
    for (const report::SweepRow& row : seen.rows) {
      std::vector<DataCell> cells = job;
      cells.insert(cells.end(), {sweep.rates[clock / sweep.phases].value(),
                                 std::uint64_t{clock % sweep.phases}, row.place.function,
                                 row.place.object.empty() ? DataCell() : DataCell(row.place.object),
                                 row.place.cycles.value(), row.ticks[clock], seen.user[clock]});
      table.rows.push_back(std::move(cells));
    }
  }
}

Json json_of(const DataCell& cell) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return Json();
        } else {
          return Json(value);
        }
      },
      cell);
}

void add_clocks(const SeenClocks& seen, Json& job) {
  const report::Sweep& sweep = seen.sweep;
  job["clocks"] = Json::array();
  for (std::size_t clock = 0; clock < sweep.clocks(); ++clock) {
    job["clocks"].push_back({{"hz", sweep.rates[clock / sweep.phases].value()},
                             {"phase", clock % sweep.phases},
                             {"user", seen.user[clock]},
                             {"kernel", seen.kernel[clock]},
                             {"idle", seen.idle[clock]}});
  }
  job["functions"] = Json::array();
  for (const report::SweepRow& row : seen.rows) {
    Json function = {{"function", row.place.function}};
    if (!row.place.object.empty()) function["object"] = row.place.object;
    function["cycles"] = row.place.cycles.value();
    function["ticks"] = row.ticks;
    job["functions"].push_back(std::move(function));
  }
}

}  // namespace

std::string table_text(const JobList& list, const std::vector<JobResult>& results,
                       const Terminal& terminal) {
  const std::string common = common_word(list);
  std::string text = printable_path(list.program);
  if (!common.empty()) text += " on " + common.substr(0, common.size() - 1);
  text += fmt::format(", {} job{}; the columns of caches and tlb are misses\n\n", results.size(),
                      results.size() == 1 ? "" : "s");
  text = fitted(text, terminal);
  const std::string table = figures(list, results, common.size(), terminal);
  const std::string failed = fitted(failures(list, results), terminal);
  text += table + (table.empty() || failed.empty() ? "" : "\n") + failed;
  const std::vector<std::string> functions = main_functions(results);
  if (functions.empty()) return text;
  text += fitted(
      "\nwhat the clocks saw, in percent of their user ticks; error: the standard error of as "
      "many\nticks at random; worst: how many of these the farthest phase is away\n",
      terminal);
  for (const std::string& function : functions) {
    text += function_table(results, function, terminal);
  }
  return text;
}

std::string table_csv(const JobList& list, const std::vector<JobResult>& results) {
  DataTable table{
      .name = "jobs", .columns = {std::begin(job_columns), std::end(job_columns)}, .rows = {}};
  const bool watched = has_clocks(results);
  if (watched) {
    table.columns.insert(table.columns.end(), std::begin(clock_columns), std::end(clock_columns));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::vector<DataCell> job = job_cells(list, results, i);
    job.resize(std::size(job_columns));
    if (results[i].clocks) {
      add_clock_rows(job, *results[i].clocks, table);
    } else {
      job.resize(table.columns.size());
      table.rows.push_back(std::move(job));
    }
  }
  return report::to_csv(table);
}

std::string table_json(const JobList& list, const std::vector<JobResult>& results) {
  Json json = {{"format", "hardclock-jobs"},
               {"version", 1},
               {"program", list.program},
               {"jobs", Json::array()}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::vector<DataCell> cells = job_cells(list, results, i);
    cells.resize(std::size(job_columns));
    Json job = Json::object();
    for (std::size_t column = 0; column < std::size(job_columns); ++column) {
      job[std::string(job_columns[column])] = json_of(cells[column]);
    }
    job["words"] = list.jobs[i].words;
    if (results[i].clocks) add_clocks(*results[i].clocks, job);
    json["jobs"].push_back(std::move(job));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hardclock::jobs
