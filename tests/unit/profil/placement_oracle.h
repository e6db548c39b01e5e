// Where each system puts a tick, computed once more and in another way: by its documentation or its
// kernel's statements, in whole numbers without a width, cut down only where the system's own words
// are. The sources are those of docs/observed.md, sections 1 and 3.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

// Far wider than any product of two words; an overflow would throw.
using Number = boost::multiprecision::checked_int256_t;

// How a system computes.
enum class Family : std::uint8_t {
  pdp11,      // V7, 2.11BSD: 16-bit words, halved operands, rounded up
  vax_up,     // 4.1BSD: 32-bit words, halved operands, rounded up
  vax_down,   // 4.2BSD, 4.3BSD: the same, rounded down
  quad,       // 4.4BSD: a 64-bit product, a 32-bit result
  two_parts,  // Solaris: the halves of the difference one by one, in words of a pointer's width
  irix,       // a 64-bit product, a 32-bit result
  hpux,       // exact
  aix,        // exact, rounded up
};
Family family_of(const SystemRules& system);

// What a counter does that is full.
enum class Overflow : std::uint8_t { wraps, saturates, stops };
Overflow overflow_of(const SystemRules& system);

// A call that a program made, with its arguments as the program has them.
struct Profile {
  unsigned address_bits = 32;
  ProfilArguments arguments;    // of profil()
  std::vector<Region> regions;  // not empty: it is sprofil(), with these
  std::uint32_t flags = 0;
  unsigned width = 2;                  // of a counter
  std::set<std::size_t> faulted = {};  // regions, where a fault ends a region alone
};

// The state that the call makes.
Result<State, CallError> start(const SystemRules& system, const Profile& profile);

// The arguments of profil() as the kernel's types hold them.
Region kept_arguments(const SystemRules& system, const Profile& profile);

struct Place {
  std::size_t region = 0;
  std::uint64_t address = 0;
  std::uint64_t byte_offset = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// The counter for a tick at `pc`; nothing: there is none. `profile` is a call that succeeds.
std::optional<Place> expected_place(const SystemRules& system, const Profile& profile,
                                    std::uint64_t pc);

// What `ticks` make of a counter; nothing: they stop profiling.
std::optional<std::uint64_t> expected_count(const SystemRules& system, unsigned width,
                                            std::uint64_t before, std::uint64_t ticks);

// Whether the arithmetic loses no upper bit for a pc at this distance above offset: then and only
// then placement has to be monotonic.
bool is_exact(const SystemRules& system, const Region& region, unsigned address_bits,
              std::uint64_t distance);

// What the lookup says, in the same form.
std::optional<Place> found_place(const Lookup& lookup);

}  // namespace hardclock::profil
