// Finds what an instruction does to floating-point registers in its recording.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/translator/block_source.h"
#include "sim/translator/host_functions.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

// A number in the guest's registers.
struct FloatingRegister {
  Resource low = 0;
  Resource high = 0;  // of a double in two registers; else as low
  bool is_double = false;
  bool is_high = false;  // a single in the register's high word
  bool is_zero = false;  // no register: the number 0

  bool is_split() const { return low != high; }
};

// What relations a comparison asks for.
struct Relations {
  bool less = false, equal = false, greater = false;
};

// One of the HostFunctions between registers, or a move (`none`).
struct FloatingOperation {
  HostFunction function = HostFunction::none;
  FloatingRegister a, b, c, result;
  std::uint32_t rounding = 0;        // of a conversion to an integer
  std::uint32_t variant = 0;         // of a product and sum
  Relations relations;               // of a comparison
  std::uint32_t condition_bits = 0;  // of the status register, set if one holds and else cleared;
                                     // 0: it goes into the queue
};

struct FloatingInstruction : FloatingOperation {
  // At the same time: neither sees the other's result.
  std::optional<FloatingOperation> beside;
};

std::optional<FloatingInstruction> floating_instruction(const Recording& recording,
                                                        const GuestMode& mode);

// The register that the value is read from.
std::optional<FloatingRegister> floating_operand(const Recording& recording, const GuestMode& mode,
                                                 StepIndex value);

// What a recording writes to a double that lies in two registers, if it writes nothing else.
struct SplitWrite {
  FloatingRegister to;
  StepIndex value = 0;
};
std::optional<SplitWrite> split_write(const Recording& recording, const GuestMode& mode);

// Whether it uses bits of the status register that translated code keeps elsewhere.
bool uses_exceptions(const Recording& recording, const GuestMode& mode);

HostFunction function_of(const Step& call, const GuestMode& mode);

}  // namespace hardclock
