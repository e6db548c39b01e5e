// Host memory for blocks, one behind another in the order in which they are made. Programs run
// much of their code in the order in which it ran first, and the host's processor fetches ahead
// what it reads in the order of addresses: a large program runs from the host's memory rather than
// from its caches. A part of engine.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "sim/base/check.h"

namespace hardclock {

// Keeps its chunks of memory until nothing that it gave lies in them.
class BlockArena {
  struct Chunk;

 public:
  static constexpr std::size_t alignment = 16;
  static_assert(alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  struct Piece {
    void* memory = nullptr;
    Chunk* chunk = nullptr;  // it lies there
  };

  BlockArena() = default;
  BlockArena(const BlockArena&) = delete;
  BlockArena& operator=(const BlockArena&) = delete;
  // Whatever it gave must have been released.
  ~BlockArena() {
    CHECK(current_ == nullptr || current_->pieces == 0);
    if (current_ != nullptr) free_chunk(current_);
    CHECK(chunks_ == 0);
  }

  Piece allocate(std::size_t bytes) {
    const std::size_t needed = (bytes + alignment - 1) / alignment * alignment;
    if (static_cast<std::size_t>(end_ - next_) < needed) begin_chunk();
    CHECK(static_cast<std::size_t>(end_ - next_) >= needed);
    ++current_->pieces;
    return {std::exchange(next_, next_ + needed), current_};
  }

  // Takes back what some arena's allocate() gave.
  static void release(const Piece& piece) { piece.chunk->arena->release_from(piece.chunk); }

  // Of host memory.
  std::uint64_t bytes() const { return chunks_ * chunk_bytes; }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 16;

  struct alignas(alignment) Chunk {
    BlockArena* arena = nullptr;
    std::size_t pieces = 0;  // that are not released
  };

  void begin_chunk() {
    Chunk* const full = std::exchange(current_, new_chunk());
    next_ = reinterpret_cast<std::byte*>(current_ + 1);
    end_ = reinterpret_cast<std::byte*>(current_) + chunk_bytes;
    if (full != nullptr && full->pieces == 0) free_chunk(full);
  }
  Chunk* new_chunk() {
    // Without an alignment that malloc may not find again in what it has: processes come and go.
    void* const memory = ::operator new(chunk_bytes);
    ++chunks_;
    return new (memory) Chunk{.arena = this};
  }
  void free_chunk(Chunk* chunk) {
    --chunks_;
    ::operator delete(chunk);
  }
  void release_from(Chunk* chunk) {
    if (--chunk->pieces == 0 && chunk != current_) free_chunk(chunk);
  }

  Chunk* current_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::uint64_t chunks_ = 0;
};

}  // namespace hardclock
