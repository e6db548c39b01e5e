#include "sim/cli/lacking_instruction.h"

#include <cstdlib>
#include <string_view>

#include "isa/foreign_instruction.h"

namespace hardclock {
namespace {

// What the kernel writes (syscalls/posix/traps.cc).
constexpr std::string_view opening = "pid ", reason = ": reserved instruction";

// The thread of the process that is in the kernel because of what it did itself.
const Thread* thread_in_trap(const Process& process) {
  for (const auto& thread : process.threads) {
    if (thread->in_kernel && !thread->waiting()) return thread.get();
  }
  return nullptr;
}

}  // namespace

std::string with_lacking_instruction(const std::string& line, Simulation& simulation,
                                     const CpuDescription& cpu) {
  const std::size_t place = line.find(reason);
  if (!line.starts_with(opening) || place == std::string::npos) return line;
  const Process* const process = simulation.find(std::atoi(line.c_str() + opening.size()));
  const Thread* const thread = process == nullptr ? nullptr : thread_in_trap(*process);
  if (thread == nullptr) return line;
  const std::string text = who_has_instruction(cpu, *process->image, *process->memory,
                                               thread->cpu->next_instruction().pc);
  if (text.empty()) return line;
  return std::string(line).insert(place + reason.size(), " (" + text + ")");
}

}  // namespace hardclock
