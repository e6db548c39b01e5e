// gmon.out of 4.2BSD and 4.3BSD on the VAX, what their gcrt0 writes for gprof(1). ucb-csrg-bsd
// lib/libc/gmon/gmon.c of 1986 (struct phdr, struct rawarc), with addresses and longs of 32 bits:
//   word low pc, word high pc, u32 n; u16 counters up to byte n of the file; {word from pc, word
//   self pc, u32 count} to the end of the file.
// The tick rate is not recorded, and there is no magic number. A libc compiled for a big-endian
// machine writes big-endian words.
#include <fmt/format.h>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/gmon_body.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "4.2/4.3BSD gmon.out";
constexpr std::size_t header_bytes = 12;

Result<Profile, Refusal> read_as(std::span<const std::uint8_t> bytes, const Layout& layout) {
  if (auto why = lacks_header(bytes.size(), header_bytes)) return Failure{Refusal{*why}};
  FieldReader fields(bytes, layout);
  const std::uint64_t low = fields.word();
  const std::uint64_t high = fields.word();
  const std::uint64_t end = fields.u32();
  auto process = read_gmon_body(fields, low, high, end, bytes.size(), layout);
  if (!process) return Failure{Refusal{process.error(), end}};
  return profile_of(layout, std::move(process).value());
}

// Of 64-bit programs no libc writes it.
std::vector<Layout> narrow_layouts(const Target& target) {
  return layouts_of({.byte_order = target.byte_order, .address_bits = 32});
}

Recognition recognize(std::span<const std::uint8_t> bytes, const Target& target) {
  if (target.address_bits.value_or(32) != 32) {
    return {.match = Match::no, .objection = "the program's addresses have more than 32 bits"};
  }
  return recognize_best(bytes, narrow_layouts(target), read_as);
}

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target& target) {
  return read_best(bytes, narrow_layouts(target), read_as);
}

Result<std::string, std::string> write(const Profile& profile) {
  if (profile.address_bits != 32) {
    return Failure{
        fmt::format("{} is written for 32-bit programs only; write a gmon.out or .json "
                    "file",
                    file_title)};
  }
  const auto sum = one_range_of(profile, file_title);
  if (!sum) return Failure{sum.error()};
  const Layout layout = layout_of(profile);
  const Histogram& histogram = sum->histograms.front();
  FieldWriter fields(layout);
  fields.word(histogram.low.value());
  fields.word(histogram.high.value());
  fields.u32(gmon_counters_end(header_bytes, histogram));
  if (auto why = write_gmon_body(fields, *sum, layout)) return Failure{*why};
  return fields.finish();
}

}  // namespace

Format bsd43_gmon_format() {
  return {.name = "bsd43",
          .title = file_title,
          .suffixes = {},
          .recognize = recognize,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
