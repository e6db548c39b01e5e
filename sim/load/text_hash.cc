#include "sim/load/text_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace hardclock {
namespace {

std::span<const std::uint8_t> without_elf_header(std::span<const std::uint8_t> bytes) {
  constexpr std::uint8_t magic_number[] = {0x7f, 'E', 'L', 'F'};
  constexpr std::size_t class_byte = 4;  // EI_CLASS
  if (bytes.size() <= class_byte || !std::ranges::equal(bytes.first(4), magic_number)) return bytes;
  const std::size_t header_bytes = bytes[class_byte] == 2 ? 64 : 52;
  return bytes.subspan(std::min(header_bytes, bytes.size()));
}

}  // namespace

std::string text_hash(const Image& image) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const Segment& segment : image.segments) {
    if (!segment.permissions.execute) continue;
    for (const std::uint8_t byte : without_elf_header(segment.bytes)) {
      hash = (hash ^ byte) * 0x100000001b3;
    }
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace hardclock
