// The table by source line, beside flat.h's by function.
#pragma once

#include <map>
#include <string>

#include "sim/load/line_table.h"
#include "sim/report/flat.h"

namespace hardclock::report {

// The line tables of files, by the paths of Objects; the program's has the path "".
using Lines = std::map<std::string, LineTable, std::less<>>;

// Null: that file has no lines.
const LineTable* find_lines(const Lines& lines, std::string_view object);

// What flat() does, by line: rows "hot.c:12", in a shared object "qsort.c:30 (libc.so.1)". Code
// without lines has a row for each function, "memcpy (libc.so.1), no line". A counter whose
// addresses belong to several lines is divided among them by overlap.
FlatReport by_line(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                   Identity program, const Objects& objects, const Lines& lines);

}  // namespace hardclock::report
