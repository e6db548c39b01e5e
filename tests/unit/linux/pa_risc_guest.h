// Linux with a PA-RISC process whose processor runs nothing.
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
#include "tests/support/pa_risc_process.h"

namespace hardclock::gnu_linux::testing {

inline constexpr std::uint32_t text_base = 0x10000, data_base = 0x20000;

class Guest : public support::PaRiscProcess {
 public:
  // A file of the folder is the program.
  explicit Guest(const std::string& folder)
      : PaRiscProcess(pa_risc_system(), program_in(folder),
                      {"/self", std::make_shared<const Image>(image()), {"self", "x"}, {"A=b"}}) {
    CHECK(failure.empty());
  }

  // The result register after the call that a program enters the gateway page at `entry` for.
  std::uint32_t enter(std::uint64_t entry, std::uint32_t number,
                      std::initializer_list<std::uint32_t> arguments) {
    unsigned reg = pa_risc::arg0;
    for (const std::uint32_t argument : arguments) registers().gpr[reg--] = argument;
    registers().gpr[20] = number;
    registers().set_pc(entry);
    registers().gpr[pa_risc::ble_link] = return_address | 3;
    kernel->system_call(thread());
    return pa_risc::to_word(registers().gpr[pa_risc::ret0]);
  }
  std::uint32_t call(std::uint32_t number, std::initializer_list<std::uint32_t> arguments) {
    return enter(0x100, number, arguments);
  }

  void store(std::uint64_t address, std::uint32_t value) {
    CHECK(memory().write(GuestAddr(address), value).ok());
  }
  std::string text(std::uint64_t address) {
    return memory().read_string(GuestAddr(address), 100).value();
  }
  void store_text(std::uint64_t address, const std::string& value) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(value.c_str()), value.size() + 1);
    CHECK(memory().write_bytes(GuestAddr(address), bytes).ok());
  }

  static constexpr std::uint64_t return_address = text_base + 0x40;

 private:
  static host::FileSpace program_in(const std::string& folder) {
    const std::string path = folder + "/self";
    std::ofstream(path) << "seven b";
    host::FileSpace space;
    space.binds.push_back({path, "/self", false});
    return space;
  }
  static Image image() {
    Image image;
    image.architecture = Architecture::pa_risc;
    image.flags = 0x210;
    image.is_linux = true;
    image.entry = GuestAddr(text_base + 0x10);
    image.segments = {
        {GuestAddr(text_base), page_size, Permissions{.read = true, .execute = true}, {}},
        {GuestAddr(data_base), 2 * page_size, Permissions{.read = true, .write = true}, {}}};
    return image;
  }
};

}  // namespace hardclock::gnu_linux::testing
