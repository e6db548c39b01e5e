// mastergen INPUT.master INCLUDE_PATH OUTPUT.h OUTPUT.cc: writes the table of calls that
// INPUT.master describes; OUTPUT.cc includes the header as "INCLUDE_PATH". Runs in the build, from
// master.bzl. Exit status: 0, or 1 after one line an error on stderr.
#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <string>

#include "syscalls/master/checker.h"
#include "syscalls/master/emitter.h"
#include "syscalls/master/parser.h"

namespace hardclock::mastergen {
namespace {

int fail(const std::string& file, const Diagnostics& errors) {
  for (const auto& [line, message] : errors) fmt::print(stderr, "{}:{}: {}\n", file, line, message);
  return 1;
}

bool write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) fmt::print(stderr, "mastergen: cannot write {}; is its folder there?\n", file);
  return static_cast<bool>(out);
}

int run(const std::string& input, const std::string& include_path, const std::string& header,
        const std::string& source) {
  std::ifstream in(input, std::ios::binary);
  if (!in) {
    fmt::print(stderr, "mastergen: cannot read {}; is the path right?\n", input);
    return 1;
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<Table, Diagnostics> table = parse(text);
  if (!table) return fail(input, table.error());
  const Diagnostics errors = check(*table);
  if (!errors.empty()) return fail(input, errors);
  const bool written = write(header, emit_header(*table, input)) &&
                       write(source, emit_source(*table, input, include_path));
  return written ? 0 : 1;
}

}  // namespace
}  // namespace hardclock::mastergen

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: mastergen INPUT.master INCLUDE_PATH OUTPUT.h OUTPUT.cc\n");
    return 1;
  }
  return hardclock::mastergen::run(argv[1], argv[2], argv[3], argv[4]);
}
