// libFuzzer: two files of any bytes, a program and the dynamic linker or interpreter that it names,
// through all that exec does with them, and a few instructions. What was started lies in memory as
// its file says, and what could not be has one line that says why.
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/image.h"
#include "sim/process/simulation.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/systems.h"
#include "tests/fuzz/default_cpu.h"
#include "tests/fuzz/elf_seeds.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/fuzz/host_world.h"

namespace {

using namespace hardclock;
using namespace hardclock::fuzzing;
using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view linker_name = "/tmp/ld";

// ---- An input: a byte for the system, two for the first file's size, and the files.

constexpr std::size_t header_bytes = 3;

struct Input {
  std::uint8_t system = 0;
  Bytes program, linker;
};

Input split(Bytes bytes) {
  if (bytes.size() < header_bytes) return {};
  const std::size_t size = bytes[1] << 8 | bytes[2];
  const Bytes files = bytes.subspan(header_bytes);
  const Bytes program = files.first(std::min(size, files.size()));
  return {bytes[0], program, files.subspan(program.size())};
}

std::vector<std::uint8_t> join(std::uint8_t system, const std::vector<std::uint8_t>& program,
                               const std::vector<std::uint8_t>& linker) {
  std::vector<std::uint8_t> bytes = {system, static_cast<std::uint8_t>(program.size() >> 8),
                                     static_cast<std::uint8_t>(program.size())};
  bytes.insert(bytes.end(), program.begin(), program.end());
  bytes.insert(bytes.end(), linker.begin(), linker.end());
  return bytes;
}

// Sound files, so that mutations start behind the first checks.
std::vector<std::uint8_t> make_input(unsigned seed) {
  std::minstd_rand random(seed);
  const auto one_in = [&random](unsigned n) { return random() % n == 0; };
  const auto system = static_cast<std::uint8_t>(random() >> 8);
  ElfSeed program;
  program.order = one_in(4) ? Endian::little : Endian::big;
  program.kind = elf_kinds[random() % elf_kinds.size()];
  program.shared = one_in(2);
  if (program.shared && one_in(2)) program.base = 0;
  if (!one_in(8)) program.interpreter = linker_name;

  ElfSeed linker = program;
  if (one_in(8)) linker.order = Endian::little;
  if (one_in(8)) linker.kind = elf_kinds[random() % elf_kinds.size()];
  linker.shared = !one_in(8);
  if (!one_in(4)) linker.base = one_in(2) ? 0 : 0x0fb60000;
  if (!one_in(16)) linker.interpreter = {};
  if (!one_in(8)) return join(system, make_elf(program), make_elf(linker));
  const std::string line = "#! " + std::string(linker_name) + " -f \n";
  return join(system, {line.begin(), line.end()}, make_elf(linker));
}

// ---- Running one.

HostWorld& world() {
  static HostWorld instance;
  return instance;
}

// The same file for each input, so that the host has little to do.
class RewrittenFile {
 public:
  explicit RewrittenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0755)) {}
  void put(Bytes bytes) const {
    struct ::stat status;
    if (::fstat(descriptor_, &status) != 0 || status.st_nlink != 1) fail("a scratch file is gone");
    if (::pwrite(descriptor_, bytes.data(), bytes.size(), 0) !=
            static_cast<::ssize_t>(bytes.size()) ||
        ::ftruncate(descriptor_, static_cast<::off_t>(bytes.size())) != 0) {
      fail("cannot write a scratch file");
    }
  }

 private:
  int descriptor_;
};

struct Files {
  RewrittenFile program{world().at("tmp/p")};
  RewrittenFile linker{world().at("tmp/ld")};
  std::shared_ptr<host::GuestFiles> guest = [] {
    const host::FileSpace space = world().space();
    // Now, since all inputs share it: a descriptor that the first one opens would look left open.
    if (!space.scratch->make("")) fail("no /tmp");
    auto made = host::GuestFiles::create(space);
    if (!made) fail(made.error());
    return std::make_shared<host::GuestFiles>(*std::move(made));
  }();
};

void check_message(const std::string& message) {
  const bool is_line = !message.empty() && message.find('\n') == std::string::npos;
  if (!is_line) fail("a failure is one line, not \"" + message + "\"");
  if (message.find(world().at("")) != std::string::npos) fail("a failure names a host path");
}

// Whether the guest may read all of the segment: where it shares a page with another one, that page
// has the permissions of both.
bool is_readable(const AddressSpace& memory, const Segment& segment) {
  const GuestAddr end = segment.address + segment.memory_size;
  for (GuestAddr at = segment.address; at < end;) {
    const Region* const region = memory.region_at(at);
    if (region == nullptr) fail("a segment is not mapped");
    if (!region->permissions.read) return false;
    at = GuestAddr(region->end);
  }
  return true;
}

// Each segment's bytes are where the image says.
void check_placed(AddressSpace& memory, const Image& image) {
  for (const Segment& segment : image.segments) {
    if (!is_readable(memory, segment) || segment.bytes.empty()) continue;
    std::vector<std::uint8_t> bytes(segment.bytes.size());
    if (!memory.read_bytes(segment.address, bytes)) fail("a segment cannot be read");
    if (bytes != segment.bytes) fail("a segment is not what its file says");
  }
  const Segment* const code = find_segment(image.segments, image.entry);
  if (code == nullptr) fail("the entry lies in no segment");
}

Files& files() {
  static Files instance;
  return instance;
}

// Mostly the systems that have dynamic programs.
const posix::UnixSystem& system_of(std::uint8_t choice) {
  constexpr std::uint8_t first_other = 0xe0;
  const auto all = unix_systems(Architecture::mips);
  if (choice >= first_other) return *all[choice % all.size()];
  return *find_unix_system(choice % 2 == 0 ? "irix" : "linux", Architecture::mips);
}

void start(const posix::UnixSystem& system, const posix::Program& program) {
  SimulationOptions options;
  options.max_instructions = Instructions(100);
  options.max_cycles = Cycles(1'000'000);
  options.max_memory = std::uint64_t{4} << 20;
  options.max_processes = 2;
  // Beside guest memory: two processors with what they keep of code.
  const HeapBound bound(2 * options.max_memory + (std::size_t{64} << 20));
  Simulation simulation(options);
  posix::Kernel kernel(system, posix::Options{files().guest, host::TimeOfDay(), make_default_cpu,
                                              check_message, nullptr});
  const auto process = kernel.start(simulation, program, {});
  if (!process) return check_message(process.error());
  check_placed(*(*process)->memory, *(*process)->image);
  simulation.run();
  bound.check();
}

// ---- Mutations.

// Numbers at the edges of checks.
constexpr std::array<std::uint64_t, 16> edges = {0,
                                                 1,
                                                 2,
                                                 0xff,
                                                 0xfff,
                                                 0x1000,
                                                 0xffff,
                                                 0x10000,
                                                 0x400000,
                                                 0x7fff8000,
                                                 0x7fffffff,
                                                 0x80000000,
                                                 0xfffff000,
                                                 0xffffffff,
                                                 std::uint64_t{1} << 63,
                                                 ~std::uint64_t{0} - 0xfff};

// A number at an edge in the headers of one of the files, or that number more than what is there.
void change_header(std::span<std::uint8_t> file, std::minstd_rand& random) {
  constexpr std::size_t headers = 0x180;
  const bool is_little = file.size() > EI_DATA && file[EI_DATA] == ELFDATA2LSB;
  const Endian order = is_little ? Endian::little : Endian::big;
  const std::size_t end = std::min(file.size(), headers);
  if (end < 8) return;
  const std::uint64_t number = edges[random() % edges.size()];
  const bool adds = random() % 2 == 0;
  const auto change = [&]<class T>(T) {
    std::uint8_t* const at = &file[random() % (end / sizeof(T)) * sizeof(T)];
    const T before = adds ? load_bytes<T>(at, order) : T{0};
    store_bytes(at, static_cast<T>(before + number), order);
  };
  switch (random() % 4) {
    case 0:
      return change(std::uint16_t{});
    case 1:
      return change(std::uint64_t{});
    default:
      return change(std::uint32_t{});
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  const auto choice = random() % 16;
  if (size <= header_bytes || choice == 0) {
    const std::vector<std::uint8_t> made = make_input(seed);
    if (made.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, made.data(), made.size());
    return made.size();
  }
  constexpr auto first_of_bytes = 12;
  if (choice >= first_of_bytes) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t program = split({data, size}).program.size();
  const std::span<std::uint8_t> both(data + header_bytes, size - header_bytes);
  for (auto left = 1 + random() % 3; left > 0; --left) {
    change_header(random() % 2 == 0 ? both.first(program) : both.subspan(program), random);
  }
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input = split({data, size});
  files().program.put(input.program);
  files().linker.put(input.linker);
  world().watch_descriptors();
  static const HeapBound bound(growth_of_a_run);
  const posix::UnixSystem& system = system_of(input.system);
  auto program = posix::load_program(
      *files().guest, {host::GuestPath::parse("/", "/tmp/p").value(), "/tmp", system.script_line});
  if (program) {
    posix::add_arguments(*program, {"p", "a"});
    program->environment = {"A=b"};
    start(system, *program);
  } else {
    check_message(program.error().message);
  }
  bound.check();
  const std::string damage = world().damage();
  if (!damage.empty()) fail(damage);
  return 0;
}
