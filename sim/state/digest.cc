#include "sim/state/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hardclock {

struct Digest::Hash {
  Hash() { XXH3_64bits_reset(&state); }

  XXH3_state_t state;
};

Digest::Digest() : Archive(Kind::digest) {
  for (auto& hash : hashes_) hash = std::make_unique<Hash>();
}

Digest::~Digest() = default;

void Digest::bytes(std::span<std::byte> bytes) {
  Hash& hash = *hashes_[static_cast<std::size_t>(part())];
  XXH3_64bits_update(&hash.state, bytes.data(), bytes.size());
}

StateDigest Digest::value() const {
  StateDigest value;
  for (std::size_t i = 0; i < state_parts; ++i) {
    value.parts[i] = XXH3_64bits_digest(&hashes_[i]->state);
  }
  value.whole = XXH3_64bits(value.parts.data(), sizeof(value.parts));
  return value;
}

}  // namespace hardclock
