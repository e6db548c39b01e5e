// The command line of a generator that codegen.bzl runs in the build:
//   NAME INPUT.SUFFIX INCLUDE_PATH OUTPUT.h OUTPUT.cc
#pragma once

#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/codegen/diagnostics.h"

namespace hardclock::codegen {

struct Input {
  std::string_view text;         // any bytes
  std::string_view file;         // its path, for the comment at the top of the outputs
  std::string_view header_path;  // as the source includes the header
};

struct Output {
  std::string header;
  std::string source;
};

// The two files, or everything that is wrong with the input.
using Generate = Result<Output, Diagnostics> (*)(const Input& input);

// main() of the generator `name`, whose inputs are called *.`suffix`. Returns the exit status: 0,
// or 1 after one line an error on stderr; errors in the input read `file:line: message`.
int generator_main(std::string_view name, std::string_view suffix, Generate generate, int argc,
                   const char* const* argv);

}  // namespace hardclock::codegen
