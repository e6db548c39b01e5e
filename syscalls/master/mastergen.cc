// mastergen INPUT.master INCLUDE_PATH OUTPUT.h OUTPUT.cc: writes the table of calls that
// INPUT.master describes; OUTPUT.cc includes the header as "INCLUDE_PATH". Runs in the build, from
// master.bzl. Exit status: 0, or 1 after one line an error on stderr.
#include <utility>

#include "sim/codegen/generator_main.h"
#include "syscalls/master/table.h"

namespace hardclock::mastergen {
namespace {

Result<codegen::Output, Diagnostics> generate(const codegen::Input& input) {
  const Result<Table, Diagnostics> table = parse(input.text);
  if (!table) return Failure{table.error()};
  Diagnostics errors = check(*table);
  if (!errors.empty()) return Failure{std::move(errors)};
  return codegen::Output{emit_header(*table, input.file),
                         emit_source(*table, input.file, input.header_path)};
}

}  // namespace
}  // namespace hardclock::mastergen

int main(int argc, char** argv) {
  return hardclock::codegen::generator_main("mastergen", "master", hardclock::mastergen::generate,
                                            argc, argv);
}
