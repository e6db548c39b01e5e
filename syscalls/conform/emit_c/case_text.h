// One case as functions of the C program that emit_c() makes.
#pragma once

#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

struct CaseText {
  std::string functions;  // their text
  std::string start;      // the name of the one that performs the case
  std::vector<std::string>
      resumed;  // those that go on after an exec, numbered from `first_resumed`
};

// `name` is a C identifier that no other case has. The error, one line, is the reason why a program
// cannot perform the case, for a TAP directive. The case has no defect.
Result<CaseText, std::string> case_text(const Case& of, const std::string& name,
                                        std::size_t first_resumed);

}  // namespace hardclock::conform
