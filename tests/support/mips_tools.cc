#include "tests/support/mips_tools.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace hardclock::support {
namespace {

std::string first_missing(const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    if (std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) != 0) return program;
  }
  return "";
}

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What the tools call an ABI.
struct AbiNames {
  const char* assembler;
  const char* big_emulation;
  const char* little_emulation;
  const char* qemu;
};
AbiNames names_of(MipsAbi abi) {
  switch (abi) {
    case MipsAbi::n32:
      return {"-n32", "elf32btsmipn32", "elf32ltsmipn32", "qemu-mipsn32"};
    case MipsAbi::n64:
      return {"-64", "elf64btsmip", "elf64ltsmip", "qemu-mips64"};
    case MipsAbi::o32:
      break;
  }
  return {"-32", "elf32btsmip", "elf32ltsmip", "qemu-mips"};
}

}  // namespace

std::string missing_assembler() {
  return first_missing({"mips-linux-gnu-as", "mips-linux-gnu-ld", "mips-linux-gnu-objcopy"});
}

std::string missing_qemu() {
  return first_missing({"qemu-mips", "qemu-mipsel", "qemu-mipsn32", "qemu-mipsn32el", "qemu-mips64",
                        "qemu-mips64el"});
}

TemporaryFolder::TemporaryFolder() {
  const char* const parent = std::getenv("TEST_TMPDIR");
  path_ = std::string(parent != nullptr ? parent : "/tmp") + "/guest-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<GuestProgram, std::string> GuestProgram::assemble(const std::string& source, Endian endian,
                                                         const std::string& march, MipsAbi abi) {
  GuestProgram program;
  program.endian_ = endian;
  program.abi_ = abi;
  program.folder_ = std::make_shared<TemporaryFolder>();
  const std::string folder = program.folder_->path();
  // FP_DOUBLE: QEMU gives the program 32-bit FPU registers in pairs (FR = 0), as its CPUs had.
  std::ofstream(folder + "/program.s")
      << ".set noreorder\n.set noat\n.gnu_attribute 4,1\n"
         ".section program,\"awx\",@progbits\n.globl _start\n_start:\n"
      << source << "\n";
  const bool big = endian == Endian::big;
  const AbiNames names = names_of(abi);
  const std::string order = big ? " -EB" : " -EL";
  const std::string command =
      "cd '" + folder + "' && { mips-linux-gnu-as" + order + " " + names.assembler +
      " -march=" + march + " -o program.o program.s && mips-linux-gnu-ld" + order + " -m " +
      (big ? names.big_emulation : names.little_emulation) +
      " --section-start=program=0x400000 --section-start=.MIPS.abiflags=0x3f0000"
      " --section-start=.reginfo=0x3f0100 -e _start -o program.elf program.o &&"
      " mips-linux-gnu-objcopy -O binary -j program program.elf program.bin; } >log 2>&1";
  const int status = std::system(command.c_str());
  program.bytes_ = read_file(folder + "/program.bin");
  if (status != 0 || program.bytes_.empty()) {
    const std::vector<std::uint8_t> log = read_file(folder + "/log");
    return Failure{std::string(log.begin(), log.end())};
  }
  return program;
}

Result<std::vector<std::uint8_t>, std::string> GuestProgram::run_in_qemu() const {
  const std::string folder = folder_->path();
  const std::string command = "cd '" + folder + "' && " + names_of(abi_).qemu +
                              (endian_ == Endian::big ? "" : "el") + " ./program.elf >output 2>log";
  const int status = std::system(command.c_str());
  if (status != 0) {
    const std::vector<std::uint8_t> log = read_file(folder + "/log");
    return Failure{"status " + std::to_string(status) + ": " + std::string(log.begin(), log.end())};
  }
  return read_file(folder + "/output");
}

}  // namespace hardclock::support
