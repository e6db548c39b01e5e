// System calls of IA-64 programs.
//
// Under Linux: `break 0x100000` with the number in r15 and up to six arguments in the outputs of
// the current frame, from r32 + sol on. The result is in r8, a second one in r9; r10 is -1 if r8 is
// an error's number, else 0 (Linux, arch/ia64/kernel/ivt.S, break_fault and ia64_syscall_setup;
// arch/ia64/kernel/entry.S, ia64_ret_from_syscall).
//
// Under HP-UX, 32 and 64 bits: a break in the first bundle of the gateway page, where the vector of
// ar.k7 leads by br.call with b6. The number is in r8, up to eight arguments are in the frame from
// r32 on. The result is in r8, a second one in r9; p14 says that r8 is an error's number, p15 that
// it is not. A 64-bit number is in one register in either model, and of others the upper halves
// mean nothing in 32 bits (HP's simulator Ski, src/hpux; libunwind, src/ia64).
#pragma once

#include "sim/base/units.h"
#include "sim/memory/page.h"
#include "syscalls/posix/syscall_abi.h"

namespace hardclock::ia64_ports {

extern const posix::SyscallAbi linux_64;

// The memory stack of a Linux program grows down from here, and 2 GiB below begins its register
// stack, which grows up (Linux, arch/ia64/include/asm/ustack.h; asm/processor.h, INIT_THREAD), with
// pages of 16 KiB.
inline constexpr GuestAddr linux_stack_top{0x60000fffffffc000};
inline constexpr GuestAddr linux_register_stack{linux_stack_top.value() - 0x80000000};

extern const posix::SyscallAbi hpux_32, hpux_64;

// The pages of HP-UX's kernel: the gateway, and behind it the vector, of the address to call for
// each of 1024 calls. No public source has the places of HP's kernel: these are Ski's.
inline constexpr GuestAddr hpux_gateway{0xe000000000000000};
inline constexpr GuestAddr hpux_vector = hpux_gateway + page_size;
inline constexpr std::uint64_t hpux_vector_entries = 1024;

// Where the memory stack of an HP-UX program ends, and below it the register stack begins: the
// place of the first in 64 bits is Ski's, those in 32 bits are as in the processes that HP shows in
// its handbook for 11i v3 (sp 0x200000007ffff3d0 with bsp 0x200000007efff348).
inline constexpr GuestAddr hpux_stack_top_32{0x2000000080000000},
    hpux_stack_top_64{0xa000000000000000};
inline constexpr std::uint64_t hpux_stack_distance = 0x1001000;

// What HP-UX has behind the environment, and r35 points to at a program's start: the load
// information, at a multiple of so many bytes.
inline constexpr std::uint64_t hpux_load_info_alignment = 8;

// What a function pointer points to, in programs of both widths.
struct Descriptor {
  std::uint64_t entry, global_pointer;
};
Result<Descriptor, Fault> read_descriptor(AddressSpace& memory, GuestAddr at);

}  // namespace hardclock::ia64_ports
