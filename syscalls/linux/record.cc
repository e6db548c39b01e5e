#include "syscalls/linux/record.h"

namespace hardclock::gnu_linux {

Record& Record::put(std::size_t size, std::uint64_t value) {
  const std::size_t at = members_.take(size);
  bytes_.resize(at + size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t place = endian_ == Endian::big ? size - 1 - i : i;
    bytes_[at + place] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  return *this;
}

Record& Record::signal_set(const SignalSet& set) {
  const std::size_t bits = 8 * members_.long_bytes();
  const SignalSet one_long(~std::uint64_t{0} >> (64 - bits));
  for (std::size_t i = 0; i < members_.signals() / bits; ++i) {
    word_long(((set >> (bits * i)) & one_long).to_ullong());
  }
  return *this;
}

Record& Record::zeros(std::size_t bytes) {
  members_.skip(bytes);
  bytes_.resize(members_.offset());
  return *this;
}

Record& Record::align(std::size_t bytes) {
  members_.align(bytes);
  bytes_.resize(members_.offset());
  return *this;
}

Record& Record::append(std::span<const std::uint8_t> bytes) {
  members_.skip(bytes.size());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

posix::CallResult Record::store(posix::Call& call, GuestAddr address,
                                posix::CallResult on_success) const {
  if (!call.memory.write_bytes(address, bytes_)) {
    return posix::CallResult::failure(posix::Errno::efault);
  }
  return on_success;
}

std::uint64_t RecordReader::get(std::size_t size) {
  const GuestAddr at = address_ + members_.take(size);
  std::uint8_t bytes[8] = {};
  ok_ = ok_ && memory_.read_bytes(at, std::span(bytes).first(size)).ok();
  if (!ok_) return 0;
  if (size == 8) return load_bytes<std::uint64_t>(bytes, memory_.endian());
  return load_bytes<std::uint32_t>(bytes, memory_.endian());
}

std::int64_t RecordReader::signed_long() {
  const std::uint64_t value = word_long();
  if (members_.long_bytes() == 8) return static_cast<std::int64_t>(value);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

SignalSet RecordReader::signal_set() {
  const std::size_t bits = 8 * members_.long_bytes();
  SignalSet set;
  for (std::size_t i = 0; i < members_.signals() / bits; ++i) {
    set |= SignalSet(word_long()) << (bits * i);
  }
  return set;
}

}  // namespace hardclock::gnu_linux
