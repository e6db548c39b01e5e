// Where a view of the pipeline begins, and the processors that it shows.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/pipeline_view.h"
#include "isa/disassembler.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "syscalls/posix/program_file.h"

namespace hardclock {

// A view of the pipeline, and where it begins.
struct PipelineSetup {
  PipelineView* view = nullptr;  // nullptr: none
  std::string where;             // place_of() knows it in the program
  std::string program;           // its path
};

// A function, or an address like 0x400100; nullopt: the program has no such function.
std::optional<WatchedPlace> place_of(const std::string& where, const Image& image);

// Has the processor, which runs this program, tell the view.
void show_pipeline(Cpu& cpu, const PipelineSetup& setup, const posix::Program& program,
                   const std::shared_ptr<const Disassembler>& disassembler,
                   std::string (*register_name)(Resource));

}  // namespace hardclock
