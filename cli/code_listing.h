// Instructions as text, in the manner of objdump -d.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "isa/disassembler.h"
#include "sim/base/units.h"
#include "sim/load/image.h"

namespace hardclock {

// [start, stop). The last byte of a 64-bit address space is in no range.
struct AddressRange {
  GuestAddr start;
  GuestAddr stop;
};

// The addresses of `function`, one of the image's symbols: its size or, if the file gives none, up
// to the next function or the end of the segment.
AddressRange range_of(const Image& image, const Symbol& function);

// From the first function to the end of the last one: what a linker puts before and after them is
// data. Nullopt if the image has no functions.
std::optional<AddressRange> functions_range(const Image& image);

using LineSink = std::function<bool(std::string_view)>;  // false: no more lines, please

// Called for each instruction or other byte: its address, and what a line says of it, "addiu\tsp,
// sp,-32", with the bytes in digits before it. False: no more, please.
struct ListedCode {
  GuestAddr pc;
  std::string digits;
  std::string text;
};
using CodeSink = std::function<bool(const ListedCode&)>;

// Lists what the file has of the executable segments in `range`, in ascending order: a heading
// where a function starts, then a line for each instruction of each text. Bytes that are no such
// text are .byte lines. The result is the number of lines without headings.
std::uint64_t list_code(const Image& image, const AddressRange& range,
                        const Disassembler& disassembler, const LineSink& write);

// The same without headings and without lines.
void for_each_instruction(const Image& image, const AddressRange& range,
                          const Disassembler& disassembler, const CodeSink& visit);

}  // namespace hardclock
