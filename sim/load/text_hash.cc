#include "sim/load/text_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "sim/base/endian.h"

namespace hardclock {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Where things are in an ELF header of 32 or 64 bits (System V ABI, chapter 4).
struct HeaderLayout {
  std::size_t bytes;
  std::size_t table;        // e_phoff
  std::size_t entry_bytes;  // e_phentsize; e_phnum follows
};

bool has_elf_header(Bytes bytes) {
  constexpr std::uint8_t magic_number[] = {0x7f, 'E', 'L', 'F'};
  return bytes.size() > 4 && std::ranges::equal(bytes.first(4), magic_number);
}

HeaderLayout header_layout(Bytes bytes) {
  constexpr std::size_t class_byte = 4;  // EI_CLASS
  return bytes[class_byte] == 2 ? HeaderLayout{64, 32, 54} : HeaderLayout{52, 28, 42};
}

Bytes without_front(Bytes bytes, std::size_t size) {
  return bytes.subspan(std::min(size, bytes.size()));
}

Bytes without_elf_header(Bytes bytes) {
  return has_elf_header(bytes) ? without_front(bytes, header_layout(bytes).bytes) : bytes;
}

Bytes without_headers(Bytes bytes) {
  if (!has_elf_header(bytes)) return bytes;
  constexpr std::size_t order_byte = 5;  // EI_DATA
  const HeaderLayout layout = header_layout(bytes);
  if (bytes.size() < layout.bytes) return {};
  const Endian order = bytes[order_byte] == 2 ? Endian::big : Endian::little;
  const std::uint64_t table = layout.bytes == 64
                                  ? load_bytes<std::uint64_t>(&bytes[layout.table], order)
                                  : load_bytes<std::uint32_t>(&bytes[layout.table], order);
  const std::size_t entry = load_bytes<std::uint16_t>(&bytes[layout.entry_bytes], order);
  const std::size_t entries = load_bytes<std::uint16_t>(&bytes[layout.entry_bytes + 2], order);
  const bool follows = table == layout.bytes;
  return without_front(bytes, layout.bytes + (follows ? entry * entries : 0));
}

Bytes without_zeros_at_ends(Bytes bytes) {
  const auto is_code = [](std::uint8_t byte) { return byte != 0; };
  const auto begin = std::ranges::find_if(bytes, is_code);
  bytes = bytes.subspan(static_cast<std::size_t>(begin - bytes.begin()));
  while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  return bytes;
}

std::string hash_of(const Image& image, Bytes (*code_of)(Bytes)) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const Segment& segment : image.segments) {
    if (!segment.permissions.execute) continue;
    for (const std::uint8_t byte : code_of(segment.bytes)) hash = (hash ^ byte) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string text_hash(const Image& image) {
  return hash_of(image, [](Bytes bytes) { return without_zeros_at_ends(without_headers(bytes)); });
}

std::string former_text_hash(const Image& image) {
  return hash_of(image, without_elf_header);
}

}  // namespace hardclock
