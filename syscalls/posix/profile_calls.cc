#include <array>
#include <chrono>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix.h"
#include "syscalls/profil/irix.h"

namespace hardclock::irix::calls {
namespace {

// struct prof of an o32 program: pr_base, pr_size, pr_off, pr_scale.
constexpr std::size_t prof_words = 4;
constexpr std::uint64_t microseconds_per_second = 1'000'000;

void install(Call& call, profil::State state) {
  call.state.profiling = std::move(state);
  call.simulation.update_fast_clock();
}

Result<std::vector<profil::Region>, Errno> read_regions(Call& call, GuestAddr address,
                                                        std::size_t count) {
  std::vector<profil::Region> regions;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::uint32_t, prof_words> words;
    for (std::size_t field = 0; field < prof_words; ++field) {
      const auto word = call.memory.read<std::uint32_t>(address + 4 * (prof_words * i + field));
      if (!word) return Failure{Errno::efault};
      words[field] = *word;
    }
    regions.push_back({GuestAddr(words[0]), words[1], GuestAddr(words[2]), words[3]});
  }
  return regions;
}

std::chrono::microseconds period_of(Hertz rate) {
  return std::chrono::microseconds(microseconds_per_second / rate.value());
}

Errno to_errno(profil::SprofilError error) {
  return error == profil::SprofilError::too_many_regions ? Errno::e2big : Errno::einval;
}

}  // namespace

CallResult profil(Call& call) {
  install(call, profil::irix_profil(call.address(0), call.argument(1), call.argument(2),
                                    call.argument(3)));
  return CallResult::value(0);
}

// syssgi(SGI_SPROFIL, profp, profcnt, tvp, flags)
CallResult sprofil(Call& call) {
  const auto count = profil::irix_region_count(call.signed_argument(2));
  if (!count) return CallResult::failure(to_errno(count.error()));
  const auto regions = read_regions(call, call.address(1), *count);
  if (!regions) return CallResult::failure(regions.error());
  auto state = profil::irix_sprofil(*regions, call.argument(4));
  if (!state) return CallResult::failure(to_errno(state.error()));
  if (call.argument(3) != 0) {
    const VirtualClock& clock = call.simulation.clock();
    const auto period = static_cast<std::uint64_t>(
        profil::irix_tick_period(*state, period_of(clock.tick_rate()), period_of(clock.fast_rate()))
            .count());
    const std::uint32_t timeval[] = {static_cast<std::uint32_t>(period / microseconds_per_second),
                                     static_cast<std::uint32_t>(period % microseconds_per_second)};
    const CallResult written = write_words(call, call.address(3), timeval, CallResult::value(0));
    if (written.kind == CallResult::Kind::error) return written;
  }
  install(call, *std::move(state));
  return CallResult::value(0);
}

}  // namespace hardclock::irix::calls
