// syssgi(SGI_ELFMAP): maps the loadable segments of a shared object. libc's start-up code uses it
// for rld, and rld for every shared object.
#include <algorithm>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/posix/files/file_mapping.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

constexpr std::uint32_t pt_load = 1;
constexpr std::uint32_t pf_x = 1, pf_w = 2, pf_r = 4;
// More segments than any object has; rld passes two.
constexpr std::uint32_t most_headers = 64;

struct LoadSegment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;

  std::uint64_t first_page() const { return address & ~page_mask; }
  std::uint64_t end_page() const { return round_up_to_page(address + memory_size); }
};

// Elf32_Phdr and Elf64_Phdr (System V ABI, chapter 5).
LoadSegment read_header(posix::GuestReader& reader) {
  const bool is_wide = reader.long_bytes() == 8;
  LoadSegment segment;
  reader.word(segment.type);
  if (is_wide) reader.word(segment.flags);
  reader.word_long(segment.offset).word_long(segment.address).skip_longs(1);  // p_paddr
  reader.word_long(segment.file_size).word_long(segment.memory_size);
  if (!is_wide) reader.word(segment.flags);
  reader.skip_longs(1);  // p_align
  return segment;
}

Result<std::vector<LoadSegment>, Errno> read_headers(Call& call, GuestAddr address,
                                                     std::uint32_t count) {
  posix::GuestReader reader(call, address);
  std::vector<LoadSegment> segments;
  for (std::uint32_t i = 0; i < count; ++i) segments.push_back(read_header(reader));
  if (!reader.ok() || !call.memory.probe(address, reader.offset(), Access::read)) {
    return Failure{Errno::efault};
  }
  return segments;
}

// PT_LOAD only, in ascending order, inside the user's part, and page by page as in the file.
bool are_sound(const std::vector<LoadSegment>& segments, std::uint64_t user_end) {
  std::uint64_t end = 0;
  return std::ranges::all_of(segments, [&](const LoadSegment& segment) {
    const bool is_sound = segment.type == pt_load && segment.memory_size != 0 &&
                          segment.file_size <= segment.memory_size &&
                          (segment.address & page_mask) == (segment.offset & page_mask) &&
                          segment.address < user_end &&
                          segment.memory_size <= user_end - segment.address &&
                          segment.first_page() >= end;
    end = segment.end_page();
    return is_sound;
  });
}

// The common distance by which all segments must move to where nothing is mapped. Other objects may
// lie between them: objects are linked into each other's holes.
std::optional<std::uint64_t> find_shift(const Call& call,
                                        const std::vector<LoadSegment>& segments) {
  const bool is_free = std::ranges::all_of(segments, [&](const LoadSegment& segment) {
    return call.memory.is_free(GuestAddr(segment.first_page()),
                               segment.end_page() - segment.first_page());
  });
  if (is_free) return 0;
  const std::uint64_t start = segments.front().first_page();
  const std::uint64_t hull = segments.back().end_page() - start;
  for (const posix::Layout::Range& range : call.port().layout.mappings) {
    const auto place = call.memory.find_free(range.low, range.high, hull);
    if (place) return place->value() - start;
  }
  return std::nullopt;
}

Permissions permissions_of(const LoadSegment& segment) {
  return {(segment.flags & pf_r) != 0, (segment.flags & pf_w) != 0, (segment.flags & pf_x) != 0};
}

// The pages of the file, zeros after them, and zeros for the rest.
Result<Ok, Errno> map_segment(Call& call, const LoadSegment& segment,
                              const std::shared_ptr<posix::OpenFile>& file, std::uint64_t shift) {
  const char* const name = (segment.flags & pf_w) != 0 ? "data" : "text";
  const Permissions permissions = permissions_of(segment);
  const std::uint64_t start = segment.first_page() + shift;
  const std::uint64_t file_end = segment.address + segment.file_size + shift;
  const std::uint64_t file_pages = segment.file_size == 0 ? start : round_up_to_page(file_end);
  if (file_pages > start) {
    const Backing backing{nullptr, std::make_shared<posix::FilePages>(file),
                          segment.offset & ~page_mask};
    const auto mapped =
        call.memory.map_object(GuestAddr(start), file_pages - start, permissions, name, backing);
    if (!mapped) return Failure{posix::to_errno(mapped.error())};
    note_code(call.memory, GuestAddr(start), file_pages - start, permissions, *file,
              backing.offset);
    // What the file has behind the segment, in its last page, is not the segment's.
    const std::vector<std::uint8_t> zeros(
        segment.memory_size > segment.file_size ? file_pages - file_end : 0);
    if (!call.memory.initialize(GuestAddr(file_end), zeros)) return Failure{Errno::enoexec};
  }
  const std::uint64_t end = segment.end_page() + shift;
  if (end <= file_pages) return Ok{};
  const auto mapped = call.memory.map(GuestAddr(file_pages), end - file_pages, permissions, name);
  if (!mapped) return Failure{posix::to_errno(mapped.error())};
  return Ok{};
}

}  // namespace

// syssgi(SGI_ELFMAP, fd, headers, count): the address of the first segment (NetBSD,
// sys/compat/irix/irix_syssgi.c irix_syssgi_mapelf()).
CallResult sgi_elfmap(Call& call) {
  const auto file = call.descriptors().get(call.signed_argument(1));
  if (file == nullptr || !file->rights().read) return CallResult::failure(Errno::ebadf);
  const std::uint32_t count = call.argument(3);
  if (count == 0 || count > most_headers) return CallResult::failure(Errno::einval);
  const auto segments = read_headers(call, call.address(2), count);
  if (!segments) return CallResult::failure(segments.error());
  if (!are_sound(*segments, call.memory.user_end().value())) {
    return CallResult::failure(Errno::enoexec);
  }
  const auto shift = find_shift(call, *segments);
  if (!shift) return CallResult::failure(Errno::enomem);
  for (const LoadSegment& segment : *segments) {
    const auto mapped = map_segment(call, segment, file, *shift);
    if (!mapped) return CallResult::failure(mapped.error());
  }
  return CallResult::value(segments->front().first_page() + *shift);
}

}  // namespace hardclock::irix::calls
