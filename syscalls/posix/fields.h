// The fields of a structure in guest memory, by their offsets in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/endian.h"
#include "sim/process/signals.h"

namespace hardclock::posix {

// The words of a sigset_t of System V.4.
inline constexpr unsigned sigset_words = 4;

class Fields {
 public:
  // The structure's image, in guest byte order. Offsets must lie within it.
  Fields(std::span<std::uint8_t> bytes, Endian endian) : bytes_(bytes), endian_(endian) {}

  // Wider values are truncated to the field.
  void put16(std::size_t at, std::uint64_t value) {
    store_bytes(&bytes_[at], static_cast<std::uint16_t>(value), endian_);
  }
  void put32(std::size_t at, std::uint64_t value) {
    store_bytes(&bytes_[at], static_cast<std::uint32_t>(value), endian_);
  }
  void put64(std::size_t at, std::uint64_t value) { store_bytes(&bytes_[at], value, endian_); }
  // Of 4 or 8 bytes.
  void put(std::size_t at, std::uint64_t value, std::size_t bytes) {
    if (bytes == 8) {
      put64(at, value);
    } else {
      put32(at, value);
    }
  }
  std::uint64_t get(std::size_t at, std::size_t bytes) const {
    return bytes == 8 ? get64(at) : get32(at);
  }
  std::uint16_t get16(std::size_t at) const {
    return load_bytes<std::uint16_t>(&bytes_[at], endian_);
  }
  std::uint32_t get32(std::size_t at) const {
    return load_bytes<std::uint32_t>(&bytes_[at], endian_);
  }
  std::uint64_t get64(std::size_t at) const {
    return load_bytes<std::uint64_t>(&bytes_[at], endian_);
  }
  void put_mask(std::size_t at, const SignalSet& mask) {
    for (unsigned word = 0; word < sigset_words; ++word) {
      put32(at + 4 * word, ((mask >> (32 * word)) & SignalSet(0xffffffff)).to_ulong());
    }
  }
  SignalSet get_mask(std::size_t at) const {
    SignalSet mask;
    for (unsigned word = 0; word < sigset_words; ++word) {
      mask |= SignalSet(get32(at + 4 * word)) << (32 * word);
    }
    return mask;
  }

 private:
  std::span<std::uint8_t> bytes_;
  Endian endian_;
};

}  // namespace hardclock::posix
