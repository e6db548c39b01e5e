#include "sim/report/flat.h"

#include <cmath>
#include <utility>

#include "sim/report/ledger.h"

namespace hardclock::report {
namespace {

double percent(double part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * part / static_cast<double>(whole);
}

}  // namespace

double FlatReport::sampled_percent(const FlatRow& row) const {
  return percent(row.ticks, ticks.value());
}

double FlatReport::exact_percent(const FlatRow& row) const {
  return percent(static_cast<double>(row.cycles.value()), cycles.value());
}

double FlatReport::difference(const FlatRow& row) const {
  if (cycles == Cycles()) return 0;
  const double share =
      static_cast<double>(row.cycles.value()) / static_cast<double>(cycles.value());
  return row.ticks - share * static_cast<double>(ticks.value());
}

double FlatReport::standard_error(const FlatRow& row) const {
  if (cycles == Cycles()) return 0;
  const double share =
      static_cast<double>(row.cycles.value()) / static_cast<double>(cycles.value());
  return std::sqrt(share * (1 - share) * static_cast<double>(ticks.value()));
}

FunctionsOfPcs functions_of(const ProcessProfile& process, const SymbolTable& symbols,
                            std::span<const GuestAddr> pcs, const Identity& program,
                            const Objects& objects) {
  return Ledger(symbols, program, objects).rows_of(process, pcs);
}

FlatReport flat(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                Identity program, const Objects& objects) {
  program = named(std::move(program), sampled, exact);
  Ledger ledger(symbols, program, objects);
  return report_of(ledger, sampled, exact);
}

}  // namespace hardclock::report
