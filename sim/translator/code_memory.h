// The host memory that translated code lies in: mapped twice, writable and executable, so that no
// page is ever both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sim/base/host_pages.h"
#include "sim/memory/cache_budget.h"

namespace hardclock {

class CodeMemory {
 public:
  // The one of a simulation, as long as anybody has it. A sandbox may forbid to map executable
  // memory later: who confines himself asks for it before. Null: the host has none to give.
  static std::shared_ptr<CodeMemory> of(CacheBudget& caches);

  static constexpr std::size_t size = std::size_t{64} << 20;

  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  // A place for `bytes` of code, where they can be written; empty: there is no room left until
  // clear().
  std::span<std::uint8_t> allocate(std::size_t bytes);
  // The same for code that rarely runs. It grows from the other end, so that what runs often lies
  // close together: the host's caches hold more of it.
  std::span<std::uint8_t> allocate_rare(std::size_t bytes);
  // Where the code runs that is written here, and back.
  const std::uint8_t* executable(const std::uint8_t* writable) const {
    return executable_ + (writable - writable_);
  }
  std::uint8_t* writable(const std::uint8_t* executable) const {
    return writable_ + (executable - executable_);
  }
  // The number of bytes before a place that can be written, and back.
  std::uint32_t offset_of(const std::uint8_t* writable) const {
    return static_cast<std::uint32_t>(writable - writable_);
  }
  std::uint8_t* at(std::uint32_t offset) const { return writable_ + offset; }

  // Counters lie where all code reaches them relative to itself (the host's displacements have 32
  // bits). Until clear() there are so many.
  static constexpr std::size_t counters = std::size_t{2} << 20;
  std::size_t counters_left() const { return counters - counters_used_; }
  // A new one, which is 0. If there is one left.
  std::uint64_t& add_counter();

  // Frees all code. Whoever has some there sees by the epoch that it is gone.
  void clear();
  std::uint64_t epoch() const { return epoch_; }

 private:
  CodeMemory(std::uint8_t* writable, const std::uint8_t* executable, std::uint64_t* counters)
      : writable_(writable), executable_(executable), counters_(counters) {}

  static std::unique_ptr<CodeMemory> map();
  std::span<std::uint8_t> place(std::size_t start, std::size_t bytes);

  std::uint8_t* writable_;
  const std::uint8_t* executable_;
  std::uint64_t* counters_;
  std::size_t counters_used_ = 0;
  std::size_t used_ = 0;    // from the start
  std::size_t end_ = size;  // what lies behind is used for rare code
  std::uint64_t epoch_ = 1;
  HostChunks present_;  // counted from the start
};

}  // namespace hardclock
