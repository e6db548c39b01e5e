// A process as small as the profiling rules allow: a State and bytes that may be missing, read-only
// or paged out. Counters are big-endian, like IRIX and HP-UX.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "sim/base/units.h"
#include "syscalls/profil/irix.h"

namespace hardclock::profil {

class FakeMemory {
 public:
  void map(std::uint64_t address, std::uint64_t size, bool writable = true) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_[address + i] = Byte{0, writable, true};
  }
  void unmap(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_.erase(address + i);
  }
  void protect(std::uint64_t address, std::uint64_t size, bool writable) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_.at(address + i).writable = writable;
  }
  void evict(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i) bytes_.at(address + i).resident = false;
  }

  // Pages in what is mapped and evicted; nothing when a byte is unmapped.
  std::optional<std::uint64_t> load(std::uint64_t address, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
      const auto byte = bytes_.find(address + i);
      if (byte == bytes_.end()) return std::nullopt;
      byte->second.resident = true;
      value = value << 8 | byte->second.value;
    }
    return value;
  }

  // Ignores protection: for presetting counters, too.
  void poke(std::uint64_t address, unsigned width, std::uint64_t value) {
    for (unsigned i = 0; i < width; ++i) {
      bytes_.at(address + i).value = static_cast<std::uint8_t>(value >> 8 * (width - 1 - i));
    }
  }

  bool writable(std::uint64_t address, unsigned width) const {
    for (unsigned i = 0; i < width; ++i) {
      const auto byte = bytes_.find(address + i);
      if (byte == bytes_.end() || !byte->second.writable) return false;
    }
    return true;
  }

 private:
  struct Byte {
    std::uint8_t value = 0;
    bool writable = true;
    bool resident = true;
  };
  std::map<std::uint64_t, Byte> bytes_;
};

struct FakeProcess {
  State state;
  std::shared_ptr<FakeMemory> memory = std::make_shared<FakeMemory>();

  FakeProcess fork() const { return {irix_after_fork(state), copy_of_memory()}; }
  FakeProcess sproc_sharing_memory() const { return {irix_after_fork(state), memory}; }
  void exec() {
    state = irix_after_exec(state);
    memory = std::make_shared<FakeMemory>();
  }

 private:
  std::shared_ptr<FakeMemory> copy_of_memory() const {
    return std::make_shared<FakeMemory>(*memory);
  }
};

enum class Outcome { counted, missed, dropped };

// One tick that interrupts the process at `pc`.
inline Outcome irix_tick(FakeProcess& process, std::uint64_t pc) {
  const Lookup lookup = irix_lookup(process.state, GuestAddr(pc));
  const Access* access = std::get_if<Access>(&lookup);
  if (access == nullptr) return Outcome::missed;
  const std::uint64_t address = access->address.value();
  const auto before = process.memory->load(address, access->width);
  if (is_misaligned(*access) || !before || !process.memory->writable(address, access->width)) {
    process.state = irix_after_fault(process.state);
    return Outcome::dropped;
  }
  const Increment increment = irix_increment(*before, access->width, Ticks(1));
  process.memory->poke(address, access->width, increment.after);
  return Outcome::counted;
}

}  // namespace hardclock::profil
