// The flat report: ticks by function, beside the exact cycles that they estimate.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/terminal.h"
#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock::report {

// One function, or ticks outside all functions.
struct FlatRow {
  // "main"; in a shared object "printf (libc.so.1)"; without a symbol, where a call went,
  // "0x00400120"; or "(libc.so.1, no function)",
  // "(libc.so.1: pass -L DIR)" for a file that is not known, "(outside PROGRAM)", "(other program
  // PROGRAM)", whose file is not known.
  std::string function;
  std::optional<GuestAddr> address;  // of the function, as its file has it
  double ticks = 0;                  // fractions come from counters that several functions share
  Cycles cycles;                     // 0 without exact cycles
  std::string object = {};           // the path of the object; empty: of the program, or none
  std::string name = {};             // of the function alone; empty: there is none
  CyclesByReason reasons = {};       // zeros without reasons

  friend bool operator==(const FlatRow&, const FlatRow&) = default;
};

// Rows by ticks, then by cycles, most first, then by file and address; among equals, rows outside
// functions come last. A row has ticks, cycles or work of the kernel for it. The totals include
// every row.
struct FlatReport {
  std::vector<FlatRow> rows;
  Ticks ticks;
  Cycles cycles;
  bool has_cycles = false;   // exact cycles were given
  Hertz tick_rate;           // 0: unknown
  CyclesByReason reasons;    // all rows' together
  bool has_reasons = false;  // some process has reasons

  double sampled_percent(const FlatRow& row) const;  // of all ticks; 0 when there are none
  double exact_percent(const FlatRow& row) const;    // of all cycles; 0 when there are none
  // The row's ticks above (or, negative, below) its exact share of them: the sampling error.
  double difference(const FlatRow& row) const;
  // Of the ticks of n samples at random times, each with the row's exact share p of hitting it:
  // sqrt(n p (1 - p)). A clock's are at equal distances, and may be nearer or further off.
  double standard_error(const FlatRow& row) const;

  friend bool operator==(const FlatReport&, const FlatReport&) = default;
};

// Shared objects, by the paths in a profile's mappings, and other programs that its processes ran.
using Objects = std::map<std::string, Image, std::less<>>;

// Charges the ticks of `sampled`, and the cycles of `exact` with their reasons if given (it may be
// the same profile), to the functions of `symbols`. A counter whose addresses belong to several
// functions is divided among them by overlap: a function that covers O percent of the counter's
// addresses gets O percent of its ticks (GNU binutils gprof/hist.c, comment on
// hist_assign_samples). A counter within one function is exact. Up to 31 bytes of padding between
// functions belong to the preceding one.
//
// `symbols` belong to `program` or, if that has no name, to the program of the first process.
// Processes that ran other programs (is_of()) get one row for each such program that `objects`
// lacks. Files in `objects` show their functions; each other shared object is one row.
FlatReport flat(const Profile& sampled, const SymbolTable& symbols, const Profile* exact = nullptr,
                Identity program = {}, const Objects& objects = {});

struct FunctionsOfPcs {
  std::vector<FlatRow> rows;        // without ticks and cycles, in no order
  std::vector<std::size_t> row_of;  // by place of the pc
  const FlatRow& at(std::size_t pc) const { return rows[row_of[pc]]; }
};

// The functions of `pcs`, which are addresses of the process; the other arguments are those of
// flat().
FunctionsOfPcs functions_of(const ProcessProfile& process, const SymbolTable& symbols,
                            std::span<const GuestAddr> pcs, const Identity& program,
                            const Objects& objects);

struct TextStyle {
  unsigned width = 80;                 // columns that bars may fill; long names may exceed it
  Terminal terminal = {};              // where the table has to fit; it may narrow `width`
  std::string_view rows = "function";  // what a row is of
};

// An aligned table in ASCII (except names) with a row of totals, each line ended by '\n'. The
// longest bar belongs to the row with most ticks; every row with ticks has a bar. Seconds appear if
// the tick rate is known. Control characters in names are shown as '?'.
std::string to_text(const FlatReport& report, const TextStyle& style = {});

}  // namespace hardclock::report
