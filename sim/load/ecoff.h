// MIPS ECOFF executable -> Image: the programs of IRIX 4, Ultrix, RISC/os and NEWS-OS. The format:
// ecoff_file.h; where text and data lie in the file: <a.out.h> of these systems (N_TXTOFF,
// N_DATOFF), as in NetBSD sys/sys/exec_ecoff.h.
#pragma once

#include "sim/base/result.h"
#include "sim/load/ecoff_file.h"
#include "sim/load/file_window.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"
#include "sim/load/load_options.h"

namespace hardclock {

// Loads an OMAGIC, NMAGIC or ZMAGIC program of either byte order for MIPS I, II or III. A program
// that needs static shared libraries is refused by their names. Image::flags has the level of the
// instruction set where e_flags of ELF has it.
//
// Every size, offset and address is checked against the file and the 32-bit address space. A load
// takes memory for text and data of the file, at most `options.memory`, and for tables of at most
// FileWindow::largest_part each. Symbols are optional: corrupt ones cost the names, not the
// program.
Result<Image, LoadError> load_ecoff(FileWindow& file, const LoadOptions& options = {});

}  // namespace hardclock
