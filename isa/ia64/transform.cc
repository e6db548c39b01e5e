#include "isa/ia64/machine.h"
#include "sim/base/bits.h"
#include "sim/base/check.h"

namespace hardclock::ia64 {
namespace {

using End = Transformed::End;

Transformed ended(StackResult result) {
  switch (result) {
    case StackResult::done:
      return {};
    case StackResult::illegal_operation:
      return {End::illegal_operation};
    case StackResult::reserved_field:
      return {End::reserved_field};
    case StackResult::memory:
      break;
  }
  return {End::memory};
}

// Does what may change the rename base of predicates, which are kept by their names.
template <class Function>
void rename_predicates_around(Registers& registers, Function change) {
  const unsigned before = registers.stack.marker().rrb_pr;
  change();
  const unsigned after = registers.stack.marker().rrb_pr;
  if (before == after) return;
  registers.predicates =
      predicates_by_name(predicates_by_number(registers.predicates, before), after);
}

Transformed ret(Registers& registers, std::uint64_t pfs, BackingStore& memory) {
  StackResult result = StackResult::done;
  rename_predicates_around(registers, [&] { result = registers.stack.ret(pfs, memory); });
  return ended(result);
}

// br.ret as a whole: without the registers that it has to load from the backing store it has not
// taken place, but it is noted where the fault belongs.
Transformed ret_that_loads(Registers& registers, std::uint64_t pfs, std::uint64_t target,
                           BackingStore& memory) {
  const RegisterStack before = registers.stack;
  const Transformed made = ret(registers, pfs, memory);
  if (made.end != End::memory) return made;
  rename_predicates_around(registers, [&] { registers.stack = before; });
  registers.faulted_return = Registers::FaultedReturn{pfs, target};
  return made;
}

// A copy of the register stack is made only where it may be needed.
bool loads(const RegisterStack& stack, std::uint64_t pfs) {
  return unpack_marker(pfs).sol > stack.dirty() + stack.clean();
}

AlatRegister alat_register(const Registers& registers, std::uint64_t number) {
  if (number < alat_fr(0)) return registers.stack.alat_register(static_cast<unsigned>(number));
  const auto n = static_cast<unsigned>(number - alat_fr(0));
  return floating_point_alat_register(physical_fr(n, registers.stack.marker().rrb_fr));
}

}  // namespace

Transformed transform(Transform which, std::uint64_t a, std::uint64_t b, Registers& registers,
                      BackingStore& memory) {
  RegisterStack& stack = registers.stack;
  const auto byte = [a](unsigned i) { return static_cast<unsigned>(bit_field(a, 8 * i, 8)); };
  switch (which) {
    case Transform::call:
      rename_predicates_around(registers, [&] { stack.call(); });
      return {};
    case Transform::ret:
      if (loads(stack, a)) return ret_that_loads(registers, a, b, memory);
      return ret(registers, a, memory);
    case Transform::alloc:
      return ended(stack.alloc(byte(0), byte(1), byte(2), byte(3), memory));
    case Transform::cover:
      rename_predicates_around(registers, [&] { stack.cover(); });
      return {};
    case Transform::flushrs:
      return ended(stack.flushrs(memory));
    case Transform::loadrs:
      return ended(stack.loadrs(memory));
    case Transform::clrrrb:
      rename_predicates_around(registers, [&] { stack.clrrrb(); });
      return {};
    case Transform::clrrrb_pr:
      rename_predicates_around(registers, [&] { stack.clrrrb_pr(); });
      return {};
    case Transform::rotate:
      if (a != 0) rename_predicates_around(registers, [&] { stack.rotate(); });
      return {};
    case Transform::write_rsc:
      return ended(stack.write_rsc(a));
    case Transform::write_bspstore:
      return ended(stack.write_bspstore(a));
    case Transform::write_rnat:
      return ended(stack.write_rnat(a));
    case Transform::alat_insert:
      if (a >> 8 != 0) registers.alat.insert(alat_register(registers, byte(0)), b, a >> 8);
      return {};
    case Transform::alat_check:
      return {.value =
                  registers.alat.check(alat_register(registers, byte(0)), byte(1) != 0) ? 1u : 0u};
    case Transform::alat_forget:
      registers.alat.forget(alat_register(registers, byte(0)));
      return {};
    case Transform::alat_store:
      registers.alat.store(b, a);
      return {};
    case Transform::alat_clear:
      registers.alat.clear();
      return {};
    case Transform::need_aligned:
      return {b % a == 0 ? End::done : End::misaligned};
    case Transform::need_access:
      break;
  }
  CHECK(false);
  return {};
}

}  // namespace hardclock::ia64
