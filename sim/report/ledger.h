// Collects the rows of a table: ticks and cycles by function. A part of reports.
#pragma once

#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/report/flat.h"
#include "sim/report/histogram.h"
#include "sim/report/nameless.h"
#include "sim/report/places.h"

namespace hardclock::report {

// Functions by file and address, then the rest by name: the order in which ticks and cycles arrive
// does not matter.
class Ledger {
 public:
  Ledger(const SymbolTable& symbols, const Identity& program, const Objects& objects)
      : symbols_(symbols), program_(program), objects_(objects) {}
  virtual ~Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // To be called of all processes before the others are.
  void find_nameless(const ProcessProfile& process);
  void charge_ticks(const ProcessProfile& process);
  void charge_cycles(const ProcessProfile& process);
  std::vector<FlatRow> rows() const;
  // The rows that the pcs are charged to, without costs.
  FunctionsOfPcs rows_of(const ProcessProfile& process, std::span<const GuestAddr> pcs);

 protected:
  // Addresses up to `end` that belong to one row.
  struct Piece {
    FlatRow* row = nullptr;
    GuestAddr end;
  };

  // The row of a pc; `place`, which contains it, is null where no file is.
  virtual FlatRow& row_at(const Place* place, GuestAddr pc);
  // The piece that begins at `pc`; `limit`, above pc, bounds it.
  virtual Piece piece_at(const Place* place, GuestAddr pc, GuestAddr limit);
  virtual std::string text_of(const Place& place, const Symbol& function) const;
  // Rows before those of functions.
  virtual std::vector<FlatRow> first_rows() const { return {}; }

 private:
  FlatRow& row_of(const Place& place, const Symbol& function);
  FlatRow& row_without_symbol(const Place* place, GuestAddr pc);
  FlatRow& other(const ProcessProfile& process);
  FlatRow& outside_row(const std::string& name);
  void charge(const Places& places, const Histogram& histogram);
  void charge_counter(const Places& places, const Histogram& histogram, std::size_t index);

  const SymbolTable& symbols_;
  const Identity& program_;
  const Objects& objects_;
  NamelessFunctions nameless_;
  std::map<std::tuple<std::string, std::string, GuestAddr>, FlatRow> functions_;
  std::map<std::string, FlatRow> outside_;
  // Neighbours are asked for one after another. Of the process that is charged.
  struct {
    const Place* place = nullptr;
    const Symbol* function = nullptr;
    FlatRow* row = nullptr;  // null: none yet
  } last_;
};

// `program` with the name of the first one in the profiles, if it has none.
Identity named(Identity program, const Profile& sampled, const Profile* exact);

// Charges all of the profiles to an empty ledger.
FlatReport report_of(Ledger& ledger, const Profile& sampled, const Profile* exact);

}  // namespace hardclock::report
