// commandgen INPUT.table INCLUDE_PATH OUTPUT.h OUTPUT.cc: writes the C++ table of the commands that
// INPUT.table describes; OUTPUT.cc includes the header as "INCLUDE_PATH". Runs in the build. Exit
// status: 0, or 1 after one line an error on stderr.
#include "cli/commandgen/emitter.h"
#include "cli/commandgen/reader.h"
#include "sim/codegen/generator_main.h"

namespace hardclock::commandgen {
namespace {

Result<codegen::Output, Diagnostics> generate(const codegen::Input& input) {
  const Result<std::vector<Command>, Diagnostics> commands = read(input.text);
  if (!commands) return Failure{commands.error()};
  return codegen::Output{emit_header(input.file),
                         emit_source(*commands, input.file, input.header_path)};
}

}  // namespace
}  // namespace hardclock::commandgen

int main(int argc, char** argv) {
  return hardclock::codegen::generator_main("commandgen", "table", hardclock::commandgen::generate,
                                            argc, argv);
}
