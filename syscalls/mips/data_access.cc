// Source: Price, "MIPS IV Instruction Set", section A.7 (opcodes) and appendix A and B
// (operations).
#include "syscalls/mips/data_access.h"

#include <array>
#include <cstdint>
#include <optional>

#include "isa/mips/abi.h"
#include "syscalls/mips/abi.h"

namespace hardclock::mips_ports {
namespace {

using posix::DataAccess;

// Which bytes of the unit that is around the address.
enum class Part : std::uint8_t { whole, left, right };

struct Form {
  std::uint8_t bytes = 0;  // of the unit; 0: no access
  bool writes = false;
  Part part = Part::whole;
};

// By the opcode, bits 31 to 26.
constexpr std::array<Form, 64> forms = [] {
  std::array<Form, 64> table{};
  table[0x1a] = {8, false, Part::left};   // ldl
  table[0x1b] = {8, false, Part::right};  // ldr
  table[0x20] = {1, false};               // lb
  table[0x21] = {2, false};               // lh
  table[0x22] = {4, false, Part::left};   // lwl
  table[0x23] = {4, false};               // lw
  table[0x24] = {1, false};               // lbu
  table[0x25] = {2, false};               // lhu
  table[0x26] = {4, false, Part::right};  // lwr
  table[0x27] = {4, false};               // lwu
  table[0x28] = {1, true};                // sb
  table[0x29] = {2, true};                // sh
  table[0x2a] = {4, true, Part::left};    // swl
  table[0x2b] = {4, true};                // sw
  table[0x2c] = {8, true, Part::left};    // sdl
  table[0x2d] = {8, true, Part::right};   // sdr
  table[0x2e] = {4, true, Part::right};   // swr
  table[0x30] = {4, false};               // ll
  table[0x31] = {4, false};               // lwc1
  table[0x34] = {8, false};               // lld
  table[0x35] = {8, false};               // ldc1
  table[0x37] = {8, false};               // ld
  table[0x38] = {4, true};                // sc
  table[0x39] = {4, true};                // swc1
  table[0x3c] = {8, true};                // scd
  table[0x3d] = {8, true};                // sdc1
  table[0x3f] = {8, true};                // sd
  return table;
}();

// Of the opcode COP1X, by bits 5 to 0.
Form indexed_form(unsigned function) {
  switch (function) {
    case 0x00:  // lwxc1
      return {4, false};
    case 0x01:  // ldxc1
      return {8, false};
    case 0x08:  // swxc1
      return {4, true};
    case 0x09:  // sdxc1
      return {8, true};
    default:
      return {};
  }
}

constexpr unsigned cop1x = 0x13;

// The bytes from the address to the end of its unit, or from the unit's start to the address: which
// of the two the left part is, the byte order decides.
DataAccess part_of(const Form& form, std::uint64_t address, Endian endian) {
  const std::uint64_t offset = address % form.bytes;
  if (form.part == Part::whole) return {GuestAddr(address), form.bytes, form.writes};
  const bool is_to_the_end = (form.part == Part::left) == (endian == Endian::big);
  if (is_to_the_end) return {GuestAddr(address), form.bytes - offset, form.writes};
  return {GuestAddr(address - offset), offset + 1, form.writes};
}

std::optional<DataAccess> access_of(std::uint32_t word, const mips::Registers& registers,
                                    DataModel model, Endian endian) {
  const unsigned opcode = word >> 26, base = word >> 21 & 31, index = word >> 16 & 31;
  const bool is_indexed = opcode == cop1x;
  const Form form = is_indexed ? indexed_form(word & 63) : forms[opcode];
  if (form.bytes == 0) return std::nullopt;
  const std::int64_t immediate = static_cast<std::int16_t>(word & 0xffff);
  const std::uint64_t offset =
      is_indexed ? registers.gpr[index] : static_cast<std::uint64_t>(immediate);
  return part_of(form, to_address(model, registers.gpr[base] + offset), endian);
}

}  // namespace

posix::NextInstruction next_instruction(const Thread& thread) {
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  AddressSpace& memory = *thread.process.memory;
  const DataModel model = data_model_of(thread.process);
  const GuestAddr pc(to_address(model, registers.pc));
  const auto word = memory.read<std::uint32_t>(pc);
  if (!word) return {pc, std::nullopt};
  return {pc, access_of(*word, registers, model, memory.endian())};
}

}  // namespace hardclock::mips_ports
