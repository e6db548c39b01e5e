// Which counter HP-UX's ticks go to while a PA-RISC program goes through a loop of two instructions
// that made its profil() call itself. Sources: "PA-RISC 1.1 Architecture and Instruction Set
// Reference Manual", 3rd edition (1994), chapter 4: an interruption saves the instruction address
// queue, whose front is the current instruction, nullified or not; HP-UX profil(2). Words are GNU
// as's, binutils 2.40. On the processor of this test every instruction takes a cycle, nullified or
// not (sim/timing/in_order.h).
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/pa_risc/abi.h"
#include "sim/base/endian.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/systems.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t text = 0x1000, data = 0x40001000;
constexpr std::uint64_t ticks = 20;
constexpr std::uint64_t call_words = 3;

Image program(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) store_bytes(&bytes[4 * i], words[i], Endian::big);
  Image image;
  image.format = FileFormat::som;
  image.architecture = Architecture::pa_risc;
  image.flags = 0x210;
  image.entry = GuestAddr(text);
  image.segments = {{GuestAddr(text), 0x1000, {.read = true, .execute = true}, bytes},
                    {GuestAddr(data), 0x1000, {.read = true, .write = true}, {}}};
  return image;
}

Result<std::unique_ptr<Cpu>, std::string> make_cpu(const posix::Program&, const posix::Port&,
                                                   AddressSpace& memory) {
  static const CpuDescription description =
      support::invented_pa_risc(pa_risc::Level::pa1_1, 1, "issue 1 unverified: invented\n");
  return std::unique_ptr<Cpu>(pa_risc::make_cpu(description, memory, {}));
}

// The counters of the call's three instructions and of the loop's two after `ticks` ticks, one for
// each instruction, when a tick comes every `period` cycles.
std::vector<unsigned> counters(std::uint32_t branch, std::uint64_t period) {
  constexpr unsigned profil = 44, number = 22;
  SimulationOptions options;
  options.cpu_clock = Hertz(100 * period);
  options.tick_rate = Hertz(100);
  Simulation simulation(options);
  posix::Kernel kernel(
      *find_unix_system("hpux", Architecture::pa_risc),
      posix::Options{std::make_shared<host::GuestFiles>(host::GuestFiles::create({}).value()),
                     host::TimeOfDay(), make_cpu, [](const std::string&) {}, nullptr});
  const std::vector<std::uint32_t> words = {0x20200801,  // ldil L%0xc0000000,r1
                                            0xe420e008,  // be,l 4(sr7,r1),sr0,r31
                                            0x08000240,  // nop
                                            branch, 0x08000240};
  const auto started = kernel.start(
      simulation,
      posix::Program{"/loop", std::make_shared<const Image>(program(words)), {"loop"}, {}}, {});
  if (!started) {
    ADD_FAILURE() << started.error();
    return {};
  }
  Process& process = **started;
  pa_risc::Registers& registers = pa_risc::registers_of(*process.main_thread().cpu);
  registers.gpr[number] = profil;
  registers.gpr[pa_risc::arg0] = data;
  registers.gpr[pa_risc::arg1] = 2 * words.size();
  registers.gpr[pa_risc::arg2] = text;
  registers.gpr[pa_risc::arg3] = 0x8000;
  simulation.on_poll([&] { return simulation.clock().ticks() < Ticks(ticks); });
  simulation.run();
  std::vector<unsigned> counted;
  for (std::size_t i = 0; i < words.size(); ++i) {
    counted.push_back(process.memory->read<std::uint16_t>(GuestAddr(data + 2 * i)).value());
  }
  return counted;
}

constexpr std::uint32_t b = 0xe81f1ff5;    // b .
constexpr std::uint32_t b_n = 0xe81f1ff7;  // b,n .

// An odd period finds branch and slot by turns: each tick is charged once, to what it found.
TEST(QueueFront, IsTheSlotWhereTheTickFindsIt) {
  for (const std::uint32_t branch : {b, b_n}) {
    EXPECT_EQ(counters(branch, 11), (std::vector<unsigned>{0, 0, 0, ticks / 2, ticks / 2}));
  }
}

// An even one finds always the same.
TEST(QueueFront, NullifiedSlotTakesEachTickOnce) {
  for (const std::uint32_t branch : {b, b_n}) {
    const std::vector<unsigned> counted = counters(branch, 12);
    ASSERT_EQ(counted.size(), 5U);
    EXPECT_EQ(counted[call_words] + counted[call_words + 1], ticks);
    EXPECT_TRUE(counted[call_words] == 0 || counted[call_words + 1] == 0);
  }
}

}  // namespace
}  // namespace hardclock::conform
