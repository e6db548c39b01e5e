#include "syscalls/ia64/backing_store.h"

#include "isa/ia64/abi.h"
#include "sim/base/check.h"

namespace hardclock::ia64_ports {
namespace {

using ia64::FrameMarker;
using ia64::RegisterStack;
using ia64::StackResult;

}  // namespace

std::uint64_t ProgramStore::in_order(std::uint64_t value, Endian order) const {
  return order == memory_.endian() ? value : __builtin_bswap64(value);
}

std::optional<std::uint64_t> ProgramStore::load(std::uint64_t address, Endian order) {
  const auto value = memory_.read<std::uint64_t>(GuestAddr(address));
  if (value) return in_order(*value, order);
  fault_ = value.error();
  return std::nullopt;
}

bool ProgramStore::store(std::uint64_t address, std::uint64_t value, Endian order) {
  const auto stored = memory_.write(GuestAddr(address), in_order(value, order));
  if (!stored) fault_ = stored.error();
  return stored.ok();
}

Result<Ok, Fault> save_registers(RegisterStack& stack, AddressSpace& memory) {
  ProgramStore store(memory);
  stack.cover();
  if (stack.flushrs(store) != StackResult::done) return Failure{store.fault()};
  return Ok{};
}

// A return gives back the locals of a frame, so all of it returns as locals; alloc then divides it.
Result<Ok, Fault> resume_frame(RegisterStack& stack, const FrameMarker& marker,
                               AddressSpace& memory) {
  ProgramStore store(memory);
  FrameMarker all_local = marker;
  all_local.sol = marker.sof;
  constexpr std::uint8_t no_epilog = 0, user = 3;
  const bool returned =
      stack.ret(ia64::pack_pfs(all_local, no_epilog, user), store) == StackResult::done &&
      stack.alloc(ia64::ret0, marker.sof, marker.sol, marker.sor, store) == StackResult::done;
  if (!returned) return Failure{store.fault()};
  return Ok{};
}

// loadrs with ar.rsc.loadrs = 0 discards all registers, without an access to memory.
void move_stack(RegisterStack& stack, std::uint64_t bsp, std::uint64_t rnat, AddressSpace& memory) {
  ProgramStore store(memory);
  const std::uint64_t rsc = stack.rsc();
  stack.cover();
  const bool moved =
      stack.write_rsc(rsc & RegisterStack::rsc_be) == StackResult::done &&
      stack.loadrs(store) == StackResult::done && stack.write_bspstore(bsp) == StackResult::done &&
      stack.write_rnat(rnat) == StackResult::done && stack.write_rsc(rsc) == StackResult::done;
  CHECK(moved);
}

void start_stack(RegisterStack& stack, std::uint64_t backing_store) {
  const RegisterStack before = stack;
  stack.start(backing_store, before.marker());
  (void)stack.write_rsc(before.rsc());
  const unsigned end = ia64::first_rotating_gr + before.marker().sof;
  for (unsigned r = ia64::first_rotating_gr; r < end; ++r) {
    stack.write(r, before.value(r), before.nat(r));
  }
}

}  // namespace hardclock::ia64_ports
