#include "sim/codegen/generator_main.h"

#include <fmt/core.h>

#include <array>
#include <fstream>
#include <optional>

namespace hardclock::codegen {
namespace {

std::optional<std::string> read(std::string_view generator, const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 4096> block;
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  // A folder opens and then fails to be read.
  if (!in.is_open() || in.bad()) {
    fmt::print(stderr, "{}: cannot read {}; is the path right?\n", generator, file);
    return std::nullopt;
  }
  return text;
}

bool write(std::string_view generator, const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) fmt::print(stderr, "{}: cannot write {}; is its folder there?\n", generator, file);
  return static_cast<bool>(out);
}

}  // namespace

int generator_main(std::string_view name, std::string_view suffix, Generate generate, int argc,
                   const char* const* argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: {} INPUT.{} INCLUDE_PATH OUTPUT.h OUTPUT.cc\n", name, suffix);
    return 1;
  }
  const std::string file = argv[1];
  const std::optional<std::string> text = read(name, file);
  if (!text) return 1;
  const Result<Output, Diagnostics> output = generate({*text, file, argv[2]});
  if (!output) {
    for (const auto& [line, message] : output.error()) {
      fmt::print(stderr, "{}:{}: {}\n", file, line, message);
    }
    return 1;
  }
  const bool written = write(name, argv[3], output->header) && write(name, argv[4], output->source);
  return written ? 0 : 1;
}

}  // namespace hardclock::codegen
