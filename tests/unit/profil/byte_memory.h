// Memory for counters: bytes that may be missing or read-only.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "syscalls/profil/charge.h"

namespace hardclock::profil {

class ByteMemory : public CounterMemory {
 public:
  explicit ByteMemory(Endian endian) : endian_(endian) {}

  void map(std::uint64_t address, std::uint64_t size, bool writable = true) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_[address + i] = Byte{0, writable};
  }
  void unmap(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_.erase(address + i);
  }
  void protect(std::uint64_t address, std::uint64_t size, bool writable) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_.at(address + i).writable = writable;
  }
  // Ignores protection.
  void poke(std::uint64_t address, std::uint8_t value) { bytes_.at(address).value = value; }
  std::uint8_t peek(std::uint64_t address) const { return bytes_.at(address).value; }

  // A 16-bit counter in this memory's byte order.
  unsigned counter(std::uint64_t address) const {
    const unsigned first = peek(address), second = peek(address + 1);
    return endian_ == Endian::big ? first << 8 | second : second << 8 | first;
  }
  void set_counter(std::uint64_t address, unsigned value) {
    const bool is_big = endian_ == Endian::big;
    poke(address, static_cast<std::uint8_t>(is_big ? value >> 8 : value));
    poke(address + 1, static_cast<std::uint8_t>(is_big ? value : value >> 8));
  }

  Endian endian() const override { return endian_; }
  bool is_accessible(GuestAddr address, unsigned bytes) override {
    for (unsigned i = 0; i < bytes; ++i) {
      const auto byte = bytes_.find(address.value() + i);
      if (byte == bytes_.end() || !byte->second.writable) return false;
    }
    return true;
  }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = peek(address.value() + i);
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    for (std::size_t i = 0; i < bytes.size(); ++i) poke(address.value() + i, bytes[i]);
  }

 private:
  struct Byte {
    std::uint8_t value = 0;
    bool writable = true;
  };
  Endian endian_;
  std::map<std::uint64_t, Byte> bytes_;
};

// Charges one tick after the other, like the clock.
inline void tick(const SystemRules& system, State& state, std::uint64_t pc, CounterMemory& memory,
                 unsigned n = 1) {
  for (unsigned i = 0; i < n; ++i) charge(system, state, GuestAddr(pc), Ticks(1), memory);
}

}  // namespace hardclock::profil
