// Performs a recording: what the interpreter does by running the body, step by step.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "sim/recording/memory_access.h"
#include "sim/recording/recording.h"
#include "sim/recording/trap.h"

namespace hardclock {

// How loads and stores are made.
struct DataAccess {
  Endian order = Endian::big;
  bool splits = false;  // an access that is not aligned into bytes, instead of a fault
};

// The registers that a recording names.
class RegisterFile {
 public:
  virtual ~RegisterFile() = default;
  virtual std::uint64_t read(Resource resource) const = 0;
  virtual void write(Resource resource, std::uint64_t value) = 0;
  // What Operation::transform does. None: it trapped, see why_not().
  virtual std::optional<std::uint64_t> transform(std::uint8_t which, std::uint64_t a,
                                                 std::uint64_t b);
  virtual Trap why_not() const { return {}; }
  // Where registers decide on it.
  virtual DataAccess data_access(DataAccess usual) const { return usual; }
};

// A register file in a struct of the ISA's, which has get(registers, resource) and
// set(registers, resource, value).
template <class Registers>
class RegistersByNumber : public RegisterFile {
 public:
  explicit RegistersByNumber(Registers& registers) : registers_(registers) {}
  std::uint64_t read(Resource resource) const override { return get(registers_, resource); }
  void write(Resource resource, std::uint64_t value) override { set(registers_, resource, value); }

 private:
  Registers& registers_;
};

// Where and when an instruction runs. `after_slot` is where control goes behind the instruction
// that follows this one, if this one does not transfer it.
struct Place {
  std::uint64_t pc = 0;
  std::uint64_t after_slot = 0;
  Cycles now{};
};

struct Evaluated {
  // What ended the instruction; registers and memory keep what it wrote before. The rest is void
  // then.
  std::optional<Trap> trap;
  bool taken = false;            // a transfer of control
  std::uint64_t after_slot = 0;  // where it leads
  bool nullified = false;        // the next instruction does not take place
};

Evaluated evaluate(const Recording& recording, Place place, RegisterFile& registers,
                   AddressSpace& memory, Endian data_order);

// What evaluate() would do to memory. The memory stays as it is, the registers may not. None: it
// makes no access.
std::optional<MemoryAccess> access_of(const Recording& recording, Place place,
                                      RegisterFile& registers, AddressSpace& memory,
                                      Endian data_order);

}  // namespace hardclock
