// decodegen INPUT.decode INCLUDE_PATH OUTPUT.h OUTPUT.cc: writes the decoder and disassembler that
// INPUT.decode describes; OUTPUT.cc includes the header as "INCLUDE_PATH". Runs in the build, from
// decode.bzl. Exit status: 0, or 1 after one line an error on stderr.
#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <string>

#include "sim/decode/checker.h"
#include "sim/decode/emitter.h"
#include "sim/decode/parser.h"

namespace hardclock::decodegen {
namespace {

int fail(const std::string& file, const Diagnostics& errors) {
  for (const auto& [line, message] : errors) fmt::print(stderr, "{}:{}: {}\n", file, line, message);
  return 1;
}

bool write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) fmt::print(stderr, "decodegen: cannot write {}; is its folder there?\n", file);
  return static_cast<bool>(out);
}

int run(const std::string& input, const std::string& include_path, const std::string& header,
        const std::string& source) {
  std::ifstream in(input, std::ios::binary);
  if (!in) {
    fmt::print(stderr, "decodegen: cannot read {}; is the path right?\n", input);
    return 1;
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<Description, Diagnostics> description = parse(text);
  if (!description) return fail(input, description.error());
  const Result<Isa, Diagnostics> isa = check(*description);
  if (!isa) return fail(input, isa.error());
  const bool written = write(header, emit_header(*isa, input)) &&
                       write(source, emit_source(*isa, input, include_path));
  return written ? 0 : 1;
}

}  // namespace
}  // namespace hardclock::decodegen

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: decodegen INPUT.decode INCLUDE_PATH OUTPUT.h OUTPUT.cc\n");
    return 1;
  }
  return hardclock::decodegen::run(argv[1], argv[2], argv[3], argv[4]);
}
