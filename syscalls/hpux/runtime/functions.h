// What hardclock's own C and mathematical libraries for HP-UX have: functions.txt and
// libm_functions.txt, built in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/load/file_window.h"

namespace hardclock::hpux {

enum class FunctionState { done, partial, missing };

// "done", "partial" or "missing".
std::string_view name_of(FunctionState state);

struct LibraryFunction {
  std::string_view name;
  FunctionState state = FunctionState::missing;
  std::string_view note;  // what a partial one lacks
};

// All that the tables name, by name.
const std::vector<LibraryFunction>& library_functions();

// The entry of that name; a missing one if the tables have none.
LibraryFunction find_function(std::string_view name);

struct ProgramImport {
  std::string name;
  FunctionState state = FunctionState::missing;
  std::string_view note;
};

// What a program imports and does not have itself, in its own order: whether the runtime has
// it. Other libraries that the program names may have what is missing. Empty for other files.
std::vector<ProgramImport> imports_of(FileWindow& program);

}  // namespace hardclock::hpux
