// ELF executable -> Image. The format: System V Application Binary Interface, edition 4.1 and its
// generic update (gABI), chapters 4 and 5; MIPS numbers: System V ABI, MIPS RISC Processor
// Supplement, 3rd edition; PA-RISC numbers: Processor-Specific ELF for PA-RISC, version 1.43 (as in
// binutils include/elf/hppa.h).
#pragma once

#include "sim/base/result.h"
#include "sim/load/file_window.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"
#include "sim/load/load_options.h"

namespace hardclock {

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

}  // namespace hardclock
