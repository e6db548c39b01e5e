// Numbers in guest byte order, read from and written to host bytes.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace hardclock {

enum class Endian : std::uint8_t { big, little };

constexpr std::uint8_t byte_swap(std::uint8_t v) {
  return v;
}
constexpr std::uint16_t byte_swap(std::uint16_t v) {
  return __builtin_bswap16(v);
}
constexpr std::uint32_t byte_swap(std::uint32_t v) {
  return __builtin_bswap32(v);
}
constexpr std::uint64_t byte_swap(std::uint64_t v) {
  return __builtin_bswap64(v);
}

constexpr bool is_host_order(Endian order) {
  return (order == Endian::little) == (std::endian::native == std::endian::little);
}

// Reads a T in the given order; `bytes` has sizeof(T) bytes and any alignment.
template <std::unsigned_integral T>
T load_bytes(const void* bytes, Endian order) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return is_host_order(order) ? value : byte_swap(value);
}

// Writes a T in the given order; `bytes` has sizeof(T) bytes and any alignment.
template <std::unsigned_integral T>
void store_bytes(void* bytes, T value, Endian order) {
  if (!is_host_order(order)) value = byte_swap(value);
  std::memcpy(bytes, &value, sizeof value);
}

}  // namespace hardclock
