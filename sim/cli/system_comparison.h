// The table of differences: the same small experiments on every system's profiling functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "syscalls/profil/system.h"

namespace hardclock {

// One experiment. The answers of two systems are equal when the systems do the same.
struct Question {
  std::string_view text;
  std::string (*answer)(const profil::System& system);
};

std::span<const Question> comparison_questions();

// Every question with its answers, and with each answer the systems that give it.
std::string compare_systems(std::span<const profil::System* const> systems);

}  // namespace hardclock
