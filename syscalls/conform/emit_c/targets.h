// The systems that the program can be compiled on: those of syscalls/systems.bzl with a profil().
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hardclock::conform {

struct Target {
  std::string_view system;     // as --os spells it
  std::string_view constant;   // its name in the program: "BSD_4_3"
  std::string_view condition;  // of the compiler's macros, for #if
  // The system whose arithmetic and features it has; empty: its own.
  std::string_view like;
  bool has_clock = false;  // finer than a second
  bool has_mmap = false;
  bool has_sproc = false;
};

// In the order of profil::systems_and_libraries().
std::span<const Target> targets();

// Of a system or library that profil::find_system() knows.
const Target& target_of(std::string_view system);
// The one that has its arithmetic and features: the system itself, or the one that it is like.
const Target& base_target_of(std::string_view system);

// The lines of the program that say which of the targets it is compiled on, and what that has:
// CONFORM_SYSTEM by the compiler's macros, the system whose cases are performed as CASES_OF, and
// HAS_... for features. A target with a `like` is CONFORM_SYSTEM only until CASES_OF is defined,
// and is that other target from there on.
std::string choice_of_target(std::span<const Target> targets);

}  // namespace hardclock::conform
