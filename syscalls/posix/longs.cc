#include "syscalls/posix/longs.h"

#include "sim/base/endian.h"

namespace hardclock::posix {
namespace {

constexpr unsigned wide = 8;

std::uint64_t load(std::span<const std::uint8_t> bytes, Endian endian) {
  return bytes.size() == wide ? load_bytes<std::uint64_t>(bytes.data(), endian)
                              : load_bytes<std::uint32_t>(bytes.data(), endian);
}

Result<std::vector<std::uint64_t>, Errno> read_fields(Call& call, GuestAddr address,
                                                      std::size_t count, unsigned width) {
  std::vector<std::uint8_t> bytes(width * count);
  if (!call.memory.read_bytes(address, bytes)) return Failure{Errno::efault};
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = load(std::span(bytes).subspan(width * i, width), call.memory.endian());
  }
  return values;
}

CallResult write_fields(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                        unsigned width, CallResult on_success) {
  std::vector<std::uint8_t> bytes(width * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (width == wide) {
      store_bytes(&bytes[width * i], values[i], call.memory.endian());
    } else {
      store_bytes(&bytes[width * i], static_cast<std::uint32_t>(values[i]), call.memory.endian());
    }
  }
  if (!call.memory.probe(address, bytes.size(), Access::write) ||
      !call.memory.write_bytes(address, bytes)) {
    return CallResult::failure(Errno::efault);
  }
  return on_success;
}

// Whether a time_t fills only the first half of a slot as wide as a long.
bool has_half_times(const Call& call) {
  return call.port().times_are_int && long_bytes(call) == wide;
}

}  // namespace

unsigned long_bytes(const Call& call) {
  return call.abi().long_bytes();
}

Result<std::vector<std::uint64_t>, Errno> read_unsigned_longs(Call& call, GuestAddr address,
                                                              std::size_t count) {
  return read_fields(call, address, count, long_bytes(call));
}

Result<GuestAddr, Errno> read_pointer(Call& call, GuestAddr address) {
  const auto field = read_unsigned_longs(call, address, 1);
  if (!field) return Failure{field.error()};
  return call.abi().pointer(field->front());
}

Result<std::vector<std::int64_t>, Errno> read_signed_longs(Call& call, GuestAddr address,
                                                           std::size_t count) {
  const unsigned width = long_bytes(call);
  const auto fields = read_unsigned_longs(call, address, count);
  if (!fields) return Failure{fields.error()};
  std::vector<std::int64_t> values;
  for (const std::uint64_t field : *fields) {
    values.push_back(width == wide ? static_cast<std::int64_t>(field)
                                   : static_cast<std::int32_t>(field));
  }
  return values;
}

CallResult write_longs(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                       CallResult on_success) {
  return write_fields(call, address, values, long_bytes(call), std::move(on_success));
}

Result<std::vector<std::int64_t>, Errno> read_times(Call& call, GuestAddr address,
                                                    std::size_t count) {
  auto values = read_signed_longs(call, address, 2 * count);
  if (!values || !has_half_times(call)) return values;
  const unsigned shift = call.memory.endian() == Endian::big ? 32 : 0;
  for (std::size_t i = 0; i < values->size(); i += 2) {
    (*values)[i] = static_cast<std::int32_t>((*values)[i] >> shift);
  }
  return values;
}

CallResult write_times(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                       std::size_t count, CallResult on_success) {
  std::vector<std::uint64_t> longs(values.begin(), values.end());
  if (has_half_times(call)) {
    const unsigned shift = call.memory.endian() == Endian::big ? 32 : 0;
    for (std::size_t i = 0; i < 2 * count; i += 2) longs[i] = (longs[i] & 0xffffffff) << shift;
  }
  return write_longs(call, address, longs, std::move(on_success));
}

Result<std::vector<std::uint64_t>, Errno> read_words64(Call& call, GuestAddr address,
                                                       std::size_t count) {
  return read_fields(call, address, count, wide);
}

CallResult write_words64(Call& call, GuestAddr address, std::span<const std::uint64_t> values,
                         CallResult on_success) {
  return write_fields(call, address, values, wide, std::move(on_success));
}

}  // namespace hardclock::posix
