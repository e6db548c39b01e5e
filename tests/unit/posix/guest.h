// Small programs of system calls, assembled word by word, and a machine that runs one under any of
// the systems. What a program leaves in its memory can be read after its end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/process/simulation.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"
#include "tests/support/mips_tools.h"

namespace hardclock::posix::testing {

// Where a program lies: low enough for a PDP-11's 64 KiB. A page of code, one of data; the heap
// begins behind them.
inline constexpr std::uint32_t text_base = 0x1000;
inline constexpr std::uint32_t data_base = 0x4000;
inline constexpr std::uint32_t heap_base = data_base + page_size;
// The calls' results take the first part of the data; the test's own words follow.
inline constexpr std::uint32_t own_data = data_base + 0x800;

struct Label {
  std::size_t index;
};

// What a call is passed: a number, the address of code, or what a word of memory holds then.
struct Argument {
  enum class Kind : std::uint8_t { number, code, word };
  Argument(std::uint32_t constant) : value(constant) {}
  Argument(Label label) : kind(Kind::code), value(static_cast<std::uint32_t>(label.index)) {}
  Argument(Kind of, std::uint32_t address) : kind(of), value(address) {}
  Kind kind = Kind::number;
  std::uint32_t value;
};
inline Argument word_at(std::uint32_t address) {
  return {Argument::Kind::word, address};
}

class Program {
 public:
  explicit Program(const UnixSystem& system) : system_(system) {}

  // Makes a call by the name that the system's table has for it. The number of the call in the
  // program, by which its answer is asked for.
  std::size_t call(std::string_view name, std::initializer_list<Argument> arguments = {});
  // Where a call's results are: the first, the second, and whether the first is an error's number.
  static std::uint32_t result(std::size_t call) {
    return data_base + 12 * static_cast<std::uint32_t>(call);
  }
  static std::uint32_t second_result(std::size_t call) { return result(call) + 4; }
  static std::uint32_t failure(std::size_t call) { return result(call) + 8; }

  Label label();
  void place(Label label);  // here
  void jump(Label target);
  void jump_if_nonzero(std::uint32_t address, Label target);
  void jump_if_zero(std::uint32_t address, Label target);
  void store(std::uint32_t address, Argument value);
  void raw(std::uint32_t instruction) { code_.push_back(instruction); }
  // Returns to its caller: the end of a signal handler.
  void return_to_caller();
  // A word of data as the program finds it.
  void data(std::uint32_t address, Argument value) { data_.insert_or_assign(address, value); }

  const UnixSystem& system() const { return system_; }
  std::vector<std::uint32_t> code() const;
  std::vector<std::uint32_t> data() const;

 private:
  struct Fixup {
    enum class Kind : std::uint8_t { branch, upper, lower };
    Kind kind;
    std::size_t at;
    std::size_t label;
  };
  void load(unsigned reg, const Argument& value);
  void branch(std::uint32_t instruction, Label target);
  std::uint32_t address_of(std::size_t label) const;

  const UnixSystem& system_;
  std::vector<std::uint32_t> code_;
  std::map<std::uint32_t, Argument> data_;
  std::vector<std::size_t> labels_;  // word in the code
  std::vector<Fixup> fixups_;
  std::size_t calls_ = 0;
};

// For one of the systems on MIPS.
Program program_for(std::string_view os);

// A machine with the program as its first process, which finds itself at /self for exec, a file
// that it may write at /data, and an empty folder at /tmp.
class Guest {
 public:
  explicit Guest(const Program& program, SimulationOptions options = default_options());
  // Enough for any of these programs; one that runs for ever ends with it.
  static SimulationOptions default_options();

  SimulationEnd run() { return simulation.run(); }
  // Of the memory that the first process started with.
  std::uint32_t word(std::uint32_t address) const;
  std::uint32_t value(std::size_t call) const { return word(Program::result(call)); }
  std::uint32_t second_value(std::size_t call) const { return word(Program::second_result(call)); }
  // Nothing: the call succeeded.
  std::optional<Errno> error(std::size_t call) const;

  std::vector<std::string> notices;
  Simulation simulation;
  std::unique_ptr<Kernel> kernel;
  Process* first = nullptr;  // gone once the program has ended
  Owner<AddressSpace> memory;

 private:
  support::TemporaryFolder folder_;
};

}  // namespace hardclock::posix::testing
