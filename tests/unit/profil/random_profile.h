// RapidCheck generators: profiling calls that count often, in a small piece of memory, and the
// memory. Text and counters lie low enough for 16-bit systems.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/bits.h"
#include "syscalls/profil/charge.h"
#include "tests/unit/profil/placement_oracle.h"

namespace hardclock::profil {

inline constexpr std::uint64_t arena_start = 0x2000;  // where counters can be
inline constexpr std::uint64_t arena_size = 0x400;
inline constexpr std::uint64_t text_address = 0x4000;
inline constexpr std::uint64_t text_size = 0x1000;

// The counters' memory, in little pages that can be taken away and come back with what they held.
class Arena : public CounterMemory {
 public:
  static constexpr std::uint64_t page_bytes = 64;
  static constexpr std::size_t pages = arena_size / page_bytes;

  Arena() { accessible_.fill(true); }
  void set_accessible(std::size_t page, bool accessible) { accessible_.at(page) = accessible; }
  const std::array<std::uint8_t, arena_size>& bytes() const { return bytes_; }

  // Counters of `width` bytes, from any address on.
  std::uint64_t counter(std::uint64_t address, unsigned width) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 8 | bytes_.at(address - arena_start + i);
    return value;
  }
  void set_counter(std::uint64_t address, unsigned width, std::uint64_t value) {
    for (unsigned i = width; i > 0; --i, value >>= 8) {
      bytes_.at(address - arena_start + i - 1) = static_cast<std::uint8_t>(value);
    }
  }

  Endian endian() const override { return Endian::big; }
  bool is_accessible(GuestAddr address, unsigned bytes) override {
    for (std::uint64_t at = address.value(); at < address.value() + bytes; ++at) {
      if (at < arena_start || at >= arena_start + arena_size) return false;
      if (!accessible_[(at - arena_start) / page_bytes]) return false;
    }
    return true;
  }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = bytes_.at(address - arena() + i);
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes_.at(address - arena() + i) = bytes[i];
  }

 private:
  static GuestAddr arena() { return GuestAddr(arena_start); }
  std::array<std::uint8_t, arena_size> bytes_{};
  std::array<bool, pages> accessible_{};
};

// In [low, high), equally likely in every sample: RapidCheck's own first samples are all near low.
template <class T>
rc::Gen<T> number_in(T low, T high) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(low, high));
}

// How the counters of a run lie: all of its calls have the same, so that its memory can be read as
// an array.
struct Grid {
  unsigned width = 2;
  unsigned misalignment = 0;  // of the first counter, in bytes

  std::uint64_t first() const { return arena_start + misalignment; }
  std::uint64_t last() const { return arena_start + arena_size - width; }
};

// Bases and sizes of regions that end inside of the arena, with a counter to spare for those that
// stick out of the size.
inline rc::Gen<Region> nearby_region(const Grid& grid, std::uint64_t largest_scale) {
  return rc::gen::exec([=] {
    const std::uint64_t room = arena_size - 2 * grid.width - grid.misalignment;
    const auto slot = *number_in<std::uint64_t>(0, room / grid.width);
    const std::uint64_t start = slot * grid.width;
    const auto size =
        *rc::gen::weightedOneOf<std::uint64_t>({{12, number_in<std::uint64_t>(1, room - start + 1)},
                                                {1, rc::gen::just<std::uint64_t>(0)}});
    const auto offset = text_address + *number_in<std::uint64_t>(0, text_size / 2);
    const auto scale = *rc::gen::weightedOneOf<std::uint64_t>(
        {{6, rc::gen::map(number_in(9, 17), [](int bit) { return std::uint64_t{1} << bit; })},
         {6, number_in<std::uint64_t>(0x200, 0x10001)},
         {2, rc::gen::element<std::uint64_t>(0xffff, 0x7fff, 0x8001)},
         {2, number_in<std::uint64_t>(0, 4)}});
    return Region{GuestAddr(grid.first() + start), size, GuestAddr(offset),
                  std::min(scale, largest_scale)};
  });
}

// A profil() call that every system accepts; AIX would drop a 17th bit of the scale.
inline rc::Gen<Profile> nearby_profil(const SystemRules& system, const Grid& grid) {
  const std::uint64_t largest = family_of(system) == Family::aix ? 0xffff : 0x10000;
  return rc::gen::map(nearby_region(grid, largest), [](const Region& region) {
    Profile profile;
    profile.arguments = {region.base.value(), region.size, region.offset.value(), region.scale};
    return profile;
  });
}

inline std::uint32_t width_flag(const SystemRules& system, unsigned width) {
  const char* const name = width == 2 ? "PROF_USHORT" : width == 4 ? "PROF_UINT" : "PROF_UINT64";
  const auto found = std::ranges::find(system.sprofil->flags, name, &Flag::name);
  RC_ASSERT(found != system.sprofil->flags.end());
  return found->value;
}

// ERRORS of HP-UX sprofil(2): sorted, apart, sizes in whole elements. Any region can be moved up
// and cut to that.
inline std::vector<Region> made_legal(std::vector<Region> regions, unsigned width) {
  std::uint64_t end = text_address;
  for (Region& region : regions) {
    region.size = std::max<std::uint64_t>(region.size / width, 1) * width;
    region.scale = std::max<std::uint64_t>(region.scale, 0x1000);
    region.offset = GuestAddr(std::max(region.offset.value() & 0xff, std::uint64_t{4}) + end);
    end = region.offset.value() + region.size * 0x10000 / region.scale + 1;
  }
  return regions;
}

// Overlapping and in any order, or the best that HP-UX takes; a quarter of them with an overflow
// bin in the grid's first counter.
inline rc::Gen<Profile> nearby_sprofil(const SystemRules& system, const Grid& grid) {
  return rc::gen::exec([&system, grid] {
    const auto count = *number_in<std::size_t>(1, 5);
    Profile profile;
    profile.width = grid.width;
    profile.regions = *rc::gen::container<std::vector<Region>>(count, nearby_region(grid, 0x10000));
    if (family_of(system) == Family::hpux) {
      profile.regions = made_legal(std::move(profile.regions), grid.width);
    } else if (*number_in(0, 3) == 0) {
      profile.regions.back().offset = profile.regions.front().offset;
    }
    if (*number_in(0, 4) == 0) {
      profile.regions.push_back({GuestAddr(grid.first()), grid.width, GuestAddr(0), 2});
    }
    profile.flags = width_flag(system, grid.width);
    return profile;
  });
}

inline rc::Gen<Profile> nearby_profile(const SystemRules& system, const Grid& grid) {
  if (system.sprofil == nullptr) return nearby_profil(system, grid);
  if (grid.width != 2) return nearby_sprofil(system, grid);
  return rc::gen::oneOf(nearby_profil(system, grid), nearby_sprofil(system, grid));
}

// Mostly aligned counters of 2 bytes; the other widths where the system has them.
inline rc::Gen<Grid> grid_of(const SystemRules& system) {
  return rc::gen::exec([&system] {
    Grid grid;
    if (system.sprofil != nullptr) grid.width = *rc::gen::element(2u, 4u);
    if (family_of(system) == Family::hpux && grid.width == 4)
      grid.width = *rc::gen::element(4u, 8u);
    if (*number_in(0, 8) == 0) grid.misalignment = 1;
    return grid;
  });
}

inline rc::Gen<std::uint64_t> nearby_pc() {
  return number_in(text_address - 0x40, text_address + text_size);
}

// All 64 bits, with weight on the corners.
inline rc::Gen<std::uint64_t> any_word() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<std::uint64_t>(),
      rc::gen::map(number_in(0, 64), [](int bit) { return std::uint64_t{1} << bit; }),
      rc::gen::map(number_in<std::uint64_t>(0, 0x1000), [](std::uint64_t n) { return ~n; }),
      rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                   [](std::uint32_t n) -> std::uint64_t { return n; }));
}

inline rc::Gen<std::uint64_t> any_scale() {
  return rc::gen::oneOf(
      rc::gen::map(number_in(0, 18), [](int bit) { return std::uint64_t{1} << bit; }),
      number_in<std::uint64_t>(0, 0x20000), any_word());
}

// How often something happened in a test's samples: a property that nearly all samples meet for
// want of anything to look at says nothing.
struct Tally {
  unsigned samples = 0, hits = 0;
  void count(bool hit) {
    ++samples;
    if (hit) ++hits;
  }
  double percent() const { return samples == 0 ? 0 : 100.0 * hits / samples; }
};

// A test's name for a system.
inline std::string test_name(const SystemRules& system) {
  std::string name(system.name);
  std::ranges::replace(name, '.', '_');
  return name;
}

}  // namespace hardclock::profil
