// The GNU assembler and QEMU as peers: turns MIPS assembly into code bytes, and runs the same
// program under qemu-mips or qemu-mipsel. The tools are Debian's binutils-mips-linux-gnu and
// qemu-user; a test skips itself with missing_tools() when they are not there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/base/units.h"

namespace hardclock::support {

// Programs are linked to this address; their only section holds code and data and is writable.
inline constexpr GuestAddr code_base{0x40'0000};

enum class MipsAbi : std::uint8_t { o32, n32, n64 };

// The tools that are not in PATH, for a skip message; empty if none is missing.
std::string missing_assembler();
std::string missing_qemu();

// A folder of its own that disappears with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// An assembled and linked program.
class GuestProgram {
 public:
  // `source` is the .text section, without reordering and without $at. It starts at code_base,
  // which is also the entry. `march` is an -march argument. Error: the tools' output.
  static Result<GuestProgram, std::string> assemble(const std::string& source, Endian endian,
                                                    const std::string& march = "mips2",
                                                    MipsAbi abi = MipsAbi::o32);

  // The memory from code_base on.
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  Endian endian() const { return endian_; }

  // The program's standard output under QEMU. Error: it failed, or its status is not 0.
  Result<std::vector<std::uint8_t>, std::string> run_in_qemu() const;

 private:
  std::shared_ptr<TemporaryFolder> folder_;
  std::vector<std::uint8_t> bytes_;
  Endian endian_ = Endian::big;
  MipsAbi abi_ = MipsAbi::o32;
};

}  // namespace hardclock::support
