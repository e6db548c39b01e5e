// A register stack that is simple: an array without end in which each frame is a piece, and memory
// images made by walking through addresses. It knows no ring, no partitions and no formulas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isa/ia64/register_stack.h"

namespace hardclock::ia64::test {

// The memory that backing stores are in. Accesses elsewhere, or that are told to, fail.
class Memory final : public BackingStore {
 public:
  std::optional<std::uint64_t> load(std::uint64_t address, Endian order) override;
  bool store(std::uint64_t address, std::uint64_t value, Endian order) override;

  void map(std::uint64_t from, std::uint64_t to) { areas_.emplace_back(from, to); }
  // Of 100 accesses about this many fail.
  void set_failures(unsigned percent) { failures_ = percent; }
  // The word that is there, in the order of its last access; never written ones are odd.
  std::uint64_t at(std::uint64_t address) const;
  Endian order_at(std::uint64_t address) const { return words_.at(address).order; }

  std::uint64_t loads = 0, stores = 0, failed = 0;

 private:
  struct Word {
    std::uint64_t value;
    Endian order;
  };
  bool fails(std::uint64_t address);

  std::map<std::uint64_t, Word> words_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> areas_;
  unsigned failures_ = 0;
  std::uint64_t random_ = 1;
};

struct ModelRegister {
  std::uint64_t value = 0;
  bool nat = false;
  bool is_known = false;
};

// Of one backing store: register `i` of the array lies at the i-th address from `start` on that is
// not one of a collection.
class ModelStore {
 public:
  ModelStore(std::uint64_t start, std::uint64_t rnat) : start_(start), rnat_(rnat) {}

  std::uint64_t start() const { return start_; }
  std::uint64_t address_of(std::size_t index);
  std::size_t index_at(std::uint64_t address);
  ModelRegister& at(std::size_t index);
  // What the collection at `address` must have, as far as it is known: bits and their mask, of the
  // registers below `end`.
  std::pair<std::uint64_t, std::uint64_t> collection(std::uint64_t address, std::size_t end);

 private:
  std::uint64_t start_;
  std::uint64_t rnat_;  // of the registers below `start` that share its collection
  std::vector<ModelRegister> registers_;
  std::vector<std::uint64_t> addresses_;  // of those that were asked for
};

// A frame of it.
struct Model {
  ModelStore* store = nullptr;
  std::size_t bottom = 0;
  FrameMarker marker;

  ModelRegister& at(unsigned r);
  std::size_t top() const { return bottom + marker.sof; }
  std::uint64_t bsp() const { return store->address_of(bottom); }

  void call();
  void ret(const FrameMarker& frame);
  void alloc(unsigned sof, unsigned sol, unsigned sor);
  void cover();
  void rotate();
  // The frame's registers are those of another place: ar.bspstore was written.
  void move_to(ModelStore& to, std::size_t new_bottom);

 private:
  void forget(std::size_t from, std::size_t to);
};

}  // namespace hardclock::ia64::test
