// System V mon.out, 32-bit, of either byte order: what the monitor() of IRIX, HP-UX and Solaris
// writes for prof(1). illumos head/mon.h (struct hdr, struct cnt, WORD), port/gen/mon.c and
// sgs/prof/prof.c:
//   u32 low pc, u32 high pc, u32 n; n times {u32 function pc, u32 calls}; u16 counters to the end.
// n counts the reserved entries; the unused ones at the end are zero. The tick rate is not
// recorded, and there is no magic number.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/report/format.h"

namespace hardclock::report {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kCallBytes = 8;
constexpr std::size_t kCounterBytes = 2;

struct Header {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t calls = 0;

  std::uint64_t counters_at() const { return kHeaderBytes + std::uint64_t{calls} * kCallBytes; }
};

// `bytes` has at least kHeaderBytes.
Header load_header(std::span<const std::uint8_t> bytes, Endian order) {
  return {.low = load_bytes<std::uint32_t>(&bytes[0], order),
          .high = load_bytes<std::uint32_t>(&bytes[4], order),
          .calls = load_bytes<std::uint32_t>(&bytes[8], order)};
}

// Why `header` cannot begin a file of `size` bytes; nothing when it can.
std::optional<std::string> defect(const Header& header, std::size_t size) {
  if (header.counters_at() > size) {
    return fmt::format("{} call counts do not fit into a file of {} bytes; it is truncated",
                       header.calls, size);
  }
  if (header.high <= header.low) {
    return fmt::format("high pc 0x{:08x} is not above low pc 0x{:08x}", header.high, header.low);
  }
  const std::size_t counter_bytes = size - header.counters_at();
  if (counter_bytes == 0) return std::string("it ends before the first counter; it is truncated");
  if (counter_bytes % kCounterBytes != 0) {
    return std::string("it ends within a counter; it is truncated");
  }
  return std::nullopt;
}

// The order that makes sense. When both do, the one with the smaller range of text: a range is a
// small number, and its bytes in the wrong order are nearly always a large one. When that decides
// nothing, the order of IRIX and HP-UX.
Endian guess_order(std::span<const std::uint8_t> bytes) {
  const Header big = load_header(bytes, Endian::big);
  const Header little = load_header(bytes, Endian::little);
  const bool big_ok = !defect(big, bytes.size());
  const bool little_ok = !defect(little, bytes.size());
  if (big_ok != little_ok) return big_ok ? Endian::big : Endian::little;
  if (!big_ok) return big.calls <= little.calls ? Endian::big : Endian::little;
  return big.high - big.low <= little.high - little.low ? Endian::big : Endian::little;
}

Match match(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes) return Match::no;
  const Header header = load_header(bytes, guess_order(bytes));
  return defect(header, bytes.size()) ? Match::no : Match::possible;
}

std::vector<CallCount> load_calls(std::span<const std::uint8_t> bytes, Endian order) {
  std::vector<CallCount> calls;
  for (std::size_t at = 0; at < bytes.size(); at += kCallBytes) {
    const auto function = load_bytes<std::uint32_t>(&bytes[at], order);
    const auto count = load_bytes<std::uint32_t>(&bytes[at + 4], order);
    if (function != 0 || count != 0) {
      calls.push_back({.function = GuestAddr(function), .calls = count});
    }
  }
  return calls;
}

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes,
                                  std::optional<Endian> order_hint) {
  if (bytes.size() < kHeaderBytes) {
    return Failure{fmt::format("{} bytes are less than a header of {}; the file is truncated",
                               bytes.size(), kHeaderBytes)};
  }
  const Endian order = order_hint ? *order_hint : guess_order(bytes);
  const Header header = load_header(bytes, order);
  if (auto why = defect(header, bytes.size())) return Failure{*why};

  Histogram histogram{.low = GuestAddr(header.low), .high = GuestAddr(header.high), .counts = {}};
  for (std::size_t at = header.counters_at(); at < bytes.size(); at += kCounterBytes) {
    histogram.counts.push_back(load_bytes<std::uint16_t>(&bytes[at], order));
  }
  ProcessProfile process;
  process.histograms.push_back(std::move(histogram));
  process.calls =
      load_calls(bytes.subspan(kHeaderBytes, header.counters_at() - kHeaderBytes), order);
  Profile profile;
  profile.byte_order = order;
  profile.processes.push_back(std::move(process));
  return profile;
}

// One counter for each 4 bytes, an instruction, from the lowest sampled pc to the highest.
Result<Histogram, std::string> to_histogram(const std::map<GuestAddr, std::uint64_t>& samples) {
  constexpr std::uint64_t kBucket = 4;
  constexpr std::uint64_t kMostText = std::uint64_t{64} << 20;
  if (samples.empty()) return Failure{std::string("no tick was charged, so there is no range")};
  const GuestAddr low(samples.begin()->first.value() / kBucket * kBucket);
  const GuestAddr last(samples.rbegin()->first.value() / kBucket * kBucket);
  if (last - low >= kMostText) {
    return Failure{fmt::format(
        "mon.out has one range of text, and the samples are spread over {} MiB; write a .json file",
        (last - low) >> 20)};
  }
  Histogram histogram{.low = low, .high = last + kBucket, .counts = {}};
  histogram.counts.resize((histogram.high - low) / kBucket);
  for (const auto& [pc, ticks] : samples) histogram.counts[(pc - low) / kBucket] += ticks;
  return histogram;
}

Result<Histogram, std::string> only_histogram(const Profile& profile) {
  if (profile.address_bits != 32) {
    return Failure{std::string("mon.out is written for 32-bit programs only; write a .json file")};
  }
  if (profile.processes.size() != 1) {
    return Failure{fmt::format(
        "mon.out holds one process and this profile has {}; write a .json file or run one program",
        profile.processes.size())};
  }
  const ProcessProfile& process = profile.processes.front();
  if (process.histograms.empty()) return to_histogram(process.samples);
  if (process.histograms.size() == 1) return process.histograms.front();
  return Failure{
      fmt::format("mon.out has one range of text and this profile has {}; write a .json file",
                  process.histograms.size())};
}

template <std::unsigned_integral T>
void append(std::string& bytes, T value, Endian order) {
  std::array<char, sizeof(T)> field;
  store_bytes(field.data(), value, order);
  bytes.append(field.data(), field.size());
}

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMost16 = std::numeric_limits<std::uint16_t>::max();

// What does not fit into its field; nothing when all does.
std::optional<std::string> misfit(const Histogram& histogram, const std::vector<CallCount>& calls) {
  if (histogram.high.value() > kMost32) {
    return fmt::format("high pc 0x{:x} does not fit into 32 bits; write a .json file",
                       histogram.high.value());
  }
  CHECK(!histogram.counts.empty());
  const auto most = std::max_element(histogram.counts.begin(), histogram.counts.end());
  if (*most > kMost16) {
    return fmt::format(
        "a counter has {} ticks and mon.out's counters end at {}; write a .json file", *most,
        kMost16);
  }
  for (const CallCount& call : calls) {
    if (call.function.value() > kMost32 || call.calls > kMost32) {
      return fmt::format("{} calls of 0x{:x} do not fit into 32 bits; write a .json file",
                         call.calls, call.function.value());
    }
  }
  return std::nullopt;
}

Result<std::string, std::string> write(const Profile& profile) {
  const auto histogram = only_histogram(profile);
  if (!histogram) return Failure{histogram.error()};
  const std::vector<CallCount>& calls = profile.processes.front().calls;
  if (auto why = misfit(*histogram, calls)) return Failure{*why};

  const Endian order = profile.byte_order;
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(histogram->low.value()), order);
  append(bytes, static_cast<std::uint32_t>(histogram->high.value()), order);
  append(bytes, static_cast<std::uint32_t>(calls.size()), order);
  for (const CallCount& call : calls) {
    append(bytes, static_cast<std::uint32_t>(call.function.value()), order);
    append(bytes, static_cast<std::uint32_t>(call.calls), order);
  }
  for (const std::uint64_t count : histogram->counts) {
    append(bytes, static_cast<std::uint16_t>(count), order);
  }
  return bytes;
}

}  // namespace

Format svr4_mon_format() {
  return {.name = "System V mon.out",
          .suffix = "mon.out",
          .has_magic = false,
          .match = match,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
