// The registers of an instruction set as a debugger names them: by number, in the order that GDB's
// remote protocol has for the processor. Each isa/*/debug_registers.h has its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/debug/register_value.h"
#include "sim/engine/cpu.h"

namespace hardclock::debug {

// One register, or several of a kind with numbers that follow each other.
struct RegisterFile {
  unsigned first = 0;  // number
  unsigned count = 1;
  unsigned bits = 64;          // of each, 1 to 128
  std::string_view name = {};  // of one; of several, what comes before the index: "f"
  // Both take the index, from `first_index` on. nullopt: there is no such register now. What the
  // processor keeps above the register's bits, as the sign of a word, is read, too.
  std::optional<RegisterValue> (*read)(Cpu& cpu, unsigned index) = nullptr;
  // False: it cannot be written. Null: none of them can.
  bool (*write)(Cpu& cpu, unsigned index, RegisterValue value) = nullptr;
  unsigned first_index = 0;
  std::string (*name_of)(unsigned index) = nullptr;  // of registers that `name` does not name
};

struct RegisterSet {
  // Numbers without a file are of registers that are not simulated, as those that only the kernel
  // sees.
  std::span<const RegisterFile> files;
  unsigned pc = 0;  // number of the program counter

  // Numbers are below it.
  unsigned count() const;
  // nullopt: the register is not simulated, or not there. `cpu` is one of the instruction set.
  std::optional<RegisterValue> read(Cpu& cpu, unsigned number) const;
  // False: likewise, or it cannot be written.
  bool write(Cpu& cpu, unsigned number, RegisterValue value) const;
  // As disassembly or the processor's manual spells it, "t0"; empty if it is not simulated.
  std::string name(unsigned number) const;
  unsigned bits(unsigned number) const;  // 0 if it is not simulated

 private:
  const RegisterFile* file_of(unsigned number) const;
};

// The registers that are in a member of what `registers_of` returns: a number, or an array of
// numbers, whose elements have the indices.
template <auto registers_of, auto member>
struct MemberOfRegisters {
  static auto& at(Cpu& cpu, unsigned index) {
    auto& place = registers_of(cpu).*member;
    if constexpr (requires { place[index]; }) {
      return place[index];
    } else {
      return place;
    }
  }
  static std::optional<RegisterValue> read(Cpu& cpu, unsigned index) { return at(cpu, index); }
  static bool write(Cpu& cpu, unsigned index, RegisterValue value) {
    auto& place = at(cpu, index);
    place = static_cast<std::remove_reference_t<decltype(place)>>(value);
    return true;
  }
  // The same file, with these.
  static constexpr RegisterFile file(RegisterFile file) {
    file.read = read;
    file.write = write;
    return file;
  }
};

}  // namespace hardclock::debug
