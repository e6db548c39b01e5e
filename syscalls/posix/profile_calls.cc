#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"
#include "syscalls/profil/system.h"

namespace hardclock::posix::calls {
namespace {

constexpr std::uint64_t microseconds_per_second = 1'000'000;
// Our own limit: a guest must not make hardclock keep more, whatever its own kernel would have
// kept.
constexpr std::size_t most_regions = 65536;

Errno to_errno(profil::CallError error) {
  return error == profil::CallError::too_big ? Errno::e2big : Errno::einval;
}

unsigned address_bits(const Call& call) {
  return call.abi().address_bits;
}

Result<std::uint64_t, Errno> read_word(Call& call, GuestAddr address, unsigned bytes) {
  if (bytes == 8) {
    const auto word = call.memory.read<std::uint64_t>(address);
    if (!word) return Failure{Errno::efault};
    return *word;
  }
  const auto word = call.memory.read<std::uint32_t>(address);
  if (!word) return Failure{Errno::efault};
  return std::uint64_t{*word};
}

// struct prof {void *pr_base; unsigned pr_size; void *pr_off; unsigned pr_scale}: four 32-bit
// words, or with 64-bit pointers four slots of 8 bytes, in which padding follows the unsigned
// members.
Result<profil::Region, Errno> read_region(Call& call, GuestAddr address) {
  const unsigned slot = address_bits(call) / 8;
  std::array<std::uint64_t, 4> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_pointer = i % 2 == 0;
    const auto field = read_word(call, address + slot * i, is_pointer ? slot : 4);
    if (!field) return Failure{field.error()};
    fields[i] = *field;
  }
  return profil::Region{GuestAddr(fields[0]), fields[1], GuestAddr(fields[2]), fields[3]};
}

Result<std::vector<profil::Region>, Errno> read_regions(Call& call, GuestAddr address,
                                                        std::size_t count) {
  const std::uint64_t prof_bytes = 4 * (address_bits(call) / 8);
  std::vector<profil::Region> regions;
  for (std::size_t i = 0; i < std::min(count, most_regions); ++i) {
    const auto region = read_region(call, address + prof_bytes * i);
    if (!region) return Failure{region.error()};
    regions.push_back(*region);
  }
  if (count > most_regions) return Failure{Errno::enomem};
  return regions;
}

// A struct timeval. All of it or nothing.
Result<Ok, Errno> write_tick(Call& call, GuestAddr address, std::uint32_t flags) {
  const VirtualClock& clock = call.simulation().clock();
  const profil::Sprofil& sprofil = *call.system.profiling->sprofil;
  const auto period = static_cast<std::uint64_t>(
      profil::tick_period(sprofil, flags, clock.tick_rate(), clock.fast_rate()).count());
  const CallResult written = GuestStruct(call)
                                 .time(period / microseconds_per_second)
                                 .word_long(period % microseconds_per_second)
                                 .store(call, address);
  if (written.kind == CallResult::Kind::error) return Failure{written.error};
  return Ok{};
}

}  // namespace

CallResult profil(Call& call) {
  auto state = call.system.profiling->profil(
      call.os.profiling().of(call.thread),
      {call.arguments[0], call.arguments[1], call.arguments[2], call.arguments[3]},
      address_bits(call));
  if (!state) return CallResult::failure(to_errno(state.error()));
  call.os.profiling().set(call.thread, *std::move(state));
  return CallResult::value(0);
}

CallResult sprofil_at(Call& call, std::size_t first) {
  const profil::Sprofil& sprofil = *call.system.profiling->sprofil;
  const std::uint32_t flags = call.argument(first + 3);
  const auto count = sprofil.region_count(call.signed_argument(first + 1), flags);
  if (!count) return CallResult::failure(to_errno(count.error()));
  const auto regions = read_regions(call, call.address(first), *count);
  if (!regions) return CallResult::failure(regions.error());
  auto state =
      sprofil.start(call.os.profiling().of(call.thread), *regions, flags, address_bits(call));
  if (!state) return CallResult::failure(to_errno(state.error()));
  const GuestAddr tvp = call.address(first + 2);
  if (tvp != GuestAddr(0)) {
    const auto written = write_tick(call, tvp, flags);
    if (!written) return CallResult::failure(written.error());
  }
  call.os.profiling().set(call.thread, *std::move(state));
  return CallResult::value(0);
}

CallResult pcsample(Call& call) {
  const std::int64_t count = address_bits(call) == 64 ? static_cast<std::int64_t>(call.arguments[1])
                                                      : call.signed_argument(1);
  auto result = call.system.profiling->pcsample(call.os.profiling().of(call.thread),
                                                call.arguments[0], count, address_bits(call));
  if (!result) return CallResult::failure(to_errno(result.error()));
  const std::uint64_t previous = result->previous;
  call.os.profiling().set(call.thread, std::move(result->state));
  return CallResult::value(previous);
}

}  // namespace hardclock::posix::calls
