#include "isa/ia64/bundle.h"

namespace hardclock::ia64 {
namespace {

constexpr std::array<Unit, slot_count> mii{Unit::m, Unit::i, Unit::i},
    mlx{Unit::m, Unit::l, Unit::x}, mmi{Unit::m, Unit::m, Unit::i}, mfi{Unit::m, Unit::f, Unit::i},
    mmf{Unit::m, Unit::m, Unit::f}, mib{Unit::m, Unit::i, Unit::b}, mbb{Unit::m, Unit::b, Unit::b},
    bbb{Unit::b, Unit::b, Unit::b}, mmb{Unit::m, Unit::m, Unit::b}, mfb{Unit::m, Unit::f, Unit::b};

// Each pair of templates has the same units; the odd one has a stop at its end.
struct Pair {
  std::array<Unit, slot_count> units;
  bool is_reserved = false;
  bool stops_after_0 = false;
  bool stops_after_1 = false;
};
constexpr Pair reserved{.units = mii, .is_reserved = true};

constexpr std::array<Pair, 16> pairs{{
    {.units = mii},                         // 00
    {.units = mii, .stops_after_1 = true},  // 02
    {.units = mlx},                         // 04
    reserved,                               // 06
    {.units = mmi},                         // 08
    {.units = mmi, .stops_after_0 = true},  // 0a
    {.units = mfi},                         // 0c
    {.units = mmf},                         // 0e
    {.units = mib},                         // 10
    {.units = mbb},                         // 12
    reserved,                               // 14
    {.units = bbb},                         // 16
    {.units = mmb},                         // 18
    reserved,                               // 1a
    {.units = mfb},                         // 1c
    reserved,                               // 1e
}};

}  // namespace

std::optional<Template> template_of(unsigned number) {
  CHECK(number < 2 * pairs.size());
  const Pair& pair = pairs[number / 2];
  if (pair.is_reserved) return std::nullopt;
  return Template{pair.units, {pair.stops_after_0, pair.stops_after_1, number % 2 != 0}};
}

}  // namespace hardclock::ia64
