// How two engines are compared while a program runs: see checked_cpu.h.
#pragma once

#include <memory>

#include "sim/base/units.h"
#include "sim/debug/engine_difference.h"
#include "sim/debug/register_set.h"
#include "sim/engine/cached_memory.h"

namespace hardclock::debug {

struct EngineCheck {
  const RegisterSet* registers = nullptr;
  // Of a machine, each processor's own, with the same description; null: every access hits.
  std::shared_ptr<MachineMemory> caches = nullptr, reference_caches = nullptr;
  // Told of the first difference. If it returns, the processor stops as at its limit, and can run
  // no more.
  TellDifference tell = {};
  Instructions longest_stretch{1 << 14};  // at least 1
};

}  // namespace hardclock::debug
