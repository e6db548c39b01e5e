#include "syscalls/choose_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instruction_sets.h"
#include "sim/load/format_name.h"
#include "syscalls/systems.h"

namespace hardclock {
namespace {

Failure<std::string> failed(std::string message) {
  return Failure{std::move(message)};
}

std::string_view architecture_name(Architecture architecture) {
  switch (architecture) {
    case Architecture::mips:
      return "MIPS";
    case Architecture::pa_risc:
      return "PA-RISC";
    case Architecture::ia64:
      return "Itanium";
  }
  return "an unknown processor";
}

std::string kind_of(const Image& image) {
  const bool has_other_order =
      image.architecture == Architecture::ia64 && image.endian == Endian::big;
  return fmt::format("a {}-bit {}{} program for {}", image.address_bits,
                     has_other_order ? "big-endian " : "", format_name(image.format),
                     architecture_name(image.architecture));
}

// Linux runs no ECOFF files.
bool runs(std::string_view name, const Image& image) {
  if (image.format == FileFormat::ecoff && name == "linux") return false;
  const posix::UnixSystem* const system = find_unix_system(name, image.architecture);
  return system != nullptr && posix::find_port(*system, image) != nullptr;
}

// IRIX's calls count from 1000, Linux's on MIPS from 4000, 5000 or 6000, as its ABI is
// (arch/mips/include/uapi/asm/unistd.h).
bool makes_calls_of_irix(const Image& image) {
  constexpr std::uint32_t first = 1000, end = 2000, first_of_linux = 4000;
  const InstructionSet* const set = find_instruction_set(image.architecture);
  if (set == nullptr || set->call_numbers == nullptr) return false;
  const auto numbers = set->call_numbers(image).value_or(std::vector<std::uint32_t>{});
  const auto is_irix = [](std::uint32_t number) { return number >= first && number < end; };
  return std::ranges::any_of(numbers, is_irix) &&
         std::ranges::none_of(numbers, [](auto number) { return number >= first_of_linux; });
}

// GNU tools make programs for IRIX, too. One that is static has its calls in itself.
bool is_of_linux(const Image& image) {
  if (image.is_linux) return true;
  return image.is_of_gnu_tools && !image.interpreter && !makes_calls_of_irix(image);
}

// Empty: the machine has no systems.
std::string_view default_os(const Image& image) {
  if (is_of_linux(image)) return "linux";
  switch (image.architecture) {
    case Architecture::mips:
      return "irix";
    case Architecture::pa_risc:
    case Architecture::ia64:
      // HP-UX's own files say whose they are.
      return runs("hpux", image) ? "hpux" : "linux";
  }
  return {};
}

// The systems of the machine that run such files.
std::string names_for(const Image& image) {
  std::string names;
  for (const posix::UnixSystem* const system : unix_systems(image.architecture)) {
    if (!runs(system->name, image)) continue;
    names += (names.empty() ? "" : ", ") + std::string(system->name);
  }
  return names;
}

}  // namespace

std::optional<std::string> not_simulated(const Image& image) {
  if (has_unix_systems(image.architecture)) return std::nullopt;
  return fmt::format("a program for {}; there are MIPS, PA-RISC and IA-64 to run",
                     architecture_name(image.architecture));
}

Result<SystemChoice, std::string> choose_system(const Image& image,
                                                const std::optional<std::string>& os,
                                                std::string_view program) {
  if (const auto why = not_simulated(image)) return failed(fmt::format("{} is {}", program, *why));
  if (image.format == FileFormat::ecoff && image.endian == Endian::little && !os) {
    return failed(
        fmt::format("{} is a little-endian MIPS ECOFF program, as Ultrix has, and there is no "
                    "Ultrix here; to try it under another system's calls, pass --os={}",
                    program, names_for(image)));
  }
  const std::string name = os.value_or(std::string(default_os(image)));
  const posix::UnixSystem* const system = find_unix_system(name, image.architecture);
  if (system == nullptr) {
    return failed(fmt::format("no os '{}' for this program; there are: {}", name,
                              unix_system_names(image.architecture)));
  }
  if (image.is_linux && name != "linux") {
    return failed(
        fmt::format("--os={}: {} says that it is for Linux, whose system calls have "
                    "other numbers; leave --os out",
                    name, program));
  }
  if (image.format == FileFormat::som && name == "linux") {
    return failed(
        fmt::format("--os=linux: {} is a SOM file, which is HP-UX's; leave --os out", program));
  }
  if (image.format == FileFormat::ecoff && name == "linux") {
    return failed(fmt::format(
        "--os=linux: {} is an ECOFF file, which Linux does not run; leave --os out", program));
  }
  const posix::Port* const port = posix::find_port(*system, image);
  if (port == nullptr) {
    const std::string others = names_for(image);
    return failed(fmt::format("{} is {}{}, which {} does not run; {}", program, kind_of(image),
                              image.is_linux ? " that says it is for Linux" : "", system->title,
                              others.empty() ? "check the file" : "pass --os=" + others));
  }
  return SystemChoice{system, port};
}

}  // namespace hardclock
