#include "cli/known_functions.h"

#include <algorithm>

#include "isa/instruction_sets.h"

namespace hardclock {
namespace {

// [low, high).
struct Bounds {
  std::uint64_t low;
  std::uint64_t high;
};

// What of the file lies around `pc` in the bounds. Its own addresses are `moved_by` lower, modulo
// 2^64.
FunctionRange function_in(const Bounds& bounds, const Image& file, GuestAddr pc,
                          std::uint64_t moved_by) {
  const SymbolTable::Stretch stretch = file.symbols.stretch_at(pc - moved_by);
  const std::uint64_t own = (pc - moved_by).value();
  const std::uint64_t before = own - stretch.start.value(), behind = stretch.end.value() - own;
  FunctionRange range;
  range.low = pc.value() - std::min(before, pc.value() - bounds.low);
  range.high = pc.value() + std::min(behind, bounds.high - pc.value());
  if (stretch.symbol == nullptr) return range;
  const GuestAddr function = stretch.symbol->address;
  range.function = (function + moved_by).value();
  if (const auto inner = inner_entry(file, function))
    range.inner_entry = (*inner + moved_by).value();
  return range;
}

}  // namespace

std::optional<GuestAddr> inner_entry(const Image& file, GuestAddr function) {
  const InstructionSet* const set = find_instruction_set(file.architecture);
  return set != nullptr && set->inner_entry != nullptr ? set->inner_entry(file, function)
                                                       : std::nullopt;
}

WatchedPlace entry_of(const Image& file, GuestAddr function) {
  return {.pc = function, .is_function = true, .inner_entry = inner_entry(file, function)};
}

FunctionRange KnownFunctions::find(const AddressSpace& memory, GuestAddr pc) {
  const FileRange file = memory.code_files().at(pc);
  const Bounds all{file.start.value(), file.start.value() + file.size};
  if (file.file == path_) return function_in(all, *program_, pc, 0);
  const FunctionRange unknown{.low = all.low, .high = all.high};
  const Image* const object = file.file.empty() ? nullptr : objects_->find(file.file);
  if (object == nullptr) return unknown;
  const std::uint64_t offset = pc - file.start + file.offset;
  for (const Segment& segment : object->segments) {
    if (offset - segment.file_offset >= segment.bytes.size()) continue;
    const std::uint64_t moved_by = pc - (segment.address + (offset - segment.file_offset));
    return function_in(all, *object, pc, moved_by);
  }
  return unknown;
}

}  // namespace hardclock
