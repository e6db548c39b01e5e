// The numbers in binary profile files: their byte order, the size of an address, and the choice of
// a layout for a file without a magic number.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/base/result.h"
#include "sim/report/format.h"

namespace hardclock::report {

struct Layout {
  Endian byte_order = Endian::big;
  unsigned address_bits = 32;  // 32 or 64

  std::size_t address_bytes() const { return address_bits / 8; }
  std::uint64_t last_address() const { return address_bits == 32 ? 0xffffffff : ~std::uint64_t{0}; }
};

inline Layout layout_of(const Profile& profile) {
  return {.byte_order = profile.byte_order, .address_bits = profile.address_bits};
}

// A profile of one process of unknown name.
inline Profile profile_of(const Layout& layout, ProcessProfile process) {
  Profile profile;
  profile.byte_order = layout.byte_order;
  profile.address_bits = layout.address_bits;
  profile.processes.push_back(std::move(process));
  return profile;
}

// The layouts that a profile of `target` can have; 32 bits first.
std::vector<Layout> layouts_of(const Target& target);

// "it is a little-endian 64-bit profile and the program is big-endian 32-bit; ...", or nothing when
// `layout` is one of layouts_of(target).
std::optional<std::string> mismatch(const Layout& layout, const Target& target);

// Takes numbers from the front of `bytes`. Taking more than left() is a bug.
class FieldReader {
 public:
  FieldReader(std::span<const std::uint8_t> bytes, const Layout& layout)
      : bytes_(bytes), layout_(layout) {}

  std::uint64_t left() const { return bytes_.size(); }
  void skip(std::uint64_t size) { take(size); }
  std::span<const std::uint8_t> take(std::uint64_t size) {
    CHECK(size <= left());
    const auto front = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return front;
  }
  std::uint8_t u8() { return take(1)[0]; }
  std::uint16_t u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  // A number as wide as an address.
  std::uint64_t word() { return layout_.address_bits == 32 ? u32() : number<std::uint64_t>(); }

  std::uint64_t u64() { return number<std::uint64_t>(); }

  // Counters of 2 or 4 bytes.
  std::vector<std::uint64_t> counters(std::uint64_t count, unsigned bytes = 2) {
    CHECK(count <= left() / bytes);
    std::vector<std::uint64_t> all(count);
    for (std::uint64_t& each : all) each = bytes == 4 ? u32() : u16();
    return all;
  }

 private:
  template <std::unsigned_integral T>
  T number() {
    return load_bytes<T>(take(sizeof(T)).data(), layout_.byte_order);
  }

  std::span<const std::uint8_t> bytes_;
  Layout layout_;
};

// Why a file of `bytes` bytes cannot have a header of `header`; nothing: it can.
std::optional<std::string> lacks_header(std::uint64_t bytes, std::uint64_t header);

// Appends numbers; the callers know that they fit.
class FieldWriter {
 public:
  explicit FieldWriter(const Layout& layout) : layout_(layout) {}

  void u8(std::uint8_t value) { number(value); }
  void u16(std::uint64_t value) { number(static_cast<std::uint16_t>(value)); }
  void u32(std::uint64_t value) { number(static_cast<std::uint32_t>(value)); }
  void u64(std::uint64_t value) { number(value); }
  void word(std::uint64_t value) { layout_.address_bits == 32 ? u32(value) : number(value); }
  void text(std::string_view text) { bytes_ += text; }
  // Appends zeros up to a multiple of `alignment`.
  void pad(std::size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
  }
  // Counters of 2 or 4 bytes.
  void counters(const std::vector<std::uint64_t>& counts, unsigned bytes = 2) {
    for (const std::uint64_t count : counts) bytes == 4 ? u32(count) : u16(count);
  }
  std::string finish() { return std::move(bytes_); }

 private:
  template <std::unsigned_integral T>
  void number(T value) {
    std::array<char, sizeof(T)> field;
    store_bytes(field.data(), value, layout_.byte_order);
    bytes_.append(field.data(), field.size());
  }

  Layout layout_;
  std::string bytes_;
};

// Why bytes cannot be a file of one layout.
struct Refusal {
  std::string why;
  // What the header promises, in calls or bytes, to tell which layout a damaged file was meant to
  // have; the largest number if there is no whole header.
  std::uint64_t promised = ~std::uint64_t{0};
};

// Reads a profile of one process and one histogram; refuses only what the layout excludes.
using ReadAs = Result<Profile, Refusal> (*)(std::span<const std::uint8_t> bytes,
                                            const Layout& layout);

// Reads `bytes` in the most sensible of `layouts`, which is not empty, for a format without a magic
// number. A layout that can be read is best; then one whose numbers are what profil(2) and mcount()
// leave behind; then the one with the least text, whose size is a small number and nearly always a
// large one with its bytes in the wrong order. If all layouts refuse, the one that promises least
// answers. The first of equals wins.
Result<Profile, std::string> read_best(std::span<const std::uint8_t> bytes,
                                       const std::vector<Layout>& layouts, ReadAs read_as);
// Match::likely if the chosen layout makes sense.
Recognition recognize_best(std::span<const std::uint8_t> bytes, const std::vector<Layout>& layouts,
                           ReadAs read_as);

// The scale that a library gives to profil(2) for `bytes` of counters of 2 bytes and `text` bytes
// of code. It is an integer, which their quotient seldom is.
using ScaleOf = std::uint64_t (*)(std::uint64_t bytes, std::uint64_t text);
// monstartup() of glibc and BSD: glibc gmon/gmon.c, ucb-csrg-bsd lib/libc/gmon/gmon.c.
std::uint64_t monstartup_scale(std::uint64_t bytes, std::uint64_t text);
// System V's monitor(): illumos port/gen/mon.c.
std::uint64_t monitor_scale(std::uint64_t bytes, std::uint64_t text);

// Takes the rest of `fields` as the counters of [low, high), which are as wide as the scale that
// `scale_of` gives makes them; null: they divide the range.
Result<Histogram, std::string> take_histogram(FieldReader& fields, std::uint64_t low,
                                              std::uint64_t high, ScaleOf scale_of);

}  // namespace hardclock::report
