#include "syscalls/posix/load_program.h"

#include <algorithm>
#include <cstdio>

namespace hardclock::posix {
namespace {

std::string describe_failure(const Segment& segment, MapError error) {
  char text[160];
  const char* const reason =
      error == MapError::invalid   ? "lies outside the user's address space; link it lower"
      : error == MapError::overlap ? "overlaps another one"
                                   : "does not fit the memory limit; raise --max-memory";
  std::snprintf(text, sizeof text, "segment at 0x%08llx (0x%llx bytes) %s",
                static_cast<unsigned long long>(segment.address.value()),
                static_cast<unsigned long long>(segment.memory_size), reason);
  return text;
}

Permissions both(Permissions a, Permissions b) {
  return {a.read || b.read, a.write || b.write, a.execute || b.execute};
}

bool is_in_user_space(const AddressSpace& memory, const Segment& segment) {
  const GuestAddr end = memory.user_end();
  return segment.address < end && segment.memory_size <= end - segment.address;
}

// Two segments may share a page, which then has the permissions of both: a kernel maps whole pages.
Result<Ok, MapError> map_pages(const Layout& layout, AddressSpace& memory, const Segment& segment) {
  if (!is_in_user_space(memory, segment)) return Failure{MapError::invalid};
  std::uint64_t start = layout.page_of(segment.address.value());
  const std::uint64_t end = layout.round_up(segment.address.value() + segment.memory_size);
  if (const Region* shared = memory.region_at(GuestAddr(start))) {
    const auto protected_page = memory.protect(GuestAddr(start), layout.page_bytes,
                                               both(shared->permissions, segment.permissions));
    if (!protected_page) return protected_page;
    start += layout.page_bytes;
  }
  if (start >= end) return Ok{};
  return memory.map(GuestAddr(start), end - start, segment.permissions,
                    segment.permissions.write ? "data" : "text");
}

}  // namespace

Result<Ok, std::string> map_image(const Layout& layout, AddressSpace& memory, const Image& image,
                                  const std::string& path) {
  for (const Segment& segment : image.segments) {
    if (segment.memory_size == 0) continue;
    const auto mapped = map_pages(layout, memory, segment);
    if (!mapped) return Failure{describe_failure(segment, mapped.error())};
    const auto filled = memory.initialize(segment.address, segment.bytes);
    if (!filled) return Failure{describe_failure(segment, MapError::memory)};
    if (!segment.permissions.execute) continue;
    memory.code_files().add({.start = segment.address,
                             .size = segment.bytes.size(),
                             .file = path,
                             .offset = segment.file_offset});
  }
  return Ok{};
}

GuestAddr end_of_image(const Layout& layout, const Image& image) {
  std::uint64_t end = 0;
  for (const Segment& segment : image.segments) {
    end = std::max(end, segment.address.value() + segment.memory_size);
  }
  return GuestAddr(layout.round_up(end));
}

}  // namespace hardclock::posix
