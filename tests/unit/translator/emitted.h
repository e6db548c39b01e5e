// Whether instructions become code of the host's: each is translated in a block of its own, which
// never runs.
#pragma once

#include <asmjit/x86.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/recording/recording.h"
#include "sim/translator/block_emitter.h"
#include "sim/translator/block_source.h"
#include "sim/translator/host_functions.h"
#include "sim/translator/recording_facts.h"

namespace hardclock {

// The tables of accesses that code can use: with a flat one only for 32-bit addresses.
inline std::vector<GuestMode> with_each_table(GuestMode mode) {
  std::vector<GuestMode> modes;
  mode.slow_cycles = 1;
  mode.indirect_bits = 8;
  if (mode.address_bits == 32) {
    mode.has_flat_table = true;
    modes.push_back(mode);
    mode.has_flat_table = false;
  }
  mode.access_shift = page_shift;
  mode.access_entries = 256;
  modes.push_back(mode);
  mode.has_caches = true;
  mode.access_shift = mode.fetch_shift = 5;
  mode.fetch_entries = 512;
  modes.push_back(mode);
  return modes;
}

// Translates the instructions, the first of which may transfer control and then has the second, if
// there is one, in its slot. Returns whether the interpreter has to run one of them whenever it is
// executed, or the block.
inline bool falls_back(const std::vector<Recording>& recordings, const GuestMode& mode,
                       std::uint64_t pc) {
  BlockSource source;
  source.pc = pc;
  for (const Recording& recording : recordings) {
    source.pcs.push_back(pc + 4 * source.pcs.size());
    BlockSource::Instruction instruction;
    instruction.recording = &recording;
    instruction.touches_memory = recording.touches_memory();
    instruction.wait_only_delays = instruction.fetch_only_delays = true;
    source.instructions.push_back(instruction);
  }
  source.continues_at = pc + 4 * recordings.size();
  source.with_slot = recordings.size() > 1;
  if (!source.with_slot && recordings.back().has(Operation::nullify)) {
    source.skip = BlockSource::Skip{source.continues_at + 4, 1};
  }
  asmjit::CodeHolder code;
  code.init(asmjit::Environment::host());
  asmjit::x86::Assembler assembler(&code);
  EmittedBlock emitted;
  static std::uint64_t counter;
  const bool is_code = emit_block(
      assembler, source, mode, CommonCode{}, 0,
      [](std::size_t) -> std::uint64_t* { return &counter; }, emitted);
  return !is_code || emitted.interpreted != 0;
}

// The names of instructions that fall back. With numbers of floating point, where registers, modes
// and operands decide often, only those whose instances all do in each of the modes.
class FallingBack {
 public:
  explicit FallingBack(std::vector<GuestMode> modes) : modes_(std::move(modes)) {}

  void add(const std::string& name, const std::vector<Recording>& recordings, std::uint64_t pc) {
    Share& share = shares_[name];
    share.has_numbers |= has_numbers(recordings.front());
    for (const GuestMode& mode : modes_) {
      ++share.all;
      if (falls_back(recordings, mode, pc)) ++share.fall_back;
    }
  }
  // With a space between two names.
  std::string names() const {
    std::string names;
    for (const auto& [name, share] : shares_) {
      if (share.has_numbers ? share.fall_back < share.all : share.fall_back == 0) continue;
      names += (names.empty() ? "" : " ") + name;
    }
    return names;
  }

 private:
  struct Share {
    unsigned all = 0, fall_back = 0;
    bool has_numbers = false;
  };

  bool has_numbers(const Recording& recording) const {
    const FloatingMode* const floating = modes_.front().floating;
    return floating != nullptr &&
           std::any_of(recording.steps.begin(), recording.steps.end(), [&](const Step& step) {
             return (step.operation == Operation::read_register ||
                     step.operation == Operation::write_register) &&
                    floating->holds_numbers(step.resource);
           });
  }

  std::vector<GuestMode> modes_;
  std::map<std::string, Share> shares_;
};

}  // namespace hardclock
