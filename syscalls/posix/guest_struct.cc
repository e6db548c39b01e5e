#include "syscalls/posix/guest_struct.h"

#include <algorithm>
#include <array>
#include <limits>

#include "syscalls/posix/state.h"

namespace hardclock::posix {
namespace {

GuestTypes types_of(const Port& port, Endian endian) {
  return {endian, port.abi->long_bytes(), port.times_are_int, port.abi->pointer};
}

// The lowest signals of a set, as many as an element of a sigset_t has bits.
SignalSet element_mask(std::size_t element_bytes) {
  return SignalSet(std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * element_bytes));
}

}  // namespace

GuestTypes guest_types(const Call& call) {
  return types_of(call.port(), call.memory.endian());
}

GuestTypes guest_types(const Process& process) {
  return types_of(port_of(process), process.memory->endian());
}

GuestStruct& GuestStruct::member(std::size_t bytes, std::uint64_t value) {
  const std::size_t at = members_.take(bytes);
  bytes_.resize(at + bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t place = members_.types().endian == Endian::big ? bytes - 1 - i : i;
    bytes_[at + place] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  return *this;
}

GuestStruct& GuestStruct::signals(const SignalSet& set, std::size_t element_bytes,
                                  std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    member(element_bytes,
           ((set >> (8 * element_bytes * i)) & element_mask(element_bytes)).to_ullong());
  }
  return *this;
}

GuestStruct& GuestStruct::text(std::string_view text, std::size_t bytes) {
  const std::size_t at = members_.offset();
  skip(bytes);
  std::ranges::copy(text.substr(0, bytes), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  return *this;
}

GuestStruct& GuestStruct::skip(std::size_t bytes) {
  members_.skip(bytes);
  bytes_.resize(members_.offset());
  return *this;
}

GuestStruct& GuestStruct::skip_longs(std::size_t count) {
  return align_long().skip(count * long_bytes());
}

GuestStruct& GuestStruct::align(std::size_t bytes) {
  members_.align(bytes);
  bytes_.resize(members_.offset());
  return *this;
}

GuestStruct& GuestStruct::append(std::span<const std::uint8_t> bytes) {
  members_.skip(bytes.size());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

CallResult GuestStruct::store(Call& call, GuestAddr address, CallResult on_success) const {
  if (!call.memory.probe(address, bytes_.size(), Access::write) ||
      !call.memory.write_bytes(address, bytes_)) {
    return CallResult::failure(Errno::efault);
  }
  return on_success;
}

std::uint64_t GuestReader::member(std::size_t bytes) {
  const GuestAddr at = address_ + members_.take(bytes);
  std::array<std::uint8_t, 8> read = {};
  if (outcome_.ok()) outcome_ = memory_.read_bytes(at, std::span(read).first(bytes));
  if (!outcome_.ok()) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t place = members_.types().endian == Endian::big ? i : bytes - 1 - i;
    value = value << 8 | read[place];
  }
  return value;
}

std::int64_t GuestReader::signed_member(std::size_t bytes) {
  const std::uint64_t value = member(bytes);
  if (bytes == 8) return static_cast<std::int64_t>(value);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

SignalSet GuestReader::signals(std::size_t element_bytes, std::size_t count) {
  SignalSet set;
  for (std::size_t i = 0; i < count; ++i) {
    set |= SignalSet(member(element_bytes)) << (8 * element_bytes * i);
  }
  return set;
}

GuestReader& GuestReader::skip_longs(std::size_t count) {
  return align(long_bytes()).skip(count * long_bytes());
}

}  // namespace hardclock::posix
