// The words that the bodies of every ISA share, over the primitives of a machine (primitives.h).
#pragma once

#include <cstdint>

namespace hardclock {

// Derives from P and adds accesses by size in bits.
template <class P>
class CommonVocabulary : public P {
 public:
  using P::P;
  using typename P::Flag;
  using typename P::Value;

  Value load8(Value address) { return P::template load<std::uint8_t>(address); }
  Value load16(Value address) { return P::template load<std::uint16_t>(address); }
  Value load32(Value address) { return P::template load<std::uint32_t>(address); }
  Value load64(Value address) { return P::template load<std::uint64_t>(address); }
  void store8(Value address, Value v) { P::template store<std::uint8_t>(address, v); }
  void store16(Value address, Value v) { P::template store<std::uint16_t>(address, v); }
  void store32(Value address, Value v) { P::template store<std::uint32_t>(address, v); }
  void store64(Value address, Value v) { P::template store<std::uint64_t>(address, v); }
  Value replaced32(Value address) { return P::template replaced<std::uint32_t>(address); }
  Value replaced64(Value address) { return P::template replaced<std::uint64_t>(address); }
};

}  // namespace hardclock
