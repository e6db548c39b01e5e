// What `hardclock systems` says about each system's profiling: its rules, and its arithmetic with
// numbers in it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "syscalls/profil/system.h"

namespace hardclock {

// What a rule rests on, by the words of its source: "inferred ..." and "observed ..." begin with
// these, a kernel's source names a file of it, all else is a manual page.
enum class Grade : std::uint8_t { page, source, observed, inferred };
Grade grade_of(const profil::Rule& rule);
// Of a system's rule about a topic.
Grade grade_of(const profil::System& system, std::string_view topic);

// "EINVAL"
std::string_view error_name(profil::CallError error);

// The calls that it has: "profil", "profil, sprofil".
std::string calls_of(const profil::System& system);

// The largest number that --profil and --pc take: of a 32-bit program.
inline constexpr std::uint64_t kLargestProgramNumber = 0xffffffff;

// Two lines or three: name, ticks a second, calls, title; what it is known from.
std::string system_summary(const profil::System& system);

// The rules in force and the contradictions, each with its source or its resolution.
std::string system_rules(const profil::System& system);

// A line a pc: what profil() with these arguments makes of one tick there, as `hardclock run
// --explain` says it, and the number of the element. Each pc stands for itself: a fault at one does
// not turn profiling off for the next. A number that the system's words cannot hold is said to be
// that, and a call that fails has one line.
std::string worked_arithmetic(const profil::System& system,
                              const profil::ProfilArguments& arguments,
                              std::span<const std::uint64_t> pcs);

}  // namespace hardclock
