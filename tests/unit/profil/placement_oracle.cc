#include "tests/unit/profil/placement_oracle.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/base/check.h"

namespace hardclock::profil {
namespace {

Number power(unsigned bits) {
  return Number(1) << bits;
}

// The residue in [0, 2^bits), of negative numbers too.
Number cut(const Number& value, unsigned bits) {
  const Number rest = value % power(bits);
  return rest < 0 ? Number(rest + power(bits)) : rest;
}

std::uint64_t low(std::uint64_t value, unsigned bits) {
  return static_cast<std::uint64_t>(cut(value, bits));
}

// pdp11 and vax: V7 conf/mch.s addupc; 4.1BSD, 4.2BSD sys/vax/vax/locore.s addupc.
std::optional<Number> halved(const Region& region, std::uint64_t pc, unsigned word, Family family) {
  const Number difference = cut(Number(pc) - region.offset.value(), word);
  if (family != Family::pdp11 && difference >= power(word - 1)) return std::nullopt;  // blss
  Number quotient = (difference / 2) * Number(region.scale / 2) / power(14);
  if (quotient >= power(word)) return std::nullopt;  // the product's upper word
  if (family != Family::vax_down) quotient = cut(quotient + 1, word);
  return quotient / 2 * 2;
}

// 4.4BSD sys/kern/subr_prof.c PC_TO_INDEX: u_quad_t, then int.
std::optional<Number> quad(const Region& region, std::uint64_t pc) {
  if (pc < region.offset.value()) return std::nullopt;
  const Number product = cut(Number(pc - region.offset.value()) * region.scale, 64);
  return cut(product / 65536, 32) / 2 * 2;
}

// illumos uts/common/os/clock.c profil_tick(). The size is compared with the byte offset, before it
// is made an element; scale 2 has no arithmetic and no size.
std::optional<Number> two_parts(const Region& region, std::uint64_t pc, unsigned word) {
  if (pc < region.offset.value()) return std::nullopt;
  if (region.scale == 2) return Number(0);
  const Number difference = pc - region.offset.value();
  const Number upper = cut(difference / 65536 * region.scale, word);
  const Number lower = cut(difference % 65536 * region.scale, word) / 65536;
  const Number offset = cut(upper + lower, word);
  if (offset >= region.size) return std::nullopt;
  return offset / 2 * 2;
}

// HP-UX sprofil(2): the byte offset decides, then it is rounded down to a counter.
std::optional<Number> exact(const Region& region, std::uint64_t pc, unsigned width) {
  if (pc < region.offset.value()) return std::nullopt;
  const Number offset = Number(pc - region.offset.value()) * region.scale / 65536;
  if (offset >= region.size) return std::nullopt;
  return offset / width * width;
}

// The IRIX 6.2 kernel (docs/observed.md, facts 7 to 9): a signed difference in the kernel's word,
// its low 32 bits in a product of 64, a result of 32, rounded down and then compared.
std::optional<Number> observed(const Region& region, std::uint64_t pc, unsigned word,
                               unsigned width) {
  Number difference = Number(pc) - region.offset.value();
  if (difference < 0) difference += power(word);
  difference = cut(difference, word);
  if (difference >= power(word - 1)) return std::nullopt;
  if (region.scale == 2) return Number(0);
  const Number index = cut(cut(difference, 32) * region.scale / 65536, 32);
  return index / width * width;
}

// AIX profil: "rounded up to the next half-word aligned value".
std::optional<Number> rounded_up(const Region& region, std::uint64_t pc) {
  if (pc < region.offset.value()) return std::nullopt;
  const Number offset = Number(pc - region.offset.value()) * region.scale / 65536;
  return (offset + 1) / 2 * 2;
}

std::optional<Number> byte_offset(const Region& region, std::uint64_t pc, Family family,
                                  unsigned address_bits, unsigned width) {
  switch (family) {
    case Family::pdp11:
      return halved(region, pc, 16, family);
    case Family::vax_up:
    case Family::vax_down:
      return halved(region, pc, 32, family);
    case Family::quad:
      return quad(region, pc);
    case Family::two_parts:
      return two_parts(region, pc, address_bits);
    case Family::irix:
      return observed(region, pc, address_bits, width);
    case Family::hpux:  // the overflow descriptor
      if (region.scale == 2 && region.offset == GuestAddr(0)) return Number(0);
      return exact(region, pc, width);
    case Family::aix:
      return rounded_up(region, pc);
  }
  CHECK(false);
  return std::nullopt;
}

// Which scales switch a region off, by docs/observed.md, section 1.
std::uint64_t highest_off_scale(Family family) {
  switch (family) {
    case Family::pdp11:
    case Family::vax_up:
    case Family::vax_down:
    case Family::quad:
      return 0;
    default:
      return 1;
  }
}

unsigned width_of_addresses(Family family, unsigned address_bits) {
  if (family == Family::pdp11) return 16;
  return family == Family::vax_up || family == Family::vax_down ? 32 : address_bits;
}

std::optional<Place> place_in(const Region& region, std::size_t index, const Profile& profile,
                              Family family, std::uint64_t pc) {
  if (region.scale <= highest_off_scale(family)) return std::nullopt;
  const auto offset = byte_offset(region, pc, family, profile.address_bits, profile.width);
  if (!offset) return std::nullopt;
  const bool is_unlimited = family == Family::two_parts && region.scale == 2;
  if (!is_unlimited && *offset >= region.size) return std::nullopt;
  const unsigned bits = width_of_addresses(family, profile.address_bits);
  return Place{index, static_cast<std::uint64_t>(cut(*offset + region.base.value(), bits)),
               static_cast<std::uint64_t>(*offset)};
}

// An address of 32 bits as a MIPS holds it (fact 22): with bit 31 set it is the kernel's.
Place with_short_address(Place place) {
  const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(place.address));
  place.address = static_cast<std::uint64_t>(std::int64_t{low});
  return place;
}

// The IRIX 6.2 kernel's choice (facts 11 to 15), as it goes about it: a list sorted by offset, in
// which a bin stays last.
std::optional<Place> place_in_list(const std::vector<Region>& regions, const Profile& profile,
                                   std::uint64_t pc) {
  const auto is_lost = [&](std::size_t i) {
    return regions[i].scale <= 1 || profile.faulted.contains(i);
  };
  if (regions.front().scale <= 1) return std::nullopt;
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Region& last = regions.back();
  const bool has_bin = regions.size() > 1 && last.offset == GuestAddr(0) && last.scale == 2;
  std::stable_sort(order.begin(), order.end() - (has_bin ? 1 : 0),
                   [&](auto a, auto b) { return regions[a].offset < regions[b].offset; });
  const std::size_t count = regions.size() - (has_bin ? 1 : 0);
  std::size_t at = 0;
  while (at + 1 < count && regions[order[at + 1]].offset.value() < pc) ++at;
  while (at > 0 && regions[order[at - 1]].offset == regions[order[at]].offset) --at;
  const std::size_t chosen = order[at];
  if (is_lost(chosen)) return std::nullopt;
  const auto place = place_in(regions[chosen], chosen, profile, Family::irix, pc);
  if (place) return with_short_address(*place);
  const std::size_t bin = regions.size() - 1;
  if (!has_bin || is_lost(bin) || last.size == 0) return std::nullopt;
  return with_short_address({bin, last.base.value(), 0});
}

}  // namespace

Family family_of(const SystemRules& system) {
  static const std::map<std::string_view, Family> families = {
      {"v7", Family::pdp11},          {"2.11bsd", Family::pdp11},
      {"4.1bsd", Family::vax_up},     {"4.2bsd", Family::vax_down},
      {"4.3bsd", Family::vax_down},   {"4.4bsd", Family::quad},
      {"solaris", Family::two_parts}, {"solaris2.5", Family::two_parts},
      {"irix", Family::irix},         {"hpux", Family::hpux},
      {"aix", Family::aix},
  };
  const auto found = families.find(system.name);
  if (found != families.end()) return found->second;
  throw std::invalid_argument(
      "family_of() in tests/unit/profil/placement_oracle.cc needs a line: " +
      std::string(system.name));
}

Overflow overflow_of(const SystemRules& system) {
  const Family family = family_of(system);
  if (family == Family::two_parts) return Overflow::stops;
  return family == Family::hpux || family == Family::aix ? Overflow::saturates : Overflow::wraps;
}

Result<State, CallError> start(const SystemRules& system, const Profile& profile) {
  if (profile.regions.empty()) {
    return system.profil(State{}, profile.arguments, profile.address_bits);
  }
  return system.sprofil->start(State{}, profile.regions, profile.flags, profile.address_bits);
}

Region kept_arguments(const SystemRules& system, const Profile& profile) {
  struct Bits {
    unsigned buff, size, offset, scale;
  };
  const unsigned pointer = profile.address_bits;
  const auto bits = [&]() -> Bits {
    switch (family_of(system)) {
      case Family::pdp11:
        return {16, 16, 16, 16};
      case Family::vax_up:
      case Family::vax_down:
        return {32, 32, 32, 32};
      case Family::quad:  // caddr_t, u_int, u_int, u_int
      case Family::irix:  // A-I11
        return {pointer, 32, 32, 32};
      case Family::two_parts:  // A-S7
      case Family::hpux:
        return {pointer, pointer, pointer, 32};
      case Family::aix:  // "the upper 16 bits are ignored"
        return {pointer, 32, pointer, 16};
    }
    CHECK(false);
    return {};
  }();
  const ProfilArguments& given = profile.arguments;
  return {GuestAddr(low(given.buff, bits.buff)), low(given.bufsiz, bits.size),
          GuestAddr(low(given.offset, bits.offset)), low(given.scale, bits.scale)};
}

// Of several regions the largest offset counts, of equal ones the first: HP-UX sprofil(2).
std::optional<Place> expected_place(const SystemRules& system, const Profile& profile,
                                    std::uint64_t pc) {
  const Family family = family_of(system);
  if (family == Family::irix) {
    const bool is_profil = profile.regions.empty();
    return place_in_list(is_profil ? std::vector{kept_arguments(system, profile)} : profile.regions,
                         profile, pc);
  }
  if (profile.regions.empty()) {
    return place_in(kept_arguments(system, profile), 0, profile, family, pc);
  }
  std::optional<Place> best;
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const auto place = place_in(profile.regions[i], i, profile, family, pc);
    if (!place) continue;
    const bool is_better =
        !best || profile.regions[best->region].offset < profile.regions[i].offset;
    if (is_better) best = place;
  }
  return best;
}

std::optional<std::uint64_t> expected_count(const SystemRules& system, unsigned width,
                                            std::uint64_t before, std::uint64_t ticks) {
  const Number sum = Number(before) + ticks;
  const Number highest = power(8 * width) - 1;
  const auto wrapped = static_cast<std::uint64_t>(cut(sum, 8 * width));
  switch (overflow_of(system)) {
    case Overflow::wraps:
      return wrapped;
    case Overflow::saturates:
      return static_cast<std::uint64_t>(sum > highest ? highest : sum);
    case Overflow::stops:  // illumos profil_tick(): a 16-bit sum above SHRT_MAX
      if (wrapped > 32767) return std::nullopt;
      return wrapped;
  }
  CHECK(false);
  return std::nullopt;
}

bool is_exact(const SystemRules& system, const Region& region, unsigned address_bits,
              std::uint64_t distance) {
  const Number quotient = Number(distance) * region.scale / 65536;
  switch (family_of(system)) {
    case Family::pdp11:
      return distance < 0x10000;
    case Family::vax_up:
    case Family::vax_down:
      return distance < 0x80000000 && quotient + 1 < power(32);
    case Family::quad:
      return quotient < power(32);
    case Family::two_parts:
      return quotient < power(address_bits) && Number(region.scale) <= power(address_bits - 16);
    case Family::irix:
      return distance < power(std::min(address_bits - 1, 32u)) && quotient < power(32);
    case Family::hpux:
    case Family::aix:
      return true;
  }
  CHECK(false);
  return false;
}

std::optional<Place> found_place(const Lookup& lookup) {
  const Access* const access = std::get_if<Access>(&lookup);
  if (access == nullptr) return std::nullopt;
  return Place{access->region, access->address.value(), access->byte_offset};
}

}  // namespace hardclock::profil
