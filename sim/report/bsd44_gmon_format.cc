// gmon.out of 4.4BSD and its descendants, what their monstartup() and mcleanup() write for
// gprof(1). ucb-csrg-bsd sys/sys/gmon.h (struct gmonhdr, struct rawarc) and lib/libc/gmon/gmon.c,
// with addresses and longs of 32 or 64 bits:
//   word low pc, word high pc, u32 n, u32 version, u32 ticks a second, 3 spare u32; u16 counters up
//   to byte n of the file; {word from pc, word self pc, word count} to the end of the file.
// The version, 0x00051879, tells the byte order and, by its place, the size of an address.
#include <fmt/format.h>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/gmon_body.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "4.4BSD gmon.out";
constexpr std::uint32_t version_number = 0x0005'1879;
constexpr std::size_t spare_bytes = 12;
constexpr std::uint64_t most_rate = 0xffff'ffff;

std::size_t header_bytes(const Layout& layout) {
  return 2 * layout.address_bytes() + 3 * sizeof(std::uint32_t) + spare_bytes;
}

// The layout of that target in which the version stands where it belongs.
std::optional<Layout> find_layout(std::span<const std::uint8_t> bytes, const Target& target) {
  for (const Layout& layout : layouts_of(target)) {
    const std::size_t at = 2 * layout.address_bytes() + sizeof(std::uint32_t);
    if (bytes.size() < at + sizeof version_number) continue;
    if (load_bytes<std::uint32_t>(&bytes[at], layout.byte_order) == version_number) return layout;
  }
  return std::nullopt;
}

Recognition recognize(std::span<const std::uint8_t> bytes, const Target&) {
  return {.match = find_layout(bytes, {}) ? Match::certain : Match::no, .objection = {}};
}

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target& target) {
  // The addresses of one layout can spell the version of another: the target's own comes first.
  auto layout = find_layout(bytes, target);
  if (!layout) layout = find_layout(bytes, {});
  if (!layout) {
    return Failure{fmt::format("there is no version 0x{:08x} in its header", version_number)};
  }
  if (auto why = mismatch(*layout, target)) return Failure{*why};
  if (auto why = lacks_header(bytes.size(), header_bytes(*layout))) return Failure{*why};
  FieldReader fields(bytes, *layout);
  const std::uint64_t low = fields.word();
  const std::uint64_t high = fields.word();
  const std::uint64_t end = fields.u32();
  fields.skip(sizeof version_number);
  const std::uint32_t rate = fields.u32();
  fields.skip(spare_bytes);
  auto process = read_gmon_body(fields, low, high, end, bytes.size(), *layout);
  if (!process) return Failure{process.error()};
  Profile profile = profile_of(*layout, std::move(process).value());
  profile.tick_rate = Hertz(rate);
  return profile;
}

Result<std::string, std::string> write(const Profile& profile) {
  const auto sum = one_range_of(profile, file_title);
  if (!sum) return Failure{sum.error()};
  if (profile.tick_rate.value() > most_rate) {
    return Failure{fmt::format("{} ticks a second do not fit into 32 bits; write a .json file",
                               profile.tick_rate.value())};
  }
  const Layout layout = layout_of(profile);
  const Histogram& histogram = sum->histograms.front();
  FieldWriter fields(layout);
  fields.word(histogram.low.value());
  fields.word(histogram.high.value());
  fields.u32(gmon_counters_end(header_bytes(layout), histogram));
  fields.u32(version_number);
  fields.u32(profile.tick_rate.value());
  fields.text(std::string(spare_bytes, '\0'));
  if (auto why = write_gmon_body(fields, *sum, layout)) return Failure{*why};
  return fields.finish();
}

}  // namespace

Format bsd44_gmon_format() {
  return {.name = "bsd44",
          .title = file_title,
          .suffixes = {},
          .has_tick_rate = true,
          .recognize = recognize,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
