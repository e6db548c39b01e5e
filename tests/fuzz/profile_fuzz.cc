// libFuzzer: any bytes as a profile of any format; what can be read is written in every format, and
// what a format took can be read back. It is also shown in those of viewers.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "sim/report/profile.h"
#include "sim/report/viewers/output_formats.h"
#include "tests/fuzz/heap_bound.h"
#include "tests/unit/report/golden.h"

namespace {

using namespace hardclock;

constexpr std::string_view formats[] = {"hardclock", "gnu", "bsd44", "bsd43", "sysv", "v7"};

void write_everywhere(const report::Profile& profile) {
  for (const std::string_view format : formats) {
    const auto written = report::write_profile_as(profile, format);
    if (!written) continue;
    const std::span<const std::uint8_t> bytes(
        reinterpret_cast<const std::uint8_t*>(written->data()), written->size());
    const report::Target target{profile.byte_order, profile.address_bits};
    const auto again = report::read_profile(bytes, target, format);
    if (again) continue;
    std::fprintf(stderr, "%.*s cannot read what it wrote: %s\n", static_cast<int>(format.size()),
                 format.data(), again.error().c_str());
    std::abort();
  }
}

// The files of viewers: whatever a profile has, they are written or refused.
void show_everywhere(const report::Profile& profile) {
  for (const report::OutputFormat& format : report::output_formats()) {
    if (!format.shows_functions()) continue;
    static_cast<void>(report::write_as(format, {profile, {}, &profile, {}, {}}));
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Mutations start from sound files: the first byte names the format, the rest is the file.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  const auto& files = report::golden_files();
  if (seed % 16 < files.size()) {
    const std::string_view hex = files[seed % 16].hex;
    for (std::size_t i = 0; i < hex.size() / 2 && i + 1 < max_size; ++i) {
      data[i + 1] = static_cast<std::uint8_t>(
          std::strtoul(std::string(hex.substr(2 * i, 2)).c_str(), nullptr, 16));
      size = i + 2;
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view format = formats[data[0] % std::size(formats)];
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  static const fuzzing::HeapBound bound(fuzzing::growth_of_a_run);
  const auto guessed = report::read_profile(bytes);
  if (guessed) {
    write_everywhere(*guessed);
    show_everywhere(*guessed);
  }
  const auto named = report::read_profile(bytes, {}, format);
  if (named) write_everywhere(*named);
  bound.check();
  return 0;
}
