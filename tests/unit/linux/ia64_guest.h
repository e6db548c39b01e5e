// Linux with an IA-64 process whose processor runs nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "sim/base/check.h"
#include "syscalls/linux/linux.h"
#include "tests/support/ia64_process.h"

namespace hardclock::gnu_linux::testing {

inline constexpr std::uint64_t ia64_text = 0x4000000000000000, ia64_data = 0x6000000000010000;

// Has no memory, for operations that need none.
struct NoStore final : ia64::BackingStore {
  std::optional<std::uint64_t> load(std::uint64_t, Endian) override { return std::nullopt; }
  bool store(std::uint64_t, std::uint64_t, Endian) override { return false; }
};

class Ia64Guest : public support::Ia64Process {
 public:
  // A file of the folder is the program.
  explicit Ia64Guest(const std::string& folder)
      : Ia64Process(ia64_system(), program_in(folder),
                    {"/self", std::make_shared<const Image>(image()), {"self", "x"}, {"A=b"}}) {
    CHECK(failure.empty());
  }

  // As `alloc r8 = ar.pfs, ...` has it, with so many registers that nothing is stored.
  void alloc(unsigned sof, unsigned sol, unsigned sor = 0) {
    NoStore none;
    CHECK(stack().alloc(8, sof, sol, sor, none) == ia64::StackResult::done);
  }
  // A call from a frame with two locals, so that the first argument is in r34. The result is r8.
  std::uint64_t call(std::uint64_t number, std::initializer_list<std::uint64_t> arguments) {
    alloc(8, 2);
    unsigned r = 34;
    for (const std::uint64_t argument : arguments) stack().write(r++, argument, false);
    return enter(number);
  }
  std::uint64_t enter(std::uint64_t number) {
    stack().write(15, number, false);
    registers().set_pc(call_address);
    kernel->system_call(thread());
    return gr(8);
  }
  // Whether the last call failed; r8 is then the error's number.
  bool failed() { return gr(10) != 0; }

  void store(std::uint64_t address, std::uint64_t value) {
    CHECK(memory().write(GuestAddr(address), value).ok());
  }
  std::string text(std::uint64_t address) {
    return memory().read_string(GuestAddr(address), 100).value();
  }
  void store_text(std::uint64_t address, const std::string& value) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(value.c_str()), value.size() + 1);
    CHECK(memory().write_bytes(GuestAddr(address), bytes).ok());
  }

  // Slot 2 of a bundle: the program goes on with the next one.
  static constexpr std::uint64_t call_address = ia64_text + 0x42, return_address = ia64_text + 0x50;

 private:
  static host::FileSpace program_in(const std::string& folder) {
    const std::string path = folder + "/ia64self";
    std::ofstream(path) << "seven b";
    host::FileSpace space;
    space.binds.push_back({path, "/self", false});
    return space;
  }
  static Image image() {
    Image image;
    image.architecture = Architecture::ia64;
    image.address_bits = 64;
    image.endian = Endian::little;
    image.is_linux = true;
    image.entry = GuestAddr(ia64_text + 0x10);
    image.segments = {
        {GuestAddr(ia64_text), 0x4000, Permissions{.read = true, .execute = true}, {}},
        {GuestAddr(ia64_data), 0x5000, Permissions{.read = true, .write = true}, {}}};
    return image;
  }
};

}  // namespace hardclock::gnu_linux::testing
