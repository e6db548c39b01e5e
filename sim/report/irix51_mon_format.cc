// mon.out of IRIX 5.1's libprof, big-endian, as seen in a file that it wrote:
//   u32 0x0f0e0001, u32 low pc (_eprol), u32 high pc (_etext), u32 bytes of counters, u32 0;
//   u16 counters to the end of the file, one for 4 bytes of text (profil's scale 0x8000).
// The tick rate is not recorded. The prof of IRIX 5.3 does not read it.
#include <fmt/format.h>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "IRIX 5.1 mon.out";
constexpr std::uint32_t magic_number = 0x0f0e0001;
constexpr std::size_t header_bytes = 20;
constexpr Layout file_layout{.byte_order = Endian::big, .address_bits = 32};

Recognition recognize(std::span<const std::uint8_t> bytes, const Target&) {
  const bool is_ours =
      bytes.size() >= 4 && load_bytes<std::uint32_t>(bytes.data(), Endian::big) == magic_number;
  return {.match = is_ours ? Match::certain : Match::no, .objection = {}};
}

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target& target) {
  if (auto why = mismatch(file_layout, target)) return Failure{*why};
  if (auto why = lacks_header(bytes.size(), header_bytes)) return Failure{*why};
  FieldReader fields(bytes, file_layout);
  const std::uint32_t magic = fields.u32();
  if (magic != magic_number) {
    return Failure{fmt::format("its magic number is 0x{:08x}, not 0x{:08x}", magic, magic_number)};
  }
  const std::uint32_t low = fields.u32();
  const std::uint32_t high = fields.u32();
  const std::uint32_t size = fields.u32();
  fields.skip(4);
  if (size != fields.left()) {
    return Failure{fmt::format("its header says {} bytes of counters and {} follow; it is damaged",
                               size, fields.left())};
  }
  auto histogram = take_histogram(fields, low, high, nullptr);
  if (!histogram) return Failure{histogram.error()};
  ProcessProfile process;
  process.histograms.push_back(std::move(histogram).value());
  return profile_of(file_layout, std::move(process));
}

Result<std::string, std::string> write(const Profile& profile) {
  if (auto why = mismatch(file_layout, {profile.byte_order, profile.address_bits})) {
    return Failure{std::string("IRIX has big-endian 32-bit ones only; write a .json file")};
  }
  const auto sum = one_range_of(profile, file_title);
  if (!sum) return Failure{sum.error()};
  const Histogram& histogram = sum->histograms.front();
  FieldWriter fields(file_layout);
  fields.u32(magic_number);
  fields.u32(histogram.low.value());
  fields.u32(histogram.high.value());
  fields.u32(2 * histogram.counts.size());
  fields.u32(0);
  fields.counters(histogram.counts);
  return fields.finish();
}

}  // namespace

Format irix51_mon_format() {
  return {.name = "irix51",
          .title = file_title,
          .suffixes = {".irix51"},
          .recognize = recognize,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
