// Everything that `hardclock report` and `hardclock run --profile` write: the formats of profiles
// (profile.h) and those of viewers.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/terminal.h"
#include "sim/report/by_line.h"
#include "sim/report/call_graph.h"
#include "sim/report/flat.h"
#include "sim/report/viewers/viewers.h"

namespace hardclock::report {

// What a viewer's format may show.
struct View {
  const CallGraph& graph;
  const FlatReport& table;
  const Lines& lines;
  const Terminal& terminal;
};

struct OutputFormat {
  std::string_view name;  // for the user to type: "callgrind"
  // Ends of file names that ask for it, ".csv", or whole names, "mon.out".
  std::vector<std::string_view> suffixes;
  // Null: a format of profiles, write_profile_as(), or one that is streamed.
  Written (*write)(const View& view) = nullptr;
  // Of what may be large. Null: it is written at once.
  void (*stream)(const View& view, std::ostream& out) = nullptr;
  // It shows who called whom.
  bool shows_calls = false;
  // It shows source lines.
  bool shows_lines = false;
  // It shows instructions, CallGraph::points.
  bool shows_points = false;

  // It names functions, so the program must be known.
  bool shows_functions() const { return write != nullptr || stream != nullptr; }
};

// In the order of the help.
std::span<const OutputFormat> output_formats();

// The format of that name, or the error: one line that lists the names.
Result<const OutputFormat*, std::string> output_format_called(std::string_view name);

// The format that the last part of `file_name` asks for, by the longest of the suffixes; or the
// error, one line that lists them.
Result<const OutputFormat*, std::string> output_format_for(std::string_view file_name);

// What is written: flat()'s arguments.
struct ProfileSource {
  const Profile& sampled;
  const SymbolTable& symbols;
  const Profile* exact = nullptr;
  const Identity& program;
  const Objects& objects;
  const Lines* lines = nullptr;  // null: none are known
  Terminal terminal = {};        // that shows it
};

// Writes the file's bytes. The error is one line: what the format cannot hold; then nothing is
// written. Formats of profiles get `sampled`.
Result<Ok, std::string> write_as(const OutputFormat& format, const ProfileSource& source,
                                 std::ostream& out);
Written write_as(const OutputFormat& format, const ProfileSource& source);

}  // namespace hardclock::report
