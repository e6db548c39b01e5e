// What the clocks of a sweep saw, for programs: by function, and by pc. docs/profiles.md lists the
// keys.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/report/sweep.h"

namespace hardclock::report {
namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(GuestAddr address) {
  return fmt::format("0x{:08x}", address.value());
}

Json clocks_of(const SweepTable& table) {
  const Sweep& sweep = *table.sweep;
  Json clocks = Json::array();
  for (std::size_t rate = 0; rate < sweep.rates.size(); ++rate) {
    for (std::uint32_t phase = 0; phase < sweep.phases; ++phase) {
      const std::size_t clock = sweep.clock(rate, phase);
      clocks.push_back({{"hz", sweep.rates[rate].value()},
                        {"phase", phase},
                        {"user", table.user[clock]},
                        {"kernel", table.kernel[clock]},
                        {"idle", table.idle[clock]}});
    }
  }
  return clocks;
}

Json functions_in(const SweepTable& table) {
  Json functions = Json::array();
  for (const SweepRow& row : table.rows) {
    Json function = {{"function", row.place.function}};
    if (!row.place.object.empty()) function["object"] = row.place.object;
    if (row.place.address) function["address"] = hexadecimal(*row.place.address);
    function["cycles"] = row.place.cycles.value();
    function["ticks"] = row.ticks;
    functions.push_back(std::move(function));
  }
  return functions;
}

struct OfPc {
  std::uint64_t cycles = 0;
  ClockTicks ticks;  // empty: none
};

Json pcs_in(const SweepProgram& program, std::size_t clocks, const SymbolTable& symbols,
            const Identity& identity, const Objects& objects) {
  std::map<GuestAddr, OfPc> by_pc;
  for (const auto& [pc, cycles] : program.cycles) by_pc[pc].cycles = cycles;
  for (const auto& [pc, clock, ticks] : program.ticks) {
    OfPc& of = by_pc[pc];
    of.ticks.resize(clocks);
    of.ticks[clock] += ticks;
  }
  std::vector<GuestAddr> pcs;
  for (const auto& [pc, counts] : by_pc) pcs.push_back(pc);
  const FunctionsOfPcs functions = functions_of(program.process, symbols, pcs, identity, objects);
  Json all = Json::array();
  for (std::size_t i = 0; i < pcs.size(); ++i) {
    const OfPc& counts = by_pc[pcs[i]];
    Json one = {{"pc", hexadecimal(pcs[i])},
                {"function", functions.at(i).function},
                {"cycles", counts.cycles}};
    if (!counts.ticks.empty()) one["ticks"] = counts.ticks;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::string sweep_json(const SweepTable& table, const SymbolTable& symbols,
                       const Identity& identity, const Objects& objects) {
  const Sweep& sweep = *table.sweep;
  Json json = {{"format", "hardclock-sweep"},
               {"version", 1},
               {"command", sweep.command},
               {"cpu_hz", sweep.cpu.value()},
               {"tick_hz", sweep.tick_rate.value()},
               {"elapsed_cycles", sweep.elapsed.value()},
               {"phases", sweep.phases},
               {"clocks", clocks_of(table)},
               {"cycles", table.cycles.value()},
               {"functions", functions_in(table)}};
  Json programs = Json::array();
  for (const SweepProgram& program : sweep.programs) {
    programs.push_back({{"pid", program.process.pid},
                        {"program", program.process.program},
                        {"kernel", program.kernel},
                        {"elsewhere", program.elsewhere},
                        {"pcs", pcs_in(program, sweep.clocks(), symbols, identity, objects)}});
  }
  json["programs"] = std::move(programs);
  // Names of functions and files are the guest's.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hardclock::report
