// How instructions lie in memory, and what their pcs are. A part of engine.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hardclock {

// Instructions of `bytes` bytes, one behind another; the pc of each is its address.
template <std::uint64_t bytes>
struct WordLayout {
  // The pc `count` instructions behind the one at `pc`.
  static constexpr std::uint64_t after(std::uint64_t pc, std::size_t count) {
    return pc + count * bytes;
  }
  // The instructions that begin from `pc` on before the address or pc `end`.
  static constexpr std::size_t between(std::uint64_t pc, std::uint64_t end) {
    return static_cast<std::size_t>((end - pc) / bytes);
  }
  // Of memory, in which there are no more than `count` instructions.
  static constexpr std::uint64_t stretch(std::size_t count) { return count * bytes; }
};

// Bundles of 16 bytes with three slots each (IA-64); a pc is the address of the bundle plus the
// slot: 0, 1 or 2.
struct BundleLayout {
  static constexpr std::uint64_t bytes = 16, slots = 3;

  static constexpr std::uint64_t after(std::uint64_t pc, std::size_t count) {
    const std::uint64_t slot = pc % bytes + count;
    return (pc - pc % bytes) + slot / slots * bytes + slot % slots;
  }
  static constexpr std::size_t between(std::uint64_t pc, std::uint64_t end) {
    const std::uint64_t bundles = end / bytes - pc / bytes;
    return static_cast<std::size_t>(bundles * slots + end % bytes - pc % bytes);
  }
  static constexpr std::uint64_t stretch(std::size_t count) { return count / slots * bytes; }
};

}  // namespace hardclock
