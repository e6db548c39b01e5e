// The headers of a MIPS ECOFF file. Layout: MIPS's <filehdr.h>, <aouthdr.h> and <scnhdr.h>, as in
// binutils include/coff/mips.h and ecoff.h. Internal to what reads program files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/load/file_window.h"
#include "sim/load/load_error.h"

namespace hardclock {

// Whether `bytes` begins like a MIPS ECOFF file of either byte order.
bool is_ecoff(std::span<const std::uint8_t> bytes);

struct EcoffHeader {
  Endian order = Endian::big;
  unsigned level = 1;  // of the instruction set: MIPS I, II or III
  std::uint16_t sections = 0;
  std::uint32_t symbols_offset = 0;  // of the symbolic header; 0: none
  std::uint16_t optional_bytes = 0;  // of the header that programs have besides
  std::uint16_t flags = 0;

  bool is_executable() const { return (flags & 2) != 0; }  // F_EXEC
};

// The header of a file that is_ecoff().
Result<EcoffHeader, LoadError> read_ecoff_header(FileWindow& file);

// The header that makes a file a program. Sizes are in bytes.
struct EcoffProgram {
  std::uint16_t magic = 0;
  std::uint16_t version = 0;
  std::uint32_t text_size = 0, data_size = 0, bss_size = 0;
  std::uint32_t entry = 0;
  std::uint32_t text_address = 0, data_address = 0, bss_address = 0;
};

Result<EcoffProgram, LoadError> read_ecoff_program(FileWindow& file, const EcoffHeader& header);

// The paths of the static shared libraries of System V.3 that the program is linked to
// (section .lib): their code is at addresses that the program knows.
std::vector<std::string> read_ecoff_libraries(FileWindow& file, const EcoffHeader& header);

// The sections that hold instructions, by name, as far as the header table is in the file.
struct EcoffSection {
  std::string name;
  std::uint32_t address = 0;
  std::uint32_t size = 0;         // bytes
  std::uint32_t file_offset = 0;  // of its bytes
};
std::vector<EcoffSection> read_ecoff_sections(FileWindow& file, const EcoffHeader& header);

}  // namespace hardclock
