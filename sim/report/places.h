// Where the files of a profiled process lay in its memory. A part of reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock::report {

std::string_view base_name(std::string_view path);

// The program that the first process ran, as the guest sees it; empty: unknown.
std::string_view first_program(const Profile& profile);

// A stretch of a process's addresses [start, end) that one file's functions name.
struct Place {
  GuestAddr start;
  GuestAddr end;
  const SymbolTable* symbols = nullptr;  // null: none are known
  std::uint64_t moved_by = 0;            // above the addresses of the symbols, modulo 2^64
  bool is_program = false;               // else a shared object, or another process's program
  std::string path = {};                 // the guest's, of these
  std::string file = {};                 // the path without folders
};

class Places {
 public:
  // `symbols` are those of `program`. A process that ran another one has that one's in `objects`.
  Places(const ProcessProfile& process, const SymbolTable& symbols, const Identity& program,
         const Objects& objects);

  // Null: no file is there.
  const Place* find(GuestAddr pc) const;
  // Where the stretch ends that `pc` is in, be it one of nothing; at most `limit`.
  GuestAddr end_of(GuestAddr pc, GuestAddr limit) const;
  const std::vector<Place>& all() const { return places_; }  // by start

 private:
  void add_program(const ProcessProfile& process, const SymbolTable& symbols);
  void add_other_program(const ProcessProfile& process, const Objects& objects);
  void add_object(const Mapping& mapping, const Objects& objects);

  std::vector<Place> places_;
};

// Whether functions of the process's program can be told: it ran `program`, or one of `objects`.
bool has_known_program(const ProcessProfile& process, const Identity& program,
                       const Objects& objects);

// What reports call code at `place` (null: in no file) that is no function's; `program` is the
// name of the program.
std::string outside_label(const Place* place, std::string_view program);
// What they call a process that ran another program, whose file is not known.
std::string other_program_label(const ProcessProfile& process);

}  // namespace hardclock::report
