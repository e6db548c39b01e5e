// hardclock disasm: a program's instructions, named as hardclock decodes them.
#include <limits>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/code_listing.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/values.h"
#include "isa/instruction_sets.h"
#include "sim/load/load.h"

namespace hardclock {
namespace {

constexpr AddressRange whole_space = {GuestAddr(0),
                                      GuestAddr(std::numeric_limits<std::uint64_t>::max())};

// `fallback` if the option is absent.
Result<GuestAddr, UsageError> address_option(const Arguments& arguments, std::string_view option,
                                             GuestAddr fallback) {
  const auto text = arguments.value(option);
  if (!text) return fallback;
  const auto address = parse_address(*text);
  if (address) return *address;
  return Failure{UsageError{"--" + std::string(option) +
                            " needs a hexadecimal address like 0x400120, not '" + printable(*text) +
                            "'"}};
}

Result<AddressRange, UsageError> address_options(const Arguments& arguments) {
  const auto start = address_option(arguments, "start", whole_space.start);
  if (!start) return Failure{start.error()};
  const auto stop = address_option(arguments, "stop", whole_space.stop);
  if (!stop) return Failure{stop.error()};
  if (*start < *stop) return AddressRange{*start, *stop};
  return Failure{UsageError{"--stop is not after --start; nothing lies between them"}};
}

UsageError unknown_function(const Image& image, const std::string& name, const std::string& path) {
  std::vector<std::string_view> names;
  for (const Symbol& symbol : image.symbols.all()) names.push_back(symbol.name);
  const std::string_view meant = closest_name(name, names);
  const std::string next = meant.empty()
                               ? "'hardclock disasm " + printable_path(path) + "' lists them all"
                               : "did you mean " + printable(meant) + "?";
  return {printable_path(path) + ": no function '" + printable(name) + "'; " + next};
}

// Where the file says that instructions are: an executable segment has headers and tables as well.
std::vector<AddressRange> code_ranges(const Image& image) {
  std::vector<AddressRange> ranges;
  for (const CodeRange& code : image.code) {
    ranges.push_back({code.start, code.start + code.size});
  }
  if (ranges.empty()) ranges.push_back(functions_range(image).value_or(whole_space));
  return ranges;
}

Result<std::vector<AddressRange>, UsageError> wanted_ranges(const Arguments& arguments,
                                                            const Image& image,
                                                            const std::string& path) {
  const bool by_address = arguments.has("start") || arguments.has("stop");
  const auto name = arguments.value("function");
  if (name && by_address) {
    return Failure{UsageError{"--function and --start or --stop exclude each other; give one"}};
  }
  if (by_address) {
    const auto range = address_options(arguments);
    if (!range) return Failure{range.error()};
    return std::vector{*range};
  }
  if (!name) return code_ranges(image);
  const Symbol* function = image.symbols.find(*name);
  if (function == nullptr) return Failure{unknown_function(image, *name, path)};
  return std::vector{range_of(image, *function)};
}

}  // namespace

int disasm_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("disasm", args);
  if (!arguments) return complain(arguments.error().message);

  const std::string& path = arguments->operands().front();
  const auto bytes = read_file(path, largest_program_file);
  if (!bytes) return complain(bytes.error().message);
  const auto image = load_image(*bytes);
  if (!image) return complain(printable_path(path) + ": " + image.error().message);
  const auto disassembler = find_disassembler(*image);
  if (disassembler == nullptr) {
    return complain(printable_path(path) + ": no program for " + instruction_set_names() +
                    "; other processors' cannot be listed");
  }
  const auto ranges = wanted_ranges(*arguments, *image, path);
  if (!ranges) return complain(ranges.error().message);

  const auto sink = answer_sink(*arguments);
  Answer listing(sink.get());
  std::uint64_t lines = 0;
  for (const AddressRange& range : *ranges) {
    lines += list_code(*image, range, *disassembler,
                       [&](std::string_view text) { return listing.write(text); });
  }
  if (lines == 0) {
    return complain(printable_path(path) +
                    ": no instructions there; see 'hardclock disasm --help'");
  }
  return listing.finish();
}

}  // namespace hardclock
