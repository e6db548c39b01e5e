// What a system is on one architecture: how its programs make calls, where things lie in their
// memory, and what their signal handlers get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/process/process.h"
#include "syscalls/posix/layout.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/syscall_abi.h"

namespace hardclock::posix {

struct UnixSystem;

// What the words behind the environment on a program's first stack may refer to.
struct StackContext {
  const Program& program;
  const Image& image;     // the program's, where it lies in memory
  GuestAddr linker_base;  // where the dynamic linker's first segment lies; 0: none
  std::uint64_t page_bytes;
  // Puts bytes on the stack; returns their address.
  std::function<GuestAddr(std::span<const std::uint8_t>)> push;
};

// A system on one architecture, in one width of addresses.
//
// What exec puts on the stack behind the environment, in words of the program; what it maps besides
// the program and its stack; the context that a signal handler gets, and how it is taken up again.
struct Port {
  const SyscallAbi* abi = nullptr;  // never null
  Layout layout;
  // Whether a time_t is an int in a long's place (with padding behind it), and a stack_t's size an
  // int.
  bool times_are_int = false;
  bool stack_size_is_int = false;
  // Whether ss_flags lies in front of ss_size in a stack_t.
  bool stack_flags_precede_size = false;
  // The page by which programs enter the kernel, where the processor has to know it.
  std::optional<GuestAddr> gateway_page = {};
  // Where the dynamic linker looks for a library last, in this order.
  std::span<const std::string_view> library_directories = {};
  // Whether the kernel carries out some instructions for a processor that lacks them.
  bool emulates_instructions = false;
  // Whether the kernel's exact timers (UnixSystem::has_exact_timers) interrupt by themselves; if
  // not, they are looked at with each clock tick.
  bool timers_interrupt = false;
  // Whether the kernel makes accesses that are not aligned, on processors that do not, if a thread
  // has not asked for something else.
  bool makes_unaligned_accesses = false;
  std::string_view machine = {};  // as uname(2) has it; "": the system names it elsewhere

  // Null: nothing.
  std::vector<std::uint64_t> (*auxiliary_vector)(const StackContext& context) = nullptr;
  // Null: nothing.
  Result<Ok, ExecFailure> (*map_extras)(const Port& port, AddressSpace& memory, const Image& image,
                                        int pid) = nullptr;
  // Overrides the signal that a trap raises. Nothing, or null: the common one.
  std::optional<unsigned> (*trap_signal)(const Trap& trap) = nullptr;
  // Makes of what all systems tell a handler of a trap what this one tells. Null: the same.
  void (*tell_trap)(const Trap& trap, SignalInfo& info) = nullptr;
  // Saves the thread's context on its stack and makes it start the handler. Error: the stack cannot
  // take the frame.
  Result<Ok, Fault> (*push_handler)(const UnixSystem& system, Thread& thread, unsigned signal,
                                    const SignalInfo& info, const SignalAction& action) = nullptr;
  // Gives the thread the registers and the mask of the frame that push_handler left at its stack
  // pointer, of a handler with siginfo or without. Fault: it cannot be read. Null: handlers return
  // by one of the following.
  Result<Ok, Fault> (*pop_handler)(const UnixSystem& system, Thread& thread,
                                   bool with_info) = nullptr;
  // Gives the thread the registers and the mask of a sigcontext: what sigreturn() does. False: it
  // cannot be read, or is none. Null: the system has none.
  bool (*take_up_sigcontext)(const UnixSystem& system, Thread& thread,
                             GuestAddr sigcontext) = nullptr;
  // The same of a ucontext_t of so many bytes: setcontext(). Fault: it cannot be read.
  std::size_t ucontext_bytes = 0;
  Result<Ok, Fault> (*take_up_ucontext)(const UnixSystem& system, Thread& thread,
                                        GuestAddr ucontext) = nullptr;

  // ---- A thread that stops for its tracer. Puts those registers into memory that have a place
  // there; nullopt: they do not fit. Takes them up from there when the thread goes on; it gets what
  // the first returned. Null: no register has such a place.
  std::optional<std::uint64_t> (*store_registers)(Thread& thread) = nullptr;
  void (*load_registers)(Thread& thread, std::uint64_t stored) = nullptr;
  // Whether the thread is on its way from its code into the kernel, which no single step ends.
  // Null: there is no such way.
  bool (*enters_kernel)(const Thread& thread) = nullptr;
};

}  // namespace hardclock::posix
