// The table of differences: the same small experiments on every system's profiling functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "syscalls/profil/system.h"

namespace hardclock {

// One experiment. Two systems give equal answers if they do the same.
struct Question {
  std::string_view text;
  std::string (*answer)(const profil::SystemRules& system);
  std::string_view topic;  // of the rule that the answer follows from
};

std::span<const Question> comparison_questions();

// Every question with its answers, and with each answer the systems that give it; a star marks
// systems whose rule is inferred. Below each question, where a page differs from its kernel.
std::string compare_systems(std::span<const profil::SystemRules* const> systems);

}  // namespace hardclock
