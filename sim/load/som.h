// SOM executable (System Object Module: HP-UX on PA-RISC, 32 bits) -> Image. The format: HP-UX
// Reference, a.out(4); "The 32-bit PA-RISC Run-time Architecture Document", HP-UX 10.20 and 11.0;
// the numbers as in binutils include/som/aout.h and internal.h.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/result.h"
#include "sim/load/file_window.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"
#include "sim/load/load_options.h"

namespace hardclock {

// Whether `bytes` begins like a SOM file or like another HP-UX file of that family that is not a
// program for PA-RISC; load_som reports which.
bool is_som(std::span<const std::uint8_t> bytes);

// Whether `bytes` begins like a shared library for PA-RISC (SHL_MAGIC, DL_MAGIC).
bool is_som_library(std::span<const std::uint8_t> bytes);

// Loads a SOM file: EXEC_MAGIC, SHARE_MAGIC, SHMEM_MAGIC and DEMAND_MAGIC programs for PA-RISC 1.0,
// 1.1, 1.2 and 2.0. Such a program loads its shared libraries itself (Image::maps_own_linker).
//
// Every size, offset and count is checked against the file and the 32-bit address space. A load
// takes memory for text and data of the file, at most `options.memory`, and for tables of at most
// FileWindow::largest_part each. Symbols, unwind table and the dynamic loader header's list of
// libraries are optional: corrupt ones cost the names, not the program.
Result<Image, LoadError> load_som(FileWindow& file, const LoadOptions& options = {});

// The same for a shared library (SHL_MAGIC, DL_MAGIC), or a program. A library's entry is where its
// text starts.
Result<Image, LoadError> load_som_library(FileWindow& file, const LoadOptions& options = {});

}  // namespace hardclock
