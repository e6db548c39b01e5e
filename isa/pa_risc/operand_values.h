// The meaning of a few operand fields of pa_risc.decode that are more than their bits in order.
// Sources: GNU binutils 2.40, opcodes/hppa-dis.c (extract_16, cmpib_cond_64_names) and
// gas/config/tc-hppa.c (FMPYADD); QEMU, target/hppa/translate.c (expand_16, assemble_6,
// fmpyadd_s_reg), insns.decode.
#pragma once

#include <cstdint>

namespace hardclock::pa_risc {

// The displacement of a long load or store, or of LDO, in bytes. `displacement` is im14, im11a or
// im10a, `s` the two bits above it. In narrow mode these select a space; in wide mode they are bits
// 14 and 13 of a 16-bit displacement, inverted by the sign.
constexpr std::int64_t long_displacement(std::int64_t displacement, unsigned s, bool wide) {
  return wide ? displacement ^ (static_cast<std::int64_t>(s) << 13) : displacement;
}

// The space field of such an instruction; 0: the base register's upper two bits select.
constexpr unsigned long_space(unsigned s, bool wide) { return wide ? 0 : s; }

// Bits of the field that EXTRW and DEPW, or with clen6 and clen6v EXTRD and DEPD, move: 1 to 32, 1
// to 64.
constexpr unsigned length_32(unsigned clen) { return 32 - clen; }
constexpr unsigned length_64(unsigned clen6) { return (clen6 / 32 + 1) * 32 - clen6 % 32; }

// The half of a floating-point register that rm1_s, rm2_s, ta_s, ra_s or tm_s names, numbered like
// fr1h: FMPYADD,SGL and FMPYSUB,SGL reach the halves of registers 16 to 31 only.
constexpr unsigned upper_half(unsigned field) { return (field / 16) * 32 + 16 + field % 16; }

// CMPIB with a doubleword condition has three bits for it: the condition as c and f of other
// compares have it (cond).
constexpr unsigned cmpib_condition(unsigned c) { return (c / 4) * 8 + (c % 4 == 0 ? 4 : c % 4); }

}  // namespace hardclock::pa_risc
