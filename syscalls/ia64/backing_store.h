// How the kernel moves registers between a thread's register stack and its backing store.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ia64/register_stack.h"
#include "sim/base/result.h"
#include "sim/memory/address_space.h"

namespace hardclock::ia64_ports {

// The backing store in a program's memory, with the program's rights.
class ProgramStore final : public ia64::BackingStore {
 public:
  explicit ProgramStore(AddressSpace& memory) : memory_(memory) {}

  std::optional<std::uint64_t> load(std::uint64_t address, Endian order) override;
  bool store(std::uint64_t address, std::uint64_t value, Endian order) override;

  // Of the last access that could not be made.
  const Fault& fault() const { return fault_; }

 private:
  std::uint64_t in_order(std::uint64_t value, Endian order) const;

  AddressSpace& memory_;
  Fault fault_{};
};

// Covers the frame, which may be incomplete, and writes all registers below it to memory. Fault: it
// cannot be written; some registers may have been.
Result<Ok, Fault> save_registers(ia64::RegisterStack& stack, AddressSpace& memory);

// Takes up a covered frame again: the registers below ar.bsp become the frame, loaded from memory
// unless they are dirty. As a return from an interruption to it does (SDM 2, 6.7). The marker must
// be valid, and the frame before is lost.
Result<Ok, Fault> resume_frame(ia64::RegisterStack& stack, const ia64::FrameMarker& marker,
                               AddressSpace& memory);

// Gives up the frame and what is not yet in memory, and goes on with an empty frame at `bsp`, below
// which the registers are in memory. `rnat` is what ar.rnat had there.
void move_stack(ia64::RegisterStack& stack, std::uint64_t bsp, std::uint64_t rnat,
                AddressSpace& memory);

// Puts the current frame, with its values, on an empty stack that begins at `backing_store`.
void start_stack(ia64::RegisterStack& stack, std::uint64_t backing_store);

}  // namespace hardclock::ia64_ports
