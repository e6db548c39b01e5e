#include "sim/translator/access_emitter.h"

#include <cstddef>
#include <cstdint>

#include "sim/memory/access_table.h"
#include "sim/memory/flat_table.h"
#include "sim/translator/host_registers.h"

namespace hardclock {

using asmjit::Label;
using namespace host;

auto AccessEmitter::translate(StepIndex address, const AccessSite& site) -> Miss {
  values_.address_in_rax(address);
  if (mode_.has_flat_table) return translate_flat(site);
  // rdx holds something else then, which waits on the stack.
  const bool spills = !values_.has_temporary();
  const x86::Gp tag = spills ? x86::Gp(x86::rdx) : values_.temporary();
  if (spills) a_.mov(on_stack(spilled_slot), tag);
  static_assert(sizeof(AccessTable::Entry) == 32);
  constexpr unsigned entry_bits = 5;
  const std::uint64_t piece = (std::uint64_t{1} << mode_.access_shift) - 1;
  const auto mask = static_cast<std::int32_t>(~(piece ^ (site.size - 1)));
  const bool is_narrow = mode_.address_bits == 32;
  a_.mov(x86::ecx, x86::eax);
  if (mode_.access_shift > entry_bits)
    a_.shr(x86::ecx, mode_.access_shift - entry_bits);
  else if (mode_.access_shift < entry_bits)
    a_.shl(x86::ecx, entry_bits - mode_.access_shift);
  a_.and_(x86::ecx, static_cast<std::int32_t>((mode_.access_entries - 1) << entry_bits));
  if (is_narrow) {
    a_.mov(tag.r32(), x86::eax);
    a_.and_(tag.r32(), mask);
  } else {
    a_.mov(tag, x86::rax);
    a_.and_(tag, mask);
  }
  const auto field = [&](std::size_t offset) {
    return x86::ptr(accesses, x86::rcx, 0, static_cast<std::int32_t>(offset), 8);
  };
  a_.cmp(tag, field(site.is_write ? offsetof(AccessTable::Entry, write_tag)
                                  : offsetof(AccessTable::Entry, read_tag)));
  if (spills)
    a_.mov(tag, on_stack(spilled_slot));  // this leaves the flags alone
  else
    values_.release(tag);
  values_.release(x86::rcx);
  const Label missed = a_.newLabel(), back = a_.newLabel();
  a_.jne(missed);
  a_.add(x86::rax, field(offsetof(AccessTable::Entry, addend)));
  a_.bind(back);
  return {missed, back};
}

// A page that is not there leaves the address alone.
auto AccessEmitter::translate_flat(const AccessSite& site) -> Miss {
  const Label missed = a_.newLabel(), back = a_.newLabel();
  if (site.size > 1) {
    a_.test(x86::al, static_cast<std::int32_t>(site.size - 1));
    a_.jnz(missed);
  }
  a_.mov(x86::ecx, x86::eax);
  a_.shr(x86::ecx, page_shift);
  const std::size_t table = site.is_write ? FlatTable::write_offset : 0;
  a_.sub(x86::rax, x86::ptr(accesses, x86::rcx, 3, static_cast<std::int32_t>(table), 8));
  a_.jnc(missed);
  values_.release(x86::rcx);
  a_.bind(back);
  return {missed, back};
}

auto AccessEmitter::load(StepIndex index, const Step& step, const AccessSite& site) -> Miss {
  const Miss miss = translate(step.operands[0], site);
  const auto pin = values_.pin_to_write(index);
  const x86::Gp to = pin.value_or(x86::rax);
  if (pin) values_.release(x86::rax);
  const bool is_big = mode_.data_order == Endian::big;
  const auto from = [&](std::uint32_t bytes) { return x86::ptr(x86::rax, 0, bytes); };
  switch (step.detail) {
    case 1:
      a_.movzx(to.r32(), from(1));
      break;
    case 2:
      if (is_big) {
        a_.movbe(x86::ax, from(2));
        a_.movzx(to.r32(), x86::ax);
      } else {
        a_.movzx(to.r32(), from(2));
      }
      break;
    case 4:
      if (is_big)
        a_.movbe(to.r32(), from(4));
      else
        a_.mov(to.r32(), from(4));
      break;
    default:
      if (is_big)
        a_.movbe(to, from(8));
      else
        a_.mov(to, from(8));
  }
  values_.define(index, to);
  return miss;
}

auto AccessEmitter::store(const Step& step, const AccessSite& site) -> Miss {
  const std::uint32_t size = step.detail;
  // In rax or rcx the value would be in the way of the access.
  ValueEmitter::Held value =
      size == 8 ? values_.whole(step.operands[1]) : values_.low(step.operands[1]);
  if (value.reg.id() == x86::rax.id() || value.reg.id() == x86::rcx.id()) {
    const x86::Gp elsewhere = values_.temporary();
    a_.mov(elsewhere, value.reg);
    values_.release(value);
    value = {elsewhere, true};
    if (elsewhere.id() == x86::rax.id() || elsewhere.id() == x86::rcx.id()) values_.fail();
  }
  const Miss miss = translate(step.operands[0], site);
  const bool is_big = mode_.data_order == Endian::big;
  const auto to = x86::ptr(x86::rax, 0, size);
  const x86::Gp sized = size == 1   ? value.reg.r8()
                        : size == 2 ? value.reg.r16()
                        : size == 4 ? value.reg.r32()
                                    : value.reg;
  if (is_big && size > 1)
    a_.movbe(to, sized);
  else
    a_.mov(to, sized);
  values_.release(x86::rax);
  values_.release(value);
  return miss;
}

}  // namespace hardclock
