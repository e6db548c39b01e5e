#include "sim/load/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/load/elf_file.h"
#include "sim/load/formats.h"

namespace hardclock {
namespace {

struct Format {
  bool (*matches)(std::span<const std::uint8_t> bytes);
  Result<Image, LoadError> (*load)(FileWindow& file, const LoadOptions& options);
};

constexpr Format formats[] = {
    {is_elf, load_elf},
    {is_ecoff, load_ecoff},
    {is_som, load_som},
};

// The bytes that tell the format: the first ones, fewer in a small file.
std::span<const std::uint8_t> front_of(FileWindow& file) {
  constexpr std::uint64_t enough = 64;
  const auto front = file.part(0, std::min(file.size(), enough));
  return front.value_or(std::span<const std::uint8_t>());
}

LoadError unknown_format(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 4) {
    return {LoadError::Kind::not_executable,
            fmt::format("file offset 0: {} bytes are too few for a program", bytes.size())};
  }
  return {LoadError::Kind::not_executable,
          fmt::format("file offset 0: unknown magic {:02x} {:02x} {:02x} {:02x}; hardclock runs "
                      "ELF, SOM and MIPS ECOFF programs",
                      bytes[0], bytes[1], bytes[2], bytes[3])};
}

}  // namespace

Result<Image, LoadError> load_image(FileWindow& file, const LoadOptions& options) {
  const std::span<const std::uint8_t> front = front_of(file);
  for (const Format& format : formats) {
    if (format.matches(front)) return format.load(file, options);
  }
  return Failure{unknown_format(front)};
}

Result<Image, LoadError> load_image(std::span<const std::uint8_t> bytes) {
  FileWindow file(bytes);
  return load_image(file);
}

bool is_library(FileWindow& file) {
  const std::span<const std::uint8_t> front = front_of(file);
  return is_elf(front) ? is_elf_library(file) : is_som_library(front);
}

Result<Image, LoadError> load_library(FileWindow& file, const LoadOptions& options) {
  const std::span<const std::uint8_t> front = front_of(file);
  if (is_elf(front)) return load_elf_library(file, options);
  return is_som(front) ? load_som_library(file, options) : load_image(file, options);
}

Result<Image, LoadError> load_library(std::span<const std::uint8_t> bytes) {
  FileWindow file(bytes);
  return load_library(file);
}

}  // namespace hardclock
