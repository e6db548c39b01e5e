// libFuzzer: any bytes as a program of system calls, run under any of the systems. It ends in one
// of the ways that a run may end, reads and changes nothing on the host but what it may see, and
// leaves no host descriptor open.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "sim/process/simulation.h"
#include "syscalls/posix/kernel.h"
#include "tests/fuzz/call_program.h"
#include "tests/fuzz/default_cpu.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/fuzz/host_world.h"
#include "tests/unit/load/elf_builder.h"

namespace {

using namespace hardclock;
using namespace hardclock::fuzzing;

constexpr std::size_t longest_trace = 1 << 20;  // bytes

SimulationOptions limits() {
  SimulationOptions options;
  options.cpu_clock = Hertz(1'000'000);  // a time slice is short
  options.max_instructions = Instructions(4'000);
  options.max_cycles = Cycles(20'000'000);  // two thousand ticks of sleep
  options.max_memory = std::uint64_t{16} << 20;
  options.max_processes = 8;
  options.max_threads = 16;
  return options;
}

// As in any run (host::open_standard_streams()) no write ends the process; the limit only saves the
// disk. libFuzzer has set its own handlers before the first input.
void limit_files() {
  constexpr ::rlim_t largest_file = 64 << 20;
  const ::rlimit limit{largest_file, largest_file};
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) fail("cannot limit the size of files");
}

// The world is made once; what a guest may write is put back for each input.
HostWorld& world() {
  static std::unique_ptr<HostWorld> instance;
  if (instance == nullptr) {
    limit_files();
    instance = std::make_unique<HostWorld>();
  }
  return *instance;
}

// What exec can start: a program that soon traps, and a script.
void add_programs() {
  static const auto program = hardclock::testing::tiny_program().build().bytes;
  put_program(world().at("work/x"),
              {reinterpret_cast<const char*>(program.data()), program.size()});
  put_program(world().at("work/s"), "#!x -a\n");
}

const std::vector<std::string>& more_names() {
  static const std::vector<std::string> names = {"x", "s", world().secret_path(),
                                                 world().at("work/f"), world().at("outside")};
  return names;
}

host::StandardStreams open_streams(host::GuestFiles& files, bool wanted) {
  host::StandardStreams streams;
  if (!wanted) return streams;
  const auto input = host::GuestPath::parse("/", "/b/f");
  const auto output = host::GuestPath::parse("/", "/b/output");
  auto in = files.open(*input, {.read = true});
  auto out = files.open(*output, {.write = true, .create = true});
  if (in) streams[0] = *std::move(in);
  if (out) streams[1] = *std::move(out);
  return streams;
}

bool holds_secret(AddressSpace& memory) {
  for (std::uint64_t page = results_base; page < data_end; page += page_size) {
    std::string bytes(page_size, '\0');
    const auto read = memory.read_bytes(
        GuestAddr(page), std::span(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()));
    if (read && bytes.find(HostWorld::secret) != std::string::npos) return true;
  }
  return false;
}

void run(const CallProgram& program) {
  auto files = host::GuestFiles::create(world().space());
  if (!files) fail(files.error());
  const auto shared_files = std::make_shared<host::GuestFiles>(*std::move(files));
  Simulation simulation(limits());
  std::ostringstream trace;
  if ((program.options & with_strace) != 0) simulation.observers.strace = &trace;
  const auto notice = [](const std::string& line) {
    if (line.empty() || line.find('\n') != std::string::npos) fail("a notice is one line");
  };
  posix::Kernel kernel(*program.variant.system, posix::Options{shared_files, host::TimeOfDay(),
                                                               make_default_cpu, notice, nullptr});
  const auto process =
      kernel.start(simulation, posix::Program{"/x", program.image, {"x", "argument"}, {"A=b"}},
                   open_streams(*shared_files, (program.options & with_streams) != 0));
  if (!process) fail("the program does not start: " + process.error());
  const Owner<AddressSpace> memory = (*process)->memory;
  if (simulation.run().kind == SimulationEnd::Kind::interrupted) fail("nobody interrupts a run");
  if (holds_secret(*memory)) fail("the guest has read " + world().secret_path());
  if (trace.tellp() > std::streamoff{longest_trace}) fail("a trace of these calls is short");
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Every other input is made of chance alone, for bytes mean something wherever they are.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::minstd_rand random(seed);
  const std::size_t calls = 1 + random() % most_calls;
  const std::size_t words = random() % 128;
  const std::size_t made = std::min(max_size, header_bytes + calls * call_bytes + 2 * words);
  for (std::size_t i = 0; i < made; ++i) data[i] = static_cast<std::uint8_t>(random() >> 8);
  if (made >= header_bytes) data[header_bytes - 1] = static_cast<std::uint8_t>(calls - 1);
  return made;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  world().restore();
  add_programs();
  world().watch_descriptors();
  static const HeapBound bound(growth_of_a_run);
  run(read_program({data, size}, more_names()));
  bound.check();
  const std::string damage = world().damage();
  if (!damage.empty()) fail(damage);
  return 0;
}
