// The part after the header in both of BSD's gmon.out formats: counters and arcs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/result.h"
#include "sim/report/layout.h"
#include "sim/report/profile.h"

namespace hardclock::report {

// Reads u16 counters of [low, high) up to byte `end` of the file, then {word, word, word} arcs. The
// file has `size` bytes, and `fields` stands after its header. The error is one line.
Result<ProcessProfile, std::string> read_gmon_body(FieldReader& fields, std::uint64_t low,
                                                   std::uint64_t high, std::uint64_t end,
                                                   std::uint64_t size, const Layout& layout);

// The `end` of a file with these counters, for the headers' field ncnt. write_gmon_body() refuses
// values above 2^32 - 1.
std::uint64_t gmon_counters_end(std::size_t header_bytes, const Histogram& histogram);

// Appends counters and arcs of `sum`, which has one histogram. Returns what does not fit, if any.
std::optional<std::string> write_gmon_body(FieldWriter& fields, const ProcessProfile& sum,
                                           const Layout& layout);

}  // namespace hardclock::report
