// A number for the state of a simulation: two that are in the same state have the same, and two
// that are not differ but by a chance of 2^-64. It is promised for one build of hardclock alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sim/state/archive.h"

namespace hardclock {

struct StateDigest {
  std::uint64_t whole = 0;
  std::array<std::uint64_t, state_parts> parts{};  // by StatePart

  friend bool operator==(const StateDigest&, const StateDigest&) = default;
};

class Digest final : public Archive {
 public:
  Digest();
  ~Digest() override;

  void bytes(std::span<std::byte> bytes) override;
  StateDigest value() const;

 private:
  struct Hash;
  std::array<std::unique_ptr<Hash>, state_parts> hashes_;
};

// Of what has archive(Archive&), which a digest does not change.
template <HasArchive T>
StateDigest digest_of(const T& object) {
  Digest digest;
  const_cast<T&>(object).archive(digest);
  return digest.value();
}

}  // namespace hardclock
