#include "sim/cli/code_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "sim/base/endian.h"
#include "sim/cli/usage_error.h"

namespace hardclock {
namespace {

constexpr std::uint64_t kWordSize = sizeof(std::uint32_t);
constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

GuestAddr end_of(GuestAddr start, std::uint64_t size) {
  return size > kLastAddress - start.value() ? GuestAddr(kLastAddress) : start + size;
}

class Lister {
 public:
  Lister(const Image& image, Disassembler disassemble, const LineSink& write)
      : image_(image), disassemble_(disassemble), write_(write) {}

  std::uint64_t lines() const { return lines_; }

  // Lists the bytes [from, to) of the segment. False when the sink wants no more.
  bool list(const Segment& segment, std::size_t from, std::size_t to) {
    bool is_first = true;
    for (std::size_t at = from; at < to;) {
      const GuestAddr pc = segment.address + at;
      const bool is_word = pc.value() % kWordSize == 0 && to - at >= kWordSize;
      if (!write_(heading(pc, is_first))) return false;
      if (!write_(is_word ? word_line(pc, &segment.bytes[at]) : byte_line(pc, segment.bytes[at]))) {
        return false;
      }
      ++lines_;
      is_first = false;
      at += is_word ? kWordSize : 1;
    }
    return true;
  }

 private:
  // Empty where no function starts. The first line of a stretch has a heading in any case, as
  // objdump --start-address does, unless no function contains it.
  std::string heading(GuestAddr pc, bool is_first) const {
    const std::vector<Symbol>& all = image_.symbols.all();
    const auto symbol = std::ranges::lower_bound(all, pc, {}, &Symbol::address);
    const bool starts_here = symbol != all.end() && symbol->address == pc;
    const bool continues = is_first && !starts_here && image_.symbols.find(pc) != nullptr;
    if (!starts_here && !continues) return "";
    const std::string name = starts_here ? symbol->name : describe(image_.symbols, pc);
    return fmt::format("\n{:0{}x} <{}>:\n", pc.value(), image_.address_bits / 4,
                       printable(name, name.size()));
  }

  std::string word_line(GuestAddr pc, const std::uint8_t* bytes) const {
    const auto word = load_bytes<std::uint32_t>(bytes, image_.endian);
    return fmt::format("{:>8x}:\t{:08x} \t{}\n", pc.value(), word, disassemble_(word, pc));
  }

  static std::string byte_line(GuestAddr pc, std::uint8_t byte) {
    return fmt::format("{:>8x}:\t{:02x} \t.byte\t0x{:02x}\n", pc.value(), byte, byte);
  }

  const Image& image_;
  Disassembler disassemble_;
  const LineSink& write_;
  std::uint64_t lines_ = 0;
};

}  // namespace

AddressRange range_of(const Image& image, const Symbol& function) {
  if (function.size != 0) return {function.address, end_of(function.address, function.size)};
  const std::vector<Symbol>& all = image.symbols.all();
  const auto next = std::ranges::upper_bound(all, function.address, {}, &Symbol::address);
  GuestAddr stop = next != all.end() ? next->address : GuestAddr(kLastAddress);
  for (const Segment& segment : image.segments) {
    const GuestAddr end = end_of(segment.address, segment.memory_size);
    const bool holds = segment.address <= function.address && function.address < end;
    if (holds) stop = std::min(stop, end);
  }
  return {function.address, stop};
}

std::optional<AddressRange> functions_range(const Image& image) {
  const std::vector<Symbol>& all = image.symbols.all();
  if (all.empty()) return std::nullopt;
  AddressRange range{all.front().address, all.front().address};
  for (const Symbol& function : all)
    range.stop = std::max(range.stop, range_of(image, function).stop);
  return range;
}

std::uint64_t list_code(const Image& image, const AddressRange& range, Disassembler disassemble,
                        const LineSink& write) {
  Lister lister(image, disassemble, write);
  for (const Segment& segment : image.segments) {
    if (!segment.permissions.execute || range.stop <= segment.address) continue;
    const std::uint64_t from =
        range.start > segment.address ? range.start - segment.address : std::uint64_t{0};
    const std::uint64_t to =
        std::min<std::uint64_t>(range.stop - segment.address, segment.bytes.size());
    if (from < to && !lister.list(segment, from, to)) break;
  }
  return lister.lines();
}

}  // namespace hardclock
