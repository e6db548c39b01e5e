// What `hardclock systems` says about each system's profiling: its rules, and its arithmetic with
// numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "syscalls/profil/system.h"

namespace hardclock {

// What a rule rests on, by the words of its source: "inferred ..." and "observed ..." begin with
// these words, a kernel's source names one of its files, all others are manual pages.
enum class Grade : std::uint8_t { page, source, observed, inferred };
Grade grade_of(const profil::Rule& rule);
// The grade of a system's rule about a topic.
Grade grade_of(const profil::SystemRules& system, std::string_view topic);

// "EINVAL"
std::string_view error_name(profil::CallError error);

// The system's calls: "profil", "profil, sprofil".
std::string calls_of(const profil::SystemRules& system);

// The largest number that --profil and --pc take: that of a 32-bit program.
inline constexpr std::uint64_t largest_program_number = 0xffffffff;

// Two lines or three: name, ticks a second, calls, title; and the sources of our knowledge.
std::string system_summary(const profil::SystemRules& system);

// The rules in force and the contradictions, each with its source or its resolution.
std::string system_rules(const profil::SystemRules& system);

// The pc of a tick there as the kernel counts it: without privilege bits.
GuestAddr counted_pc(const profil::SystemRules& system, GuestAddr pc);

// One line a pc: what one tick does after profil() with these arguments, as `hardclock run
// --explain` says it, and the number of the element. Each pc stands alone: a fault at one does not
// turn profiling off for the next. A number that the system's words cannot hold is reported as
// such; a call that fails or turns
// profiling off has one line.
std::string worked_arithmetic(const profil::SystemRules& system,
                              const profil::ProfilArguments& arguments,
                              std::span<const std::uint64_t> pcs);

}  // namespace hardclock
