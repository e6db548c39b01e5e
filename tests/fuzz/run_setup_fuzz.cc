// libFuzzer: any bytes as a program that `hardclock run` finds, chooses a system and a processor
// for, and starts; then a thousand instructions. All of it is the command's own code.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "tests/fuzz/elf_seeds.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/fuzz/host_world.h"
#include "tests/fuzz/program_damage.h"
#include "tests/unit/load/som_builder.h"

namespace {

using namespace hardclock;
using namespace hardclock::fuzzing;

constexpr std::string_view linker_path = "/lib/rld";

std::vector<std::uint8_t> sound_program(std::minstd_rand& random) {
  const auto one_in = [&random](unsigned n) { return random() % n == 0; };
  if (one_in(4)) return testing::tiny_som().bytes;
  ElfSeed seed;
  seed.order = one_in(4) ? Endian::little : Endian::big;
  seed.kind = elf_kinds[random() % elf_kinds.size()];
  seed.shared = one_in(4);
  if (one_in(2)) seed.interpreter = linker_path;
  return make_elf(seed);
}

struct Folders {
  std::string root, work;
};

// Where the guest has its root and its working directory.
const Folders& folders() {
  static const HostWorld world;
  static const Folders folders = [] {
    const std::string root = world.at("root");
    if (::mkdir((root + "/lib").c_str(), 0755) != 0) fail("no root");
    const std::vector<std::uint8_t> linker = make_elf({.shared = true, .base = 0x0fb60000});
    put_program(root + "/lib/rld", {reinterpret_cast<const char*>(linker.data()), linker.size()});
    return Folders{root, world.at("work")};
  }();
  return folders;
}

// For its lifetime; the fuzzer's own paths are relative to where it was started.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::string& path) {
    if (::chdir(path.c_str()) != 0) fail("no working directory");
  }
  ~WorkingDirectory() {
    if (::fchdir(start()) != 0) fail("no way back");
  }
  static int start() {
    static const int directory = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return directory;
  }
};

// By the input's own bytes, so that an input does the same each time.
std::string system_option(std::size_t size) {
  constexpr std::string_view names[] = {"irix", "linux", "hpux", "4.3bsd", "solaris"};
  const std::size_t choice = size % (2 * std::size(names));
  return choice < std::size(names) ? "--os=" + std::string(names[choice]) : "--timing=cycle";
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  const auto choice = random() % 16;
  if (size == 0 || choice == 0) {
    const std::vector<std::uint8_t> program = sound_program(random);
    if (program.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, program.data(), program.size());
    return program.size();
  }
  constexpr auto first_of_bytes = 12;
  if (choice >= first_of_bytes) return LLVMFuzzerMutate(data, size, max_size);
  damage_program({data, size}, random);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  WorkingDirectory::start();
  const Folders& guest = folders();
  static const HeapBound bound(growth_of_a_run);
  const WorkingDirectory here(guest.work);
  put_program("program", {reinterpret_cast<const char*>(data), size});
  run_command({"--max-instructions=1000", "--max-memory=16M", "-L", guest.root, system_option(size),
               "program"});
  bound.check();
  return 0;
}
