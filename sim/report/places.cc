#include "sim/report/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hardclock::report {
namespace {

// The stretch of `mapping` that shows this segment; empty where none does.
Place place_of(const Mapping& mapping, const Segment& segment, const Image& image) {
  const std::uint64_t segment_end = segment.file_offset + segment.bytes.size();
  const std::uint64_t first = std::max(mapping.offset, segment.file_offset);
  const std::uint64_t last = std::max(first, std::min(mapping.offset + mapping.size, segment_end));
  const GuestAddr start = mapping.start + (first - mapping.offset);
  return {.start = start,
          .end = start + (last - first),
          .symbols = &image.symbols,
          .moved_by = start - (segment.address + (first - segment.file_offset)),
          .path = mapping.file,
          .file = std::string(base_name(mapping.file))};
}

}  // namespace

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string_view first_program(const Profile& profile) {
  return profile.processes.empty() ? std::string_view() : profile.processes.front().program;
}

std::string outside_label(const Place* place, std::string_view program) {
  if (place != nullptr && !place->file.empty()) {
    return place->symbols == nullptr ? fmt::format("({}: pass -L DIR)", place->file)
                                     : fmt::format("({}, no function)", place->file);
  }
  const std::string_view name = base_name(program);
  return fmt::format("(outside {})", name.empty() ? "the program" : name);
}

std::string other_program_label(const ProcessProfile& process) {
  return fmt::format("(other program {})", base_name(process.program));
}

bool has_known_program(const ProcessProfile& process, const Identity& program,
                       const Objects& objects) {
  return is_of(process, program) || objects.contains(process.program);
}

Places::Places(const ProcessProfile& process, const SymbolTable& symbols, const Identity& program,
               const Objects& objects) {
  const bool is_own = is_of(process, program);
  if (is_own) {
    add_program(process, symbols);
  } else {
    add_other_program(process, objects);
  }
  for (const Mapping& mapping : process.mappings) {
    if (!is_own || mapping.file != process.program) add_object(mapping, objects);
  }
  std::ranges::sort(places_, {}, &Place::start);
}

void Places::add_program(const ProcessProfile& process, const SymbolTable& symbols) {
  const Place all{.start = GuestAddr(0),
                  .end = GuestAddr(~std::uint64_t{0}),
                  .symbols = &symbols,
                  .moved_by = process.moved_by,
                  .is_program = true};
  if (process.mappings.empty()) places_.push_back(all);
  for (const Mapping& mapping : process.mappings) {
    if (mapping.file != process.program) continue;
    Place own = all;
    own.start = mapping.start;
    own.end = mapping.start + mapping.size;
    places_.push_back(own);
  }
}

// The mappings say where it lies. Without any, all is its.
void Places::add_other_program(const ProcessProfile& process, const Objects& objects) {
  const auto object = objects.find(process.program);
  if (object == objects.end() || !process.mappings.empty()) return;
  places_.push_back({.start = GuestAddr(0),
                     .end = GuestAddr(~std::uint64_t{0}),
                     .symbols = &object->second.symbols,
                     .moved_by = process.moved_by,
                     .path = process.program,
                     .file = std::string(base_name(process.program))});
}

void Places::add_object(const Mapping& mapping, const Objects& objects) {
  const auto object = objects.find(mapping.file);
  if (object == objects.end()) {
    places_.push_back({.start = mapping.start,
                       .end = mapping.start + mapping.size,
                       .symbols = nullptr,
                       .moved_by = 0,
                       .path = mapping.file,
                       .file = std::string(base_name(mapping.file))});
    return;
  }
  for (const Segment& segment : object->second.segments) {
    const Place place = place_of(mapping, segment, object->second);
    if (place.start < place.end) places_.push_back(place);
  }
}

const Place* Places::find(GuestAddr pc) const {
  const auto above = std::ranges::upper_bound(places_, pc, {}, &Place::start);
  if (above == places_.begin()) return nullptr;
  const Place& place = *std::prev(above);
  return pc < place.end ? &place : nullptr;
}

GuestAddr Places::end_of(GuestAddr pc, GuestAddr limit) const {
  if (const Place* const place = find(pc)) return std::min(limit, place->end);
  const auto above = std::ranges::upper_bound(places_, pc, {}, &Place::start);
  return above == places_.end() ? limit : std::min(limit, above->start);
}

}  // namespace hardclock::report
