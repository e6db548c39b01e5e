#include "tests/unit/pa_risc/qemu_comparison.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/memory/address_space.h"
#include "sim/recording/trap.h"
#include "tests/support/mips_tools.h"

namespace hardclock::pa_risc {
namespace {

using support::code_base;
using Bytes = std::vector<std::uint8_t>;

// Linux system call numbers (arch/parisc/kernel/syscalls/syscall.tbl), the entry of its gateway
// page, and where a signal's ucontext has the instruction queue (struct sigcontext,
// arch/parisc/include/uapi/asm/sigcontext.h, behind the head of struct ucontext).
constexpr std::uint64_t call_exit = 1, call_write = 4, call_rt_sigaction = 174;
constexpr std::uint32_t gateway_entry = 0x100;
constexpr unsigned context_psw = 28, context_front = 424, context_back = 428;

// PSW's bits, "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", figure 2-5: the
// carry out of the leftmost nibble, and V. QEMU 7.2 does not put the other carries in their places.
constexpr unsigned psw_carry_low = 15, psw_divide_step_low = 17;
constexpr std::uint32_t psw_shown = 1 << psw_carry_low | 1 << psw_divide_step_low;
std::uint32_t psw_of(const Registers& registers) {
  return (std::uint32_t{registers.carries()} >> 7 & 1) << psw_carry_low |
         std::uint32_t{registers.divide_step} << psw_divide_step_low;
}

constexpr GuestAddr trap_word = code_base + 8, psw_word = code_base + 12;

// Linux signal numbers (arch/parisc/include/uapi/asm/signal.h) and what raises them
// (arch/parisc/kernel/traps.c).
std::uint32_t signal_of(const Trap& trap) {
  constexpr std::uint32_t sigill = 4, sigtrap = 5, sigfpe = 8, sigbus = 10, sigsegv = 11;
  switch (trap.kind) {
    case TrapKind::integer_overflow:
    case TrapKind::conditional_trap:
    case TrapKind::floating_point:
      return sigfpe;
    case TrapKind::breakpoint:
      return sigtrap;
    case TrapKind::memory:
      return trap.fault.kind == Fault::Kind::misaligned ? sigbus : sigsegv;
    case TrapKind::system_call:
    case TrapKind::illegal_instruction:
      break;
  }
  return sigill;
}

std::string call(std::uint64_t number) {
  return " ble " + std::to_string(gateway_entry) + "(%sr2,%r0)\n ldi " + std::to_string(number) +
         ",%r20\n";
}

std::string header() {
  const std::string front = std::to_string(context_front) + "(%r24)",
                    back = std::to_string(context_back) + "(%r24)",
                    psw = std::to_string(context_psw) + "(%r24)";
  return " b,n main\n nop\n"
         "trapped: .word 0, 0\n"
         "handler:\n" +
         load_address(21, "trapped") + " stw %r26,0(%r21)\n ldw " + psw + ",%r20\n" +
         load_immediate(19, psw_shown) + " and %r20,%r19,%r20\n stw %r20,4(%r21)\n ldw " + back +
         ",%r21\n stw %r21," + front + "\n ldo 4(%r21),%r21\n bv %r0(%r2)\n stw %r21," + back +
         "\n"
         "action: .word handler, 16, 0, 0, 0, 0\n"  // SA_SIGINFO
         "main:\n";
}

Bytes read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// An assembled and linked program, and what it writes in QEMU.
struct Program {
  Bytes image;  // from code_base on
  Bytes output;
  std::string error;
};

Program assemble_and_run(const std::string& source) {
  const support::TemporaryFolder folder;
  const std::string& path = folder.path();
  std::ofstream(path + "/program.s") << " .level 1.1\n .section program,\"awx\",@progbits\n"
                                        " .globl _start\n_start:\n"
                                     << header() << source << "\n";
  const std::string command =
      "cd '" + path +
      "' && { hppa-linux-gnu-as -o program.o program.s && hppa-linux-gnu-ld"
      " --section-start=program=0x400000 -e _start -o program.elf program.o &&"
      " hppa-linux-gnu-objcopy -O binary -j program program.elf program.bin &&"
      " qemu-hppa ./program.elf >output; } 2>log";
  const int status = std::system(command.c_str());
  const Bytes log = read_file(path + "/log");
  Program program{read_file(path + "/program.bin"), read_file(path + "/output"), ""};
  if (status != 0) program.error = "it fails: " + std::string(log.begin(), log.end());
  return program;
}

// A processor with the program, and a gateway page at 0 as in Linux.
struct Machine {
  static constexpr Permissions all{.read = true, .write = true, .execute = true};

  Machine(const std::string& name, const Bytes& image)
      : memory(std::make_shared<MemoryBudget>(std::uint64_t{64} << 20), Endian::big,
               GuestAddr(0xc000'0000)),
        cpu(make_cpu(*find_cpu(name), memory, {.mode = {.gateway_page = GuestAddr(0)}})) {
    CHECK(memory.map(code_base, image.size(), all, "program").ok());
    CHECK(memory.initialize(code_base, image).ok());
    CHECK(memory.map(GuestAddr(0), page_size, {.execute = true}, "gateway").ok());
    Bytes gate(4);
    store_bytes(gate.data(), info(Opcode::b_gate).match, Endian::big);
    CHECK(memory.initialize(GuestAddr(gateway_entry), gate).ok());
    cpu->registers().set_pc(code_base.value());
  }

  AddressSpace memory;
  std::unique_ptr<CpuBase> cpu;
  Cycles now;
};

// What the program writes here: the test plays Linux.
Bytes run_here(const std::string& cpu, const Bytes& image) {
  constexpr Cycles far{~std::uint64_t{0} >> 1};
  Machine machine(cpu, image);
  Registers& registers = machine.cpu->registers();
  Bytes output;
  for (int stops = 0; stops < 1'000'000; ++stops) {
    const Stop stop = machine.cpu->run(machine.now, far, Instructions(10'000'000));
    if (stop.reason != StopReason::trap) break;
    if (stop.trap.kind != TrapKind::system_call) {
      if (stop.trap.kind == TrapKind::memory && stop.trap.fault.access == Access::execute) break;
      EXPECT_TRUE(machine.memory.write(trap_word, signal_of(stop.trap)));
      EXPECT_TRUE(machine.memory.write(psw_word, psw_of(registers)));
      registers.set_pc(registers.next_pc);
      continue;
    }
    const std::uint64_t number = registers.gpr[20];
    if (number == call_exit) return output;
    if (number == call_write) {
      Bytes bytes(registers.gpr[24]);
      EXPECT_TRUE(machine.memory.read_bytes(GuestAddr(registers.gpr[25]), bytes));
      output.insert(output.end(), bytes.begin(), bytes.end());
    }
    registers.gpr[28] = 0;
    machine.cpu->complete_system_call();
  }
  ADD_FAILURE() << "the program does not end; pc " << std::hex << registers.pc;
  return output;
}

std::string store_word(unsigned r, std::size_t offset) {
  return " stw %r" + std::to_string(r) + "," + std::to_string(offset) + "(%r28)\n";
}

}  // namespace

std::string missing_tools() {
  for (const std::string tool :
       {"hppa-linux-gnu-as", "hppa-linux-gnu-ld", "hppa-linux-gnu-objcopy", "qemu-hppa"}) {
    if (std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) != 0) {
      return tool + " is not installed (Debian: binutils-hppa-linux-gnu, qemu-user)";
    }
  }
  return "";
}

std::string catch_signals() {
  std::string text;
  for (const int signal : {4, 5, 8, 10, 11}) {
    text += " ldi " + std::to_string(signal) + ",%r26\n" + load_address(25, "action") +
            " ldi 0,%r24\n ldi 8,%r23\n" + call(call_rt_sigaction);
  }
  return text;
}

std::string write_call(const std::string& label, std::size_t size) {
  return " ldi 1,%r26\n" + load_address(25, label) +
         load_immediate(24, static_cast<std::uint32_t>(size)) + call(call_write);
}

std::string exit_call() {
  return " ldi 0,%r26\n" + call(call_exit);
}

std::string load_immediate(unsigned r, std::uint32_t value) {
  return load_address(r, std::to_string(value));
}

std::string load_address(unsigned r, const std::string& label) {
  const std::string target = "%r" + std::to_string(r);
  return " ldil L%" + label + "," + target + "\n ldo R%" + label + "(" + target + ")," + target +
         "\n";
}

std::string instruction_word(std::uint32_t word) {
  return " .word " + std::to_string(word) + "\n";
}

void Cases::add(const std::string& name, const std::string& code) {
  text_ << code;
  for (unsigned i = 0; i < 4; ++i) text_ << store_word(10 + i, 4 * i);
  // BREAK shows the PSW.
  text_ << " ldw 8(%r27),%r14\n"
        << store_word(14, 16) << " break 0,0\n ldw 12(%r27),%r14\n"
        << store_word(14, 20) << " mfctl %cr11,%r14\n"
        << store_word(14, 24) << " stw %r0,8(%r27)\n ldo " << record << "(%r28),%r28\n";
  names_.push_back(name);
}

std::string Cases::program() const {
  const std::size_t size = names_.size() * record;
  return catch_signals() + load_address(27, "_start") + load_address(28, "output") + text_.str() +
         write_call("output", size) + exit_call() +
         " .align 16\ndata: .space 128\noutput: .space " + std::to_string(size) + "\n";
}

void compare_with_qemu(const std::string& source, std::size_t record,
                       const std::vector<std::string>& cases, const std::string& cpu) {
  const Program program = assemble_and_run(source);
  ASSERT_EQ(program.error, "");
  ASSERT_EQ(program.output.size(), record * cases.size());
  const Bytes actual = run_here(cpu, program.image);
  ASSERT_EQ(actual.size(), program.output.size());
  std::size_t reported = 0;
  for (std::size_t i = 0; i < actual.size() && reported < 20; i += 4) {
    const auto ours = load_bytes<std::uint32_t>(&actual[i], Endian::big);
    const auto theirs = load_bytes<std::uint32_t>(&program.output[i], Endian::big);
    if (ours == theirs) continue;
    ++reported;
    ADD_FAILURE() << cases[i / record] << ", byte " << i % record << std::hex << ": hardclock 0x"
                  << ours << ", QEMU 0x" << theirs;
    i += record - 4 - i % record;
  }
}

}  // namespace hardclock::pa_risc
