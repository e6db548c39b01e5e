// What many clocks saw of one run, function by function, beside the exact shares that they
// estimate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/terminal.h"
#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock::report {

// By clock. Clock r * phases + p has rate number r and phase p.
using ClockTicks = std::vector<std::uint64_t>;

// User ticks of one clock at one charged pc.
struct TicksAtPc {
  GuestAddr pc;
  std::uint32_t clock = 0;
  std::uint64_t ticks = 0;
};

struct SweepProgram {
  ProcessProfile process;                                   // without cycles and samples
  std::vector<std::pair<GuestAddr, std::uint64_t>> cycles;  // by pc, ascending
  std::vector<TicksAtPc> ticks;                             // by pc, ascending
  ClockTicks elsewhere;  // user ticks of pcs for which there was no room
  ClockTicks kernel;     // ticks that found the kernel at work for it
};

struct Sweep {
  std::string command;  // the guest's
  Hertz cpu;
  Hertz tick_rate;  // of the machine's own clock
  Cycles elapsed;
  std::vector<Hertz> rates;  // ascending
  std::uint32_t phases = 1;
  std::vector<SweepProgram> programs;
  ClockTicks idle;  // ticks that found nobody running

  std::size_t clocks() const { return rates.size() * phases; }
  std::size_t clock(std::size_t rate, std::uint32_t phase) const { return rate * phases + phase; }
};

// A function, or what is outside all functions, named as in a FlatRow.
struct SweepRow {
  FlatRow place;              // its ticks are 0, its cycles exact
  ClockTicks ticks;           // in user mode
  std::size_t functions = 1;  // of which the row is the sum
};

// Rows by cycles, most first, then as in FlatReport. The totals include every row, and `user` the
// ticks for whose pcs there was no room.
struct SweepTable {
  const Sweep* sweep = nullptr;
  std::vector<SweepRow> rows;
  Cycles cycles;
  ClockTicks user, kernel, idle;

  double exact_share(const SweepRow& row) const;  // of the cycles, 0..1; 0 when there are none
};

// `sweep` must outlive the table. The other arguments are those of flat().
SweepTable tabulate(const Sweep& sweep, const SymbolTable& symbols, const Identity& program,
                    const Objects& objects);

// What the clocks of one rate saw of a row. Shares are of a clock's user ticks, 0..1; a clock
// without any saw nothing and is left out.
struct SeenShare {
  std::uint64_t ticks = 0;  // user ticks of all functions, all phases together
  std::size_t clocks = 0;   // that saw something
  double mean = 0, lowest = 0, highest = 0;
  // That the share from as many independent ticks as one of the clocks has would have by chance.
  double standard_error = 0;
  // Of the phase that is farthest from the exact share: how far, in its own standard errors. 0
  // where chance leaves none, which is so for shares of 0 and 1.
  double worst = 0;
  bool is_beyond_chance = false;  // some phase is, of all clocks and main rows
};
// A function below this share has too few ticks for a look at its clocks.
inline constexpr double main_row_share = 0.01;

SeenShare seen_share(const SweepTable& table, const SweepRow& row, std::size_t rate);

// sqrt(p * (1 - p) / n): of a share p that n independent ticks estimate; n may be a mean.
double standard_error_of_share(double p, double n);

// Whether what one clock saw of a row is beyond chance (chance.h), when all clocks of the main rows
// are looked at.
bool is_beyond_chance(const SweepTable& table, const SweepRow& row, std::size_t clock);

// The rows of at least `main_row_share` of the cycles, and the sum of all others as "others, N
// functions", if there are any.
std::vector<SweepRow> main_rows(const SweepTable& table);

// The answers of 'hardclock sweep'. Equal tables give equal bytes.
std::string sweep_text(const SweepTable& table, const Terminal& terminal = {});
std::string sweep_csv(const SweepTable& table);
std::string sweep_json(const SweepTable& table, const SymbolTable& symbols, const Identity& program,
                       const Objects& objects);
std::string sweep_svg(const SweepTable& table);

}  // namespace hardclock::report
