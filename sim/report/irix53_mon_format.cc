// mon.out of IRIX 5.3's libprof, which its prof reads: big-endian, several stretches of text,
// including those of shared objects. The layout was observed in files that libprof wrote and uses
// the names of its debug symbols; what prof does with a field was tried out (docs/profiles.md).
//
//   0 u32 0x0f0e0030; u8 maker 2 (libprof); u8 version 4, 0, 0; u8 format 2; 7 zeros;
//   16 u64 flags 0; u64 bytes of a counter, 2 or 4; u32 offset of the segments, u32 0; u64 how
//   many; 48 u32 offset of the strings, u32 0; u64 sampling interval in us; 64 u64 endian 0, cpu,
//   fpu, number of cpus 1, clock; u32 program's name (offset in the strings), u32 0; 112 u64 pid,
//   first process's pid, number of children; u32 offset of their pids, u32 0; 144 24 bytes without
//   meaning; u64 pid and phase of the file's name, or 0; 8 bytes. A segment, 112 bytes: u32 path,
//   u32 0; u32 name (a shared object's without folders), u32 0; u64 address; u64 size; u32 offset
//   of the counters, u32 0; u64 bytes of counters; u64 type 0; u64 scale as sprofil(2) takes it;
//   u64 checksum 0, 0, 0, a pointer; u64 active 1; u64 index.
// Then, on multiples of 16: strings, and each segment's counters.
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/histogram.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "IRIX 5.3 mon.out";
constexpr std::uint32_t magic_number = 0x0f0e0030;
constexpr std::uint32_t other_magic = 0x0f0e0031;  // prof accepts it as well
constexpr std::uint8_t libprof = 2;
constexpr std::uint8_t version_number = 4;
constexpr std::uint8_t format_number = 2;
constexpr std::size_t header_bytes = 192;
constexpr std::size_t segment_bytes = 112;
constexpr std::size_t alignment = 16;
constexpr std::uint64_t microseconds_a_second = 1'000'000;  // in a second
// A counter of b bytes covers b * one_to_one / scale bytes of text.
constexpr std::uint64_t one_to_one = 0x10000;

using Bytes = std::span<const std::uint8_t>;

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

// ---- reading

// The first thing wrong stays in error(); what is read after it is 0.
class Reader {
 public:
  explicit Reader(Bytes bytes, unsigned address_bits)
      : bytes_(bytes), layout_{.byte_order = Endian::big, .address_bits = address_bits} {}

  Profile read() {
    Profile profile = profile_of(layout_, {});
    check_kind();
    if (!ok()) return profile;
    counter_bytes_ = static_cast<unsigned>(u64(24));
    if (counter_bytes_ != 2 && counter_bytes_ != 4) {
      fail(fmt::format("its counters have {} bytes, neither 2 nor 4", u64(24)));
    }
    strings_ = u32(48);
    if (const std::uint64_t interval = u64(56); interval != 0) {
      profile.tick_rate = Hertz((microseconds_a_second + interval / 2) / interval);
    }
    ProcessProfile& process = profile.processes.front();
    process.program = string(u32(104));
    process.pid = static_cast<std::uint32_t>(u64(112));
    read_segments(process);
    take_program_path(process);
    return profile;
  }

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  void fail(std::string why) {
    if (ok()) error_ = std::move(why);
  }

  Bytes at(std::uint64_t offset, std::uint64_t size, std::string_view what) {
    if (!ok()) return {};
    if (offset <= bytes_.size() && size <= bytes_.size() - offset) {
      return bytes_.subspan(offset, size);
    }
    fail(fmt::format("its {} lie beyond the end of the file, {} bytes; it is truncated", what,
                     bytes_.size()));
    return {};
  }
  std::uint64_t u64(std::uint64_t offset) {
    const Bytes field = at(offset, 8, "fields");
    return ok() ? load_bytes<std::uint64_t>(field.data(), Endian::big) : 0;
  }
  std::uint64_t u32(std::uint64_t offset) {
    const Bytes field = at(offset, 4, "fields");
    return ok() ? load_bytes<std::uint32_t>(field.data(), Endian::big) : 0;
  }
  std::string string(std::uint64_t offset) {
    const Bytes rest = at(strings_ + offset, 0, "strings");
    if (!ok()) return {};
    const Bytes all = bytes_.subspan(static_cast<std::size_t>(rest.data() - bytes_.data()));
    const auto end = std::ranges::find(all, 0);
    if (end == all.end()) fail("a name in it does not end; it is truncated");
    return {all.begin(), end};
  }

  void check_kind() {
    if (bytes_.size() < header_bytes) {
      fail(fmt::format("{} bytes are less than a header of {}; the file is truncated",
                       bytes_.size(), header_bytes));
      return;
    }
    if (u32(0) != magic_number && u32(0) != other_magic) {
      fail(fmt::format("its magic number is 0x{:08x}, not 0x{:08x}", u32(0), magic_number));
    } else if (bytes_[4] != libprof) {
      fail(fmt::format("it was made by {}, not by libprof",
                       bytes_[4] == 1 ? "pixie" : fmt::format("tool {}", bytes_[4])));
    } else if (bytes_[8] != format_number) {
      fail(fmt::format("its format is {}, and this hardclock reads {} only", bytes_[8],
                       format_number));
    }
  }

  void read_segments(ProcessProfile& process) {
    const std::uint64_t table = u32(32);
    const std::uint64_t count = u64(40);
    if (count > bytes_.size() / segment_bytes) {
      fail(fmt::format("{} segments do not fit into a file of {} bytes; it is damaged", count,
                       bytes_.size()));
    }
    for (std::uint64_t i = 0; ok() && i < count; ++i) {
      read_segment(table + i * segment_bytes, process);
    }
    if (!ok()) return;
    std::ranges::sort(process.mappings, {}, &Mapping::start);
    const auto overlap = std::ranges::adjacent_find(
        process.mappings,
        [](const Mapping& a, const Mapping& b) { return b.start - a.start < a.size; });
    if (overlap != process.mappings.end()) {
      fail(fmt::format("the text of {} and another lie over each other", overlap->file));
    }
  }

  // Its name is without folders, its segment's path is the one by which it was started.
  static void take_program_path(ProcessProfile& process) {
    const auto own = std::ranges::find_if(process.mappings, [&](const Mapping& mapping) {
      return base_name(mapping.file) == process.program;
    });
    if (own != process.mappings.end()) process.program = own->file;
  }

  // A file's text begins with its ELF header, so a segment at its beginning is at offset 0.
  void read_segment(std::uint64_t segment, ProcessProfile& process) {
    const std::string path = string(u32(segment));
    const std::uint64_t address = u64(segment + 16);
    const std::uint64_t size = u64(segment + 24);
    const std::uint64_t bytes = u64(segment + 40);
    const std::uint64_t scale = u64(segment + 56);
    if (ok() && bytes == 0) return;
    const Bytes counters = at(u32(segment + 32), bytes, "counters");
    if (!ok()) return;
    // Twice as many counters as one to one is more than profil's scale of 16 bits and a one says.
    if (scale == 0 || scale > 2 * one_to_one) {
      return fail(fmt::format("the scale of {} is 0x{:x}", path, scale));
    }
    if (bytes % counter_bytes_ != 0) return fail("it ends within a counter; it is truncated");
    const std::uint64_t text = bytes * one_to_one / scale;
    const std::uint64_t last = layout_.last_address();
    if (text == 0 || address > last || text > last - address || size > last - address) {
      return fail(fmt::format("the text of {} leaves the addresses of {} bits", path,
                              layout_.address_bits));
    }
    FieldReader fields(counters, layout_);
    Histogram histogram{.low = GuestAddr(address),
                        .high = GuestAddr(address + text),
                        .counts = fields.counters(bytes / counter_bytes_, counter_bytes_)};
    const std::uint64_t density = counter_bytes_ == 2 ? 2 * scale : scale;
    process.histograms.push_back(with_density(std::move(histogram), density));
    if (size == 0) return;
    process.mappings.push_back(
        {.start = GuestAddr(address), .size = size, .file = path, .offset = 0});
  }

  Bytes bytes_;
  Layout layout_;
  unsigned counter_bytes_ = 0;
  std::uint64_t strings_ = 0;
  std::string error_;
};

bool has_magic(Bytes bytes) {
  if (bytes.size() < 4) return false;
  const auto magic = load_bytes<std::uint32_t>(bytes.data(), Endian::big);
  return magic == magic_number || magic == other_magic;
}

Recognition recognize(Bytes bytes, const Target&) {
  return {.match = has_magic(bytes) ? Match::certain : Match::no, .objection = {}};
}

Result<Profile, std::string> read(Bytes bytes, const Target& target) {
  const unsigned bits = target.address_bits.value_or(32);
  if (auto why = mismatch({.byte_order = Endian::big, .address_bits = bits}, target)) {
    return Failure{*why};
  }
  Reader reader(bytes, bits);
  Profile profile = reader.read();
  if (!reader.ok()) return Failure{reader.error()};
  return profile;
}

// ---- writing

// Where things lie in the file.
struct Plan {
  std::string strings;
  std::vector<std::uint64_t> paths;     // of each segment, in the strings
  std::vector<std::uint64_t> names;     // its name, there too
  std::vector<std::uint64_t> counters;  // of each segment, in the file
  std::uint64_t strings_at = 0;
};

std::uint64_t align(std::uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

Plan plan_of(const std::string& program, const std::vector<FileCounters>& segments,
             unsigned counter_bytes) {
  Plan plan;
  plan.strings = std::string(base_name(program)) + '\0';
  for (const FileCounters& each : segments) {
    const std::string& path = each.mapping.file;
    const std::size_t folders = path == program ? 0 : path.size() - base_name(path).size();
    plan.paths.push_back(plan.strings.size());
    plan.names.push_back(plan.strings.size() + folders);
    plan.strings += path + '\0';
  }
  plan.strings_at = align(header_bytes + segments.size() * segment_bytes);
  std::uint64_t end = plan.strings_at + plan.strings.size();
  for (const FileCounters& each : segments) {
    plan.counters.push_back(align(end));
    end = plan.counters.back() + each.histogram.counts.size() * counter_bytes;
  }
  return plan;
}

// The scale of sprofil(2) with which counters are as wide as these; 0: there is none.
std::uint64_t scale_of(const Histogram& histogram, unsigned counter_bytes) {
  const Spacing spacing = spacing_of(histogram);
  const Wide all = Wide{spacing.counters} * counter_bytes * one_to_one;
  const Wide scale = all / spacing.text;
  return all % spacing.text == 0 && scale <= one_to_one ? static_cast<std::uint64_t>(scale) : 0;
}

std::optional<std::string> misfit(const Profile& profile, const std::vector<FileCounters>& segments,
                                  unsigned counter_bytes) {
  constexpr std::string_view instead = "; write a .json file";
  if (profile.byte_order != Endian::big) {
    return fmt::format("IRIX is big-endian and the program is not{}", instead);
  }
  if (profile.tick_rate == Hertz() || profile.tick_rate.value() > microseconds_a_second) {
    return fmt::format(
        "its sampling interval, at {} ticks a second, is no number of microseconds{}",
        profile.tick_rate.value(), instead);
  }
  const std::uint64_t most = counter_bytes == 2 ? most_ticks : 0xffffffff;
  for (const FileCounters& each : segments) {
    const std::uint64_t highest = *std::ranges::max_element(each.histogram.counts);
    if (highest > most) {
      return fmt::format("a counter has {} ticks and the counters of {} bytes end at {}{}", highest,
                         counter_bytes, most, instead);
    }
    if (scale_of(each.histogram, counter_bytes) == 0) {
      return fmt::format("{} counters for {} bytes of text are not what a scale of sprofil gives{}",
                         each.histogram.counts.size(), each.histogram.high - each.histogram.low,
                         instead);
    }
  }
  return std::nullopt;
}

// A number of 4 bytes in the first half of 8.
void half(FieldWriter& fields, std::uint64_t value) {
  fields.u32(value);
  fields.u32(0);
}

void write_header(FieldWriter& fields, const Profile& profile, const Plan& plan,
                  std::size_t segments, unsigned counter_bytes) {
  fields.u32(magic_number);
  for (const std::uint8_t each : {libprof, version_number}) fields.u8(each);
  fields.u16(0);
  fields.u8(format_number);
  fields.text(std::string(7, '\0'));
  fields.u64(0);  // flags
  fields.u64(counter_bytes);
  half(fields, header_bytes);
  fields.u64(segments);
  half(fields, plan.strings_at);
  fields.u64((microseconds_a_second + profile.tick_rate.value() / 2) / profile.tick_rate.value());
  for (const std::uint64_t each : {0, 0, 0, 1, 0}) fields.u64(each);  // endian ... clock
  half(fields, 0);                                                    // the program's name
  const std::uint64_t pid = profile.processes.front().pid;
  fields.u64(pid);
  fields.u64(pid);
  fields.u64(0);  // children
  half(fields, header_bytes + segments * segment_bytes);
  fields.text(std::string(24, '\0'));
  for (int i = 0; i < 3; ++i) fields.u64(0);
}

void write_segment(FieldWriter& fields, const FileCounters& segment, const Plan& plan,
                   std::size_t index, unsigned counter_bytes) {
  const Histogram& histogram = segment.histogram;
  half(fields, plan.paths[index]);
  half(fields, plan.names[index]);
  fields.u64(histogram.low.value());
  fields.u64(histogram.high - histogram.low);
  half(fields, plan.counters[index]);
  fields.u64(histogram.counts.size() * counter_bytes);
  fields.u64(0);  // type
  fields.u64(scale_of(histogram, counter_bytes));
  for (int i = 0; i < 4; ++i) fields.u64(0);
  fields.u64(1);  // active
  fields.u64(index);
}

Result<std::string, std::string> write(const Profile& profile, unsigned counter_bytes) {
  const auto segments = counters_by_file(profile, file_title);
  if (!segments) return Failure{segments.error()};
  if (segments->empty()) return Failure{std::string("no tick was charged in a file's text")};
  if (auto why = misfit(profile, *segments, counter_bytes)) return Failure{*why};
  const Plan plan = plan_of(profile.processes.front().program, *segments, counter_bytes);
  FieldWriter fields({.byte_order = Endian::big, .address_bits = 64});
  write_header(fields, profile, plan, segments->size(), counter_bytes);
  for (std::size_t i = 0; i < segments->size(); ++i) {
    write_segment(fields, (*segments)[i], plan, i, counter_bytes);
  }
  fields.pad(alignment);
  fields.text(plan.strings);
  for (const FileCounters& each : *segments) {
    fields.pad(alignment);
    fields.counters(each.histogram.counts, counter_bytes);
  }
  return fields.finish();
}

}  // namespace

Format irix53_mon_format() {
  return {.name = "irix53",
          .title = file_title,
          .suffixes = {".irix53"},
          .has_tick_rate = true,
          .recognize = recognize,
          .read = read,
          .write = [](const Profile& profile) { return write(profile, 4); }};
}

// PROF_COUNTSIZE=2. The files are the same otherwise, and the other format recognizes both.
Format irix53_short_mon_format() {
  return {.name = "irix53-16",
          .title = file_title,
          .suffixes = {},
          .has_tick_rate = true,
          .recognize = [](Bytes, const Target&) { return Recognition(); },
          .read = read,
          .write = [](const Profile& profile) { return write(profile, 2); }};
}

}  // namespace hardclock::report
