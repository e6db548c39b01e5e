// The processors of an instruction set, each read from its file when somebody asks for it: a run
// needs one of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/description_library.h"

namespace hardclock {

// The processor of files[index], with the rows of those that it is like. Error: "FILE: line N: what
// is wrong", of this file or of one that it is like.
Result<CpuDescription, std::string> parse_cpu_file(std::span<const DescriptionFile> files,
                                                   std::size_t index);

// Not for several threads. A mistake in a file that is read is a failed CHECK.
class CpuLibrary {
 public:
  // The files and their texts outlive this. Each is named after its processor.
  explicit CpuLibrary(std::span<const DescriptionFile> files)
      : files_(files), cpus_(files.size()) {}

  // All, in the order of the files. The processors keep their places in memory.
  const std::vector<CpuDescription>& all();
  // By its name, or by another one that it has (`called`, see cpu_description.h). Null: none is
  // called `name`.
  const CpuDescription* find(std::string_view name);

 private:
  const CpuDescription& read(std::size_t index);

  std::span<const DescriptionFile> files_;
  std::vector<CpuDescription> cpus_;  // by file; without a name: not read yet
};

}  // namespace hardclock
