// The user-visible registers of an IA-64 processor.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (here: SDM),
// volume 1, section 3.1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/ia64/alat.h"
#include "isa/ia64/floating_point_register.h"
#include "isa/ia64/register_stack.h"
#include "isa/ia64/rotation.h"
#include "sim/engine/instruction_layout.h"
#include "sim/state/archive.h"

namespace hardclock::ia64 {

// The user mask, in the bits of the processor status register (SDM 1, 3.1.11; SDM 2, 3.3.2).
inline constexpr std::uint64_t um_be = 1 << 1;   // data are big-endian
inline constexpr std::uint64_t um_up = 1 << 2;   // user performance monitors count
inline constexpr std::uint64_t um_ac = 1 << 3;   // an access that is not aligned faults
inline constexpr std::uint64_t um_mfl = 1 << 4;  // one of f2 to f31 has been written
inline constexpr std::uint64_t um_mfh = 1 << 5;  // one of f32 to f127 has been written
inline constexpr std::uint64_t um_bits = um_be | um_up | um_ac | um_mfl | um_mfh;

// Faults of what a program does that TrapKind has no word for: the code of the trap
// illegal_instruction.
enum class IllegalUse : std::uint32_t {
  operation,        // Illegal Operation fault
  privileged,       // Privileged Operation fault, or a register that only the kernel may touch
  reserved_field,   // Reserved Register/Field fault
  nat_consumption,  // Register NaT Consumption fault
  unsupported,      // Unsupported Data Reference fault: a 10- or 16-byte access in the other order
  disabled_ia32,    // Disabled Instruction Set Transition fault: br.ia
};

struct Registers {
  static constexpr unsigned stack_pointer = 12;  // "Itanium Software Conventions and Runtime Guide"
  // The status register as a process gets it (Linux, arch/ia64/include/asm/fpu.h, FPSR_DEFAULT):
  // nothing traps, sf0 rounds to 64 bits, sf1 has the wide range.
  static constexpr std::uint64_t first_fpsr = 0x0009'804c'0270'033f;

  RegisterStack stack;  // r0 to r127 with their NaT bits, CFM, ar.rsc, ar.bsp, ar.rnat
  // By physical number: f0, f1 and what rotates are where rotation.h says.
  std::array<fp::FpRegister, 128> fr = first_fr();
  // Bit n is what an instruction calls p<n> now: the rotation is done. p0 is always 1.
  std::uint64_t predicates = 1;
  std::array<std::uint64_t, 8> br{};

  std::array<std::uint64_t, 8> kernel{};  // ar.k0 to ar.k7
  // ar.fcr, ar.eflag, ar.cflg, ar.fsr, ar.fir, ar.fdr: of IA-32 programs, mere numbers here.
  std::array<std::uint64_t, 6> ia32{};
  std::uint64_t csd = 0, ssd = 0;
  std::uint64_t ccv = 0;
  std::uint64_t unat = 0;
  std::uint64_t fpsr = first_fpsr;
  std::uint64_t pfs = 0;
  std::uint64_t lc = 0;
  std::uint32_t ec = 0;  // 6 bits
  std::uint64_t user_mask = 0;
  Alat alat;

  // CPUID[3] and CPUID[4] (processor_id.h): what the processor is, which never changes.
  std::uint64_t processor_version = 0, processor_features = 0;

  // ISR.code of the last floating-point fault or trap.
  std::uint32_t isr_code = 0;

  // The address of the bundle, plus the slot.
  std::uint64_t pc = 0;

  // A br.ret that could not load its frame. The processor branches first, so the fault of that load
  // is the one of the instruction at the target (SDM 2, 6.6 and 6.8). Here the registers, and the
  // pc, are still those before it: a kernel that has nothing else to do with the fault executes the
  // br.ret again, which comes to the same.
  struct FaultedReturn {
    std::uint64_t pfs = 0;
    std::uint64_t target = 0;  // of a bundle

    bool operator==(const FaultedReturn&) const = default;
    static constexpr std::size_t state_members = 2;
  };
  std::optional<FaultedReturn> faulted_return;

  std::uint64_t bundle() const { return pc & ~std::uint64_t{15}; }
  std::uint64_t interrupted_pc() const { return bundle(); }
  // A kernel empties the ALAT on its way back to the program (Linux, arch/ia64/kernel/entry.S:
  // invala in ia64_leave_kernel).
  void interrupted() {
    alat.clear();
    faulted_return.reset();
  }
  // The break instruction is over; control goes on with the next slot.
  void complete_system_call() { pc = BundleLayout::after(pc, 1); }
  void set_pc(std::uint64_t to) { pc = to; }

  bool operator==(const Registers&) const = default;
  void archive(Archive& to) {
    auto& [registers, floating, bits, branches, kernel_registers, ia32_registers, cs, ss, compare,
           nats, status, previous, loops, epilog, mask, advanced, version, features, isr, at,
           refused_return] = *this;
    to.state(registers, floating, bits, branches, kernel_registers, ia32_registers, cs, ss, compare,
             nats, status, previous, loops, epilog, mask, advanced, version, features, isr, at,
             refused_return);
  }

  static constexpr std::array<fp::FpRegister, 128> first_fr() {
    std::array<fp::FpRegister, 128> fr{};
    fr[1] = fp::one;
    return fr;
  }
};

}  // namespace hardclock::ia64
