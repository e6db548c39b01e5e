// Decides whether a profile is of a program, by the hash of its code, its name and its addresses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/report/profile.h"

namespace hardclock::report {

// Addresses [low, high).
struct AddressRange {
  GuestAddr low;
  GuestAddr high;
};

// The program that a user names beside a profile.
struct Identity {
  std::string name = {};                // as the user wrote it
  std::string text_hash = {};           // empty: unknown
  std::vector<AddressRange> text = {};  // its executable segments; empty: unknown
  std::string former_text_hash = {};    // in profiles of older hardclocks; empty: unknown
};

Identity identity_of(std::string name, const Image& image);

// Compares the hashes if both are known, otherwise the names without folders. Unknown parts agree.
bool is_of(const ProcessProfile& process, const Identity& program);

// Why no process of `profile` can have run `program`, as one line without the profile's name: they
// all ran others, or the counters are for addresses outside the program's text. Counters may end up
// to 64 bytes after the text, since mcount()'s libraries round, or at the end of its page.
std::optional<std::string> objection(const Profile& profile, const Identity& program);

}  // namespace hardclock::report
