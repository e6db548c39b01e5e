#include "sim/cli/known_functions.h"

#include <algorithm>

namespace hardclock {
namespace {

// [low, high).
struct Bounds {
  std::uint64_t low;
  std::uint64_t high;
};

// What lies around `pc` in the bounds. The symbols' own addresses are `moved_by` lower, modulo
// 2^64.
FunctionRange function_in(const Bounds& bounds, const SymbolTable& symbols, GuestAddr pc,
                          std::uint64_t moved_by) {
  const SymbolTable::Stretch stretch = symbols.stretch_at(pc - moved_by);
  const std::uint64_t own = (pc - moved_by).value();
  const std::uint64_t before = own - stretch.start.value(), behind = stretch.end.value() - own;
  FunctionRange range;
  range.low = pc.value() - std::min(before, pc.value() - bounds.low);
  range.high = pc.value() + std::min(behind, bounds.high - pc.value());
  if (stretch.symbol != nullptr) range.function = (stretch.symbol->address + moved_by).value();
  return range;
}

}  // namespace

FunctionRange KnownFunctions::find(const AddressSpace& memory, GuestAddr pc) {
  const FileRange file = memory.code_files().at(pc);
  const Bounds all{file.start.value(), file.start.value() + file.size};
  if (file.file == path_) return function_in(all, program_->symbols, pc, 0);
  const FunctionRange unknown{.low = all.low, .high = all.high};
  const Image* const object = file.file.empty() ? nullptr : objects_->find(file.file);
  if (object == nullptr) return unknown;
  const std::uint64_t offset = pc - file.start + file.offset;
  for (const Segment& segment : object->segments) {
    if (offset - segment.file_offset >= segment.bytes.size()) continue;
    const std::uint64_t moved_by = pc - (segment.address + (offset - segment.file_offset));
    return function_in(all, object->symbols, pc, moved_by);
  }
  return unknown;
}

}  // namespace hardclock
