// What the guest backend knows of a processor: the machine code of its own program, and where a
// system call's number, arguments and answer are. One for each instruction set and word size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/process/process.h"
#include "syscalls/conform/variant.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::conform {

// Whole pages.
struct Pages {
  GuestAddr start;
  std::uint64_t size = 0;  // bytes; 0: none
};

// What a program's file says of the programs that there are for the processor.
struct ProgramKind {
  FileFormat format = FileFormat::elf;
  Architecture architecture{};
  std::uint32_t flags = 0;        // e_flags of ELF, the system id of SOM
  std::uint16_t elf_machine = 0;  // e_machine, of ELF alone; so is
  std::uint8_t os_abi = 0;        // EI_OSABI
};

// What a call answered: a value, or the number of an error.
struct Reply {
  bool failed = false;
  std::uint64_t value = 0;
};

struct GuestCode {
  ProgramKind kind;
  unsigned address_bits = 32;  // 32 or 64
  const posix::SyscallAbi* abi = nullptr;

  // ---- Instructions, as words in big-endian order, which run at any address that is a multiple of
  // `alignment`.
  std::uint64_t alignment = 4;
  // Makes the system call that is ready in the registers, and goes on behind itself.
  std::span<const std::uint32_t> call;
  // Whether the kernel has answered the call and left the thread in the system's own pages, whose
  // code goes back to the program. Null: the kernel itself goes back behind `call`.
  bool (*is_on_way_back)(Cpu& cpu) = nullptr;
  // Runs for ever. From its second instruction on a clock interrupt finds it at its start, as
  // Cpu::interrupted_pc() has that.
  std::span<const std::uint32_t> loop;
  // What the system maps into every program, without which it cannot make a call.
  Pages kernel_pages = {};

  // ---- Calls. Makes one ready: `slots` are the arguments, each of a slot's width or less. The
  // stack pointer is set; what the registers do not hold is stored around it. Fault: it is not.
  Result<Ok, Fault> (*prepare_call)(Cpu& cpu, AddressSpace& memory, unsigned number,
                                    std::span<const std::uint64_t> slots) = nullptr;
  Reply (*reply)(Cpu& cpu) = nullptr;
  // The context that lwp_create() takes: of a thread that goes on where this one is.
  std::vector<std::uint8_t> (*context)(Thread& thread) = nullptr;

  std::uint64_t call_bytes() const { return call.size_bytes(); }
  std::uint64_t loop_bytes() const { return loop.size_bytes(); }
  // The loop as it lies in memory, behind the call or alone.
  std::vector<std::uint8_t> loop_in_memory(bool behind_call) const;
};

// guest_code_mips.cc
extern const GuestCode mips_code_32, mips_code_64;
// guest_code_pa_risc.cc: HP-UX programs, for PA-RISC 1.1 and in 64 bits for 2.0
extern const GuestCode pa_risc_code_32, pa_risc_code_64;

// guest_code_ia64.cc: HP-UX programs of both widths
extern const GuestCode ia64_code_32, ia64_code_64;

// What the system's cases run on: MIPS where the system has a port to it, whatever it ran on; else,
// for HP-UX's, IA-64 or PA-RISC, as the cases say.
const GuestCode& guest_code_of(const Variant& variant);
// The system's port for that code; null: it has none.
const posix::Port* port_of(const posix::UnixSystem& system, const GuestCode& code);

}  // namespace hardclock::conform
