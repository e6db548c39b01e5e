// RapidCheck's random cases: valid ones, whose events are on whole pages.
#pragma once

#include <string>

#include "syscalls/conform/case.h"

namespace hardclock::conform {

// To be called inside of a RapidCheck property.
Case random_case(const Variant& variant);

// For the message about a case that fails.
std::string text_of(const Case& of);

}  // namespace hardclock::conform
