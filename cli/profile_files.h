// The files that commands on profiles read: profiles, and the programs that they are of. Errors are
// one line each, with the file's name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/usage_error.h"
#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/report/by_line.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock {

// `format` is one of report::format_names(); if it is empty, the bytes tell.
Result<report::Profile, UsageError> load_profile(const std::string& path,
                                                 const report::Target& target,
                                                 const std::string& format = {});

// Why load_profile() does not read the file that has just been written; nothing: it does, or the
// file is in a viewer's format or no file.
std::optional<std::string> objection_to_size(const std::string& path);

bool has_cycles(const report::Profile& profile);

// Why the profile at `path` is not one of the program; nothing: it is, as far as it tells.
std::optional<UsageError> objection(const std::string& path, const report::Profile& profile,
                                    const report::Identity& program);

Result<Image, UsageError> load_profiled_program(const std::string& path);

// Adds the source lines of a file of `bytes`, if it has any, as those of `object` (report::Lines).
// What is missing of them is said on standard error, with the file's name. Returns whether nothing
// is.
bool add_source_lines(std::span<const std::uint8_t> bytes, const std::string& object,
                      const std::string& path, report::Lines& lines);
// The same of the program at `path`.
Result<bool, UsageError> add_program_lines(const std::string& path, report::Lines& lines);

// The directories of -L; none without it.
Result<std::vector<std::string>, UsageError> read_roots(const Arguments& arguments);

}  // namespace hardclock
