// The structures that Linux shares with programs, as a C compiler for each data model lays them
// out: every member at a multiple of its size, longs and pointers of 64 bits or of 32 (System V
// ABI, MIPS RISC Processor Supplement, chapter 3; MIPSpro N32 ABI Handbook, chapter 2; "The 32-bit
// PA-RISC Run-time Architecture Document", chapter 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/process/signals.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/syscall_abi.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// What structures depend on besides the byte order.
struct TypeSizes {
  std::size_t long_bytes = 4;  // of longs and pointers: 4 or 8
  std::size_t signals = 128;   // _NSIG, by which a sigset_t is as long as it is
};
inline TypeSizes type_sizes_of(const posix::UnixSystem& system, const posix::SyscallAbi& abi) {
  return {abi.long_bytes(), system.signals.last};
}

// Where the members of a structure are, one after the other.
class MemberOffsets {
 public:
  explicit MemberOffsets(TypeSizes sizes)
      : long_bytes_(sizes.long_bytes), signals_(sizes.signals) {}

  std::size_t long_bytes() const { return long_bytes_; }
  std::size_t signals() const { return signals_; }
  std::size_t offset() const { return offset_; }
  // The next member, of 1, 2, 4 or 8 bytes.
  std::size_t take(std::size_t bytes) {
    align(bytes);
    offset_ += bytes;
    return offset_ - bytes;
  }
  void align(std::size_t bytes) { offset_ = (offset_ + bytes - 1) & ~(bytes - 1); }
  void skip(std::size_t bytes) { offset_ += bytes; }

 private:
  std::size_t long_bytes_;
  std::size_t signals_;
  std::size_t offset_ = 0;
};

// A structure that the kernel fills in. Wider values are truncated to the member.
class Record {
 public:
  Record(TypeSizes sizes, Endian endian) : members_(sizes), endian_(endian) {}
  explicit Record(const posix::Call& call)
      : Record(type_sizes_of(call.system, call.abi()), call.memory.endian()) {}

  Record& byte(std::uint64_t value) { return put(1, value); }
  Record& half(std::uint64_t value) { return put(2, value); }
  Record& word(std::uint64_t value) { return put(4, value); }
  Record& wide(std::uint64_t value) { return put(8, value); }
  // long, unsigned long, size_t, a pointer
  Record& word_long(std::uint64_t value) { return put(members_.long_bytes(), value); }
  // sigset_t: longs of which the first has signal 1 as its lowest bit.
  Record& signal_set(const SignalSet& set);
  // Appends zero bytes, without alignment.
  Record& zeros(std::size_t bytes);
  // Appends zeros up to a multiple of `bytes`.
  Record& align(std::size_t bytes);
  Record& align_long() { return align(members_.long_bytes()); }
  Record& append(const Record& other) { return append(other.bytes_); }
  // Bytes as they lie in memory, without alignment.
  Record& append(std::span<const std::uint8_t> bytes);

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  // EFAULT if it cannot be stored there.
  posix::CallResult store(posix::Call& call, GuestAddr address,
                          posix::CallResult on_success = posix::CallResult::value(0)) const;

 private:
  Record& put(std::size_t size, std::uint64_t value);

  MemberOffsets members_;
  Endian endian_;
  std::vector<std::uint8_t> bytes_;
};

// A structure of a program, read member by member. A member that cannot be read is 0, as are those
// after it.
class RecordReader {
 public:
  RecordReader(TypeSizes sizes, AddressSpace& memory, GuestAddr address)
      : members_(sizes), memory_(memory), address_(address) {}
  RecordReader(posix::Call& call, GuestAddr address)
      : RecordReader(type_sizes_of(call.system, call.abi()), call.memory, address) {}

  std::uint32_t word() { return static_cast<std::uint32_t>(get(4)); }
  std::uint64_t wide() { return get(8); }
  std::uint64_t word_long() { return get(members_.long_bytes()); }
  std::int64_t signed_long();
  SignalSet signal_set();
  void skip(std::size_t bytes) { members_.skip(bytes); }
  void align(std::size_t bytes) { members_.align(bytes); }

  // Whether every member so far could be read.
  bool ok() const { return ok_; }

 private:
  std::uint64_t get(std::size_t size);

  MemberOffsets members_;
  AddressSpace& memory_;
  GuestAddr address_;
  bool ok_ = true;
};

}  // namespace hardclock::gnu_linux
