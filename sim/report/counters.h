// The part of a profile that the classic formats hold: the counters and calls of one program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/report/profile.h"

namespace hardclock::report {

inline constexpr std::uint64_t most_ticks = 65535;  // the maximum of a 16-bit counter

// The sum over the processes of `profile`, which must have run the same program: histograms (each
// range with its number of counters once), calls, arcs and exact arcs, without their cycles.
// Samples become counters of 4 bytes, an instruction; a gap of more than `most_gap` bytes of text
// without ticks begins another histogram. If the profile has mappings, the sum has only the
// program's own ticks, calls and arcs, at the addresses in the program's file. `title` names the
// format in the errors, which are one line each: several programs, samples spread too far, an
// address beyond the profile's address_bits.
Result<ProcessProfile, std::string> counters_of(const Profile& profile, std::string_view title,
                                                std::uint64_t most_gap);

// The same for a format with one range of text and no counter above most_ticks: the result has
// exactly one histogram. Counters of less than 4 bytes become counters of 4: monitor() of System V,
// whose scale ends below one to one, cannot mean them.
Result<ProcessProfile, std::string> one_range_of(const Profile& profile, std::string_view title);

// The counters of one stretch of a file's text, at the addresses where it lay.
struct FileCounters {
  Mapping mapping;  // file empty: the profile does not say which file
  Histogram histogram;
};

// The same sum for a format that names files: by mapping, including shared objects. Samples become
// counters of 4 bytes over the whole of each mapping that has any. Ticks outside all mappings are
// left out.
Result<std::vector<FileCounters>, std::string> counters_by_file(const Profile& profile,
                                                                std::string_view title);

// The first number of calls above `most`, as a line for the user.
std::optional<std::string> too_many_calls(const std::vector<CallCount>& calls, std::uint64_t most);
std::optional<std::string> too_many_calls(const std::vector<Arc>& arcs, std::uint64_t most);

}  // namespace hardclock::report
