#include "cli/code_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "cli/usage_error.h"
#include "sim/base/instruction_text.h"

namespace hardclock {
namespace {

constexpr std::uint64_t last_address = std::numeric_limits<std::uint64_t>::max();

GuestAddr end_of(GuestAddr start, std::uint64_t size) {
  return size > last_address - start.value() ? GuestAddr(last_address) : start + size;
}

// Goes through code, text by text.
class Walker {
 public:
  Walker(const Disassembler& disassembler, const CodeSink& visit)
      : disassembler_(disassembler), visit_(visit) {}

  // The bytes [from, to) of the segment. False when the sink wants no more.
  bool walk(const Segment& segment, std::size_t from, std::size_t to) const {
    const std::size_t length = disassembler_.text_bytes();
    for (std::size_t at = from; at < to;) {
      const GuestAddr address = segment.address + at;
      const bool is_text = address.value() % length == 0 && to - at >= length;
      const bool goes_on = is_text ? visit_text(address, &segment.bytes[at])
                                   : visit_(byte_at(address, segment.bytes[at]));
      if (!goes_on) return false;
      at += is_text ? length : 1;
    }
    return true;
  }

 private:
  bool visit_text(GuestAddr address, const std::uint8_t* bytes) const {
    InstructionText text{.address = address,
                         .length = static_cast<std::uint8_t>(disassembler_.text_bytes())};
    std::copy_n(bytes, text.length, text.bytes.begin());
    for (; text.slot < disassembler_.slots(text); ++text.slot) {
      if (!visit_({.pc = text.pc(),
                   .digits = disassembler_.digits(text),
                   .text = disassembler_.disassemble(text)})) {
        return false;
      }
    }
    return true;
  }

  static ListedCode byte_at(GuestAddr pc, std::uint8_t byte) {
    return {.pc = pc,
            .digits = fmt::format("{:02x}", byte),
            .text = fmt::format(".byte\t0x{:02x}", byte)};
  }

  const Disassembler& disassembler_;
  const CodeSink& visit_;
};

// Calls walk(segment, from, to) for the bytes of each executable segment that are in `range`.
template <class Walk>
void for_each_stretch(const Image& image, const AddressRange& range, Walk walk) {
  for (const Segment& segment : image.segments) {
    if (!segment.permissions.execute || range.stop <= segment.address) continue;
    const std::uint64_t from =
        range.start > segment.address ? range.start - segment.address : std::uint64_t{0};
    const std::uint64_t to =
        std::min<std::uint64_t>(range.stop - segment.address, segment.bytes.size());
    if (from < to && !walk(segment, from, to)) return;
  }
}

// Empty where no function starts. The first line of a stretch has a heading in any case, as
// objdump --start-address does, unless no function contains it.
std::string heading(const Image& image, GuestAddr pc, bool is_first) {
  const std::vector<Symbol>& all = image.symbols.all();
  const auto symbol = std::ranges::lower_bound(all, pc, {}, &Symbol::address);
  const bool starts_here = symbol != all.end() && symbol->address == pc;
  const bool continues = is_first && !starts_here && image.symbols.find(pc) != nullptr;
  if (!starts_here && !continues) return "";
  const std::string name = starts_here ? symbol->name : describe(image.symbols, pc);
  return fmt::format("\n{:0{}x} <{}>:\n", pc.value(), image.address_bits / 4,
                     printable(name, name.size()));
}

}  // namespace

AddressRange range_of(const Image& image, const Symbol& function) {
  if (function.size != 0) return {function.address, end_of(function.address, function.size)};
  const std::vector<Symbol>& all = image.symbols.all();
  const auto next = std::ranges::upper_bound(all, function.address, {}, &Symbol::address);
  GuestAddr stop = next != all.end() ? next->address : GuestAddr(last_address);
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

std::uint64_t list_code(const Image& image, const AddressRange& range,
                        const Disassembler& disassembler, const LineSink& write) {
  std::uint64_t lines = 0;
  for_each_stretch(image, range, [&](const Segment& segment, std::size_t from, std::size_t to) {
    const GuestAddr first = segment.address + from;
    const CodeSink sink = [&](const ListedCode& code) {
      if (!write(heading(image, code.pc, code.pc == first))) return false;
      ++lines;
      return write(fmt::format("{:>8x}:\t{} \t{}\n", code.pc.value(), code.digits, code.text));
    };
    return Walker(disassembler, sink).walk(segment, from, to);
  });
  return lines;
}

void for_each_instruction(const Image& image, const AddressRange& range,
                          const Disassembler& disassembler, const CodeSink& visit) {
  const Walker walker(disassembler, visit);
  for_each_stretch(image, range, [&](const Segment& segment, std::size_t from, std::size_t to) {
    return walker.walk(segment, from, to);
  });
}

}  // namespace hardclock
