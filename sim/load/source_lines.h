// The source lines of a program, from the debug information in its file. For reports: loading a
// program for a run does without.
#pragma once

#include <string>

#include "sim/load/file_window.h"
#include "sim/load/line_table.h"

namespace hardclock {

struct SourceLines {
  LineTable table;
  // Why the table has not all lines that the file promises, as one line without the file's name;
  // empty: it has. A file without debug information promises none.
  std::string objection = {};
};

// Reads DWARF, versions 2 to 5, or, where there is none, the .mdebug of IRIX's o32 files, of a file
// that load_image() or load_library() takes; any other has no lines. Addresses are those of the
// Image. No file but this one is read.
//
// Whatever the file promises, this takes memory for its debugging sections, decompressed at most
// 256 MiB, for a LineTable of the limits of LineTableBuilder and, while it reads, for what libdw
// makes of at most 1 GiB at a time. Time is linear in the file's size.
SourceLines read_source_lines(FileWindow& file);

}  // namespace hardclock
