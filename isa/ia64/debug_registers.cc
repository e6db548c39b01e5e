#include "isa/ia64/debug_registers.h"

#include "isa/ia64/abi.h"
#include "isa/ia64/application_registers.h"

namespace hardclock::ia64 {
namespace {

using debug::RegisterFile;
using debug::RegisterValue;
using Read = std::optional<RegisterValue>;
template <auto member>
using Plain = debug::MemberOfRegisters<registers_of, member>;

constexpr std::uint64_t slot_bits = 15;
constexpr unsigned ri_shift = 41;  // PSR.ri

std::uint64_t low(RegisterValue value) { return static_cast<std::uint64_t>(value); }

// ---- General registers and their NaT bits.

Read read_general(Cpu& cpu, unsigned r) {
  const RegisterStack& stack = registers_of(cpu).stack;
  return stack.is_writable(r) ? Read(stack.value(r)) : std::nullopt;
}
bool write_general(Cpu& cpu, unsigned r, RegisterValue value) {
  RegisterStack& stack = registers_of(cpu).stack;
  if (r == 0 || !stack.is_writable(r)) return false;
  stack.write_value(r, low(value));
  return true;
}
Read read_nat(Cpu& cpu, unsigned r) {
  const RegisterStack& stack = registers_of(cpu).stack;
  return stack.is_writable(r) ? Read(stack.nat(r)) : std::nullopt;
}
bool write_nat(Cpu& cpu, unsigned r, RegisterValue value) {
  RegisterStack& stack = registers_of(cpu).stack;
  if (r == 0 || !stack.is_writable(r)) return false;
  stack.write_nat(r, value != 0);
  return true;
}

// ---- Floating-point registers.

fp::FpRegister& fr(Cpu& cpu, unsigned f) {
  Registers& registers = registers_of(cpu);
  return registers.fr[physical_fr(f, registers.stack.marker().rrb_fr)];
}
Read read_fr(Cpu& cpu, unsigned f) {
  const auto [significand, sign_and_exponent] = fp::spill(fr(cpu, f));
  return RegisterValue{sign_and_exponent} << 64 | significand;
}
bool write_fr(Cpu& cpu, unsigned f, RegisterValue value) {
  if (f < 2) return false;  // the constants 0 and 1
  fr(cpu, f) = fp::fill({low(value), low(value >> 64)});
  return true;
}

// ---- Predicates.

Read read_predicate(Cpu& cpu, unsigned p) { return registers_of(cpu).predicates >> p & 1; }
bool write_predicate(Cpu& cpu, unsigned p, RegisterValue value) {
  if (p == 0) return false;
  std::uint64_t& predicates = registers_of(cpu).predicates;
  const std::uint64_t bit = std::uint64_t{1} << p;
  predicates = (low(value) & 1) != 0 ? predicates | bit : predicates & ~bit;
  return true;
}
Read read_predicates(Cpu& cpu, unsigned) {
  const Registers& registers = registers_of(cpu);
  return predicates_by_number(registers.predicates, registers.stack.marker().rrb_pr);
}
bool write_predicates(Cpu& cpu, unsigned, RegisterValue value) {
  Registers& registers = registers_of(cpu);
  registers.predicates = predicates_by_name(low(value) | 1, registers.stack.marker().rrb_pr);
  return true;
}

// ---- Where the program is.

Read read_ip(Cpu& cpu, unsigned) { return registers_of(cpu).bundle(); }
bool write_ip(Cpu& cpu, unsigned, RegisterValue value) {
  Registers& registers = registers_of(cpu);
  registers.set_pc((low(value) & ~slot_bits) | (registers.pc & slot_bits));
  return true;
}
Read read_psr(Cpu& cpu, unsigned) {
  const Registers& registers = registers_of(cpu);
  return registers.user_mask | (registers.pc & slot_bits) << ri_shift;
}
bool write_psr(Cpu& cpu, unsigned, RegisterValue value) {
  Registers& registers = registers_of(cpu);
  const std::uint64_t slot = low(value) >> ri_shift & 3;
  if (slot >= BundleLayout::slots) return false;
  registers.user_mask = low(value) & um_bits;
  registers.set_pc(registers.bundle() + slot);
  return true;
}
Read read_cfm(Cpu& cpu, unsigned) { return pack(registers_of(cpu).stack.marker()); }

// ---- Application registers of the register stack: written as by a program.

template <std::uint64_t (RegisterStack::*member)() const>
Read read_stack(Cpu& cpu, unsigned) {
  return (registers_of(cpu).stack.*member)();
}
template <StackResult (RegisterStack::*member)(std::uint64_t)>
bool write_stack(Cpu& cpu, unsigned, RegisterValue value) {
  return (registers_of(cpu).stack.*member)(low(value)) == StackResult::done;
}

constexpr RegisterFile files[] = {
    {.first = r0, .count = 128, .name = "r", .read = read_general, .write = write_general},
    {.first = f0, .count = 128, .bits = 82, .name = "f", .read = read_fr, .write = write_fr},
    {.first = p0,
     .count = 64,
     .bits = 1,
     .name = "p",
     .read = read_predicate,
     .write = write_predicate},
    Plain<&Registers::br>::file({.first = b0, .count = 8, .name = "b"}),
    {.first = number_of_pr, .name = "pr", .read = read_predicates, .write = write_predicates},
    {.first = number_of_ip, .name = "ip", .read = read_ip, .write = write_ip},
    {.first = number_of_psr, .name = "psr", .read = read_psr, .write = write_psr},
    {.first = number_of_cfm, .bits = 38, .name = "cfm", .read = read_cfm},
    Plain<&Registers::kernel>::file({.first = ar0, .count = 8, .name = "kr"}),
    {.first = ar0 + ar_rsc,
     .name = "rsc",
     .read = read_stack<&RegisterStack::rsc>,
     .write = write_stack<&RegisterStack::write_rsc>},
    {.first = ar0 + ar_bsp, .name = "bsp", .read = read_stack<&RegisterStack::bsp>},
    {.first = ar0 + ar_bspstore,
     .name = "bspstore",
     .read = read_stack<&RegisterStack::bspstore>,
     .write = write_stack<&RegisterStack::write_bspstore>},
    {.first = ar0 + ar_rnat,
     .name = "rnat",
     .read = read_stack<&RegisterStack::rnat>,
     .write = write_stack<&RegisterStack::write_rnat>},
    Plain<&Registers::ia32>::file({.first = ar0 + ar_fcr, .name = "fcr"}),
    Plain<&Registers::ia32>::file({.first = ar0 + ar_eflag, .name = "eflag", .first_index = 1}),
    Plain<&Registers::csd>::file({.first = ar0 + ar_csd, .name = "csd"}),
    Plain<&Registers::ssd>::file({.first = ar0 + ar_ssd, .name = "ssd"}),
    Plain<&Registers::ia32>::file({.first = ar0 + ar_cflg, .name = "cflg", .first_index = 2}),
    Plain<&Registers::ia32>::file({.first = ar0 + ar_fsr, .name = "fsr", .first_index = 3}),
    Plain<&Registers::ia32>::file({.first = ar0 + ar_fir, .name = "fir", .first_index = 4}),
    Plain<&Registers::ia32>::file({.first = ar0 + ar_fdr, .name = "fdr", .first_index = 5}),
    Plain<&Registers::ccv>::file({.first = ar0 + ar_ccv, .name = "ccv"}),
    Plain<&Registers::unat>::file({.first = ar0 + ar_unat, .name = "unat"}),
    Plain<&Registers::fpsr>::file({.first = ar0 + ar_fpsr, .name = "fpsr"}),
    Plain<&Registers::pfs>::file({.first = ar0 + ar_pfs, .name = "pfs"}),
    Plain<&Registers::lc>::file({.first = ar0 + ar_lc, .name = "lc"}),
    Plain<&Registers::ec>::file({.first = ar0 + ar_ec, .bits = 6, .name = "ec"}),
    {.first = nat0, .count = 128, .bits = 1, .name = "nat", .read = read_nat, .write = write_nat},
};

}  // namespace

const debug::RegisterSet& debug_registers() {
  static constexpr debug::RegisterSet registers{files, number_of_ip};
  return registers;
}

}  // namespace hardclock::ia64
