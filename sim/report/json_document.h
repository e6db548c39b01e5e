// JSON from files that anyone may have written. A part of the JSON format of profiles.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/result.h"

namespace hardclock::report {

using Json = nlohmann::json;

// Refuses, by a line for the user, what is no JSON, has a key twice in one object, or has more
// members, values or levels of nesting than any profile.
Result<Json, std::string> parse_json(std::span<const std::uint8_t> bytes);

// `text` from the file, made safe for a one line message.
std::string quote(std::string_view text);

}  // namespace hardclock::report
