// The loaders of each format of executable files, for load.h.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/result.h"
#include "sim/load/ecoff_file.h"
#include "sim/load/file_window.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"
#include "sim/load/load_options.h"

namespace hardclock {

// ---- ELF executable -> Image. The format: System V Application Binary Interface, edition 4.1 and
// its generic update (gABI), chapters 4 and 5; MIPS numbers: System V ABI, MIPS RISC Processor
// Supplement, 3rd edition; PA-RISC numbers: Processor-Specific ELF for PA-RISC, version 1.43 (as in
// binutils include/elf/hppa.h).

// Whether the file is a shared object that is no program: it asks for no dynamic linker, and has a
// name or libraries of its own (DT_SONAME, DT_NEEDED), or no code at its entry. A dynamic linker
// has a name, too, by which it is known.
bool is_elf_library(FileWindow& file);

// Loads an ELF file: MIPS o32, n32 and n64 of either byte order, or big-endian PA-RISC of 32 or 64
// bits; a program at a fixed address or a shared object (ET_EXEC, ET_DYN), with or without an
// interpreter.
//
// Every size, offset and count is checked against the file and the address width. Whatever the
// headers promise, a load takes memory only for the segments' bytes, at most `options.memory` and
// twice the file, and for tables of at most FileWindow::largest_part each. Symbols are optional: a
// corrupt section table or symbol table costs the symbols, not the program.
Result<Image, LoadError> load_elf(FileWindow& file, const LoadOptions& options = {});

// The same for a shared object that is not a program: its entry address means nothing.
Result<Image, LoadError> load_elf_library(FileWindow& file, const LoadOptions& options = {});

// ---- SOM executable (System Object Module: HP-UX on PA-RISC, 32 bits) -> Image. The format: HP-UX
// Reference, a.out(4); "The 32-bit PA-RISC Run-time Architecture Document", HP-UX 10.20 and 11.0;
// the numbers as in binutils include/som/aout.h and internal.h.

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

// ---- MIPS ECOFF executable -> Image: the programs of IRIX 4, Ultrix, RISC/os and NEWS-OS. The
// format: ecoff_file.h; where text and data lie in the file: <a.out.h> of these systems (N_TXTOFF,
// N_DATOFF), as in NetBSD sys/sys/exec_ecoff.h.

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
