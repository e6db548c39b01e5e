// decodegen INPUT.decode INCLUDE_PATH OUTPUT.h OUTPUT.cc: writes the decoder and disassembler that
// INPUT.decode describes; OUTPUT.cc includes the header as "INCLUDE_PATH". Runs in the build, from
// decode.bzl. Exit status: 0, or 1 after one line an error on stderr.
#include "sim/codegen/generator_main.h"
#include "sim/decode/checker.h"
#include "sim/decode/emitter.h"

namespace hardclock::decodegen {
namespace {

Result<codegen::Output, Diagnostics> generate(const codegen::Input& input) {
  const Result<Description, Diagnostics> description = parse(input.text);
  if (!description) return Failure{description.error()};
  const Result<Isa, Diagnostics> isa = check(*description);
  if (!isa) return Failure{isa.error()};
  return codegen::Output{emit_header(*isa, input.file),
                         emit_source(*isa, input.file, input.header_path)};
}

}  // namespace
}  // namespace hardclock::decodegen

int main(int argc, char** argv) {
  return hardclock::codegen::generator_main("decodegen", "decode", hardclock::decodegen::generate,
                                            argc, argv);
}
