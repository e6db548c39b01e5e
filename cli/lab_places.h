// The places in a program that the lab's user names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/lab/machine.h"
#include "sim/load/image.h"

namespace hardclock {

// A function, an address, or one behind a function's start ("hot+0x10"). Nullopt: there is none.
std::optional<lab::Place> lab_place(std::string_view where, const Image& image,
                                    const std::string& path);

// [from, to): a function, all text, or a range of addresses. The error is one line for the user.
Result<std::pair<GuestAddr, GuestAddr>, std::string> profiled_range(const std::string& where,
                                                                    const Image& image);

}  // namespace hardclock
