// What a .timing file does not repeat: the rows of processors that its own is like.
#pragma once

#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// Gives each processor the rows of those that its `like` rows name, which are among `cpus`:
//   like NAME [rows KEYWORD,KEYWORD...]     GRADE: SOURCE
// takes the rows of these keywords, or of all that no other `like` row lists. `clock` and
// `revision` rows and notes are each processor's own. A row of the file takes the place of the
// inherited ones of its keyword and name; a `class` row, of each class that it names. An inherited
// row has the worse grade of its own and of the `like` row, and its `of` says where it stands.
// Error: "NAME.timing: line N: what is wrong".
Result<Ok, std::string> inherit_rows(std::vector<CpuDescription>& cpus);

}  // namespace hardclock
