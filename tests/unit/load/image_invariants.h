// What image.h and load_error.h promise about every loaded file, for mutation tests and fuzzing.
#pragma once

#include <cstddef>
#include <string>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"

namespace hardclock::testing {

// The first promise that the outcome of loading a file of `file_size` bytes breaks, or "".
std::string broken_promise(const Result<Image, LoadError>& outcome, std::size_t file_size);

}  // namespace hardclock::testing
