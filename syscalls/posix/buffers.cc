#include "syscalls/posix/buffers.h"

#include <algorithm>

#include "syscalls/posix/guest_struct.h"

namespace hardclock::posix {
namespace {

constexpr std::int64_t most_vectors = 1024;  // as in Linux, which takes more than the others

std::uint64_t reach_from(AddressSpace& memory, GuestAddr start, std::uint64_t size, Access access) {
  if (memory.probe(start, size, access)) return size;
  std::uint64_t reached = 0;
  while (reached < size) {
    const std::uint64_t at = start.value() + reached;
    const std::uint64_t part = std::min(size - reached, page_size - (at & page_mask));
    if (!memory.probe(GuestAddr(at), part, access)) break;
    reached += part;
  }
  return reached;
}

}  // namespace

Buffers::Buffers(std::vector<Buffer> buffers) : buffers_(std::move(buffers)) {
  for (const Buffer& buffer : buffers_) total_ += buffer.size;
}

bool Buffers::end_by(GuestAddr end) const {
  return std::ranges::all_of(buffers_, [end](const Buffer& buffer) {
    return buffer.address <= end && buffer.size <= end.value() - buffer.address.value();
  });
}

// Applies `action(address, offset, size)` to the parts; `offset` counts from `from`. Stops where it
// answers false.
template <class Action>
bool Buffers::for_each(std::uint64_t from, std::uint64_t size, Action action) const {
  std::uint64_t offset = 0;
  for (const Buffer& buffer : buffers_) {
    if (offset == size) break;
    if (from >= buffer.size) {
      from -= buffer.size;
      continue;
    }
    const std::uint64_t part = std::min(buffer.size - from, size - offset);
    if (!action(buffer.address + from, offset, part)) return false;
    offset += part;
    from = 0;
  }
  return true;
}

std::uint64_t Buffers::reach(AddressSpace& memory, std::uint64_t from, std::uint64_t size,
                             Access access) const {
  std::uint64_t reached = 0;
  for_each(from, size, [&](GuestAddr at, std::uint64_t, std::uint64_t part) {
    const std::uint64_t here = reach_from(memory, at, part, access);
    reached += here;
    return here == part;
  });
  return reached;
}

bool Buffers::has_room(AddressSpace& memory, std::uint64_t from, std::uint64_t size) const {
  return for_each(from, size, [&](GuestAddr to, std::uint64_t, std::uint64_t part) {
    return memory.probe(to, part, Access::write).ok();
  });
}

bool Buffers::store(AddressSpace& memory, std::uint64_t from,
                    std::span<const std::uint8_t> bytes) const {
  return for_each(from, bytes.size(), [&](GuestAddr to, std::uint64_t at, std::uint64_t part) {
    return memory.write_bytes(to, bytes.subspan(at, part)).ok();
  });
}

bool Buffers::load(AddressSpace& memory, std::uint64_t from, std::span<std::uint8_t> bytes) const {
  return for_each(from, bytes.size(), [&](GuestAddr at, std::uint64_t to, std::uint64_t part) {
    return memory.read_bytes(at, bytes.subspan(to, part)).ok();
  });
}

Result<Buffers, Errno> one_buffer(GuestAddr address, std::uint64_t size) {
  if (size > largest_transfer) return Failure{Errno::einval};
  return Buffers({{address, size}});
}

Result<Buffers, Errno> read_vectors(Call& call, GuestAddr address, std::int64_t count) {
  if (count < 0 || count > most_vectors) return Failure{Errno::einval};
  std::vector<Buffers::Buffer> buffers;
  std::uint64_t total = 0;
  GuestReader vectors(call, address);
  for (std::int64_t i = 0; i < count; ++i) {
    const GuestAddr base = vectors.pointer();
    const std::uint64_t size = vectors.word_long();
    if (!vectors.ok()) return Failure{Errno::efault};
    if (size > largest_transfer - total) return Failure{Errno::einval};
    total += size;
    buffers.push_back({base, size});
  }
  return Buffers(std::move(buffers));
}

}  // namespace hardclock::posix
