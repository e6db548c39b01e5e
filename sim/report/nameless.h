// Functions that no symbol names, of stripped programs above all: exact calls say where they begin.
// A part of reports.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/base/units.h"
#include "sim/report/places.h"
#include "sim/report/profile.h"

namespace hardclock::report {

class NamelessFunctions {
 public:
  // Adds those that the calls of `process` entered; `places` are its own.
  void add(const ProcessProfile& process, const Places& places);

  // The beginning of the one that contains `pc`, which no symbol does. It ends where the next one
  // or a symbol begins. Addresses are those of the place's file.
  std::optional<GuestAddr> find(const Place& place, GuestAddr pc) const;
  // Where the next one begins, at most `limit`.
  GuestAddr next(const Place& place, GuestAddr pc, GuestAddr limit) const;

  // "0x00400120", in a shared object "0x00001020 (libc.so.1)".
  static std::string label(const Place& place, GuestAddr begin);

 private:
  const std::set<GuestAddr>* of(const Place& place) const;

  std::map<std::string, std::set<GuestAddr>, std::less<>> by_path_;  // the program's: ""
};

}  // namespace hardclock::report
