// The structures that a system shares with its programs, member by member, as a C compiler lays
// them out: each member at a multiple of its size, longs and pointers of 64 bits or of 32 (System V
// ABI, MIPS RISC Processor Supplement, chapter 3; MIPSpro N32 ABI Handbook, chapter 2; "The 32-bit
// PA-RISC Run-time Architecture Document", chapter 2).
//
// GuestStruct writes members and GuestReader reads them, by the same names. A structure that goes
// both ways has its layout once, in a function for either.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/memory/address_space.h"
#include "sim/process/process.h"
#include "sim/process/signals.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/syscall_abi.h"

namespace hardclock::posix {

// The words of a sigset_t of System V.4.
inline constexpr std::size_t sigset_words = 4;

// What layouts depend on.
struct GuestTypes {
  Endian endian = Endian::big;
  std::size_t long_bytes = 4;  // of longs and pointers: 4 or 8
  bool times_are_int = false;  // as in Port
  GuestAddr (*to_address)(std::uint64_t pointer) = narrow_pointer;
};
GuestTypes guest_types(const Call& call);
GuestTypes guest_types(const Process& process);  // whose program runs

// Where the members of a structure are, one after the other.
class MemberOffsets {
 public:
  explicit MemberOffsets(const GuestTypes& types) : types_(types) {}

  const GuestTypes& types() const { return types_; }
  std::size_t time_bytes() const { return types_.times_are_int ? 4 : types_.long_bytes; }
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
  GuestTypes types_;
  std::size_t offset_ = 0;
};

// A structure that the kernel fills in. Wider values are truncated to the member.
class GuestStruct {
 public:
  explicit GuestStruct(const GuestTypes& types) : members_(types) {}
  explicit GuestStruct(const Call& call) : GuestStruct(guest_types(call)) {}

  GuestStruct& byte(std::uint64_t value) { return member(1, value); }
  GuestStruct& half(std::uint64_t value) { return member(2, value); }
  GuestStruct& word(std::uint64_t value) { return member(4, value); }
  GuestStruct& wide(std::uint64_t value) { return member(8, value); }
  // An integer of 1, 2, 4 or 8 bytes.
  GuestStruct& member(std::size_t bytes, std::uint64_t value);
  // long, unsigned long, size_t
  GuestStruct& word_long(std::uint64_t value) { return member(long_bytes(), value); }
  GuestStruct& pointer(GuestAddr value) { return word_long(value.value()); }
  // time_t. A long behind it, as in struct timeval and struct timespec, has its own alignment.
  GuestStruct& time(std::uint64_t seconds) { return member(members_.time_bytes(), seconds); }
  // A sigset_t of so many words of 32 bits, the first of which has signal 1 as its lowest bit.
  GuestStruct& signal_words(const SignalSet& set, std::size_t words) {
    return signals(set, 4, words);
  }
  // The same in longs, with bits for so many signals.
  GuestStruct& signal_longs(const SignalSet& set, std::size_t bits) {
    return signals(set, long_bytes(), bits / (8 * long_bytes()));
  }
  // An array of characters, filled up with NULs.
  GuestStruct& text(std::string_view text, std::size_t bytes);
  // Zeros, without alignment.
  GuestStruct& skip(std::size_t bytes);
  GuestStruct& skip_longs(std::size_t count);
  // Zeros up to a multiple of `bytes`.
  GuestStruct& align(std::size_t bytes);
  GuestStruct& align_long() { return align(long_bytes()); }
  // Another structure, or bytes as they lie in memory, without alignment.
  GuestStruct& append(const GuestStruct& other) { return append(other.bytes_); }
  GuestStruct& append(std::span<const std::uint8_t> bytes);

  std::size_t long_bytes() const { return members_.types().long_bytes; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  // Stores either all of it or nothing: EFAULT.
  CallResult store(Call& call, GuestAddr address,
                   CallResult on_success = CallResult::value(0)) const;

 private:
  GuestStruct& signals(const SignalSet& set, std::size_t element_bytes, std::size_t count);

  MemberOffsets members_;
  std::vector<std::uint8_t> bytes_;
};

// A structure of a program. A member that cannot be read is 0, as are those after it.
class GuestReader {
 public:
  GuestReader(const GuestTypes& types, AddressSpace& memory, GuestAddr address)
      : members_(types), memory_(memory), address_(address) {}
  GuestReader(Call& call, GuestAddr address)
      : GuestReader(guest_types(call), call.memory, address) {}

  std::uint16_t half() { return static_cast<std::uint16_t>(member(2)); }
  std::uint32_t word() { return static_cast<std::uint32_t>(member(4)); }
  std::uint64_t wide() { return member(8); }
  std::uint64_t member(std::size_t bytes);
  std::uint64_t word_long() { return member(long_bytes()); }
  std::int64_t signed_long() { return signed_member(long_bytes()); }
  std::int64_t signed_member(std::size_t bytes);
  GuestAddr pointer() { return members_.types().to_address(word_long()); }
  std::int64_t time() { return signed_member(members_.time_bytes()); }
  SignalSet signal_words(std::size_t words) { return signals(4, words); }
  SignalSet signal_longs(std::size_t bits) {
    return signals(long_bytes(), bits / (8 * long_bytes()));
  }

  // The same, to be called in a row.
  template <std::integral T>
  GuestReader& half(T& into) {
    return member(2, into);
  }
  template <std::integral T>
  GuestReader& word(T& into) {
    return member(4, into);
  }
  template <std::integral T>
  GuestReader& wide(T& into) {
    return member(8, into);
  }
  template <std::integral T>
  GuestReader& member(std::size_t bytes, T& into) {
    into = static_cast<T>(member(bytes));
    return *this;
  }
  template <std::integral T>
  GuestReader& word_long(T& into) {
    return member(long_bytes(), into);
  }
  GuestReader& pointer(GuestAddr& into) {
    into = pointer();
    return *this;
  }
  GuestReader& signal_words(SignalSet& into, std::size_t words) {
    into = signal_words(words);
    return *this;
  }
  GuestReader& signal_longs(SignalSet& into, std::size_t bits) {
    into = signal_longs(bits);
    return *this;
  }
  GuestReader& skip(std::size_t bytes) {
    members_.skip(bytes);
    return *this;
  }
  GuestReader& skip_longs(std::size_t count);
  GuestReader& align(std::size_t bytes) {
    members_.align(bytes);
    return *this;
  }

  std::size_t long_bytes() const { return members_.types().long_bytes; }
  // How far the members so far reach.
  std::size_t offset() const { return members_.offset(); }
  // Whether every member so far could be read, and why not.
  bool ok() const { return outcome_.ok(); }
  const Result<Ok, Fault>& outcome() const { return outcome_; }

 private:
  SignalSet signals(std::size_t element_bytes, std::size_t count);

  MemberOffsets members_;
  AddressSpace& memory_;
  GuestAddr address_;
  Result<Ok, Fault> outcome_ = Ok{};
};

}  // namespace hardclock::posix
