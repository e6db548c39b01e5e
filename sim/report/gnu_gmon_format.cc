// GNU gmon.out, version 1, what glibc writes for GNU gprof. glibc gmon/gmon_out.h and gmon/gmon.c,
// binutils gprof/gmon_io.c and hist.c, with addresses of 32 or 64 bits:
//   "gmon", u32 version, 12 spare bytes; then records to the end of the file:
//   0 histogram   word low pc, word high pc, u32 n, u32 ticks a second, 15 bytes dimension,
//                 1 byte its abbreviation, n u16 counters
//   1 arc         word from pc, word self pc, u32 count
//   2 blocks      u32 n, n times {word pc, word count}: executions of basic blocks, skipped
// The version tells the byte order. Histograms of one range are added up: that is how counters of
// more than 16 bits are written, and arcs of more than 32. Other histograms must not overlap and
// must have counters of the same width.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "GNU gmon.out";
constexpr std::string_view magic_number = "gmon";
constexpr std::uint32_t version_number = 1;
constexpr std::size_t spare_bytes = 12;
constexpr std::size_t header_bytes = 20;
constexpr std::size_t dimension_bytes = 15;
constexpr std::string_view dimension_name = "seconds";
constexpr std::uint64_t most32 = 0xffff'ffff;
constexpr std::uint64_t most_records = 1000;  // of one arc, which has counts of 32 bits

enum class Tag : std::uint8_t { histogram = 0, arc = 1, blocks = 2 };

// What gprof refuses in the histograms of one file, as a line: gprof/hist.c, hist_read_rec() and
// read_histogram_header(), which compares the widths in units of 2 bytes up to a millionth.
std::optional<std::string> disagreement(const std::vector<Histogram>& histograms) {
  constexpr double equal_within = 0.000001;
  constexpr std::uint64_t unit = 2;
  const auto width = [](const Histogram& histogram) {
    const std::uint64_t units = (histogram.high - histogram.low) / unit;
    return static_cast<double>(units) / static_cast<double>(histogram.counts.size());
  };
  std::map<GuestAddr, const Histogram*> by_low;
  for (const Histogram& each : histograms) {
    if (std::fabs(width(each) - width(histograms.front())) > equal_within) {
      return fmt::format("the counters from 0x{:x} and from 0x{:x} differ in width",
                         histograms.front().low.value(), each.low.value());
    }
    by_low.emplace(each.low, &each);
  }
  GuestAddr end;
  for (const auto& [low, histogram] : by_low) {
    if (low < end || by_low.size() != histograms.size()) {
      return fmt::format("the counters of 0x{:x}..0x{:x} overlap others", low.value(),
                         histogram->high.value());
    }
    end = histogram->high;
  }
  return std::nullopt;
}

// ---- reading

// Reads the records in one layout; the first thing wrong stays in error().
class Records {
 public:
  Records(std::span<const std::uint8_t> bytes, const Layout& layout)
      : size_(bytes.size()), fields_(bytes, layout), layout_(layout) {
    fields_.skip(header_bytes);
    while (ok() && fields_.left() != 0) record();
    if (!ok()) return;
    if (auto why = disagreement(process_.histograms)) error_ = *why + "; the file is damaged";
  }

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  std::uint64_t understood() const { return size_ - fields_.left(); }  // bytes

  Profile take() {
    Profile profile = profile_of(layout_, std::move(process_));
    profile.tick_rate = Hertz(rate_.value_or(0));
    return profile;
  }

 private:
  // Whether there are `size` more bytes.
  bool has(std::uint64_t size) {
    if (ok() && fields_.left() < size) {
      error_ = fmt::format("it ends at byte {} within a record; it is truncated", size_);
    }
    return ok();
  }

  void record() {
    const std::uint64_t at = understood();
    switch (const std::uint8_t tag = fields_.u8(); Tag{tag}) {
      case Tag::histogram:
        return histogram(at);
      case Tag::arc:
        return arc();
      case Tag::blocks:
        return blocks();
      default:
        error_ = fmt::format("it has a record of unknown kind {} at byte {}; the file is damaged",
                             tag, at);
    }
  }

  void histogram(std::uint64_t at) {
    if (!has(2 * layout_.address_bytes() + 2 * sizeof(std::uint32_t) + dimension_bytes + 1)) return;
    const std::uint64_t low = fields_.word();
    const std::uint64_t high = fields_.word();
    const std::uint64_t n = fields_.u32();
    const std::uint32_t rate = fields_.u32();
    const auto dimension = fields_.take(dimension_bytes);
    fields_.skip(1);
    if (!std::ranges::equal(dimension_name, dimension.first(dimension_name.size()))) {
      error_ = fmt::format("its histogram at byte {} does not count {}", at, dimension_name);
    } else if (rate_.value_or(rate) != rate) {
      error_ = fmt::format("its histograms are of {} and of {} ticks a second", *rate_, rate);
    }
    rate_ = rate;
    constexpr std::uint64_t counter_bytes = 2;
    if (!has(n * counter_bytes)) return;
    FieldReader counters(fields_.take(n * counter_bytes), layout_);
    auto more = take_histogram(counters, low, high, monstartup_scale);
    if (!more) {
      error_ = fmt::format("in its histogram at byte {}: {}", at, more.error());
    } else {
      add(std::move(more).value());
    }
  }

  void add(Histogram more) {
    const auto [known, is_new] =
        index_.emplace(std::pair(more.low, more.high), process_.histograms.size());
    if (is_new) {
      process_.histograms.push_back(std::move(more));
      return;
    }
    std::vector<std::uint64_t>& counts = process_.histograms[known->second].counts;
    if (counts.size() != more.counts.size()) {
      error_ = fmt::format("the counters from 0x{:x} differ in width; the file is damaged",
                           more.low.value());
      return;
    }
    std::ranges::transform(counts, more.counts, counts.begin(), std::plus<>());
  }

  void arc() {
    if (!has(2 * layout_.address_bytes() + sizeof(std::uint32_t))) return;
    Arc& arc = process_.arcs.emplace_back();
    arc.from = GuestAddr(fields_.word());
    arc.self = GuestAddr(fields_.word());
    arc.count = fields_.u32();
  }

  void blocks() {
    if (!has(sizeof(std::uint32_t))) return;
    const std::uint64_t bytes = fields_.u32() * 2 * std::uint64_t{layout_.address_bytes()};
    if (has(bytes)) fields_.skip(bytes);
  }

  std::uint64_t size_;
  FieldReader fields_;
  Layout layout_;
  std::optional<std::uint32_t> rate_;  // of the records so far
  ProcessProfile process_;
  std::map<std::pair<GuestAddr, GuestAddr>, std::size_t> index_;  // of histograms by range
  std::string error_;
};

bool has_magic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= magic_number.size() &&
         std::ranges::equal(magic_number, bytes.first(magic_number.size()));
}

Recognition recognize(std::span<const std::uint8_t> bytes, const Target&) {
  return {.match = has_magic(bytes) ? Match::certain : Match::no, .objection = {}};
}

Result<Endian, std::string> byte_order_of(std::span<const std::uint8_t> bytes) {
  if (!has_magic(bytes)) return Failure{fmt::format("it does not begin with '{}'", magic_number)};
  if (auto why = lacks_header(bytes.size(), header_bytes)) return Failure{*why};
  for (const Endian order : {Endian::big, Endian::little}) {
    if (load_bytes<std::uint32_t>(&bytes[magic_number.size()], order) == version_number)
      return order;
  }
  return Failure{
      fmt::format("its version is not {}, which is all that this hardclock reads", version_number)};
}

// The addresses have the size in which all records can be read.
Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target& target) {
  const auto order = byte_order_of(bytes);
  if (!order) return Failure{order.error()};
  const Layout any_size{.byte_order = *order, .address_bits = target.address_bits.value_or(32)};
  if (auto why = mismatch(any_size, target)) return Failure{*why};
  std::optional<Records> best;
  for (const Layout& layout : layouts_of({*order, target.address_bits})) {
    Records records(bytes, layout);
    if (records.ok()) return records.take();
    if (!best || records.understood() > best->understood()) best = std::move(records);
  }
  CHECK(best.has_value());
  for (const Layout& other : layouts_of({*order, {}})) {
    const auto why = mismatch(other, target);
    if (why && Records(bytes, other).ok()) return Failure{*why};
  }
  return Failure{best->error()};
}

// ---- writing

// Records of the same range, no counter of which exceeds 16 bits and which add up to `histogram`.
std::vector<std::vector<std::uint64_t>> split(const Histogram& histogram) {
  std::vector<std::vector<std::uint64_t>> records;
  std::vector<std::uint64_t> rest = histogram.counts;
  do {
    std::vector<std::uint64_t>& record = records.emplace_back(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      record[i] = std::min(rest[i], most_ticks);
      rest[i] -= record[i];
    }
  } while (std::ranges::any_of(rest, [](std::uint64_t count) { return count != 0; }));
  return records;
}

std::optional<std::string> misfit(const Profile& profile, const ProcessProfile& sum,
                                  const std::vector<Arc>& arcs) {
  constexpr std::uint64_t most_counters = std::uint64_t{1} << 28;  // 512 MiB of file
  constexpr std::string_view instead = "; write a .json file";
  if (profile.tick_rate.value() > most32) {
    return fmt::format("{} ticks a second do not fit into 32 bits{}", profile.tick_rate.value(),
                       instead);
  }
  if (auto why = disagreement(sum.histograms)) {
    return fmt::format("{}, which {} cannot hold{}", *why, file_title, instead);
  }
  std::uint64_t counters = 0;
  for (const Histogram& each : sum.histograms) {
    const std::uint64_t most = *std::ranges::max_element(each.counts);
    const std::uint64_t records = std::max<std::uint64_t>(1, most / most_ticks + 1);
    if (records > (most_counters - counters) / each.counts.size()) {
      return fmt::format("{} ticks in a counter of {} fill more than {} counters of 16 bits{}",
                         most, each.counts.size(), most_counters, instead);
    }
    counters += records * each.counts.size();
  }
  return too_many_calls(arcs, most32 * most_records);
}

// gprof adds up the records of an arc.
void write_arc(FieldWriter& fields, const Arc& arc) {
  std::uint64_t rest = arc.count;
  do {
    const std::uint64_t count = std::min(rest, most32);
    fields.u8(static_cast<std::uint8_t>(Tag::arc));
    fields.word(arc.from.value());
    fields.word(arc.self.value());
    fields.u32(count);
    rest -= count;
  } while (rest != 0);
}

void write_histogram(FieldWriter& fields, const Histogram& histogram, Hertz rate) {
  for (const std::vector<std::uint64_t>& record : split(histogram)) {
    fields.u8(static_cast<std::uint8_t>(Tag::histogram));
    fields.word(histogram.low.value());
    fields.word(histogram.high.value());
    fields.u32(record.size());
    fields.u32(rate.value());
    std::string dimension(dimension_name);
    dimension.resize(dimension_bytes);
    fields.text(dimension);
    fields.u8('s');
    fields.counters(record);
  }
}

Result<std::string, std::string> write(const Profile& profile) {
  // A page: gprof searches its histograms one by one, so gaps within a program are no reason for
  // another.
  constexpr std::uint64_t widest_gap = 4096;
  const auto sum = counters_of(profile, file_title, widest_gap);
  if (!sum) return Failure{sum.error()};
  const std::vector<Arc> arcs = arcs_of(*sum);
  if (auto why = misfit(profile, *sum, arcs)) return Failure{*why};

  FieldWriter fields(layout_of(profile));
  fields.text(magic_number);
  fields.u32(version_number);
  fields.text(std::string(spare_bytes, '\0'));
  for (const Histogram& each : sum->histograms) write_histogram(fields, each, profile.tick_rate);
  for (const Arc& arc : arcs) write_arc(fields, arc);
  return fields.finish();
}

}  // namespace

Format gnu_gmon_format() {
  return {.name = "gnu",
          .title = file_title,
          .suffixes = {".gmon", "gmon.out"},
          .has_tick_rate = true,
          .recognize = recognize,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
