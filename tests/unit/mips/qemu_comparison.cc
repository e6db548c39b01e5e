#include "tests/unit/mips/qemu_comparison.h"

#include <random>

#include "sim/recording/trap.h"
#include "tests/support/mips_machine.h"

namespace hardclock::mips {
namespace {

using support::GuestProgram;
using support::MipsAbi;
using support::MipsMachine;
using Bytes = std::vector<std::uint8_t>;

// Linux system call numbers (arch/mips/include/uapi/asm/unistd.h), and where a signal's ucontext
// has the pc: in o32 (64 bits wide there), n32 and n64 (struct sigcontext,
// arch/mips/include/uapi/asm/ sigcontext.h, behind the head of struct ucontext).
struct LinuxAbi {
  std::uint64_t exit, write, rt_sigaction;
  unsigned context_pc;
};
LinuxAbi linux_abi(MipsAbi abi) {
  switch (abi) {
    case MipsAbi::n32:
      return {6058, 6001, 6013, 600};
    case MipsAbi::n64:
      return {5058, 5001, 5013, 616};
    case MipsAbi::o32:
      break;
  }
  return {4001, 4004, 4194, 32};
}

// Linux signal numbers (arch/mips/include/uapi/asm/signal.h) and what raises them
// (arch/mips/kernel/traps.c).
std::uint32_t signal_of(const Trap& trap) {
  constexpr std::uint32_t sigill = 4, sigtrap = 5, sigfpe = 8, sigbus = 10, sigsegv = 11;
  switch (trap.kind) {
    case TrapKind::integer_overflow:
    case TrapKind::floating_point:
      return sigfpe;
    case TrapKind::breakpoint:
    case TrapKind::conditional_trap:
      return sigtrap;
    case TrapKind::memory:
      return trap.fault.kind == Fault::Kind::misaligned ? sigbus : sigsegv;
    case TrapKind::system_call:
    case TrapKind::illegal_instruction:
      break;
  }
  return sigill;
}

constexpr GuestAddr trap_word = support::code_base + 8;

std::string header(const Target& target) {
  const unsigned low_word = target.endian == Endian::big && !target.is_wide() ? 4 : 0;
  const std::string pc = std::to_string(linux_abi(target.abi).context_pc + low_word) + "($6)";
  const std::string load = target.is_wide() ? "ld" : "lw";
  const std::string action = target.abi == MipsAbi::n64
                                 ? ".balign 8\naction: .word 8, 0\n .dword handler, 0, 0\n"
                                 : "action: .word 8, handler, 0, 0, 0, 0\n";  // SA_SIGINFO
  return " b main\n nop\n"
         "trapped: .word 0\n"
         "handler: " +
         load + " $8," + pc + "\n addiu $8,$8,4\n " + target.store() + " $8," + pc +
         "\n"
         " lui $9,%hi(trapped)\n sw $4,%lo(trapped)($9)\n jr $31\n nop\n" +
         action + "main:\n";
}

// What the program writes here: the test plays Linux.
Bytes run_here(const Target& target, const GuestProgram& program) {
  const LinuxAbi calls = linux_abi(target.abi);
  MipsMachine machine(target.endian, support::mips_cpu(target.cpu), {.mode = target.mode()});
  machine.load(support::code_base, program.bytes());
  Bytes output;
  for (int stops = 0; stops < 1'000'000; ++stops) {
    const Stop stop = machine.run(MipsMachine::far, Instructions(10'000'000));
    Registers& registers = machine.registers();
    if (stop.reason != StopReason::trap) break;
    if (stop.trap.kind != TrapKind::system_call) {
      EXPECT_TRUE(machine.memory.write(trap_word, signal_of(stop.trap)));
      registers.set_pc(registers.epc() + 4);
      continue;
    }
    if (registers.gpr[2] == calls.exit) return output;
    if (registers.gpr[2] == calls.write) {
      Bytes bytes(registers.gpr[6]);
      EXPECT_TRUE(machine.memory.read_bytes(GuestAddr(registers.gpr[5]), bytes));
      output.insert(output.end(), bytes.begin(), bytes.end());
    }
    registers.gpr[2] = registers.gpr[6];
    registers.gpr[7] = 0;
    machine.cpu->complete_system_call();
  }
  ADD_FAILURE() << "the program does not end; pc " << std::hex << machine.registers().pc;
  return output;
}

template <class Number>
std::vector<OperandPair> pairs_of(const std::vector<Number>& corners, std::uint32_t seed) {
  std::vector<OperandPair> pairs;
  for (const Number a : corners) {
    for (const Number b : corners) pairs.push_back({a, b});
  }
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i) {
    const auto a = static_cast<Number>(random()), b = static_cast<Number>(random());
    const auto near = static_cast<Number>(a + b % 3 - 1);
    pairs.push_back({a, i % 4 == 0 ? a : i % 4 == 1 ? near : b});
  }
  return pairs;
}

}  // namespace

Mode Target::mode() const {
  Mode mode;
  if (is_wide()) mode = {.operation_bits = 64, .address_bits = 32, .fr = true};
  if (abi == MipsAbi::n64) mode.address_bits = 64;
  return mode;
}

std::string missing_tools() {
  std::string missing = support::missing_assembler();
  if (missing.empty()) missing = support::missing_qemu();
  return missing.empty()
             ? ""
             : missing + " is not installed (Debian: binutils-mips-linux-gnu, qemu-user)";
}

std::string catch_signals(const Target& target) {
  std::string text;
  for (const int signal : {4, 5, 8, 10, 11}) {
    text += " li $4," + std::to_string(signal) +
            "\n lui $5,%hi(action)\n addiu $5,$5,%lo(action)\n move $6,$0\n li $7,16\n li $2," +
            std::to_string(linux_abi(target.abi).rt_sigaction) + "\n syscall\n";
  }
  return text;
}

std::string write_call(const Target& target, const std::string& label, std::size_t size) {
  std::ostringstream out;
  out << " li $4,1\n lui $5,%hi(" << label << ")\n addiu $5,$5,%lo(" << label << ")\n lui $6,"
      << (size >> 16) << "\n ori $6,$6," << (size & 0xffff) << "\n li $2,"
      << linux_abi(target.abi).write << "\n syscall\n";
  return out.str();
}

std::string exit_call(const Target& target) {
  return " li $4,0\n li $2," + std::to_string(linux_abi(target.abi).exit) + "\n syscall\n";
}

std::string load_immediate(unsigned r, std::uint32_t value) {
  std::ostringstream out;
  out << " lui $" << r << "," << (value >> 16) << "\n ori $" << r << ",$" << r << ","
      << (value & 0xffff) << "\n";
  return out.str();
}

std::string load_doubleword(unsigned r, std::uint64_t value) {
  std::ostringstream out;
  out << load_immediate(r, static_cast<std::uint32_t>(value >> 32));
  for (const unsigned shift : {16, 0}) {
    out << " dsll $" << r << ",$" << r << ",16\n ori $" << r << ",$" << r << ","
        << (value >> shift & 0xffff) << "\n";
  }
  return out.str();
}

void Cases::add(const std::string& name, const std::string& code) {
  const unsigned bytes = target_.register_bytes();
  const std::string store = target_.store();
  text_ << code;
  for (unsigned i = 0; i < 4; ++i) {
    text_ << " " << store << " $" << 10 + i << "," << bytes * i << "($28)\n";
  }
  text_ << " lw $14,8($27)\n " << store << " $14," << bytes * 4
        << "($28)\n sw $0,8($27)\n addiu $28,$28," << record() << "\n";
  names_.push_back(name);
}

std::string Cases::program() const {
  const std::size_t size = names_.size() * record();
  return catch_signals(target_) +
         " lui $28,%hi(output)\n addiu $28,$28,%lo(output)\n lui $27,0x40\n" + text_.str() +
         write_call(target_, "output", size) + exit_call(target_) +
         " .balign 8\ndata: .space 64\noutput: .space " + std::to_string(size) + "\n";
}

void compare_with_qemu(const Target& target, const std::string& source, std::size_t record,
                       const std::vector<std::string>& cases) {
  const auto program =
      GuestProgram::assemble(header(target) + source, target.endian, target.march, target.abi);
  ASSERT_TRUE(program.ok()) << program.error().substr(0, 2000);
  const auto expected = program->run_in_qemu();
  ASSERT_TRUE(expected.ok()) << expected.error();
  ASSERT_EQ(expected->size(), record * cases.size());
  const Bytes actual = run_here(target, *program);
  ASSERT_EQ(actual.size(), expected->size());
  std::size_t reported = 0;
  for (std::size_t i = 0; i < actual.size() && reported < 20; i += 4) {
    const std::uint32_t ours = load_bytes<std::uint32_t>(&actual[i], target.endian);
    const std::uint32_t theirs = load_bytes<std::uint32_t>(&(*expected)[i], target.endian);
    if (ours == theirs) continue;
    ++reported;
    const std::size_t rest = record - 4 - i % record;
    ADD_FAILURE() << cases[i / record] << ", byte " << i % record << std::hex << ": hardclock 0x"
                  << ours << ", QEMU 0x" << theirs;
    i += rest;
  }
}

std::vector<std::uint32_t> corner_words() {
  return {0,           1,           2,           31,          32,
          0x7fff,      0x8000,      0xffff,      0x7fff'ffff, 0x8000'0000,
          0x8000'0001, 0xffff'ffff, 0xffff'fffe, 0xffff'8000, 0x0001'0000};
}

std::vector<OperandPair> operand_pairs(std::uint32_t seed) {
  return pairs_of(corner_words(), seed);
}

std::vector<std::uint64_t> corner_doublewords() {
  return {0,
          1,
          33,
          0x7fff,
          0x7fff'ffff,
          0x8000'0000,
          0xffff'ffff,
          0xffff'ffff'8000'0000,
          0x7fff'ffff'ffff'ffff,
          0x8000'0000'0000'0000,
          0x8000'0000'0000'0001,
          0xffff'ffff'ffff'ffff,
          0x0123'4567'89ab'cdef};
}

std::vector<OperandPair> wide_operand_pairs(std::uint32_t seed) {
  return pairs_of(corner_doublewords(), seed);
}

std::string describe_case(const std::string& name, std::uint64_t a, std::uint64_t b) {
  std::ostringstream out;
  out << name << std::hex << " 0x" << a << " 0x" << b;
  return out.str();
}

}  // namespace hardclock::mips
